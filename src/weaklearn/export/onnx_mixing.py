"""The class shares of rows that are mixed because a value is missing, in ONNX.

A row and a graph in which it is mixed are a pair. Parts of pairs, each at a node with a share, go
down the graphs level by level. A part is replaced by one part for each branch that it takes.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.export import description as d
from weaklearn.export.onnx_graph import OnnxGraph
from weaklearn.export.onnx_nodes import NodeTables, levels
from weaklearn.export.onnx_trees import is_tree


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LeafTables:
    """What leaves predict; leaves that predict the same share an entry.

    Parameters
    ----------
    of_place : str
        Per place of a leaf its entry.
    of_node : str
        Per node its entry, if it is a leaf.
    shares : str
        Per entry and class the share.
    label, confidence : str
        Per entry.
    first_class, n_classes : str
        Per entry where its classes are.
    class_index, class_share, class_weight : str
        Per class of an entry.
    weight : str
        Per entry the weight of the leaf.
    """

    of_place: str
    of_node: str
    shares: str
    label: str
    confidence: str
    first_class: str
    n_classes: str
    class_index: str
    class_share: str
    class_weight: str
    weight: str


def leaf_tables(
    graph: OnnxGraph, members: list[d.DescribedGraph], n_classes: int, with_weights: bool
) -> LeafTables:
    """Add what leaves predict; weights and confidences only on request."""
    entries: dict[bytes, int] = {}
    firsts: list[tuple[d.DescribedGraph, int]] = []
    of_place: list[int] = []
    of_node: list[NDArray[np.int64]] = []
    for member in members:
        own = np.zeros(member.n_nodes, np.int64)
        for leaf in np.flatnonzero(member.kind == d.LEAF).tolist():
            classes = _classes(member, leaf)
            key = member.class_index[classes].tobytes() + member.class_share[classes].tobytes()
            if with_weights:
                key += member.class_weight[classes].tobytes() + member.leaf_weight[leaf].tobytes()
            own[leaf] = entries.setdefault(key, len(entries))
            if own[leaf] == len(firsts):
                firsts.append((member, leaf))
            of_place.append(int(own[leaf]))
        of_place.append(0)  # of rows that stop at a split
        of_node.append(own)

    def joined(name: str) -> NDArray[Any]:
        return np.concatenate([getattr(m, name)[_classes(m, leaf)] for m, leaf in firsts])

    count = np.array([m.n_classes[leaf] for m, leaf in firsts], np.int64)
    class_index, class_share = joined("class_index"), joined("class_share")
    cells = np.repeat(np.arange(len(count)), count) * n_classes + class_index
    # Runtimes compute this matrix when they load the model; it would be most of the file.
    flat = graph.add_at([np.array(len(count) * n_classes)], graph.table(cells), class_share)
    nothing = np.zeros(1)
    return LeafTables(
        of_place=graph.table(np.array(of_place)),
        of_node=graph.table(np.concatenate(of_node)),
        shares=graph("Reshape", flat, np.array([-1, n_classes])),
        label=graph.table(np.array([m.label[leaf] for m, leaf in firsts], np.int64)),
        confidence=graph.constant(
            np.array([m.confidence[leaf] for m, leaf in firsts]) if with_weights else nothing
        ),
        first_class=graph.table(np.cumsum(count) - count),
        n_classes=graph.table(count),
        class_index=graph.table(class_index),
        class_share=graph.constant(class_share),
        class_weight=graph.constant(joined("class_weight") if with_weights else nothing),
        weight=graph.constant(
            np.array([m.leaf_weight[leaf] for m, leaf in firsts]) if with_weights else nothing
        ),
    )


def _classes(member: d.DescribedGraph, leaf: int) -> slice:
    first = int(member.first_class[leaf])
    return slice(first, first + int(member.n_classes[leaf]))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Mixtures:
    """What graphs predict for mixed rows.

    Parameters
    ----------
    any_mixed : str
        Whether any row is mixed.
    of_row : str
        Per row and graph the entry of its mixture; of a row that is not mixed the last entry, which
        means nothing.
    shares : str
        Per entry and class.
    label, confidence : str
        Per entry.
    """

    any_mixed: str
    of_row: str
    shares: str
    label: str
    confidence: str


def mix_leaves(
    graph: OnnxGraph,
    members: list[d.DescribedGraph],
    nodes: NodeTables,
    leaves: LeafTables,
    is_mixed: str,
    n_classes: int,
    with_weights: bool,
) -> Mixtures:
    """Add the operators that compute the class shares of all mixed rows."""
    n_mixed = graph("ReduceSum", graph.cast(is_mixed, np.int64), keepdims=0)

    def some(body: OnnxGraph) -> list[str]:
        pairs = body("NonZero", is_mixed)
        row, member = body.take(pairs, np.array(0)), body.take(pairs, np.array(1))
        pair, node, share = _go_down(body, members, nodes, row, member, n_mixed)
        numbers, label, confidence = _mixed_shares(
            body, members, leaves, (pair, node, share), member, n_mixed, n_classes, with_weights
        )
        nothing = np.zeros((1, n_classes))
        of_row = body(
            "ScatterND",
            body("Expand", n_mixed, body("Shape", is_mixed)),
            body("Transpose", pairs, perm=[1, 0]),
            body.count_up(n_mixed),
        )
        return [
            of_row,
            body("Concat", numbers, nothing, axis=0),
            body("Concat", label, np.array([0]), axis=0),
            body("Concat", confidence, np.array([0.0]), axis=0),
        ]

    def none(body: OnnxGraph) -> list[str]:
        of_row = body("Expand", n_mixed, body("Shape", is_mixed))
        return [
            of_row,
            body.constant(np.zeros((1, n_classes))),
            body.constant(np.array([0])),
            body.constant(np.array([0.0])),
        ]

    any_mixed = graph("Greater", n_mixed, np.array(0))
    types = [np.int64, np.float64, np.int64, np.float64]
    return Mixtures(any_mixed, *graph.choose(any_mixed, types, some, none))


def _go_down(
    graph: OnnxGraph,
    members: list[d.DescribedGraph],
    nodes: NodeTables,
    row: str,
    member: str,
    n_pairs: str,
) -> tuple[str, str, str]:
    """Return the leaves of all pairs: pair, node and share of each part, by pair and node."""
    level, has_programs = _rounds(members)
    n_nodes = len(level)
    of_node = graph.table(level)
    branch_share = graph.constant(np.concatenate([member.branch_share for member in members]))

    def step(body: OnnxGraph, round_: str, carried: list[str]) -> list[str]:
        if has_programs:  # several parts of a pair may have come to the same node
            carried = list(_merged(body, n_nodes, *carried))
        active = body("Equal", body.take(of_node, carried[1]), round_)
        waiting = body.flat(body("NonZero", body("Not", active)))
        moving = body.flat(body("NonZero", active))
        pair, node, share = (body.take(x, moving) for x in carried)
        branch = nodes.branch(body, body.take(row, pair), node)
        known = body("GreaterOrEqual", branch, np.array(0))
        n_parts = body("Where", known, np.array(1), body.take(nodes.n_branches, node))
        source, place = body.repeat(n_parts)
        taken = body("Where", known, branch, np.array(0))
        first = body("Add", body.take(nodes.first_branch, node), taken)
        edge = body("Add", body.take(first, source), place)
        factor = body(
            "Where", body.take(known, source), np.array(1.0), body.take(branch_share, edge)
        )
        moved = [
            body.take(pair, source),
            body.take(nodes.child, edge),
            body("Mul", body.take(share, source), factor),
        ]
        # Parts that wait come first: they were made before.
        return [
            body("Concat", body.take(x, waiting), y, axis=0)
            for x, y in zip(carried, moved, strict=True)
        ]

    start = [
        (graph.count_up(n_pairs), np.int64),
        (graph.take(np.array(nodes.root, np.int64), member), np.int64),
        (graph.filled([n_pairs], np.array(1.0)), np.float64),
    ]
    n_rounds = np.array(int(level.max()) + 1)
    pair, node, share = graph.loop(n_rounds, start, step)
    return _merged(graph, n_nodes, pair, node, share)


def _rounds(members: list[d.DescribedGraph]) -> tuple[NDArray[np.int64], bool]:
    """Return the round in which a part at each node moves on, -1 at leaves; and whether to merge.

    All parts of a pair at a node move on together, after all nodes that lead there. Shares are
    added in the order of the nodes that they come from. If that is not the order of the levels,
    each split has a round of its own.
    """
    rounds, has_programs = [], False
    for member in members:
        of_node, is_split = levels(member), member.kind != d.LEAF
        if not is_tree(member):
            has_programs = True
            if (np.diff(of_node[is_split]) < 0).any():
                of_node = np.cumsum(is_split) - 1
        rounds.append(np.where(is_split, of_node, -1))
    return np.concatenate(rounds), has_programs


def _merged(
    graph: OnnxGraph, n_nodes: int, pair: str, node: str, share: str
) -> tuple[str, str, str]:
    """Return parts in the order of pairs and nodes, with one part for each node of a pair."""
    key = graph("Add", graph("Mul", pair, np.array(n_nodes)), node)
    keys, _, place = graph.outputs("Unique", [key], 3, sorted=1)
    total = graph.add_at([graph.length(keys)], place, share)
    pairs = graph("Div", keys, np.array(n_nodes))
    return pairs, graph("Sub", keys, graph("Mul", pairs, np.array(n_nodes))), total


def _mixed_shares(
    graph: OnnxGraph,
    members: list[d.DescribedGraph],
    leaves: LeafTables,
    parts: tuple[str, str, str],
    member: str,
    n_pairs: str,
    n_classes: int,
    with_weights: bool,
) -> tuple[str, str, str]:
    """Return the class shares, the class and the confidence of each pair."""
    pair, node, share = parts
    entry = graph.take(leaves.of_node, node)
    source, place = graph.repeat(graph.take(leaves.n_classes, entry))
    of_class = graph("Add", graph.take(graph.take(leaves.first_class, entry), source), place)
    first_cell = graph("Mul", graph.take(pair, source), np.array(n_classes))
    cell = graph("Add", first_cell, graph.take(leaves.class_index, of_class))
    n_cells = graph("Mul", n_pairs, np.array(n_classes))
    share_of_class = graph.take(share, source)
    as_matrix = np.array([-1, n_classes])

    def mixed(numbers: str) -> str:
        products = graph("Mul", share_of_class, graph.take(numbers, of_class))
        return graph("Reshape", graph.add_at([n_cells], cell, products), as_matrix)

    sums = mixed(leaves.class_share)
    total = graph.sum_columns(sums)
    label_of_root = np.array([m.label[0] for m in members], np.int64)
    only_root = graph("Equal", graph.as_column(graph.take(label_of_root, member)), _all(n_classes))
    some = graph("Greater", total, np.array(0.0))
    divisor = graph("Where", some, total, np.array(1.0))
    shares = graph("Where", some, graph("Div", sums, divisor), graph.cast(only_root, np.float64))
    columns = [graph.take(shares, np.array(k), axis=1) for k in range(n_classes)]
    label = graph.largest_in_order(columns, _is_clearly_more)
    if not with_weights:
        return shares, label, graph.filled([n_pairs], np.array(0.0))
    weights = mixed(leaves.class_weight)
    of_label = graph.flat(graph("GatherElements", weights, graph.as_column(label), axis=1))
    weight = graph.add_at([n_pairs], pair, graph("Mul", share, graph.take(leaves.weight, entry)))
    confidence = graph(
        "Div", graph("Add", of_label, np.array(1.0)), graph("Add", weight, np.array(2.0))
    )
    return shares, label, confidence


def _is_clearly_more(graph: OnnxGraph, share: str, best: str) -> str:
    slack = graph("Mul", graph("Max", best, np.array(1.0)), np.array(d.TIE))
    return graph("Greater", share, graph("Add", best, slack))


def _all(n_classes: int) -> NDArray[np.int64]:
    """Return all class indices as a row."""
    return np.arange(n_classes, dtype=np.int64)[None]
