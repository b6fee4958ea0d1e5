"""The partitions of a table as the workers read them, and what the fit must know of all of them.

Each partition becomes a `PartTable` on a worker: the rows with a class and a positive weight. Its
`PartSummary` is small. The summaries of all partitions are merged in order, and the result is what
`weaklearn.estimators.training_table` would find in the whole table: the same rules are applied to
columns without rows.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core
from weaklearn.encoding import check_sample_weight, exact_sum
from weaklearn.schema import Label, check_number_of_labels, classes_of, read_classes
from weaklearn.tables.column import (
    MISSING_CODE,
    CategoryColumn,
    Column,
    DateColumn,
    as_float64,
    category_column,
    sort_labels,
)
from weaklearn.tables.dates import DateForm
from weaklearn.tables.frames import Columns, as_columns, default_name
from weaklearn.tables.messages import describe_column, quote, quote_list
from weaklearn.tables.missing_values import MissingValues
from weaklearn.tables.suspicious_columns import KeyRanges, key_ranges, merge_key_ranges

_UNITS = ("day", "minute", "second", "microsecond")


class NumberRange(NamedTuple):
    """The lowest and the highest number of some rows, how many rows have a number, and a key.

    `key` is what `key_ranges` says of them.
    """

    lowest: float = math.inf
    highest: float = -math.inf
    n_known: int = 0
    key: KeyRanges = ()

    def merge(self, other: NumberRange) -> NumberRange:
        """Return the range of the rows of both."""
        return NumberRange(
            min(self.lowest, other.lowest),
            max(self.highest, other.highest),
            self.n_known + other.n_known,
            merge_key_ranges(self.key, other.key),
        )


@dataclass(frozen=True, slots=True, eq=False)
class PartSummary:
    """What the fit must know of some consecutive partitions.

    Parameters
    ----------
    names : list of str or None
        The names of the columns; None if they have none.
    columns : list of Column
        What the kept rows hold, without rows: the labels, the form of dates, or the type of
        numbers. Numbers that are declared nominal are listed.
    is_known : list of bool
        Whether a column has a known value, or declares its values.
    ranges : list of NumberRange or None
        The range of the numbers or dates of each column; None if it has others, or is nominal.
    classes : tuple of labels
        The classes of the kept rows: declared ones in their order, otherwise those that occur.
    occurring : tuple of labels
        The classes that occur in all rows, those of weight 0 included.
    classes_declared : bool
        Whether y declares its classes.
    target, class_dtype
        The name and the type of y.
    lengths : list of int
        The number of kept rows of each partition.
    n_weighted, n_without_class : int
        The number of rows of positive weight, and how many of them have no class.
    weight_sum : Fraction
        The sum of the weights of all rows, exactly.
    weight_range : (float, float)
        The least and the greatest weight of the kept rows.
    """

    names: list[str] | None
    columns: list[Column]
    is_known: list[bool]
    ranges: list[NumberRange | None]
    classes: tuple[Label, ...]
    occurring: tuple[Label, ...]
    classes_declared: bool
    target: str | None
    class_dtype: Any
    lengths: list[int]
    n_weighted: int
    n_without_class: int
    weight_sum: Fraction
    weight_range: tuple[float, float]


@dataclass(frozen=True, slots=True, eq=False)
class PartTable:
    """The rows of a partition with a class and a positive weight.

    Parameters
    ----------
    columns : Columns or None
        The columns; None without rows.
    classes : tuple of labels
        The classes of `class_indices`.
    class_indices : array of int32
        The class of each row.
    weights : array of float64
        The weight of each row.
    summary : PartSummary
        What the fit must know of them.
    """

    columns: Columns | None
    classes: tuple[Label, ...]
    class_indices: NDArray[np.int32]
    weights: NDArray[np.float64]
    summary: PartSummary

    def __sizeof__(self) -> int:
        # Dask asks this to decide where tasks run and what is written to disk.
        rows = () if self.columns is None else self.columns.data
        return n_bytes([self.class_indices, self.weights, *map(_array_of, rows)])


def _array_of(column: Column) -> NDArray[Any]:
    if isinstance(column, CategoryColumn):
        return column.codes
    return column.seconds if isinstance(column, DateColumn) else column


def n_bytes(arrays: Iterable[NDArray[Any]]) -> int:
    """Return the size of arrays, with something for the object that holds them."""
    return 1000 + sum(array.nbytes for array in arrays)


def read_part(
    X: Any, y: Any, sample_weight: Any, index: int, missing: MissingValues, nominal: Sequence[Any]
) -> PartTable:
    """Read a partition; errors say which one it is."""
    try:
        return _read_part(X, y, sample_weight, missing, nominal)
    except (TypeError, ValueError) as error:
        raise type(error)(f"partition {index}: {error}") from error


def _read_part(
    X: Any, y: Any, sample_weight: Any, missing: MissingValues, nominal: Sequence[Any]
) -> PartTable:
    n_rows = len(X)
    weights = _weights_of(sample_weight, n_rows)
    if n_rows == 0:
        return _empty_part(X, y, missing)
    columns = as_columns(X, missing)
    labels = read_classes(y, missing)
    check_number_of_labels(labels, n_rows)
    declared = isinstance(labels, CategoryColumn) and labels.declared
    classes, codes = classes_of(labels, allow_missing=True)
    has_class = codes != MISSING_CODE
    rows_of_classes = np.bincount(codes + 1, minlength=len(classes) + 1)[1:]
    occurring = tuple(classes[k] for k in np.flatnonzero(rows_of_classes))
    is_weighted = weights > 0
    is_kept = has_class & is_weighted
    n_weighted = int(np.count_nonzero(is_weighted))
    weight_sum = Fraction(n_rows) if sample_weight is None else exact_sum(weights)
    if not is_kept.all():
        kept = np.flatnonzero(is_kept)
        columns = columns.take_rows(kept)
        codes, weights = codes[kept], weights[kept]
        if not declared:
            present, positions = np.unique(codes, return_inverse=True)
            codes, classes = positions.astype(np.int32), tuple(classes[k] for k in present)
    is_nominal = [
        name in nominal or position in nominal for position, name in enumerate(_names_of(columns))
    ]
    ranges = _ranges_of(columns, is_nominal)
    parts = [
        _without_rows(column, range_of)
        for column, range_of in zip(columns.data, ranges, strict=True)
    ]
    summary = PartSummary(
        columns.names,
        [column for column, _ in parts],
        [is_known for _, is_known in parts],
        ranges,
        classes,
        occurring,
        declared,
        _name_of(y),
        getattr(y, "dtype", None),
        [columns.n_rows],
        n_weighted,
        n_weighted - columns.n_rows,
        weight_sum,
        (weights.min(initial=math.inf), weights.max(initial=0.0)),
    )
    return PartTable(columns, classes, codes, weights, summary)


def _empty_part(X: Any, y: Any, missing: MissingValues) -> PartTable:
    """Describe a partition without rows. Only the values that its types declare are known."""
    raw = list(X.columns) if hasattr(X, "columns") else None
    names = raw if raw is not None and all(isinstance(name, str) for name in raw) else None
    columns: list[Column] = []
    for position in range(X.shape[1]):
        categories = getattr(getattr(X, "dtypes", [None] * X.shape[1]), "iloc", None)
        dtype = categories[position] if categories is not None else None
        values = getattr(dtype, "categories", None)
        where = describe_column(names[position] if names else default_name(position))
        columns.append(
            np.zeros(0)
            if values is None
            else category_column(np.zeros(0, np.intp), values, where, missing, declared=True)
        )
    classes: tuple[Label, ...] = ()
    declared = getattr(getattr(y, "dtype", None), "categories", None)
    if declared is not None:
        classes = category_column(
            np.zeros(0, np.intp), declared, "y", missing, declared=True
        ).labels
    summary = PartSummary(
        names,
        columns,
        [isinstance(column, CategoryColumn) for column in columns],
        [None if isinstance(column, CategoryColumn) else NumberRange() for column in columns],
        classes,
        (),
        declared is not None,
        _name_of(y),
        getattr(y, "dtype", None),
        [0],
        0,
        0,
        Fraction(0),
        (math.inf, 0.0),
    )
    return PartTable(None, classes, np.zeros(0, np.int32), np.zeros(0), summary)


def merge_summaries(summaries: Sequence[PartSummary]) -> PartSummary:
    """Return the summary of consecutive partitions from those of each."""
    merged = summaries[0]
    for other in summaries[1:]:
        merged = _merge_two(merged, other)
    return merged


def _merge_two(first: PartSummary, second: PartSummary) -> PartSummary:
    if first.names != second.names or len(first.columns) != len(second.columns):
        raise ValueError(
            "the partitions of X have different columns: some have "
            f"{quote_list(first.names or [len(first.columns)])}, others "
            f"{quote_list(second.names or [len(second.columns)])}. Give all the same columns."
        )
    names = first.names or [default_name(i) for i in range(len(first.columns))]
    columns, is_known, ranges = [], [], []
    for name, a, b, a_known, b_known in zip(
        names, first.columns, second.columns, first.is_known, second.is_known, strict=True
    ):
        columns.append(_merge_columns(name, a, b) if a_known and b_known else b if b_known else a)
        is_known.append(a_known or b_known)
    for a_range, b_range in zip(first.ranges, second.ranges, strict=True):
        ranges.append(a_range.merge(b_range) if a_range and b_range else None)
    declared = first.classes_declared or second.classes_declared
    classes = merge_labels(first.classes, second.classes)
    return PartSummary(
        first.names,
        columns,
        is_known,
        ranges,
        classes if declared else sort_labels(classes),
        sort_labels(merge_labels(first.occurring, second.occurring)),
        declared,
        first.target,
        first.class_dtype,
        first.lengths + second.lengths,
        first.n_weighted + second.n_weighted,
        first.n_without_class + second.n_without_class,
        first.weight_sum + second.weight_sum,
        (
            min(first.weight_range[0], second.weight_range[0]),
            max(first.weight_range[1], second.weight_range[1]),
        ),
    )


def _merge_columns(name: str, first: Column, second: Column) -> Column:
    if isinstance(first, np.ndarray) and isinstance(second, np.ndarray):
        return np.unique(np.concatenate([first, second]))
    if isinstance(first, CategoryColumn) and isinstance(second, CategoryColumn):
        return CategoryColumn(
            first.codes,
            merge_labels(first.labels, second.labels),
            first.declared or second.declared,
            first.undecided and second.undecided,
        )
    if isinstance(first, DateColumn) and isinstance(second, DateColumn):
        unit = max(first.form.unit, second.form.unit, key=_UNITS.index)
        form = DateForm(first.form.order, unit, first.form.has_zone or second.form.has_zone)
        return DateColumn(first.seconds, form)
    raise TypeError(
        f"column {quote(name)} holds {_kind(first)} in some partitions and {_kind(second)} in "
        "others. Convert it before the fit, for example with .astype(float) or .astype(str)."
    )


def _kind(column: Column) -> str:
    if isinstance(column, CategoryColumn):
        return "labels"
    return "dates" if isinstance(column, DateColumn) else "numbers"


def merge_labels(first: Iterable[Label], second: Iterable[Label]) -> tuple[Label, ...]:
    """Return the labels of both in the order in which they occur; a number replaces an equal bool.

    Examples
    --------
    >>> merge_labels(("b", True), ("a", "b", 1))
    ('b', 1, 'a')
    """
    merged: dict[Label, Label] = {label: label for label in first}
    for label in second:
        known = merged.setdefault(label, label)
        if isinstance(known, bool) and not isinstance(label, bool):
            merged[label] = label
    return tuple(merged.values())


def _ranges_of(columns: Columns, is_nominal: Sequence[bool]) -> list[NumberRange | None]:
    """Return the ranges of numbers and dates; a column without any value has an empty one."""
    ranges: list[NumberRange | None] = [None] * columns.n_columns
    numbers = {}
    for position, column in enumerate(columns.data):
        if is_nominal[position]:
            continue
        if isinstance(column, CategoryColumn):
            ranges[position] = None if column.labels else NumberRange()
        else:
            numbers[position] = _numbers_of(column)
    found = _core.ranges_of_columns(list(numbers.values()))
    for position, of_column in zip(numbers, found, strict=True):
        lowest, _, n_known = of_column
        may_be_key = n_known == columns.n_rows and lowest.is_integer()
        key = key_ranges(numbers[position]) if may_be_key else None
        ranges[position] = NumberRange(*of_column, key)
    return ranges


def _numbers_of(column: NDArray[Any] | DateColumn) -> NDArray[np.float64]:
    return column.seconds if isinstance(column, DateColumn) else as_float64(column)


def _without_rows(column: Column, range_of: NumberRange | None) -> tuple[Column, bool]:
    """Return what the rows of a column hold, and whether any of them has a value."""
    nothing = np.zeros(0, dtype=np.intp)
    if isinstance(column, CategoryColumn):
        short = CategoryColumn(nothing, column.labels, column.declared, column.undecided)
        return short, bool(column.labels)
    if isinstance(column, DateColumn):
        is_known = not np.isnan(column.seconds).all() if range_of is None else range_of.n_known > 0
        return DateColumn(np.zeros(0), column.form), is_known
    if range_of is not None:
        return column[:0], range_of.n_known > 0
    known = column[~np.isnan(column)] if column.dtype.kind == "f" else column
    return np.unique(known), len(known) > 0


def _weights_of(sample_weight: Any, n_rows: int) -> NDArray[np.float64]:
    if sample_weight is None:
        return np.broadcast_to(1.0, n_rows)  # takes no memory
    # The weights of one partition may all be 0. With one row more, the check allows that.
    padded = np.append(np.asarray(sample_weight, dtype=np.float64).ravel(), 1.0)
    return check_sample_weight(padded, n_rows + 1)[:-1]


def _names_of(columns: Columns) -> list[str]:
    return columns.names or [default_name(i) for i in range(columns.n_columns)]


def _name_of(y: Any) -> str | None:
    name = getattr(y, "name", None)
    return name if isinstance(name, str) else None
