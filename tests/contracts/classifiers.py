"""The classifiers that the laws hold for. A new classifier needs one line here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import weaklearn as wl

Factory = Callable[..., Any]  # takes further parameters by name


def _with(kind: Any, **parameters: Any) -> Factory:
    return lambda **others: kind(**{**parameters, **others})


#: Exact classifiers: values that are equal in real arithmetic count as equal.
EXACT: dict[str, Factory] = {
    "c45": _with(wl.C45Classifier),
    "c45-unpruned": _with(wl.C45Classifier, criterion="gini", min_objects=1, prune=False),
    "c45-subset": _with(wl.C45Classifier, criterion="gain", subset=True, confidence=0.5),
    "c45-branch": _with(wl.C45Classifier, missing="branch"),
    "c45-branch-subset": _with(wl.C45Classifier, missing="branch", subset=True, confidence=0.5),
    "c45-random": _with(wl.C45Classifier, min_objects=1, max_features=1, random_state=3),
    "stump": _with(wl.StumpClassifier),
    "topdown": _with(wl.TopDownClassifier, n_rounds=12),
    "topdown-grouping-branch": _with(wl.TopDownClassifier, missing="branch", grouping=True),
    "topdown-grouping": _with(wl.TopDownClassifier, criterion="gini", grouping=True, prune=True),
    "topdown-random": _with(wl.TopDownClassifier, max_features="sqrt", random_state=3),
    "program-budget": _with(wl.BranchingProgramClassifier, merge="budget", max_levels=12),
    "program-width": _with(
        wl.BranchingProgramClassifier, criterion="gini", merge="width", max_width=3, prune=True
    ),
    "boost-odt": _with(wl.BoostODTClassifier, n_stumps=4, max_depth=2),
    "real-adaboost": _with(wl.RealAdaBoostClassifier, n_rounds=6),
}
#: Trees of planes: rounding noise in their sums matters, and which rows are held out depends on
#: the order and the number of rows.
OBLIQUE: dict[str, Factory] = {
    "oc1": _with(wl.OC1Classifier, n_restarts=3, random_state=3),
    "sadt": _with(
        wl.SADTClassifier, criterion="twoing", patience=200, validation_share=0, random_state=3
    ),
}
#: Classifiers that follow a program whose rounding depends on the order of rows and classes.
ROUNDING: dict[str, Factory] = {
    "c45-release8": _with(wl.C45Classifier, arithmetic="release8", subset=True, min_objects=1),
}
ALL = {**EXACT, **ROUNDING, **OBLIQUE}

_SMALL = wl.C45Classifier(max_depth=2, min_objects=1, prune=False)
#: Committees that learn from weighted rows: they are as exact as their members.
REWEIGHTED: dict[str, Factory] = {
    "adaboost": _with(wl.AdaBoostM1Classifier, n_rounds=4),
    "adaboost-confidence": _with(
        wl.AdaBoostM1Classifier, estimator=_SMALL, n_rounds=4, vote="confidence"
    ),
    "adaboost-classes": _with(
        wl.AdaBoostM1Classifier, estimator=_SMALL, n_rounds=4, keep_class_weights=True
    ),
}
#: Committees that learn from samples: which rows are drawn depends on their order and number.
SAMPLED: dict[str, Factory] = {
    "adaboost-resample": _with(
        wl.AdaBoostM1Classifier, estimator=_SMALL, n_rounds=4, method="resample", random_state=3
    ),
    "adaboost-restart": _with(
        wl.AdaBoostM1Classifier, estimator=_SMALL, n_rounds=4, restart=True, random_state=3
    ),
    "bagged": _with(wl.BaggedClassifier, n_members=4, random_state=3),
    "bagged-confidence": _with(
        wl.BaggedClassifier, estimator=_SMALL, n_members=4, vote="confidence", random_state=3
    ),
    "boosted-forest": _with(wl.BoostedForestClassifier, n_members=5, run_length=3, random_state=3),
}
COMMITTEES = {**REWEIGHTED, **SAMPLED}


def trees_of(model: Any) -> list[Any]:
    """Return the tree, program or rules of a classifier, or of its members, or its separators."""
    if hasattr(model, "ruleset_"):
        return [model.ruleset_]
    if hasattr(model, "separators_"):
        return [separator.graph for separator in model.separators_.each]
    return [member.graph_ for member in getattr(model, "members_", [model])]
