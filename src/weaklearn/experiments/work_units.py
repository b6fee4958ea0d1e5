"""Work units: the smallest tasks of a plan, and how one of them is run.

A unit is one learner on one trial of one problem. Its result depends only on its recipe, its repeat
and fold, and the table. So units can run on any machine, in any order, and more than once.
"""

from __future__ import annotations

import hashlib
import json
import time
import traceback
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from weaklearn.boosting.sampling import deal_folds
from weaklearn.experiments.measure_trial import Trial, measure
from weaklearn.experiments.problem_tables import load_problem, n_rows_of_test_part
from weaklearn.experiments.train_test_splits import (
    Split,
    seed_of_repeat,
    seed_of_trial,
    split_sets,
)
from weaklearn.schema import infer_classes


@dataclass(frozen=True, slots=True)
class WorkUnit:
    """One learner on one trial.

    Parameters
    ----------
    paper, experiment, problem, learner : str
        The names that the plan gives them.
    repeat, fold : int
        Which trial; both count from 0.
    recipe : str
        Everything else that determines the result: problem, splits, measure, learner and seed, as
        canonical JSON.
    checksum : str
        The checksum of the table; empty until `prepare` has loaded the table.
    """

    paper: str
    experiment: str
    problem: str
    learner: str
    repeat: int
    fold: int
    recipe: str
    checksum: str = ""

    @classmethod
    def of(
        cls,
        paper: str,
        experiment: str,
        problem: str,
        learner: str,
        repeat: int,
        fold: int,
        recipe: Mapping[str, Any],
    ) -> WorkUnit:
        """Make a unit from a recipe that is plain data."""
        text = canonical_json(recipe)
        return cls(paper, experiment, problem, learner, repeat, fold, text)

    def __repr__(self) -> str:
        return f"WorkUnit({self.paper}, {self.experiment}: {self.name})"

    @property
    def digest(self) -> str:
        """A short digest of the recipe: equal recipes have equal digests."""
        return hashlib.sha256(self.recipe.encode()).hexdigest()[:16]

    @property
    def group(self) -> tuple[str, str, str, str]:
        """Units of the same group take about the same time."""
        return self.paper, self.experiment, self.problem, self.learner

    @property
    def name(self) -> str:
        """The unit's name in messages and reports."""
        return f"{self.problem}, {self.learner}, repeat {self.repeat}, trial {self.fold}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """The result of a unit, or the reason why it failed.

    Parameters
    ----------
    unit : WorkUnit
        The unit.
    result : str or None
        What was measured, as canonical JSON; None if the unit failed.
    error : str or None
        Why the unit failed.
    seconds : float
        How long it took.
    """

    unit: WorkUnit
    result: str | None
    error: str | None
    seconds: float

    def __repr__(self) -> str:
        state = "done" if self.error is None else f"failed: {self.error}"
        return f"Outcome({self.unit.name}: {state}, {self.seconds:.3g} s)"


def run_unit(unit: WorkUnit) -> Outcome:
    """Run a unit. A failure does not raise: it becomes an outcome with an error.

    Parameters
    ----------
    unit : WorkUnit
        The unit to run.

    Returns
    -------
    Outcome
        With a result or with an error.
    """
    start = time.perf_counter()
    try:
        recipe = json.loads(unit.recipe)
        load_problem(recipe["problem"])
        # A worker loads each table only once, so loading is not counted as the unit's time.
        start = time.perf_counter()
        seed = seed_of_trial(seed_of_repeat(recipe["seed"], unit.repeat), unit.fold)
        split = split_of(recipe, unit.repeat, unit.fold)
        trial = Trial(recipe["problem"], recipe["learner"], recipe["measure"], split, seed)
        result = canonical_json(measure(trial))
    except Exception as error:
        line = traceback.extract_tb(error.__traceback__)[-1]
        reason = f"{error} ({type(error).__name__} in {line.name}, line {line.lineno})"
        return Outcome(unit, None, reason, time.perf_counter() - start)
    return Outcome(unit, result, None, time.perf_counter() - start)


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


def canonical_json(value: Any) -> str:
    """Write plain data as JSON, always in the same form; NaN and infinity become null."""
    return json.dumps(_without_nan(value), sort_keys=True, separators=(",", ":"), allow_nan=False)


def _without_nan(value: Any) -> Any:
    if isinstance(value, float):
        return value if np.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): _without_nan(element) for key, element in value.items()}
    return (
        [_without_nan(element) for element in value] if isinstance(value, list | tuple) else value
    )
