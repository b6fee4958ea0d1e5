"""Decision graphs for G2: they decide which hypotheses lie on the path of a row.

A decision graph is any object with two methods. Users may write their own:

``grow(X, y, weights)``
    is a generator. For each node it yields the indices of the rows of X that visit the node, and it
    is sent the normalised margin mu of the hypothesis learned there. ``y`` is -1 or 1. Every row
    must visit the first node.
``visited(X)``
    returns, for each node in the same order, the indices of the rows of X that visit it.
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

from weaklearn.boosting.g2_loop import LARGEST_MU, Nodes
from weaklearn.estimators.weak_hypotheses import outputs_of
from weaklearn.models.impurity import km
from weaklearn.tables.frames import as_columns

Rows = NDArray[np.intp]


class DecisionGraph(Protocol):
    """What G2 needs of a decision graph."""

    def grow(self, X: Any, y: NDArray[np.float64], weights: NDArray[np.float64]) -> Nodes:
        """Yield the rows of each node; receive the normalised margin of its hypothesis."""

    def visited(self, X: Any) -> list[Rows]:
        """Return for each node the rows that visit it."""


class SeparatorGraph(BaseEstimator):
    """One path that all rows take: G2 is then AdaBoost, and H is a linear separator.

    Parameters
    ----------
    n_rounds : int
        The most hypotheses. There are fewer after one that makes no error or does not help.
    """

    def __init__(self, n_rounds: int = 50) -> None:
        self.n_rounds = n_rounds

    def grow(self, X: Any, y: NDArray[np.float64], weights: NDArray[np.float64]) -> Nodes:
        """Yield all rows for each hypothesis."""
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
    splitter: Any = None  # fitted; the sign of its output decides; None at a leaf
    gain: float = 0.0  # by how much the split lowers the impurity of Kearns and Mansour
    children: tuple[int, int] = (0, 0)  # for outputs up to 0 and above 0; of higher indices


@dataclass(slots=True)
class _Leaf:
    node: int
    rows: Rows
    depth: int


class _SplitGraph(BaseEstimator, ABC):
    """Base of the graphs whose leaves are split by fitted classifiers."""

    splitter: Any

    def grow(self, X: Any, y: NDArray[np.float64], weights: NDArray[np.float64]) -> Nodes:
        """Yield the rows of each node when it is added."""
        self.nodes_: list[_Node] = []
        self._sample = (X, y, weights)
        try:
            for leaf in self._leaves(self._new_leaf(np.arange(len(y)), 0)):
                yield leaf.rows
        finally:
            del self._sample

    @abstractmethod
    def _leaves(self, root: _Leaf) -> Iterator[_Leaf]:
        """Grow the graph and yield its nodes in the order of their indices."""

    def _new_leaf(self, rows: Rows, depth: int) -> _Leaf:
        self.nodes_.append(_Node())
        return _Leaf(len(self.nodes_) - 1, rows, depth)

    def _sides(self, leaf: _Leaf) -> tuple[Any, Rows, Rows] | None:
        """Fit a splitter to a leaf; return None if one class is alone or a side has no row."""
        X, y, weights = self._sample
        signs = y[leaf.rows]
        if (signs > 0).all() or (signs < 0).all():
            return None
        rows = _safe_indexing(X, leaf.rows)
        splitter = clone(self.splitter, safe=False)
        splitter.fit(rows, signs, sample_weight=weights[leaf.rows])
        above = outputs_of(splitter, rows) > 0
        if above.all() or not above.any():
            return None
        return splitter, leaf.rows[~above], leaf.rows[above]

    def _split(self, leaf: _Leaf) -> tuple[_Leaf, _Leaf] | None:
        sides = self._sides(leaf)
        if sides is None:
            return None
        splitter, below, above = sides
        children = self._new_leaf(below, leaf.depth + 1), self._new_leaf(above, leaf.depth + 1)
        indices = children[0].node, children[1].node
        self.nodes_[leaf.node] = _Node(splitter, self._gain(below, above), indices)
        return children

    def _gain(self, below: Rows, above: Rows) -> float:
        return _loss(self._weights_of(below), self._weights_of(above))

    def weighted_splitters(self) -> list[tuple[Any, float]]:
        """Return the fitted splitters, each with the drop of impurity at its node."""
        return [(node.splitter, node.gain) for node in self.nodes_ if node.splitter is not None]

    def _relative_impurity(self, rows: Rows) -> float:
        """Return the impurity of some rows divided by their weight."""
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
            if node.splitter is None or not len(rows):
                continue
            above = outputs_of(node.splitter, _safe_indexing(X, rows)) > 0
            for child, side in zip(node.children, (~above, above), strict=True):
                here[child].append(rows[side])
        return visited


class TreeGraph(_SplitGraph):
    """A tree, grown breadth first; any classifier splits its leaves.

    Parameters
    ----------
    splitter : classifier
        Learns from a leaf's rows, of the classes -1 and 1, to which side a row goes: the sign of
        its `decision_function`, or else of its prediction.
    max_depth : int
        The most splits on a path.
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
            children = self._split(leaf) if leaf.depth < self.max_depth else None
            if children is not None:
                n_leaves += 1
                yield from children
                waiting.extend(children)


class ListGraph(_SplitGraph):
    """A decision list: the purer side of each split is a leaf, and the other side is split again.

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
            children = self._split(rest)
            if children is None:
                return
            yield from children
            rest = max(children, key=lambda leaf: self._relative_impurity(leaf.rows))


class ProgramGraph(_SplitGraph):
    """A branching program, grown by levels; similar nodes of a level are merged.

    The nodes are ordered by their share of the positive class. Of all neighbours, the two that
    raise the impurity of Kearns and Mansour least are merged, until `max_width` nodes remain.

    Parameters
    ----------
    splitter : classifier
        As for `TreeGraph`.
    max_levels : int
        The most splits on a path.
    max_width : int
        The most nodes of a level.
    """

    def __init__(self, splitter: Any, max_levels: int = 4, max_width: int = 4) -> None:
        self.splitter = splitter
        self.max_levels = max_levels
        self.max_width = max_width

    def _leaves(self, root: _Leaf) -> Iterator[_Leaf]:
        yield root
        level = [root]
        for depth in range(1, self.max_levels + 1):
            results = [(leaf, self._sides(leaf)) for leaf in level]
            splits = [(leaf, split) for leaf, split in results if split is not None]
            if not splits:
                return
            sides = [side for _, (_, *both) in splits for side in both]
            level = []
            node_of: dict[int, int] = {}
            for group in self._merged(sides):
                rows = np.sort(np.concatenate([sides[side] for side in group]))
                level.append(self._new_leaf(rows, depth))
                node_of |= dict.fromkeys(group, level[-1].node)
            for i, (leaf, (splitter, below, above)) in enumerate(splits):
                children = node_of[2 * i], node_of[2 * i + 1]
                self.nodes_[leaf.node] = _Node(splitter, self._gain(below, above), children)
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
        return [members for members, _, _ in groups]


def _impurity(positive: float, negative: float) -> float:
    weight = positive + negative
    return weight * float(km(positive / weight)) if weight > 0 else 0.0


def _loss(low: Iterable[float], high: Iterable[float]) -> float:
    """Return by how much the impurity rises if two nodes are merged."""
    (p, n), (q, m) = low, high
    return _impurity(p + q, n + m) - _impurity(p, n) - _impurity(q, m)
