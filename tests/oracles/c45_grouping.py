"""Split nominal values into two groups: cuts through their order by the share of a class."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from .c45_missing import MISSING
from .c45_table import (
    TIE,
    Cell,
    Options,
    Table,
    WeightedRow,
    class_counts,
    less,
    more,
    rows_in,
    weight_of,
)
from .c45_value import UNUSABLE, Split, gain_of, split_info


def grouping_split(
    table: Table, options: Options, node_rows: list[WeightedRow], index: int, least: float = 0.0
) -> Split:
    """Return the best two groups of the values that occur here; they must gain more than `least`.

    Values that do not occur are in neither group. The first group has the first value that occurs.
    Both groups list their values in declared order. For two classes the best of these groupings is
    the best of all (Breiman et al. 1984, theorem 4.5). For more classes it is a heuristic.
    """
    column = table.columns[index]
    counts = {
        value: class_counts(
            table, [node_row for node_row in node_rows if column[node_row[0]] == value]
        )
        for value in table.values[index]
    }
    present = [value for value in table.values[index] if sum(counts[value]) > 0]
    missing = weight_of([node_row for node_row in node_rows if column[node_row[0]] is None])
    known = [sum(by_class) for by_class in zip(*counts.values(), strict=True)]
    local = [k for k in range(len(table.classes)) if class_counts(table, node_rows)[k] > 0]
    best, chosen = least, None
    for k in local[:1] if len(local) == 2 else local:
        order = by_share({value: counts[value][k] / sum(counts[value]) for value in present})
        for i in range(1, len(order)):
            groups = order[:i], order[i:]
            branches = [_together(table, counts, group) for group in groups]
            if any(less(rows_in(branch, options), options.min_objects) for branch in branches):
                continue
            gain = gain_of(branches, known, missing, options.min_objects, options)
            if more(gain, best):
                best, chosen = gain, groups
    if chosen is None:
        return UNUSABLE
    # The first value that occurs is in the first group.
    ordered = sorted(chosen, key=lambda group: min(present.index(value) for value in group))
    subsets = [[value for value in present if value in group] for group in ordered]
    info = split_info(
        [_together(table, counts, group) for group in subsets], missing, weight_of(node_rows)
    )
    test = {"attr": table.names[index], "index": index, "test": "subset", "subsets": subsets}
    return Split(best, info, test)


#: With more values than this, C4.5's search for subsets takes too long.
MOST_SUBSET_VALUES = 1000
#: Stands for all values that are rare at a node.
RARE = "(rare)"


def many_values_split(
    table: Table, options: Options, node_rows: list[WeightedRow], index: int
) -> Split:
    """Return the best two groups if all values of a weight below 3 at the node are one value."""

    def n_rows_of(rows: list[WeightedRow]) -> float:
        return rows_in(class_counts(table, rows), options)

    merged, rare = _merge_rare(table, node_rows, index, n_rows_of)
    return _expand(grouping_split(merged, options, node_rows, index), table, index, rare)


def many_values_of_key_split(
    table: Table, options: Options, node_rows: list[WeightedRow], index: int
) -> Split:
    """Return the same split, but judge values by their rows, whatever these weigh."""
    return with_rare_values_of_key(grouping_split, table, options, node_rows, index)


def with_rare_values_of_key(
    search: Callable[[Table, Options, list[WeightedRow], int], Split],
    table: Table,
    options: Options,
    node_rows: list[WeightedRow],
    index: int,
) -> Split:
    """Return the split that a search finds if all values of fewer than 3 rows are one value.

    Values that do not occur at the node are with the rare ones, if there are any. Missing, where
    it is a value, is the last one and never rare.
    """
    merged, rare = merge_rare_values_of_key(table, node_rows, index)
    return _expand(search(merged, options, node_rows, index), table, index, rare)


def merge_rare_values_of_key(
    table: Table, node_rows: list[WeightedRow], index: int
) -> tuple[Table, list[str]]:
    """Return the table with one value in place of the rare ones at a node, and the rare ones."""
    return _merge_rare(table, node_rows, index, lambda rows: sum(weight > 0 for _, weight in rows))


def _merge_rare(
    table: Table,
    node_rows: list[WeightedRow],
    index: int,
    n_rows_of: Callable[[list[WeightedRow]], float],
) -> tuple[Table, list[str]]:
    column, values = table.columns[index], table.values[index]
    rows_of: dict[Cell, list[WeightedRow]] = {}
    for node_row in node_rows:
        rows_of.setdefault(column[node_row[0]], []).append(node_row)
    frequent = [
        value
        for value in values
        if value in rows_of and (value == MISSING or not less(n_rows_of(rows_of[value]), 3))
    ]
    rare = [value for value in values if value not in frequent]
    columns, declared = list(table.columns), list(table.values)
    columns[index] = [RARE if cell in rare else cell for cell in column]
    declared[index] = [RARE, *frequent]
    return replace(table, columns=columns, values=declared), rare


def _expand(split: Split, table: Table, index: int, rare: list[str]) -> Split:
    if split.test is None:
        return split
    groups = [{*group, *(rare if RARE in group else ())} for group in split.test["subsets"]]
    subsets = [[value for value in table.values[index] if value in group] for group in groups]
    return replace(split, test={**split.test, "subsets": subsets})


def _together(table: Table, counts: dict[str, list[float]], values: list[str]) -> list[float]:
    return [sum(counts[value][k] for value in values) for k in range(len(table.classes))]


def by_share(shares: dict[str, float]) -> list[str]:
    """Return the values by ascending share; values with equal shares keep the declared order."""
    declared = list(shares)
    runs: list[list[str]] = []
    for value in sorted(declared, key=lambda value: shares[value]):
        if runs and shares[value] - shares[runs[-1][-1]] <= TIE:
            runs[-1].append(value)
        else:
            runs.append([value])
    return [value for run in runs for value in sorted(run, key=declared.index)]
