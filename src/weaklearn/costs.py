"""Costs of errors: the matrix of costs, and the mean cost of predictions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.encoding import check_sample_weight
from weaklearn.schema import Label, encode_classes, infer_classes
from weaklearn.tables.column import sort_labels
from weaklearn.tables.messages import quote

__all__ = ["check_costs", "check_labels", "cost_matrix", "is_amount", "mean_cost"]


def mean_cost(y_true: Any, y_pred: Any, costs: Any, sample_weight: Any = None) -> float:
    """Compute the mean cost of predictions.

    Parameters
    ----------
    y_true : Series, array or list
        The class of each row.
    y_pred : Series, array or list
        The class predicted for each row.
    costs : matrix or dict
        As for a classifier: ``{(true, predicted): cost}``, or a matrix in the order of the sorted
        classes, which are those of both arguments.
    sample_weight : array, optional
        A weight per row.

    Returns
    -------
    float
        The weighted mean; 0 if every prediction is right.

    Examples
    --------
    >>> import weaklearn as wl
    >>> true, predicted = ["sick", "well", "well"], ["well", "well", "sick"]
    >>> wl.costs.mean_cost(true, predicted, {("sick", "well"): 8})
    3.0
    """
    check_costs(costs, "mean_cost")
    true_classes, true = infer_classes(y_true)
    predicted_classes, predicted = infer_classes(y_pred, len(true))
    occurring = {true_classes[k] for k in np.unique(true)}
    occurring |= {predicted_classes[k] for k in np.unique(predicted)}
    classes = sort_labels([*{*true_classes, *predicted_classes}])
    matrix = cost_matrix(costs, classes, [label for label in classes if label in occurring])
    weights = check_sample_weight(sample_weight, len(true))
    each = matrix[encode_classes(y_true, classes), encode_classes(y_pred, classes)]
    return float(each @ weights / weights.sum())


def cost_matrix(
    costs: Any, classes: Sequence[Label], occurring: Sequence[Label] | None = None
) -> NDArray[np.float64]:
    """Return costs as a matrix: rows are true classes, columns are predicted classes.

    Parameters
    ----------
    costs : matrix or dict
        A matrix in the order of the sorted classes, or ``{(true, predicted): cost}``. Pairs that a
        dict does not list cost 1.
    classes : sequence of labels
        The order of rows and columns of the result.
    occurring : sequence of labels, optional
        The classes that occur, if that is not all of them. A matrix may be for these only; errors
        with the others cost 1.

    Returns
    -------
    array of float64, (n_classes, n_classes)
        The costs.

    Examples
    --------
    >>> cost_matrix({("sick", "healthy"): 10}, ["healthy", "sick"])
    array([[ 0.,  1.],
           [10.,  0.]])
    """
    n_classes = len(classes)
    matrix = np.ones((n_classes, n_classes))
    np.fill_diagonal(matrix, 0.0)
    index_of = {label: index for index, label in enumerate(classes)}
    if isinstance(costs, Mapping):
        check_labels(costs, {label for pair in costs for label in pair}, classes, "costs")
        for (true, predicted), cost in costs.items():
            if true in index_of and predicted in index_of:
                matrix[index_of[true], index_of[predicted]] = cost
        return matrix
    given = np.asarray(costs, dtype=np.float64)
    for labels in (classes, occurring or ()):
        if len(labels) == len(given):
            order = [index_of[label] for label in sort_labels(labels)]
            matrix[np.ix_(order, order)] = given
            return matrix
    names = ", ".join(quote(str(label)) for label in sort_labels(occurring or classes))
    raise ValueError(
        f"costs is a matrix of {len(given)} rows; expected a row and a column for each of the "
        f"classes in this order: {names}."
    )


def check_labels(given: Any, named: set[Any], classes: Sequence[Label], name: str) -> None:
    """Raise a ValueError for a label that is probably misspelt.

    A part of a table may lack a class. So an unknown label is accepted if all classes are named.
    """
    unknown = sorted(str(label) for label in named - set(classes))
    if unknown and set(classes) - named:
        known = ", ".join(quote(str(label)) for label in classes)
        raise ValueError(
            f"{name}={given!r} names {quote(unknown[0])}, which is not a class; expected {known}."
        )


def check_costs(costs: Any, owner: str) -> None:
    """Raise a ValueError if costs cannot be used, whatever the classes are."""
    if costs is None:
        return
    expected = (
        "costs must be None, a square matrix with zeros on its diagonal, or a dict of a number >= "
        "0 for pairs (true class, predicted class), such as {('sick', 'healthy'): 10}."
    )
    if isinstance(costs, Mapping):
        pairs = all(isinstance(pair, tuple) and len(pair) == 2 for pair in costs)
        good = pairs and all(is_amount(cost) for cost in costs.values())
        good = good and not any(cost for pair, cost in costs.items() if pair[0] == pair[1])
    else:
        try:
            matrix = np.asarray(costs, dtype=np.float64)
        except (TypeError, ValueError):
            matrix = np.zeros(0)
        good = matrix.ndim == 2 and matrix.shape[0] == matrix.shape[1] > 0
        good = good and bool(np.isfinite(matrix).all() and (matrix >= 0).all())
        good = good and not np.diag(matrix).any()
    if not good:
        raise ValueError(f"{owner}(costs={costs!r}): {expected}")


def is_amount(value: Any) -> bool:
    """Return whether a value is a finite number >= 0."""
    is_number = isinstance(value, int | float | np.number) and not isinstance(value, bool)
    return is_number and 0 <= value < np.inf
