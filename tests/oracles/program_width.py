"""Levels of limited width: splits and groups of children are searched together.

First every node has its own best split, and the pairs of children that cost least are merged until
the level is narrow enough. Then children change groups as long as the impurity falls. Then, node by
node and until nothing changes, the groups of all other children stay fixed and the node gets the
split that lowers the impurity most. Its two branches lead to the two groups of its children, in
either order. Its children may then change groups again. A pure child is a leaf of its own and adds
nothing to a group. If another split makes it mixed, it goes to the group where it costs least.

No sum is carried from step to step: everything is computed again from the rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from . import c45_missing
from .c45_grouping import by_share
from .c45_table import (
    Node,
    Table,
    WeightedRow,
    at_most,
    class_counts,
    less,
    partition,
    rows_in,
    weight_of,
)
from .c45_thresholds import threshold_between
from .program_merge import NOISE, Counts, summed, weighted_impurity
from .program_table import Options, leaf_of

Split = list[tuple[int, list[WeightedRow], Node]]  # positions of nodes, their rows, their splits
Family = list[list[WeightedRow]]  # the rows of both branches
SWEEPS, SWEEPS_OF_NODES = 100, 10


class Level:
    """The splits of the nodes of a level and the groups of their children, two per node."""

    def __init__(self, table: Table, options: Options, split: Split) -> None:
        self.table, self.options, self.split = table, options, list(split)
        self.total = sum(weight_of(node_rows) for _, node_rows, _ in split)
        self.families: list[Family] = [
            partition(table, test, node_rows)[0] for _, node_rows, test in split
        ]
        self.n_groups = 1
        self.group_of = [0] * (2 * len(split))

    def weighted_impurity(self) -> float:
        """Return the weighted impurity after merging; pure leaves add nothing."""
        return weighted_impurity(
            [self.sum_of(g) for g in range(self.n_groups)], self.options.criterion
        )

    def sum_of(self, group: int, without: Sequence[int] = ()) -> Counts:
        children = [
            self.added(self.families[c // 2][c % 2])
            for c, home in enumerate(self.group_of)
            if home == group and c not in without
        ]
        return summed([[0.0] * len(self.table.classes), *children])

    def added(self, child: list[WeightedRow]) -> Counts:
        """Return the class weights that a child adds to its group; a pure child adds nothing."""
        if at_most(leaf_of(self.table, child)["e"], 0):
            return [0.0] * len(self.table.classes)
        return self.scaled(child)

    def scaled(self, child: list[WeightedRow]) -> Counts:
        return [count / self.total for count in class_counts(self.table, child)]

    def is_mixed(self, c: int) -> bool:
        return sum(self.added(self.families[c // 2][c % 2])) > 0

    def rise_with(self, child: Counts, group: int, without: Sequence[int]) -> float:
        """Return how much a child raises the impurity of a group of other children."""
        others = self.sum_of(group, without)
        criterion = self.options.criterion
        return weighted_impurity([summed([others, child])], criterion) - weighted_impurity(
            [others], criterion
        )

    def reassign(self, c: int) -> bool:
        """Move a child to the group with the lowest impurity; return whether it moved."""
        home, child = self.group_of[c], self.added(self.families[c // 2][c % 2])
        best, least = home, self.rise_with(child, home, [c]) - NOISE
        for group in range(self.n_groups):
            if group != home and (rise := self.rise_with(child, group, [c])) < least:
                best, least = group, rise - NOISE
        self.group_of[c] = best
        return best != home

    def targets(self, node: int) -> tuple[int, int]:
        """Return the groups of the two children; a pure child goes where it costs least."""
        groups = []
        for c in (2 * node, 2 * node + 1):
            target, least = self.group_of[c], math.inf
            if not self.is_mixed(c):
                child = self.scaled(self.families[node][c % 2])
                for group in range(self.n_groups):
                    rise = self.rise_with(child, group, [2 * node, 2 * node + 1])
                    if rise < least:
                        target, least = group, rise - NOISE
            groups.append(target)
        return groups[0], groups[1]

    def impurity_with(self, node: int, family: Family, targets: tuple[int, int]) -> float:
        """Return the impurity of the two groups if the branches of the node led there."""
        own = [2 * node, 2 * node + 1]
        groups = {group: [self.sum_of(group, own)] for group in targets}
        for child, group in zip(family, targets, strict=True):
            groups[group].append(self.added(child))
        return weighted_impurity(
            [summed(parts) for parts in groups.values()], self.options.criterion
        )

    def better_split(self, node: int) -> tuple[Node, Family, tuple[int, int]] | None:
        """Return the split that lowers the impurity most, its branches and their groups."""
        _, node_rows, _ = self.split[node]
        targets = self.targets(node)
        limit = self.impurity_with(node, self.families[node], targets) - NOISE
        chosen, below = None, limit
        for column in range(len(self.table.kinds)):
            # Ties up to rounding go to the first split of a column, and then to the first column.
            best, least, below_in_column = None, math.inf, limit
            for test, first_is_low in candidate_splits(self.table, self.options, node_rows, column):
                family = partition(self.table, test, node_rows)[0]
                as_is, turned = targets, (targets[1], targets[0])
                for places in (as_is, turned) if first_is_low else (turned, as_is):
                    if (index := self.impurity_with(node, family, places)) < below_in_column:
                        best, least, below_in_column = (test, family, places), index, index - NOISE
            if least < below:
                chosen, below = best, least - NOISE
        return chosen

    def choose_split(self, node: int) -> bool:
        chosen = self.better_split(node)
        if chosen is None:
            return False
        number, node_rows, _ = self.split[node]
        test, self.families[node], places = chosen
        self.split[node] = (number, node_rows, test)
        self.group_of[2 * node : 2 * node + 2] = places
        return True


def search_level(table: Table, options: Options, split: Split) -> Level:
    """Return the level with its splits and groups."""
    level = assign_groups(table, options, split)
    if sum(map(level.is_mixed, range(len(level.group_of)))) > level.n_groups:
        for _ in range(SWEEPS_OF_NODES):
            changed = False
            for node in range(len(split)):
                changed |= level.choose_split(node)
                changed |= level.reassign(2 * node)
                changed |= level.reassign(2 * node + 1)
            if not changed:
                break
    return level


def assign_groups(table: Table, options: Options, split: Split) -> Level:
    """Return the level with the given splits, and with groups for the children."""
    level = Level(table, options, split)
    mixed = [c for c in range(len(level.group_of)) if level.is_mixed(c)]
    groups = [[c] for c in mixed]
    while len(groups) > options.max_width:
        weights = [
            summed([level.scaled(level.families[c // 2][c % 2]) for c in group]) for group in groups
        ]
        pairs = list(combinations(range(len(groups)), 2))
        rises = []
        for i, j in pairs:
            both = [weights[i], weights[j]]
            rises.append(
                weighted_impurity([summed(both)], options.criterion)
                - weighted_impurity(both, options.criterion)
            )
        i, j = next(p for p, rise in zip(pairs, rises, strict=True) if rise <= min(rises) + NOISE)
        groups[i] = sorted(groups[i] + groups.pop(j))
    level.n_groups = max(1, len(groups))
    for g, group in enumerate(groups):
        for c in group:
            level.group_of[c] = g
    for _ in range(SWEEPS if len(groups) < len(mixed) else 0):
        if not any([level.reassign(c) for c in mixed]):
            break
    # Groups without members come last.
    for g, group in enumerate(by_group({c: level.group_of[c] for c in mixed})):
        for c in group:
            level.group_of[c] = g
    return level


def by_group(group_of: dict[int, int]) -> list[list[int]]:
    """Return the children of each group; groups are ordered by their first members."""
    groups: dict[int, list[int]] = {}
    for c, group in group_of.items():
        groups.setdefault(group, []).append(c)
    return list(groups.values())


def candidate_splits(
    table: Table, options: Options, node_rows: list[WeightedRow], column: int
) -> Iterator[tuple[Node, bool]]:
    """Yield the splits of a column in the order of their cuts, and whether branch 0 is below."""
    if options.missing == "fraction":
        yield from _known_splits(table, options, node_rows, column)
    elif not c45_missing.lack_values(table, node_rows, column):
        for test, first_is_low in _known_splits(table, options, node_rows, column):
            yield c45_missing.with_missing_branch(table, test, node_rows), first_is_low
    elif table.kinds[column] == "continuous":
        for test, sides in c45_missing.threshold_splits(
            table, node_rows, column, threshold_between
        ):
            counts = [class_counts(table, side) for side in sides]
            if c45_missing.are_enough(table, options.of_c45, counts):
                yield test, True
    else:
        written = c45_missing.with_missing_as_value(table, column)
        for test, first_is_low in _known_splits(written, options, node_rows, column):
            yield c45_missing.without_missing_value(test), first_is_low


def _known_splits(
    table: Table, options: Options, node_rows: list[WeightedRow], column: int
) -> Iterator[tuple[Node, bool]]:
    """Yield the splits of the known values."""
    cells = table.columns[column]
    counts = {
        value: class_counts(
            table, [node_row for node_row in node_rows if cells[node_row[0]] == value]
        )
        for value in (table.values[column] or sorted({x for x in cells if x is not None}))
    }
    present = [value for value, by_class in counts.items() if sum(by_class) > 0]
    known = rows_in(
        [sum(by_class) for by_class in zip(*counts.values(), strict=True)], options.of_c45
    )
    if less(known, 2 * options.min_objects):
        return
    about = {"attr": table.names[column], "index": column}
    if table.kinds[column] == "continuous":
        tenth = 0.1 * known / len(table.classes)
        least = options.min_objects if tenth <= options.min_objects else min(tenth, 25)
        for low, high in _cuts(present, counts, least, options):
            if low[-1] < high[0] - 1e-5:
                threshold = threshold_between(table, column, low[-1], high[0])
                yield {**about, "test": "<=", "threshold": threshold}, True
        return
    local = [k for k, count in enumerate(class_counts(table, node_rows)) if count > 0]
    for k in local[:1] if len(local) == 2 else local:
        order = by_share({value: counts[value][k] / sum(counts[value]) for value in present})
        for low, high in _cuts(order, counts, options.min_objects, options):
            groups = [[value for value in present if value in side] for side in (low, high)]
            first_is_low = present[0] in low
            subsets = groups if first_is_low else groups[::-1]
            yield {**about, "test": "subset", "subsets": subsets}, first_is_low


def _cuts(
    order: list[Any], counts: dict[Any, list[float]], least: float, options: Options
) -> Iterator[tuple[list[Any], list[Any]]]:
    """Yield both sides of every cut that has enough rows on each side."""
    for i in range(1, len(order)):
        sides = order[:i], order[i:]
        sums = [
            [sum(x) for x in zip(*(counts[value] for value in side), strict=True)] for side in sides
        ]
        if not any(less(rows_in(by_class, options.of_c45), least) for by_class in sums):
            yield sides
