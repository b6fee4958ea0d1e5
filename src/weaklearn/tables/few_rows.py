"""Texts, categories and dates of frames with few rows, such as those that a service predicts.

A frame's library takes much longer to make a series of every column than to return a row. So the
cells are taken row by row, and equal texts of all columns are looked at once. The columns are the
same as those that `series_to_column` and `array_to_column` return for each column alone, apart from
the order of labels that are not declared.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.tables.array_to_column import array_to_column, date_column
from weaklearn.tables.column import (
    MISSING_CODE,
    CategoryColumn,
    Column,
    Label,
    as_label,
    category_column,
    is_pandas_missing,
    merge_values,
)
from weaklearn.tables.messages import describe_column
from weaklearn.tables.missing_values import MissingValues

MAX_FEW_ROWS = 20
"""Up to so many rows, Python codes texts faster than pandas, polars and Arrow."""

#: Up to so many rows, pandas returns the rows faster than one array of all columns.
_MAX_PANDAS_ROWS = 3


def array_text_columns(
    X: NDArray[Any], names: Sequence[object], missing: MissingValues
) -> list[Column]:
    """Convert the columns of a two-dimensional array of texts or objects."""
    return _text_columns(list(X.T), names, missing)


def pandas_text_columns(
    frame: Any, names: Sequence[object], missing: MissingValues
) -> list[Column]:
    """Convert the columns of a pandas frame whose columns are all texts or objects."""
    return _text_columns(_pandas_cells(frame), names, missing)


def polars_columns(frame: Any, names: Sequence[str], missing: MissingValues) -> dict[int, Column]:
    """Return the columns of a polars frame that hold texts, categories or dates, by position."""
    import polars as pl

    texts: list[int] = []
    categories: list[int] = []
    enums: list[int] = []
    dates: dict[Any, list[int]] = {}
    dtypes = frame.dtypes
    for position, dtype in enumerate(dtypes):
        if dtype == pl.String:
            texts.append(position)
        elif isinstance(dtype, pl.Enum):
            enums.append(position)
        elif dtype == pl.Categorical:
            categories.append(position)
        elif dtype == pl.Date or isinstance(dtype, pl.Datetime):
            dates.setdefault(dtype, []).append(position)
    columns: dict[int, Column] = {}
    for positions, undecided in ((texts, True), (categories, False)):
        own_names = [names[position] for position in positions]
        cells = _polars_cells(frame, own_names)
        converted = _text_columns(cells, own_names, missing, undecided)
        columns.update(zip(positions, converted, strict=True))
    own_names = [names[position] for position in enums]
    declared = [dtypes[position].categories.to_list() for position in enums]
    converted = _declared_columns(_polars_cells(frame, own_names), declared, own_names, missing)
    columns.update(zip(enums, converted, strict=True))
    for dtype, positions in dates.items():
        moments = frame.select([names[position] for position in positions]).to_numpy()
        has_zone = getattr(dtype, "time_zone", None) is not None
        for position, of_rows in zip(positions, moments.T, strict=True):
            columns[position] = date_column(of_rows, has_zone)
    return columns


def arrow_columns(table: Any, names: Sequence[str], missing: MissingValues) -> dict[int, Column]:
    """Return the columns of an Arrow table that hold texts or categories, by their position."""
    import pyarrow.types as is_type

    texts: dict[int, list[object]] = {}
    columns: dict[int, Column] = {}
    known: dict[str, Label | None] = {}
    for position, (column, dtype) in enumerate(zip(table.columns, table.schema.types, strict=True)):
        if is_type.is_string(dtype) or is_type.is_large_string(dtype):
            texts[position] = column.to_pylist()
        elif is_type.is_dictionary(dtype) and column.num_chunks == 1:
            array = column.chunk(0)
            indices = array.indices.to_pylist()
            codes = np.array([MISSING_CODE if index is None else index for index in indices])
            where, values = describe_column(names[position]), array.dictionary.to_pylist()
            columns[position] = category_column(
                codes, values, where, missing, declared=True, known=known
            )
    own_names = [names[position] for position in texts]
    converted = _text_columns(texts.values(), own_names, missing)
    columns.update(zip(texts, converted, strict=True))
    return columns


def _pandas_cells(frame: Any) -> Iterable[Sequence[object]]:
    if len(frame) > _MAX_PANDAS_ROWS:
        return list(frame.to_numpy(dtype=object).T)
    rows = [frame.iloc[row].to_numpy(dtype=object) for row in range(len(frame))]
    return zip(*rows, strict=True)


def _polars_cells(frame: Any, names: Sequence[str]) -> Iterable[Sequence[object]]:
    return zip(*frame.select(names).rows(), strict=True) if names else []


def _text_columns(
    cells: Iterable[Sequence[object]],
    names: Sequence[object],
    missing: MissingValues,
    undecided: bool = True,
) -> list[Column]:
    """Convert columns of texts; a column with other cells is converted on its own."""
    label_of: dict[str, Label | None] = {}
    columns: list[Column] = []
    for own_cells, name in zip(cells, names, strict=True):
        code_of: dict[Label, int] = {}
        codes = []
        for cell in own_cells:
            if isinstance(cell, str):
                if cell not in label_of:
                    label_of[cell] = as_label(cell, "", missing, declared=not undecided)
                label = label_of[cell]
            elif _is_missing(cell):
                label = None
            else:
                break
            codes.append(MISSING_CODE if label is None else code_of.setdefault(label, len(code_of)))
        else:
            of_rows = np.array(codes, dtype=np.intp)
            columns.append(CategoryColumn(of_rows, tuple(code_of), undecided=undecided))
            continue
        objects = np.empty(len(own_cells), dtype=object)
        objects[:] = own_cells
        columns.append(array_to_column(objects, describe_column(name), missing))
    return columns


def _declared_columns(
    cells: Iterable[Sequence[object]],
    declared: Iterable[Sequence[Hashable]],
    names: Sequence[object],
    missing: MissingValues,
) -> list[Column]:
    """Convert columns with declared values; each cell is missing or one of these values."""
    known: dict[str, Label | None] = {}
    columns: list[Column] = []
    for own_cells, values, name in zip(cells, declared, names, strict=True):
        labels, new_codes = merge_values(values, describe_column(name), missing, True, known)
        code_of = dict(zip(values, new_codes, strict=True))
        codes = [MISSING_CODE if _is_missing(cell) else code_of[cell] for cell in own_cells]
        columns.append(CategoryColumn(np.array(codes, dtype=np.intp), labels, declared=True))
    return columns


def _is_missing(cell: object) -> bool:
    if isinstance(cell, float):
        return math.isnan(cell)
    return cell is None or is_pandas_missing(cell)
