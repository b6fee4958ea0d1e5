"""From weak hypotheses to strong classifiers on tables."""

from __future__ import annotations

import importlib
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from weaklearn import datasets, pruning, theory
    from weaklearn.estimators import (
        AdaBoostM1Classifier,
        BaggedClassifier,
        BoostODTClassifier,
        BranchingProgramClassifier,
        C45Classifier,
        ConstantLearner,
        G2Classifier,
        ListGraph,
        OC1Classifier,
        ProgramGraph,
        PrunedClassifier,
        RealAdaBoostClassifier,
        SADTClassifier,
        SeparatorGraph,
        StumpClassifier,
        TopDownClassifier,
        TreeGraph,
        as_committee,
    )
    from weaklearn.models import GraphBuilder, load
    from weaklearn.tables import read

__all__ = [
    "AdaBoostM1Classifier",
    "BaggedClassifier",
    "BoostODTClassifier",
    "BranchingProgramClassifier",
    "C45Classifier",
    "ConstantLearner",
    "G2Classifier",
    "GraphBuilder",
    "ListGraph",
    "OC1Classifier",
    "ProgramGraph",
    "PrunedClassifier",
    "RealAdaBoostClassifier",
    "SADTClassifier",
    "SeparatorGraph",
    "StumpClassifier",
    "TopDownClassifier",
    "TreeGraph",
    "as_committee",
    "datasets",
    "load",
    "pruning",
    "read",
    "theory",
]
__version__ = version("weaklearn")

# Rooms are entered when first used, so that importing the package stays quick.
_HOME_OF = {
    "AdaBoostM1Classifier": "weaklearn.estimators",
    "BaggedClassifier": "weaklearn.estimators",
    "BoostODTClassifier": "weaklearn.estimators",
    "BranchingProgramClassifier": "weaklearn.estimators",
    "C45Classifier": "weaklearn.estimators",
    "ConstantLearner": "weaklearn.estimators",
    "G2Classifier": "weaklearn.estimators",
    "GraphBuilder": "weaklearn.models",
    "ListGraph": "weaklearn.estimators",
    "OC1Classifier": "weaklearn.estimators",
    "ProgramGraph": "weaklearn.estimators",
    "PrunedClassifier": "weaklearn.estimators",
    "RealAdaBoostClassifier": "weaklearn.estimators",
    "SADTClassifier": "weaklearn.estimators",
    "SeparatorGraph": "weaklearn.estimators",
    "StumpClassifier": "weaklearn.estimators",
    "TopDownClassifier": "weaklearn.estimators",
    "TreeGraph": "weaklearn.estimators",
    "as_committee": "weaklearn.estimators",
    "load": "weaklearn.estimators",  # which know the kinds of model there are
    "read": "weaklearn.tables",
}


def __getattr__(name: str) -> Any:
    if name in _HOME_OF:
        value = getattr(importlib.import_module(_HOME_OF[name]), name)
    elif name in __all__:
        value = importlib.import_module(f"weaklearn.{name}")
    else:
        raise AttributeError(f"module 'weaklearn' has no feature {name!r}")
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
