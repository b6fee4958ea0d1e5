"""Compose boosted models of boosted models with G2, on tables of two classes.

Henry, Nock and Nielsen (2007) end with compositions that had not been tried: linear combinations of
oblique trees, and trees whose splits are decision lists. Each of them is one expression here.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import numpy as np
from sklearn.model_selection import StratifiedKFold

import weaklearn as wl
from weaklearn.tables import Table

CONSTANT = wl.ConstantLearner()
STUMPS = wl.RealAdaBoostClassifier(n_rounds=10)
DECISION_LIST = wl.G2Classifier(CONSTANT, wl.ListGraph(wl.StumpClassifier(), max_leaves=5))

COMPOSITIONS = {
    "AdaBoost over oblique trees": wl.G2Classifier(
        wl.BoostODTClassifier(n_stumps=10, max_depth=2), wl.SeparatorGraph(n_rounds=5)
    ),
    "a tree that splits by decision lists": wl.G2Classifier(
        CONSTANT, wl.TreeGraph(DECISION_LIST, max_depth=3)
    ),
    "an oblique branching program": wl.G2Classifier(
        CONSTANT, wl.ProgramGraph(STUMPS, max_levels=4, max_width=3)
    ),
    "an oblique tree (BoostODT)": wl.BoostODTClassifier(n_stumps=10, max_depth=4),
    "one separator (AdaBoostR)": STUMPS,
}


def tables(n_samples: int) -> list[Table]:
    """Return XD6 with 10% class noise, the multiplexer, and the people on board the Titanic."""
    return [
        wl.datasets.make_xd6(n_samples, class_noise=0.1, random_state=1),
        wl.datasets.make_multiplexer(3, n_samples=n_samples, random_state=1),
        wl.datasets.load("titanic"),
    ]


def cross_validated_error(model: wl.G2Classifier, table: Table, n_folds: int) -> float:
    """Compute the share of rows that are misclassified in a cross-validation."""
    X, y = table.X, np.asarray(table.y)
    folds = StratifiedKFold(n_folds, shuffle=True, random_state=0)
    wrong = 0
    for train, test in folds.split(X, y):
        predicted = model.fit(X.iloc[train], y[train]).predict(X.iloc[test])
        wrong += int((predicted != y[test]).sum())
    return wrong / len(y)


def main(arguments: Sequence[str] | None = None) -> None:
    """Print the cross-validated error, the training error, and Theorem 1's bound on the latter."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--rows", type=int, default=1000, help="number of rows of the generated tables"
    )
    parser.add_argument("--folds", type=int, default=5, help="number of folds")
    options = parser.parse_args(arguments)
    print("| composition | table | error, % | training error, % | bound, % |")
    print("|---|---|---|---|---|")
    for table in tables(options.rows):
        for name, model in COMPOSITIONS.items():
            error = cross_validated_error(model, table, options.folds)
            model.fit(table.X, table.y)
            training = 1.0 - model.score(table.X, table.y)
            bound = wl.theory.margin_bound(model)
            shares = " | ".join(f"{100 * share:.1f}" for share in (error, training, bound))
            print(f"| {name} | {table.name} | {shares} |")


if __name__ == "__main__":
    main()
