"""The first step of every fit: read the table, the classes and the weights, and check them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import _safe_indexing

from weaklearn.encoding import (
    Dataset,
    check_sample_weight,
    counts_of_rows,
    encode_columns,
    warn_of_columns,
)
from weaklearn.schema import Label, infer_classes, infer_features
from weaklearn.tables.column import MISSING_CODE, sorted_label_array
from weaklearn.tables.frames import Columns, as_columns
from weaklearn.tables.missing_values import DEFAULT_MISSING, MissingValues
from weaklearn.user_warnings import warn_user


@dataclass(slots=True, eq=False, repr=False)
class TrainingTable:
    """The rows of a table with a class and a positive weight.

    Parameters
    ----------
    X : frame
        The whole table as it was passed.
    kept : array of int or None
        The rows of X with a class and a positive weight; None for all rows. The other attributes
        describe these rows only.
    columns : Columns
        The columns.
    classes : tuple of labels
        The classes in declared order, with those that never occur.
    class_indices : array of int32
        The class index of each row.
    weights : array of float64
        The weight of each row, a count.
    target : str or None
        The name of y, if it has one.
    sorted_classes : array of labels
        The classes that occur in y, sorted: the ``classes_`` of a fitted classifier. A class whose
        rows all have weight 0 is among them; it is not in `classes` unless it is declared.
    dataset : Dataset or None
        The encoded rows of a table that is not in memory. Its `columns` then have no rows.
    """

    X: Any
    kept: NDArray[np.intp] | None
    columns: Columns
    classes: tuple[Label, ...]
    class_indices: NDArray[np.int32]
    weights: NDArray[np.float64]
    target: str | None
    sorted_classes: NDArray[Any]
    dataset: Dataset | None = None

    def rows_as_given(self) -> Any:
        """Return the rows of positive weight in the type of X."""
        return self.X if self.kept is None else _safe_indexing(self.X, self.kept)

    def warn_of_columns(self) -> None:
        """Warn of suspicious columns, for a fit that does not encode the table itself."""
        features = infer_features(self.columns)
        warn_of_columns(encode_columns(self.columns, features), features, self.class_indices)

    def indices_in_sorted_classes(self) -> NDArray[np.int32]:
        """Return the position of each row's class in `sorted_classes`."""
        position = {label: k for k, label in enumerate(self.sorted_classes.tolist())}
        positions = [position.get(label, -1) for label in self.classes]
        return np.array(positions, dtype=np.int32)[self.class_indices]


def read_training_table(
    X: Any, y: Any, sample_weight: Any, missing: MissingValues = DEFAULT_MISSING
) -> TrainingTable:
    """Read the arguments of ``fit``; rows of weight 0 and rows without a class are dropped.

    Raises
    ------
    ValueError or TypeError
        If the table, the classes or the weights cannot be used, or if more than half of the rows
        have no class.
    """
    columns = as_columns(X, missing)
    classes, class_indices = infer_classes(y, columns.n_rows, missing, allow_missing=True)
    weights = counts_of_rows(check_sample_weight(sample_weight, columns.n_rows))
    has_class = class_indices != MISSING_CODE
    n_rows_of = np.bincount(class_indices[has_class], minlength=len(classes))
    labels = [classes[k] for k in np.flatnonzero(n_rows_of)]
    is_kept = has_class & (weights > 0)
    kept = None
    if not is_kept.all():
        check_missing_classes(class_indices[weights > 0])
        kept = np.flatnonzero(is_kept)
        columns = columns.take_rows(kept)
        classes, class_indices = infer_classes(_safe_indexing(y, kept), len(kept), missing)
        weights = weights[kept]
    name = getattr(y, "name", None)
    return TrainingTable(
        indexable(X),
        kept,
        columns,
        classes,
        class_indices,
        weights,
        name if isinstance(name, str) else None,
        sorted_label_array(labels, getattr(y, "dtype", None)),
    )


def indexable(X: Any) -> Any:
    """Return frames, arrays and lists of rows as they are, and anything else as an array.

    Rows of the result can be taken, also of objects that have nothing but ``__array__``.
    """
    return X if hasattr(X, "shape") or isinstance(X, list) else np.asarray(X)


def drop_rows_without_class(X: Any, y: Any, sample_weight: Any) -> tuple[Any, Any, Any]:
    """Return the arguments of ``fit`` without the rows whose class is missing, with a warning."""
    kept = rows_with_class(y)
    if kept is None:
        return X, y, sample_weight
    weights = None if sample_weight is None else np.asarray(sample_weight)[kept]
    return _safe_indexing(indexable(X), kept), _safe_indexing(y, kept), weights


def rows_with_class(y: Any, missing: MissingValues = DEFAULT_MISSING) -> NDArray[np.intp] | None:
    """Return the rows that have a class; None for all.

    Some rows without a class are a warning. More than half of the rows are a ValueError.
    """
    _, class_indices = infer_classes(y, missing=missing, allow_missing=True)
    has_class = class_indices != MISSING_CODE
    if has_class.all():
        return None
    check_missing_classes(class_indices)
    return np.flatnonzero(has_class)


def check_missing_classes(class_indices: NDArray[np.int32]) -> None:
    """Warn of rows without a class; raise a ValueError if they are more than half."""
    n_rows, n_missing = len(class_indices), int((class_indices == MISSING_CODE).sum())
    if 2 * n_missing > n_rows:
        first = int((class_indices == MISSING_CODE).argmax())
        raise ValueError(
            f"Input y contains NaN: {n_missing:,} of {n_rows:,} classes are missing, the first in "
            f"row {first}. Expected a class for at least half of the rows; check that y is the "
            "class."
        )
    if n_missing:
        warn_user(
            f"{n_missing:,} of {n_rows:,} rows have no class and are left out. To leave them out "
            "without this warning, pass X[y.notna()] and y[y.notna()]; in polars "
            "X.filter(y.is_not_null()) and y.drop_nulls()."
        )
