"""Experiments: how well a classifier does, measured, and which of two does better."""

from weaklearn.boosting.sampling import deal_folds
from weaklearn.experiments.cross_validation import Estimate, Results, cross_validate
from weaklearn.experiments.disjoint_training_sets import (
    DelveResults,
    combined_sign_test,
    combined_t_test,
    delve,
)
from weaklearn.experiments.equal_rounds import EqualRounds, Run, equal_rounds
from weaklearn.experiments.findings import Contest, Findings, Series
from weaklearn.experiments.paired_tests import (
    Interval,
    SignTest,
    TTest,
    corrected_t_test,
    marginal_homogeneity,
    paired_t_test,
    sign_test,
)
from weaklearn.experiments.plan import Plan, papers, read_plan
from weaklearn.experiments.runner import Prepared, Progress, code_version, prepare, run_units
from weaklearn.experiments.store import Store, Stored
from weaklearn.experiments.train_test_splits import Split, split_folds, split_sets
from weaklearn.experiments.trial import Fold
from weaklearn.experiments.work_units import Unit

__all__ = [
    "Contest",
    "DelveResults",
    "EqualRounds",
    "Estimate",
    "Findings",
    "Fold",
    "Interval",
    "Plan",
    "Prepared",
    "Progress",
    "Results",
    "Run",
    "Series",
    "SignTest",
    "Split",
    "Store",
    "Stored",
    "TTest",
    "Unit",
    "code_version",
    "combined_sign_test",
    "combined_t_test",
    "corrected_t_test",
    "cross_validate",
    "deal_folds",
    "delve",
    "equal_rounds",
    "marginal_homogeneity",
    "paired_t_test",
    "papers",
    "prepare",
    "read_plan",
    "run_units",
    "sign_test",
    "split_folds",
    "split_sets",
]
