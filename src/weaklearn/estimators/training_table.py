"""The first step of every fit: read the table, the classes and the weights, and check them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import _safe_indexing

from weaklearn.encoding import check_sample_weight, counts_of_rows
from weaklearn.schema import Label, infer_classes
from weaklearn.tables.column import sort_labels
from weaklearn.tables.frames import Columns, as_columns


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class TrainingTable:
    """The rows of positive weight of a table, with their classes and weights.

    Parameters
    ----------
    X : frame
        The whole table as it was passed.
    kept : array of int or None
        The rows of X that have a positive weight; None for all rows. The other attributes describe
        these rows only.
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
    """

    X: Any
    kept: NDArray[np.intp] | None
    columns: Columns
    classes: tuple[Label, ...]
    class_indices: NDArray[np.int32]
    weights: NDArray[np.float64]
    target: str | None
    sorted_classes: NDArray[Any]

    def rows_as_given(self) -> Any:
        """Return the rows of positive weight in the type of X."""
        return self.X if self.kept is None else _safe_indexing(self.X, self.kept)

    def indices_in_sorted_classes(self) -> NDArray[np.int32]:
        """Return the position of each row's class in `sorted_classes`."""
        position = {label: k for k, label in enumerate(self.sorted_classes.tolist())}
        positions = [position.get(label, -1) for label in self.classes]
        return np.array(positions, dtype=np.int32)[self.class_indices]


def read_training_table(X: Any, y: Any, sample_weight: Any) -> TrainingTable:
    """Read the arguments of ``fit``; rows of weight 0 are dropped.

    Raises
    ------
    ValueError or TypeError
        If the table, the classes or the weights cannot be used.
    """
    columns = as_columns(X)
    classes, class_indices = infer_classes(y, columns.n_rows)
    weights = counts_of_rows(check_sample_weight(sample_weight, columns.n_rows))
    occurring = np.flatnonzero(np.bincount(class_indices, minlength=len(classes)))
    labels = [classes[k] for k in occurring]
    kept = None
    if not weights.all():
        kept = np.flatnonzero(weights)
        columns = columns.take_rows(kept)
        classes, class_indices = infer_classes(_safe_indexing(y, kept), len(kept))
        weights = weights[kept]
    name = getattr(y, "name", None)
    return TrainingTable(
        X,
        kept,
        columns,
        classes,
        class_indices,
        weights,
        name if isinstance(name, str) else None,
        sorted_label_array(labels, getattr(y, "dtype", None)),
    )


def sorted_label_array(labels: list[Label], dtype: object) -> NDArray[Any]:
    """Return labels in an array, numbers before strings; of the given type if it is NumPy's."""
    ordered = sort_labels(labels)
    if isinstance(dtype, np.dtype):
        return np.array(ordered, dtype=dtype)
    mixed = len({isinstance(label, str) for label in ordered}) > 1
    return np.array(ordered, dtype=object if mixed else None)
