"""A level that may only be so wide: tests and merging searched together (spec, section 6b).

First every node has its own best test, and the pairs of children that cost least are united until
the level is narrow enough. Then children change groups as long as the index falls. Then, node by
node and again until nothing changes: given the groups of all other children, the node gets the test
that lowers the index most with its two branches in the two groups where its children are, either
way round; then its children may change groups again. A pure child is a leaf of its own and adds
nothing to a group; a test that would make it mixed sends it where it would cost least now.

No number is carried over from step to step: everything is counted anew from the items.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import combinations
from typing import Any

from .c45_grouping import by_share
from .c45_grow import threshold_between
from .c45_table import Item, Node, Table, at_most, class_counts, divide, less, weight_of
from .program_merge import NOISE, Counts, index_of, summed
from .program_table import Options, leaf_of

Split = list[tuple[int, list[Item], Node]]  # nodes by number, what has reached them, their tests
Family = list[list[Item]]  # the items of both branches
SWEEPS, SWEEPS_OF_NODES = 100, 10


class Level:
    """The tests of a level's nodes and the groups of their children, two per node."""

    def __init__(self, table: Table, options: Options, split: Split) -> None:
        self.table, self.options, self.split = table, options, list(split)
        self.total = sum(weight_of(items) for _, items, _ in split)
        self.families: list[Family] = [divide(table, test, items)[0] for _, items, test in split]
        self.n_groups = 1
        self.group_of = [0] * (2 * len(split))

    def index(self) -> float:
        """After merging; leaves have none."""
        return index_of([self.sum_of(g) for g in range(self.n_groups)], self.options.criterion)

    def sum_of(self, group: int, without: Sequence[int] = ()) -> Counts:
        children = [
            self.added(self.families[c // 2][c % 2])
            for c, home in enumerate(self.group_of)
            if home == group and c not in without
        ]
        return summed([[0.0] * len(self.table.classes), *children])

    def added(self, child: list[Item]) -> Counts:
        """What a child adds to its group: a pure one nothing."""
        if at_most(leaf_of(self.table, child)["e"], 0):
            return [0.0] * len(self.table.classes)
        return self.scaled(child)

    def scaled(self, child: list[Item]) -> Counts:
        return [count / self.total for count in class_counts(self.table, child)]

    def is_mixed(self, c: int) -> bool:
        return sum(self.added(self.families[c // 2][c % 2])) > 0

    def joined(self, child: Counts, group: int, without: Sequence[int]) -> float:
        """By how much a child raises the index of a group of others."""
        others = self.sum_of(group, without)
        criterion = self.options.criterion
        return index_of([summed([others, child])], criterion) - index_of([others], criterion)

    def reassign(self, c: int) -> bool:
        """Put a child where the index is lowest; false if it is there."""
        home, child = self.group_of[c], self.added(self.families[c // 2][c % 2])
        best, least = home, self.joined(child, home, [c]) - NOISE
        for group in range(self.n_groups):
            if group != home and (rise := self.joined(child, group, [c])) < least:
                best, least = group, rise - NOISE
        self.group_of[c] = best
        return best != home

    def targets(self, node: int) -> tuple[int, int]:
        """The groups of a node's children; of a pure one, where it would cost least."""
        found = []
        for c in (2 * node, 2 * node + 1):
            target, least = self.group_of[c], math.inf
            if not self.is_mixed(c):
                child = self.scaled(self.families[node][c % 2])
                for group in range(self.n_groups):
                    rise = self.joined(child, group, [2 * node, 2 * node + 1])
                    if rise < least:
                        target, least = group, rise - NOISE
            found.append(target)
        return found[0], found[1]

    def index_with(self, node: int, family: Family, targets: tuple[int, int]) -> float:
        """The index of the two groups if the node's branches were these, and led there."""
        own = [2 * node, 2 * node + 1]
        groups = {group: [self.sum_of(group, own)] for group in targets}
        for child, group in zip(family, targets, strict=True):
            groups[group].append(self.added(child))
        return index_of([summed(parts) for parts in groups.values()], self.options.criterion)

    def better_test(self, node: int) -> tuple[Node, Family, tuple[int, int]] | None:
        """The test that lowers the index most for the node's targets, and what leads where."""
        _, items, _ = self.split[node]
        targets = self.targets(node)
        limit = self.index_with(node, self.families[node], targets) - NOISE
        chosen, below = None, limit
        for column in range(len(self.table.kinds)):
            # Each column has its own best, the first of equals but for noise; so have the columns.
            best, least, below_in_column = None, math.inf, limit
            for test, first_is_low in tests_of(self.table, self.options, items, column):
                family = divide(self.table, test, items)[0]
                as_is, turned = targets, (targets[1], targets[0])
                for places in (as_is, turned) if first_is_low else (turned, as_is):
                    if (index := self.index_with(node, family, places)) < below_in_column:
                        best, least, below_in_column = (test, family, places), index, index - NOISE
            if least < below:
                chosen, below = best, least - NOISE
        return chosen

    def choose_anew(self, node: int) -> bool:
        chosen = self.better_test(node)
        if chosen is None:
            return False
        number, items, _ = self.split[node]
        test, self.families[node], places = chosen
        self.split[node] = (number, items, test)
        self.group_of[2 * node : 2 * node + 2] = places
        return True


def searched(table: Table, options: Options, split: Split) -> Level:
    """The level with its tests and groups."""
    level = assigned(table, options, split)
    if sum(map(level.is_mixed, range(len(level.group_of)))) > level.n_groups:
        for _ in range(SWEEPS_OF_NODES):
            changed = False
            for node in range(len(split)):
                changed |= level.choose_anew(node)
                changed |= level.reassign(2 * node)
                changed |= level.reassign(2 * node + 1)
            if not changed:
                break
    return level


def assigned(table: Table, options: Options, split: Split) -> Level:
    """The level with the tests as they are, and groups for the children."""
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
                index_of([summed(both)], options.criterion) - index_of(both, options.criterion)
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
    # Those that everybody has left come last.
    for g, group in enumerate(by_group({c: level.group_of[c] for c in mixed})):
        for c in group:
            level.group_of[c] = g
    return level


def by_group(group_of: dict[int, int]) -> list[list[int]]:
    """The children of each group, the groups by their first members."""
    groups: dict[int, list[int]] = {}
    for c, group in group_of.items():
        groups.setdefault(group, []).append(c)
    return list(groups.values())


def tests_of(
    table: Table, options: Options, items: list[Item], column: int
) -> Iterator[tuple[Node, bool]]:
    """The tests of a column in the order of their cuts, and whether the first branch is below."""
    cells = table.columns[column]
    counts = {
        value: class_counts(table, [item for item in items if cells[item[0]] == value])
        for value in (table.values[column] or sorted({x for x in cells if x is not None}))
    }
    present = [value for value, by_class in counts.items() if sum(by_class) > 0]
    known = sum(sum(by_class) for by_class in counts.values())
    about = {"attr": table.names[column], "index": column}
    if table.kinds[column] == "continuous":
        tenth = 0.1 * known / len(table.classes)
        least = options.min_objects if tenth <= options.min_objects else min(tenth, 25)
        for low, high in _cuts(present, counts, least):
            if low[-1] < high[0] - 1e-5:
                threshold = threshold_between(table, column, low[-1], high[0])
                yield {**about, "test": "<=", "threshold": threshold}, True
        return
    local = [k for k, count in enumerate(class_counts(table, items)) if count > 0]
    for k in local[:1] if len(local) == 2 else local:
        order = by_share({value: counts[value][k] / sum(counts[value]) for value in present})
        for low, high in _cuts(order, counts, options.min_objects):
            groups = [[value for value in present if value in side] for side in (low, high)]
            first_is_low = present[0] in low
            subsets = groups if first_is_low else groups[::-1]
            yield {**about, "test": "subset", "subsets": subsets}, first_is_low


def _cuts(
    order: list[Any], counts: dict[Any, list[float]], least: float
) -> Iterator[tuple[list[Any], list[Any]]]:
    """Both sides of every cut that leaves enough weight on each."""
    weights = [sum(counts[value]) for value in order]
    known = sum(weights)
    for i in range(1, len(order)):
        below = sum(weights[:i])
        if not less(below, least) and not less(known - least, below):
            yield order[:i], order[i:]
