"""The data of the C4.5 oracle: a table, options, weighted rows and comparisons with tolerance."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

Cell = float | str | None
WeightedRow = tuple[int, float]  # row index and the part of its weight at a node
Node = dict[str, Any]  # the node form of the reference files

EPS = 0.001
TIE = 1e-9


# Numbers that are equal in real arithmetic count as equal; rounding errors are below the slack.
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
    grouping: bool = False  # split nominal values into two groups
    collapse: bool = True
    missing: str = "fraction"  # or "branch": down one branch, which the split learns
    max_features: int | None = None  # features to evaluate at a node; None for all
    random_splits: bool = False  # one split per feature, drawn at random
    seed: int = 0  # of the draws of features and splits
    #: Per class the weight of a row that counts once; the weights of the table contain them.
    factors: tuple[float, ...] = ()
    #: Per true class and predicted class a cost; none if all errors cost the same.
    costs: tuple[tuple[float, ...], ...] = ()


@dataclass
class Table:
    """A table by columns; a missing cell is None.

    `values` holds the declared values of a nominal column (an empty list for a continuous one).
    The other fields have defaults. `weights` are 1, `names` are a0, a1, ... and `precision` is
    "single" for each column, or "double" where single precision would make two different numbers
    equal or a number infinite.
    """

    columns: list[list[Any]]
    kinds: list[str]  # "continuous" or "nominal"
    values: list[list[str]]
    classes: list[str]
    y: list[str]
    weights: list[float] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    precision: list[str] = field(default_factory=list)
    #: Per column: how many distinct numbers share a bin with others, and the share of their rows.
    shared_bins: list[tuple[int, float]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.weights = self.weights or [1.0] * len(self.y)
        self.names = self.names or [f"a{i}" for i in range(len(self.columns))]
        self.precision = self.precision or [precision_of(column) for column in self.columns]
        self.shared_bins = self.shared_bins or [(0, 0.0)] * len(self.columns)

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


def stored_cell(table: Table, index: int, cell: Cell) -> Cell:
    """Return a cell as the core stores it: rounded, and missing if its value is not declared."""
    if cell is None:
        return None
    if table.kinds[index] == "continuous":
        return to_single(float(cell)) if table.precision[index] == "single" else float(cell)
    return cell if cell in table.values[index] else None


def prepare(table: Table) -> Table:
    """Return the table without rows of weight 0 and with numbers in their precision."""
    rows = [i for i, weight in enumerate(table.weights) if weight > 0]
    return replace(
        table,
        columns=[
            [stored_cell(table, a, column[i]) for i in rows]
            for a, column in enumerate(table.columns)
        ],
        y=[table.y[i] for i in rows],
        weights=[float(table.weights[i]) for i in rows],
    )


def all_rows(table: Table) -> list[WeightedRow]:
    return list(enumerate(table.weights))


def weight_of(node_rows: Sequence[WeightedRow]) -> float:
    return sum(weight for _, weight in node_rows)


def class_counts(table: Table, node_rows: Sequence[WeightedRow]) -> list[float]:
    counts = [0.0] * len(table.classes)
    for row, weight in node_rows:
        counts[table.classes.index(table.y[row])] += weight
    return counts


def least_side(table: Table, options: Options, rows: float) -> float:
    """Return how many of the rows of a node must lie on each side of a threshold."""
    least = 0.10 * rows / len(table.classes)
    return options.min_objects if least <= options.min_objects else min(least, 25)


def cuts_to_charge(table: Table, index: int, n_cuts: int, rows: float, least: float) -> int:
    """Return the number of cuts that are tried, or would be if the column had no bins."""
    n_numbers, share = table.shared_bins[index]
    return max(n_cuts, int(min(share * max(rows - 2 * least + 1, 0.0), n_numbers)))


def largest_class(counts: Sequence[float], start: int = 0) -> int:
    """Return the start class unless another is larger; ties go to the lowest index."""
    best = start
    for c, count in enumerate(counts):
        if more(count, counts[best]):
            best = c
    return best


def rows_in(counts: Sequence[float], options: Options) -> float:
    """Return the effective number of rows: (sum of w)^2 / (sum of w^2)."""
    if not options.factors or sum(counts) == 0:
        return sum(counts)
    squares = sum(count * f for count, f in zip(counts, options.factors, strict=True))
    return sum(counts) ** 2 / squares


def relative_cost(true: int, predicted: int, options: Options) -> float:
    """Return the cost of an error, relative to the mean of all errors on the true class."""
    if true == predicted:
        return 0.0
    if not options.costs:
        return 1.0
    costs = options.costs[true]
    return costs[predicted] * (len(costs) - 1) / sum(costs)


def cost_of(counts: Sequence[float], label: int, options: Options) -> float:
    """Return the weight of the errors, each times its relative cost."""
    return sum(count * relative_cost(c, label, options) for c, count in enumerate(counts))


def label_of(counts: Sequence[float], options: Options, start: int = 0) -> int:
    """Return the class to predict: the largest, or the cheapest; ties go to start, then lowest."""
    if not options.costs:
        return largest_class(counts, start)
    best = start
    for c in range(len(counts)):
        if less(cost_of(counts, c, options), cost_of(counts, best, options)):
            best = c
    return best


def errors_of(counts: Sequence[float], label: int) -> float:
    """Return the weight of the other classes; the sum of a pure node is exactly 0."""
    return sum(count for c, count in enumerate(counts) if c != label)


def distribution(table: Table, counts: Sequence[float]) -> dict[str, float]:
    return {table.classes[c]: count for c, count in enumerate(counts) if count > 0}


def is_leaf(node: Node) -> bool:
    return "children" not in node


def branch_of(node: Node, cell: Cell) -> int | None:
    """Return the branch of a cell at a split, or None if it takes all branches in shares."""
    of_missing = node.get("missing")
    if cell is None:
        return of_missing
    if node["test"] == "known":
        return 0
    if node["test"] == "<=":
        return 0 if cell <= node["threshold"] else 1
    groups = node["subsets"] if node["test"] == "subset" else [[v] for v in node["values"]]
    return next((b for b, group in enumerate(groups) if cell in group), of_missing)


def branch_count(node: Node) -> int:
    if "separator" in node or node["test"] in ("<=", "known"):
        return 2
    if node["test"] == "subset":
        return len(node["subsets"])
    return len(node["values"]) + (node.get("missing") == len(node["values"]))


def partition(
    table: Table, node: Node, node_rows: Sequence[WeightedRow]
) -> tuple[list[list[WeightedRow]], list[float]]:
    """Return the rows of each branch and the weight of those whose value is known."""
    if "separator" in node:  # an oblique split gives every row a number
        taken = [
            (node_row, int(node["separator"].output(table.row(node_row[0])) > 0))
            for node_row in node_rows
        ]
    else:
        taken = [
            (node_row, branch_of(node, table.columns[node["index"]][node_row[0]]))
            for node_row in node_rows
        ]
    known = [
        [node_row for node_row, b in taken if b == branch] for branch in range(branch_count(node))
    ]
    missing = [node_row for node_row, b in taken if b is None]
    known_weights = [weight_of(branch) for branch in known]
    branches = []
    for branch, weight in zip(known, known_weights, strict=True):
        share = weight / sum(known_weights)
        # A branch without known values gets no missing ones. A row of weight 0 is dropped.
        shares = [(row, w * share) for row, w in missing if w * share > 0]
        branches.append(branch + shares if branch else [])
    return branches, known_weights
