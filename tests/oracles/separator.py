"""AdaBoostR and BoostODT without optimisation: every stump is tried on every row."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from .c45_grow import grow as grow_tree
from .c45_table import (
    TIE,
    Cell,
    Node,
    Options,
    Table,
    distribution,
    largest_class,
    more,
    prepare,
    to_single,
)

Stump = Callable[[Sequence[Cell]], float]  # takes a row and returns -1, 0 or 1
LARGEST_MU = 1 - 1e-10
GRAIN = 2.0**-40
#: Options of the split that decides which classes are on the same side.
ONE_SPLIT = Options(
    criterion="km",
    min_objects=0,
    threshold_penalty=False,
    max_depth=1,
    grouping=True,
    collapse=False,
)


@dataclass
class Separator:
    stumps: list[tuple[float, Stump]]
    mu: list[float]

    def output(self, row: Sequence[Cell]) -> float:
        return sum(alpha * stump(row) for alpha, stump in self.stumps)

    @property
    def uses_features(self) -> bool:
        return any(stump.__name__ != "constant" for _, stump in self.stumps)


def boost(
    table: Table, rows: Sequence[int], weights: Sequence[float], y: Sequence[int], n_rounds: int
) -> Separator:
    """Run AdaBoostR on some rows of a prepared table; `y` is -1 or 1."""
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
        outputs = [best(table.row(row)) for row in rows]
        mu = sum(w[i] * y[i] * h for i, h in enumerate(outputs)) / sum(w)
        mu = min(mu, LARGEST_MU)
        w = [w[i] * (1 - mu * y[i] * h) / (1 - mu * mu) for i, h in enumerate(outputs)]
        alpha = math.log((1 + mu) / (1 - mu)) / 2
        separator.stumps.append((round(alpha / GRAIN) * GRAIN, best))
        separator.mu.append(mu)
        if mu >= LARGEST_MU:
            break
    return separator


def _stumps(
    table: Table, rows: Sequence[int], w: Sequence[float], y: Sequence[int]
) -> Iterator[Stump]:
    """Yield all stumps in the order in which they win ties."""
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


def _by_value(feature: int, signs: dict[Cell, float]) -> Stump:
    return lambda row: signs.get(row[feature], 0.0)


def _by_cut(feature: int, low: float, high: float, sign: float, precision: str) -> Stump:
    cut = low / 2 + high / 2
    if precision == "single":
        cut = to_single(cut)
    if not low <= cut < high:
        cut = low

    def stump(row: Sequence[Cell]) -> float:
        cell = row[feature]
        if cell is None:
            return 0.0
        assert isinstance(cell, float)
        return sign if cell > cut else -sign

    return stump


def grow(table: Table, n_stumps: int, max_depth: int, max_splits: float = math.inf) -> Node:
    """Grow a BoostODT tree; the separator of a node holds its condition."""
    table = prepare(table)
    root = _leaf(table, range(len(table.y)))
    waiting = deque([(root, list(range(len(table.y))), 0)])
    n_splits = 0
    while waiting and n_splits < max_splits:
        node, rows, depth = waiting.popleft()
        found_split = _find_separator(table, rows, n_stumps) if depth < max_depth else None
        if found_split is None:
            continue
        n_splits += 1
        separator, sides = found_split
        node["separator"] = separator
        node["children"] = [_leaf(table, side) for side in sides]
        waiting.extend(
            (child, side, depth + 1) for child, side in zip(node["children"], sides, strict=True)
        )
    return root


def _find_separator(
    table: Table, rows: list[int], n_stumps: int
) -> tuple[Separator, list[list[int]]] | None:
    second = _second_group(table, rows)
    if not second:
        return None
    weights = [table.weights[row] for row in rows]
    y = [1 if table.y[row] in second else -1 for row in rows]
    separator = boost(table, rows, weights, y, n_stumps)
    sides: list[list[int]] = [[], []]
    for row in rows:
        sides[separator.output(table.row(row)) > 0].append(row)
    return (separator, sides) if separator.uses_features and all(sides) else None


def _second_group(table: Table, rows: list[int]) -> set[str]:
    """Return the classes that the separator should put above 0; none if there is one class."""
    counts = _counts(table, rows)
    present = [label for label, count in zip(table.classes, counts, strict=True) if count > 0]
    if len(present) <= 2:
        return set(present[1:])
    subtable = replace(
        table,
        columns=[[column[row] for row in rows] for column in table.columns],
        y=[table.y[row] for row in rows],
        weights=[table.weights[row] for row in rows],
    )
    test = grow_tree(subtable, ONE_SPLIT)
    if len(test.get("children", [])) == 2:
        low, high = (child["dist"] for child in test["children"])
        second = {label for label in present if more(high.get(label, 0.0), low.get(label, 0.0))}
        if 0 < len(second) < len(present):
            return second
    return {table.classes[largest_class(counts)]}


def _counts(table: Table, rows: Sequence[int]) -> list[float]:
    counts = [0.0] * len(table.classes)
    for row in rows:
        counts[table.classes.index(table.y[row])] += table.weights[row]
    return counts


def _leaf(table: Table, rows: Sequence[int]) -> Node:
    counts = _counts(table, rows)
    label = largest_class(counts)
    return {
        "class": table.classes[label],
        "n": sum(counts),
        "dist": distribution(table, counts),
    }


def leaf_of(node: Node, row: Sequence[Cell]) -> Node:
    """Return the leaf that a row reaches."""
    while "children" in node:
        node = node["children"][int(node["separator"].output(row) > 0)]
    return node
