"""Grow a branching program level by level, without optimisation.

All nodes of a level are split, each by its best split. Then the children that are not pure are
merged and form the next level. A pure child is a leaf of its own and is never merged.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .c45_table import (
    Node,
    Table,
    WeightedRow,
    all_rows,
    at_least,
    at_most,
    class_counts,
    more,
    partition,
    prepare,
    weight_of,
)
from .program_merge import Counts, Grid, by_budget, by_grid, weighted_impurity
from .program_prune import merge_equal_nodes, prune
from .program_split import ANY, IMPROVING, advantage, best_split
from .program_table import Level, Options, Program, leaf_of, merge_rows, predict_proba, with_errors
from .program_width import by_group, search_level

__all__ = ["Level", "Options", "Program", "grow", "merge_equal_nodes", "predict_proba", "prune"]

State = list[tuple[int, list[WeightedRow]]]  # positions of the nodes of a level, and their rows
Split = list[
    tuple[int, list[WeightedRow], Node]
]  # positions of nodes to be split, their rows, the splits


def grow(table: Table, options: Options) -> Program:
    """Grow until a rule stops it; the remaining nodes of the last level are leaves.

    `stopped` is "no node left" (all are pure, or no split improves any), "no gain" (the splits
    improve their known rows but not the level as a whole), "max_levels", "max_nodes" (the next
    level would exceed it; a level is split completely or not at all) or "repeated" (an earlier
    level had the same rows in the same nodes).
    """
    if options.merge == "grid" and len(table.classes) > 2:
        raise ValueError("a grid is for two classes")
    table = prepare(table)
    root = leaf_of(table, all_rows(table))
    program = Program([root], [], "")
    state: State = [] if at_most(root["e"], 0) else [(0, all_rows(table))]
    seen: list[State] = []
    while not program.stopped:
        split = _choose_splits(table, options, state)
        program.stopped = _reason_to_stop(program, options, state, split, seen)
        if not program.stopped:
            seen.append(state)
            state = _split_and_merge(program, table, options, split)
    program.nodes = with_errors(program.nodes)
    return program


def _choose_splits(table: Table, options: Options, state: State) -> Split:
    """Return the nodes that a split improves, or, if allowed, those that any split partitions."""
    for least in (IMPROVING, ANY) if options.split_without_gain else (IMPROVING,):
        tests = [
            (n, node_rows, best_split(table, options, node_rows, least)) for n, node_rows in state
        ]
        if split := [
            (position, node_rows, test) for position, node_rows, test in tests if test is not None
        ]:
            return split
    return []


def _reason_to_stop(
    program: Program, options: Options, state: State, split: Split, seen: Sequence[State]
) -> str:
    """Return a reason or an empty string; "no gain" is known only after splitting."""
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
    """Add splits and children to the nodes; return the next level."""
    narrow = search_level(table, options, split) if options.merge == "width" else None
    split = narrow.split if narrow else split
    families = [partition(table, test, node_rows)[0] for _, node_rows, test in split]
    children = [node_rows for family in families for node_rows in family]
    total = sum(weight for node_rows in children for _, weight in node_rows)

    def impurity(nodes: Iterable[Sequence[WeightedRow]]) -> float:
        return weighted_impurity(
            [_scaled(table, node_rows, total) for node_rows in nodes], options.criterion
        )

    before, after = impurity(node_rows for _, node_rows, _ in split), impurity(children)
    forced = at_most(before - after, 0)
    if forced and not options.split_without_gain:
        program.stopped = "no gain"
        return []
    leaves = [leaf_of(table, node_rows) for node_rows in children]
    mixed = {
        c: _scaled(table, node_rows, total)
        for c, node_rows in enumerate(children)
        if not at_most(leaves[c]["e"], 0)
    }
    if narrow:
        groups, width = by_group({c: narrow.group_of[c] for c in mixed}), None
    else:
        groups, width = _group_children(mixed, before, after, options, forced)
    merged = [merge_rows([children[c] for c in group]) for group in groups]
    pure = [node_rows for c, node_rows in enumerate(children) if c not in mixed]
    # A narrow level may lose more by merging than it gained by splitting.
    change = impurity([*merged, *pure]) - before
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
    position_of = _add_nodes(program, table, leaves, groups, merged)
    ends = iter(position_of[c] for c in range(len(children)))
    for (position, _, test), family in zip(split, families, strict=True):
        flow = [weight_of(node_rows) for node_rows in family]
        program.nodes[position] |= {**test, "children": [next(ends) for _ in family], "flow": flow}
    return [
        (position_of[group[0]], node_rows) for group, node_rows in zip(groups, merged, strict=True)
    ]


def _group_children(
    mixed: dict[int, Counts], before: float, after: float, options: Options, forced: bool
) -> tuple[list[list[int]], int | None]:
    """Return the groups of the children that are not pure, and the width of the grid."""
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
    merged: Sequence[Sequence[WeightedRow]],
) -> dict[int, int]:
    """Add a node per pure child and per group, in the order of their first child."""
    position_of: dict[int, int] = {}
    group_of = {c: g for g, group in enumerate(groups) for c in group}
    for c, leaf in enumerate(leaves):
        if c in position_of:
            continue
        position = len(program.nodes)
        group = groups[group_of[c]] if c in group_of else [c]
        program.nodes.append(leaf_of(table, merged[group_of[c]]) if c in group_of else leaf)
        position_of |= dict.fromkeys(group, position)
    return position_of


def _scaled(table: Table, node_rows: Sequence[WeightedRow], total: float) -> list[float]:
    return [count / total for count in class_counts(table, node_rows)]


def _advantages(
    table: Table, families: Sequence[Sequence[Sequence[WeightedRow]]]
) -> list[float] | None:
    if len(table.classes) != 2:
        return None
    return [
        advantage([class_counts(table, node_rows) for node_rows in family]) for family in families
    ]


def _same(state: State, other: State) -> bool:
    """Return whether the nodes, in any order, hold the same rows with the same weights."""
    ours, theirs = (sorted(node_rows for _, node_rows in nodes) for nodes in (state, other))
    return len(ours) == len(theirs) and all(
        [row for row, _ in a] == [row for row, _ in b]
        and all(abs(v - w) <= 1e-9 * w for (_, v), (_, w) in zip(a, b, strict=True))
        for a, b in zip(ours, theirs, strict=True)
    )
