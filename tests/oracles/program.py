"""Naive growing of a branching program, level by level (spec, section 6).

A level's nodes are all split, each by its best test; then the children that are not pure are
merged, and what they become is the next level. A pure child is a leaf of its own, never merged.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .c45_table import (
    Item,
    Node,
    Table,
    all_items,
    at_least,
    at_most,
    class_counts,
    divide,
    more,
    prepared,
    weight_of,
)
from .program_merge import Counts, Grid, by_budget, by_grid, index_of
from .program_prune import prune, unite
from .program_split import ANY, IMPROVING, advantage, best_test
from .program_table import Level, Options, Program, leaf_of, pooled, predict_proba, with_errors
from .program_width import by_group, searched

__all__ = ["Level", "Options", "Program", "grow", "predict_proba", "prune", "unite"]

State = list[tuple[int, list[Item]]]  # the nodes of a level by number, and what has reached them
Split = list[tuple[int, list[Item], Node]]  # those that are split, and how


def grow(table: Table, options: Options) -> Program:
    """Grow until a rule stops it; what is left of the last level are leaves.

    `stopped` is "no node left" (all are pure, or no test improves any), "no gain" (the tests
    improve what they can judge, the level as a whole does not), "max_levels", "max_nodes" (the next
    level would pass it: it is split wholly or not at all) or "repeated" (an earlier level had the
    same instances in the same nodes).
    """
    if options.merge == "grid" and len(table.classes) > 2:
        raise ValueError("a grid is for two classes")
    table = prepared(table)
    root = leaf_of(table, all_items(table))
    program = Program([root], [], "")
    state: State = [] if at_most(root["e"], 0) else [(0, all_items(table))]
    seen: list[State] = []
    while not program.stopped:
        split = _chosen_tests(table, options, state)
        program.stopped = _reason_to_stop(program, options, state, split, seen)
        if not program.stopped:
            seen.append(state)
            state = _split_and_merge(program, table, options, split)
    program.nodes = with_errors(program.nodes)
    return program


def _chosen_tests(table: Table, options: Options, state: State) -> Split:
    """The nodes that a test improves; if there are none, those that any test divides, if asked."""
    for least in (IMPROVING, ANY) if options.split_without_gain else (IMPROVING,):
        tests = [(n, items, best_test(table, options, items, least)) for n, items in state]
        if split := [(number, items, test) for number, items, test in tests if test is not None]:
            return split
    return []


def _reason_to_stop(
    program: Program, options: Options, state: State, split: Split, seen: Sequence[State]
) -> str:
    """Empty if there is none yet: that a level gains nothing shows when it is split."""
    if not split:
        return "no node left"
    if any(_same(state, other) for other in seen):
        return "repeated"
    if len(program.levels) == options.max_levels:
        return "max_levels"
    if options.max_nodes is not None and program.size + len(split) > options.max_nodes:
        return "max_nodes"
    return ""


def _split_and_merge(program: Program, table: Table, options: Options, split: Split) -> State:
    """Give the nodes their tests and children; return the next level."""
    narrow = searched(table, options, split) if options.merge == "width" else None
    split = narrow.split if narrow else split
    families = [divide(table, test, items)[0] for _, items, test in split]
    children = [items for family in families for items in family]
    total = sum(weight for items in children for _, weight in items)

    def index(nodes: Iterable[Sequence[Item]]) -> float:
        return index_of([_scaled(table, items, total) for items in nodes], options.criterion)

    before, after = index(items for _, items, _ in split), index(children)
    forced = at_most(before - after, 0)
    if forced and not options.split_without_gain:
        program.stopped = "no gain"
        return []
    leaves = [leaf_of(table, items) for items in children]
    mixed = {
        c: _scaled(table, items, total)
        for c, items in enumerate(children)
        if not at_most(leaves[c]["e"], 0)
    }
    if narrow:
        groups, width = by_group({c: narrow.group_of[c] for c in mixed}), None
    else:
        groups, width = _grouped(mixed, before, after, options, forced)
    merged = [pooled([children[c] for c in group]) for group in groups]
    pure = [items for c, items in enumerate(children) if c not in mixed]
    # A narrow level may lose more than it has gained.
    change = index([*merged, *pure]) - before
    if narrow and len(groups) < len(mixed) and (more(change, 0) if forced else at_least(change, 0)):
        program.stopped = "no gain"
        return []
    program.levels.append(
        Level(
            nodes=len(split),
            children=len(children),
            next_nodes=len(groups),
            width=width,
            before=before,
            after=after,
            merged=before + change,
            forced=forced,
            advantages=_advantages(table, families),
        )
    )
    number_of = _add_nodes(program, table, leaves, groups, merged)
    ends = iter(number_of[c] for c in range(len(children)))
    for (number, _, test), family in zip(split, families, strict=True):
        flow = [weight_of(items) for items in family]
        program.nodes[number] |= {**test, "children": [next(ends) for _ in family], "flow": flow}
    return [(number_of[group[0]], items) for group, items in zip(groups, merged, strict=True)]


def _grouped(
    mixed: dict[int, Counts], before: float, after: float, options: Options, forced: bool
) -> tuple[list[list[int]], int | None]:
    """Groups of the children that are not pure, and the width of the grid."""
    if forced or options.merge == "none":
        return [[c] for c in mixed], None
    if options.merge == "budget":
        budget = options.merge_share * (before - after)
        return by_budget(mixed, budget, options.criterion), None
    grid = Grid(before - after, after, options.criterion)
    return by_grid(mixed, grid), grid.width


def _add_nodes(
    program: Program,
    table: Table,
    leaves: Sequence[Node],
    groups: Sequence[Sequence[int]],
    merged: Sequence[Sequence[Item]],
) -> dict[int, int]:
    """Add a node per pure child and per group, in the order of their first child."""
    number_of: dict[int, int] = {}
    group_of = {c: g for g, group in enumerate(groups) for c in group}
    for c, leaf in enumerate(leaves):
        if c in number_of:
            continue
        number = len(program.nodes)
        group = groups[group_of[c]] if c in group_of else [c]
        program.nodes.append(leaf_of(table, merged[group_of[c]]) if c in group_of else leaf)
        number_of |= dict.fromkeys(group, number)
    return number_of


def _scaled(table: Table, items: Sequence[Item], total: float) -> list[float]:
    return [count / total for count in class_counts(table, items)]


def _advantages(table: Table, families: Sequence[Sequence[Sequence[Item]]]) -> list[float] | None:
    if len(table.classes) != 2:
        return None
    return [advantage([class_counts(table, items) for items in family]) for family in families]


def _same(state: State, other: State) -> bool:
    """Whether the nodes, in whatever order, hold the same rows with the same weights."""
    ours, theirs = (sorted(items for _, items in nodes) for nodes in (state, other))
    return len(ours) == len(theirs) and all(
        [row for row, _ in a] == [row for row, _ in b]
        and all(abs(v - w) <= 1e-9 * w for (_, v), (_, w) in zip(a, b, strict=True))
        for a, b in zip(ours, theirs, strict=True)
    )
