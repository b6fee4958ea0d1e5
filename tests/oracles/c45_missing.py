"""Splits that send missing values down one branch (``missing="branch"``), rule by rule.

All rows of a node count. Missing is one more value of a nominal feature, after the declared ones,
if rows of the node lack the value. A threshold is tried with the missing rows on either side, and
missing values are tried against all known ones.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

from .c45_table import (
    Node,
    Options,
    Table,
    WeightedRow,
    at_least,
    class_counts,
    cuts_to_charge,
    least_side,
    less,
    more,
    partition,
    rows_in,
    weight_of,
)
from .c45_value import UNUSABLE, Split, gain_of, split_info

#: Stands for missing among the values of a nominal feature.
MISSING = "(missing)"

Search = Callable[[Table, Options, list[WeightedRow], int], Split]


def n_values(table: Table, options: Options, index: int) -> int:
    """Count the declared values, and missing if it is a value and occurs in the table."""
    is_value = options.missing == "branch" and None in table.columns[index]
    return len(table.values[index]) + is_value


def nominal_split(
    search: Search, table: Table, options: Options, node_rows: list[WeightedRow], index: int
) -> Split:
    """Return the split that a search finds if missing is one more value."""
    if not lack_values(table, node_rows, index):
        return search(table, options, node_rows, index)
    split = search(with_missing_as_value(table, index), options, node_rows, index)
    if split.test is None:
        return split
    return replace(split, test=without_missing_value(split.test))


def lack_values(table: Table, node_rows: list[WeightedRow], index: int) -> bool:
    """Return whether rows of a node lack the value of a feature."""
    return any(table.columns[index][row] is None for row, _ in node_rows)


def with_missing_as_value(table: Table, index: int) -> Table:
    """Return the table with one more value of a feature, the last one, in place of missing."""
    columns, values = list(table.columns), list(table.values)
    columns[index] = [MISSING if cell is None else cell for cell in columns[index]]
    values[index] = [*values[index], MISSING]
    return replace(table, columns=columns, values=values)


def without_missing_value(test: Node) -> Node:
    """Return a test of that table as one of the table itself."""
    if test["test"] == "value":
        return {**test, "values": test["values"][:-1], "missing": len(test["values"]) - 1}
    branch = next(b for b, group in enumerate(test["subsets"]) if MISSING in group)
    subsets = [[v for v in group if v != MISSING] for group in test["subsets"]]
    return {**test, "subsets": subsets, "missing": branch}


def with_missing_branch(table: Table, test: Node, node_rows: list[WeightedRow]) -> Node:
    """Return the test with a branch for missing values: the heaviest one, if no row needed it."""
    if "missing" in test:
        return test
    _, weights = partition(table, test, node_rows)
    heaviest = 0
    for b, weight in enumerate(weights):
        if more(weight, weights[heaviest]):
            heaviest = b
    return {**test, "missing": heaviest}


def threshold_split(
    table: Table,
    options: Options,
    node_rows: list[WeightedRow],
    index: int,
    threshold_between: Callable[[Table, int, float, float], float],
    lowest: float = 0.0,
) -> Split:
    """Return the best of all cuts with missing on either side, and of missing against known.

    It must gain more than `lowest`.
    """
    total = class_counts(table, node_rows)
    if less(rows_in(total, options), 2 * options.min_objects):
        return UNUSABLE
    tried = []
    for test, sides in threshold_splits(table, node_rows, index, threshold_between):
        counts = [class_counts(table, side) for side in sides]
        if are_enough(table, options, counts):
            tried.append((test, counts))
    penalised = options.threshold_penalty and options.criterion in ("gain_ratio", "gain")
    on_sides = [0, 0]  # cuts tried with the missing rows on the low and on the high side
    for test, _ in tried:
        on_sides[test["missing"]] += test["test"] != "known"
    rows = rows_in(total, options)
    n_charged = len(tried) - sum(on_sides)
    for n_cuts in on_sides:
        n_charged += cuts_to_charge(table, index, n_cuts, rows, least_side(table, options, rows))
    penalty = math.log2(n_charged) / sum(total) if tried and penalised else 0.0
    if options.factors:
        at_node = zip(total, options.factors, strict=True)
        penalty *= max(factor for count, factor in at_node if count > 0)

    best, chosen = lowest, None
    for test, counts in tried:
        gain = gain_of(counts, total, 0.0, options.min_objects, options) - penalty
        if more(gain, best):
            best, chosen = gain, (test, counts)
    if chosen is None:
        return UNUSABLE
    return Split(best, split_info(chosen[1], 0.0, sum(total)), chosen[0])


def are_enough(table: Table, options: Options, counts: list[list[float]]) -> bool:
    """Return whether both sides of a threshold, given by their class weights, are large enough."""
    total = [sum(of_class) for of_class in zip(*counts, strict=True)]
    least = least_side(table, options, rows_in(total, options))
    return all(at_least(rows_in(count, options), least) for count in counts)


def threshold_splits(
    table: Table,
    node_rows: list[WeightedRow],
    index: int,
    threshold_between: Callable[[Table, int, float, float], float],
) -> list[tuple[Node, list[list[WeightedRow]]]]:
    """Return the tests in the order in which ties are decided, and the rows of their two sides."""
    column = table.columns[index]
    missing = [node_row for node_row in node_rows if column[node_row[0]] is None]
    known = [node_row for node_row in node_rows if column[node_row[0]] is not None]
    numbers = sorted({column[row] for row, _ in known})
    name = {"attr": table.names[index], "index": index}

    candidates: list[tuple[Node, list[list[WeightedRow]]]] = []
    for below, above in pairwise(numbers):
        if not below < above - 1e-5:
            continue
        threshold = threshold_between(table, index, below, above)
        low = [node_row for node_row in known if column[node_row[0]] <= below]
        high = [node_row for node_row in known if column[node_row[0]] > below]
        at_cut = {**name, "test": "<=", "threshold": threshold}
        first = 0 if at_least(weight_of(low), weight_of(high)) else 1  # wins a tie
        for branch in (first, 1 - first):
            sides = [low + missing, high] if branch == 0 else [low, high + missing]
            candidates.append(({**at_cut, "missing": branch}, sides))
    if known:
        candidates.append(({**name, "test": "known", "missing": 1}, [known, missing]))
    return candidates
