"""Naive class weights in a graph: every row, by itself, down every path it takes."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from weaklearn.models import Graph

from .c45_table import to_single


def flow(
    graph: Graph, rows: Sequence[Sequence[float]], classes: Sequence[int], weights: Sequence[float]
) -> list[list[float]]:
    """Per branch, node by node, the weight of each class. A row holds numbers, NaN, and codes."""
    taken = {
        (node, branch): [0.0] * len(graph.schema.classes)
        for node in range(graph.n_nodes)
        for branch in range(len(graph.children(node)))
    }

    def walk(node: int, row: Sequence[float], number: int, weight: float) -> None:
        if graph.is_leaf(node):
            return
        branch = branch_of(graph, node, row)
        for b, (child, trained) in enumerate(
            zip(graph.children(node), graph.flow(node), strict=True)
        ):
            share = 1.0 if b == branch else 0.0
            if branch is None and trained > 0:
                share = float(trained / graph.weight[node])
            if share > 0:
                taken[node, b][number] += weight * share
                walk(child, row, number, weight * share)

    for row, number, weight in zip(rows, classes, weights, strict=True):
        walk(0, row, number, weight)
    return list(taken.values())


def sum_of(graph: Graph, node: int, row: Sequence[float]) -> float:
    """What an oblique test compares with its threshold: term after term, in their order."""
    total = 0.0
    for term in graph.terms(node):
        feature, cell = graph.schema.features[term.feature], row[term.feature]
        if feature.kind == "nominal":
            total += term.scores[int(cell)] if cell >= 0 else term.unknown
            continue
        if np.isnan(cell):
            total += term.unknown
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
    if graph.test(node) == "oblique":
        return 0 if sum_of(graph, node, row) <= graph.threshold[node] else 1
    feature, cell = graph.feature_of(node), row[int(graph.feature[node])]
    if graph.test(node) == "<=":
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
    found = [b for b, group in enumerate(groups) if any(value is other for other in group)]
    return found[0] if found else None


def best_first(graph: Graph, gains: Sequence[float]) -> list[int]:
    """The tests of a graph, the largest gain first, of equals the one that came first."""
    came = [0]
    done: list[int] = []
    while True:
        ready = [node for node in came if node not in done and not graph.is_leaf(node)]
        if not ready:
            return done
        best = max(gains[node] for node in ready)
        done.append(next(node for node in ready if gains[node] == best))
        for child in graph.children(done[-1]):
            parents = [n for n in range(graph.n_nodes) for c in graph.children(n) if c == child]
            if child not in came and all(parent in done for parent in parents):
                came.append(child)
