"""Measure how well classifiers do, and compare them.

cross_validation.py         cross-validate one classifier
disjoint_training_sets.py   compare classifiers on disjoint training sets and one test set
equal_rounds.py             compare learners that work in rounds after equally many rounds
train_test_splits.py        the rows and the seed of each trial
fit_and_count_errors.py     one trial: fit to the training rows, count the errors
prediction_scores.py        balanced error, log loss, AUC, confusion of the predictions
paired_tests.py             t-tests, sign test, Wilcoxon's test, confidence intervals

A comparison of models runs through these files, in this order:

compare_models.py           compare models on tables: the entry point
peer_models.py              classifiers of other libraries
peer_encodings.py           the rows of a fold, encoded as users of those libraries would
comparison_units.py         one unit: one model on one fold of one table
model_size.py               leaves, rules, conditions, members of a fitted model
comparison.py               the results: frames, ranks, wins and losses, a conclusion
rank_tests.py               ranks, Friedman's test, critical difference
plot_ranks.py               the critical-difference diagram

The experiments of a paper run through these files, in this order:

plans/*.toml                one file per paper: experiments, tables, figures, published values
plan.py                     read and check a plan
load_problem.py             load the table of a problem, and convert it as the plan asks
classifier_from_plan.py     make the classifiers of a plan
runnable_units.py           which tables and classifiers are here, which units can run
work_units.py               one unit: one learner on one trial of one problem
plan_splits.py              the ways to choose a unit's training and test rows
plan_measures.py            what a unit can measure
run_on_workers.py           run all units on several workers
result_store.py             the SQLite file that keeps their outcomes
combine_results.py          means and comparisons from the outcomes
agreement_with_paper.py     whether a mean agrees with a published value
"""

from weaklearn.boosting.sampling import deal_folds
from weaklearn.experiments.combine_results import PairedComparison, PlanResults, TrialValues
from weaklearn.experiments.compare_models import compare
from weaklearn.experiments.comparison import Comparison, Conclusion, TableFacts
from weaklearn.experiments.cross_validation import Estimate, Results, cross_validate
from weaklearn.experiments.disjoint_training_sets import (
    DisjointSetsResults,
    combined_sign_test,
    combined_t_test,
    compare_on_disjoint_sets,
)
from weaklearn.experiments.equal_rounds import EqualRounds, Run, equal_rounds
from weaklearn.experiments.fit_and_count_errors import Fold
from weaklearn.experiments.paired_tests import (
    Interval,
    SignTest,
    TTest,
    corrected_t_test,
    holm_correction,
    marginal_homogeneity,
    paired_t_test,
    sign_test,
    wilcoxon_test,
)
from weaklearn.experiments.peer_models import PEERS, ComparedModel
from weaklearn.experiments.plan import Plan, papers, read_plan
from weaklearn.experiments.prediction_scores import Predictions
from weaklearn.experiments.rank_tests import RankTest, critical_difference, rank_test, ranks_of
from weaklearn.experiments.result_store import Store, StoredResult, code_version
from weaklearn.experiments.run_on_workers import Progress, run_units
from weaklearn.experiments.runnable_units import PreparedPlan, prepare
from weaklearn.experiments.train_test_splits import Split, split_folds, split_sets
from weaklearn.experiments.work_units import WorkUnit

__all__ = [
    "PEERS",
    "ComparedModel",
    "Comparison",
    "Conclusion",
    "DisjointSetsResults",
    "EqualRounds",
    "Estimate",
    "Fold",
    "Interval",
    "PairedComparison",
    "Plan",
    "PlanResults",
    "Predictions",
    "PreparedPlan",
    "Progress",
    "RankTest",
    "Results",
    "Run",
    "SignTest",
    "Split",
    "Store",
    "StoredResult",
    "TTest",
    "TableFacts",
    "TrialValues",
    "WorkUnit",
    "code_version",
    "combined_sign_test",
    "combined_t_test",
    "compare",
    "compare_on_disjoint_sets",
    "corrected_t_test",
    "critical_difference",
    "cross_validate",
    "deal_folds",
    "equal_rounds",
    "holm_correction",
    "marginal_homogeneity",
    "paired_t_test",
    "papers",
    "prepare",
    "rank_test",
    "ranks_of",
    "read_plan",
    "run_units",
    "sign_test",
    "split_folds",
    "split_sets",
    "wilcoxon_test",
]
