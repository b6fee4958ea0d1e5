"""Find out why a fit learned nothing, so that its warning can name a cause and a remedy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from weaklearn import _core
from weaklearn.encoding import Dataset
from weaklearn.tables.messages import quote

if TYPE_CHECKING:
    from weaklearn.estimators.table_classifier import TableClassifier

#: The parameters that limit the size of a graph, with the greatest value that allows no split.
_NO_SPLITS = {"max_depth": 0, "max_leaves": 1, "max_levels": 0, "max_nodes": 0, "n_rounds": 0}

#: A nominal column with a value for more than this share of the rows hardly repeats any value.
_TOO_MANY_VALUES = 0.2


def likely_cause(
    model: TableClassifier, dataset: Dataset, weights: NDArray[np.float64], n_threads: int
) -> str:
    """Return why a fitted model predicts the same class for every row, and what to try.

    Parameters
    ----------
    model : TableClassifier
        The fitted classifier, or a member of a committee.
    dataset : Dataset
        What it was fitted to.
    weights : array of float64
        The weight of each row.
    n_threads : int
        Threads for another fit without pruning, which tells whether pruning is the cause.
    """
    return (
        _explain_table(dataset, weights, model._missing_is_value())
        or _explain_limits(model)
        or _explain_min_objects(model, weights)
        or _explain_pruning(model, dataset, weights, n_threads)
        or _explain_many_values(dataset)
        or "no split tells the classes apart. Check that the columns have to do with the class."
    )


def _explain_table(dataset: Dataset, weights: NDArray[np.float64], missing_is_value: bool) -> str:
    """Return why no model can learn from the table; an empty string if that is not the cause."""
    if len(np.unique(dataset.classes[weights > 0])) < 2:
        return "all rows have the same class. Check the class column."
    present = weights > 0
    if not any(
        _has_values(column, missing_is_value)
        if isinstance(column, _core.Column)
        else _varies(column[present], missing_is_value)
        for column in dataset.rows.arrays
    ):
        return "no column has two different values. Check how the table was read."
    return ""


def _varies(values: NDArray[Any], missing_is_value: bool) -> bool:
    """Return whether encoded rows have two values; a missing value is NaN or negative."""
    known = values[~np.isnan(values)] if values.dtype.kind == "f" else values[values >= 0]
    if not len(known):
        return False
    return bool((known != known[0]).any()) or (missing_is_value and len(known) < len(values))


def _has_values(column: _core.Column, missing_is_value: bool) -> bool:
    """Return whether a column whose rows are not in memory may have two values."""
    return column.n_codes > 1 or (missing_is_value and column.n_codes * column.n_missing > 0)


def _explain_limits(model: TableClassifier) -> str:
    for name, limit in _NO_SPLITS.items():
        value = getattr(model, name, None)
        if value is not None and not isinstance(value, str) and value <= limit:
            return f"{name}={value} allows no split. Set {name}={limit + 1} or more."
    return ""


def _explain_min_objects(model: TableClassifier, weights: NDArray[np.float64]) -> str:
    least = getattr(model, "min_objects", 0)
    total = float(weights.sum())
    if total >= 2 * least:
        return ""
    return (
        f"min_objects={least:g} asks for rows that weigh {2 * least:g} in a node that is split, "
        f"and all rows weigh {total:g}. Set a smaller min_objects, or pass more rows."
    )


def _explain_pruning(
    model: TableClassifier, dataset: Dataset, weights: NDArray[np.float64], n_threads: int
) -> str:
    if not getattr(model, "prune", False):
        return ""
    unpruned = clone(model).set_params(prune=False)
    unpruned.fit_dataset(dataset, weights, n_threads)
    if not unpruned._has_learned():
        return ""
    return (
        "pruning removed every split, because they may all be due to chance. To see them, set "
        "prune=False."
    )


def _explain_many_values(dataset: Dataset) -> str:
    features = dataset.schema.features
    most = _TOO_MANY_VALUES * dataset.n_rows
    names = [f.name for f in features if f.kind == "nominal" and len(f.values) > most]
    if not names:
        return ""
    listed = ", ".join(quote(name) for name in names[:3]) + (", ..." if len(names) > 3 else "")
    return (
        f"nominal columns with hardly a value twice ({listed}), which outweigh the others. "
        f"Leave them out: ignore=[{listed}]."
    )
