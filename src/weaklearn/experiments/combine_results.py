"""Combine the stored results of a plan's units: series of values, means, and comparisons."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from weaklearn.experiments.cross_validation import Estimate
from weaklearn.experiments.paired_tests import (
    Interval,
    SignTest,
    TTest,
    corrected_t_test,
    marginal_homogeneity,
    paired_t_test,
    sign_test,
)
from weaklearn.experiments.plan_measures import is_share
from weaklearn.experiments.result_store import StoredResult
from weaklearn.experiments.runnable_units import PreparedPlan
from weaklearn.experiments.work_units import WorkUnit


@dataclass(frozen=True, slots=True, eq=False)
class TrialValues:
    """One quantity of one learner on one problem, with a value for each trial.

    Parameters
    ----------
    values : array of float
        The values of the first repeat, then those of the second, and so on.
    weights : array of float
        The weight of each value in the mean: the number of test rows for a share, 1 for a count.
    repeats, folds : array of int
        The trial of each value.
    n_trials : int
        How many trials a whole repeat has.
    row_variance : float
        Where all trials share their test rows: the variance of the mean that is due to these rows.
    """

    values: NDArray[np.float64]
    weights: NDArray[np.float64]
    repeats: NDArray[np.int64]
    folds: NDArray[np.int64]
    n_trials: int
    row_variance: float = 0.0

    def __repr__(self) -> str:
        trials = f"{self.n_repeats} x {self.n_trials} trials"
        return f"TrialValues({len(self.values)} of {trials}, mean {self.estimate.mean:.4g})"

    @property
    def n_repeats(self) -> int:
        """The number of repeats."""
        return len(np.unique(self.repeats))

    @property
    def estimate(self) -> Estimate:
        """The mean, and its standard error.

        The standard error is the deviation between the trials, divided by the square root of the
        number of trials in one repeat, as in `weaklearn.experiments.Results`: other repeats test on
        the same rows. Where all trials share their test rows, the variance due to these rows is
        added. The standard error is NaN where there is one trial only.
        """
        mean = float(np.average(self.values, weights=self.weights))
        if len(self.values) < 2:
            return Estimate(mean, math.nan)
        n_trials = min(self.n_trials, len(self.values))
        variance = float(self.values.var(ddof=1)) / n_trials + self.row_variance
        return Estimate(mean, math.sqrt(variance))

    def has_trials_of(self, other: TrialValues) -> bool:
        """Return whether both have values for the same trials."""
        return np.array_equal(self.repeats, other.repeats) and np.array_equal(
            self.folds, other.folds
        )

    def repeat_means(self) -> NDArray[np.float64]:
        """Return the mean of each repeat."""
        sums = np.bincount(self.repeats, self.values * self.weights)
        counts = np.bincount(self.repeats, self.weights)
        return sums[counts > 0] / counts[counts > 0]


@dataclass(frozen=True, slots=True)
class PairedComparison:
    """Two learners on one problem; less is better.

    Parameters
    ----------
    first, second : float
        The means of the two learners.
    repeats : SignTest
        In how many repeats the first learner's mean is less, more, and equal.
    interval : Interval or None
        Of the second's mean minus the first's, where it can be computed.
    p : float or None
        The p of the t-test, where there is one.
    for_first, for_second : int
        Over disjoint training sets: in how many repeats the interval excludes zero in favour of
        each learner.
    """

    first: float
    second: float
    repeats: SignTest
    interval: Interval | None
    p: float | None
    for_first: int = 0
    for_second: int = 0

    @property
    def ratio(self) -> float:
        """The first's mean divided by the second's, as in Quinlan's tables; NaN over zero."""
        return self.first / self.second if self.second else math.nan


class PlanResults:
    """The results of a plan's units, combined by experiment, problem and learner.

    Parameters
    ----------
    prepared : PreparedPlan
        The plan, with the tables and learners that are absent.
    stored : mapping
        The stored results of its units. Results of other units are ignored.
    """

    def __init__(self, prepared: PreparedPlan, stored: Mapping[WorkUnit, StoredResult]) -> None:
        self.prepared, self.plan = prepared, prepared.plan
        own = {unit: stored[unit] for unit in prepared.units if unit in stored}
        self.failures = {unit: r.error or "" for unit, r in own.items() if r.result is None}
        self._results: dict[tuple[str, str, str], list[tuple[WorkUnit, dict[str, Any]]]]
        self._results = defaultdict(list)
        for unit, stored_result in sorted(
            own.items(), key=lambda pair: (pair[0].repeat, pair[0].fold)
        ):
            if stored_result.result is not None:
                key = (unit.experiment, unit.problem, unit.learner)
                self._results[key].append((unit, stored_result.result))

    def __repr__(self) -> str:
        n_done = sum(map(len, self._results.values()))
        return (
            f"PlanResults({self.plan.paper}: {n_done:,} of {len(self.prepared.units):,} units "
            f"done, {len(self.failures)} failed)"
        )

    def values(
        self, experiment: str, problem: str, learner: str, quantity: str
    ) -> TrialValues | None:
        """Return the values of a quantity, one for each trial; None where there is no trial.

        Parameters
        ----------
        experiment, problem, learner, quantity : str
            Their names.

        Returns
        -------
        TrialValues or None
            The values of the trials that are done.
        """
        cells = [
            (unit.repeat, unit.fold, result["quantities"][quantity], result["n_test"])
            for unit, result in self._results[experiment, problem, learner]
            if quantity in result["quantities"]
        ]
        if not cells:
            return None
        repeats, folds, values, n_rows = (np.array(column) for column in zip(*cells, strict=True))
        weights = n_rows.astype(float) if is_share(quantity) else np.ones(len(n_rows))
        n_trials = self.plan.experiments[experiment].n_trials(problem)
        wrong = self._wrong_rows(experiment, problem, learner) if quantity == "error" else {}
        variances = [
            float(errors.mean(axis=0).var() / errors.shape[1]) for errors in wrong.values()
        ]
        row_variance = float(np.mean(variances)) if variances else 0.0
        return TrialValues(values.astype(float), weights, repeats, folds, n_trials, row_variance)

    def details(self, experiment: str, problem: str, learner: str) -> list[dict[str, Any]]:
        """Return the details that the measure kept, one dict for each trial.

        Parameters
        ----------
        experiment, problem, learner : str
            Their names.

        Returns
        -------
        list of dict
            Of the trials that are done.
        """
        return [result["details"] for _, result in self._results[experiment, problem, learner]]

    def compare(
        self, experiment: str, problem: str, first: str, second: str, quantity: str
    ) -> PairedComparison | None:
        """Compare two learners on a problem.

        Over folds, the interval and p are those of `corrected_t_test`. Over disjoint sets, the
        interval of errors is that of `marginal_homogeneity`, and p of other quantities that of
        `paired_t_test`. Both use the first repeat only, because the papers have one; of the other
        repeats only those whose interval excludes zero are counted.

        Parameters
        ----------
        experiment, problem, first, second, quantity : str
            Their names.

        Returns
        -------
        PairedComparison or None
            None unless both learners have values for the same trials.
        """
        a, b = (self.values(experiment, problem, name, quantity) for name in (first, second))
        if a is None or b is None or not a.has_trials_of(b):
            return None
        means = a.estimate.mean, b.estimate.mean
        repeats = sign_test(a.repeat_means(), b.repeat_means())
        splits = self.plan.experiments[experiment].splits_of(problem)
        if splits["kind"] == "folds" and len(a.values) > 1:
            test = corrected_t_test(a.values, b.values, splits["n_folds"])
            return PairedComparison(*means, repeats, _interval(test), test.p)
        if splits["kind"] == "sets" and quantity == "error":
            pairs = zip(
                *(self._wrong_rows(experiment, problem, name).values() for name in (first, second)),
                strict=True,
            )
            intervals = [marginal_homogeneity(*pair) for pair in pairs]
            differences = [interval.difference for interval in intervals if interval.significant]
            counts = sum(d > 0 for d in differences), sum(d < 0 for d in differences)
            interval = intervals[0] if intervals else None
            return PairedComparison(*means, repeats, interval, None, *counts)
        if splits["kind"] == "sets" and len(a.values) > 1:
            in_first_repeat = a.repeats == a.repeats[0]
            test = paired_t_test(a.values[in_first_repeat], b.values[in_first_repeat])
            return PairedComparison(*means, repeats, None, test.p)
        return PairedComparison(*means, repeats, None, None)

    def _wrong_rows(
        self, experiment: str, problem: str, learner: str
    ) -> dict[int, NDArray[np.bool_]]:
        """Return for each whole repeat an array of models x test rows: True where it is wrong."""
        by_repeat: dict[int, list[NDArray[np.bool_]]] = defaultdict(list)
        for unit, result in self._results[experiment, problem, learner]:
            if "wrong_rows" in result["details"]:
                wrong = np.zeros(result["n_test"], dtype=np.bool_)
                wrong[result["details"]["wrong_rows"]] = True
                by_repeat[unit.repeat].append(wrong)
        n_trials = self.plan.experiments[experiment].n_trials(problem)
        return {r: np.stack(rows) for r, rows in by_repeat.items() if len(rows) == n_trials}


def _interval(test: TTest) -> Interval:
    """Return the 95% interval of a t-test's difference."""
    if test.t == 0 or not math.isfinite(test.t):
        return Interval(test.difference, test.difference, test.difference)
    half = abs(test.difference / test.t) * float(stats.t.ppf(0.975, test.n_pairs - 1))
    return Interval(test.difference, test.difference - half, test.difference + half)
