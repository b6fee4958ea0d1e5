"""Graphs that vote, with their nodes in one array for prediction."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core
from weaklearn.models.graph import Graph, paths_in
from weaklearn.models.graph_nodes import forest_of
from weaklearn.models.votes import VoteForm

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
    form : {"label", "confidence", "shares"}
        What a member gives its vote to. "label": the class that it predicts. "confidence": this
        class, times the confidence of the member in its prediction, which is the Laplace ratio
        (w + 1) / (W + 2) of the weight w of the class in the weight W of the leaf. "shares": every
        class, in proportion to the shares of the classes at the leaf. If a row reaches several
        leaves because of missing values, they are mixed.
    priority : array of uint32
        All classes in the order in which they win ties.
    """

    def __init__(
        self,
        members: Sequence[Graph],
        votes: NDArray[np.float64],
        form: VoteForm,
        priority: NDArray[np.uint32],
    ) -> None:
        self.members = tuple(members)
        self.votes = np.ascontiguousarray(votes, dtype=np.float64)
        self.form = form
        self.priority = priority

    def __reduce__(self) -> tuple[object, ...]:
        return GraphCommittee, (self.members, self.votes, self.form, self.priority)

    def __repr__(self) -> str:
        return f"GraphCommittee({len(self.members)} graphs, form={self.form!r})"

    @cached_property
    def forest(self) -> _core.Forest:
        """The nodes of all members in one array, made when it is first needed."""
        return forest_of(self.members)

    def predict_members(
        self,
        rows: EncodedRows,
        n_threads: int = 1,
        positions: NDArray[np.integer[Any]] | None = None,
    ) -> tuple[NDArray[np.int32], NDArray[np.float64] | None]:
        """Return the class index that each member predicts, and what a unit of its vote counts.

        The first has the shape (n_members, n_rows). The second is None for labels, which count 1.
        It has the same shape for confidences, and one more axis, for classes, for shares. Only the
        rows at the `positions` are predicted; None for all.
        """
        classes, strengths = self.forest.predict_members(
            rows.arrays,
            rows.n_rows,
            self.form,
            n_threads,
            None if positions is None else positions.astype(np.uint32, copy=False),
        )
        n_rows = rows.n_rows if positions is None else len(positions)
        shape: tuple[int, ...] = (len(self.members), n_rows)
        if self.form == "label":
            return classes.reshape(shape), None
        outputs = (*shape, len(self.priority)) if self.form == "shares" else shape
        return classes.reshape(shape), strengths.reshape(outputs)

    def count_votes(self, rows: EncodedRows, n_threads: int = 1) -> NDArray[np.float64]:
        """Return the sum of the votes per row and class."""
        scores = self.forest.count_votes(rows.arrays, rows.n_rows, self.votes, self.form, n_threads)
        return scores.reshape(rows.n_rows, len(self.priority))

    def predict_class_indices(self, rows: EncodedRows, n_threads: int = 1) -> NDArray[np.int32]:
        """Return the index of the class with most votes in each row."""
        return self.forest.predict(
            rows.arrays, rows.n_rows, self.votes, self.form, self.priority, n_threads
        )

    def margins(
        self, rows: EncodedRows, classes: NDArray[np.int32], n_threads: int = 1
    ) -> NDArray[np.float64]:
        """Return per row the votes for its class minus the most for another, as a share of all."""
        return self.forest.margins(
            rows.arrays, rows.n_rows, self.votes, self.form, classes, n_threads
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
