"""The weights of the rows in AdaBoost.M1, whether the rows are here or in other processes.

Weights change row by row, and their sums are exact before they are rounded once. So nothing depends
on the order of the rows, or on where they are.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray

from weaklearn.boosting.sampling import draw_counts, draw_factors, size_of_sample
from weaklearn.encoding import rounded_sum

if TYPE_CHECKING:
    from weaklearn.boosting.adaboost_m1_loop import LearnedMember


class BoostedRows(Protocol):
    """Rows with weights, in groups. The methods that change weights return other rows."""

    n_rows: int

    def group_weights(self) -> NDArray[np.float64]:
        """Return the weight of each group."""
        ...

    def weight_of_errors(self, learned: LearnedMember[Any]) -> float:
        """Return the weight of the rows that a member misclassifies."""
        ...

    def divided(self, divisor: float) -> Self:
        """Divide all weights."""
        ...

    def divided_by_errors(self, learned: LearnedMember[Any], wrong: float, right: float) -> Self:
        """Divide the weights of misclassified rows by one number, and the others by another."""
        ...

    def scaled(self, factors: NDArray[np.float64]) -> Self:
        """Multiply the weights of each group by its factor."""
        ...

    def with_random_factors(self, seed: int, start: int) -> Self:
        """Multiply the weights by random factors."""
        ...

    def counts(self, total: float) -> Any:
        """Return weights of this sum for a learner, if those of the rows sum to one."""
        ...

    def sample(self, total: float, n_draws: int, seed: int, number: int) -> Any:
        """Return a sample of the rows for a learner."""
        ...


#: How many rows are changed at a time, so that no copy of all of them is made on the way.
_BLOCK = 1 << 16


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ScaledWeights:
    """Weights that are products, which a learner computes as it reads them.

    Parameters
    ----------
    numbers : array of float64
        One number per row.
    scale : float
        What each number is multiplied by.
    """

    numbers: NDArray[np.float64]
    scale: float


class WeightedRows:
    """Rows with weights that are here.

    Parameters
    ----------
    weights : array of float64
        The weight of each row.
    classes : array of int32
        The class index of each row.
    n_groups : int
        The number of classes if each class is a group, else 1.
    """

    def __init__(
        self, weights: NDArray[np.float64], classes: NDArray[np.int32], n_groups: int
    ) -> None:
        self.weights = weights
        self.classes = classes
        self.n_groups = n_groups
        self.n_rows = len(weights)

    def by_group(self) -> list[NDArray[np.float64]]:
        """Return the weights of the rows of each group."""
        if self.n_groups == 1:
            return [self.weights]
        return [self.weights[self.classes == group] for group in range(self.n_groups)]

    def of_errors(self, predictions: NDArray[np.int32]) -> NDArray[np.float64]:
        """Return the weights of the rows that are predicted wrongly."""
        wrong: NDArray[np.float64] = self.weights[predictions != self.classes]
        return wrong

    def group_weights(self) -> NDArray[np.float64]:
        """Return the weight of each group."""
        return np.array([rounded_sum(weights) for weights in self.by_group()])

    def weight_of_errors(self, learned: LearnedMember[Any]) -> float:
        """Return the weight of the rows that a member misclassifies."""
        return rounded_sum(self.of_errors(learned.predictions))

    def divided(self, divisor: float) -> Self:
        """Divide all weights."""
        return self._with(self.weights / divisor)

    def divided_by_errors(self, learned: LearnedMember[Any], wrong: float, right: float) -> Self:
        """Divide the weights of misclassified rows by one number, and the others by another."""
        weights = self._memory()
        for some in self._blocks():
            is_wrong = learned.predictions[some] != self.classes[some]
            np.divide(self.weights[some], np.where(is_wrong, wrong, right), out=weights[some])
        return self._with(weights)

    def scaled(self, factors: NDArray[np.float64]) -> Self:
        """Multiply the weights of each group by its factor."""
        weights = self._memory()
        for some in self._blocks():
            of_rows = factors[0] if self.n_groups == 1 else factors[self.classes[some]]
            np.multiply(self.weights[some], of_rows, out=weights[some])
        return self._with(weights)

    def with_random_factors(self, seed: int, start: int) -> Self:
        """Multiply the weights by random factors."""
        return self._with(self.weights * draw_factors(self.n_rows, seed, start))

    def counts(self, total: float) -> NDArray[np.float64] | ScaledWeights:
        """Return weights of this sum for a learner, if those of the rows sum to one."""
        return self.weights * total

    def sample(self, total: float, n_draws: int, seed: int, number: int) -> NDArray[np.float64]:
        """Return a sample of the rows for a learner."""
        return draw_counts(self.weights * total, n_draws, seed, number)

    def _memory(self) -> NDArray[np.float64]:
        """Return memory for changed weights."""
        return np.empty(self.n_rows)

    def _blocks(self) -> Iterator[slice]:
        return (slice(first, first + _BLOCK) for first in range(0, self.n_rows, _BLOCK))

    def _with(self, weights: NDArray[np.float64]) -> Self:
        rows = copy(self)
        rows.weights = weights
        return rows


class OwnWeightedRows(WeightedRows):
    """Rows with weights that take as little memory as possible.

    Members learn from scaled weights, not from a copy. Once weights were divided by a number, they
    are changed where they are, so nobody may need the former ones.
    """

    _is_divided = False

    def divided(self, divisor: float) -> Self:
        """Divide all weights; the result has memory of its own."""
        rows = super().divided(divisor)
        rows._is_divided = True
        return rows

    def counts(self, total: float) -> ScaledWeights:
        """Return weights of this sum for a learner, if those of the rows sum to one."""
        return ScaledWeights(self.weights, total)

    def _memory(self) -> NDArray[np.float64]:
        return self.weights if self._is_divided else super()._memory()


class Distribution:
    """The weights of the rows, which sum to one, and the bound on the training error.

    If each class is a group of the rows, classes keep their weight: each is renormalised
    separately, and the bound is a sum over classes.
    """

    def __init__(self, rows: BoostedRows) -> None:
        self.total = math.fsum(rows.group_weights())
        self._initial, self.rows = rows, rows.divided(self.total)
        self.start = 0  # how often boosting has restarted
        self._group_weight = self.rows.group_weights()
        # The summand of each group in the bound. Logarithms keep tiny weights in range.
        self._log_bounds = np.full(len(self._group_weight), -math.inf)
        np.log(self._group_weight, out=self._log_bounds, where=self._group_weight > 0)

    def counts(self) -> Any:
        """Return the weights for a learner: they count rows."""
        return self.rows.counts(self.total)

    def sample(self, seed: int, number: int) -> Any:
        """Return a sample of the rows for a learner."""
        n_draws = size_of_sample(self.total, self.rows.n_rows)
        return self.rows.sample(self.total, n_draws, seed, number)

    def error(self, learned: LearnedMember[Any]) -> float:
        """Return the weight of the misclassified rows."""
        return self.rows.weight_of_errors(learned)

    def update(self, learned: LearnedMember[Any], error: float, step: float = 1.0) -> float:
        """Reweight the rows, and return the vote of the member that made these errors.

        The weight of the misclassified rows moves towards that of the others: all the way, so that
        both have one half, if `step` is 1, as in AdaBoost. The vote is the logarithm of the ratio
        by which a misclassified row gains on the others, so that the bound holds for every step.
        """
        goal = error + step * (0.5 - error)
        # The weights that misclassified and correct rows have now, over those that they shall have.
        # AdaBoost multiplies correct rows by error / (1 - error). Both factors are divided by the
        # error here, so that no weight underflows however small the error is.
        now_wrong, now_right = error / (2.0 * goal), (1.0 - error) / (2.0 * (1.0 - goal))
        sums = self._set_rows(self.rows.divided_by_errors(learned, now_wrong, now_right))
        growth = np.zeros_like(sums)
        np.log(sums, out=growth, where=sums > 0)
        growth -= np.log(self._group_weight, out=np.zeros_like(sums), where=sums > 0)
        if step == 1.0:  # the logarithm of 1 - error keeps its digits
            log_wrong, log_right = math.log(error), math.log1p(-error)
        else:
            log_wrong, log_right = math.log(now_wrong), math.log(now_right)
        self._log_bounds += growth + 0.5 * (log_wrong + log_right)
        return log_right - log_wrong

    def restart(self, seed: int, start: int) -> None:
        """Replace the weights by the first ones times random factors. No bound is proven then."""
        self.start = start
        first = self._initial.divided(self.total)
        self._set_rows(first.with_random_factors(seed, start))
        self._log_bounds[:] = math.inf

    def _set_rows(self, changed: BoostedRows) -> NDArray[np.float64]:
        """Scale new weights so that each group keeps its weight; return their sums before that."""
        self.rows = changed  # the former weights are no longer in memory
        sums = changed.group_weights()
        scale = np.divide(self._group_weight, sums, out=np.ones_like(sums), where=sums > 0)
        self.rows = changed.scaled(scale)
        return sums

    @property
    def bound(self) -> float:
        """An upper bound on the training error of the committee of the rounds so far."""
        return min(1.0, float(np.exp(np.minimum(self._log_bounds, 1.0)).sum()))
