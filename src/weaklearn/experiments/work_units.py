"""Units: the smallest pieces of a plan, each with a seed of its own, each done by itself.

A unit is one learner on one trial of one problem. It is pure: what comes of it depends on its
recipe, its numbers and the table alone, so that it may be done anywhere, in any order, twice.
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
from weaklearn.experiments.train_test_splits import Split, split_sets
from weaklearn.experiments.trial import seed_of_repeat, seed_of_trial
from weaklearn.schema import infer_classes


@dataclass(frozen=True, slots=True)
class Unit:
    """One learner on one trial.

    Parameters
    ----------
    paper, experiment, problem, learner : str
        Where it belongs.
    repeat, fold : int
        Which trial, from 0.
    recipe : str
        All that settles its numbers beside these two: problem, splits, measure, learner and seed,
        as JSON of one form.
    data : str
        The checksum of the table; empty as long as nobody has looked.
    """

    paper: str
    experiment: str
    problem: str
    learner: str
    repeat: int
    fold: int
    recipe: str
    data: str = ""

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
    ) -> Unit:
        """Make a unit whose recipe is given as plain data."""
        text = canonical_json(recipe)
        return cls(paper, experiment, problem, learner, repeat, fold, text)

    @property
    def digest(self) -> str:
        """A short name of the recipe, the same for the same recipe."""
        return hashlib.sha256(self.recipe.encode()).hexdigest()[:16]

    @property
    def group(self) -> tuple[str, str, str, str]:
        """Which units take about as long."""
        return self.paper, self.experiment, self.problem, self.learner

    @property
    def name(self) -> str:
        """What to call it before people."""
        return f"{self.problem}, {self.learner}, repeat {self.repeat}, trial {self.fold}"


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a unit.

    Parameters
    ----------
    unit : Unit
        Which.
    result : str or None
        What was measured, as JSON of one form; None if it failed.
    error : str or None
        Why it failed.
    seconds : float
        How long it took.
    """

    unit: Unit
    result: str | None
    error: str | None
    seconds: float


def run_unit(unit: Unit) -> Outcome:
    """Do a unit; a failure is an outcome, too.

    Parameters
    ----------
    unit : Unit
        What is to be done.

    Returns
    -------
    Outcome
        With a result or with an error.
    """
    start = time.perf_counter()
    try:
        recipe = json.loads(unit.recipe)
        load_problem(recipe["problem"])
        start = time.perf_counter()  # a worker loads a table once; what follows is the unit's own
        seed = seed_of_trial(seed_of_repeat(recipe["seed"], unit.repeat), unit.fold)
        split = split_of(recipe, unit.repeat, unit.fold)
        trial = Trial(recipe["problem"], recipe["learner"], recipe["measure"], split, seed)
        result = canonical_json(measure(trial))
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        reason = f"{type(error).__name__}: {error} ({place.name}, line {place.lineno})"
        return Outcome(unit, None, reason, time.perf_counter() - start)
    return Outcome(unit, result, None, time.perf_counter() - start)


def split_of(recipe: Mapping[str, Any], repeat: int, fold: int) -> Split:
    """Give the rows of a trial.

    Parameters
    ----------
    recipe : mapping
        A unit's, as plain data.
    repeat, fold : int
        Which trial.

    Returns
    -------
    Split
        Of folds those of `cross_validate`, of sets those of `delve` with as many repeats or draws.
    """
    return SPLITS[recipe["splits"]["kind"]].split(recipe, repeat, fold)


@dataclass(frozen=True, slots=True)
class Kind:
    """A way to divide rows: how many trials a repeat has, and the rows of each."""

    n_parts: Callable[[Mapping[str, Any]], int]
    split: Callable[[Mapping[str, Any], int, int], Split]


def _fold(recipe: Mapping[str, Any], repeat: int, fold: int) -> Split:
    generator = np.random.default_rng(seed_of_repeat(recipe["seed"], repeat))
    _, classes = infer_classes(load_problem(recipe["problem"]).y)
    held_back = deal_folds(classes, recipe["splits"]["n_folds"], generator) == fold
    return Split(~held_back, held_back)


def _set(recipe: Mapping[str, Any], repeat: int, fold: int) -> Split:
    table, splits = load_problem(recipe["problem"]), recipe["splits"]
    test = splits.get("test")
    if test == "part":
        test = -n_rows_of_test_part(recipe["problem"]["load"])
    if test is not None and test < 0:
        test = np.arange(table.n_rows) >= table.n_rows + test
    return split_sets(table.y, splits["n_sets"], test=test, seed=recipe["seed"] + repeat)[fold]


def _whole(recipe: Mapping[str, Any], repeat: int, fold: int) -> Split:
    every = np.ones(load_problem(recipe["problem"]).n_rows, dtype=np.bool_)
    return Split(every, every)


#: folds: each of n_folds held back once, or the first few of them (n_used). sets: n_sets disjoint
#: training sets and one test set: ``test`` rows of it, the last ones if negative, "part" for the
#: published ones. whole: all rows, to train and to test.
SPLITS: dict[str, Kind] = {
    "folds": Kind(lambda splits: min(splits.get("n_used", 10**6), splits["n_folds"]), _fold),
    "sets": Kind(lambda splits: int(splits["n_sets"]), _set),
    "whole": Kind(lambda splits: 1, _whole),
}


def canonical_json(value: Any) -> str:
    """Write plain data as JSON of one form; what is no number (NaN) becomes null."""
    return json.dumps(_without_nan(value), sort_keys=True, separators=(",", ":"), allow_nan=False)


def _without_nan(value: Any) -> Any:
    if isinstance(value, float):
        return value if np.isfinite(value) else None
    if isinstance(value, Mapping):
        return {str(key): _without_nan(one) for key, one in value.items()}
    return [_without_nan(one) for one in value] if isinstance(value, list | tuple) else value
