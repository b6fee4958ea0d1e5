"""What the oracle of branching programs works on: options, nodes by number, levels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .c45_table import (
    Cell,
    Item,
    Node,
    Table,
    branch_of,
    class_counts,
    distribution,
    errors_of,
    held,
    largest_class,
)


@dataclass(frozen=True)
class Options:
    criterion: str = "km"  # or "gini", "entropy"
    merge: str = "grid"  # or "budget", "width", "none"
    merge_share: float = 0.5  # budget: the share of a level's gain that merging may cost
    max_width: int = 4  # width: most nodes of a level
    max_levels: int | None = None
    max_nodes: int | None = None  # counts tests, not leaves
    split_without_gain: bool = False
    min_objects: float = 1
    confidence: float = 0.25  # of pruning


@dataclass(frozen=True)
class Level:
    """One round of splitting and merging; indices are of the level's weights scaled to sum to 1."""

    nodes: int  # that were split
    children: int  # pure ones included
    next_nodes: int  # what the children that are not pure were merged into
    width: int | None  # grid: how many cells there are, empty ones included
    before: float  # I
    after: float  # I', when split
    merged: float  # when merged
    forced: bool  # split though nothing is gained, and not merged
    advantages: list[float] | None  # of each split, for two classes

    @property
    def delta(self) -> float:
        return self.before - self.after

    @property
    def kept(self) -> float | None:
        """The share of the gain that survives merging."""
        return None if self.forced else (self.before - self.merged) / self.delta


@dataclass
class Program:
    """Nodes by number, the root first, each before its children.

    A node is as in the reference files, but `children` are numbers, and a test also has `flow`: the
    weight that takes each branch. A child's own weight is the sum over all branches that lead to
    it. The `e` of a test is that of its branches' ends, of each the part that its flow is of it.
    """

    nodes: list[Node]
    levels: list[Level]
    stopped: str

    @property
    def size(self) -> int:
        return sum("children" in node for node in self.nodes)


def pooled(parts: Sequence[Sequence[Item]]) -> list[Item]:
    """The items of several branches that meet: the shares of a row add up."""
    weights: dict[int, float] = {}
    for items in parts:
        for row, weight in items:
            weights[row] = weights.get(row, 0.0) + weight
    return sorted(weights.items())


def leaf_of(table: Table, items: Sequence[Item], label: int = 0) -> Node:
    """A leaf for these items; the label given wins ties."""
    counts = class_counts(table, items)
    label = largest_class(counts, start=label)
    return {
        "class": table.classes[label],
        "n": sum(counts),
        "e": errors_of(counts, label),
        "dist": distribution(table, counts),
    }


def with_errors(nodes: Sequence[Node]) -> list[Node]:
    """The nodes, with the errors of tests taken from those of the leaves."""
    errors = [0.0] * len(nodes)
    for number in reversed(range(len(nodes))):
        node = nodes[number]
        branches = zip(node.get("children", []), node.get("flow", []), strict=True)
        below = [
            errors[child] * weight / nodes[child]["n"]
            for child, weight in branches
            if nodes[child]["n"] > 0
        ]
        errors[number] = sum(below) if "children" in node else node["e"]
    return [{**node, "e": e} for node, e in zip(nodes, errors, strict=True)]


def predict_proba(
    nodes: Sequence[Node], rows: Sequence[Sequence[Cell]], table: Table
) -> list[list[float]]:
    """One row of class shares per case; `table`, the training table, declares the classes.

    At an unknown value a row goes down every branch, in proportion to the branches' flow.
    """
    answers = []
    for row in rows:
        cells = [held(table, a, cell) for a, cell in enumerate(row)]
        shares = dict.fromkeys(table.classes, 0.0)
        here = [1.0] + [0.0] * (len(nodes) - 1)
        for number, node in enumerate(nodes):
            if here[number] == 0:
                continue
            if "children" not in node:
                _answer(node, here[number], shares)
                continue
            taken = branch_of(node, cells[node["index"]])
            total = sum(node["flow"])
            for b, child in enumerate(node["children"]):
                share = node["flow"][b] / total if taken is None else float(b == taken)
                here[child] += here[number] * share
        answers.append(list(shares.values()))
    return answers


def _answer(leaf: Node, share: float, shares: dict[str, float]) -> None:
    if leaf["n"] > 0:
        for label, count in leaf["dist"].items():
            shares[label] += share * count / leaf["n"]
    else:
        shares[leaf["class"]] += share
