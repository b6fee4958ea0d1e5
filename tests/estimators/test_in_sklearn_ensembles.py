"""scikit-learn's ensembles over our classifiers are as accurate as over its own tree.

AdaBoost passes weights that sum to 1, bagging passes counts, and calibration passes parts of what
it gets. Two-class learners and slow ones are compared on breast cancer only. The tables are thinned
so that the tests stay quick; the point is that no learner collapses to a leaf.
"""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.calibration import CalibratedClassifierCV
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier
from sklearn.tree import DecisionTreeClassifier

import weaklearn as wl

ENSEMBLES = {
    "adaboost": lambda member: AdaBoostClassifier(member, n_estimators=8, random_state=0),
    "bagging": lambda member: BaggingClassifier(member, n_estimators=8, random_state=0),
    "calibrated": lambda member: CalibratedClassifierCV(member, cv=2),
}
ANY_CLASSES: dict[str, Any] = {
    "c45": wl.C45Classifier(),
    "topdown": wl.TopDownClassifier(),
    "program": wl.BranchingProgramClassifier(merge="budget"),
    "adaboost-m1": wl.AdaBoostM1Classifier(n_rounds=4),
    "bagged": wl.BaggedClassifier(n_members=6, random_state=0),
    "pruned": wl.PrunedClassifier(wl.AdaBoostM1Classifier(n_rounds=6), rate=0.7),
    "boost-odt": wl.BoostODTClassifier(n_stumps=12, max_depth=7),
    "real-adaboost": wl.RealAdaBoostClassifier(n_rounds=20),
}
TWO_CLASSES: dict[str, Any] = {  # or too weak or slow for the ten classes of digits
    "stump": wl.StumpClassifier(),
    "oc1": wl.OC1Classifier(n_restarts=1, random_state=0),
    "sadt": wl.SADTClassifier(random_state=0),
    "g2": wl.G2Classifier(graph=wl.SeparatorGraph(8)),
}
CASES = [("digits", name) for name in ANY_CLASSES]
CASES += [("breast cancer", name) for name in (*ANY_CLASSES, *TWO_CLASSES)]


@cache
def parts(table: str) -> tuple[Any, ...]:
    X, y = (load_digits if table == "digits" else load_breast_cancer)(return_X_y=True)
    order = np.random.default_rng(0).permutation(len(y))
    train, test = order[:400], order[400:]
    return X[train], y[train], X[test], y[test]


def accuracy(ensemble: Any, table: str) -> float:
    X, y, X_test, y_test = parts(table)
    return float(ensemble.fit(X, y).score(X_test, y_test))


@cache
def accuracy_of_their_tree(ensemble: str, table: str, max_depth: int | None) -> float:
    tree = DecisionTreeClassifier(max_depth=max_depth, random_state=0)
    return accuracy(ENSEMBLES[ensemble](tree), table)


@pytest.mark.parametrize("ensemble", ENSEMBLES)
@pytest.mark.parametrize(("table", "name"), CASES, ids=[f"{t}-{n}" for t, n in CASES])
def test_as_accurate_as_over_their_tree(ensemble: str, table: str, name: str) -> None:
    member = clone({**ANY_CLASSES, **TWO_CLASSES}[name])
    ours = accuracy(ENSEMBLES[ensemble](member), table)
    theirs = accuracy_of_their_tree(ensemble, table, 1 if name == "stump" else None)
    assert ours >= theirs - 0.02
