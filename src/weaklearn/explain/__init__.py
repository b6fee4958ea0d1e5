"""Explain predictions: paths, rules, votes, and what each feature contributes."""

from weaklearn.explain.contributions import Contributions
from weaklearn.explain.explanation import Explanation
from weaklearn.explain.explanations import Explanations
from weaklearn.explain.feature_importances import importances
from weaklearn.explain.fired_rules import FiredRules
from weaklearn.explain.members import ExplainedMember
from weaklearn.explain.shap_explanation import ShapValues, shap_values
from weaklearn.explain.shap_trees import to_shap
from weaklearn.explain.taken_paths import TakenPath, TakenPaths

__all__ = [
    "Contributions",
    "ExplainedMember",
    "Explanation",
    "Explanations",
    "FiredRules",
    "ShapValues",
    "TakenPath",
    "TakenPaths",
    "importances",
    "shap_values",
    "to_shap",
]
