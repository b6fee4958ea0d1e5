"""The weighted impurity of the leaves, which growing a tree top down reduces."""

from __future__ import annotations

from typing import Any

import numpy as np

from weaklearn.theory.arguments import class_weights_in, criterion_of, find_graph


def weighted_impurity(
    model: Any, X: Any = None, y: Any = None, sample_weight: Any = None, *, criterion: Any = None
) -> float:
    """Compute the sum over the leaves of weight times impurity, where all weights sum to 1.

    The papers call it the index of a tree. If leaves predict their majority class, the error is at
    most this times ``criterion.error_factor(n_classes)``, which is 1/2 for two classes (Kearns and
    Mansour 1996: a concave function that is at least min(q, 1 - q) at 0, 1/2 and 1 is so
    everywhere). There are no further assumptions.

    Parameters
    ----------
    model : Graph or classifier
        A fitted tree or program.
    X : frame, optional
        Rows. The default is the training rows, whose class weights a tree stores.
    y : Series, array or list, optional
        Their classes.
    sample_weight : array, optional
        Their weights.
    criterion : str, Impurity or callable, optional
        The impurity function. The default is the criterion of the model, or entropy.

    Returns
    -------
    float
        From 0 to 1.

    Examples
    --------
    >>> import weaklearn as wl
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]], ["no", "yes", "yes", "yes"]
    >>> wl.theory.weighted_impurity(wl.StumpClassifier().fit(X, y), criterion="km")
    0.0
    """
    graph = find_graph(model)
    if graph is None:
        raise TypeError(f"got {type(model).__name__}, a committee; expected a tree or a program.")
    class_weights = class_weights_in(graph, model, X, y, sample_weight)
    is_leaf = np.ones(graph.n_nodes, dtype=bool)
    is_leaf[class_weights.owner] = False
    impurities = criterion_of(model, criterion).of(class_weights.nodes[is_leaf])
    return float(class_weights.weights[is_leaf] @ impurities)
