"""The votes of a committee: what members predict, which class wins, and by what margin.

A vote is a number >= 0. The class with most votes wins. Ties go to the class of larger training
weight, then to the lower class index. Sums that are equal in exact arithmetic count as equal.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core

#: What a member gives its vote to: the class that it predicts, this class times its confidence in
#: the prediction, or every class in proportion to the member's class shares.
VoteForm = Literal["label", "confidence", "shares"]

#: Relative difference up to which two sums of votes count as equal; the compiled core has the same.
SLACK = 1e-9


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class MemberPredictions:
    """What each member of a committee predicts for some rows, per unit of its vote.

    Parameters
    ----------
    classes : array of int32, (n_members, n_rows)
        The class index that each member predicts.
    priority : array of uint32
        All classes in the order in which they win ties.
    strengths : array of float64, (n_members, n_rows), optional
        How much a prediction counts per unit of the member's vote; 1 by default.
    outputs : array of float64, (n_members, n_rows, n_classes), optional
        How much a member gives to each class per unit of its vote, if it does not give all to the
        class that it predicts: probabilities, or the real outputs of a confidence-rated member. For
        two classes the latter are the output and its negative.
    """

    classes: NDArray[np.int32]
    priority: NDArray[np.uint32]
    strengths: NDArray[np.float64] | None = None
    outputs: NDArray[np.float64] | None = None

    def __repr__(self) -> str:
        return f"MemberPredictions({self.n_members} members, {self.n_rows} rows)"

    @property
    def n_members(self) -> int:
        """Number of members."""
        return len(self.classes)

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return int(self.classes.shape[1])

    @property
    def n_classes(self) -> int:
        """Number of classes."""
        return len(self.priority)

    def count_votes(self, votes: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the sum of the votes per row and class, of shape (n_rows, n_classes).

        Parameters
        ----------
        votes : array of float64
            The vote of each member; a member with vote 0 does not count.
        """
        scores = np.zeros((self.n_rows, self.n_classes))
        for member in np.flatnonzero(votes):
            if self.outputs is not None:
                scores += votes[member] * self.outputs[member]
            else:
                strength = 1.0 if self.strengths is None else self.strengths[member]
                add_votes(scores, self.classes[member], votes[member] * strength)
        return scores

    def margin_matrix(
        self, rows: NDArray[np.intp], classes: NDArray[np.int32], others: NDArray[np.int32]
    ) -> NDArray[np.float64]:
        """Return what each member adds to the margins of some rows, per unit of its vote.

        Parameters
        ----------
        rows : array of int
            Indices of rows.
        classes : array of int32
            The class of each of these rows.
        others : array of int32
            Another class for each of them.

        Returns
        -------
        array of float64, (len(rows), n_members)
            What the member gives to the row's class minus what it gives to the other class. A plain
            vote counts 1 for the class, -1 for the other and 0 for a third class.

        Examples
        --------
        >>> members = np.array([[0], [1], [2]], np.int32)
        >>> predictions = MemberPredictions(members, np.arange(3, dtype=np.uint32))
        >>> predictions.margin_matrix(np.array([0]), np.array([1]), np.array([2])).tolist()
        [[0.0, 1.0, -1.0]]
        """
        if self.outputs is not None:
            difference: NDArray[np.float64] = (
                self.outputs[:, rows, classes] - self.outputs[:, rows, others]
            )
            return difference.T
        predicted = self.classes[:, rows]
        terms: NDArray[np.float64] = (predicted == classes).astype(np.float64)
        terms -= predicted == others
        if self.strengths is not None:
            terms *= self.strengths[:, rows]
        return terms.T


def priority_of(class_weights: NDArray[np.float64]) -> NDArray[np.uint32]:
    """Return the classes in the order in which they win ties.

    Parameters
    ----------
    class_weights : array of float64
        The training weight of each class.

    Returns
    -------
    array of uint32
        Class indices: larger weight first, then lower index.

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
        for k in remaining:
            if _more(class_weights[k], class_weights[best]):
                best = k
        order.append(best)
        remaining.remove(best)
    return np.array(order, dtype=np.uint32)


def check_votes(votes: Any, n_members: int) -> NDArray[np.float64]:
    """Return one finite vote >= 0 per member, not all zero; raise a ValueError otherwise."""
    try:
        result = np.array(votes, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(f"votes must be numbers, one per member: {error}") from error
    if result.shape != (n_members,):
        raise ValueError(
            f"got votes of shape {result.shape}, expected one for each of {n_members} members."
        )
    if not np.isfinite(result).all() or (result < 0).any() or not result.any():
        raise ValueError("votes must be finite numbers >= 0, not all zero.")
    return result


def add_votes(
    scores: NDArray[np.float64],
    classes: NDArray[np.int32],
    votes: float | NDArray[np.float64],
) -> None:
    """Add the vote of one member to the score of the class it predicts in each row, in place."""
    scores[np.arange(len(scores)), classes] += votes


def winners(scores: NDArray[np.float64], priority: NDArray[np.uint32]) -> NDArray[np.int32]:
    """Return the class with most votes in each row; ties go to the first in `priority`."""
    return _core.winners(np.ascontiguousarray(scores), priority)


def margins(scores: NDArray[np.float64], classes: NDArray[np.int32]) -> NDArray[np.float64]:
    """Return per row the votes for its class minus the most for another, as a share of all."""
    rows = np.arange(len(scores))
    own = scores[rows, classes]
    others = scores.copy()
    others[rows, classes] = 0.0
    total = scores.sum(axis=1)
    difference = own - others.max(axis=1)
    result = np.zeros(len(scores))
    np.divide(difference, total, out=result, where=total > 0)
    return result


def row_sums(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the sum of each row as a column, added from left to right.

    NumPy's own ``sum`` chooses an order by the size of the array. Exported models add in this one.
    """
    return np.add.accumulate(numbers, axis=1)[:, -1:]


def shares(scores: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return votes as shares of all votes in their row; equal shares in a row without votes."""
    return _core.vote_shares(np.ascontiguousarray(scores)).reshape(scores.shape)


def decision_values(scores: NDArray[np.float64], winning: NDArray[np.intp]) -> NDArray[np.float64]:
    """Return values from the votes, of which that of the winning class is the largest in its row.

    Parameters
    ----------
    scores : array of float64, (n_rows, n_classes)
        The votes.
    winning : array of int
        The class that wins in each row, ties included.

    Returns
    -------
    array of float64, (n_rows, n_classes)
        1 for a class with all votes, -1 / (n_classes - 1) for one without any. A row sums to 0, up
        to rounding. In a tie the value of the winning class is raised by the rounding unit.

    Examples
    --------
    >>> decision_values(np.array([[3.0, 1.0, 0.0]]), np.array([0])).tolist()
    [[0.625, -0.125, -0.5]]
    """
    share = shares(scores)
    values: NDArray[np.float64] = share - (1.0 - share) / max(scores.shape[1] - 1, 1)
    rows = np.arange(len(scores))
    others = values.copy()
    others[rows, winning] = -1.0
    least = others.max(axis=1) + np.finfo(np.float64).eps
    values[rows, winning] = np.maximum(values[rows, winning], least)
    return values


def _more(a: NDArray[np.float64], bound: NDArray[np.float64]) -> NDArray[np.bool_]:
    return np.asarray(a > bound * (1.0 + SLACK))  # a relative tolerance, since neither is negative
