"""The best binary split of a node: a threshold, or two groups of nominal values."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from . import c45_missing
from .c45_grouping import grouping_split
from .c45_grow import threshold_split
from .c45_table import EPS, Node, Table, WeightedRow, class_counts, less, more, rows_in
from .c45_thresholds import threshold_between
from .c45_value import Split, value_of
from .program_table import Options

IMPROVING = 0.0  # a split must gain more than this
ANY = -EPS  # a split without a gain is allowed


def best_split(
    table: Table, options: Options, node_rows: list[WeightedRow], least: float
) -> Node | None:
    """Return the split with the greatest gain above `least`.

    Ties go to the lowest feature and the lowest cut. The gain is that of C4.5: the impurity removed
    for the rows whose value is known, times their share. If missing values take one branch, all
    rows count.
    """
    rules = options.of_c45
    best, chosen = least, None
    if less(rows_in(class_counts(table, node_rows), rules), 2 * options.min_objects):
        return None
    for index, kind in enumerate(table.kinds):
        find = _best_threshold if kind == "continuous" else _best_groups
        split = find(table, options, node_rows, index, least)
        if more(value_of(split.gain, split.info, 0.0, rules), best):
            best, chosen = split.gain, split.test
    if chosen is not None and options.missing == "branch":
        return c45_missing.with_missing_branch(table, chosen, node_rows)
    return chosen


def _best_threshold(
    table: Table, options: Options, node_rows: list[WeightedRow], index: int, least: float
) -> Split:
    rules = options.of_c45
    if options.missing == "branch" and c45_missing.lack_values(table, node_rows, index):
        return c45_missing.threshold_split(table, rules, node_rows, index, threshold_between, least)
    return threshold_split(table, rules, node_rows, index, least)


def _best_groups(
    table: Table, options: Options, node_rows: list[WeightedRow], index: int, least: float
) -> Split:
    search = partial(grouping_split, least=least)
    if options.missing == "branch":
        return c45_missing.nominal_split(search, table, options.of_c45, node_rows, index)
    return search(table, options.of_c45, node_rows, index)


def advantage(branches: Sequence[Sequence[float]]) -> float:
    """Return 1/4 of the difference between the branch shares of the two classes."""
    first, second = (sum(branch[k] for branch in branches) for k in (0, 1))
    return sum(abs(branch[0] / first - branch[1] / second) for branch in branches) / 4
