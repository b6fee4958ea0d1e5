"""Graphs that vote, with their nodes in one array for prediction."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core
from weaklearn.models.graph import Graph, paths_in

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    from weaklearn.encoding import EncodedRows


class GraphCommittee:
    """Graphs with their votes and the order in which classes win ties.

    Parameters
    ----------
    members : sequence of Graph
        Graphs with the same schema.
    votes : array of float64
        The vote of each member.
    confident : bool
        Whether a vote is multiplied by the confidence of the member in its prediction: the Laplace
        ratio (w + 1) / (W + 2) of the weight w of the predicted class in the weight W of the leaf.
        If a row reaches several leaves because of missing values, their weights are mixed.
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
        return GraphCommittee, (self.members, self.votes, self.confident, self.priority)

    def __repr__(self) -> str:
        return f"GraphCommittee({len(self.members)} graphs, confident={self.confident})"

    @cached_property
    def forest(self) -> _core.Forest:
        """The nodes of all members in one array, made when it is first needed."""
        return _core.Forest([member.core for member in self.members])

    def predict_members(
        self, rows: EncodedRows, n_threads: int = 1
    ) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        """Return the class index that each member predicts, and how much it counts.

        Both have the shape (n_members, n_rows).
        """
        shape = (len(self.members), rows.n_rows)
        classes, confidences = self.forest.predict_members(
            rows.arrays, rows.n_rows, self.confident, n_threads
        )
        votes = np.broadcast_to(self.votes[:, None], shape)
        if self.confident:
            votes = votes * confidences.reshape(shape)
        return classes.reshape(shape), votes

    def count_votes(self, rows: EncodedRows, n_threads: int = 1) -> NDArray[np.float64]:
        """Return the sum of the votes per row and class."""
        scores = self.forest.count_votes(
            rows.arrays, rows.n_rows, self.votes, self.confident, n_threads
        )
        return scores.reshape(rows.n_rows, len(self.priority))

    def predict_class_indices(self, rows: EncodedRows, n_threads: int = 1) -> NDArray[np.int32]:
        """Return the index of the class with most votes in each row."""
        return self.forest.predict(
            rows.arrays, rows.n_rows, self.votes, self.confident, self.priority, n_threads
        )

    def margins(
        self, rows: EncodedRows, classes: NDArray[np.int32], n_threads: int = 1
    ) -> NDArray[np.float64]:
        """Return per row the votes for its class minus the most for another, as a share of all."""
        return self.forest.margins(
            rows.arrays, rows.n_rows, self.votes, self.confident, classes, n_threads
        )

    def apply(self, rows: EncodedRows, n_threads: int = 1) -> NDArray[np.int32]:
        """Return the leaf that each row reaches in each member, as (n_rows, n_members).

        See `Graph.apply` for rows with missing values.
        """
        leaves = self.forest.apply(rows.arrays, rows.n_rows, n_threads)
        return leaves.reshape(rows.n_rows, len(self.members))

    def decision_path(
        self, rows: EncodedRows, n_threads: int = 1
    ) -> tuple[csr_matrix, NDArray[np.int64]]:
        """Return the share of each row at each node of all members, and where members start.

        Columns ``n_nodes_ptr[i]`` to ``n_nodes_ptr[i + 1]`` of the first belong to member i.
        """
        n_nodes_ptr = np.cumsum([0, *(member.n_nodes for member in self.members)])
        return paths_in(self.forest, rows, n_threads), n_nodes_ptr
