"""One column of a table, in one of three forms.

* A NumPy array of numbers. A missing value is NaN, so a column with missing values is an array of
  floats.
* A `DateColumn`: seconds since 1970, and how the dates are written. A missing value is NaN.
* A `CategoryColumn`: labels, and one code per row. A missing value has the code `MISSING_CODE`.

Two labels that Python calls equal (``1``, ``1.0``, ``True``) are the same label. It is written as
an int if it is whole, and as a bool only if no number equal to it occurs in the column.
"""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from decimal import Decimal
from numbers import Integral, Real
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from weaklearn.tables.dates import DateForm
from weaklearn.tables.distinct import distinct
from weaklearn.tables.messages import quote, quote_list
from weaklearn.tables.missing_values import DEFAULT_MISSING, MissingValues, parse_number

Label = str | int | float | bool

MISSING_CODE = -1
"""The code of a missing value in every array of codes. pandas uses the same one."""

MAX_EXACT_FLOAT = 2**53
"""Every integer up to this size is a float64; larger ones may be rounded."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CategoryColumn:
    """A column of labels.

    Parameters
    ----------
    codes : array of int
        Per row the position of its label in `labels`, or `MISSING_CODE`.
    labels : tuple of labels
        Distinct labels. In an undeclared column each of them occurs.
    declared : bool
        Whether the column came with its own list of values (a pandas category, a polars Enum, an
        Arrow dictionary). The order of such a list and its unused values are kept.
    undecided : bool
        Whether the labels decide what the column holds: texts may stand for numbers, dates or
        bools. A category type decides that the column is nominal.
    """

    codes: NDArray[np.integer[Any]]
    labels: tuple[Label, ...]
    declared: bool = False
    undecided: bool = False

    def take(self, rows: NDArray[np.intp]) -> CategoryColumn:
        """Return the column at these rows."""
        codes = self.codes[rows]
        if self.declared:
            return CategoryColumn(codes, self.labels, declared=True)
        present, codes = distinct(codes)
        n_missing = int(present.size > 0 and present[0] == MISSING_CODE)
        labels = tuple(self.labels[code] for code in present[n_missing:])
        return CategoryColumn(codes - n_missing, labels, undecided=self.undecided)

    def __repr__(self) -> str:
        labels = quote_list(self.labels, 8, 30)
        return f"CategoryColumn: {len(self.codes)} rows, {len(self.labels)} labels: {labels}"


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class DateColumn:
    """A column of dates or dates with times.

    Parameters
    ----------
    seconds : array of float64
        Per row the seconds since 1970-01-01 UTC, NaN where missing.
    form : DateForm
        How the dates are written.
    """

    seconds: NDArray[np.float64]
    form: DateForm

    def take(self, rows: NDArray[np.intp]) -> DateColumn:
        """Return the column at these rows."""
        return DateColumn(self.seconds[rows], self.form)

    def __repr__(self) -> str:
        return f"DateColumn: {len(self.seconds)} rows, {self.form.unit}s"


Column: TypeAlias = NDArray[Any] | CategoryColumn | DateColumn


def category_column(
    codes: NDArray[np.integer[Any]],
    values: Iterable[object],
    where: str,
    missing: MissingValues = DEFAULT_MISSING,
    *,
    declared: bool = False,
    undecided: bool = False,
    known: dict[str, Label | None] | None = None,
) -> CategoryColumn:
    """Build a column from codes into values of any type; equal and missing values are merged.

    Parameters
    ----------
    codes : array of int
        Per row the position of its value, or `MISSING_CODE`.
    values : iterable of objects
        The values that the codes refer to. A value may be missing itself.
    where : str
        What messages call the column: ``"X column 'age'"`` or ``"y"``.
    missing : MissingValues
        The cells that are missing.
    declared, undecided : bool
        As for `CategoryColumn`. White space around a text is dropped if it is undecided.
    known : dict, optional
        As for `merge_values`.
    """
    labels, new_codes = merge_values(values, where, missing, not undecided, known)
    if len(labels) == len(new_codes):
        return CategoryColumn(codes.astype(np.intp, copy=False), labels, declared, undecided)
    return CategoryColumn(recode(codes, new_codes, np.intp), labels, declared, undecided)


def merge_values(
    values: Iterable[object],
    where: str,
    missing: MissingValues,
    declared: bool,
    known: dict[str, Label | None] | None = None,
) -> tuple[tuple[Label, ...], list[int]]:
    """Convert values of any type to labels, and merge those that are equal or missing.

    Parameters
    ----------
    values : iterable of objects
        The values.
    where : str
        What messages call the column.
    missing : MissingValues
        The cells that are missing.
    declared : bool
        Whether texts are taken as they are, as for `as_label`.
    known : dict, optional
        The labels of the texts that other columns hold; those of this column are added.

    Returns
    -------
    labels : tuple of labels
        Distinct labels.
    codes : list of int
        Per value the position of its label, or `MISSING_CODE`.
    """
    known = {} if known is None else known
    code_of: dict[Label, int] = {}
    codes: list[int] = []
    for value in values:
        if isinstance(value, str):
            if value not in known:
                known[value] = as_label(value, where, missing, declared)
            label = known[value]
        else:
            label = as_label(value, where, missing, declared)
        codes.append(MISSING_CODE if label is None else code_of.setdefault(label, len(code_of)))
    return tuple(code_of), codes


def recode(
    codes: NDArray[np.integer[Any]], new_codes: Iterable[int], dtype: type[np.integer[Any]]
) -> NDArray[Any]:
    """Return per row the new code of its old one; a missing value stays missing."""
    # MISSING_CODE is -1, so it picks the last entry.
    recoded: NDArray[Any] = np.array([*new_codes, MISSING_CODE], dtype=dtype)[codes]
    return recoded


def as_label(
    value: object, where: str, missing: MissingValues = DEFAULT_MISSING, declared: bool = False
) -> Label | None:
    """Convert any scalar to a Python label, or to None if it is missing.

    A declared text is taken as it is. White space around other texts is dropped.
    """
    if isinstance(value, str):
        text = value.strip()
        if missing.holds_text(text, declared):
            return None
        return str(value) if declared or missing.keeps_space else text
    if isinstance(value, bool | np.bool_):
        return bool(value)
    if isinstance(value, Integral):
        return None if missing.numbers and float(value) in missing.numbers else int(value)
    if isinstance(value, Real | Decimal):
        number = float(value)
        if math.isnan(number) or number in missing.numbers:
            return None
        if math.isinf(number):
            raise infinity_error(where)
        is_whole = number.is_integer() and abs(number) < MAX_EXACT_FLOAT
        return int(number) if is_whole else number
    if _is_missing_scalar(value):
        return None
    raise TypeError(
        f"{where} holds a value of type {type(value).__name__}: the argument must be a string, "
        f"a bool or a number, got {quote(value)}. Convert the column first, for example with "
        ".astype(str), or .cat.rename_categories(str) for a pandas category."
    )


def sort_labels(labels: Iterable[Label]) -> tuple[Label, ...]:
    """Sort labels that have no declared order: numbers first, then strings."""
    return tuple(sorted(labels, key=lambda label: (isinstance(label, str), label)))


def sorted_label_array(labels: list[Label], dtype: object) -> NDArray[Any]:
    """Return labels in an array, numbers before strings.

    Numbers get the given type if it is NumPy's. Texts get NumPy's type of texts, so that it does
    not matter whether a frame keeps them as objects. They are objects if they are very long.
    """
    ordered = sort_labels(labels)
    texts = [label for label in ordered if isinstance(label, str)]
    if texts and (len(texts) < len(ordered) or max(map(len, texts)) > _LONGEST_NUMPY_TEXT):
        return np.array(ordered, dtype=object)
    if not texts and isinstance(dtype, np.dtype) and dtype.kind != "S":
        array = np.array(ordered, dtype=dtype)
    else:
        array = np.array(ordered)
    # NumPy drops NUL characters at the end of a text and rounds integers of more than 64 bits.
    return array if array.tolist() == list(ordered) else np.array(ordered, dtype=object)


#: A NumPy array takes 4 bytes per character of its longest text in every row of predictions.
_LONGEST_NUMPY_TEXT = 1000


def as_categories(column: Column, where: str) -> CategoryColumn:
    """Convert a column to labels and codes; a column that has them is returned as it is."""
    if isinstance(column, CategoryColumn):
        return column
    if isinstance(column, DateColumn):
        seconds, codes = distinct(column.seconds)
        texts = [None if math.isnan(s) else column.form.to_text(s) for s in seconds.tolist()]
        return category_column(codes, texts, where)
    values, codes = distinct(column)
    return category_column(codes, values.tolist(), where)


def as_numbers(column: Column, where: str) -> NDArray[np.float64]:
    """Convert a column to float64 numbers, without a copy if it is such an array."""
    if isinstance(column, DateColumn):
        raise TypeError(
            f"{where} holds dates; expected numbers, as in the table that the model was fitted to."
        )
    if not isinstance(column, CategoryColumn):
        return as_float64(column)
    numbers = [_label_to_number(label, where) for label in column.labels]
    # MISSING_CODE is -1, so it picks the last entry.
    values: NDArray[np.float64] = np.array([*numbers, np.nan])[column.codes]
    return values


def as_float64(values: NDArray[Any]) -> NDArray[np.float64]:
    """Convert numbers to aligned float64; numbers that are too large become infinite.

    An array that is aligned float64 already is not copied. The core reads only aligned numbers,
    but a field of a packed structured array may start at any byte.
    """
    if values.dtype == np.float64 and values.flags.aligned:
        return values
    with np.errstate(over="ignore"):
        return values.astype(np.float64)


#: Up to so many numbers a second array is faster than leaving out warnings.
_FEW_NUMBERS = 1000


def holds_infinity(values: NDArray[np.floating[Any]]) -> bool:
    """Return whether any value is infinite."""
    if values.size <= _FEW_NUMBERS:
        return bool(np.isinf(values).any())
    # A finite sum settles the common case without a second array.
    with np.errstate(over="ignore", invalid="ignore"):
        total = values.sum()
    return not math.isfinite(total) and bool(np.isinf(values).any())


def infinity_error(where: str) -> ValueError:
    """Return the error for a column that holds infinity."""
    container, _, place = where.partition(" ")
    return ValueError(
        f"Input {container} contains infinity or a value too large for dtype('float64')"
        f"{f' in {place}' if place else ''}. Expected finite numbers; write NaN where a value is "
        "missing."
    )


def _label_to_number(label: Label, where: str) -> float:
    try:
        number = parse_number(label) if isinstance(label, str) else float(label)
    except OverflowError:
        raise infinity_error(where) from None
    if math.isnan(number):
        raise ValueError(
            f"{where} is continuous, but its value {quote(label)} is not a number. If the value is "
            f"missing, write NaN or None, or list it: missing_values=[{quote(label)}]. Otherwise "
            "make the column nominal: nominal=[...]."
        )
    if math.isinf(number):
        raise infinity_error(where)
    return number


def _is_missing_scalar(value: object) -> bool:
    return value is None or is_pandas_missing(value)


def is_pandas_missing(value: object) -> bool:
    """Return whether a value is ``pandas.NA`` or ``pandas.NaT``, without importing pandas."""
    pandas = sys.modules.get("pandas")
    return pandas is not None and (value is pandas.NA or value is pandas.NaT)
