"""Margins: by how much the votes for the true class exceed those for any other."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.encoding import check_sample_weight
from weaklearn.models.votes import margins as margins_of
from weaklearn.schema import encode_classes
from weaklearn.theory.arguments import check_both, find_graph, weighted_rows


def margins(model: Any, X: Any = None, y: Any = None) -> NDArray[np.float64]:
    """Compute the margin of each row: the votes for its class minus the most for another.

    The votes of a committee are shares of all votes (Schapire, Freund, Bartlett and Lee 1998). The
    votes of a tree or program are the shares of the classes at the leaf. The margin of a classifier
    with a real-valued output H, a `decision_function`, is tanh(y H(x) / 2), where y is 1 for the
    second of its classes and -1 for the first; with more than two classes H is the output for the
    row's own class, and y is 1 (Nock and Nielsen 2006).

    Parameters
    ----------
    model : Graph or classifier
        A fitted model. With a `decision_function` it may be of another library.
    X : frame, optional
        Rows. They can be omitted for a committee, which stores the margins of its training rows.
    y : Series, array or list, optional
        Their classes.

    Returns
    -------
    array of float64
        From -1, all votes for one wrong class, to 1, all votes for the true class.

    Examples
    --------
    >>> import weaklearn as wl
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]], ["no", "yes", "yes", "yes"]
    >>> wl.theory.margins(wl.StumpClassifier().fit(X, y), X, y).tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    check_both(X, y)
    if X is not None and hasattr(model, "margins"):
        return np.asarray(model.margins(X, y))
    if X is not None and hasattr(model, "decision_function"):
        return np.tanh(_own_outputs(model, X, y) / 2.0)
    if X is None:
        if not hasattr(model, "margins_"):
            raise ValueError(
                f"this {type(model).__name__} stores no margins: pass the rows, X and y."
            )
        return np.asarray(model.margins_)
    graph = find_graph(model)
    assert graph is not None  # committees have margins of their own
    rows, classes, _ = weighted_rows(model, graph.schema, X, y, None)
    return margins_of(graph.predict_class_shares(rows), classes)


def margin_error(
    model: Any, X: Any, y: Any, theta: Any = 0.0, sample_weight: Any = None
) -> NDArray[np.float64]:
    """Compute the share of rows whose margin is at most theta.

    Parameters
    ----------
    model : Graph or classifier
        A fitted model, as for `margins`.
    X : frame
        Rows.
    y : Series, array or list
        Their classes.
    theta : float or array
        From -1 to 1.
    sample_weight : array, optional
        A weight per row.

    Returns
    -------
    float64 or array of float64
        One share per theta.

    Examples
    --------
    >>> import weaklearn as wl
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]], ["no", "yes", "no", "yes"]
    >>> model = wl.RealAdaBoostClassifier(n_rounds=1).fit(X, y)
    >>> wl.theory.margin_error(model, X, y, [0.0, 0.5])
    array([0.25, 1.  ])
    """
    of_rows = margins(model, X, y)
    weights = check_sample_weight(sample_weight, len(of_rows))
    order = np.argsort(of_rows, kind="stable")
    below = np.concatenate([[0.0], np.cumsum(weights[order])])
    n_below = np.searchsorted(of_rows[order], np.asarray(theta, dtype=np.float64), side="right")
    return np.asarray(below[n_below] / below[-1])[()]


def margin_bound(model: Any, theta: Any = 0.0) -> NDArray[np.float64]:
    """Compute a bound on the margin error of the training rows of a boosted model.

    It is Theorem 1 of Henry, Nock and Nielsen (2007): (1 + theta) / (1 - theta) times the sum over
    paths of the weight at the end of the path, after the last step, times the product of
    sqrt(1 - mu^2) along the path.

    Parameters
    ----------
    model : classifier
        A fitted `G2Classifier`, or a `RealAdaBoostClassifier` or `BoostODTClassifier` of two
        classes.
    theta : float or array
        From -1 to below 1.

    Returns
    -------
    float64 or array of float64
        One bound per theta. A bound above 1 is void.

    Examples
    --------
    >>> import weaklearn as wl
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]], ["no", "yes", "no", "yes"]
    >>> model = wl.RealAdaBoostClassifier(n_rounds=1).fit(X, y)
    >>> wl.theory.margin_bound(model, [0.0, 0.5]).round(3)
    array([0.866, 2.598])
    """
    if not hasattr(model, "margin_bound_"):
        raise TypeError(
            f"got {type(model).__name__}, which has no margin bound: expected a fitted "
            "G2Classifier, RealAdaBoostClassifier or BoostODTClassifier of two classes."
        )
    thetas = np.asarray(theta, dtype=np.float64)
    if not ((thetas >= -1.0) & (thetas < 1.0)).all():
        raise ValueError(f"got theta={theta!r}, expected numbers from -1 to below 1.")
    return np.asarray((1.0 + thetas) / (1.0 - thetas) * model.margin_bound_)[()]


def _own_outputs(model: Any, X: Any, y: Any) -> NDArray[np.float64]:
    """Return the output for each row's own class."""
    outputs = np.asarray(model.decision_function(X), dtype=np.float64)
    classes = encode_classes(y, tuple(model.classes_.tolist()), len(outputs))
    if outputs.ndim == 2:
        return np.asarray(outputs[np.arange(len(outputs)), classes])
    return np.where(classes == len(model.classes_) - 1, outputs, -outputs)
