"""Why a graph predicts what it predicts: the paths that a row takes to the leaves."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.show.node_text import printable
from weaklearn.show.rows_on_paths import RowsOnPath
from weaklearn.show.rules import Condition, Interval, Missing, ValueSet, paths

if TYPE_CHECKING:
    from weaklearn.encoding import EncodedRows
    from weaklearn.models.graph import Graph
    from weaklearn.schema import Label

#: How many paths of a row are in its text, those with the largest shares.
_PATHS_IN_A_LINE = 2
#: How many values of a set are in the text of a condition.
_VALUES_IN_A_LINE = 6


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
    class_weights : dict
        The weight of the training rows of each class at the leaf; empty if none came there.
    """

    conditions: tuple[Condition, ...]
    leaf: int
    label: Label
    share: float
    class_weights: dict[Label, float]

    @property
    def weight(self) -> float:
        """The weight of the training rows at the leaf."""
        return sum(self.class_weights.values())

    @property
    def conditions_text(self) -> str:
        """The conditions in words; of a long set of values the first are listed."""
        return " and ".join(map(_short_text, self.conditions)) or "every row ends in one leaf"

    @property
    def text(self) -> str:
        """The conditions and the training rows of the leaf, in words."""
        if not self.class_weights:
            return f"{self.conditions_text} (no training rows)"
        of_label = count_text(self.class_weights.get(self.label, 0.0))
        return f"{self.conditions_text} ({of_label} of {count_text(self.weight)} training rows)"

    def to_dict(self) -> dict[str, Any]:
        """Return the path as plain data, ready for JSON."""
        return {
            "conditions": [str(condition) for condition in self.conditions],
            "class": self.label,
            "leaf": self.leaf,
            "share": self.share,
            "class_weights": {str(label): w for label, w in self.class_weights.items()},
        }

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

    def to_dict(self) -> dict[str, Any]:
        """Return the paths as plain data, ready for JSON."""
        return {"paths": [path.to_dict() for path in self.paths]}

    @property
    def text(self) -> str:
        """The reason in words."""
        label = printable(self.label)
        if len(self.paths) == 1:
            return f"{label}, because {self.paths[0].text}"
        parts = [
            f"{100 * path.share:.1f}% {printable(path.label)}, because {path.text}"
            for path in self.paths[:_PATHS_IN_A_LINE]
        ]
        rest = self.paths[_PATHS_IN_A_LINE:]
        if rest:
            share = 100 * sum(path.share for path in rest)
            parts.append(f"{share:.1f}% on {len(rest)} more path{'s' * (len(rest) > 1)}")
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
            weights = graph.class_weights(leaf) if graph.weight[leaf] > 0 else []
            class_weights = {graph.schema.classes[k]: weight for k, weight in weights}
            of_each = _conditions_met(conditions, graph, rows, here.indices)
            for row, share, met in zip(
                here.indices.tolist(), here.weights.tolist(), of_each, strict=True
            ):
                of_rows[row].append(
                    TakenPath(met, leaf, graph.label_of(leaf), share, class_weights)
                )
    _take_shares_of_prediction(graph, rows, of_rows)
    return [
        TakenPaths(
            graph.schema.classes[predicted], tuple(sorted(taken, key=lambda path: -path.share))
        )
        for predicted, taken in zip(classes.tolist(), of_rows, strict=True)
    ]


def _conditions_met(
    conditions: tuple[Condition, ...], graph: Graph, rows: EncodedRows, indices: NDArray[np.intp]
) -> Iterator[tuple[Condition, ...]]:
    """Yield for each row what it meets of conditions such as ``x <= 3 or missing``."""
    features = graph.schema.features
    open_places = [
        (place, rows.arrays[features.index(condition.feature)][indices].tolist())
        for place, condition in enumerate(conditions)
        if isinstance(condition, Interval | ValueSet) and condition.or_missing
    ]
    for row in range(len(indices)):
        met = list(conditions)
        for place, cells in open_places:
            met[place] = _part_met(conditions[place], cells[row])
        yield tuple(met)


def _part_met(condition: Condition, cell: float) -> Condition:
    assert isinstance(condition, Interval | ValueSet), "other conditions do not mention missing"
    if isinstance(condition, Interval):
        is_missing, is_met = cell != cell, True
    else:
        is_missing = cell < 0
        is_met = condition.feature.values[int(cell)] in condition.values
    if is_missing:
        return Missing(condition.feature)
    # A split treats a value that it does not know as missing; then the condition stays as it is.
    return replace(condition, or_missing=False) if is_met else condition


def _take_shares_of_prediction(
    graph: Graph, rows: EncodedRows, of_rows: list[list[TakenPath]]
) -> None:
    """Scale the shares of rows on several leaves to those that prediction uses, in place.

    They differ where pruning dropped a branch, so that the weights of the remaining branches do not
    add up to that of the split: prediction divides by the sum over all leaves.
    """
    several = [row for row, taken in enumerate(of_rows) if len(taken) > 1]
    visited = graph.decision_path(rows.take_rows(np.array(several, dtype=np.intp)))
    for row, shares in zip(several, visited, strict=True):
        at_leaf = dict(zip(shares.indices.tolist(), shares.data.tolist(), strict=True))
        of_paths: dict[int, float] = {}
        for path in of_rows[row]:
            of_paths[path.leaf] = of_paths.get(path.leaf, 0.0) + path.share
        total = sum(at_leaf.get(leaf, 0.0) for leaf in of_paths)
        of_rows[row] = [
            replace(
                path, share=path.share * at_leaf.get(path.leaf, 0.0) / of_paths[path.leaf] / total
            )
            for path in of_rows[row]
        ]


def _short_text(condition: Condition) -> str:
    if not isinstance(condition, ValueSet) or len(condition.values) <= _VALUES_IN_A_LINE:
        return str(condition)
    first = ", ".join(map(printable, condition.values[:_VALUES_IN_A_LINE]))
    n_more = len(condition.values) - _VALUES_IN_A_LINE
    missing = " or missing" if condition.or_missing else ""
    return f"{printable(condition.feature.name)} in {{{first}, ... and {n_more} more}}{missing}"


def count_text(weight: float) -> str:
    """Return a weight as a whole number of rows, or with one decimal."""
    return f"{weight:.0f}" if weight == round(weight) else f"{weight:.1f}"
