"""The best binary test of a node: a threshold, or a grouping of nominal values."""

from __future__ import annotations

from collections.abc import Sequence

from .c45_grouping import grouping_split
from .c45_grow import threshold_split
from .c45_table import EPS, Item, Node, Table, more
from .c45_table import Options as C45Options
from .c45_value import value_of
from .program_table import Options

IMPROVING = 0.0  # a test must gain more than this
ANY = -EPS  # a test that gains nothing will do


def best_test(table: Table, options: Options, items: list[Item], least: float) -> Node | None:
    """The test of greatest gain above `least`; of equals the lowest feature, the lowest cut.

    The gain is C4.5's: the impurity removed on the rows whose value is known, times their share.
    """
    criterion = "gain" if options.criterion == "entropy" else options.criterion
    rules = C45Options(criterion, options.min_objects, threshold_penalty=False)
    best, chosen = least, None
    for index, kind in enumerate(table.kinds):
        find = threshold_split if kind == "continuous" else grouping_split
        split = find(table, rules, items, index, least)
        if more(value_of(split.gain, split.info, 0.0, rules), best):
            best, chosen = split.gain, split.test
    return chosen


def advantage(branches: Sequence[Sequence[float]]) -> float:
    """Of a split of two classes: 1/4 the difference of where the classes go (spec, section 4)."""
    first, second = (sum(branch[k] for branch in branches) for k in (0, 1))
    return sum(abs(branch[0] / first - branch[1] / second) for branch in branches) / 4
