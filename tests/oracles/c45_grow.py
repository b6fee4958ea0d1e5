"""Grow a C4.5 tree rule by rule; tests/references/README.md states the rules."""

from __future__ import annotations

import math
from functools import partial
from itertools import accumulate

from . import c45_missing
from .c45_grouping import (
    MOST_SUBSET_VALUES,
    grouping_split,
    many_values_of_key_split,
    many_values_split,
    merge_rare_values_of_key,
    with_rare_values_of_key,
)
from .c45_subset import subset_split
from .c45_table import (
    EPS,
    Node,
    Options,
    Table,
    WeightedRow,
    all_rows,
    at_least,
    at_most,
    class_counts,
    cost_of,
    cuts_to_charge,
    distribution,
    errors_of,
    label_of,
    largest_class,
    least_side,
    less,
    more,
    partition,
    prepare,
    rows_in,
    weight_of,
)
from .c45_thresholds import threshold_between
from .c45_value import UNUSABLE, Split, gain_of, split_info, value_of
from .random_features import drawn_features, seed_of_child
from .random_splits import random_split


def grow(table: Table, options: Options) -> Node:
    table = prepare(table)
    return _grow(table, options, all_rows(table), frozenset(), 0, options.seed)


def _grow(
    table: Table,
    options: Options,
    node_rows: list[WeightedRow],
    tested: frozenset[int],
    depth: int,
    seed: int,
) -> Node:
    counts = class_counts(table, node_rows)
    label = label_of(counts, options)
    total, errors = sum(counts), cost_of(counts, label, options)
    is_pure = at_most(errors_of(counts, largest_class(counts)), 0)
    leaf: Node = {
        "class": table.classes[label],
        "n": total,
        "e": errors,
        "dist": distribution(table, counts),
    }
    too_few = less(rows_in(counts, options), 2 * options.min_objects)
    if is_pure or too_few or depth == options.max_depth:
        return leaf
    test = _search(table, options, node_rows, tested, seed)
    if test is None:
        return leaf
    if options.missing == "branch":
        test = c45_missing.with_missing_branch(table, test, node_rows)
    if test["test"] == "value":
        tested = tested | {test["index"]}
    branches, _ = partition(table, test, node_rows)
    children = [
        _grow(table, options, branch, tested, depth + 1, seed_of_child(seed, b))
        if branch
        else {**leaf, "n": 0.0, "e": 0.0}
        for b, branch in enumerate(branches)
    ]
    below = sum(child["e"] for child in children)
    if options.collapse and at_least(below, errors - EPS):
        return {**leaf, "e": below}
    return {**test, **leaf, "e": below, "children": children}


def _search(
    table: Table,
    options: Options,
    node_rows: list[WeightedRow],
    tested: frozenset[int],
    seed: int,
) -> Node | None:
    """Return the split of the best of all features, or of those drawn, or None."""
    n_features = len(table.columns)
    if options.max_features is None:
        return _choose(table, options, node_rows, tested, set(range(n_features)), seed)
    drawn: set[int] = set()
    for a in drawn_features(seed, n_features):
        seen = table
        if _merges_rare_values(table, options, a):
            seen, _ = merge_rare_values_of_key(table, node_rows, a)
        values = {seen.columns[a][i] for i, weight in node_rows if weight > 0}
        if len(values - {None} if options.missing == "fraction" else values) < 2:
            continue
        drawn.add(a)
        if len(drawn) >= options.max_features:
            chosen = _choose(table, options, node_rows, tested, drawn, seed)
            if chosen is not None:
                return chosen
    return _choose(table, options, node_rows, tested, drawn, seed)


def _choose(
    table: Table,
    options: Options,
    node_rows: list[WeightedRow],
    tested: frozenset[int],
    features: set[int],
    seed: int,
) -> Node | None:
    """Return the split of the best of some features, or None."""
    splits = [
        _evaluate(table, options, node_rows, a, tested, seed) if a in features else UNUSABLE
        for a in range(len(table.columns))
    ]
    average = _average_gain(table, options, splits)
    best, chosen = -EPS, None
    for split in splits:
        value = value_of(split.gain, split.info, average, options)
        if more(value, best):
            best, chosen = value, split.test
    return chosen


def _average_gain(table: Table, options: Options, splits: list[Split]) -> float:
    """Return the mean gain of the usable features; those with very many values do not count."""
    rows = weight_of(all_rows(table))
    present = [a for a in range(len(splits)) if not _ignored(table, options, a)]
    many = {
        a
        for a in present
        if table.kinds[a] == "nominal"
        and at_least(c45_missing.n_values(table, options, a), 0.3 * rows)
    }
    if options.subset or options.random_splits or many == set(present):
        many = set()
    gains = [splits[a].gain for a in present if a not in many and more(splits[a].gain, -EPS)]
    return sum(gains) / len(gains) if gains else 1e6


def _ignored(table: Table, options: Options, index: int) -> bool:
    return table.kinds[index] == "nominal" and c45_missing.n_values(table, options, index) < 2


def _merges_rare_values(table: Table, options: Options, index: int) -> bool:
    """Return whether values hardly repeat, as those of a key, and features are drawn."""
    n_values = len(table.values[index])
    is_drawn = options.max_features is not None and options.max_features < len(table.columns)
    hardly_repeat = n_values >= 20 and more(n_values, 0.2 * weight_of(all_rows(table)))
    return is_drawn and hardly_repeat and (options.subset or options.random_splits)


def _evaluate(
    table: Table,
    options: Options,
    node_rows: list[WeightedRow],
    index: int,
    tested: frozenset[int],
    seed: int,
) -> Split:
    if _ignored(table, options, index):
        return UNUSABLE
    if options.random_splits:
        draw = partial(random_split, node_seed=seed)
        if _merges_rare_values(table, options, index):
            return with_rare_values_of_key(draw, table, options, node_rows, index)
        return draw(table, options, node_rows, index)
    if table.kinds[index] == "continuous":
        if options.missing == "branch" and c45_missing.lack_values(table, node_rows, index):
            return c45_missing.threshold_split(table, options, node_rows, index, threshold_between)
        return threshold_split(table, options, node_rows, index)
    if options.subset and _merges_rare_values(table, options, index):
        search: c45_missing.Search = many_values_of_key_split
    elif options.subset and len(table.values[index]) > MOST_SUBSET_VALUES:
        search = many_values_split
    elif options.subset and c45_missing.n_values(table, options, index) > 2:
        search = subset_split
    elif options.grouping:
        search = grouping_split
    elif index in tested:
        return UNUSABLE
    else:
        search = _multiway_split
    if options.missing == "branch":
        return c45_missing.nominal_split(search, table, options, node_rows, index)
    return search(table, options, node_rows, index)


def _multiway_split(
    table: Table, options: Options, node_rows: list[WeightedRow], index: int
) -> Split:
    """Return the split with one branch per declared value."""
    column, values = table.columns[index], table.values[index]
    branches = [
        class_counts(table, [node_row for node_row in node_rows if column[node_row[0]] == v])
        for v in values
    ]
    missing = weight_of([node_row for node_row in node_rows if column[node_row[0]] is None])
    known_counts = [sum(by_class) for by_class in zip(*branches, strict=True)]
    gain = gain_of(branches, known_counts, missing, options.min_objects, options)
    info = split_info(branches, missing, weight_of(node_rows))
    name = table.names[index]
    return Split(gain, info, {"attr": name, "index": index, "test": "value", "values": values})


def threshold_split(
    table: Table, options: Options, node_rows: list[WeightedRow], index: int, least: float = 0.0
) -> Split:
    """Return the best threshold split; a cut must gain more than `least`."""
    column, total = table.columns[index], weight_of(node_rows)
    missing = weight_of([node_row for node_row in node_rows if column[node_row[0]] is None])
    at_value: dict[float, list[WeightedRow]] = {}
    for node_row in node_rows:
        if column[node_row[0]] is not None:
            at_value.setdefault(column[node_row[0]], []).append(node_row)
    numbers = sorted(at_value)
    counts = [class_counts(table, at_value[number]) for number in numbers]
    if at_most(sum(map(sum, counts)), 0):
        return UNUSABLE
    low = list(accumulate(counts, _add))
    high = list(accumulate(reversed(counts), _add))[::-1]
    known = rows_in(low[-1], options)
    if less(known, 2 * options.min_objects):
        return UNUSABLE

    minsplit = least_side(table, options, known)
    cuts = [
        i
        for i in range(len(numbers) - 1)
        if at_least(rows_in(low[i], options), minsplit)
        and at_least(rows_in(high[i + 1], options), minsplit)
        and numbers[i] < numbers[i + 1] - 1e-5
    ]
    # The penalty is in bits, so it applies to entropy only.
    penalised = options.threshold_penalty and options.criterion in ("gain_ratio", "gain")
    n_charged = cuts_to_charge(table, index, len(cuts), known, minsplit)
    penalty = math.log2(n_charged) / total if cuts and penalised else 0.0
    if options.factors:  # a cut must pay even if no row counted more than once
        at_node = zip(class_counts(table, node_rows), options.factors, strict=True)
        penalty *= max(factor for count, factor in at_node if count > 0)

    best, chosen = least, None
    for i in cuts:
        gain = gain_of([low[i], high[i + 1]], low[-1], missing, options.min_objects, options)
        if more(gain - penalty, best):
            best, chosen = gain - penalty, i
    if chosen is None:
        return UNUSABLE
    info = split_info([low[chosen], high[chosen + 1]], missing, total)
    threshold = threshold_between(table, index, numbers[chosen], numbers[chosen + 1])
    name = table.names[index]
    return Split(best, info, {"attr": name, "index": index, "test": "<=", "threshold": threshold})


def _add(a: list[float], b: list[float]) -> list[float]:
    return [x + y for x, y in zip(a, b, strict=True)]
