"""Pessimistic pruning of C4.5, rule by rule."""

from __future__ import annotations

import math
from itertools import pairwise

from .c45_table import (
    Node,
    Options,
    Table,
    WeightedRow,
    all_rows,
    at_least,
    at_most,
    class_counts,
    cost_of,
    distribution,
    errors_of,
    is_leaf,
    label_of,
    partition,
    prepare,
    rows_in,
)

DEVIATION = [
    (0.0, 4.0),
    (0.001, 3.09),
    (0.005, 2.58),
    (0.01, 2.33),
    (0.05, 1.65),
    (0.10, 1.28),
    (0.20, 0.84),
    (0.40, 0.25),
    (1.00, 0.00),
]


def extra_errors(n: float, e: float, confidence: float) -> float:
    """Return the extra errors: the pessimistic estimate minus the errors seen in training."""
    if e < 1e-6:
        return n * (1 - math.pow(confidence, 1 / n))
    if e < 0.9999:
        none = extra_errors(n, 0, confidence)
        return none + e * (extra_errors(n, 1, confidence) - none)
    if at_least(e + 0.5, n):
        return 0.67 * (n - e)
    k = _coefficient(confidence)
    h = e + 0.5
    p = (h + k / 2 + math.sqrt(k * (h * (1 - h / n) + k / 4))) / (n + k)
    return n * p - e


def _coefficient(confidence: float) -> float:
    for (left, upper), (right, lower) in pairwise(DEVIATION):
        if confidence <= right:
            return (upper + (lower - upper) * (confidence - left) / (right - left)) ** 2
    raise ValueError(f"confidence {confidence} is above 1")


def prune(tree: Node, table: Table, options: Options) -> Node:
    table = prepare(table)
    pruned = _prune(tree, table, options, all_rows(table))
    return _drop_impossible(pruned, table, {}) if options.subset else pruned


def _as_leaf(node: Node, table: Table, options: Options, node_rows: list[WeightedRow]) -> Node:
    """Return the node as a leaf for these rows; its present label wins ties."""
    counts = class_counts(table, node_rows)
    label = label_of(counts, options, start=table.classes.index(node["class"]))
    n = sum(counts)
    estimate = _estimate_of_leaf(counts, label, table, options)
    dist = distribution(table, counts)
    return {"class": table.classes[label], "n": n, "e": estimate, "dist": dist}


def _estimate_of_leaf(counts: list[float], label: int, table: Table, options: Options) -> float:
    """Return the pessimistic errors of a leaf, each times its mean relative cost."""
    n, e = sum(counts), errors_of(counts, label)
    rows = rows_in(counts, options)
    errors = rows * (e / n)  # a product of tiny weights would be 0
    rate = (errors + extra_errors(rows, errors, options.confidence)) / rows
    shares = counts if e > 0 else class_counts(table, all_rows(table))
    others = errors_of(shares, label)
    return n * rate * (cost_of(shares, label, options) / others if others > 0 else 1.0)


def _prune(node: Node, table: Table, options: Options, node_rows: list[WeightedRow]) -> Node:
    """Return the pruned subtree; its `e` is its estimate."""
    leaf = _as_leaf(node, table, options, node_rows)
    if is_leaf(node):
        return leaf
    branches, known_weights = partition(table, node, node_rows)
    children, tree_estimate, largest = [], 0.0, 0
    for b, (child, branch) in enumerate(zip(node["children"], branches, strict=True)):
        if branch:
            child = _prune(child, table, options, branch)
            tree_estimate += child["e"]
            if at_least(known_weights[b], known_weights[largest]):
                largest = b
        children.append(child)  # a branch without known values does not change

    branch_estimate = _estimate(children[largest], table, options, node_rows)
    if at_most(leaf["e"], branch_estimate + 0.1) and at_most(leaf["e"], tree_estimate + 0.1):
        return leaf
    if at_most(branch_estimate, tree_estimate + 0.1):
        return _prune(children[largest], table, options, node_rows)
    return {**node, **leaf, "e": tree_estimate, "children": children}


def _estimate(node: Node, table: Table, options: Options, node_rows: list[WeightedRow]) -> float:
    """Return the sum of the leaf estimates if these rows reached the node."""
    if is_leaf(node):
        return float(_as_leaf(node, table, options, node_rows)["e"])
    branches, _ = partition(table, node, node_rows)
    return sum(
        _estimate(child, table, options, branch)
        for child, branch in zip(node["children"], branches, strict=True)
        if branch
    )


def _drop_impossible(node: Node, table: Table, possible: dict[int, list[str]]) -> Node:
    """Remove values that cannot occur from the last branch of each subset split."""
    if is_leaf(node):
        return node
    if node["test"] != "subset":
        children = [_drop_impossible(child, table, possible) for child in node["children"]]
        return {**node, "children": children}
    index = node["index"]
    here = possible.get(index, table.values[index])
    last = [v for v in node["subsets"][-1] if v in here]
    has_missing = node.get("missing") == len(node["subsets"]) - 1
    subsets = node["subsets"][:-1] + ([last] if last or has_missing else [])
    children = [
        _drop_impossible(child, table, {**possible, index: subset})
        for subset, child in zip(subsets, node["children"], strict=False)
    ]
    return {**node, "subsets": subsets, "children": children}
