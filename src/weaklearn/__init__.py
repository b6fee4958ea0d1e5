"""From weak hypotheses to strong classifiers on tables."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    __version__: str

    from weaklearn import costs, datasets, experiments, explain, export, pruning, rules, theory
    from weaklearn.estimators import (
        AdaBoostM1Classifier,
        BaggedClassifier,
        BoostedForestClassifier,
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
        RulesClassifier,
        SADTClassifier,
        SeparatorGraph,
        StumpClassifier,
        TopDownClassifier,
        TreeGraph,
        as_committee,
    )
    from weaklearn.models import GraphBuilder, load
    from weaklearn.models.predictor import load_predictor
    from weaklearn.tables import MISSING_TEXTS
    from weaklearn.tables.read import read
    from weaklearn.tables.scan import scan

__all__ = [
    "MISSING_TEXTS",
    "AdaBoostM1Classifier",
    "BaggedClassifier",
    "BoostODTClassifier",
    "BoostedForestClassifier",
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
    "RulesClassifier",
    "SADTClassifier",
    "SeparatorGraph",
    "StumpClassifier",
    "TopDownClassifier",
    "TreeGraph",
    "as_committee",
    "costs",
    "datasets",
    "experiments",
    "explain",
    "export",
    "load",
    "load_predictor",
    "pruning",
    "read",
    "rules",
    "scan",
    "theory",
]

# A name is imported when it is first used, so that importing the package stays quick.
_PACKAGE_OF = {
    "GraphBuilder": "weaklearn.models",
    "MISSING_TEXTS": "weaklearn.tables",
    "load_predictor": "weaklearn.models.predictor",
    "read": "weaklearn.tables.read",
    "scan": "weaklearn.tables.scan",
}
_PACKAGES = ("costs", "datasets", "experiments", "explain", "export", "pruning", "rules", "theory")


def __getattr__(name: str) -> object:
    if name == "__version__":
        from importlib.metadata import version  # takes longer than the rest of this module

        return version("weaklearn")
    if name not in __all__:
        raise AttributeError(f"module 'weaklearn' has no attribute {name!r}")
    if name in _PACKAGES:
        value: object = import_module(f"weaklearn.{name}")
    else:
        value = getattr(import_module(_PACKAGE_OF.get(name, "weaklearn.estimators")), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted([*__all__, "__version__"])
