"""The path attribution by its definition: one row at a time, one node at a time."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from weaklearn.models import Graph

from .graph_walk import branch_of


def leaf_value(graph: Graph, leaf: int, form: str) -> np.ndarray:
    """Return what a graph gives to each class at a leaf."""
    shares = graph.predicted_shares()[leaf]
    if form == "shares":
        return shares
    label = 0
    for k, share in enumerate(shares):
        if share > shares[label] + 1e-9:
            label = k
    value = np.zeros(len(shares))
    value[label] = 1.0
    if form == "confidence":
        of_label = dict(graph.class_weights(leaf)).get(label, 0.0)
        weight = float(graph.weight[leaf])
        value[label] = ((of_label if weight > 0 else 0.0) + 1) / (weight + 2)
    return value


def node_value(graph: Graph, node: int, form: str) -> np.ndarray:
    """Return the value of a leaf, or the mean of the children of a split."""
    if graph.is_leaf(node):
        return leaf_value(graph, node, form)
    weights = np.array(graph.branch_weights(node))
    shares = (
        weights / weights.sum() if weights.sum() > 0 else np.full(len(weights), 1 / len(weights))
    )
    values = [node_value(graph, child, form) for child in graph.children(node)]
    return np.asarray(sum(s * v for s, v in zip(shares, values, strict=True)))


def contributions(
    graph: Graph, row: Sequence[float], output: np.ndarray, form: str
) -> tuple[np.ndarray, np.ndarray]:
    """Return the base, and what each feature contributes to the output of one row."""
    base = node_value(graph, 0, form)
    result = np.zeros((len(graph.schema.features), len(base)))
    shared_out = np.zeros(len(graph.schema.features))
    waiting = [(0, 1.0)]
    while waiting:
        node, share = waiting.pop()
        if graph.is_leaf(node):
            continue
        children, value = graph.children(node), node_value(graph, node, form)
        branch = branch_of(graph, node, row)
        if branch is None and graph.missing_branch(node) >= 0:
            branch = graph.missing_branch(node)
        if branch is not None:
            change = share * (node_value(graph, children[branch], form) - value)
            for feature, part in _parts(graph, node, row, branch).items():
                result[feature] += part * change
            waiting.append((children[branch], share))
            continue
        feature, weights = int(graph.feature[node]), graph.branch_weights(node)
        whole = [w for w in weights if w > 0] == [float(graph.weight[node])]
        shared_out[feature] += 0.0 if whole else share
        result[feature] -= share * value
        for child, weight in zip(children, weights, strict=True):
            if weight > 0:
                part = share * weight / float(graph.weight[node])
                result[feature] += part * node_value(graph, child, form)
                waiting.append((child, part))
    if shared_out.any():
        rest = output - base - result.sum(axis=0)
        result += np.outer(shared_out / shared_out.sum(), rest)
    return base, result


def _parts(graph: Graph, node: int, row: Sequence[float], branch: int) -> dict[int, float]:
    """Return the part of each feature in the change at a split."""
    if graph.split_kind(node) != "oblique":
        return {int(graph.feature[node]): 1.0}
    pushes = []
    for term in graph.terms(node):
        feature = graph.schema.features[term.feature]
        cell = np.array([row[term.feature]])
        cell = cell.astype(np.int32) if feature.kind == "nominal" else cell
        push = float(term.added(cell, feature)[0]) - term.missing
        pushes.append(max(push if branch else -push, 0.0))
    if not any(pushes):
        pushes = [1.0] * len(pushes)
    parts: dict[int, float] = {}
    for term, push in zip(graph.terms(node), pushes, strict=True):
        parts[term.feature] = parts.get(term.feature, 0.0) + push / sum(pushes)
    return parts
