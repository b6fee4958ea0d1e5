"""Experiments: how well a classifier does, measured."""

from weaklearn.experiments.cross_validation import (
    Estimate,
    Fold,
    Results,
    cross_validate,
    deal_folds,
)

__all__ = ["Estimate", "Fold", "Results", "cross_validate", "deal_folds"]
