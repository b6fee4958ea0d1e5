"""Explain predictions: the paths that rows take, and what each feature contributes."""

from weaklearn.explain.feature_importances import importances
from weaklearn.explain.shap_explanation import ShapValues, shap_values
from weaklearn.explain.shap_trees import to_shap
from weaklearn.explain.taken_paths import TakenPath, TakenPaths

__all__ = ["ShapValues", "TakenPath", "TakenPaths", "importances", "shap_values", "to_shap"]
