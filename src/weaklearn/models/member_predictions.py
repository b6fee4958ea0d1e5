"""What each member of a committee says of each row, before votes are counted."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from weaklearn.models.count_votes import add_votes


@dataclass(frozen=True, slots=True, eq=False)
class Ballots:
    """The answers of all members to some rows, per unit of vote.

    Parameters
    ----------
    answers : array of int32, (n_members, n_rows)
        The class that each member answers.
    priority : array of uint32
        All classes in the order in which they win ties.
    strengths : array of float64, (n_members, n_rows), optional
        What an answer counts per unit of the member's vote; 1 by default.
    outputs : array of float64, (n_members, n_rows, n_classes), optional
        What a member gives each class per unit of its vote, where it does not give all to its
        answer: probabilities, or the real values of a confidence-rated member, one column per class
        (of two classes, the value and its negative).
    """

    answers: NDArray[np.int32]
    priority: NDArray[np.uint32]
    strengths: NDArray[np.float64] | None = None
    outputs: NDArray[np.float64] | None = None

    @property
    def n_members(self) -> int:
        """How many members there are."""
        return len(self.answers)

    @property
    def n_rows(self) -> int:
        """How many rows they answer."""
        return int(self.answers.shape[1])

    @property
    def n_classes(self) -> int:
        """How many classes there are."""
        return len(self.priority)

    def tally(self, votes: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give what each class of each row gets, of shape (n_rows, n_classes).

        Parameters
        ----------
        votes : array of float64
            The vote of each member; a member of vote 0 is absent.
        """
        scores = np.zeros((self.n_rows, self.n_classes))
        for member in np.flatnonzero(votes):
            if self.outputs is not None:
                scores += votes[member] * self.outputs[member]
            else:
                strength = 1.0 if self.strengths is None else self.strengths[member]
                add_votes(scores, self.answers[member], votes[member] * strength)
        return scores

    def margin_matrix(
        self, rows: NDArray[np.intp], classes: NDArray[np.int32], others: NDArray[np.int32]
    ) -> NDArray[np.float64]:
        """Give what each member adds to the margins of some rows, per unit of its vote.

        Parameters
        ----------
        rows : array of int
            Numbers of rows.
        classes : array of int32
            The class of each of these rows.
        others : array of int32
            Another class for each of them.

        Returns
        -------
        array of float64, (len(rows), n_members)
            What the member gives the row's class minus what it gives the other. A plain vote is 1
            for the class, -1 for the other and 0 for a third.

        Examples
        --------
        >>> ballots = Ballots(np.array([[0], [1], [2]], np.int32), np.arange(3, dtype=np.uint32))
        >>> ballots.margin_matrix(np.array([0]), np.array([1]), np.array([2])).tolist()
        [[0.0, 1.0, -1.0]]
        """
        if self.outputs is not None:
            difference: NDArray[np.float64] = (
                self.outputs[:, rows, classes] - self.outputs[:, rows, others]
            )
            return difference.T
        answers = self.answers[:, rows]
        terms: NDArray[np.float64] = (answers == classes).astype(np.float64) - (answers == others)
        if self.strengths is not None:
            terms *= self.strengths[:, rows]
        return terms.T
