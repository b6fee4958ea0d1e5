"""Two-dimensional arrays and pandas frames, whose columns of one type are converted all at once."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.tables.array_to_column import (
    array_to_column,
    date_column,
    without_missing_numbers,
)
from weaklearn.tables.column import (
    MAX_EXACT_FLOAT,
    Column,
    DateColumn,
    Label,
    as_float64,
    category_column,
    holds_infinity,
)
from weaklearn.tables.few_rows import MAX_FEW_ROWS, array_text_columns, pandas_text_columns
from weaklearn.tables.messages import describe_column
from weaklearn.tables.missing_values import MissingValues

DATE_ORDERS = "weaklearn date orders"
"""The key of a frame's ``attrs`` for the order in which a file writes the dates of each column."""

#: The types of pandas that keep numbers and a mask of the missing ones.
_MASKED_TYPES = {
    "boolean",
    "Float32",
    "Float64",
    *(f"{sign}Int{bits}" for sign in ("", "U") for bits in (8, 16, 32, 64)),
}


def array_columns(X: NDArray[Any], names: Sequence[object], missing: MissingValues) -> list[Column]:
    """Convert the columns of a two-dimensional array; numbers, and texts in few rows, at once."""
    if X.dtype.kind == "f" or (X.dtype.kind in "iu" and _fits_float64(X)):
        numbers = without_missing_numbers(as_float64(X), missing)
        if not holds_infinity(numbers):
            return list(numbers.T)
    if X.dtype.kind in "UO" and len(X) <= MAX_FEW_ROWS:
        return array_text_columns(X.astype(object, copy=False), names, missing)
    return [
        array_to_column(X[:, position], describe_column(name), missing)
        for position, name in enumerate(names)
    ]


def _fits_float64(X: NDArray[np.integer[Any]]) -> bool:
    return X.dtype.itemsize <= 4 or bool(X.min() >= -MAX_EXACT_FLOAT and X.max() <= MAX_EXACT_FLOAT)


def pandas_columns(native: Any, names: Sequence[object], missing: MissingValues) -> list[Column]:
    """Convert the columns of a pandas frame; those of one type at once, if possible."""
    positions_of: dict[Any, list[int]] = {}
    for position, dtype in enumerate(_dtypes_of(native)):
        # The type of a category is slow to compare: it stands for all its values.
        key = type(dtype) if hasattr(dtype, "categories") else dtype
        positions_of.setdefault(key, []).append(position)
    is_short = len(native) <= MAX_FEW_ROWS
    column_at: dict[int, Column] = {}
    for dtype, positions in positions_of.items():
        own_names = [names[position] for position in positions]
        chosen = native if len(positions) == len(names) else native.iloc[:, positions]
        if isinstance(dtype, np.dtype) and dtype.kind in "fiubM":
            group = array_columns(chosen.to_numpy(), own_names, missing)
        elif isinstance(dtype, type):
            group = _category_columns(chosen, own_names, missing)
        elif getattr(dtype, "tz", None) is not None:
            moments = (array.to_numpy(f"datetime64[{dtype.unit}]") for array in _arrays_of(chosen))
            group = [date_column(in_utc, has_zone=True) for in_utc in moments]
        elif str(dtype) in _MASKED_TYPES:
            group = _masked_columns(chosen, own_names, missing)
        elif is_short and str(dtype) in ("object", "str", "string", "string[pyarrow]"):
            group = pandas_text_columns(chosen, own_names, missing)
        else:
            group = _one_by_one(chosen, own_names, missing)
        column_at.update(zip(positions, group, strict=True))
    for name, order in native.attrs.get(DATE_ORDERS, {}).items():
        position = names.index(name) if name in names else -1
        column = column_at.get(position)
        if isinstance(column, DateColumn):
            column_at[position] = replace(column, form=replace(column.form, order=order))
    return [column_at[position] for position in range(len(names))]


def _one_by_one(frame: Any, names: Sequence[object], missing: MissingValues) -> list[Column]:
    """Convert each column of a pandas frame on its own."""
    import narwhals as nw  # takes long to import, and arrays do not need it

    from weaklearn.tables.series_to_column import series_to_column

    return [
        series_to_column(nw.from_native(series, series_only=True), describe_column(name), missing)
        for name, (_, series) in zip(names, frame.items(), strict=True)
    ]


def _masked_columns(frame: Any, names: Sequence[object], missing: MissingValues) -> list[Column]:
    """Convert the columns of a pandas frame whose columns are all of one type with a mask."""
    numbers = frame.to_numpy(dtype=np.float64, na_value=np.nan)
    kind = frame.dtypes.iloc[0].kind
    is_missing = np.isnan(numbers)
    if kind == "b":
        bools = numbers == 1
        with_none = bools.astype(object)
        with_none[is_missing] = None
        return [
            array_to_column(
                with_none[:, position] if holds_missing else bools[:, position],
                describe_column(names[position]),
                missing,
            )
            for position, holds_missing in enumerate(is_missing.any(axis=0))
        ]
    if kind == "f" or (abs(numbers) < MAX_EXACT_FLOAT).all(where=~is_missing):
        return array_columns(numbers, names, missing)
    return _one_by_one(frame, names, missing)  # integers that float64 would round


def _category_columns(frame: Any, names: Sequence[object], missing: MissingValues) -> list[Column]:
    """Convert the columns of a pandas frame whose columns are all categories."""
    values_of = _categories_to_lists([dtype.categories for dtype in _dtypes_of(frame)])
    known: dict[str, Label | None] = {}
    return [
        category_column(
            array.codes, values, describe_column(name), missing, declared=True, known=known
        )
        for name, values, array in zip(names, values_of, _arrays_of(frame), strict=True)
    ]


def _arrays_of(frame: Any) -> Iterable[Any]:
    """Return the array of each column."""
    # pandas makes a Series of each column for every public method, which takes ten times as long.
    if hasattr(frame, "_iter_column_arrays"):
        arrays: Iterable[Any] = frame._iter_column_arrays()
        return arrays
    return (series.array for _, series in frame.items())


def _dtypes_of(frame: Any) -> list[Any]:
    """Return the type of each column; pandas makes a Series of them, which takes long."""
    return [array.dtype for array in _arrays_of(frame)]


def _categories_to_lists(indices: Sequence[Any]) -> list[list[Hashable]]:
    """Return the values of each pandas index; those of one type are converted all at once."""
    positions_of: dict[Any, list[int]] = {}
    for position, index in enumerate(indices):
        positions_of.setdefault(index.dtype, []).append(position)
    lists: list[list[Hashable]] = [[] for _ in indices]
    for positions in positions_of.values():
        first, *others = (indices[position] for position in positions)
        values = iter(first.append(others).tolist())
        for position in positions:
            lists[position] = list(islice(values, len(indices[position])))
    return lists
