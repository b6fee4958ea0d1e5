"""Pruning a finished program, and uniting nodes that behave alike (spec, section 6d).

The estimate of a program is the sum over its leaves of C4.5's pessimistic errors, e + X(n, e), of
the training instances that reach the leaf, by whatever paths. A test becomes a leaf if that does
not raise the estimate; its instances are then gone from the nodes below it that others share,
whose counts, and the labels of the leaves, are taken anew. From the last number to the first, so
from the bottom up, again and again until nothing changes. In a tree that is C4.5's pruning without
raising and without its allowance of 0.1.

Then equals are united: two tests behave alike if they ask the same and their branches behave alike,
two leaves if their class is the same. Tests that behave alike become the first of them, with its
leaves; a test whose branches all behave alike gives way to them. Leaves are not united for their
own sake: they are no part of the size, and their class weights differ. No whole row's class is
changed.
"""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import replace

from .c45_prune import extra_errors
from .c45_table import Item, Node, Table, all_items, at_most, branch_of, divide, prepared
from .program_table import Options, Program, leaf_of, pooled, with_errors

LEAF_KEYS = ("class", "n", "e", "dist")


def prune(program: Program, table: Table, options: Options) -> Program:
    """The program cut back and united; the `e` of a leaf is its estimate."""
    smaller = unite(cut_back(program, table, options), table)
    nodes = [{**node, "e": _feared(node, options)} for node in smaller.nodes]
    return replace(smaller, nodes=with_errors(nodes))


def cut_back(program: Program, table: Table, options: Options) -> Program:
    """The program with leaves in the place of tests that do not pay."""
    table = prepared(table)
    nodes, before = program.nodes, None
    while nodes != before:
        before = nodes
        for number in reversed(range(len(nodes))):
            if "children" in nodes[number] and nodes[number]["n"] > 0:
                smaller = [*nodes[:number], _as_leaf(nodes[number]), *nodes[number + 1 :]]
                smaller = _recounted(smaller, table)
                if at_most(estimate(smaller, options), estimate(nodes, options)):
                    nodes = smaller
    return replace(program, nodes=with_errors(nodes))


def unite(program: Program, table: Table) -> Program:
    """The program with one test per behaviour."""
    nodes = program.nodes
    behaviour = _behaviours(nodes)
    classes = {b for node, b in zip(nodes, behaviour, strict=True) if "children" not in node}
    first: dict[int, int] = {}  # of the tests of a behaviour that are of use
    for number, b in enumerate(behaviour):
        if b not in classes and any(behaviour[c] != b for c in nodes[number]["children"]):
            first.setdefault(b, number)

    def stand_in(number: int) -> int:
        return number if behaviour[number] in classes else first[behaviour[number]]

    united: list[Node] = []
    number_of: dict[int, int] = {}

    def add(number: int) -> None:
        """Children first: the list is turned round in the end."""
        if number in number_of:
            return
        node = nodes[number]
        children = [] if behaviour[number] in classes else [*map(stand_in, node["children"])]
        for child in reversed(children):
            add(child)
        number_of[number] = len(united)
        united.append({**node, "children": children} if children else _as_leaf(node))

    add(stand_in(0))
    last = len(united) - 1
    for node in united:
        if "children" in node:
            node["children"] = [last - number_of[child] for child in node["children"]]
    return replace(program, nodes=with_errors(_recounted(united[::-1], prepared(table))))


def _behaviours(nodes: Sequence[Node]) -> list[int]:
    """Per node a number, the same for nodes that answer every whole row with the same class."""
    numbers: dict[Hashable, int] = {}
    behaviour = [-1] * len(nodes)
    for number in reversed(range(len(nodes))):
        node = nodes[number]
        key: Hashable = ("leaf", node["class"])
        if "children" in node:
            below = [behaviour[child] for child in node["children"]]
            if len(set(below)) == 1:
                behaviour[number] = below[0]
                continue
            asked = [node.get(k) for k in ("index", "test", "threshold", "values", "subsets")]
            key = repr((asked, below))
        behaviour[number] = numbers.setdefault(key, len(numbers))
    return behaviour


def _as_leaf(node: Node) -> Node:
    return {key: node[key] for key in LEAF_KEYS}


def _recounted(nodes: Sequence[Node], table: Table) -> list[Node]:
    """The nodes that the root reaches, with the training instances poured through anew.

    A test at which no known value arrives divides nothing, and is a leaf from now on. A leaf where
    nothing arrives keeps its class and its weights, but its n is 0.
    """
    here: list[list[list[Item]]] = [[] for _ in nodes]
    reached = [True] + [False] * (len(nodes) - 1)
    here[0] = [all_items(table)]
    counted: dict[int, Node] = {}
    for number, node in enumerate(nodes):
        if not reached[number]:
            continue
        items = pooled(here[number])
        label = table.classes.index(node["class"])
        leaf = leaf_of(table, items, label) if items else {**_as_leaf(node), "n": 0.0, "e": 0.0}
        counted[number] = leaf
        if "children" not in node or not _can_divide(table, node, items):
            continue
        branches = divide(table, node, items)[0]
        flow = [sum(weight for _, weight in branch) for branch in branches]
        counted[number] = {**node, **leaf, "flow": flow}
        for child, branch in zip(node["children"], branches, strict=True):
            reached[child] = True
            here[child].append(branch)
    number_of = {number: place for place, number in enumerate(counted)}
    for node in counted.values():
        if "children" in node:
            node["children"] = [number_of[child] for child in node["children"]]
    return list(counted.values())


def _can_divide(table: Table, node: Node, items: Sequence[Item]) -> bool:
    column = table.columns[node["index"]]
    return any(branch_of(node, column[row]) is not None for row, _ in items)


def _feared(node: Node, options: Options) -> float:
    """Errors and extra errors of a node as a leaf."""
    n, e = node["n"], node["e"]
    return float(e + extra_errors(n, e, options.confidence)) if n > 0 else 0.0


def estimate(nodes: Sequence[Node], options: Options) -> float:
    return sum(_feared(node, options) for node in nodes if "children" not in node)
