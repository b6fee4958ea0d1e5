"""The naive stump: every test tried, its rows divided, its branches' errors added up."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from .c45_table import (
    Item,
    Node,
    Table,
    all_items,
    class_counts,
    distribution,
    divide,
    errors_of,
    largest_class,
    prepared,
    slack,
)


def grow(table: Table) -> Node:
    table = prepared(table)
    items = all_items(table)
    leaf = _leaf(table, items)
    best = leaf
    for test in _tests(table):
        branches, _ = divide(table, test, items)
        children = [
            _leaf(table, branch) if branch else {**leaf, "n": 0.0, "e": 0.0} for branch in branches
        ]
        errors = sum(child["e"] for child in children)
        if errors < best["e"] - slack(leaf["n"]):
            best = {**test, **leaf, "e": errors, "children": children}
    return best


def _leaf(table: Table, items: Sequence[Item]) -> Node:
    counts = class_counts(table, items)
    label = largest_class(counts)
    return {
        "class": table.classes[label],
        "n": sum(counts),
        "e": errors_of(counts, label),
        "dist": distribution(table, counts),
    }


def _tests(table: Table) -> Iterator[Node]:
    """All tests, those to be preferred among equals first."""
    for index, (name, column) in enumerate(zip(table.names, table.columns, strict=True)):
        asked: Node = {"attr": name, "index": index}
        occurring = {cell for cell in column if cell is not None}
        if table.kinds[index] == "nominal":
            if len(occurring) > 1:
                yield {**asked, "test": "value", "values": table.values[index]}
            continue
        # C4.5's threshold is the greatest number of the training set up to the midpoint. Between
        # neighbours of the whole training set that is the lower one.
        for below, _ in pairwise(sorted(occurring)):
            yield {**asked, "test": "<=", "threshold": below}
