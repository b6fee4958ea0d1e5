"""Java-style date patterns, as ARFF's ``date`` features use them."""

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
    """Make the function that reads a date as seconds since 1970-01-01 UTC.

    It answers NaN for a text that does not follow the pattern.

    Raises
    ------
    ValueError
        If the pattern has a letter whose meaning is not known here.

    Examples
    --------
    >>> from weaklearn.tables.dates import date_parser
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
            # Digits that touch the next field's digits can only be told apart by their number.
            touching = following is not None and (following[2] or " ") in _NUMERIC
            expression += f"({_field(piece[0], touching)})"
            letters.append(piece[2])
    compiled = re.compile(expression, re.IGNORECASE)

    def parse(text: str) -> float:
        match = compiled.fullmatch(text.strip())
        if match is None:
            return math.nan
        try:
            return _seconds(dict(zip(letters, match.groups(), strict=True)))
        except (ValueError, OverflowError):
            return math.nan

    return parse


def _field(run: str, touching: bool) -> str:
    letter = run[0]
    if letter == "y" and len(run) == 2:
        raise ValueError("'yy' does not tell the century; expected 'yyyy'")
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
        known = " ".join([*_NUMERIC, *patterns])
        raise ValueError(f"the letter {letter!r} is not known; expected some of {known}")
    return patterns[letter]


def _seconds(found: dict[str, str]) -> float:
    month = found.get("M", "1")
    hour = int(found.get("H", "0"))
    if "h" in found:
        if not 1 <= int(found["h"]) <= 12:
            raise ValueError
        hour = int(found["h"]) % 12 + (12 if found.get("a", "am").lower() == "pm" else 0)
    moment = datetime(
        int(found.get("y", "1970")),
        int(month) if month.isdigit() else _MONTHS.index(month[:3].lower()) + 1,
        int(found.get("d", "1")),
        hour,
        int(found.get("m", "0")),
        int(found.get("s", "0")),
        tzinfo=UTC,
    )
    zone = found.get("Z") or found.get("X") or "Z"
    digits = re.sub("[^0-9]", "", zone).ljust(4, "0")
    offset = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    moment += offset if zone.startswith("-") else -offset
    return (moment - _EPOCH).total_seconds() + int(found.get("S", "0")) / 1000
