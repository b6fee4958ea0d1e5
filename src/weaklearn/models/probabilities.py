"""Probabilities from the votes of a committee.

The votes of a boosted committee order the classes, but their shares are not probabilities: they are
too even. Powers of them, scaled to sum to one, are much closer. docs/guides/committees.md has the
formulas and the evidence.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core

#: The range of the exponent that is fitted to votes, and the precision of its logarithm.
_LEAST_EXPONENT, GREATEST_EXPONENT, _PRECISION = 0.25, 8.0, 0.01

#: Binary digits after the point that an exponent is rounded to.
_DIGITS = 16

#: The numbers of `exponential`: ln 2 in two parts, of which the first has few digits, and the
#: coefficients of the Taylor series, that of the highest power first.
LOG2_E = 1.4426950408889634
LN2_HIGH, LN2_LOW = 0.6931471803691238, 1.9082149292705877e-10
TAYLOR = tuple(1.0 / math.factorial(n) for n in range(13, -1, -1))

#: The most rows that the exponent is fitted to: enough for one number.
MOST_ROWS = 5000

#: What a fitted exponent pays, in units of the log loss of one row, for the square of the
#: difference between its logarithm and that of the usual exponent.
_PENALTY = 10.0


def usual_exponent(votes: NDArray[np.float64]) -> float:
    """Return the exponent of a boosted committee: 2 - 1/T for T members.

    Members of different votes count as fewer: T is the effective number of votes. So the exponent
    of a committee in which one member decides is 1.

    Parameters
    ----------
    votes : array of float64
        The vote of each member.

    Examples
    --------
    >>> usual_exponent(np.ones(4)), usual_exponent(np.array([3.0]))
    (1.75, 1.0)
    """
    return float(2.0 - np.square(votes).sum() / np.square(votes.sum()))


@dataclass(frozen=True, slots=True, eq=False)
class Calibration:
    """How shares of votes become probabilities.

    Parameters
    ----------
    exponent : float
        The power to which shares are raised, rounded to a multiple of 2**-16.
    class_weights : array of float64
        The training weight of each class. With a total of n, the probabilities are mixed with 1 /
        (n + 1) of the base rates, so that none is 0 or 1 unless the base rate is.
    """

    exponent: float
    class_weights: NDArray[np.float64]

    def of(self, shares: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return probabilities from shares of votes.

        Parameters
        ----------
        shares : array of float64, (n_rows, n_classes)
            Shares of the votes; rows sum to one.

        Examples
        --------
        >>> Calibration(2.0, np.array([5.0, 4.0])).of(np.array([[0.75, 0.25]])).round(3).tolist()
        [[0.866, 0.134]]
        """
        probabilities = _core.calibrated(np.ascontiguousarray(shares), *self.numbers)
        return probabilities.reshape(shares.shape)

    @property
    def numbers(self) -> tuple[int, tuple[bool, ...], float, NDArray[np.float64]]:
        """What the core computes with: `exponent_digits`, the total weight, the base rates."""
        total = float(self.class_weights.sum())
        return *exponent_digits(self.exponent), total, self.class_weights / total


@lru_cache(maxsize=16)
def exponent_digits(exponent: float) -> tuple[int, tuple[bool, ...]]:
    """Return the whole part of an exponent, and its binary digits after the point, last first.

    The exponent is rounded to `_DIGITS` digits; zeros at the end are left out.

    Examples
    --------
    >>> exponent_digits(1.75), exponent_digits(2.0)
    ((1, (True, True)), (2, ()))
    """
    whole, rest = divmod(round(exponent * 2**_DIGITS), 2**_DIGITS)
    digits = [bool(rest >> place & 1) for place in range(_DIGITS)]
    return whole, tuple(digits[digits.index(True) :]) if rest else ()


def exponential(x: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return e to the power of each number from -700 to 700, within two rounding units.

    It uses operations only that are rounded alike everywhere, as the powers of the core do. With k
    the whole number next to x / ln 2, the result is 2**k times the Taylor series at x - k ln 2.

    Examples
    --------
    >>> exponential(np.array([0.0, 1.0])).round(12).tolist()
    [1.0, 2.718281828459]
    """
    k = np.floor(x * LOG2_E + 0.5)
    rest = x - k * LN2_HIGH - k * LN2_LOW
    series = np.full_like(x, TAYLOR[0])
    for coefficient in TAYLOR[1:]:
        series *= rest
        series += coefficient
    result: NDArray[np.float64] = np.ldexp(series, k.astype(np.int64))
    return result


def logistic(outputs: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the probability for each output, which is half the logarithm of its odds.

    Examples
    --------
    >>> logistic(np.array([0.0, 1e9])).tolist()
    [0.5, 1.0]
    """
    odds_against = exponential(np.clip(-2.0 * outputs, -700.0, 700.0))
    probabilities: NDArray[np.float64] = 1.0 / (1.0 + odds_against)
    return probabilities


def base_rates(class_weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the share of each class in the training weight."""
    return class_weights / float(class_weights.sum())


def fit_exponent(
    shares: NDArray[np.float64],
    classes: NDArray[np.int32],
    weights: NDArray[np.float64],
    class_weights: NDArray[np.float64],
    usual: float,
) -> float:
    """Return the exponent with the least log loss on rows that the voters did not learn from.

    A small penalty keeps it near the usual exponent where there are few rows. Of many rows, some
    at equal distances are taken.

    Parameters
    ----------
    shares : array of float64, (n_rows, n_classes)
        Shares of the votes; rows sum to one.
    classes : array of int32
        The class index of each row.
    weights : array of float64
        The weight of each row.
    class_weights : array of float64
        The training weight of each class.
    usual : float
        The usual exponent.

    Examples
    --------
    >>> shares, classes = np.array([[0.6, 0.4], [0.3, 0.7]]), np.array([0, 1], np.int32)
    >>> fit_exponent(shares, classes, np.ones(2), np.ones(2), 1.5) > 1.5  # they could be surer
    True
    """
    every = math.ceil(max(len(classes), 1) / MOST_ROWS)
    shares, classes, weights = shares[::every], classes[::every], weights[::every]
    with np.errstate(divide="ignore"):
        logarithms = np.log(shares)
    own = logarithms[np.arange(len(classes)), classes]
    total = float(class_weights.sum())
    mixed_in = base_rates(class_weights)[classes] / (total + 1.0)

    def penalized_loss(log_exponent: float) -> float:
        exponent = math.exp(log_exponent)
        powers = np.exp(exponent * own) / np.exp(exponent * logarithms).sum(axis=1)
        # The base rate of a class of tiny weight can underflow to 0.
        mixed = np.maximum(powers * (total / (total + 1.0)) + mixed_in, np.finfo(np.float64).tiny)
        loss = -weights @ np.log(mixed)
        return float(loss) + _PENALTY * (log_exponent - math.log(usual)) ** 2

    return math.exp(_lowest(penalized_loss, math.log(_LEAST_EXPONENT), math.log(GREATEST_EXPONENT)))


def _lowest(function: Callable[[float], float], low: float, high: float) -> float:
    """Return where a function with one minimum is lowest, by golden sections."""
    ratio = (math.sqrt(5.0) - 1.0) / 2.0
    left, right = high - ratio * (high - low), low + ratio * (high - low)
    at_left, at_right = function(left), function(right)
    while high - low > _PRECISION:
        if at_left <= at_right:
            high, right, at_right = right, left, at_left
            left = high - ratio * (high - low)
            at_left = function(left)
        else:
            low, left, at_left = left, right, at_right
            right = low + ratio * (high - low)
            at_right = function(right)
    return (low + high) / 2.0
