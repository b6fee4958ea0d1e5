"""TopDown in plain Python: the whole tree, cut back to the splits that come first."""

from __future__ import annotations

from .c45_grow import grow as grow_whole
from .c45_table import Node, Options, Table
from .criteria import IMPURITY

GRAIN = 1e-12  # drops of the index, as shares of the root's weight, that differ by less are equal


def grow(table: Table, options: Options, n_rounds: int | None) -> Node:
    tree = grow_whole(table, options)
    if n_rounds is None:
        return tree
    taken = {id(node) for node in rounds(tree, table, options)[:n_rounds]}
    return _cut_back(tree, taken)


def rounds(tree: Node, table: Table, options: Options) -> list[Node]:
    """The inner nodes, best first; of equals the one that became a leaf first."""
    leaves, order = [tree], []
    while True:
        inner = [node for node in leaves if "children" in node]
        if not inner:
            return order
        drops = [round(drop(node, table, options) / tree["n"] / GRAIN) for node in inner]
        best = inner[drops.index(max(drops))]
        order.append(best)
        leaves = [node for node in leaves if node is not best] + best["children"]


def drop(node: Node, table: Table, options: Options) -> float:
    """By how much a split lowers the sum of weight times impurity over the leaves."""
    return index_of(node, table, options) - sum(
        index_of(child, table, options) for child in node["children"]
    )


def index_of(node: Node, table: Table, options: Options) -> float:
    weights = [node["dist"].get(label, 0.0) for label in table.classes]
    impurity: float = IMPURITY[options.criterion](weights)
    return node["n"] * impurity


def _cut_back(node: Node, taken: set[int]) -> Node:
    if "children" not in node:
        return node
    children = [_cut_back(child, taken) for child in node["children"]]
    if id(node) in taken:
        return {**node, "children": children, "e": sum(child["e"] for child in children)}
    leaf = {key: node[key] for key in ("class", "n", "dist")}
    return {**leaf, "e": node["n"] - node["dist"].get(node["class"], 0.0)}
