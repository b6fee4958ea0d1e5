"""Features and errors of models with and without winnowing, by cross-validation.

``python -m benchmarks.winnowing FILE [--docs docs/data/winnowing.json] [NAME ...]``

Each table is cross-validated once, ten stratified folds of seed 0. Results are added to FILE, a
JSON document; tables that it holds are not computed again. docs/guides/winnowing.md shows the file
of ``--docs``.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import numpy as np

import weaklearn as wl
from benchmarks.docs_data import DocsTable, write_docs_data
from benchmarks.shrinkage import TABLES
from weaklearn.experiments import split_folds
from weaklearn.experiments.fit_and_count_errors import encode_table

MODELS = {"c45": wl.C45Classifier, "rules": wl.RulesClassifier}

#: The decimals of the means: features, and for each model the features kept and both errors.
_DIGITS = (1, 1, 2, 2, 1, 2, 2)


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


def docs_table(results: dict[str, dict[str, float]], tables: list[str]) -> DocsTable:
    """Make the table of the page: a row for each table, after the means."""
    headings = ["table", "features", "tree: kept", "error", "winnowed"]
    headings += ["rules: kept", "error", "winnowed"]
    columns = np.array([list(results[name].values()) for name in tables])
    mean = [
        f"{value:.{digits}f}" for value, digits in zip(columns.mean(axis=0), _DIGITS, strict=True)
    ]
    rows = [["**mean**", *(f"**{text}**" for text in mean)]]
    for name, values in zip(tables, columns, strict=True):
        rows.append([name, f"{values[0]:.0f}", *(f"{value:.1f}" for value in values[1:])])
    return headings, rows


def main() -> None:
    """Run the tables that the command line names, by default all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.winnowing", description=__doc__)
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("tables", nargs="*", default=TABLES, metavar="NAME")
    parser.add_argument("--docs", type=Path, metavar="FILE", help="write the table of the page")
    options = parser.parse_args()
    path, tables = options.file, options.tables
    results = json.loads(path.read_text()) if path.is_file() else {}
    for name in tables:
        if name not in results:
            results[name] = run_table(name)
            path.write_text(json.dumps(results, indent=1) + "\n")
            print(name, results[name], flush=True)
    for key in results[tables[0]]:
        print(f"{np.mean([results[name][key] for name in tables]):8.2f}  {key}")
    if options.docs is not None:
        command = "python -m benchmarks.winnowing results.json --docs docs/data/winnowing.json"
        figures = {"n-tables": str(len(tables))}
        write_docs_data(options.docs, command, {"tables": docs_table(results, tables)}, figures)


if __name__ == "__main__":
    main()
