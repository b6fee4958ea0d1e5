"""Choose the training and test rows of a trial, in the ways that a plan can ask for.

A new way is one function and one line in `SPLIT_DESIGNS`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from weaklearn.boosting.sampling import deal_folds
from weaklearn.experiments.load_problem import load_problem, n_rows_of_test_part
from weaklearn.experiments.train_test_splits import Split, seed_of_repeat, split_sets
from weaklearn.schema import infer_classes


def split_of(recipe: Mapping[str, Any], repeat: int, fold: int) -> Split:
    """Return the rows of a trial.

    Parameters
    ----------
    recipe : mapping
        A unit's recipe, as plain data.
    repeat, fold : int
        Which trial.

    Returns
    -------
    Split
        The folds of `cross_validate`, or the sets of `compare_on_disjoint_sets`.
    """
    return SPLIT_DESIGNS[recipe["splits"]["kind"]].split(recipe, repeat, fold)


@dataclass(frozen=True, slots=True)
class SplitDesign:
    """A way to choose training and test rows.

    Parameters
    ----------
    n_trials : callable
        Returns how many trials a repeat has, given the ``splits`` of a recipe.
    split : callable
        Returns the rows of a trial, given the recipe, the repeat and the fold.
    """

    n_trials: Callable[[Mapping[str, Any]], int]
    split: Callable[[Mapping[str, Any], int, int], Split]


def _split_fold(recipe: Mapping[str, Any], repeat: int, fold: int) -> Split:
    generator = np.random.default_rng(seed_of_repeat(recipe["seed"], repeat))
    _, classes = infer_classes(load_problem(recipe["problem"]).y)
    is_test = deal_folds(classes, recipe["splits"]["n_folds"], generator) == fold
    return Split(~is_test, is_test)


def _split_set(recipe: Mapping[str, Any], repeat: int, fold: int) -> Split:
    table, splits = load_problem(recipe["problem"]), recipe["splits"]
    test = splits.get("test")
    if test == "part":
        test = -n_rows_of_test_part(recipe["problem"]["load"])
    if test is not None and test < 0:
        test = np.arange(table.n_rows) >= table.n_rows + test
    return split_sets(table.y, splits["n_sets"], test=test, seed=recipe["seed"] + repeat)[fold]


def _use_all_rows(recipe: Mapping[str, Any], repeat: int, fold: int) -> Split:
    every_row = np.ones(load_problem(recipe["problem"]).n_rows, dtype=np.bool_)
    return Split(every_row, every_row)


#: The values of ``kind`` in a plan's ``splits``.
#: folds: ``n_folds`` folds, each the test set once; ``n_used`` limits how many of them are used.
#: sets: ``n_sets`` disjoint training sets and one test set. ``test`` is the number of test rows; a
#: negative number takes the last rows of the table, and "part" takes the published test rows.
#: whole: all rows are both training and test rows.
SPLIT_DESIGNS: dict[str, SplitDesign] = {
    "folds": SplitDesign(
        lambda splits: min(splits.get("n_used", 10**6), splits["n_folds"]), _split_fold
    ),
    "sets": SplitDesign(lambda splits: int(splits["n_sets"]), _split_set),
    "whole": SplitDesign(lambda splits: 1, _use_all_rows),
}
