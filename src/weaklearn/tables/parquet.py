"""The reader of Parquet files, through pyarrow.

Numbers are continuous; strings and booleans are nominal with their values sorted; dictionary
columns are nominal with the values in the dictionary's order; dates and timestamps are continuous
(seconds since 1970-01-01 UTC), which is noted; an index that pandas saved is left out.
"""

from __future__ import annotations

import io
import re
from typing import Any

import numpy as np

from weaklearn.tables.source_file import Source
from weaklearn.tables.table import Table
from weaklearn.tables.text_to_columns import (
    Choices,
    Names,
    Numbers,
    TextColumn,
    build_table,
    check_names,
    numbers_as_text,
)

# Left in, the index would be the last column, and so the class.
_PANDAS_INDEX = re.compile(r"__index_level_[0-9]+__")


def read_parquet(source: Source, choices: Choices) -> Table:
    """Read a Parquet file; the class is the last column unless ``choices`` names another."""
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        raise ImportError(
            'reading Parquet needs pyarrow: pip install "weaklearn[parquet]"'
        ) from None

    notes: list[str] = []
    try:
        frame = pq.ParquetFile(io.BytesIO(source.read_bytes())).read().unify_dictionaries()
        frame.validate(full=True)
        for name in filter(_PANDAS_INDEX.fullmatch, frame.column_names):
            notes.append(f"column {name!r}, a saved pandas index, left out")
            frame = frame.drop([name])
        names = frame.column_names
        check_names(source, names)
        choices.check(source, names)
        columns = [
            _typed(source, name, column, choices, notes)
            for name, column in zip(names, frame.columns, strict=True)
        ]
    except (pa.ArrowException, OSError, UnicodeDecodeError) as problem:
        raise source.error(f"is not a whole Parquet file ({problem})") from None
    return build_table(source, source.stem, columns, choices.target_among(names), _place, notes)


def _place(row: int) -> str:
    return f"row {row + 1}"


def _typed(
    source: Source, name: str, column: Any, choices: Choices, notes: list[str]
) -> Numbers | Names:
    import pyarrow as pa

    kinds = pa.types
    kind = column.type
    if kinds.is_dictionary(kind) and _can_be_names(kind.value_type):
        cells = _texts(column.cast(kind.value_type))
        declared = _texts(column.chunk(0).dictionary) if column.num_chunks else []
        values = tuple(dict.fromkeys(text for text in declared if text is not None))
        return TextColumn(name, cells, "nominal", values).typed(source, _place, choices)
    if kinds.is_boolean(kind) or kinds.is_string(kind) or kinds.is_large_string(kind):
        return TextColumn(name, _texts(column), "nominal").typed(source, _place, choices)
    if kinds.is_timestamp(kind) or kinds.is_date(kind):
        notes.append(f"date column {name!r} read as continuous: seconds since 1970-01-01")
        microseconds = column.cast(pa.timestamp("us", getattr(kind, "tz", None)), safe=False)
        numbers = _floats(microseconds.cast(pa.int64())) / 1e6
    elif kinds.is_integer(kind) or kinds.is_floating(kind) or kinds.is_decimal(kind):
        numbers = _floats(column)
    elif kinds.is_null(kind):
        notes.append(f"column {name!r} has no known value, read as continuous")
        numbers = np.full(len(column), np.nan)
    else:
        raise source.error(
            f"holds {kind} values; expected numbers, strings, booleans, dates or a dictionary",
            column=name,
        )
    for row in np.flatnonzero(np.isinf(numbers)).tolist():
        raise source.error(
            "got an infinite number, expected a finite one", at=_place(row), column=name
        )
    if name in choices.nominal:
        return TextColumn(name, numbers_as_text(numbers), "nominal").typed(source, _place, choices)
    return Numbers(name, numbers)


def _can_be_names(kind: Any) -> bool:
    import pyarrow as pa

    tests = (
        pa.types.is_string,
        pa.types.is_large_string,
        pa.types.is_boolean,
        pa.types.is_integer,
        pa.types.is_floating,
    )
    return any(test(kind) for test in tests)


def _texts(column: Any) -> list[str | None]:
    """Write the values of strings, booleans or numbers as names."""
    import pyarrow as pa

    if pa.types.is_floating(column.type):
        return numbers_as_text(_floats(column))
    values: list[object] = column.to_pylist()
    return [None if value is None else str(value) for value in values]


def _floats(column: Any) -> np.ndarray[Any, np.dtype[np.float64]]:
    import pyarrow as pa

    numbers = column.cast(pa.float64(), safe=False).to_numpy(zero_copy_only=False)
    return np.array(numbers, dtype=np.float64)
