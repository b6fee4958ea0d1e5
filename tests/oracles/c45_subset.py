"""Subset splits of C4.5 (option -s), without the defect that loses the minimum weight."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

from .c45_table import (
    EPS,
    Options,
    Table,
    WeightedRow,
    at_least,
    at_most,
    class_counts,
    less,
    more,
    rows_in,
    weight_of,
)
from .c45_value import UNUSABLE, Split, gain_of, split_info, value_of


@dataclass(frozen=True)
class Block:
    values: list[str]
    counts: list[float]  # weights by class

    @property
    def weight(self) -> float:
        return sum(self.counts)


def merged(blocks: list[Block], x: int, y: int) -> list[Block]:
    """Return the blocks with y merged into x and the last block moved to position y."""
    counts = [a + b for a, b in zip(blocks[x].counts, blocks[y].counts, strict=True)]
    result = list(blocks)
    result[x] = Block(blocks[x].values + blocks[y].values, counts)
    result[y] = result[-1]
    return result[:-1]


def subset_split(table: Table, options: Options, node_rows: list[WeightedRow], index: int) -> Split:
    column, values = table.columns[index], table.values[index]
    total = weight_of(node_rows)
    missing = weight_of([node_row for node_row in node_rows if column[node_row[0]] is None])
    every = [
        Block(
            [v],
            class_counts(table, [node_row for node_row in node_rows if column[node_row[0]] == v]),
        )
        for v in values
    ]
    known_counts = [sum(by_class) for by_class in zip(*(b.counts for b in every), strict=True)]
    if less(sum(known_counts), EPS):
        return UNUSABLE

    def judge(blocks: list[Block]) -> tuple[float, float, float]:
        branches = [block.counts for block in blocks]
        gain = gain_of(branches, known_counts, missing, 1, options)
        info = split_info(branches, missing, total)
        return gain, info, value_of(gain, info, EPS, options)

    gain, info, value = judge(every)
    blocks = [block for block in every if more(rows_in(block.counts, options), 0.5)]
    unseen = [block.values[0] for block in every if not more(rows_in(block.counts, options), 0.5)]

    before = len(blocks)
    blocks = _merge_pure(blocks)
    if len(blocks) < before:
        gain, info, value = judge(blocks)

    mingain = gain / 2
    while len(blocks) > 2:
        sizes = [rows_in(block.counts, options) for block in blocks]
        reaching = sum(at_least(size, options.min_objects) for size in sizes)
        barred = _largest(blocks) if reaching < 3 else None
        forced = options.criterion != "gain_ratio" or reaching < 2
        best_gain, best_info, best_value, pair = -EPS, 0.0, 0.0, None
        for x, y in combinations(range(len(blocks)), 2):
            if barred in (x, y):
                continue
            trial_gain, trial_info, trial_value = judge(merged(blocks, x, y))
            if (
                (at_least(trial_gain, mingain) and less(best_gain, mingain))
                or at_least(trial_value, best_value)
                or (pair is None and forced)
            ):
                best_gain, best_info, best_value = trial_gain, trial_info, trial_value
                pair = (x, y)
        if pair is None or (not forced and less(best_value, value + 1e-5)):
            break
        blocks = merged(blocks, *pair)
        gain, info, value = best_gain, best_info, best_value

    if at_most(value, 0):
        return UNUSABLE
    final = [block.counts for block in blocks]
    gain = gain_of(final, known_counts, missing, options.min_objects, options)
    subsets = [sorted(block.values, key=values.index) for block in blocks]
    if unseen:
        subsets.append(unseen)
    name = table.names[index]
    return Split(gain, info, {"attr": name, "index": index, "test": "subset", "subsets": subsets})


def _merge_pure(blocks: list[Block]) -> list[Block]:
    """Merge blocks that hold only one and the same class."""
    x = 0
    while x < len(blocks) - 1:
        c = next((c for c, n in enumerate(blocks[x].counts) if at_least(n, 0.1)), None)
        # The original is undefined if all classes of a block weigh less than 0.1; it stays alone.
        if c is not None and _only(blocks[x], c):
            y = x + 1
            while y < len(blocks):
                if _only(blocks[y], c):
                    blocks = merged(blocks, x, y)
                else:
                    y += 1
        x += 1
    return blocks


def _only(block: Block, c: int) -> bool:
    return at_least(block.counts[c], block.weight - 0.1)


def _largest(blocks: list[Block]) -> int:
    """Return the position of the heaviest block; ties go to the first."""
    best = 0
    for b, block in enumerate(blocks):
        if more(block.weight, blocks[best].weight):
            best = b
    return best
