"""Findings: what the units of a plan say together about each learner and problem."""

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
from weaklearn.experiments.runner import Prepared
from weaklearn.experiments.store import Stored
from weaklearn.experiments.work_units import Unit

#: Figures that count something; all others are shares, and shown in percent.
_COUNTS = ("size", "tests", "members", "rounds", "smallest")


def is_share(figure: str) -> bool:
    """Tell whether a figure is a share, such as an error rate, or a count, such as a size."""
    return figure.split(", ")[-1] not in _COUNTS


@dataclass(frozen=True, slots=True, eq=False)
class Series:
    """One figure of one learner on one problem, trial by trial.

    Parameters
    ----------
    values : array of float
        Repeat by repeat, trial by trial.
    weights : array of float
        How much each counts in the mean: test rows for a share, one for a count.
    repeats, folds : array of int
        Which trial each belongs to.
    n_parts : int
        Trials of a whole repeat.
    row_variance : float
        Where trials share their test rows: how much of the mean's variance these rows make.
    """

    values: NDArray[np.float64]
    weights: NDArray[np.float64]
    repeats: NDArray[np.int64]
    folds: NDArray[np.int64]
    n_parts: int
    row_variance: float = 0.0

    @property
    def n_repeats(self) -> int:
        """How many repeats there are."""
        return len(np.unique(self.repeats))

    @property
    def estimate(self) -> Estimate:
        """The mean, and its standard error.

        As in `weaklearn.experiments.Results` that is the deviation between the trials over the root
        of the number of trials of one repeat: other repeats look at the same rows again. The share
        of test rows that all trials have in common is added. NaN where there is one trial only.
        """
        mean = float(np.average(self.values, weights=self.weights))
        if len(self.values) < 2:
            return Estimate(mean, math.nan)
        parts = min(self.n_parts, len(self.values))
        variance = float(self.values.var(ddof=1)) / parts + self.row_variance
        return Estimate(mean, math.sqrt(variance))

    def has_trials_of(self, other: Series) -> bool:
        """Tell whether both are of the same trials."""
        return np.array_equal(self.repeats, other.repeats) and np.array_equal(
            self.folds, other.folds
        )

    def of_repeats(self) -> NDArray[np.float64]:
        """Give the mean of each repeat."""
        sums = np.bincount(self.repeats, self.values * self.weights)
        counts = np.bincount(self.repeats, self.weights)
        return sums[counts > 0] / counts[counts > 0]


@dataclass(frozen=True, slots=True)
class Contest:
    """Two learners on one problem, with less being better.

    Parameters
    ----------
    first, second : float
        Their means.
    repeats : SignTest
        In how many repeats the first is less, more and as much.
    interval : Interval or None
        Of the second's minus the first's, where there is one.
    p : float or None
        Of the test that belongs to the interval or to the sizes.
    for_first, for_second : int
        In how many repeats an interval of its own speaks for each, where each repeat has one.
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
        """The first's mean over the second's, as Quinlan divides them; NaN over zero."""
        return self.first / self.second if self.second else math.nan


class Findings:
    """What is known of a plan.

    Parameters
    ----------
    ready : Prepared
        The plan, with what is absent.
    known : mapping
        What the store knows of its units, and maybe of others.
    """

    def __init__(self, ready: Prepared, known: Mapping[Unit, Stored]) -> None:
        self.ready, self.plan = ready, ready.plan
        known = {unit: known[unit] for unit in ready.units if unit in known}
        self.failures = {
            unit: stored.error or "" for unit, stored in known.items() if stored.result is None
        }
        self._results: dict[tuple[str, str, str], list[tuple[Unit, dict[str, Any]]]] = defaultdict(
            list
        )
        for unit, stored in sorted(known.items(), key=lambda pair: (pair[0].repeat, pair[0].fold)):
            if stored.result is not None:
                place = (unit.experiment, unit.problem, unit.learner)
                self._results[place].append((unit, stored.result))

    def series(self, experiment: str, problem: str, learner: str, figure: str) -> Series | None:
        """Give a figure, trial by trial; None where there is no trial.

        Parameters
        ----------
        experiment, problem, learner, figure : str
            Their names.

        Returns
        -------
        Series or None
            Of the trials that were done.
        """
        found = [
            (unit.repeat, unit.fold, result["figures"][figure], result["n_test"])
            for unit, result in self._results[experiment, problem, learner]
            if figure in result["figures"]
        ]
        if not found:
            return None
        repeats, folds, values, rows = (np.array(column) for column in zip(*found, strict=True))
        weights = rows.astype(float) if is_share(figure) else np.ones(len(rows))
        n_parts = self.plan.experiments[experiment].n_parts(problem)
        wrong = self._wrong(experiment, problem, learner) if figure == "error" else {}
        spread = [float(errors.mean(axis=0).var() / errors.shape[1]) for errors in wrong.values()]
        of_rows = float(np.mean(spread)) if spread else 0.0
        return Series(values.astype(float), weights, repeats, folds, n_parts, of_rows)

    def details(self, experiment: str, problem: str, learner: str) -> list[dict[str, Any]]:
        """Give the details of each trial.

        Parameters
        ----------
        experiment, problem, learner : str
            Their names.

        Returns
        -------
        list of dict
            What the measure noted beside figures.
        """
        return [result["details"] for _, result in self._results[experiment, problem, learner]]

    def contest(
        self, experiment: str, problem: str, first: str, second: str, figure: str
    ) -> Contest | None:
        """Compare two learners on a problem.

        Over folds the interval and p are those of `corrected_t_test`. Over disjoint sets the
        interval of errors is that of `marginal_homogeneity` and p of sizes that of
        `paired_t_test`, in the first draw, as a paper would have it; other draws are counted.

        Parameters
        ----------
        experiment, problem, first, second, figure : str
            Their names.

        Returns
        -------
        Contest or None
            None where one has trials that the other has not.
        """
        both = [self.series(experiment, problem, name, figure) for name in (first, second)]
        one, other = both
        if one is None or other is None or not one.has_trials_of(other):
            return None
        means = one.estimate.mean, other.estimate.mean
        repeats = sign_test(one.of_repeats(), other.of_repeats())
        kind = self.plan.experiments[experiment].splits_of(problem)["kind"]
        if kind == "folds" and len(one.values) > 1:
            n_folds = self.plan.experiments[experiment].splits_of(problem)["n_folds"]
            test = corrected_t_test(one.values, other.values, n_folds)
            return Contest(*means, repeats, _interval(test), test.p)
        if kind == "sets" and figure == "error":
            pairs = zip(
                *(self._wrong(experiment, problem, name).values() for name in (first, second)),
                strict=True,
            )
            intervals = [marginal_homogeneity(*pair) for pair in pairs]
            speaking = [interval.difference for interval in intervals if interval.significant]
            counts = sum(d > 0 for d in speaking), sum(d < 0 for d in speaking)
            return Contest(*means, repeats, intervals[0] if intervals else None, None, *counts)
        if kind == "sets" and len(one.values) > 1:
            drawn_first = one.repeats == one.repeats[0]
            test = paired_t_test(one.values[drawn_first], other.values[drawn_first])
            return Contest(*means, repeats, None, test.p)
        return Contest(*means, repeats, None, None)

    def _wrong(self, experiment: str, problem: str, learner: str) -> dict[int, NDArray[np.bool_]]:
        """Give per whole repeat which test rows (columns) each hypothesis (rows) gets wrong."""
        found: dict[int, list[NDArray[np.bool_]]] = defaultdict(list)
        for unit, result in self._results[experiment, problem, learner]:
            if "wrong" in result["details"]:
                wrong = np.zeros(result["n_test"], dtype=np.bool_)
                wrong[result["details"]["wrong"]] = True
                found[unit.repeat].append(wrong)
        n_parts = self.plan.experiments[experiment].n_parts(problem)
        return {r: np.stack(rows) for r, rows in found.items() if len(rows) == n_parts}


def _interval(test: TTest) -> Interval:
    """Give the 95% interval of a t-test's difference."""
    if test.t == 0 or not math.isfinite(test.t):
        return Interval(test.difference, test.difference, test.difference)
    half = abs(test.difference / test.t) * float(stats.t.ppf(0.975, test.n_pairs - 1))
    return Interval(test.difference, test.difference - half, test.difference + half)
