"""What the texts of a column stand for: numbers, dates, bools, or nothing but themselves.

Readers of files and frames use the same rule, so that a cell means the same in both.
"""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from weaklearn.tables.column import CategoryColumn, Column, DateColumn, Label
from weaklearn.tables.dates import DateForm, Order, find_form, parse_date
from weaklearn.tables.messages import quote
from weaklearn.tables.missing_values import parse_number

TextKind: TypeAlias = Literal["numbers", "bools", "labels"] | DateForm

_BOOLS = {"true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False}


def find_text_kind(labels: Collection[Label]) -> TextKind:
    """Return what the known cells of a column stand for, if all of them do.

    A column without a known cell holds numbers.

    Examples
    --------
    >>> find_text_kind(["1", "2.5e3"]), find_text_kind(["1", "low"]), find_text_kind(["true"])
    ('numbers', 'labels', 'bools')
    >>> find_text_kind(["2020-01-31 12:00"])
    DateForm(order='year first', unit='minute', has_zone=False)
    """
    if all(_is_number(label) for label in labels):
        return "numbers"
    if all(isinstance(label, bool) or label in _BOOLS for label in labels):
        return "bools"
    texts = [label for label in labels if isinstance(label, str)]
    form = find_form(texts) if len(texts) == len(labels) else None
    return form or "labels"


def _is_number(label: Label) -> bool:
    if isinstance(label, str):
        return not math.isnan(parse_number(label))
    return not isinstance(label, bool)


def as_bools(labels: Collection[Label]) -> tuple[Label, ...]:
    """Return bools in place of the texts that stand for them."""
    return tuple(_BOOLS.get(label, label) if isinstance(label, str) else label for label in labels)


def meaning(label: Label) -> Label:
    """Return the number or bool that a text stands for, and other labels as they are.

    Examples
    --------
    >>> meaning("1.0"), meaning("true"), meaning("red")
    (1.0, True, 'red')
    """
    if not isinstance(label, str):
        return label
    number = parse_number(label)
    return _BOOLS.get(label, label) if math.isnan(number) else number


def as_dates(column: Column, form: DateForm, where: str) -> NDArray[np.float64]:
    """Return the seconds since 1970 of a column of dates.

    Parameters
    ----------
    column : Column
        Dates, texts that are dates, or a column without a known value.
    form : DateForm
        How the dates of the training table are written. A text in which the day or the month may
        come first is read in the same order.
    where : str
        What messages call the column.
    """
    if isinstance(column, DateColumn):
        return column.seconds
    if isinstance(column, CategoryColumn):
        order = _order_of(column.labels, form)
        seconds = [_label_to_seconds(label, order, where) for label in column.labels]
        # MISSING_CODE is -1, so it picks the last entry.
        of_rows: NDArray[np.float64] = np.array([*seconds, np.nan])[column.codes]
        return of_rows
    if column.dtype.kind == "f" and np.isnan(column).all():
        return column
    raise TypeError(
        f"{where} held dates in the training table and now holds numbers; expected dates, as "
        "texts or as a column of a date type. In pandas, pandas.to_datetime(column, unit='s') "
        "converts seconds since 1970."
    )


def _order_of(labels: Collection[Label], form: DateForm) -> Order:
    """Return the order of the training table, or that of the texts if that one does not say."""
    if form.order == "year first":
        own = find_form([label for label in labels if isinstance(label, str)])
        if own is not None and own.order != "month first, assumed":
            return own.order
    return form.order


def _label_to_seconds(label: Label, order: Order, where: str) -> float:
    seconds = parse_date(label, order) if isinstance(label, str) else math.nan
    if math.isnan(seconds):
        raise ValueError(
            f"{where} holds dates, but {quote(label)} is not a date with the "
            f"{order.split(',')[0]}. If the value is missing, write None, or list it: "
            f"missing_values=[{quote(label)}]."
        )
    return seconds
