"""The nodes of all graphs of a model as ONNX tensors."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.export import description as d
from weaklearn.export.onnx_graph import OnnxGraph
from weaklearn.export.onnx_rows import OnnxRows, sums_of_terms


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class NodeTables:
    """The nodes of all graphs as tensors, which the loops look up.

    Parameters
    ----------
    matrix : str
        The columns of the rows, followed by the sums of all oblique splits.
    width : int
        The number of columns.
    first_sum : list of int
        Per graph the column of its first sum; those of other splits follow.
    flat : str
        The matrix as a vector.
    root : list of int
        Per graph its root among the nodes of all graphs.
    column, threshold, missing : str
        Per node the column that it compares, its threshold, and the branch for missing values.
    first_branch, n_branches : str
        Per node where its branches are.
    values : tuple of tensors, or None
        Per node whether it is a split by value and where its values are, and the branch of each
        value. None if there are no such splits.
    child : str
        Per branch.
    """

    matrix: str
    width: int
    first_sum: list[int]
    flat: str
    root: list[int]
    column: str
    threshold: str
    missing: str
    first_branch: str
    n_branches: str
    values: tuple[str, str, str] | None
    child: str

    def branch(self, graph: OnnxGraph, row: str, node: str) -> str:
        """Return the branch that rows take at splits; -1 if they are mixed."""
        place = graph("Mul", row, np.array(self.width))
        value = graph.take(self.flat, graph("Add", place, graph.take(self.column, node)))
        above = graph("Greater", value, graph.take(self.threshold, node))
        taken = graph(
            "Where",
            graph("IsNaN", value),
            graph.take(self.missing, node),
            graph.cast(above, np.int64),
        )
        if self.values is None:
            return taken
        is_by_value, first_value, branch_of_value = self.values
        by_value = graph.take(is_by_value, node)
        code = graph("Add", graph.take(first_value, node), graph.cast(value, np.int64))
        code = graph("Where", by_value, code, np.array(0))
        return graph("Where", by_value, graph.take(branch_of_value, code), taken)


def node_tables(graph: OnnxGraph, rows: OnnxRows, members: list[d.DescribedGraph]) -> NodeTables:
    """Add the nodes of all graphs, and compute the sums of their oblique splits."""
    n_features = len(rows.n_values)
    matrix, width, first_sum = rows.matrix, n_features, []
    sums = []
    for member in members:
        oblique = np.flatnonzero(member.kind == d.OBLIQUE)
        first_sum.append(width)
        width += len(oblique)
        if len(oblique):
            first, n_terms = member.first_term[oblique], member.n_terms[oblique]
            sums.append(sums_of_terms(graph, rows, member.terms, first, n_terms))
    if sums:
        matrix = graph("Concat", matrix, *sums, axis=1)

    def joined(of_member: Callable[[d.DescribedGraph], NDArray[Any]]) -> NDArray[Any]:
        return np.concatenate([of_member(member) for member in members])

    n_nodes = [member.n_nodes for member in members]
    root = np.cumsum([0, *n_nodes[:-1]])
    n_edges = np.cumsum([0, *(len(member.child) for member in members)])
    column = np.maximum(joined(lambda member: member.feature), 0)
    is_oblique = joined(lambda member: member.kind) == d.OBLIQUE
    column[is_oblique] = n_features + np.arange(np.count_nonzero(is_oblique))
    # A sum that is not a number is not above the threshold.
    missing = np.where(is_oblique, 0, joined(lambda member: member.missing_branch))
    return NodeTables(
        matrix=matrix,
        width=width,
        first_sum=first_sum,
        flat=graph.flat(matrix),
        root=root.tolist(),
        column=graph.table(column),
        threshold=graph.constant(joined(lambda member: member.threshold)),
        missing=graph.table(missing),
        first_branch=graph.table(
            joined(lambda member: member.first_branch) + np.repeat(n_edges[:-1], n_nodes)
        ),
        n_branches=graph.table(joined(lambda member: member.n_branches)),
        values=_value_tables(graph, rows, members),
        child=graph.table(joined(lambda member: member.child) + np.repeat(root, np.diff(n_edges))),
    )


def _value_tables(
    graph: OnnxGraph, rows: OnnxRows, members: list[d.DescribedGraph]
) -> tuple[str, str, str] | None:
    """Return per node whether it splits by value and where its values are, and their branches."""
    is_by_value = np.concatenate([member.kind == d.VALUES for member in members])
    if not is_by_value.any():
        return None
    first, tables, n_entries = np.zeros(len(is_by_value), np.int64), {}, 0
    root = 0
    for member in members:
        for node in np.flatnonzero(member.kind == d.VALUES).tolist():
            branches = branches_of_values(member, node, rows.n_values)
            key = branches.tobytes()
            if key not in tables:
                tables[key] = (n_entries, branches)
                n_entries += len(branches)
            first[root + node] = tables[key][0]
        root += member.n_nodes
    branch_of_value = np.concatenate([branches for _, branches in tables.values()])
    return graph.constant(is_by_value), graph.table(first), graph.table(branch_of_value)


def branches_of_values(
    member: d.DescribedGraph, node: int, n_values: tuple[int, ...]
) -> NDArray[np.int64]:
    """Return the branch of each value at a split, and of a missing one; -1 if a row is mixed."""
    n, missing = n_values[member.feature[node]], int(member.missing_branch[node])
    first = int(member.first_value[node])
    branches = np.append(member.branch_of_value[first : first + n], missing).astype(np.int64)
    branches[branches < 0] = missing
    return branches


def levels(member: d.DescribedGraph) -> NDArray[np.int64]:
    """Return the number of splits on the longest path to each node."""
    level = np.zeros(member.n_nodes, np.int64)
    for node in np.flatnonzero(member.kind != d.LEAF).tolist():
        first = member.first_branch[node]
        children = member.child[first : first + member.n_branches[node]]
        level[children] = np.maximum(level[children], level[node] + 1)
    return level
