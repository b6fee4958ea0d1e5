"""Prune a finished program, and merge nodes that predict alike.

The estimate of a program is the sum of C4.5's pessimistic errors, e + X(n, e), over its leaves. All
training rows that reach a leaf count, on whatever path. An inner node becomes a leaf if that does
not raise the estimate. Its rows then no longer reach the shared nodes below it, so all weights and
the labels of the leaves are computed again. Nodes are tried from the last to the first, that is,
bottom-up, until nothing changes. In a tree this is C4.5's pruning without raising branches and
without the tolerance of 0.1.

Then equal nodes are merged. Two inner nodes are equal if their splits are the same and their
branches lead to equal nodes. Two leaves are equal if their class is the same. Equal inner nodes are
replaced by the first of them. An inner node whose branches all lead to equal nodes is replaced by
its child. Leaves are not merged with each other: they do not count in the size, and their class
weights differ. The class of a row that takes one path never changes.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace

from .c45_prune import extra_errors
from .c45_table import Node, Table, WeightedRow, all_rows, at_most, branch_of, partition, prepare
from .program_table import Options, Program, leaf_of, merge_rows, with_errors

LEAF_KEYS = ("class", "n", "e", "dist")
SPLIT_KEYS = ("index", "test", "threshold", "values", "subsets", "missing")


def prune(program: Program, table: Table, options: Options) -> Program:
    """Return the pruned program with equal nodes merged; the `e` of a leaf is its estimate."""
    smaller = merge_equal_nodes(cut_back(program, table, options), table)
    nodes = [{**node, "e": _pessimistic_errors(node, table, options)} for node in smaller.nodes]
    return replace(smaller, nodes=with_errors(nodes))


def cut_back(program: Program, table: Table, options: Options) -> Program:
    """Return the program with leaves in place of inner nodes that do not lower the estimate."""
    table = prepare(table)
    nodes, before = program.nodes, None
    while nodes != before:
        before = nodes
        for position in reversed(range(len(nodes))):
            if "children" in nodes[position] and nodes[position]["n"] > 0:
                smaller = [*nodes[:position], _as_leaf(nodes[position]), *nodes[position + 1 :]]
                smaller = _recounted(smaller, table)
                if at_most(estimate(smaller, table, options), estimate(nodes, table, options)):
                    nodes = smaller
    return replace(program, nodes=with_errors(nodes))


def merge_equal_nodes(program: Program, table: Table) -> Program:
    """Return the program with equal inner nodes merged."""
    nodes = program.nodes
    behaviour = _behaviours(nodes)
    classes = {b for node, b in zip(nodes, behaviour, strict=True) if "children" not in node}
    first: dict[int, int] = {}  # the first inner node of each kind whose branches differ
    for position, b in enumerate(behaviour):
        if b not in classes and any(behaviour[c] != b for c in nodes[position]["children"]):
            first.setdefault(b, position)

    def representative(position: int) -> int:
        return position if behaviour[position] in classes else first[behaviour[position]]

    merged_nodes: list[Node] = []
    position_of: dict[int, int] = {}

    def add(position: int) -> None:
        """Add the children first; the list is reversed at the end."""
        if position in position_of:
            return
        node = nodes[position]
        children = (
            [] if behaviour[position] in classes else [*map(representative, node["children"])]
        )
        for child in reversed(children):
            add(child)
        position_of[position] = len(merged_nodes)
        merged_nodes.append({**node, "children": children} if children else _as_leaf(node))

    add(representative(0))
    last = len(merged_nodes) - 1
    for node in merged_nodes:
        if "children" in node:
            node["children"] = [last - position_of[child] for child in node["children"]]
    return replace(program, nodes=with_errors(_recounted(merged_nodes[::-1], prepare(table))))


def _behaviours(nodes: Sequence[Node]) -> list[int]:
    """Return an integer per node; equal nodes have the same one."""
    numbers: dict[Hashable, int] = {}
    behaviour = [-1] * len(nodes)
    for position in reversed(range(len(nodes))):
        node = nodes[position]
        key: Hashable = ("leaf", node["class"])
        if "children" in node:
            below = [behaviour[child] for child in node["children"]]
            if len(set(below)) == 1:
                behaviour[position] = below[0]
                continue
            split = [
                node.get(k) for k in ("index", "test", "threshold", "values", "subsets", "missing")
            ]
            key = repr((split, below))
        behaviour[position] = numbers.setdefault(key, len(numbers))
    return behaviour


def _as_leaf(node: Node) -> Node:
    return {key: node[key] for key in LEAF_KEYS}


def _recounted(nodes: Sequence[Node], table: Table) -> list[Node]:
    """Return the nodes that the root reaches, with the weights of the training rows.

    An inner node without rows whose value is known becomes a leaf. A leaf without rows keeps its
    class and its class weights, but its n is 0.
    """
    here: list[list[list[WeightedRow]]] = [[] for _ in nodes]
    reached = [True] + [False] * (len(nodes) - 1)
    here[0] = [all_rows(table)]
    counted: dict[int, Node] = {}
    for position, node in enumerate(nodes):
        if not reached[position]:
            continue
        node_rows = merge_rows(here[position])
        label = table.classes.index(node["class"])
        leaf = (
            leaf_of(table, node_rows, label)
            if node_rows
            else {**_as_leaf(node), "n": 0.0, "e": 0.0}
        )
        counted[position] = leaf
        if "children" not in node or not _can_partition(table, node, node_rows):
            continue
        branches = partition(table, node, node_rows)[0]
        flow = [sum(weight for _, weight in branch) for branch in branches]
        counted[position] = {**node, **leaf, "flow": flow}
        for child, branch in zip(node["children"], branches, strict=True):
            reached[child] = True
            here[child].append(branch)
    position_of = {position: place for place, position in enumerate(counted)}
    for node in counted.values():
        if "children" in node:
            node["children"] = [position_of[child] for child in node["children"]]
    return list(counted.values())


def _can_partition(table: Table, node: Node, node_rows: Sequence[WeightedRow]) -> bool:
    column = table.columns[node["index"]]
    return any(branch_of(node, column[row]) is not None for row, _ in node_rows)


def _pessimistic_errors(node: Node, table: Table, options: Options) -> float:
    """Return the errors and extra errors of a node as a leaf."""
    n, e = node["n"], node["e"]
    if not n > 0:
        return 0.0
    rows = n
    if options.factors:
        factor_of = dict(zip(table.classes, options.factors, strict=True))
        rows = n**2 / sum(weight * factor_of[label] for label, weight in node["dist"].items())
    errors = rows * (e / n)
    return float(n / rows * (errors + extra_errors(rows, errors, options.confidence)))


def estimate(nodes: Sequence[Node], table: Table, options: Options) -> float:
    leaves = (node for node in nodes if "children" not in node)
    return sum(_pessimistic_errors(leaf, table, options) for leaf in leaves)
