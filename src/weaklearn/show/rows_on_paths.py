"""Rows that follow the paths of a graph, to be counted on each path."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from weaklearn.encoding import EncodedRows
    from weaklearn.models.graph import Graph


@dataclass(frozen=True, slots=True, eq=False)
class RowsOnPath:
    """The rows that reach a node on one path, with their weights there.

    Parameters
    ----------
    rows : EncodedRows
        All rows, whether they reach the node or not.
    classes : array of int32
        The class index of each of these rows.
    indices : array of int
        The indices of the rows that reach the node.
    weights : array of float64
        The weight with which each of them reaches it.
    """

    rows: EncodedRows = field(repr=False)
    classes: NDArray[np.int32] = field(repr=False)
    indices: NDArray[np.intp] = field(repr=False)
    weights: NDArray[np.float64] = field(repr=False)

    @classmethod
    def at_root(cls, rows: EncodedRows, classes: NDArray[np.int32]) -> RowsOnPath:
        """Return all rows, each with the weight 1."""
        return cls(rows, classes, np.arange(rows.n_rows), np.ones(rows.n_rows))

    def partition(self, graph: Graph, node: int) -> list[RowsOnPath]:
        """Return the rows on each branch.

        A row whose value is missing takes the missing branch of the split, if it has one, else all
        branches in proportion to their weights.
        """
        branches = branches_taken(graph, node, self.rows, self.indices)
        branches[branches < 0] = graph.missing_branch(node)
        branch_weights = np.array(graph.branch_weights(node))
        shares = branch_weights / (branch_weights.sum() or 1.0)
        partitioned = []
        for branch, share in enumerate(shares.tolist()):
            weights = np.where(branches == branch, self.weights, 0.0)
            weights[branches < 0] = self.weights[branches < 0] * share
            here = weights > 0
            on_branch = (self.indices[here], weights[here])
            partitioned.append(RowsOnPath(self.rows, self.classes, *on_branch))
        return partitioned

    def weight_and_errors(self, graph: Graph, leaf: int) -> tuple[float, float]:
        """Return the weight of the rows at a leaf, and of those that have another class."""
        wrong = self.classes[self.indices] != graph.label[leaf]
        return float(self.weights.sum()), float(self.weights[wrong].sum())


def branches_taken(
    graph: Graph, node: int, rows: EncodedRows, indices: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Return the branch that each of these rows takes at a split; -1 if its value is missing."""
    if graph.split_kind(node) == "oblique":
        total = np.zeros(len(indices))
        with np.errstate(over="ignore", invalid="ignore"):
            for term in graph.terms(node):
                feature = graph.schema.features[term.feature]
                total += term.added(rows.arrays[term.feature][indices], feature)
        return np.asarray(total > graph.threshold[node], dtype=np.intp)
    cells = rows.arrays[int(graph.feature[node])][indices]
    if graph.split_kind(node) == "threshold":
        threshold = float(graph.threshold[node])
        if graph.feature_of(node).precision == "single":
            with np.errstate(over="ignore"):
                above = cells.astype(np.float32) > np.float32(threshold)
        else:
            above = cells > threshold
        return np.where(np.isnan(cells), -1, above)
    values = graph.feature_of(node).values
    branch_of = {v: b for b, group in enumerate(graph.branch_values(node)) for v in group}
    # A missing value has the code -1, which selects the last entry.
    return np.array([branch_of.get(value, -1) for value in values] + [-1])[cells]
