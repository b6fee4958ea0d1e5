"""Rows on their way down a graph, to be counted along each path."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from weaklearn.encoding import EncodedRows
    from weaklearn.models.graph import Graph


@dataclass(frozen=True, slots=True, eq=False)
class Travellers:
    """Rows that go down a graph: which ones, and with how much of their weight.

    Parameters
    ----------
    rows : EncodedRows
        All rows.
    classes : array of int32
        The class number of each of all rows.
    numbers : array of int
        Those that are here.
    weights : array of float64
        The weight with which each of them is here.
    """

    rows: EncodedRows
    classes: NDArray[np.int32]
    numbers: NDArray[np.intp]
    weights: NDArray[np.float64]

    @classmethod
    def all_of(cls, rows: EncodedRows, classes: NDArray[np.int32]) -> Travellers:
        """Return all rows, each with the weight 1."""
        return cls(rows, classes, np.arange(rows.n_rows), np.ones(rows.n_rows))

    def divide(self, graph: Graph, node: int) -> list[Travellers]:
        """Send them down the branches of a test: by the flow, in parts, if a value is unknown."""
        branches = _branches_taken(graph, node, self.rows, self.numbers)
        flow = np.array(graph.flow(node))
        parted = []
        for branch, share in enumerate((flow / (flow.sum() or 1.0)).tolist()):
            weights = np.where(branches == branch, self.weights, 0.0)
            weights[branches < 0] = self.weights[branches < 0] * share
            here = weights > 0
            parted.append(Travellers(self.rows, self.classes, self.numbers[here], weights[here]))
        return parted

    def end(self, graph: Graph, leaf: int) -> tuple[float, float]:
        """Return their weight, and that of those whose class is not the leaf's."""
        wrong = self.classes[self.numbers] != graph.label[leaf]
        return float(self.weights.sum()), float(self.weights[wrong].sum())


def _branches_taken(
    graph: Graph, node: int, rows: EncodedRows, numbers: NDArray[np.intp]
) -> NDArray[np.intp]:
    """Return the branch of each of these rows at a test, -1 where its value is unknown."""
    if graph.test(node) == "oblique":
        total = np.zeros(len(numbers))
        with np.errstate(over="ignore", invalid="ignore"):
            for term in graph.terms(node):
                feature = graph.schema.features[term.feature]
                total += term.added(rows.arrays[term.feature][numbers], feature)
        return np.asarray(total > graph.threshold[node], dtype=np.intp)
    cells = rows.arrays[int(graph.feature[node])][numbers]
    if graph.test(node) == "<=":
        threshold = float(graph.threshold[node])
        if graph.feature_of(node).precision == "single":
            with np.errstate(over="ignore"):
                above = cells.astype(np.float32) > np.float32(threshold)
        else:
            above = cells > threshold
        return np.where(np.isnan(cells), -1, above)
    values = graph.feature_of(node).values
    branch_of = {v: b for b, group in enumerate(graph.branch_values(node)) for v in group}
    # The last entry serves the code -1.
    return np.array([branch_of.get(value, -1) for value in values] + [-1])[cells]
