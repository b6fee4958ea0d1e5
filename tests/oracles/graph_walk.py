"""A slow walk through a graph: every row by itself, along every path it takes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from weaklearn.models import Graph

from .c45_table import to_single


def branches_taken(graph: Graph, row: Sequence[float]) -> Iterator[tuple[int, int, float]]:
    """Yield (node, branch, share of the row) along each path; a row holds numbers, NaN and codes.

    A node that several paths reach is visited once for each of them.
    """
    stack = [(0, 1.0)]
    while stack:
        node, share = stack.pop()
        if graph.is_leaf(node):
            continue
        branch = branch_of(graph, node, row)
        weights = graph.branch_weights(node)
        for b, (child, weight) in enumerate(zip(graph.children(node), weights, strict=True)):
            part = 1.0 if b == branch else 0.0
            if branch is None and weight > 0:
                part = float(weight / graph.weight[node])
            if part > 0:
                yield node, b, share * part
                stack.append((child, share * part))


def branch_class_weights(
    graph: Graph, rows: Sequence[Sequence[float]], classes: Sequence[int], weights: Sequence[float]
) -> list[list[float]]:
    """Return per branch, node by node, the weight of each class."""
    taken = {
        (node, branch): [0.0] * len(graph.schema.classes)
        for node in range(graph.n_nodes)
        for branch in range(len(graph.children(node)))
    }
    for row, k, weight in zip(rows, classes, weights, strict=True):
        for node, branch, share in branches_taken(graph, row):
            taken[node, branch][k] += weight * share
    return list(taken.values())


def decision_path(graph: Graph, row: Sequence[float]) -> list[float]:
    """Return the share of a row at each node."""
    shares = [0.0] * graph.n_nodes
    shares[0] = 1.0
    for node, branch, share in branches_taken(graph, row):
        shares[graph.children(node)[branch]] += share
    return shares


def sum_of(graph: Graph, node: int, row: Sequence[float]) -> float:
    """Return the sum that an oblique split compares with its threshold, added term by term."""
    total = 0.0
    for term in graph.terms(node):
        feature, cell = graph.schema.features[term.feature], row[term.feature]
        if feature.kind == "nominal":
            total += term.scores[int(cell)] if cell >= 0 else term.missing
            continue
        if np.isnan(cell):
            total += term.missing
            continue
        single = feature.precision == "single"
        value = to_single(cell) if single else cell
        if term.form == "linear":
            total += term.scores[0] * value
        else:
            cuts = [to_single(cut) if single else cut for cut in term.cuts]
            total += term.scores[sum(value > cut for cut in cuts)]
    return total


def branch_of(graph: Graph, node: int, row: Sequence[float]) -> int | None:
    """Return the branch that a row takes at a split; None if the value is missing."""
    if graph.split_kind(node) == "oblique":
        return 1 if sum_of(graph, node, row) > graph.threshold[node] else 0
    feature, cell = graph.feature_of(node), row[int(graph.feature[node])]
    if graph.split_kind(node) == "threshold":
        if np.isnan(cell):
            return None
        value = to_single(cell) if feature.precision == "single" else cell
        threshold = float(graph.threshold[node])
        bound = to_single(threshold) if feature.precision == "single" else threshold
        return 0 if value <= bound else 1
    if cell < 0:
        return None
    value = feature.values[int(cell)]
    groups = graph.branch_values(node)
    matching = [b for b, group in enumerate(groups) if any(value is other for other in group)]
    return matching[0] if matching else None


def best_first(graph: Graph, gains: Sequence[float]) -> list[int]:
    """Return the splits of a graph, largest gain first; ties go to the node added first."""
    added = [0]
    done: list[int] = []
    while True:
        ready = [node for node in added if node not in done and not graph.is_leaf(node)]
        if not ready:
            return done
        best = max(gains[node] for node in ready)
        done.append(next(node for node in ready if gains[node] == best))
        for child in graph.children(done[-1]):
            parents = [n for n in range(graph.n_nodes) for c in graph.children(n) if c == child]
            if child not in added and all(parent in done for parent in parents):
                added.append(child)
