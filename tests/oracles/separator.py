"""Naive AdaBoostR and BoostODT: every stump tried on every row, nothing folded, nothing kept."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

from .c45_table import TIE, Cell, Node, Table, distribution, largest_class, prepared, to_single

Stump = Callable[[Sequence[Cell]], float]  # a row in, -1, 0 or 1 out
LARGEST_MU = 1 - 1e-10
GRAIN = 2.0**-40


@dataclass
class Separator:
    stumps: list[tuple[float, Stump]]
    mu: list[float]

    def output(self, row: Sequence[Cell]) -> float:
        return sum(alpha * stump(row) for alpha, stump in self.stumps)

    @property
    def uses_attributes(self) -> bool:
        return any(stump.__name__ != "constant" for _, stump in self.stumps)


def boost(
    table: Table, rows: Sequence[int], weights: Sequence[float], y: Sequence[int], n_rounds: int
) -> Separator:
    """AdaBoostR on some rows of a prepared table; `y` is -1 or 1."""
    total = sum(weights)
    w = [weight / total for weight in weights]
    separator = Separator([], [])
    for _ in range(n_rounds):
        best, best_edge = None, TIE
        for stump in _stumps(table, rows, w, y):
            edge = sum(w[i] * y[i] * stump(table.row(row)) for i, row in enumerate(rows))
            if edge > best_edge + (TIE if best else 0):
                best, best_edge = stump, edge
        if best is None:
            break
        said = [best(table.row(row)) for row in rows]
        mu = sum(w[i] * y[i] * h for i, h in enumerate(said)) / sum(w)
        mu = min(mu, LARGEST_MU)
        w = [w[i] * (1 - mu * y[i] * h) / (1 - mu * mu) for i, h in enumerate(said)]
        alpha = math.log((1 + mu) / (1 - mu)) / 2
        separator.stumps.append((round(alpha / GRAIN) * GRAIN, best))
        separator.mu.append(mu)
        if mu >= LARGEST_MU:
            break
    return separator


def _stumps(
    table: Table, rows: Sequence[int], w: Sequence[float], y: Sequence[int]
) -> Iterator[Stump]:
    """All stumps, those to be preferred among equals first."""
    yield _constant(1.0)
    yield _constant(-1.0)
    for a, column in enumerate(table.columns):
        if table.kinds[a] == "nominal":
            sums: dict[Cell, float] = {}
            for i, row in enumerate(rows):
                sums[column[row]] = sums.get(column[row], 0.0) + w[i] * y[i]
            signs = {
                value: math.copysign(1.0, total)
                for value, total in sums.items()
                if value is not None and abs(total) > TIE
            }
            yield _by_value(a, signs)
            continue
        numbers = sorted({column[row] for row in rows if column[row] is not None})
        for low, high in pairwise(numbers):
            yield _by_cut(a, low, high, 1.0, table.precision[a])
            yield _by_cut(a, low, high, -1.0, table.precision[a])


def _constant(sign: float) -> Stump:
    def constant(row: Sequence[Cell]) -> float:
        return sign

    return constant


def _by_value(attribute: int, signs: dict[Cell, float]) -> Stump:
    return lambda row: signs.get(row[attribute], 0.0)


def _by_cut(attribute: int, low: float, high: float, sign: float, precision: str) -> Stump:
    cut = low / 2 + high / 2
    if precision == "single":
        cut = to_single(cut)
    if not low <= cut < high:
        cut = low

    def stump(row: Sequence[Cell]) -> float:
        cell = row[attribute]
        if cell is None:
            return 0.0
        assert isinstance(cell, float)
        return sign if cell > cut else -sign

    return stump


def grow(table: Table, n_stumps: int, max_depth: int, max_tests: float = math.inf) -> Node:
    """BoostODT; a node's ``output`` function stands for its condition."""
    table = prepared(table)
    root = _leaf(table, range(len(table.y)))
    waiting = deque([(root, list(range(len(table.y))), 0)])
    n_tests = 0
    while waiting and n_tests < max_tests:
        node, rows, depth = waiting.popleft()
        division = _division(table, rows, n_stumps) if depth < max_depth else None
        if division is None:
            continue
        n_tests += 1
        separator, sides = division
        node["separator"] = separator
        node["children"] = [_leaf(table, side) for side in sides]
        waiting.extend(
            (child, side, depth + 1) for child, side in zip(node["children"], sides, strict=True)
        )
    return root


def _division(
    table: Table, rows: list[int], n_stumps: int
) -> tuple[Separator, list[list[int]]] | None:
    weights = [table.weights[row] for row in rows]
    present = [k for k, label in enumerate(table.classes) if label in {table.y[r] for r in rows}]
    if len(present) < 2:
        return None
    best, least = None, math.inf
    for k in present[1:] if len(present) == 2 else present:
        y = [1 if table.y[row] == table.classes[k] else -1 for row in rows]
        separator = boost(table, rows, weights, y, n_stumps)
        if not separator.uses_attributes:
            continue
        above = [separator.output(table.row(row)) > 0 for row in rows]
        sides = [
            [r for r, up in zip(rows, above, strict=True) if up == side] for side in (False, True)
        ]
        if not all(sides):
            continue
        impurity = sum(_km(table, side) for side in sides)
        if impurity < least - 1e-12 * sum(weights):
            best, least = (separator, sides), impurity
    return best


def _counts(table: Table, rows: Sequence[int]) -> list[float]:
    counts = [0.0] * len(table.classes)
    for row in rows:
        counts[table.classes.index(table.y[row])] += table.weights[row]
    return counts


def _km(table: Table, rows: Sequence[int]) -> float:
    """Weight times impurity of Kearns and Mansour."""
    counts = _counts(table, rows)
    n_classes = len(counts)
    return (sum(map(math.sqrt, counts)) ** 2 - sum(counts)) / (n_classes - 1)


def _leaf(table: Table, rows: Sequence[int]) -> Node:
    counts = _counts(table, rows)
    label = largest_class(counts)
    return {
        "class": table.classes[label],
        "n": sum(counts),
        "dist": distribution(table, counts),
    }


def leaf_of(node: Node, row: Sequence[Cell]) -> Node:
    """The leaf that a row reaches."""
    while "children" in node:
        node = node["children"][int(node["separator"].output(row) > 0)]
    return node
