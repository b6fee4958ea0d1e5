"""Explain predictions: the paths that rows take, and what each feature contributes."""

from weaklearn.explain.taken_paths import TakenPath, TakenPaths

__all__ = ["TakenPath", "TakenPaths"]
