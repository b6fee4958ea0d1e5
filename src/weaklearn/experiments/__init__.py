"""Experiments: how well a classifier does, measured, and which of two does better."""

from weaklearn.experiments.compare import (
    Interval,
    SignTest,
    TTest,
    marginal_homogeneity,
    paired_t_test,
    sign_test,
)
from weaklearn.experiments.cross_validation import Estimate, Results, cross_validate
from weaklearn.experiments.delve import (
    DelveResults,
    combined_sign_test,
    combined_t_test,
    delve,
)
from weaklearn.experiments.equal_rounds import EqualRounds, Run, equal_rounds
from weaklearn.experiments.splits import Split, split_folds, split_sets
from weaklearn.experiments.trial import Fold
from weaklearn.learners.sampling import deal_folds

__all__ = [
    "DelveResults",
    "EqualRounds",
    "Estimate",
    "Fold",
    "Interval",
    "Results",
    "Run",
    "SignTest",
    "Split",
    "TTest",
    "combined_sign_test",
    "combined_t_test",
    "cross_validate",
    "deal_folds",
    "delve",
    "equal_rounds",
    "marginal_homogeneity",
    "paired_t_test",
    "sign_test",
    "split_folds",
    "split_sets",
]
