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

from weaklearn.experiments.load_problem import load_problem
from weaklearn.experiments.plan_measures import Trial, measure
from weaklearn.experiments.plan_splits import split_of
from weaklearn.experiments.train_test_splits import seed_of_repeat, seed_of_trial


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

    def load() -> None:
        load_problem(json.loads(unit.recipe)["problem"])

    def measure_trial() -> dict[str, Any]:
        recipe = json.loads(unit.recipe)
        seed = seed_of_trial(seed_of_repeat(recipe["seed"], unit.repeat), unit.fold)
        split = split_of(recipe, unit.repeat, unit.fold)
        return measure(Trial(recipe["problem"], recipe["learner"], recipe["measure"], split, seed))

    return outcome_of(unit, load, measure_trial)


def outcome_of(
    unit: WorkUnit, load: Callable[[], object], measure_trial: Callable[[], dict[str, Any]]
) -> Outcome:
    """Load the table of a unit, measure it, and turn an exception into an outcome with an error.

    Parameters
    ----------
    unit : WorkUnit
        The unit.
    load : callable
        Loads the table. A worker loads each table only once, so this is not counted as time.
    measure_trial : callable
        Returns what was measured, as plain data.

    Returns
    -------
    Outcome
        With a result or with an error.
    """
    start = time.perf_counter()
    try:
        load()
        start = time.perf_counter()
        result = canonical_json(measure_trial())
    except Exception as error:
        line = traceback.extract_tb(error.__traceback__)[-1]
        reason = f"{error} ({type(error).__name__} in {line.name}, line {line.lineno})"
        return Outcome(unit, None, reason, time.perf_counter() - start)
    return Outcome(unit, result, None, time.perf_counter() - start)


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
