"""The index of a graph: what growing top down drives down."""

from __future__ import annotations

from typing import Any

import numpy as np

from weaklearn.theory.fitted_graph import criterion_of, find_graph, flow_in


def index(
    model: Any, X: Any = None, y: Any = None, sample_weight: Any = None, *, criterion: Any = None
) -> float:
    """Give the sum over the leaves of weight times impurity, the weights summing to one.

    The error of a tree whose leaves answer with their majority is at most this times
    ``criterion.error_factor(n_classes)``, a half for two classes (Kearns and Mansour 1996: a
    concave function lies above min(q, 1 - q) where it does so at 0, 1/2 and 1). Nothing is assumed.

    Parameters
    ----------
    model : Graph or classifier
        A tree or a program, fitted.
    X : frame, optional
        Rows; by default those that the tree was grown on.
    y : Series, array or list, optional
        Their classes.
    sample_weight : array, optional
        Their weights.
    criterion : str, Impurity or callable, optional
        The impurity function; by default the model's own, or entropy.

    Returns
    -------
    float
        From 0 to 1.

    Examples
    --------
    >>> import weaklearn as wl
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]], ["no", "yes", "yes", "yes"]
    >>> wl.theory.index(wl.StumpClassifier().fit(X, y), criterion="km")
    0.0
    """
    graph = find_graph(model)
    if graph is None:
        raise TypeError(f"got {type(model).__name__}, a committee; expected a tree or a program.")
    flow = flow_in(graph, model, X, y, sample_weight)
    is_leaf = np.ones(graph.n_nodes, dtype=bool)
    is_leaf[flow.owner] = False
    impurities = criterion_of(model, criterion).of(flow.nodes[is_leaf])
    return float(flow.weights[is_leaf] @ impurities)
