"""Predict with a C4.5 tree, row by row."""

from __future__ import annotations

from collections.abc import Sequence

from .c45_table import Cell, Node, Table, branch_of, is_leaf, stored_cell


def predict_proba(tree: Node, rows: Sequence[Sequence[Cell]], table: Table) -> list[list[float]]:
    """Return the class shares of each row; `table` is the training table."""
    result = []
    for row in rows:
        shares = dict.fromkeys(table.classes, 0.0)
        _walk(tree, [stored_cell(table, a, cell) for a, cell in enumerate(row)], 1.0, shares)
        result.append(list(shares.values()))
    return result


def _walk(node: Node, row: Sequence[Cell], weight: float, shares: dict[str, float]) -> None:
    if is_leaf(node):
        if node["n"] > 0:
            for label, count in node["dist"].items():
                shares[label] += weight * count / node["n"]
        else:
            shares[node["class"]] += weight
        return
    taken = branch_of(node, row[node["index"]])
    for b, child in enumerate(node["children"]):
        if b == taken:
            _walk(child, row, weight, shares)
        elif taken is None and child["n"] > 0:
            _walk(child, row, weight * child["n"] / node["n"], shares)
