"""From a NumPy array of any type to a column: numbers, or labels with codes."""

from __future__ import annotations

import datetime
import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.tables.column import (
    MISSING_CODE,
    CategoryColumn,
    Column,
    DateColumn,
    Label,
    as_float64,
    as_label,
    as_numbers,
    category_column,
    holds_infinity,
    infinity_error,
    is_pandas_missing,
)
from weaklearn.tables.dates import DateForm, find_unit
from weaklearn.tables.distinct import distinct
from weaklearn.tables.missing_values import DEFAULT_MISSING, MissingValues


def array_to_column(
    values: NDArray[Any], where: str, missing: MissingValues = DEFAULT_MISSING
) -> Column:
    """Convert a one-dimensional array to a column.

    Parameters
    ----------
    values : array
        Numbers, bools, strings, bytes, dates, durations or Python objects.
    where : str
        What messages call the column: ``"X column 'age'"`` or ``"y"``.
    missing : MissingValues
        The cells that are missing.
    """
    kind = values.dtype.kind
    if kind in "iu":
        return without_missing_numbers(values, missing)
    if kind == "f":
        return without_missing_numbers(_finite(as_float64(values), where, missing), missing)
    if kind == "b":
        return _bools_to_column(values)
    if kind == "U":
        uniques, codes = distinct(values)
        return category_column(codes, uniques.tolist(), where, missing, undecided=True)
    if kind == "S":
        return _objects_to_column(np.char.decode(values, "utf-8").astype(object), where, missing)
    if kind in "TO":
        return _objects_to_column(values.astype(object, copy=False), where, missing)
    if kind == "c":
        raise _complex_error(where)
    if kind == "M":
        return date_column(values.astype("datetime64[us]"))
    if kind == "m":
        return durations_to_seconds(values)
    raise TypeError(
        f"{where} has dtype {values.dtype}; expected numbers, strings or bools. Convert the column "
        "first, for example with .astype(str)."
    )


def _bools_to_column(values: NDArray[np.bool_]) -> CategoryColumn:
    if values.all() or not values.any():
        codes = np.zeros(len(values), dtype=np.intp)
        return CategoryColumn(codes, (bool(values[0]),) if len(values) else ())
    return CategoryColumn(values.astype(np.intp), (False, True))


def without_missing_numbers(values: NDArray[Any], missing: MissingValues) -> NDArray[Any]:
    """Return numbers with NaN in place of those that mean a missing value."""
    if not missing.numbers:
        return values
    is_missing = np.isin(values, list(missing.numbers))
    return np.where(is_missing, np.nan, values) if is_missing.any() else values


def date_column(moments: NDArray[np.datetime64], has_zone: bool = False) -> DateColumn:
    """Return the column of dates in microseconds, in UTC if they have a time zone."""
    moments = moments.astype("datetime64[us]", copy=False)
    seconds = moments.astype(np.int64) / 1e6
    seconds[np.isnat(moments)] = np.nan
    return DateColumn(seconds, DateForm(unit=find_unit(seconds), has_zone=has_zone))


def durations_to_seconds(durations: NDArray[np.timedelta64]) -> NDArray[np.float64]:
    """Return durations as numbers of seconds, NaN where missing."""
    seconds: NDArray[np.float64] = durations / np.timedelta64(1, "s")
    return seconds


def _finite(values: NDArray[np.float64], where: str, missing: MissingValues) -> NDArray[np.float64]:
    if holds_infinity(without_missing_numbers(values, missing)):
        raise infinity_error(where)
    return values


def _complex_error(where: str) -> ValueError:
    return ValueError(
        f"Complex data not supported: {where} holds complex numbers; expected real numbers, "
        "strings or bools. Pass the real and the imaginary part as two columns."
    )


def _objects_to_column(values: NDArray[np.object_], where: str, missing: MissingValues) -> Column:
    types = set(map(type, values))
    if types <= {int, float, type(None)} and not all(map(_is_missing_number, values)):
        return _number_objects_to_column(values, types == {int}, where, missing)
    if sys.modules.get("pandas") is None or (
        len(values) == 1 and types == {str}
    ):  # a row to predict
        return _plain_objects_to_column(values, types, where, missing)
    import pandas as pd

    kind = pd.api.types.infer_dtype(values, skipna=True)
    if kind in ("string", "boolean", "empty"):
        codes, uniques = pd.factorize(values)
        if kind == "string" and not keeps_texts_apart(codes, uniques, values):
            return _mixed_objects_to_column(values, where, missing)
        return category_column(codes, uniques, where, missing, undecided=True)
    if kind in ("integer", "floating", "mixed-integer-float", "decimal"):
        return _number_objects_to_column(values, kind == "integer", where, missing)
    if kind in ("datetime", "datetime64", "date"):
        return _date_objects_to_column(values)
    if kind in ("timedelta", "timedelta64"):
        return durations_to_seconds(pd.to_timedelta(values).to_numpy())
    if kind == "complex":
        raise _complex_error(where)
    return _mixed_objects_to_column(values, where, missing)


def keeps_texts_apart(
    codes: NDArray[np.integer[Any]], uniques: Any, values: NDArray[np.object_]
) -> bool:
    """Return whether each text has its own code; pandas 2 ignores what follows a NUL character."""
    is_known = codes != MISSING_CODE
    restored = np.asarray(uniques, dtype=object)[codes[is_known]]
    return bool((restored == values[is_known]).all())


def _date_objects_to_column(values: NDArray[np.object_]) -> DateColumn:
    import pandas as pd

    has_zone = any(getattr(value, "tzinfo", None) is not None for value in values)
    moments = pd.to_datetime(pd.Series(values), utc=True).dt.tz_localize(None)
    return date_column(moments.to_numpy(), has_zone)


def _number_objects_to_column(
    values: NDArray[np.object_], all_integers: bool, where: str, missing: MissingValues
) -> Column:
    is_known = np.array([not _is_missing_number(value) for value in values], dtype=bool)
    if all_integers and is_known.all():
        lowest, highest = min(values), max(values)
        for integer_type in (np.int64, np.uint64):
            limits = np.iinfo(integer_type)
            if limits.min <= lowest and highest <= limits.max:
                return without_missing_numbers(values.astype(integer_type), missing)
        # Integers of more than 64 bits: as labels they stay exact, as numbers they are rounded.
        try:
            values.astype(np.float64)
        except OverflowError:
            raise infinity_error(where) from None
        code_of = {value: code for code, value in enumerate(dict.fromkeys(values))}
        codes = np.array([code_of[value] for value in values], dtype=np.intp)
        return category_column(codes, list(code_of), where, missing, undecided=True)
    numbers = np.full(len(values), np.nan)
    try:
        numbers[is_known] = values[is_known].astype(np.float64)
    except OverflowError:
        raise infinity_error(where) from None
    return without_missing_numbers(_finite(numbers, where, missing), missing)


def _is_missing_number(value: object) -> bool:
    return value is None or is_pandas_missing(value) or value != value


def _plain_objects_to_column(
    values: NDArray[np.object_], types: set[type], where: str, missing: MissingValues
) -> Column:
    """Convert objects in a process without pandas, which is faster but slow to import."""
    dates = {datetime.datetime, datetime.date}
    if types & dates and types <= {*dates, type(None)}:
        has_zone = any(getattr(value, "tzinfo", None) is not None for value in values)
        return date_column(np.array([_as_moment(value) for value in values]), has_zone)
    if types & {datetime.timedelta} and types <= {datetime.timedelta, type(None)}:
        return durations_to_seconds(values.astype("timedelta64[us]"))
    if complex in types:
        raise _complex_error(where)
    return _mixed_objects_to_column(values, where, missing)


def _as_moment(value: datetime.date | None) -> np.datetime64:
    if isinstance(value, datetime.datetime) and value.tzinfo is not None:
        value = value.astimezone(datetime.UTC).replace(tzinfo=None)
    return np.datetime64(value, "us")


def _mixed_objects_to_column(
    values: NDArray[np.object_], where: str, missing: MissingValues
) -> Column:
    codes = np.full(len(values), MISSING_CODE, dtype=np.intp)
    code_of: dict[Label, int] = {}
    labels: list[Label] = []
    only_numbers = True
    for row, value in enumerate(values):
        label = as_label(value, where, missing)
        if label is None:
            continue
        only_numbers = only_numbers and not isinstance(label, str | bool)
        code = codes[row] = code_of.setdefault(label, len(labels))
        if code == len(labels):
            labels.append(label)
        elif not isinstance(label, bool):
            labels[code] = label  # a number replaces the True or False that is equal to it
    column = CategoryColumn(codes, tuple(labels), undecided=True)
    return as_numbers(column, where) if labels and only_numbers else column
