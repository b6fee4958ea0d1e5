"""Which children of a level become one node: by a grid of shares, or by a budget of the index.

Both see only the class weights of the children that are not pure, scaled so that the weights of the
whole level, pure children included, sum to 1. They give groups of child numbers, each in ascending
order and the groups by their first member.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import combinations

from .c45_table import TIE, more
from .criteria import index

Counts = Sequence[float]

# Rises of the index are small numbers, differences of shares of one: their noise is about 1e-16.
NOISE = 1e-12


def summed(parts: Sequence[Counts]) -> list[float]:
    return [sum(by_class) for by_class in zip(*parts, strict=True)]


def index_of(parts: Sequence[Counts], criterion: str) -> float:
    """The weighted impurity of nodes whose weights are shares of a level."""
    return sum(sum(counts) * index(criterion, counts) for counts in parts)


class Grid:
    """Cells of the share q of the second class, for two classes, symmetric about 1/2.

    Let G(q) be the criterion, which rises from 0 at q = 0 to 1 at q = 1/2, and m = min(q, 1 - q).
    With e = Delta/4 and r = 1 + Delta/(4 I'), the cells below the middle are, in terms of G(m),

        cell 0          0         <  G(m) <  e
        cell i          e r^(i-1) <= G(m) <  e r^i      for i = 1, ..., c - 1
        cell c          e r^(c-1) <= G(m) <= 1

    where c is the least whole number >= 1 with e r^c >= 1. So a cell contains its end nearer to 0
    and not the one nearer to 1/2, except that the last one ends with 1/2 itself. The cells above
    1/2 mirror them, and nothing crosses the middle: q = 1/2 belongs below, q > 1/2 above. In all
    2 (c + 1) cells. Pure children (q = 0 or 1) are in none.

    As numbers: with p = log(G(m) / e) / log(r) a child is in cell 0 if p < -1e-9, else in cell
    min(floor(p + 1e-9) + 1, c); it is above the middle if q > 1/2 + 1e-9; and
    c = max(1, ceil(log(1/e) / log(r) - 1e-9)). No cell's border in q is ever computed.

    Why at least half of Delta survives: the index of the nodes of cell 0 rises by less than their
    weight times Delta/4, that of another cell by at most (r - 1) times itself, all of it by at most
    Delta/4 + (Delta/(4 I')) I'.
    """

    def __init__(self, delta: float, after: float, criterion: str) -> None:
        self.edge = delta / 4
        # All children are pure where the index is 0: any ratio will do.
        self.log_ratio = math.log1p(delta / (4 * after)) if after > 0 else math.inf
        self.inner = max(1, math.ceil(-math.log(self.edge) / self.log_ratio - TIE))
        self.criterion = criterion

    @property
    def width(self) -> int:
        return 2 * (self.inner + 1)

    def cell(self, counts: Counts) -> tuple[bool, int]:
        """Whether above the middle, and which one there."""
        above = more(counts[1] / sum(counts), 0.5)
        place = math.log(index(self.criterion, counts) / self.edge) / self.log_ratio
        return above, 0 if place < -TIE else min(math.floor(place + TIE) + 1, self.inner)


def by_grid(children: dict[int, Counts], grid: Grid) -> list[list[int]]:
    groups: dict[tuple[bool, int], list[int]] = {}
    for number, counts in children.items():
        groups.setdefault(grid.cell(counts), []).append(number)
    return list(groups.values())


def by_budget(children: dict[int, Counts], budget: float, criterion: str) -> list[list[int]]:
    """Unite the two groups whose union raises the index least, as long as the budget lasts.

    Of pairs that cost the same but for noise the first counts, in the order of the groups' first
    members. The first pair that the budget does not cover is the end.
    """
    groups = [[number] for number in children]
    weights = [list(counts) for counts in children.values()]
    spent = 0.0
    while len(groups) > 1:
        pairs = list(combinations(range(len(groups)), 2))
        rises = []
        for i, j in pairs:
            both = [weights[i], weights[j]]
            rises.append(index_of([summed(both)], criterion) - index_of(both, criterion))
        least = min(rises)
        rise, (i, j) = next(
            one for one in zip(rises, pairs, strict=True) if one[0] <= least + NOISE
        )
        if spent + rise > budget + NOISE:
            break
        spent += rise
        groups[i], weights[i] = sorted(groups[i] + groups[j]), summed([weights[i], weights[j]])
        del groups[j], weights[j]
    return groups
