"""Java-style date patterns, as ARFF's ``date`` attributes use them."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

DEFAULT_PATTERN = "yyyy-MM-dd'T'HH:mm:ss"

_PIECE = re.compile(r"''|'((?:[^']|'')*+)'|([A-Za-z])\2*|.", re.DOTALL)
_NUMERIC = "yMdHhmsS"
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def date_parser(pattern: str) -> Callable[[str], float]:
    """Return the function that reads a date as seconds since 1970-01-01 UTC.

    The function returns NaN for a text that does not follow the pattern.

    Raises
    ------
    ValueError
        If the pattern has a letter that is not supported.

    Examples
    --------
    >>> from weaklearn.tables.date_patterns import date_parser
    >>> date_parser("yyyy-MM-dd")("1970-01-02")
    86400.0
    """
    pieces = list(_PIECE.finditer(pattern))
    letters: list[str] = []
    expression = ""
    for piece, following in zip(pieces, [*pieces[1:], None], strict=True):
        if piece[2] is None:
            literal = "'" if piece[0] == "''" else (piece[1] or piece[0]).replace("''", "'")
            expression += re.escape(literal)
        else:
            # If the next field also consists of digits, only the field's width separates them.
            touching = following is not None and (following[2] or " ") in _NUMERIC
            expression += f"({_field_expression(piece[0], touching)})"
            letters.append(piece[2])
    compiled = re.compile(expression, re.IGNORECASE)

    def parse(text: str) -> float:
        match = compiled.fullmatch(text.strip())
        if match is None:
            return math.nan
        try:
            return _to_seconds(dict(zip(letters, match.groups(), strict=True)))
        except (ValueError, OverflowError):
            return math.nan

    return parse


def _field_expression(run: str, touching: bool) -> str:
    letter = run[0]
    if letter == "y" and len(run) == 2:
        raise ValueError("got 'yy', which leaves the century open; expected 'yyyy'")
    if letter == "M" and len(run) > 2:
        return "[a-z]{3,9}"
    if letter in _NUMERIC:
        return f"[0-9]{{{len(run)}}}" if touching else "[0-9]{1,9}"
    patterns = {
        "a": "am|pm",
        "E": "[a-z]+",
        "Z": "[+-][0-9]{4}",
        "X": "Z|[+-][0-9]{2}(?::?[0-9]{2})?",
    }
    if letter not in patterns:
        supported = " ".join([*_NUMERIC, *patterns])
        raise ValueError(f"got the letter {letter!r}; expected letters among {supported}")
    return patterns[letter]


def _to_seconds(fields: dict[str, str]) -> float:
    """Convert the texts of the fields, by their pattern letters, to seconds since 1970."""
    month = fields.get("M", "1")
    hour = int(fields.get("H", "0"))
    if "h" in fields:
        if not 1 <= int(fields["h"]) <= 12:
            raise ValueError
        hour = int(fields["h"]) % 12 + (12 if fields.get("a", "am").lower() == "pm" else 0)
    moment = datetime(
        int(fields.get("y", "1970")),
        int(month) if month.isdigit() else _MONTHS.index(month[:3].lower()) + 1,
        int(fields.get("d", "1")),
        hour,
        int(fields.get("m", "0")),
        int(fields.get("s", "0")),
        tzinfo=UTC,
    )
    zone = fields.get("Z") or fields.get("X") or "Z"
    digits = re.sub("[^0-9]", "", zone).ljust(4, "0")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    moment += offset if zone.startswith("-") else -offset
    return (moment - _EPOCH).total_seconds() + int(fields.get("S", "0")) / 1000
