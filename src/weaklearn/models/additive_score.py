"""Scores that are sums over graphs, or over features: what Shapley values explain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core
from weaklearn.encoding import EncodedRows
from weaklearn.models.graph import Graph
from weaklearn.schema import Label, Schema


@dataclass(frozen=True, eq=False, repr=False)
class AdditiveScore:
    """A score per class: the sum of vote times class share over the graphs of a model.

    Parameters
    ----------
    graphs : sequence of Graph
        Graphs of the same schema.
    votes : array of float64
        The vote of each graph. Votes that sum to one make a mean of class shares.
    encode : callable
        Returns the encoded rows of a frame.
    class_order : array of int
        The index in the schema of each class of the model; -1 for a class that no graph knows.
    classes : sequence of labels
        The classes of the model, in this order.
    n_threads : int
        How many threads the model predicts with.
    """

    graphs: Sequence[Graph]
    votes: NDArray[np.float64]
    encode: Callable[[Any], EncodedRows]
    class_order: NDArray[np.intp]
    classes: Sequence[Label]
    n_threads: int = 1

    def __repr__(self) -> str:
        return f"AdditiveScore({len(self.graphs)} graphs, {len(self.classes)} classes)"

    @property
    def schema(self) -> Schema:
        """The features and classes of the graphs."""
        return self.graphs[0].schema

    def scores(self, rows: EncodedRows) -> NDArray[np.float64]:
        """Return the score of each row and class, (n_rows, n_classes)."""
        forest = _core.Forest([graph.core for graph in self.graphs])
        scores = forest.count_votes(rows.arrays, rows.n_rows, self.votes, "shares", self.n_threads)
        of_schema = scores.reshape(rows.n_rows, len(self.schema.classes))
        return in_class_order(of_schema, self.class_order)

    def shap_values(self, rows: EncodedRows) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the Shapley value of each row, feature and class, and the base values.

        The shapes are (n_rows, n_features, n_classes) and (n_rows, n_classes). The values of a row
        and its base value sum to its score.
        """
        cores = [graph.core for graph in self.graphs]
        values, base_values = _core.shap_values(
            cores, self.votes, rows.arrays, rows.n_rows, self.n_threads
        )
        shape = (rows.n_rows, len(self.schema.features), len(self.schema.classes))
        return (
            in_class_order(values.reshape(shape), self.class_order),
            in_class_order(base_values.reshape(shape[0], shape[2]), self.class_order),
        )


def in_class_order(
    of_schema: NDArray[np.float64], class_order: NDArray[np.intp], unknown: float = 0.0
) -> NDArray[np.float64]:
    """Return numbers for the classes of a schema, on the last axis, in another order.

    `class_order` has the index in the schema of each class, or -1, which gets `unknown`.
    """
    if np.array_equal(class_order, np.arange(of_schema.shape[-1])):
        return of_schema
    columns = of_schema[..., class_order]
    columns[..., class_order < 0] = unknown
    return columns
