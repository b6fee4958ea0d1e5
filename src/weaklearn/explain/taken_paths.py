"""Why a graph predicts what it predicts: the paths that a row takes to the leaves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from weaklearn.show.node_text import printable
from weaklearn.show.rows_on_paths import RowsOnPath
from weaklearn.show.rules import Condition, paths

if TYPE_CHECKING:
    from weaklearn.encoding import EncodedRows
    from weaklearn.models.graph import Graph
    from weaklearn.schema import Label


@dataclass(frozen=True, slots=True, repr=False)
class TakenPath:
    """A path from the root to a leaf that a row takes.

    Parameters
    ----------
    conditions : tuple of Interval, ValueSet, Missing or Side
        The conditions on the path; those on the same feature are merged.
    leaf : int
        The index of the leaf.
    label : label
        The class of the leaf.
    share : float
        The share of the row that takes this path: 1, or less if a value is missing and goes down
        several branches.
    weight, of_label : float
        The weight of the training rows at the leaf, and of those that have its class.
    """

    conditions: tuple[Condition, ...]
    leaf: int
    label: Label
    share: float
    weight: float
    of_label: float

    @property
    def text(self) -> str:
        """The conditions and the training rows of the leaf, in words."""
        conditions = " and ".join(map(str, self.conditions)) or "every row ends in one leaf"
        counts = f"{_count_text(self.of_label)} of {_count_text(self.weight)} training rows"
        return f"{conditions} ({counts})" if self.weight > 0 else f"{conditions} (no training rows)"

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.text}>"


@dataclass(frozen=True, slots=True, repr=False)
class TakenPaths:
    """The paths that one row takes through a graph.

    Parameters
    ----------
    label : label
        The class that the graph predicts.
    paths : tuple of TakenPath
        The paths, the largest share first. There are several if a value is missing where a split
        needs it and has no branch for it.
    """

    label: Label
    paths: tuple[TakenPath, ...]

    @property
    def text(self) -> str:
        """The reason in words."""
        label = printable(self.label)
        if len(self.paths) == 1:
            return f"{label}, because {self.paths[0].text}"
        parts = [
            f"{100 * path.share:.1f}% {printable(path.label)}, because {path.text}"
            for path in self.paths
        ]
        missing = "values are missing" if parts else "a missing value leads to no leaf"
        return "; ".join([f"{label}, because {missing}", *parts])

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self.text}>"


def taken_paths(graph: Graph, rows: EncodedRows, n_threads: int = 1) -> list[TakenPaths]:
    """Return the paths that each encoded row takes.

    Parameters
    ----------
    graph : Graph
        A fitted tree or program.
    rows : EncodedRows
        The rows.
    n_threads : int
        Threads to predict with.
    """
    classes = graph.predict_class_indices(rows, n_threads)
    of_rows: list[list[TakenPath]] = [[] for _ in range(rows.n_rows)]
    if rows.n_rows:
        for leaf, conditions, here in paths(
            graph, RowsOnPath.at_root(rows, classes), impossible=True
        ):
            assert here is not None, "rows were given"
            label = int(graph.label[leaf])
            weight = float(graph.weight[leaf])
            of_label = dict(graph.class_weights(leaf)).get(label, 0.0) if weight > 0 else 0.0
            for row, share in zip(here.indices.tolist(), here.weights.tolist(), strict=True):
                of_rows[row].append(
                    TakenPath(conditions, leaf, graph.label_of(leaf), share, weight, of_label)
                )
    return [
        TakenPaths(
            graph.schema.classes[predicted], tuple(sorted(taken, key=lambda path: -path.share))
        )
        for predicted, taken in zip(classes.tolist(), of_rows, strict=True)
    ]


def _count_text(weight: float) -> str:
    """Return a weight as a whole number of rows, or with one decimal."""
    return f"{weight:.0f}" if weight == round(weight) else f"{weight:.1f}"
