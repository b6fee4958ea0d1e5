"""Log loss of trees and committees for several amounts of hierarchical shrinkage.

``python -m benchmarks.shrinkage FILE [NAME ...]``

Each table is cross-validated once, ten stratified folds of seed 0. A committee has ten members, and
its probabilities are the mean of those of its members. Probabilities are cut at 1e-15, so that a
row whose class has the probability 0 costs 34.5. Results are added to FILE, a JSON document; tables
that it holds are not computed again. docs/guides/shrinkage.md has the results.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import weaklearn as wl
from weaklearn.experiments import split_folds
from weaklearn.experiments.fit_and_count_errors import encode_table

LAMBDAS = (0, 1, 5, 10, 25, 50)
_NAMES = """
anneal audiology auto balance-scale breast-cancer breast-w bupa car colic credit-a credit-g diabetes
euthyroid glass heart-c heart-h heart-statlog hepatitis hypo ionosphere iris kr-vs-kp labor lymph
mushroom page-blocks phoneme primary-tumor promoter segment sick sonar soybean spambase splice
tic-tac-toe vehicle vote vowel waveform-5000 wine zoo
"""
#: The public tables of at most 10,000 rows.
TABLES = _NAMES.split()

MODELS = {
    "tree": lambda tree: tree,
    "unpruned tree": lambda tree: tree.set_params(prune=False),
    "bagged trees": lambda tree: wl.BaggedClassifier(tree, n_members=10, random_state=0),
    "boosted trees": lambda tree: wl.AdaBoostM1Classifier(tree, n_rounds=10),
}


def mean_shares(model: Any, rows: Any) -> NDArray[np.float64]:
    """Return the class shares of a tree, or the mean over the members of a committee."""
    members = getattr(model, "members_", [model])
    shares: NDArray[np.float64] = np.mean([m.predict_class_shares(rows) for m in members], axis=0)
    return shares


def run_table(name: str) -> dict[str, list[float]]:
    """Return for each model the log loss and the error in percent, for each lambda in turn."""
    table = wl.datasets.load(name)
    encoded = encode_table(wl.C45Classifier(), table.X, table.y)
    rows, classes = encoded.rows, encoded.classes
    results: dict[str, list[float]] = {}
    splits = split_folds(table.y, seed=0)
    for kind, make in MODELS.items():
        for shrinkage in LAMBDAS:
            of_class = np.zeros(rows.n_rows)
            wrong = 0
            for split in splits:
                model = make(wl.C45Classifier(shrinkage=shrinkage))
                model.fit_dataset(encoded.dataset, split.train.astype(np.float64))
                shares = mean_shares(model, rows)
                of_class[split.test] = shares[split.test, classes[split.test]]
                wrong += int((shares.argmax(axis=1) != classes)[split.test].sum())
            loss = float(-np.log(np.maximum(of_class, 1e-15)).mean())
            results.setdefault(kind, []).append(loss)
            results.setdefault(f"{kind}, error", []).append(100 * wrong / rows.n_rows)
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
            print(name, flush=True)
    print(f"{'mean over ' + str(len(tables)) + ' tables':28}", *(f"{v:>7}" for v in LAMBDAS))
    for kind in results[tables[0]]:
        means = np.mean([results[name][kind] for name in tables], axis=0)
        print(f"{kind:28}", *(f"{mean:7.3f}" for mean in means))


if __name__ == "__main__":
    main()
