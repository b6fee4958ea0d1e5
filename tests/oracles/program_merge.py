"""Merge the children of a level by a grid of class shares, or by a budget of impurity.

Both use only the class weights of the children that are not pure, scaled so that the weights of the
whole level, pure children included, sum to 1. They return groups of child positions. Each group is
in ascending order, and the groups are ordered by their first members.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

from .c45_table import TIE, more
from .criteria import normalised_impurity

Counts = Sequence[float]

# A rise of impurity is a small difference of numbers up to 1; its rounding error is about 1e-16.
NOISE = 1e-12


def summed(parts: Sequence[Counts]) -> list[float]:
    return [sum(by_class) for by_class in zip(*parts, strict=True)]


def weighted_impurity(parts: Sequence[Counts], criterion: str) -> float:
    """Return the sum of weight times impurity; weights are shares of a level."""
    return sum(sum(counts) * normalised_impurity(criterion, counts) for counts in parts)


class Grid:
    """Cells for the share q of the second class of two, symmetric about 1/2.

    Let G(q) be the criterion, which rises from 0 at q = 0 to 1 at q = 1/2, and m = min(q, 1 - q).
    With e = Delta/4 and r = 1 + Delta/(4 I'), the cells below the middle are, in terms of G(m),

        cell 0          0         <  G(m) <  e
        cell i          e r^(i-1) <= G(m) <  e r^i      for i = 1, ..., c - 1
        cell c          e r^(c-1) <= G(m) <= 1

    where c is the least whole number >= 1 with e r^c >= 1. A cell contains its end nearer to 0 but
    not the end nearer to 1/2. Only the last cell contains 1/2. The cells above 1/2 mirror those
    below; q = 1/2 belongs below and q > 1/2 above. There are 2 (c + 1) cells. Pure children (q = 0
    or 1) are in no cell.

    In floating point, with p = log(G(m) / e) / log(r), a child is in cell 0 if p < -1e-9, else in
    cell min(floor(p + 1e-9) + 1, c). It is above the middle if q > 1/2 + 1e-9. The last cell is
    c = max(1, ceil(log(1/e) / log(r) - 1e-9)). The border of a cell in q is never computed.

    At least half of Delta remains after merging: the impurity of the nodes in cell 0 rises by less
    than their weight times Delta/4, and that of another cell by at most (r - 1) times itself.
    Together that is at most Delta/4 + (Delta/(4 I')) I'.
    """

    def __init__(self, delta: float, after: float, criterion: str) -> None:
        self.edge = delta / 4
        # All children are pure if the impurity is 0; the ratio is then not used.
        self.log_ratio = math.log1p(delta / (4 * after)) if after > 0 else math.inf
        self.inner = max(1, math.ceil(-math.log(self.edge) / self.log_ratio - TIE))
        self.criterion = criterion

    @property
    def width(self) -> int:
        return 2 * (self.inner + 1)

    def cell(self, counts: Counts) -> tuple[bool, int]:
        """Return whether the cell is above the middle, and its index on that side."""
        above = more(counts[1] / sum(counts), 0.5)
        place = math.log(normalised_impurity(self.criterion, counts) / self.edge) / self.log_ratio
        return above, 0 if place < -TIE else min(math.floor(place + TIE) + 1, self.inner)


def by_grid(children: dict[int, Counts], grid: Grid) -> list[list[int]]:
    groups: dict[tuple[bool, int], list[int]] = {}
    for number, counts in children.items():
        groups.setdefault(grid.cell(counts), []).append(number)
    return list(groups.values())


def by_budget(children: dict[int, Counts], budget: float, criterion: str) -> list[list[int]]:
    """Merge the two groups whose merge raises the impurity least, as long as the budget lasts.

    Ties up to rounding go to the first pair, in the order of the first members of the groups. The
    merging ends at the first pair that the budget does not cover.
    """
    groups = [[number] for number in children]
    weights = [list(counts) for counts in children.values()]
    spent = 0.0
    while len(groups) > 1:
        pairs = list(combinations(range(len(groups)), 2))
        rises = []
        for i, j in pairs:
            both = [weights[i], weights[j]]
            rises.append(
                weighted_impurity([summed(both)], criterion) - weighted_impurity(both, criterion)
            )
        least = min(rises)
        rise, (i, j) = next(
            (rise, pair) for rise, pair in zip(rises, pairs, strict=True) if rise <= least + NOISE
        )
        if spent + rise > budget + NOISE:
            break
        spent += rise
        groups[i], weights[i] = sorted(groups[i] + groups[j]), summed([weights[i], weights[j]])
        del groups[j], weights[j]
    return groups
