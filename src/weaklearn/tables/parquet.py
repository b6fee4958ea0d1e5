"""The reader of Parquet files, through pyarrow.

Numbers are continuous, and so are dates and timestamps. Strings are read as in CSV files. Booleans
are nominal. Dictionary columns are nominal, with the values in the dictionary's order. An index
that pandas saved is left out, with a note.
"""

from __future__ import annotations

import io
from typing import Any

import numpy as np

from weaklearn.tables.array_to_column import without_missing_numbers
from weaklearn.tables.build_table import build_table
from weaklearn.tables.column import Column, DateColumn, as_categories
from weaklearn.tables.dates import DateForm, find_unit
from weaklearn.tables.read_options import ReadOptions
from weaklearn.tables.scan import is_pandas_index
from weaklearn.tables.source_file import SourceFile
from weaklearn.tables.table import Table
from weaklearn.tables.text_to_columns import TextColumn, numbers_as_text


def read_parquet(source: SourceFile, options: ReadOptions) -> Table:
    """Read a Parquet file; the class is the last column unless ``options`` names another."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise ImportError(
            f'{source.path}: reading Parquet needs pyarrow: pip install "weaklearn[parquet]"'
        ) from None

    notes: list[str] = []
    try:
        frame = pq.ParquetFile(io.BytesIO(source.read_bytes())).read().unify_dictionaries()
        frame.validate(full=True)
        for name in filter(is_pandas_index, frame.column_names):
            notes.append(f"column {name!r}, a saved pandas index, left out")
            frame = frame.drop([name])
        names = frame.column_names
        options.check(source, names)
        columns = {
            name: _to_column(source, name, array, options)
            for name, array in zip(names, frame.columns, strict=True)
            if name not in options.ignore
        }
    except (pa.ArrowException, OSError, UnicodeDecodeError) as problem:
        raise source.error(
            f"is not a complete Parquet file ({problem}); copy or write the file again"
        ) from None
    return build_table(source, source.stem, columns, options.choose_target(names), _place, notes)


def _place(row: int) -> str:
    return f"row {row + 1}"


def _to_column(source: SourceFile, name: str, array: Any, options: ReadOptions) -> Column:
    import pyarrow as pa

    types = pa.types
    kind = array.type
    if types.is_dictionary(kind) and _can_be_nominal(kind.value_type):
        cells = _texts(array.cast(kind.value_type))
        declared = _texts(array.chunk(0).dictionary) if array.num_chunks else []
        values = tuple(dict.fromkeys(text for text in declared if text is not None))
        return TextColumn(name, cells, "nominal", values).to_column(source, _place, options)
    if types.is_boolean(kind) or types.is_string(kind) or types.is_large_string(kind):
        return TextColumn(name, _texts(array), "undeclared").to_column(source, _place, options)
    if types.is_timestamp(kind) or types.is_date(kind):
        zone = getattr(kind, "tz", None)
        microseconds = array.cast(pa.timestamp("us", zone), safe=False)
        seconds = _floats(microseconds.cast(pa.int64())) / 1e6
        dates = DateColumn(seconds, DateForm(unit=find_unit(seconds), has_zone=zone is not None))
        return as_categories(dates, name) if name in options.nominal else dates
    if types.is_integer(kind) or types.is_floating(kind) or types.is_decimal(kind):
        numbers = _floats(array)
    elif types.is_null(kind):
        numbers = np.full(len(array), np.nan)
    else:
        raise source.error(
            f"holds {kind} values; expected numbers, strings, booleans, dates or a dictionary",
            column=name,
        )
    for row in np.flatnonzero(np.isinf(numbers)).tolist():
        raise source.error(
            "got an infinite number, expected a finite one; write null where a value is missing",
            at=_place(row),
            column=name,
        )
    numbers = without_missing_numbers(numbers, options.missing)
    if name in options.nominal:
        return TextColumn(name, numbers_as_text(numbers), "nominal").to_column(
            source, _place, options
        )
    return numbers


def _can_be_nominal(kind: Any) -> bool:
    import pyarrow as pa

    tests = (
        pa.types.is_string,
        pa.types.is_large_string,
        pa.types.is_boolean,
        pa.types.is_integer,
        pa.types.is_floating,
    )
    return any(test(kind) for test in tests)


def _texts(array: Any) -> list[str | None]:
    """Write strings, booleans or numbers as texts; None where a value is missing."""
    import pyarrow as pa

    if pa.types.is_floating(array.type):
        return numbers_as_text(_floats(array))
    values: list[object] = array.to_pylist()
    return [None if value is None else str(value) for value in values]


def _floats(array: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    import pyarrow as pa

    numbers = array.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
    return np.array(numbers, dtype=np.float64)
