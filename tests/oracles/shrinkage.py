"""Hierarchical shrinkage in plain Python: the sum over the path to each leaf."""

from __future__ import annotations

from typing import Any


def shrunk_shares(node: dict[str, Any], classes: list[str], shrinkage: float) -> list[list[float]]:
    """Return the class shares that each leaf predicts, in pre-order.

    ``node`` has the form of `Graph.to_dict`.
    """
    return [_share_of_path(path, classes, shrinkage) for path in _paths(node, [])]


def _paths(node: dict[str, Any], above: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """Return for each leaf the nodes from the root to it."""
    path = [*above, node]
    if "children" not in node:
        return [path]
    return [leaf for child in node["children"] for leaf in _paths(child, path)]


def _share_of_path(path: list[dict[str, Any]], classes: list[str], shrinkage: float) -> list[float]:
    shares: list[list[float]] = []
    for node in path:
        # A node without training rows has the shares of its parent.
        own = [node["dist"].get(label, 0.0) / node["n"] for label in classes] if node["n"] else None
        shares.append(own or shares[-1])
    total = shares[0]
    for parent, above, below in zip(path, shares, shares[1:], strict=False):
        factor = 1 / (1 + shrinkage / parent["n"])
        total = [t + factor * (b - a) for t, a, b in zip(total, above, below, strict=True)]
    return total
