"""TopDown in plain Python: grow the whole tree, then keep the splits that come first."""

from __future__ import annotations

from .c45_grow import grow as grow_whole
from .c45_table import Node, Options, Table
from .criteria import IMPURITY

GRAIN = 1e-12  # drops, as shares of the weight of the root, that differ by less are equal


def grow(table: Table, options: Options, n_rounds: int | None) -> Node:
    tree = grow_whole(table, options)
    if n_rounds is None:
        return tree
    taken = {id(node) for node in rounds(tree, table, options)[:n_rounds]}
    return _cut_back(tree, taken)


def rounds(tree: Node, table: Table, options: Options) -> list[Node]:
    """Return the inner nodes, best first; ties go to the node that became a leaf first."""
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
    """Return how much a split lowers the weighted impurity of the leaves."""
    return weighted_impurity(node, table, options) - sum(
        weighted_impurity(child, table, options) for child in node["children"]
    )


def weighted_impurity(node: Node, table: Table, options: Options) -> float:
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
