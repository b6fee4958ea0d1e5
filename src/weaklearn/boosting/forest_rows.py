"""The rows of a boosted forest: their weights in a run, and the votes for those that samples lack.

Rows are here or in other processes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from weaklearn.boosting.automatic_size import SumsOfVotes
from weaklearn.boosting.bagging import Judge, LocalOutOfBagSums, OutOfBagResult
from weaklearn.encoding import rounded_sum

if TYPE_CHECKING:
    from weaklearn.boosting.adaboost_m1_loop import LearnedMember
    from weaklearn.boosting.boosted_forest_loop import RunRules


class RunRows(Protocol):
    """The rows of a run with their weights."""

    @property
    def weights(self) -> Any:
        """What a learner takes."""
        ...

    @property
    def absent(self) -> Any:
        """The rows that the sample of the run lacks."""
        ...

    def error(self, learned: LearnedMember[Any]) -> float:
        """Return the share of the rows that a member misclassifies in the weight of all."""
        ...

    def reweighted(self, learned: LearnedMember[Any], error: float, rules: RunRules) -> Self:
        """Return the rows with weights of the same sum, half of it for the misclassified rows."""
        ...

    def votes(self, learned: LearnedMember[Any], vote: float) -> Any:
        """Return the votes of a member for the rows that the sample lacks."""
        ...


class ForestVotes(Protocol):
    """Adds up the votes of members for the rows that their samples lack."""

    def add(self, absent: Any, votes: Any) -> None:
        """Add the votes of a member for these rows."""
        ...

    def some_rows(
        self, most: int
    ) -> tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.float64]]:
        """Return the votes for rows that have any, with their classes and weights.

        Of more rows than `most`, some at equal distances are taken.
        """
        ...

    def sums(self, sums_of: SumsOfVotes) -> list[Fraction]:
        """Return the sums that a function computes from the votes, over all rows."""
        ...

    def judge(self, judge: Judge) -> OutOfBagResult:
        """Return what the votes say about the forest."""
        ...


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LocalRunRows:
    """Rows of a run that are here."""

    weights: NDArray[np.float64]
    classes: NDArray[np.int32]
    absent: NDArray[np.intp]

    def error(self, learned: LearnedMember[Any]) -> float:
        """Return the share of the rows that a member misclassifies in the weight of all."""
        wrong = self.weights[learned.predictions != self.classes]
        return rounded_sum(wrong) / rounded_sum(self.weights)

    def reweighted(
        self, learned: LearnedMember[Any], error: float, rules: RunRules
    ) -> LocalRunRows:
        """Return the rows with weights of the same sum, half of it for the misclassified rows."""
        total = rounded_sum(self.weights)
        changed = self.changed(learned, error, rules.least_weight * total)
        return changed.scaled(total / rounded_sum(changed.weights))

    def votes(self, learned: LearnedMember[Any], vote: float) -> NDArray[np.float64]:
        """Return the votes of a member for the rows that the sample lacks."""
        assert learned.shares is not None  # the learner of a forest returns them
        return vote * learned.shares[self.absent]

    def changed(self, learned: LearnedMember[Any], error: float, least: float) -> LocalRunRows:
        """Divide the weights by twice the share of the wrong or right rows; none falls too low."""
        wrong = learned.predictions != self.classes
        weights = self.weights / np.where(wrong, 2.0 * error, 2.0 * (1.0 - error))
        np.maximum(weights, least, out=weights, where=self.weights > 0)
        return replace(self, weights=weights)

    def scaled(self, factor: float) -> LocalRunRows:
        """Multiply the weights."""
        return replace(self, weights=self.weights * factor)


def start_run(
    counts: NDArray[np.float64],
    factors: NDArray[np.float64],
    all_weights: NDArray[np.float64],
    classes: NDArray[np.int32],
) -> LocalRunRows:
    """Return the rows of a run that starts from a sample: counts of rows times factors of rows."""
    weights = counts * factors
    return LocalRunRows(weights, classes, np.flatnonzero((weights == 0) & (all_weights > 0)))


class LocalForestVotes:
    """Adds up votes for rows that are here.

    Parameters
    ----------
    classes : array of int32
        The class index of each row.
    weights : array of float64
        The weight of each row; rows of weight 0 are absent.
    n_classes : int
        Number of classes.
    """

    def __init__(
        self, classes: NDArray[np.int32], weights: NDArray[np.float64], n_classes: int
    ) -> None:
        self.classes = classes
        self.weights = weights
        self._total = np.zeros((len(weights), n_classes))
        # The votes of the members of the last sample are added up first.
        self._absent: NDArray[np.intp] | None = None
        self._of_sample = np.zeros((0, n_classes))

    def add(self, absent: NDArray[np.intp], votes: NDArray[np.float64]) -> None:
        """Add the votes of a member for these rows."""
        if absent is self._absent:
            self._of_sample = self._of_sample + votes
        else:
            self._finish_sample()
            self._absent, self._of_sample = absent, votes

    def _finish_sample(self) -> None:
        if self._absent is not None:
            self._total[self._absent] += self._of_sample
        self._absent = None

    @property
    def total(self) -> NDArray[np.float64]:
        """For each row, the votes of the members whose sample lacks it."""
        self._finish_sample()
        return self._total

    def some_rows(
        self, most: int
    ) -> tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.float64]]:
        """Return the votes for rows that have any, with their classes and weights."""
        rows = np.flatnonzero(self.total.any(axis=1))
        rows = rows[:: distance_of_rows(len(rows), most)]
        return self.total[rows], self.classes[rows], self.weights[rows]

    def sums(self, sums_of: SumsOfVotes) -> list[Fraction]:
        """Return the sums that a function computes from the votes, over all rows."""
        return sums_of(self.total, self.classes, self.weights)

    def judge(self, judge: Judge) -> OutOfBagResult:
        """Return what the votes say about the forest."""
        return LocalOutOfBagSums(self.classes, self.weights, self.total, self.total).judge(judge)


def distance_of_rows(n_rows: int, most: int) -> int:
    """Return the distance of rows of which not more than `most` are taken."""
    return -(-max(n_rows, 1) // most)


#: Draws the sample of a run: takes the index of the run and that of the sample.
DrawRun = Callable[[int, int], RunRows]
