"""Limits on the size of a tree, step by step as scikit-learn defines them."""

from __future__ import annotations

from .c45_table import EPS, Node, Options, Table, at_least, less, more
from .topdown import GRAIN, weighted_impurity


def limit(
    tree: Node,
    table: Table,
    options: Options,
    max_leaves: int | None,
    min_impurity_decrease: float,
    ccp_alpha: float,
) -> Node:
    """Cut a tree that was grown without collapsing, then collapse it if the options say so."""
    sizes = Sizes(tree, table, options)
    if min_impurity_decrease > 0:
        tree = sizes.require_decrease(tree, min_impurity_decrease)
    if max_leaves is not None:
        tree = sizes.limit_leaves(tree, max_leaves)
    while ccp_alpha > 0:
        strength, weakest = sizes.weakest_link(tree)
        if weakest is None or more(strength, ccp_alpha):
            break
        tree = replaced(tree, weakest, as_leaf(weakest))
    return collapsed(tree, options.collapse)


def pruning_path(
    tree: Node,
    table: Table,
    options: Options,
    max_leaves: int | None,
    min_impurity_decrease: float,
) -> list[tuple[float, float]]:
    """Cut the weakest link again and again; return each cost of a leaf and the impurity after it.

    Links that are cut at the same cost are one step.
    """
    sizes = Sizes(tree, table, options)
    if min_impurity_decrease > 0:
        tree = sizes.require_decrease(tree, min_impurity_decrease)
    if max_leaves is not None:
        tree = sizes.limit_leaves(tree, max_leaves)
    steps = [(0.0, sizes.of_leaves(tree))]
    while "children" in tree:
        strength, weakest = sizes.weakest_link(tree)
        tree = replaced(tree, weakest, as_leaf(weakest))
        if more(strength, steps[-1][0]):
            steps.append((strength, sizes.of_leaves(tree)))
        else:
            steps[-1] = (steps[-1][0], sizes.of_leaves(tree))
    return steps


class Sizes:
    """Impurities of the nodes of one tree, as shares of its weight."""

    def __init__(self, tree: Node, table: Table, options: Options) -> None:
        self.total, self.table, self.options = tree["n"], table, options

    def impurity(self, node: Node) -> float:
        share = weighted_impurity(node, self.table, self.options) / self.total
        n_classes = len(self.table.classes)
        # The Gini impurity of the other oracles is scaled to 1 for equal class shares.
        return share * (n_classes - 1) / n_classes if self.options.criterion == "gini" else share

    def decrease(self, node: Node) -> float:
        return self.impurity(node) - sum(self.impurity(child) for child in node["children"])

    def of_leaves(self, tree: Node) -> float:
        return sum(self.impurity(leaf) for leaf in leaves_of(tree))

    def require_decrease(self, node: Node, least: float) -> Node:
        if "children" not in node:
            return node
        if less(self.decrease(node), least):
            return as_leaf(node)
        children = [self.require_decrease(child, least) for child in node["children"]]
        return {**node, "children": children}

    def limit_leaves(self, tree: Node, max_leaves: int) -> Node:
        """Split one leaf after the other: the one whose split lowers the impurity most."""
        leaves, kept = [tree], []
        while True:
            fitting = [
                leaf
                for leaf in leaves
                if "children" in leaf and len(leaves) + len(leaf["children"]) - 1 <= max_leaves
            ]
            if not fitting:
                break
            best = fitting[0]
            for leaf in fitting[1:]:
                if round(self.decrease(leaf) / GRAIN) > round(self.decrease(best) / GRAIN):
                    best = leaf
            kept.append(id(best))
            leaves = [leaf for leaf in leaves if leaf is not best] + best["children"]
        return only(tree, kept)

    def weakest_link(self, tree: Node) -> tuple[float, Node | None]:
        """Return the inner node whose subtree lowers the impurity least per leaf, of equals the
        first."""
        weakest, least = None, float("inf")
        for node in inner_nodes(tree):
            leaves = leaves_of(node)
            gained = self.impurity(node) - sum(self.impurity(leaf) for leaf in leaves)
            strength = gained / (len(leaves) - 1)
            if strength < least:
                weakest, least = node, strength
        return least, weakest


def as_leaf(node: Node) -> Node:
    weights = list(node["dist"].values())
    return {
        "class": node["class"],
        "n": node["n"],
        "e": sum(weights) - node["dist"].get(node["class"], 0.0),
        "dist": node["dist"],
    }


def only(node: Node, kept: list[int]) -> Node:
    if "children" not in node:
        return node
    if id(node) not in kept:
        return as_leaf(node)
    return {**node, "children": [only(child, kept) for child in node["children"]]}


def replaced(node: Node, old: Node, new: Node) -> Node:
    if node is old:
        return new
    if "children" not in node:
        return node
    return {**node, "children": [replaced(child, old, new) for child in node["children"]]}


def inner_nodes(node: Node) -> list[Node]:
    below = [inner for child in node.get("children", []) for inner in inner_nodes(child)]
    return [node, *below] if "children" in node else []


def leaves_of(node: Node) -> list[Node]:
    if "children" not in node:
        return [node]
    return [leaf for child in node["children"] for leaf in leaves_of(child)]


def collapsed(node: Node, collapse: bool) -> Node:
    if "children" not in node:
        return node
    children = [collapsed(child, collapse) for child in node["children"]]
    below = sum(child["e"] for child in children)
    if collapse and at_least(below, as_leaf(node)["e"] - EPS):
        return {**as_leaf(node), "e": below}
    return {**node, "e": below, "children": children}
