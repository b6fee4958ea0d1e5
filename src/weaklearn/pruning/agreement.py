"""How much members agree: Cohen's kappa of every pair."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core


def kappas_of(
    answers: NDArray[np.int32],
    n_classes: int,
    weights: NDArray[np.float64] | None = None,
    n_threads: int = 1,
) -> NDArray[np.float64]:
    """Give Cohen's kappa of each two members.

    kappa = (Theta1 - Theta2) / (1 - Theta2), Theta1 being the weight of the rows on which the two
    agree and Theta2 what it would be if they answered independently; 1 if Theta2 is. (Margineantu
    and Dietterich 1997.)

    Parameters
    ----------
    answers : array of int32, (n_members, n_rows)
        The class that each member answers.
    n_classes : int
        Number of classes.
    weights : array of float64, optional
        The weight of each row; all count the same by default.
    n_threads : int
        Threads to count with; the result does not depend on it.

    Returns
    -------
    array of float64, (n_members, n_members)
        Symmetric, from -1 to 1; 0 for members that agree no more than by chance, 1 for members that
        always agree.

    Examples
    --------
    >>> answers = np.array([[0, 0, 1, 1], [0, 1, 0, 1], [1, 1, 0, 0]], np.int32)
    >>> kappas_of(answers, 2).tolist()
    [[1.0, 0.0, -1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 1.0]]
    """
    n_members = len(answers)
    if weights is not None and (weights == weights[0]).all():
        weights = None  # counting is exact, and quicker than adding
    codes = np.ascontiguousarray(answers, dtype=np.int32)
    # As shares of their largest, so that no product of weights is too large or too small.
    given = np.zeros(0) if weights is None else np.ascontiguousarray(weights / weights.max())
    together = _core.count_agreements(codes.ravel(), n_members, given, n_threads)
    together = together.reshape(n_members, n_members)
    counts = np.array([np.bincount(row, _or_none(given), n_classes) for row in codes])
    shares = counts / counts.sum(axis=1, keepdims=True)
    by_chance = shares @ shares.T
    agreed = together / together[0, 0]
    result = np.ones_like(agreed)
    np.divide(agreed - by_chance, 1.0 - by_chance, out=result, where=by_chance < 1.0)
    result[agreed == 1.0] = 1.0
    clipped: NDArray[np.float64] = np.clip(result, -1.0, 1.0)
    return clipped


def _or_none(weights: NDArray[np.float64]) -> Any:
    return weights if len(weights) else None
