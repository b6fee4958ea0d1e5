"""Log loss of trees and committees for several amounts of hierarchical shrinkage.

``python -m benchmarks.shrinkage FILE [--docs docs/data/shrinkage.json] [NAME ...]``

Each table is cross-validated once, ten stratified folds of seed 0. A committee has ten members, and
its probabilities are the mean of those of its members. Probabilities are cut at 1e-15, so that a
row whose class has the probability 0 costs 34.5. Results are added to FILE, a JSON document; tables
that it holds are not computed again. docs/guides/shrinkage.md shows the file of ``--docs``.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import weaklearn as wl
from benchmarks.docs_data import DocsTable, write_docs_data
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

#: How the page names the models.
NAMES = {
    "tree": "`C45Classifier`",
    "unpruned tree": "without pruning",
    "bagged trees": "bagged",
    "boosted trees": "boosted (AdaBoost.M1)",
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


def docs_tables(means: dict[str, NDArray[np.float64]]) -> dict[str, DocsTable]:
    """Make the tables of the page; the best value of a row is bold."""
    tables: dict[str, DocsTable] = {}
    for name, heading, ending, digits in (
        ("log-loss", "log loss, by lambda", "", 3),
        ("error", "error in percent, by lambda", ", error", 2),
    ):
        rows = []
        for kind, shown in NAMES.items():
            values = means[kind + ending]
            texts = [f"{value:.{digits}f}" for value in values]
            texts[int(values.argmin())] = f"**{texts[int(values.argmin())]}**"
            rows.append([shown, *texts])
        tables[name] = ([heading, *map(str, LAMBDAS)], rows)
    return tables


def main() -> None:
    """Run the tables that the command line names, by default all."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.shrinkage", description=__doc__)
    parser.add_argument("file", type=Path, metavar="FILE")
    parser.add_argument("tables", nargs="*", default=TABLES, metavar="NAME")
    parser.add_argument("--docs", type=Path, metavar="FILE", help="write the tables of the page")
    options = parser.parse_args()
    path, tables = options.file, options.tables
    results = json.loads(path.read_text()) if path.is_file() else {}
    for name in tables:
        if name not in results:
            results[name] = run_table(name)
            path.write_text(json.dumps(results, indent=1) + "\n")
            print(name, flush=True)
    print(f"{'mean over ' + str(len(tables)) + ' tables':28}", *(f"{v:>7}" for v in LAMBDAS))
    means = {
        kind: np.mean([results[name][kind] for name in tables], axis=0)
        for kind in results[tables[0]]
    }
    for kind, values in means.items():
        print(f"{kind:28}", *(f"{mean:7.3f}" for mean in values))
    if options.docs is not None:
        command = "python -m benchmarks.shrinkage results.json --docs docs/data/shrinkage.json"
        figures = {"n-tables": str(len(tables))}
        write_docs_data(options.docs, command, docs_tables(means), figures)


if __name__ == "__main__":
    main()
