"""The stump with the fewest errors, found by trying every split on all rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from .c45_table import (
    Node,
    Table,
    WeightedRow,
    all_rows,
    class_counts,
    distribution,
    errors_of,
    largest_class,
    partition,
    prepare,
    slack,
)


def grow(table: Table) -> Node:
    table = prepare(table)
    node_rows = all_rows(table)
    leaf = _leaf(table, node_rows)
    best = leaf
    for test in _candidate_splits(table):
        branches, _ = partition(table, test, node_rows)
        children = [
            _leaf(table, branch) if branch else {**leaf, "n": 0.0, "e": 0.0} for branch in branches
        ]
        errors = sum(child["e"] for child in children)
        if errors < best["e"] - slack(leaf["n"]):
            best = {**test, **leaf, "e": errors, "children": children}
    return best


def _leaf(table: Table, node_rows: Sequence[WeightedRow]) -> Node:
    counts = class_counts(table, node_rows)
    label = largest_class(counts)
    return {
        "class": table.classes[label],
        "n": sum(counts),
        "e": errors_of(counts, label),
        "dist": distribution(table, counts),
    }


def _candidate_splits(table: Table) -> Iterator[Node]:
    """Yield all splits in the order in which they win ties."""
    for index, (name, column) in enumerate(zip(table.names, table.columns, strict=True)):
        feature: Node = {"attr": name, "index": index}
        occurring = {cell for cell in column if cell is not None}
        if table.kinds[index] == "nominal":
            if len(occurring) > 1:
                yield {**feature, "test": "value", "values": table.values[index]}
            continue
        # C4.5's threshold is the greatest value of the training set up to the midpoint. For
        # neighbours in the whole training set it is the lower one.
        for below, _ in pairwise(sorted(occurring)):
            yield {**feature, "test": "<=", "threshold": below}
