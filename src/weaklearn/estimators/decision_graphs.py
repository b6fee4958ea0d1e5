"""Decision graphs for G2: which hypotheses lie on the path of an instance.

A graph is any object with two methods, and may be written by anyone:

``grow(X, y, weights)``
    a generator that yields, node after node, the numbers of the rows of X on whose path the node
    lies, and is sent the normalised margin mu of the hypothesis that was learned there; ``y`` is
    -1 or 1. Every row must lie on some path from the first node on.
``visited(X)``
    for each node that was grown, in that order, the numbers of the rows of X that visit it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, clone
from sklearn.utils import _safe_indexing

from weaklearn.boosting.g2 import LARGEST_MU, Nodes
from weaklearn.estimators.hypotheses import outputs_of
from weaklearn.models.impurity import km
from weaklearn.tables.frames import as_columns

Rows = NDArray[np.intp]


class DecisionGraph(Protocol):
    """What G2 asks of a graph."""

    def grow(self, X: Any, y: NDArray[np.float64], weights: NDArray[np.float64]) -> Nodes:
        """Yield the rows of each node; be sent the normalised margin of its hypothesis."""

    def visited(self, X: Any) -> list[Rows]:
        """Return for each node the rows that visit it."""


class SeparatorGraph(BaseEstimator):
    """One path that all instances take: G2 is then AdaBoost, and H a linear separator.

    Parameters
    ----------
    n_rounds : int
        Most hypotheses; fewer after one that is right, or of no use, everywhere.
    """

    def __init__(self, n_rounds: int = 50) -> None:
        self.n_rounds = n_rounds

    def grow(self, X: Any, y: NDArray[np.float64], weights: NDArray[np.float64]) -> Nodes:
        """Yield all rows again and again."""
        self.n_nodes_ = 0
        mu = 0.5
        while self.n_nodes_ < self.n_rounds and 0.0 < abs(mu) < LARGEST_MU:
            self.n_nodes_ += 1
            mu = yield np.arange(len(y))

    def visited(self, X: Any) -> list[Rows]:
        """Return all rows for each hypothesis."""
        return [np.arange(as_columns(X).n_rows)] * self.n_nodes_


@dataclass(slots=True)
class _Node:
    test: Any = None  # fitted, of whose output the sign decides; None at a leaf
    children: tuple[int, int] = (0, 0)  # up to 0, above it; of higher numbers


@dataclass(slots=True)
class _Leaf:
    node: int
    rows: Rows
    depth: int


class _TestingGraph(BaseEstimator, ABC):
    """Base of the graphs whose paths are decided by classifiers: leaves that become tests."""

    splitter: Any

    def grow(self, X: Any, y: NDArray[np.float64], weights: NDArray[np.float64]) -> Nodes:
        """Yield the rows of each node as it comes to be."""
        self.nodes_: list[_Node] = []
        self._sample = (X, y, weights)
        try:
            for leaf in self._leaves(self._new_leaf(np.arange(len(y)), 0)):
                yield leaf.rows
        finally:
            del self._sample

    @abstractmethod
    def _leaves(self, root: _Leaf) -> Iterator[_Leaf]:
        """Grow the graph and yield its nodes in the order of their numbers."""

    def _new_leaf(self, rows: Rows, depth: int) -> _Leaf:
        self.nodes_.append(_Node())
        return _Leaf(len(self.nodes_) - 1, rows, depth)

    def _sides(self, leaf: _Leaf) -> tuple[Any, Rows, Rows] | None:
        """Fit a test to a leaf; None where one class is alone, or no row is on some side."""
        X, y, weights = self._sample
        signs = y[leaf.rows]
        if (signs > 0).all() or (signs < 0).all():
            return None
        part = _safe_indexing(X, leaf.rows)
        test = clone(self.splitter, safe=False)
        test.fit(part, signs, sample_weight=weights[leaf.rows])
        above = outputs_of(test, part) > 0
        if above.all() or not above.any():
            return None
        return test, leaf.rows[~above], leaf.rows[above]

    def _divide(self, leaf: _Leaf) -> tuple[_Leaf, _Leaf] | None:
        sides = self._sides(leaf)
        if sides is None:
            return None
        test, below, above = sides
        children = self._new_leaf(below, leaf.depth + 1), self._new_leaf(above, leaf.depth + 1)
        self.nodes_[leaf.node] = _Node(test, (children[0].node, children[1].node))
        return children

    def _mixture(self, rows: Rows) -> float:
        """Return the impurity of some rows, whatever they weigh."""
        weights = self._weights_of(rows)
        return _impurity(*weights) / sum(weights)

    def _weights_of(self, rows: Rows) -> tuple[float, float]:
        _, y, weights = self._sample
        positive = float(weights[rows][y[rows] > 0].sum())
        return positive, float(weights[rows].sum()) - positive

    def visited(self, X: Any) -> list[Rows]:
        """Return for each node the rows that visit it."""
        here: list[list[Rows]] = [[] for _ in self.nodes_]
        here[0].append(np.arange(as_columns(X).n_rows))
        visited = []
        for node, arriving in zip(self.nodes_, here, strict=True):
            rows = np.sort(np.concatenate(arriving)) if arriving else np.zeros(0, dtype=np.intp)
            visited.append(rows)
            if node.test is None or not len(rows):
                continue
            above = outputs_of(node.test, _safe_indexing(X, rows)) > 0
            for child, side in zip(node.children, (~above, above), strict=True):
                here[child].append(rows[side])
        return visited


class TreeGraph(_TestingGraph):
    """A tree, grown breadth first; any classifier divides its leaves.

    Parameters
    ----------
    splitter : classifier
        Learns from a leaf's rows, of the classes -1 and 1, which side each of them goes to: the
        sign of its `decision_function`, or else its answer.
    max_depth : int
        Most tests on a path.
    max_leaves : int or None
        The most leaves of the tree; None for no limit.
    """

    def __init__(self, splitter: Any, max_depth: int = 4, max_leaves: int | None = None) -> None:
        self.splitter = splitter
        self.max_depth = max_depth
        self.max_leaves = max_leaves

    def _leaves(self, root: _Leaf) -> Iterator[_Leaf]:
        yield root
        waiting = deque([root])
        n_leaves = 1
        while waiting and (self.max_leaves is None or n_leaves < self.max_leaves):
            leaf = waiting.popleft()
            children = self._divide(leaf) if leaf.depth < self.max_depth else None
            if children is not None:
                n_leaves += 1
                yield from children
                waiting.extend(children)


class ListGraph(_TestingGraph):
    """A decision list: of each test's sides the purer one answers, the other is asked on.

    Parameters
    ----------
    splitter : classifier
        As for `TreeGraph`.
    max_leaves : int
        The most leaves. A list with L leaves has L - 1 splits.
    """

    def __init__(self, splitter: Any, max_leaves: int = 6) -> None:
        self.splitter = splitter
        self.max_leaves = max_leaves

    def _leaves(self, root: _Leaf) -> Iterator[_Leaf]:
        yield root
        rest = root
        for _ in range(self.max_leaves - 1):
            children = self._divide(rest)
            if children is None:
                return
            yield from children
            rest = max(children, key=lambda leaf: self._mixture(leaf.rows))


class ProgramGraph(_TestingGraph):
    """A branching program: level by level, and nodes of a level that are alike become one.

    Of the nodes in order of their share of the positive class, those neighbours are merged that
    raise the impurity of Kearns and Mansour least, until no more than `max_width` are left.

    Parameters
    ----------
    splitter : classifier
        As for `TreeGraph`.
    max_levels : int
        Most tests on a path.
    max_width : int
        Most nodes of a level.
    """

    def __init__(self, splitter: Any, max_levels: int = 4, max_width: int = 4) -> None:
        self.splitter = splitter
        self.max_levels = max_levels
        self.max_width = max_width

    def _leaves(self, root: _Leaf) -> Iterator[_Leaf]:
        yield root
        level = [root]
        for depth in range(1, self.max_levels + 1):
            divided = [(leaf, self._sides(leaf)) for leaf in level]
            tests = [(leaf, found) for leaf, found in divided if found is not None]
            if not tests:
                return
            sides = [side for _, (_, *both) in tests for side in both]
            level = []
            node_of: dict[int, int] = {}
            for group in self._merged(sides):
                rows = np.sort(np.concatenate([sides[number] for number in group]))
                level.append(self._new_leaf(rows, depth))
                node_of |= dict.fromkeys(group, level[-1].node)
            for number, (leaf, (test, _, _)) in enumerate(tests):
                children = node_of[2 * number], node_of[2 * number + 1]
                self.nodes_[leaf.node] = _Node(test, children)
            yield from level

    def _merged(self, sides: list[Rows]) -> list[list[int]]:
        weights = [self._weights_of(rows) for rows in sides]
        order = sorted(range(len(sides)), key=lambda i: weights[i][0] / sum(weights[i]))
        groups = [([i], *weights[i]) for i in order]
        while len(groups) > self.max_width:
            losses = [_loss(low[1:], high[1:]) for low, high in pairwise(groups)]
            at = int(np.argmin(losses))
            low, high = groups[at], groups[at + 1]
            groups[at : at + 2] = [(low[0] + high[0], low[1] + high[1], low[2] + high[2])]
        return [numbers for numbers, _, _ in groups]


def _impurity(positive: float, negative: float) -> float:
    weight = positive + negative
    return weight * float(km(positive / weight)) if weight > 0 else 0.0


def _loss(one: Iterable[float], other: Iterable[float]) -> float:
    """Return by how much the impurity rises when two nodes become one."""
    (p, n), (q, m) = one, other
    return _impurity(p + q, n + m) - _impurity(p, n) - _impurity(q, m)
