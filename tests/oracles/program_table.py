"""The data of the branching program oracle: options, a list of nodes, levels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from .c45_table import (
    Cell,
    Node,
    Table,
    WeightedRow,
    branch_of,
    class_counts,
    distribution,
    errors_of,
    largest_class,
    stored_cell,
)
from .c45_table import Options as C45Options


@dataclass(frozen=True)
class Options:
    criterion: str = "km"  # or "gini", "entropy"
    merge: str = "grid"  # or "budget", "width", "none"
    merge_share: float = 0.5  # budget: share of the gain of a level that merging may cost
    max_width: int = 4  # width: largest number of nodes of a level
    max_levels: int | None = None
    max_nodes: int | None = None  # counts inner nodes, not leaves
    split_without_gain: bool = False
    min_objects: float = 1
    confidence: float = 0.25  # for pruning
    missing: str = "fraction"  # or "branch", as for C4.5
    factors: tuple[float, ...] = ()  # as for C4.5

    @property
    def of_c45(self) -> C45Options:
        """The same options for C4.5."""
        criterion = "gain" if self.criterion == "entropy" else self.criterion
        return C45Options(
            criterion,
            self.min_objects,
            self.confidence,
            threshold_penalty=False,
            missing=self.missing,
            factors=self.factors,
        )


@dataclass(frozen=True)
class Level:
    """One round of splitting and merging; impurities are for weights of the level that sum to 1."""

    nodes: int  # nodes that were split
    children: int  # pure ones included
    next_nodes: int  # nodes after merging; pure children do not count
    width: int | None  # grid: number of cells, empty ones included
    before: float  # weighted impurity of the nodes (I in the paper)
    after: float  # of their children (I' in the paper)
    merged: float  # of the merged nodes
    forced: bool  # split without a gain, and not merged
    advantages: list[float] | None  # of each split, if there are two classes

    @property
    def delta(self) -> float:
        return self.before - self.after

    @property
    def kept(self) -> float | None:
        """Return the share of the gain that remains after merging."""
        return None if self.forced else (self.before - self.merged) / self.delta


@dataclass
class Program:
    """A list of nodes, the root first, each before its children.

    A node is as in the reference files, but `children` are positions in the list, and an inner node
    also has `flow`, the weight of each branch. The weight of a child is the sum over all branches
    that lead to it. The `e` of an inner node adds the `e` of its children; of a shared child it
    takes the share that its own branch has in the weight of the child.
    """

    nodes: list[Node]
    levels: list[Level]
    stopped: str

    @property
    def size(self) -> int:
        return sum("children" in node for node in self.nodes)


def merge_rows(parts: Sequence[Sequence[WeightedRow]]) -> list[WeightedRow]:
    """Merge the rows of several branches; the weights of a row are added."""
    weights: dict[int, float] = {}
    for node_rows in parts:
        for row, weight in node_rows:
            weights[row] = weights.get(row, 0.0) + weight
    return sorted(weights.items())


def leaf_of(table: Table, node_rows: Sequence[WeightedRow], label: int = 0) -> Node:
    """Return a leaf for these rows; the given label wins ties."""
    counts = class_counts(table, node_rows)
    label = largest_class(counts, start=label)
    return {
        "class": table.classes[label],
        "n": sum(counts),
        "e": errors_of(counts, label),
        "dist": distribution(table, counts),
    }


def with_errors(nodes: Sequence[Node]) -> list[Node]:
    """Return the nodes with the errors of inner nodes computed from those of the leaves."""
    errors = [0.0] * len(nodes)
    for position in reversed(range(len(nodes))):
        node = nodes[position]
        branches = zip(node.get("children", []), node.get("flow", []), strict=True)
        below = [
            errors[child] * weight / nodes[child]["n"]
            for child, weight in branches
            if nodes[child]["n"] > 0
        ]
        errors[position] = sum(below) if "children" in node else node["e"]
    return [{**node, "e": e} for node, e in zip(nodes, errors, strict=True)]


def predict_proba(
    nodes: Sequence[Node], rows: Sequence[Sequence[Cell]], table: Table
) -> list[list[float]]:
    """Return the class shares of each row; `table` is the training table.

    A row whose value is missing goes down every branch, in proportion to their flow, unless the
    split has a branch for it.
    """
    result = []
    for row in rows:
        cells = [stored_cell(table, a, cell) for a, cell in enumerate(row)]
        shares = dict.fromkeys(table.classes, 0.0)
        here = [1.0] + [0.0] * (len(nodes) - 1)
        for position, node in enumerate(nodes):
            if here[position] == 0:
                continue
            if "children" not in node:
                _add_leaf(node, here[position], shares)
                continue
            taken = branch_of(node, cells[node["index"]])
            total = sum(node["flow"])
            for b, child in enumerate(node["children"]):
                share = node["flow"][b] / total if taken is None else float(b == taken)
                here[child] += here[position] * share
        result.append(list(shares.values()))
    return result


def _add_leaf(leaf: Node, share: float, shares: dict[str, float]) -> None:
    if leaf["n"] > 0:
        for label, count in leaf["dist"].items():
            shares[label] += share * count / leaf["n"]
    else:
        shares[leaf["class"]] += share
