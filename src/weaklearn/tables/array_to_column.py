"""From a NumPy array of any type to a column: numbers, or labels with codes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.tables.column import (
    MISSING_CODE,
    CategoryColumn,
    Column,
    Label,
    as_categories,
    as_float64,
    as_label,
    as_numbers,
    category_column,
    holds_infinity,
    infinity_error,
)


def array_to_column(values: NDArray[Any], where: str) -> Column:
    """Convert a one-dimensional array to a column.

    Parameters
    ----------
    values : array
        Numbers, bools, strings, bytes or Python objects.
    where : str
        What messages call the column: ``"X column 'age'"`` or ``"y"``.
    """
    kind = values.dtype.kind
    if kind in "iu":
        return values
    if kind == "f":
        values = as_float64(values)
        if holds_infinity(values):
            raise infinity_error(where)
        return values
    if kind in "bU":
        return as_categories(values, where)
    if kind == "S":
        return _objects_to_column(np.char.decode(values, "utf-8").astype(object), where)
    if kind in "TO":
        return _objects_to_column(values.astype(object, copy=False), where)
    if kind == "c":
        raise _complex_error(where)
    if kind in "mM":
        raise temporal_error(where, str(values.dtype))
    raise TypeError(
        f"{where} has dtype {values.dtype}; expected numbers, strings or bools. Convert the column "
        "first, for example with .astype(str)."
    )


def temporal_error(where: str, dtype: str) -> TypeError:
    """Return the error for a column of dates, times or durations."""
    return TypeError(
        f"{where} holds dates, times or durations ({dtype}); expected numbers, strings or bools. "
        "Convert it to numbers if its order matters, for example with .astype('int64'), or to "
        "strings if each value is a category, with .astype(str)."
    )


def _complex_error(where: str) -> ValueError:
    return ValueError(
        f"Complex data not supported: {where} holds complex numbers; expected real numbers, "
        "strings or bools. Pass the real and the imaginary part as two columns."
    )


def _objects_to_column(values: NDArray[np.object_], where: str) -> Column:
    import pandas as pd

    kind = pd.api.types.infer_dtype(values, skipna=True)
    if kind in ("string", "boolean", "empty"):
        codes, uniques = pd.factorize(values)
        return category_column(codes, uniques, where)
    if kind in ("integer", "floating", "mixed-integer-float", "decimal"):
        return _number_objects_to_array(values, kind == "integer", where)
    if kind == "complex":
        raise _complex_error(where)
    return _mixed_objects_to_column(values, where)


def _number_objects_to_array(
    values: NDArray[np.object_], all_integers: bool, where: str
) -> NDArray[Any]:
    import pandas as pd

    is_known = np.asarray(~pd.isna(values))
    if all_integers and is_known.all():
        try:
            return values.astype(np.int64)
        except OverflowError:
            pass  # an integer of more than 64 bits becomes the nearest float
    numbers = np.full(len(values), np.nan)
    try:
        numbers[is_known] = values[is_known].astype(np.float64)
    except OverflowError:
        raise infinity_error(where) from None
    if holds_infinity(numbers):
        raise infinity_error(where)
    return numbers


def _mixed_objects_to_column(values: NDArray[np.object_], where: str) -> Column:
    codes = np.full(len(values), MISSING_CODE, dtype=np.intp)
    code_of: dict[Label, int] = {}
    labels: list[Label] = []
    only_numbers = True
    for row, value in enumerate(values):
        label = as_label(value, where)
        if label is None:
            continue
        only_numbers = only_numbers and not isinstance(label, str | bool)
        code = codes[row] = code_of.setdefault(label, len(labels))
        if code == len(labels):
            labels.append(label)
        elif not isinstance(label, bool):
            labels[code] = label  # a number replaces the True or False that is equal to it
    column = CategoryColumn(codes, tuple(labels))
    return as_numbers(column, where) if labels and only_numbers else column
