"""Graphs that vote, laid out in one array of nodes for answering."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core
from weaklearn.models.graph import Graph

if TYPE_CHECKING:
    from weaklearn.encoding import EncodedRows


class Committee:
    """Members, their votes, and who wins ties.

    Parameters
    ----------
    members : sequence of Graph
        Graphs of one schema.
    votes : array of float64
        What each member's answer counts.
    confident : bool
        Whether an answer counts the vote times the member's confidence in it: the Laplace ratio
        (w + 1) / (W + 2) of the weight w of the class answered among the weight W of the leaf;
        where unknown values lead to several leaves, of their weights blended.
    priority : array of uint32
        All classes in the order in which they win ties.
    """

    def __init__(
        self,
        members: Sequence[Graph],
        votes: NDArray[np.float64],
        confident: bool,
        priority: NDArray[np.uint32],
    ) -> None:
        self.members = tuple(members)
        self.votes = np.ascontiguousarray(votes, dtype=np.float64)
        self.confident = confident
        self.priority = priority

    def __reduce__(self) -> tuple[object, ...]:
        return Committee, (self.members, self.votes, self.confident, self.priority)

    @cached_property
    def forest(self) -> _core.Forest:
        """The members' nodes in one array."""
        return _core.Forest([member.core for member in self.members])

    def answers(
        self, rows: EncodedRows, n_threads: int = 1
    ) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Give the class that each member answers, and what the answer counts.

        Both are of shape (n_members, n_rows).
        """
        shape = (len(self.members), rows.n_rows)
        classes, confidences = self.forest.answers(
            rows.arrays, rows.n_rows, self.confident, n_threads
        )
        votes = np.broadcast_to(self.votes[:, None], shape)
        if self.confident:
            votes = votes * confidences.reshape(shape)
        return classes.reshape(shape), votes

    def tally(self, rows: EncodedRows, n_threads: int = 1) -> NDArray[np.float64]:
        """Give the votes per row and class."""
        scores = self.forest.tally(rows.arrays, rows.n_rows, self.votes, self.confident, n_threads)
        return scores.reshape(rows.n_rows, len(self.priority))

    def predict(self, rows: EncodedRows, n_threads: int = 1) -> NDArray[np.int32]:
        """Give the class of most votes of each row."""
        return self.forest.predict(
            rows.arrays, rows.n_rows, self.votes, self.confident, self.priority, n_threads
        )

    def margins(
        self, rows: EncodedRows, classes: NDArray[np.int32], n_threads: int = 1
    ) -> NDArray[np.float64]:
        """Give per row the votes for its class minus the most for another, as a share of all."""
        return self.forest.margins(
            rows.arrays, rows.n_rows, self.votes, self.confident, classes, n_threads
        )
