"""Which leaf of each graph a row reaches, in ONNX.

A tree is an operator TreeEnsembleRegressor, whose only output is the place of the leaf. So the
order in which a runtime adds the outputs of trees does not matter, and classes and shares are
looked up in float64. A split by value compares the branch of the value, which is looked up before.
That avoids set membership and shared subtrees, with which runtimes have had defects. A row stops at
a split by value that mixes it. At a threshold it goes on anyway, but the features on the path to
each leaf tell whether one of them is missing. A branching program is a loop in which all rows take
one step down.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.export import description as d
from weaklearn.export.onnx_graph import OnnxGraph
from weaklearn.export.onnx_nodes import NodeTables, branches_of_values, levels
from weaklearn.export.onnx_rows import OnnxRows

#: Bits of a word of flags; the last bit would be a sign.
_WORD = 62


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Leaves:
    """The leaves that rows reach.

    Parameters
    ----------
    place : str
        Per row and graph the place of the leaf among those of all graphs.
    is_mixed : str or None
        Per row and graph whether it is mixed, so that its place means nothing. None if no row is.
    """

    place: str
    is_mixed: str | None


def is_tree(graph: d.DescribedGraph) -> bool:
    """Return whether at most one branch leads to each node."""
    return len(np.unique(graph.child)) == len(graph.child)


def n_places(graph: d.DescribedGraph) -> int:
    """Return the number of places: one for each leaf, and one for rows that stop at a split."""
    return int(np.count_nonzero(graph.kind == d.LEAF)) + 1


def find_leaves(
    graph: OnnxGraph, rows: OnnxRows, members: list[d.DescribedGraph], nodes: NodeTables
) -> Leaves:
    """Add the operators that find the leaf of each row in each graph."""
    columns = []
    for m, member in enumerate(members):
        if len(member.kind) == 1:
            columns.append(graph.filled([rows.n_rows, np.array([1])], np.array(0.0, np.float32)))
        elif is_tree(member):
            columns.append(_descend_tree(graph, rows, member, nodes, m))
        else:
            columns.append(_descend_program(graph, rows, member, nodes, m))
    own = graph.cast(graph("Concat", *columns, axis=1), np.int64)
    first = np.cumsum([0, *(n_places(member) for member in members)])[None, :-1]
    place = graph("Add", own, first)
    return Leaves(place, _is_mixed(graph, rows, members, place))


def _is_mixed(
    graph: OnnxGraph, rows: OnnxRows, members: list[d.DescribedGraph], place: str
) -> str | None:
    """Return whether rows are mixed: they stop at a split, or lack a value on the path."""
    features = _mixing_features(members)
    n_words = -(-(len(features) + 1) // _WORD)
    flags = np.zeros((sum(n_places(member) for member in members), n_words), np.int64)
    first = 0
    for member in members:
        n = n_places(member)
        if is_tree(member):
            flags[first : first + n - 1] = _flags_of_leaves(member, features, n_words)
        flags[first + n - 1, 0] = 1  # the bit that every row has
        first += n
    if not any(_mixes(member) for member in members):
        return None
    flags_of_row = np.zeros((1, n_words), np.int64)
    flags_of_row[0, 0] = 1
    row_flags: Any = flags_of_row
    if features:
        taken = graph.take(rows.matrix, np.array(features, np.int64), axis=1)
        is_missing = graph.cast(graph("IsNaN", taken), np.int64)
        weights = np.zeros((len(features), n_words), np.int64)
        for i in range(len(features)):
            weights[i, (i + 1) // _WORD] = 1 << (i + 1) % _WORD
        row_flags = graph("Add", graph("MatMul", is_missing, weights), flags_of_row)
    of_place = graph.take(flags, place)  # rows, graphs, words
    by_graph = graph("Unsqueeze", row_flags, np.array([1]))
    common = graph.cast(graph("BitwiseAnd", of_place, by_graph), np.bool_)
    if n_words == 1:
        return graph("Squeeze", common, np.array([2]))
    count = graph("ReduceSum", graph.cast(common, np.int64), np.array([2]), keepdims=0)
    return graph("Greater", count, np.array(0))


def _mixes(member: d.DescribedGraph) -> bool:
    """Return whether a row can be mixed at some split."""
    can = ((member.kind == d.THRESHOLD) | (member.kind == d.VALUES)) & (member.missing_branch < 0)
    return bool(can.any())


def _mixing_features(members: list[d.DescribedGraph]) -> list[int]:
    """Return the features of thresholds at which a row without a value is mixed, in trees."""
    columns: set[int] = set()
    for member in members:
        if is_tree(member):
            at = (member.kind == d.THRESHOLD) & (member.missing_branch < 0)
            columns.update(member.feature[at].tolist())
    return sorted(columns)


def _flags_of_leaves(
    member: d.DescribedGraph, features: list[int], n_words: int
) -> NDArray[np.int64]:
    """Return for each leaf which features mix a row on the path to it."""
    flags = np.zeros((member.n_nodes, n_words), np.int64)
    bit_of = {feature: i + 1 for i, feature in enumerate(features)}
    for node in np.flatnonzero(member.kind != d.LEAF).tolist():  # parents come before children
        own = flags[node].copy()
        if member.kind[node] == d.THRESHOLD and member.missing_branch[node] < 0:
            bit = bit_of[int(member.feature[node])]
            own[bit // _WORD] |= 1 << bit % _WORD
        first = member.first_branch[node]
        flags[member.child[first : first + member.n_branches[node]]] = own
    of_leaves: NDArray[np.int64] = flags[member.kind == d.LEAF]
    return of_leaves


def _descend_tree(
    graph: OnnxGraph, rows: OnnxRows, member: d.DescribedGraph, nodes: NodeTables, index: int
) -> str:
    """Return the place of the leaf in a tree, as a column of float32."""
    from onnx import helper, numpy_helper

    inputs, column_of = _with_branches(graph, nodes.matrix, nodes.width, rows, member)
    tree = _TreeNodes(member, column_of, nodes.first_sum[index])
    n = len(tree.mode)
    leaves = [i for i in range(n) if tree.mode[i] == "LEAF"]
    result = graph.name("leaf")
    options: dict[str, Any] = {}
    if any(tree.missing_at_most):  # else all are 0 by default
        options["nodes_missing_value_tracks_true"] = tree.missing_at_most
    graph.nodes.append(
        helper.make_node(
            "TreeEnsembleRegressor",
            [inputs],
            [result],
            name=result,
            domain="ai.onnx.ml",
            n_targets=1,
            nodes_treeids=[0] * n,
            nodes_nodeids=list(range(n)),
            nodes_featureids=tree.column,
            nodes_modes=tree.mode,
            nodes_values_as_tensor=numpy_helper.from_array(np.array(tree.threshold)),
            nodes_truenodeids=tree.at_most,
            nodes_falsenodeids=tree.above,
            target_treeids=[0] * len(leaves),
            target_nodeids=leaves,
            target_ids=[0] * len(leaves),
            target_weights_as_tensor=numpy_helper.from_array(
                np.array([tree.place[i] for i in leaves], np.float64)
            ),
            **options,
        )
    )
    return result


class _TreeNodes:
    """The nodes of a tree with comparisons only, in the form of the operator."""

    def __init__(self, member: d.DescribedGraph, column_of: dict[int, int], first_sum: int) -> None:
        n = member.n_nodes
        self.mode = ["BRANCH_LEQ"] * n
        self.column, self.threshold = [0] * n, [0.0] * n
        self.at_most, self.above = [0] * n, [0] * n
        self.missing_at_most = [0] * n
        self.place = [0] * n
        n_leaves = n_sums = 0
        for node, kind in enumerate(member.kind.tolist()):
            first = int(member.first_branch[node])
            if kind == d.LEAF:
                self.mode[node] = "LEAF"
                self.place[node] = n_leaves
                n_leaves += 1
            elif kind == d.VALUES:
                pass  # below, when the places of all leaves are known
            else:
                self.column[node] = int(member.feature[node])
                self.missing_at_most[node] = int(member.missing_branch[node] == 0)
                if kind == d.OBLIQUE:
                    self.column[node] = first_sum + n_sums
                    self.missing_at_most[node] = 1  # a sum that is not a number
                    n_sums += 1
                self.threshold[node] = float(member.threshold[node])
                self.at_most[node], self.above[node] = member.child[first : first + 2].tolist()
        for node, column in column_of.items():
            first, n_branches = int(member.first_branch[node]), int(member.n_branches[node])
            children = member.child[first : first + n_branches].tolist()
            stop = self._add("LEAF")
            self.place[stop] = n_leaves
            self._choose(column, [*children, stop], 0, node)

    def _add(self, mode: str) -> int:
        self.mode.append(mode)
        for of_nodes in (self.column, self.at_most, self.above, self.missing_at_most, self.place):
            of_nodes.append(0)
        self.threshold.append(0.0)
        return len(self.mode) - 1

    def _choose(self, column: int, targets: list[int], lowest: int, node: int) -> None:
        """Make a node choose among targets by the whole number in a column."""
        middle = len(targets) // 2
        self.column[node], self.threshold[node] = column, lowest + middle - 0.5
        for half, start, side in (
            (targets[:middle], lowest, self.at_most),
            (targets[middle:], lowest + middle, self.above),
        ):
            if len(half) == 1:
                side[node] = half[0]
            else:
                side[node] = self._add("BRANCH_LEQ")
                self._choose(column, half, start, side[node])


def _with_branches(
    graph: OnnxGraph, matrix: str, width: int, rows: OnnxRows, member: d.DescribedGraph
) -> tuple[str, dict[int, int]]:
    """Return a matrix with a column for each split by value: the branch that a row takes.

    Returns
    -------
    str
        The matrix.
    dict
        The column of each split by value.
    """
    by_feature: dict[int, dict[bytes, tuple[NDArray[np.int64], list[int]]]] = {}
    for node in np.flatnonzero(member.kind == d.VALUES).tolist():
        branches = branches_of_values(member, node, rows.n_values)
        branches[branches < 0] = member.n_branches[node]
        tables = by_feature.setdefault(int(member.feature[node]), {})
        tables.setdefault(branches.tobytes(), (branches, []))[1].append(node)
    parts, column_of = [matrix], {}
    for feature, tables in by_feature.items():
        table = np.column_stack([branches for branches, _ in tables.values()])
        dtype = np.uint8 if table.max() < 256 else np.int32
        looked_up = rows.looked_up(graph, feature, table.astype(dtype))
        parts.append(graph.cast(looked_up, np.float64))
        for _, with_table in tables.values():
            column_of.update(dict.fromkeys(with_table, width))
            width += 1
    return (graph("Concat", *parts, axis=1) if len(parts) > 1 else matrix), column_of


def _descend_program(
    graph: OnnxGraph, rows: OnnxRows, member: d.DescribedGraph, nodes: NodeTables, index: int
) -> str:
    """Return the place of the leaf in a branching program, as a column of float32."""
    root = nodes.root[index]
    is_leaf = member.kind == d.LEAF
    place = np.where(is_leaf, np.cumsum(is_leaf) - 1, n_places(member) - 1)
    splits = graph.constant(np.concatenate([np.zeros(root, bool), ~is_leaf]))
    row = graph.count_up(rows.n_rows)
    at_root = graph.filled([rows.n_rows], np.array(root))

    def step(body: OnnxGraph, _round: str, carried: list[str]) -> list[str]:
        (node,) = carried
        branch = nodes.branch(body, row, node)
        known = body("GreaterOrEqual", branch, np.array(0))
        moves = body("And", known, body.take(splits, node))
        edge = body("Add", body.take(nodes.first_branch, node), branch)
        to = body.take(nodes.child, body("Where", moves, edge, np.array(0)))
        return [body("Where", moves, to, node)]

    (end,) = graph.loop(levels(member).max(), [(at_root, np.int64)], step)
    own = graph("Sub", end, np.array(root))
    return graph.as_column(graph.take(place.astype(np.float32), own))
