"""Features and errors of models with and without winnowing, by cross-validation.

``python -m benchmarks.winnowing FILE [NAME ...]``

Each table is cross-validated once, ten stratified folds of seed 0. Results are added to FILE, a
JSON document; tables that it holds are not computed again. docs/guides/winnowing.md has the
results.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

import weaklearn as wl
from benchmarks.shrinkage import TABLES
from weaklearn.experiments import split_folds
from weaklearn.experiments.fit_and_count_errors import encode_table

MODELS = {"c45": wl.C45Classifier, "rules": wl.RulesClassifier}


def run_table(name: str) -> dict[str, float]:
    """Return the features of a table, and for each model the features kept and both errors."""
    table = wl.datasets.load(name)
    results: dict[str, float] = {"features": table.X.shape[1]}
    for kind, make in MODELS.items():
        encoded = encode_table(make(), table.X, table.y)
        kept, errors = [], {False: 0, True: 0}
        for split in split_folds(table.y, seed=0):
            for winnow in errors:
                model = make(winnow=winnow)
                model.fit_dataset(encoded.dataset, split.train.astype(np.float64))
                wrong = model.predict_class_indices(encoded.rows) != encoded.classes
                errors[winnow] += int(wrong[split.test].sum())
            kept.append(len(model.features_kept_))
        results[f"{kind}: kept"] = float(np.mean(kept))
        for winnow, count in errors.items():
            results[f"{kind}: error{', winnowed' * winnow}"] = 100 * count / len(table.y)
    return results


def main() -> None:
    """Run the tables that the command line names, by default all."""
    path = Path(sys.argv[1])
    tables = sys.argv[2:] or TABLES
    results = json.loads(path.read_text()) if path.is_file() else {}
    for name in tables:
        if name not in results:
            results[name] = run_table(name)
            path.write_text(json.dumps(results, indent=1) + "\n")
            print(name, results[name], flush=True)
    for key in results[tables[0]]:
        print(f"{np.mean([results[name][key] for name in tables]):8.2f}  {key}")


if __name__ == "__main__":
    main()
