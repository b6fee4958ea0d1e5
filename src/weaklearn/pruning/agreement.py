"""Cohen's kappa of every pair of members: how much they agree."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core


def kappas_of(
    predictions: NDArray[np.int32],
    n_classes: int,
    weights: NDArray[np.float64] | None = None,
    n_threads: int = 1,
) -> NDArray[np.float64]:
    """Compute Cohen's kappa of every pair of members.

    kappa = (Theta1 - Theta2) / (1 - Theta2). Theta1 is the weight of the rows on which the two
    members agree, as a share of all weight. Theta2 is the share on which they would agree if their
    predictions were independent. If Theta2 is 1, kappa is 1. (Margineantu and Dietterich 1997.)

    Parameters
    ----------
    predictions : array of int32, (n_members, n_rows)
        The class index that each member predicts for each row.
    n_classes : int
        Number of classes.
    weights : array of float64, optional
        The weight of each row. By default all rows have the same weight.
    n_threads : int
        Threads to count with. The result does not depend on it.

    Returns
    -------
    array of float64, (n_members, n_members)
        Symmetric, from -1 to 1: 0 for members that agree as often as by chance, 1 for members that
        always agree.

    Examples
    --------
    >>> predictions = np.array([[0, 0, 1, 1], [0, 1, 0, 1], [1, 1, 0, 0]], np.int32)
    >>> kappas_of(predictions, 2).tolist()
    [[1.0, 0.0, -1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 1.0]]
    """
    n_members = len(predictions)
    if weights is not None and (weights == weights[0]).all():
        weights = None  # counting is exact, and faster than adding
    codes = np.ascontiguousarray(predictions, dtype=np.int32)
    if weights is not None:
        # Divided by the largest, so that products of weights neither overflow nor underflow.
        weights = np.ascontiguousarray(weights / weights.max())
    core_weights = np.zeros(0) if weights is None else weights
    agreements = _core.count_agreements(codes.ravel(), n_members, core_weights, n_threads)
    agreements = agreements.reshape(n_members, n_members)
    counts = np.array([np.bincount(row, weights, n_classes) for row in codes])
    shares = counts / counts.sum(axis=1, keepdims=True)
    by_chance = shares @ shares.T
    observed = agreements / agreements[0, 0]
    result = np.ones_like(observed)
    np.divide(observed - by_chance, 1.0 - by_chance, out=result, where=by_chance < 1.0)
    result[observed == 1.0] = 1.0
    clipped: NDArray[np.float64] = np.clip(result, -1.0, 1.0)
    return clipped
