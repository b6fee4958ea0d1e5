"""Values and names as messages and reprs show them: quoted, and short however long they are."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches


def quote(value: object, max_length: int = 60) -> str:
    """Return the repr of a value, cut to at most ``max_length`` characters.

    Examples
    --------
    >>> quote("red"), quote("a" * 100, 8)
    ("'red'", "'aaaa...")
    """
    text = repr(value[: max_length + 1] if isinstance(value, str) else value)
    return text if len(text) <= max_length else f"{text[: max_length - 3]}..."


def quote_list(values: Iterable[object], max_values: int = 12, max_length: int = 60) -> str:
    """Return the first values in one line, and how many there are if some are not shown.

    Examples
    --------
    >>> quote_list(["a", "b", "c"]), quote_list(["a", "b", "c"], 2)
    ("'a', 'b', 'c'", "'a', 'b', ... (3 in all)")
    """
    values = list(values)
    shown = [quote(value, max_length) for value in values[:max_values]]
    if len(values) > max_values:
        shown.append(f"... ({len(values)} in all)")
    return ", ".join(shown)


def did_you_mean(name: str, names: Iterable[str], cutoff: float = 0.6) -> str:
    """Return the end of a sentence about a wrong name: the names that are close to it, if any.

    Examples
    --------
    >>> "there is no column 'colr'" + did_you_mean("colr", ["color", "size"])
    "there is no column 'colr'; did you mean 'color'?"
    """
    close = get_close_matches(name, list(names), n=3, cutoff=cutoff)
    return f"; did you mean {' or '.join(map(quote, close))}?" if close else "."


def describe_bytes(size: float) -> str:
    """Return a size with a unit that suits it.

    Examples
    --------
    >>> describe_bytes(3 * 2**20), describe_bytes(1536 * 2**20)
    ('3.0 MiB', '1.5 GiB')
    """
    size /= 2**20
    return f"{size / 1024:,.1f} GiB" if size >= 1024 else f"{size:,.1f} MiB"


def describe_column(name: object) -> str:
    """Return what messages call a column of X."""
    return f"X column {quote(name)}"
