"""Shapley values by their definition: the mean gain of a feature over all coalitions."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import combinations
from math import factorial

import numpy as np
from numpy.typing import NDArray

from weaklearn.models import Graph

from .graph_walk import branch_of

Game = Callable[[frozenset[int]], NDArray[np.float64]]


def shapley_values(game: Game, n_players: int) -> NDArray[np.float64]:
    """Return the Shapley value of each player; a game may have a vector of outcomes."""
    every = range(n_players)
    worth = {
        frozenset(players): game(frozenset(players))
        for size in range(n_players + 1)
        for players in combinations(every, size)
    }
    values = np.zeros((n_players, *np.shape(worth[frozenset()])))
    for players, outcome in worth.items():
        for joining in set(every) - players:
            weight = factorial(len(players)) * factorial(n_players - len(players) - 1)
            gain = worth[players | {joining}] - outcome
            values[joining] += gain * (weight / factorial(n_players))
    return values


def coalition_shares(
    graph: Graph, row: Sequence[float], used: frozenset[int]
) -> NDArray[np.float64]:
    """Return the class shares that a graph predicts if only some features are used.

    A row is distributed over the branches of a split on another feature. A value that is missing
    in the row is treated as in prediction, used or not. A row holds numbers, NaN and codes.
    """
    predicted = graph.predicted_shares()
    missing = {
        index
        for index, (feature, cell) in enumerate(zip(graph.schema.features, row, strict=True))
        if (cell < 0 if feature.kind == "nominal" else np.isnan(cell))
    }

    def shares_at(node: int) -> NDArray[np.float64]:
        if graph.is_leaf(node):
            return predicted[node]
        if graph.split_kind(node) == "oblique":
            features = {term.feature for term in graph.terms(node)}
        else:
            features = {int(graph.feature[node])}
        branch = None
        if features - missing <= used:
            branch = branch_of(graph, node, row)
            if branch is None and graph.missing_branch(node) >= 0:
                branch = graph.missing_branch(node)
        children = [shares_at(child) for child in graph.children(node)]
        if branch is not None:
            return children[branch]
        weights = np.asarray(graph.branch_weights(node), dtype=np.float64)
        return np.asarray((weights / weights.sum()) @ np.array(children))

    return shares_at(0)
