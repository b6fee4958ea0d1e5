"""Read the arguments that the functions of this package share: a model, rows, a criterion."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.encoding import EncodedRows, check_sample_weight, encode_rows
from weaklearn.models.graph import Graph
from weaklearn.models.graph_splits import (
    ClassWeights,
    class_weights_of_rows,
    stored_class_weights,
)
from weaklearn.models.impurity import Impurity, entropy, impurity_of
from weaklearn.schema import Schema, encode_classes


def find_graph(model: Any) -> Graph | None:
    """Return the graph of a model; None for a committee.

    Parameters
    ----------
    model : object
        A `Graph`, or a fitted classifier.

    Raises
    ------
    TypeError
        If it is neither, or not fitted.
    """
    for graph in (model, getattr(model, "graph_", None)):
        if isinstance(graph, Graph):
            return graph
    if getattr(model, "members_", None):
        return None
    kind = type(model).__name__
    if hasattr(model, "fit"):
        raise TypeError(f"this {kind} is not fitted, or not of weaklearn: call fit(X, y) first.")
    raise TypeError(
        f"got {kind}, expected a graph or a fitted classifier such as C45Classifier().fit(X, y)."
    )


def check_both(X: Any, y: Any) -> None:
    """Raise a ValueError if there are rows without classes, or classes without rows."""
    if (X is None) != (y is None):
        missing = "y" if y is None else "X"
        raise ValueError(f"{missing} is missing: pass both X and y, or neither.")


def class_weights_in(graph: Graph, model: Any, X: Any, y: Any, sample_weight: Any) -> ClassWeights:
    """Return the class weights at each node and branch, of these rows or of the training rows."""
    check_both(X, y)
    if X is None:
        return stored_class_weights(graph)
    rows, classes, weights = weighted_rows(model, graph.schema, X, y, sample_weight)
    return class_weights_of_rows(graph, rows, classes, weights)


def weighted_rows(
    model: Any, schema: Schema, X: Any, y: Any, sample_weight: Any
) -> tuple[EncodedRows, NDArray[np.int32], NDArray[np.float64]]:
    """Return encoded rows, their class indices and their checked weights."""
    if isinstance(model, Graph):
        rows = encode_rows(X, schema, "the graph", fitted_with_names=None)
    else:
        rows = encode_rows(X, schema, type(model).__name__, hasattr(model, "feature_names_in_"))
    classes = encode_classes(y, schema.classes, rows.n_rows)
    return rows, classes, check_sample_weight(sample_weight, rows.n_rows)


def criterion_of(model: Any, criterion: Any) -> Impurity:
    """Return the requested impurity function, or by default the one that grew the model."""
    if criterion is None:
        criterion = getattr(model, "criterion", entropy)
    return impurity_of(criterion)
