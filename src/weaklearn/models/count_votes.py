"""Counting votes: which class wins, and by what margin.

Members answer with one class each; a vote is a number >= 0. Of classes with equally many votes the
one of larger training weight wins, then the one of lower number; what is equal in real arithmetic
counts as equal.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

#: Relative difference up to which two sums of votes count as equal; the compiled core has the same.
SLACK = 1e-9


def priority_of(class_weights: NDArray[np.float64]) -> NDArray[np.uint32]:
    """List the classes in the order in which they win ties.

    Parameters
    ----------
    class_weights : array of float64
        The training weight of each class.

    Returns
    -------
    array of uint32
        Class numbers: larger weight first, then lower number.

    Examples
    --------
    >>> import numpy as np
    >>> priority_of(np.array([2.0, 5.0, 2.0])).tolist()
    [1, 0, 2]
    """
    remaining = list(range(len(class_weights)))
    order = []
    while remaining:
        best = remaining[0]
        for number in remaining:
            if _more(class_weights[number], class_weights[best]):
                best = number
        order.append(best)
        remaining.remove(best)
    return np.array(order, dtype=np.uint32)


def check_votes(votes: Any, n_members: int) -> NDArray[np.float64]:
    """Return one finite vote >= 0 per member, not all zero."""
    try:
        given = np.array(votes, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"votes must be numbers, one per member: {error}") from error
    if given.shape != (n_members,):
        raise ValueError(
            f"got votes of shape {given.shape}, expected one for each of {n_members} members."
        )
    if not np.isfinite(given).all() or (given < 0).any() or not given.any():
        raise ValueError("votes must be finite numbers >= 0, not all zero.")
    return given


def tally(
    answers: NDArray[np.int32], votes: NDArray[np.float64], n_classes: int
) -> NDArray[np.float64]:
    """Add up votes per row and class.

    Parameters
    ----------
    answers : array of int32, (n_members, n_rows)
        The class that each member answers.
    votes : array of float64, (n_members,) or (n_members, n_rows)
        What an answer counts.
    n_classes : int
        Number of classes.

    Returns
    -------
    array of float64, (n_rows, n_classes)
    """
    scores = np.zeros((answers.shape[1], n_classes))
    for of_member, vote in zip(answers, votes, strict=True):
        add_votes(scores, of_member, vote)
    return scores


def add_votes(
    scores: NDArray[np.float64],
    answers: NDArray[np.int32],
    votes: float | NDArray[np.float64],
) -> None:
    """Add a member's vote for its answer to each row's scores, in place."""
    scores[np.arange(len(scores)), answers] += votes


def winners(scores: NDArray[np.float64], priority: NDArray[np.uint32]) -> NDArray[np.int32]:
    """Give the class of most votes of each row; of equals the first in `priority`."""
    best = np.full(len(scores), priority[0], dtype=np.int32)
    most = scores[:, priority[0]].copy()
    for number in priority[1:]:
        better = _more(scores[:, number], most)
        best[better] = number
        most[better] = scores[better, number]
    return best


def margins(scores: NDArray[np.float64], classes: NDArray[np.int32]) -> NDArray[np.float64]:
    """Give per row the votes for its class minus the most for another, as a share of all votes."""
    rows = np.arange(len(scores))
    own = scores[rows, classes]
    others = scores.copy()
    others[rows, classes] = 0.0
    total = scores.sum(axis=1)
    difference = own - others.max(axis=1)
    result = np.zeros(len(scores))
    np.divide(difference, total, out=result, where=total > 0)
    return result


def shares(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Give votes as shares of all votes of their row; equal shares where there are none."""
    total = scores.sum(axis=1, keepdims=True)
    result = np.full_like(scores, 1.0 / scores.shape[1])
    np.divide(scores, total, out=result, where=total > 0)
    return result


def _more(a: NDArray[np.float64], bound: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.asarray(a > bound * (1.0 + SLACK))  # neither is negative
