"""A random split of one feature (``splits="random"``), written out plainly."""

from __future__ import annotations

import math
from collections.abc import Callable

from .c45_table import (
    Cell,
    Node,
    Options,
    Table,
    WeightedRow,
    class_counts,
    less,
    more,
    rows_in,
    weight_of,
)
from .c45_thresholds import threshold_between
from .c45_value import UNUSABLE, Split, gain_of, split_info
from .random_features import SplitMix, seed_of_child

#: A test, and the branch of each cell.
Drawn = tuple[Node, Callable[[Cell], int]]


def random_split(
    table: Table, options: Options, node_rows: list[WeightedRow], index: int, node_seed: int
) -> Split:
    """Return the split that is drawn for a feature, if it is acceptable."""
    random = SplitMix(seed_of_child(node_seed ^ (2**64 - 1), index))
    column = table.columns[index]
    cells = {column[row] for row, _ in node_rows}
    missing_is_value = options.missing == "branch" and None in cells
    draw = _draw_groups if table.kinds[index] == "nominal" else _draw_cut
    drawn = draw(table, index, node_rows, missing_is_value, random)
    if drawn is None:
        return UNUSABLE
    test, branch_of = drawn
    sides: list[list[WeightedRow]] = [[], []]
    missing = []
    for node_row in node_rows:
        cell = column[node_row[0]]
        if cell is None and not missing_is_value:
            missing.append(node_row)
        else:
            sides[branch_of(cell)].append(node_row)
    counts = [class_counts(table, side) for side in sides]
    if any(less(rows_in(count, options), options.min_objects) for count in counts):
        return UNUSABLE
    known = [low + high for low, high in zip(*counts, strict=True)]
    gain = gain_of(counts, known, weight_of(missing), options.min_objects, options)
    if not more(gain, 0.0):
        return UNUSABLE
    info = split_info(counts, weight_of(missing), weight_of(node_rows))
    test = {"attr": table.names[index], "index": index, **test}
    if missing_is_value:
        test["missing"] = branch_of(None)
    return Split(gain, info, test)


def _draw_groups(
    table: Table,
    index: int,
    node_rows: list[WeightedRow],
    missing_is_value: bool,
    random: SplitMix,
) -> Drawn | None:
    """Toss a coin for each value that occurs; an empty group gets one value, drawn at random."""
    column = table.columns[index]
    occurring = {column[row] for row, weight in node_rows if weight > 0}
    present = [value for value in table.values[index] if value in occurring]
    if missing_is_value and None in occurring:
        present = [*present, None]
    coins = [random.coin() for _ in present]
    if len(present) < 2:
        return None
    if len(set(coins)) == 1:
        drawn = random.below(len(coins))
        coins[drawn] = not coins[drawn]
    branch = {value: int(coin != coins[0]) for value, coin in zip(present, coins, strict=True)}
    groups = [[v for v in present if branch[v] == b and v is not None] for b in (0, 1)]
    return {"test": "subset", "subsets": groups}, lambda cell: branch.get(cell, 0)


def _draw_cut(
    table: Table,
    index: int,
    node_rows: list[WeightedRow],
    missing_is_value: bool,
    random: SplitMix,
) -> Drawn | None:
    """Draw a number between the least and the greatest value, and a side for missing values."""
    column = table.columns[index]
    numbers = sorted({column[row] for row, _ in node_rows if column[row] is not None})
    if not numbers:
        return None
    if missing_is_value and random.coin():
        return {"test": "known"}, lambda cell: int(cell is None)
    missing_branch = 0 if missing_is_value and random.coin() else 1
    least, greatest = numbers[0], numbers[-1]
    if least == greatest:
        return None
    between = sorted({x for x in column if x is not None and least <= x <= greatest})
    if math.isfinite(greatest - least):
        drawn = least + (greatest - least) * random.uniform()
        cut = max(x for x in between[:-1] if x <= max(drawn, least))
    else:
        cut = between[random.below(len(between) - 1)]
    below = max(x for x in numbers if x <= cut)
    above = min(x for x in numbers if x > cut)
    if not below < above - 1e-5:
        return None
    test = {"test": "<=", "threshold": threshold_between(table, index, below, above)}

    def branch_of(cell: Cell) -> int:
        if cell is None:
            return missing_branch
        assert isinstance(cell, float)
        return int(cell > cut)

    return test, branch_of
