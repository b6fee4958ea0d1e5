"""The score of a split: gain, split information, and the value by which features compete."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .c45_table import EPS, Node, Options, at_least, at_most, more, rows_in
from .criteria import IMPURITY, information

Counts = Sequence[float]  # weights by class


@dataclass(frozen=True)
class Split:
    gain: float  # -EPS means that the feature cannot be used
    info: float
    test: Node | None


UNUSABLE = Split(-EPS, 0.0, None)


def gain_of(
    branches: Sequence[Counts], known_counts: Counts, missing: float, m: float, options: Options
) -> float:
    """Return the impurity that a split removes, times the share of rows with a value."""
    known = sum(known_counts)
    n_large = sum(at_least(rows_in(branch, options), m) for branch in branches)
    if at_most(known, 0) or n_large < 2:
        return -EPS
    impurity = IMPURITY[options.criterion]
    after = sum(sum(branch) / known * impurity(branch) for branch in branches)
    return known / (known + missing) * (impurity(known_counts) - after)


def split_info(branches: Sequence[Counts], missing: float, total: float) -> float:
    """Return the split information; missing is one more outcome."""
    return information([missing, *map(sum, branches)]) / total


def value_of(gain: float, info: float, average: float, options: Options) -> float:
    """Return the value by which features compete, or -EPS if the split is not allowed."""
    if not more(gain, -EPS):
        return -EPS
    if options.criterion == "gain_ratio":
        return gain / info if at_least(gain, average - EPS) and more(info, EPS) else -EPS
    return gain if more(info, 0) else -EPS
