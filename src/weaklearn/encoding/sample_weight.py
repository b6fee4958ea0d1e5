"""Check the weights of rows, and turn them into counts of rows."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core
from weaklearn.user_warnings import warn_user

_MAX_TOTAL = 1e150  # so that sums of squared weights stay finite
_ROUNDING = 1e-6  # a distribution may sum to this much more than 1
_USUAL_MEANS = 0.5, 2.0  # means of weights that count rows; outside, a mistake is likely
_SMALLEST_NUMBERS_IN_ONE = 2**1074  # every number is a multiple of the smallest one


def check_sample_weight(sample_weight: Any, n_rows: int) -> NDArray[np.float64]:
    """Return the weights as float64, checked: one per row, finite, >= 0, not all zero.

    Parameters
    ----------
    sample_weight : array, number or None
        The weights. A number is the weight of every row. None means a weight of 1; the result is
        read-only then.
    n_rows : int
        The number of rows.
    """
    if sample_weight is None:
        # Every element is the same number in memory. A copy that a fit needs is made there.
        return np.broadcast_to(np.float64(1.0), (n_rows,))
    try:
        # A copy, because samples are drawn from the weights again after the fit.
        weights = np.array(sample_weight, dtype=np.float64, order="C")
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"sample_weight cannot be read as numbers ({error}); expected one number per row."
        ) from error
    if weights.ndim == 0:
        weights = np.full(n_rows, weights)
    if weights.ndim != 1:
        raise ValueError(
            f"Sample weights must be 1D array or scalar: got shape {weights.shape}, expected one "
            f"weight for each of {n_rows} rows."
        )
    if len(weights) != n_rows:
        raise ValueError(
            f"sample_weight.shape == {weights.shape}, expected ({n_rows},): one weight per row."
        )
    for is_bad, description in (
        (np.isnan(weights), "NaN"),
        (np.isinf(weights), "an infinite weight"),
        (weights < 0, "a negative weight"),
    ):
        if is_bad.any():
            row = int(np.argmax(is_bad))
            raise ValueError(
                f"sample_weight has {description} in row {row}; expected numbers >= 0. Give a row "
                "the weight 0 to leave it out."
            )
    total = weights.sum()
    if total == 0:
        raise ValueError("sample_weight is zero in every row: at least one must be positive.")
    if total > _MAX_TOTAL:
        raise ValueError(
            f"sample_weight sums to {total:g}; expected at most {_MAX_TOTAL:g}. Divide the "
            "weights by their mean."
        )
    return weights


def counts_of_rows(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return checked weights as counts: a distribution is scaled to the number of its rows.

    Weights that sum to at most 1 are a distribution if more than one of them is positive. They are
    scaled so that they sum to the number of rows of positive weight. All other weights are returned
    as they are. If their mean over these rows is unusual for counts, and they are not whole
    numbers, the user is warned.

    Parameters
    ----------
    weights : array of float64
        The result of `check_sample_weight`.

    Examples
    --------
    >>> counts_of_rows(np.array([0.25, 0.75, 0.0]))
    array([0.5, 1.5, 0. ])
    >>> counts_of_rows(np.array([3.0, 5.0]))
    array([3., 5.])
    """
    n_rows = np.count_nonzero(weights)
    total = float(weights.sum())
    if total <= 1 + _ROUNDING and n_rows > 1:
        with np.errstate(over="ignore"):  # NumPy 1.26 warns of an overflow of subnormal numbers
            return weights / float(exact_sum(weights)) * n_rows
    least, most = _USUAL_MEANS
    is_usual = least * n_rows <= total <= most * n_rows or bool((weights == np.rint(weights)).all())
    if not is_usual:
        warn_user(
            f"sample_weight sums to {total:g} for {n_rows:,} rows of positive weight. Weights "
            "count rows, so the model is fitted as if there were that many rows. If only the "
            "proportions matter, pass sample_weight * len(sample_weight) / sample_weight.sum()."
        )
    return weights


def exact_sum(numbers: NDArray[np.float64]) -> Fraction:
    """Return the sum of numbers without rounding, so that it does not depend on their order.

    Examples
    --------
    >>> float(exact_sum(np.array([1e16, 1.0, -1e16])))
    1.0
    """
    return Fraction(_in_smallest_numbers(numbers), _SMALLEST_NUMBERS_IN_ONE)


def rounded_sum(numbers: NDArray[np.float64]) -> float:
    """Return the sum of numbers, rounded once, so that it does not depend on their order.

    Examples
    --------
    >>> rounded_sum(np.full(10, 0.1)), float(sum([0.1] * 10))
    (1.0, 0.9999999999999999)
    """
    return _in_smallest_numbers(numbers) / _SMALLEST_NUMBERS_IN_ONE


def _in_smallest_numbers(numbers: NDArray[np.float64]) -> int:
    return int.from_bytes(_core.exact_sum(np.ascontiguousarray(numbers)), "little", signed=True)
