"""Naive answering with a C4.5 tree: the reference's README, section 8."""

from __future__ import annotations

from collections.abc import Sequence

from .c45_table import Cell, Node, Table, branch_of, held, is_leaf


def predict_proba(tree: Node, rows: Sequence[Sequence[Cell]], table: Table) -> list[list[float]]:
    """One row of class shares per case; `table`, the training table, declares the classes."""
    answers = []
    for row in rows:
        shares = dict.fromkeys(table.classes, 0.0)
        _walk(tree, [held(table, a, cell) for a, cell in enumerate(row)], 1.0, shares)
        answers.append(list(shares.values()))
    return answers


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
