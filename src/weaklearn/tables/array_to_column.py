"""One column of a table, in one of two shapes: numbers, or labels with a code per row.

Whatever a column was (a pandas category, a polars string, a list of Python objects), it becomes a
NumPy array of numbers with NaN where the value is missing, or a `Coded` column with -1 there. The
string ``"?"`` counts as missing. Two values that Python calls equal (``1``, ``1.0``, ``True``) are
one label; it is written as an int if it is whole, and as a bool only if no number equal to it
occurs in the column.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from numbers import Integral, Real
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from weaklearn.tables.distinct import distinct

Label = str | int | float | bool

MISSING_TEXT = "?"
_LARGEST_EXACT_INT = 2.0**53


@dataclass(frozen=True, slots=True, eq=False)
class Coded:
    """A column of labels.

    Parameters
    ----------
    codes : array of int
        Per row the position of its label in `labels`; -1 where the value is missing.
    labels : tuple of labels
        Distinct labels. Those of an undeclared column all occur in it.
    declared : bool
        Whether the column came with its own list of values (a pandas category, a polars Enum, an
        Arrow dictionary), whose order and unused members mean something.
    """

    codes: NDArray[np.intp]
    labels: tuple[Label, ...]
    declared: bool = False

    def take(self, rows: NDArray[np.intp]) -> Coded:
        """Give the column at these rows."""
        codes = self.codes[rows]
        if self.declared:
            return Coded(codes, self.labels, declared=True)
        present, codes = distinct(codes)
        n_missing = int(present.size > 0 and present[0] < 0)
        labels = tuple(self.labels[code] for code in present[n_missing:])
        return Coded(codes - n_missing, labels)


Column: TypeAlias = NDArray[Any] | Coded


def column_of_array(values: NDArray[Any], source: str) -> Column:
    """Give a one-dimensional NumPy array the shape of a column.

    Parameters
    ----------
    values : array
        Numbers, bools, strings, bytes or Python objects.
    source : str
        Where the values come from, for messages: ``"X column 'age'"`` or ``"y"``.
    """
    kind = values.dtype.kind
    if kind in "iu":
        return values
    if kind == "f":
        values = as_float64(values)
        if holds_infinity(values):
            raise infinity_error(source)
        return values
    if kind in "bU":
        return as_coded(values, source)
    if kind == "S":
        return _column_of_objects(np.char.decode(values, "utf-8").astype(object), source)
    if kind in "TO":
        return _column_of_objects(values.astype(object, copy=False), source)
    if kind == "c":
        raise ValueError(f"Complex data not supported: {source} has dtype {values.dtype}.")
    if kind in "mM":
        raise temporal_error(source, str(values.dtype))
    raise TypeError(
        f"{source} has dtype {values.dtype}, but it must hold numbers, strings or bools."
    )


def coded(
    codes: NDArray[np.integer[Any]],
    raw_labels: Iterable[object],
    source: str,
    declared: bool = False,
) -> Coded:
    """Build a coded column from codes into labels of any type, some of them perhaps missing."""
    positions: dict[Label, int] = {}
    new_codes: list[int] = []
    for raw in raw_labels:
        label = as_label(raw, source)
        new_codes.append(-1 if label is None else positions.setdefault(label, len(positions)))
    if len(positions) == len(new_codes):
        return Coded(codes.astype(np.intp, copy=False), tuple(positions), declared)
    # The last entry serves the code -1.
    return Coded(np.array([*new_codes, -1], dtype=np.intp)[codes], tuple(positions), declared)


def as_label(value: object, source: str) -> Label | None:
    """Turn any scalar into a Python label, or None where it is missing."""
    if isinstance(value, str):
        return None if value == MISSING_TEXT else str(value)
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, Integral):
        return int(value)
    if isinstance(value, Real | Decimal):
        number = float(value)
        if math.isnan(number):
            return None
        if math.isinf(number):
            raise infinity_error(source)
        whole = number.is_integer() and abs(number) < _LARGEST_EXACT_INT
        return int(number) if whole else number
    if _is_missing_scalar(value):
        return None
    raise TypeError(
        f"{source} holds a value of type {type(value).__name__}: the argument must be a string, "
        f"a bool or a number, got {value!r}. Convert the column first, for example with "
        ".astype(str), or .cat.rename_categories(str) for a pandas category."
    )


def sort_labels(labels: Iterable[Label]) -> tuple[Label, ...]:
    """Order labels without a declared order: numbers first, then strings."""
    return tuple(sorted(labels, key=lambda label: (isinstance(label, str), label)))


def as_coded(column: Column, source: str) -> Coded:
    """See any column as labels."""
    if isinstance(column, Coded):
        return column
    values, codes = distinct(column)
    return coded(codes, values.tolist(), source)


def as_float64(values: NDArray[Any]) -> NDArray[np.float64]:
    """Convert numbers, without a copy if they are float64 already; what is too large turns inf.

    A field of a packed structured array may begin anywhere: the core reads only aligned numbers.
    """
    if values.dtype == np.float64 and values.flags.aligned:
        return values
    with np.errstate(over="ignore"):
        return values.astype(np.float64)


def as_numbers(column: Column, source: str) -> NDArray[np.float64]:
    """See any column as numbers, without a copy if it is a float64 array already."""
    if not isinstance(column, Coded):
        return as_float64(column)
    numbers = [_parse_number(label, source) for label in column.labels]
    return np.array([*numbers, np.nan])[column.codes]


def holds_infinity(values: NDArray[np.floating[Any]]) -> bool:
    """Tell whether any value is infinite; a sum settles the common case without a second array."""
    with np.errstate(over="ignore", invalid="ignore"):
        total = values.sum()
    return not math.isfinite(total) and bool(np.isinf(values).any())


def infinity_error(source: str) -> ValueError:
    """Say where infinity was found."""
    what, _, where = source.partition(" ")
    return ValueError(
        f"Input {what} contains infinity or a value too large for dtype('float64')"
        f"{f' in {where}' if where else ''}. Expected finite numbers; write NaN where a value is "
        "missing."
    )


def temporal_error(source: str, dtype: str) -> TypeError:
    """Say that dates and durations have no kind of their own."""
    return TypeError(
        f"{source} holds dates, times or durations ({dtype}), but a column must hold numbers, "
        "strings or bools. Convert it to numbers to order its values, for example with "
        ".astype('int64'), or to strings to tell them apart, with .astype(str)."
    )


def _column_of_objects(values: NDArray[np.object_], source: str) -> Column:
    import pandas as pd

    kind = pd.api.types.infer_dtype(values, skipna=True)
    if kind in ("string", "boolean", "empty"):
        codes, uniques = pd.factorize(values)
        return coded(codes, uniques, source)
    if kind in ("integer", "floating", "mixed-integer-float", "decimal"):
        return _numbers_of_objects(values, kind == "integer", source)
    if kind == "complex":
        raise ValueError(f"Complex data not supported: {source} holds complex numbers.")
    return _column_of_mixed_objects(values, source)


def _numbers_of_objects(
    values: NDArray[np.object_], all_integers: bool, source: str
) -> NDArray[Any]:
    import pandas as pd

    known = np.asarray(~pd.isna(values))
    if all_integers and known.all():
        try:
            return values.astype(np.int64)
        except OverflowError:
            pass  # beyond 64 bits: the nearest float will do
    numbers = np.full(len(values), np.nan)
    try:
        numbers[known] = values[known].astype(np.float64)
    except OverflowError:
        raise infinity_error(source) from None
    if holds_infinity(numbers):
        raise infinity_error(source)
    return numbers


def _column_of_mixed_objects(values: NDArray[np.object_], source: str) -> Column:
    codes = np.full(len(values), -1, dtype=np.intp)
    positions: dict[Label, int] = {}
    labels: list[Label] = []
    only_numbers = True
    for row, value in enumerate(values):
        label = as_label(value, source)
        if label is None:
            continue
        only_numbers = only_numbers and not isinstance(label, str | bool)
        position = codes[row] = positions.setdefault(label, len(labels))
        if position == len(labels):
            labels.append(label)
        elif not isinstance(label, bool):
            labels[position] = label  # a number equal to True or False takes its place
    column = Coded(codes, tuple(labels))
    return as_numbers(column, source) if labels and only_numbers else column


def _parse_number(label: Label, source: str) -> float:
    # Python's float() also takes "nan" and "1_000", which no table means as numbers.
    if isinstance(label, str) and ("_" in label or label.strip().lower().lstrip("+-") == "nan"):
        raise _not_a_number(label, source)
    try:
        number = float(label)
    except ValueError:
        raise _not_a_number(label, source) from None
    except OverflowError:
        raise infinity_error(source) from None
    if math.isinf(number):
        raise infinity_error(source)
    return number


def _not_a_number(label: Label, source: str) -> ValueError:
    return ValueError(
        f"{source} is continuous, but its value {label!r} is not a number. Write NaN, None or "
        f"{MISSING_TEXT!r} where a value is missing, or make the column nominal: nominal=[...]."
    )


def _is_missing_scalar(value: object) -> bool:
    import pandas as pd

    return value is None or value is pd.NA or value is pd.NaT
