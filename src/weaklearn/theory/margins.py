"""Margins: by how much the right class wins."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.encoding import check_sample_weight
from weaklearn.models.count_votes import margins as margins_of
from weaklearn.schema import encode_classes
from weaklearn.theory.fitted_graph import check_both, find_graph, weighted_rows


def margins(model: Any, X: Any = None, y: Any = None) -> NDArray[np.float64]:
    """Give the margin of each row: the votes for its class minus the most for another.

    A committee's votes are shares of all votes, a graph's are the shares of the classes at the
    leaf. (Schapire, Freund, Bartlett and Lee 1998, for committees.) Of a classifier with a
    real-valued output H, a `decision_function`, the margin is tanh(y H(x) / 2), y being 1 for the
    second of its classes and -1 for the first; of more than two classes H is the output for the
    row's own class. (Nock and Nielsen 2006.)

    Parameters
    ----------
    model : Graph or classifier
        Fitted; with a `decision_function` it may be anyone's.
    X : frame, optional
        Rows; may be left out for a committee, which remembers the margins of its training rows.
    y : Series, array or list, optional
        Their classes.

    Returns
    -------
    array of float64
        From -1, all for one wrong class, to 1, all for the right one.

    Examples
    --------
    >>> import weaklearn as wl
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]], ["no", "yes", "yes", "yes"]
    >>> wl.theory.margins(wl.StumpClassifier().fit(X, y), X, y).tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    check_both(X, y)
    if X is not None and hasattr(model, "decision_function"):
        return np.tanh(_own_outputs(model, X, y) / 2.0)
    graph = None if hasattr(model, "decision_function") else find_graph(model)
    if X is None:
        if not hasattr(model, "margins_"):
            raise ValueError(
                f"this {type(model).__name__} remembers no margins: give the rows, X and y."
            )
        return np.asarray(model.margins_)
    if graph is not None:
        rows, classes, _ = weighted_rows(model, graph.schema, X, y, None)
        return margins_of(graph.predict_proba(rows), classes)
    return np.asarray(model.margins(X, y))


def margin_error(
    model: Any, X: Any, y: Any, theta: Any = 0.0, sample_weight: Any = None
) -> NDArray[np.float64]:
    """Give the share of rows whose margin is at most theta.

    Parameters
    ----------
    model : Graph or classifier
        Fitted; as for `margins`.
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
    found = margins(model, X, y)
    weights = check_sample_weight(sample_weight, len(found))
    order = np.argsort(found, kind="stable")
    below = np.concatenate([[0.0], np.cumsum(weights[order])])
    place = np.searchsorted(found[order], np.asarray(theta, dtype=np.float64), side="right")
    return np.asarray(below[place] / below[-1])[()]


def margin_bound(model: Any, theta: Any = 0.0) -> NDArray[np.float64]:
    """Give Theorem 1's bound on the margin error of the rows that a model was boosted on.

    It is (1 + theta) / (1 - theta) times the sum over paths of the weight that is left there after
    the last step times the product of sqrt(1 - mu^2) along the path. (Henry, Nock and Nielsen
    2007.)

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
        One bound per theta; above 1 it says nothing.

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
            f"there is no bound of margins for this {type(model).__name__}: expected a fitted "
            "G2Classifier, RealAdaBoostClassifier or BoostODTClassifier of two classes."
        )
    at = np.asarray(theta, dtype=np.float64)
    if not ((at >= -1.0) & (at < 1.0)).all():
        raise ValueError(f"got theta={theta!r}, expected numbers from -1 to below 1.")
    return np.asarray((1.0 + at) / (1.0 - at) * model.margin_bound_)[()]


def _own_outputs(model: Any, X: Any, y: Any) -> NDArray[np.float64]:
    """Return the output in favour of each row's class."""
    outputs = np.asarray(model.decision_function(X), dtype=np.float64)
    numbers = encode_classes(y, tuple(model.classes_.tolist()), len(outputs))
    if outputs.ndim == 2:
        return np.asarray(outputs[np.arange(len(outputs)), numbers])
    return np.where(numbers == len(model.classes_) - 1, outputs, -outputs)
