"""What the C4.5 oracle works on: a table, options, weighted items, and tolerant comparison."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

Cell = float | str | None
Item = tuple[int, float]  # row number and the share of its weight that is here
Node = dict[str, Any]  # the node form of the reference files

EPS = 0.001
TIE = 1e-9


# Numbers that are equal in real arithmetic count as equal, whatever noise their sums carry.
def slack(bound: float) -> float:
    return TIE * max(1.0, abs(bound))


def more(a: float, bound: float) -> bool:
    return a > bound + slack(bound)


def less(a: float, bound: float) -> bool:
    return a < bound - slack(bound)


def at_least(a: float, bound: float) -> bool:
    return not less(a, bound)


def at_most(a: float, bound: float) -> bool:
    return not more(a, bound)


@dataclass(frozen=True)
class Options:
    criterion: str = "gain_ratio"  # or "gain", "gini", "km", "error"
    min_objects: float = 2
    confidence: float = 0.25
    subset: bool = False
    threshold_penalty: bool = True
    max_depth: int | None = None
    grouping: bool = False  # nominal values in two groups
    collapse: bool = True


@dataclass
class Table:
    """A table by columns; a missing cell is None.

    `values` holds the declared values of a nominal column (an empty list for a continuous one).
    Left empty: `weights` are all 1, `names` a0, a1, ..., and `precision`, which says per column
    whether numbers are held in "single" or "double", is single unless that makes two different
    numbers of the column equal or one infinite.
    """

    columns: list[list[Any]]
    kinds: list[str]  # "continuous" or "nominal"
    values: list[list[str]]
    classes: list[str]
    y: list[str]
    weights: list[float] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    precision: list[str] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.weights = self.weights or [1.0] * len(self.y)
        self.names = self.names or [f"a{i}" for i in range(len(self.columns))]
        self.precision = self.precision or [precision_of(column) for column in self.columns]

    def row(self, i: int) -> list[Cell]:
        return [column[i] for column in self.columns]


def precision_of(column: Sequence[Any]) -> str:
    numbers = {x for x in column if isinstance(x, float | int)}
    rounded = {to_single(x) for x in numbers}
    return (
        "single" if len(rounded) == len(numbers) and all(map(math.isfinite, rounded)) else "double"
    )


def to_single(x: float) -> float:
    with np.errstate(over="ignore", under="ignore"):
        return float(np.float32(x))


def held(table: Table, index: int, cell: Cell) -> Cell:
    """A cell as the feature holds it: rounded, and missing if its value was never declared."""
    if cell is None:
        return None
    if table.kinds[index] == "continuous":
        return to_single(float(cell)) if table.precision[index] == "single" else float(cell)
    return cell if cell in table.values[index] else None


def prepared(table: Table) -> Table:
    """The table as C4.5 sees it: rows of weight 0 are absent, numbers have their precision."""
    rows = [i for i, weight in enumerate(table.weights) if weight > 0]
    return replace(
        table,
        columns=[
            [held(table, a, column[i]) for i in rows] for a, column in enumerate(table.columns)
        ],
        y=[table.y[i] for i in rows],
        weights=[float(table.weights[i]) for i in rows],
    )


def all_items(table: Table) -> list[Item]:
    return list(enumerate(table.weights))


def weight_of(items: Sequence[Item]) -> float:
    return sum(weight for _, weight in items)


def class_counts(table: Table, items: Sequence[Item]) -> list[float]:
    counts = [0.0] * len(table.classes)
    for row, weight in items:
        counts[table.classes.index(table.y[row])] += weight
    return counts


def largest_class(counts: Sequence[float], start: int = 0) -> int:
    """The start class unless another is truly larger; then the first of the largest."""
    best = start
    for c, count in enumerate(counts):
        if more(count, counts[best]):
            best = c
    return best


def errors_of(counts: Sequence[float], label: int) -> float:
    """The weight of the other classes: summed, so that a pure node has exactly 0."""
    return sum(count for c, count in enumerate(counts) if c != label)


def distribution(table: Table, counts: Sequence[float]) -> dict[str, float]:
    return {table.classes[c]: count for c, count in enumerate(counts) if count > 0}


def is_leaf(node: Node) -> bool:
    return "children" not in node


def branch_of(node: Node, cell: Cell) -> int | None:
    """The branch a cell takes at a test; None if it is unknown there."""
    if cell is None:
        return None
    if node["test"] == "<=":
        return 0 if cell <= node["threshold"] else 1
    groups = node["subsets"] if node["test"] == "subset" else [[v] for v in node["values"]]
    return next((b for b, group in enumerate(groups) if cell in group), None)


def branch_count(node: Node) -> int:
    if "separator" in node or node["test"] == "<=":
        return 2
    return len(node.get("subsets") or node["values"])


def divide(table: Table, node: Node, items: Sequence[Item]) -> tuple[list[list[Item]], list[float]]:
    """Per branch its items and its known weight (README section 6b)."""
    if "separator" in node:  # of an oblique tree, to which the unknown is a number like others
        taken = [(item, int(node["separator"].output(table.row(item[0])) > 0)) for item in items]
    else:
        taken = [(item, branch_of(node, table.columns[node["index"]][item[0]])) for item in items]
    known = [[item for item, b in taken if b == branch] for branch in range(branch_count(node))]
    unknown = [item for item, b in taken if b is None]
    known_weights = [weight_of(branch) for branch in known]
    branches = []
    for branch, weight in zip(known, known_weights, strict=True):
        share = weight / sum(known_weights)
        # No unknown item goes where no known one does, and one that weighs nothing is absent.
        shares = [(row, w * share) for row, w in unknown if w * share > 0]
        branches.append(branch + shares if branch else [])
    return branches, known_weights
