"""Dates and times as numbers: seconds since 1970-01-01 UTC.

Texts are read in these forms, each with an optional time and time zone:

* ``2020-01-31``, ``2020/1/31``, ``2020.01.31``
* ``31.01.2020``, ``31/1/2020``, ``31-01-2020``, and the same with the month first
* ``31 Jan 2020``, ``31-January-2020``, ``Jan 31, 2020``, with or without the day of the week

A time is ``12:30``, ``12:30:59`` or ``12:30:59.25``, after a space or a ``T``, optionally with AM
or PM. A zone is ``Z``, ``UTC``, ``GMT``, ``+01``, ``+0100`` or ``+01:00``. A time without a zone is
taken as it is written. Years need four digits: two leave the century open.

Whether the day or the month comes first is decided by the values of the whole column.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any, Literal, get_args

import numpy as np
from numpy.typing import NDArray

Order = Literal["year first", "day first", "month first", "month first, assumed"]
"""How a text writes a date. ``assumed``: the values of the column fit both orders."""

Unit = Literal["day", "minute", "second", "microsecond"]

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_NUMPY_UNITS: dict[Unit, Literal["D", "m", "s", "us"]] = {
    "day": "D",
    "minute": "m",
    "second": "s",
    "microsecond": "us",
}

_MONTH_NAME = r"(?P<{}>jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{{0,6}}\.?"
_DATE = re.compile(
    r"(?:(?:mon|tue|wed|thu|fri|sat|sun)[a-z]{0,6}\.?,?\s+)?"
    r"(?:(?P<year>\d{4})(?P<mark1>[-/.])(?P<month>\d{1,2})(?P=mark1)(?P<day>\d{1,2})"
    r"|(?P<first>\d{1,2})(?P<mark2>[-/.])(?P<second>\d{1,2})(?P=mark2)(?P<year2>\d{4})"
    rf"|(?P<day3>\d{{1,2}})[ -]{_MONTH_NAME.format('name3')}[ -](?P<year3>\d{{4}})"
    rf"|{_MONTH_NAME.format('name4')}\s(?P<day4>\d{{1,2}}),?\s(?P<year4>\d{{4}}))"
    r"(?:(?:\s+|T)(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<seconds>\d{2}(?:[.,]\d{1,9})?))?"
    r"(?:\s?(?P<half>[ap]m))?"
    r"\s?(?P<zone>z|utc|gmt|[+-]\d{2}(?::?\d{2})?)?)?",
    re.IGNORECASE | re.ASCII,
)


@dataclass(frozen=True, slots=True)
class DateForm:
    """How the dates of a column are written.

    Parameters
    ----------
    order : str
        One of `Order`.
    unit : {"day", "minute", "second", "microsecond"}
        The coarsest unit that shows all values exactly.
    has_zone : bool
        Whether the values have a time zone. They are then shown in UTC, with a ``Z``.
    """

    order: Order = "year first"
    unit: Unit = "day"
    has_zone: bool = False

    def to_text(self, seconds: float) -> str:
        """Write seconds since 1970 as a date, rounded down to the unit.

        A value of the column is up to a threshold if and only if it is up to the shown date.

        Examples
        --------
        >>> DateForm(unit="day").to_text(86400.0 * 31 + 43200), DateForm(unit="minute").to_text(60)
        ('1970-02-01', '1970-01-01 00:01')
        """
        microseconds = np.datetime64(math.floor(seconds * 1e6 + 0.5), "us")
        text = str(np.datetime_as_string(microseconds, unit=_NUMPY_UNITS[self.unit]))
        return text.replace("T", " ") + ("Z" if self.has_zone else "")

    def to_dict(self) -> dict[str, Any]:
        """Return the form as plain data for JSON."""
        return {"order": self.order, "unit": self.unit, "has_zone": self.has_zone}

    @classmethod
    def from_dict(cls, data: object, where: str) -> DateForm:
        """Read the result of `to_dict`, with every part of it checked."""
        is_form = (
            isinstance(data, dict)
            and set(data) == {"order", "unit", "has_zone"}
            and data["order"] in get_args(Order)
            and data["unit"] in get_args(Unit)
            and isinstance(data["has_zone"], bool)
        )
        if not is_form:
            raise ValueError(f"{where} is {data!r:.60}; expected order, unit and has_zone.")
        assert isinstance(data, dict)
        return cls(**data)


def find_unit(seconds: NDArray[np.float64]) -> Unit:
    """Return the coarsest unit that shows all known values exactly."""
    known = seconds[~np.isnan(seconds)]
    sizes: dict[Unit, float] = {"day": 86400.0, "minute": 60.0, "second": 1.0}
    for unit, size in sizes.items():
        if not (known % size).any():
            return unit
    return "microsecond"


def find_form(texts: Iterable[str]) -> DateForm | None:
    """Return the form of a column of dates; None if a text is not a date.

    Examples
    --------
    >>> find_form(["31/01/2020", "01/02/2020"]).order, find_form(["01/02/2020"]).order
    ('day first', 'month first, assumed')
    >>> find_form(["2020-01-31", "soon"]) is None
    True
    """
    matches = []
    for text in texts:
        match = _DATE.fullmatch(text.strip())
        if match is None:
            return None
        matches.append(match)
    order = _find_order(matches)
    if order is None:
        return None
    seconds = np.array([_to_seconds(match, order) for match in matches])
    if not len(seconds) or np.isnan(seconds).any():
        return None
    has_zone = any(match["zone"] for match in matches)
    return DateForm(order, find_unit(seconds), has_zone)


def parse_date(text: str, order: Order) -> float:
    """Return the seconds since 1970 that a text represents, or NaN if it is not a date.

    Examples
    --------
    >>> parse_date("02/01/1970", "day first"), parse_date("soon", "day first")
    (86400.0, nan)
    """
    match = _DATE.fullmatch(text.strip())
    return math.nan if match is None else _to_seconds(match, order)


def _find_order(matches: list[re.Match[str]]) -> Order | None:
    """Return the order of day and month that fits all texts; None if none does."""
    numeric = [match for match in matches if match["first"] is not None]
    if not numeric:
        return "year first"
    may_be_day_first = all(int(match["second"]) <= 12 for match in numeric)
    may_be_month_first = all(int(match["first"]) <= 12 for match in numeric)
    if may_be_day_first and may_be_month_first:
        same = all(int(match["first"]) == int(match["second"]) for match in numeric)
        # Points are used where the day comes first.
        dotted = all(match["mark2"] == "." for match in numeric)
        return "day first" if dotted or same else "month first, assumed"
    if may_be_day_first:
        return "day first"
    return "month first" if may_be_month_first else None


def _to_seconds(match: re.Match[str], order: Order) -> float:
    fields = match.groupdict()
    if fields["first"] is not None:
        first, second = int(fields["first"]), int(fields["second"])
        if order == "year first":
            return math.nan
        day, month = (first, second) if order == "day first" else (second, first)
    elif fields["month"] is not None:
        day, month = int(fields["day"]), int(fields["month"])
    else:
        name = fields["name3"] or fields["name4"]
        day = int(fields["day3"] or fields["day4"])
        month = _MONTHS.index(name.lower()) + 1
    year = int(fields["year"] or fields["year2"] or fields["year3"] or fields["year4"])
    try:
        moment = datetime(year, month, day, tzinfo=UTC)
        return (moment - _EPOCH).total_seconds() + _seconds_of_day(fields)
    except (ValueError, OverflowError):
        return math.nan


def _seconds_of_day(fields: dict[str, Any]) -> float:
    if fields["hour"] is None:
        return 0.0
    hour, minute = int(fields["hour"]), int(fields["minute"])
    seconds = float((fields["seconds"] or "0").replace(",", "."))
    if fields["half"]:
        if not 1 <= hour <= 12:
            raise ValueError
        hour = hour % 12 + (12 if fields["half"].lower() == "pm" else 0)
    if hour > 23 or minute > 59 or seconds >= 60:
        raise ValueError
    zone = (fields["zone"] or "").lower()
    digits = re.sub("[^0-9]", "", zone).ljust(4, "0")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:])).total_seconds()
    since_midnight = hour * 3600.0 + minute * 60.0 + seconds
    return since_midnight + (offset if zone.startswith("-") else -offset)
