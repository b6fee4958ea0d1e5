"""Write numbers, probabilities, durations and names of files as a report shows them."""

from __future__ import annotations

import math


def decimal(value: float | None, digits: int) -> str:
    """Write a number with a fixed number of decimals; None becomes an empty text.

    Examples
    --------
    >>> decimal(2.345, 1), decimal(None, 1)
    ('2.3', '')
    """
    return "" if value is None else f"{value:.{digits}f}"


def signed(value: float, digits: int) -> str:
    """Write a number with its sign.

    Examples
    --------
    >>> signed(1.5, 1), signed(-0.25, 2), signed(-0.001, 2)
    ('+1.5', '−0.25', '+0.00')
    """
    rounded = round(value, digits) + 0.0  # adding 0.0 turns -0.0 into 0.0
    return f"{rounded:+.{digits}f}".replace("-", "−")


def probability(p: float | None) -> str:
    """Write a probability with three decimals; None becomes an empty text.

    Examples
    --------
    >>> probability(0.0312), probability(1e-7), probability(None)
    ('0.031', '< 0.001', '')
    """
    return "< 0.001" if p is not None and p < 0.001 else decimal(p, 3)


def equal_or_below(p: float) -> str:
    """Write a probability as the end of a sentence "p ...".

    Examples
    --------
    >>> equal_or_below(0.0312), equal_or_below(1e-7)
    ('= 0.031', '< 0.001')
    """
    text = probability(p)
    return text if text.startswith("<") else f"= {text}"


def duration(seconds: float) -> str:
    """Write a duration in seconds, minutes or hours.

    Examples
    --------
    >>> duration(8), duration(100), duration(4000), duration(30000)
    ('8 s', '2 min', '1.1 h', '8.3 h')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 3600 else f"{seconds / 3600:.1f} h"


def slug(*words: str) -> str:
    """Make a name that can be a file's name and an anchor of a page.

    Examples
    --------
    >>> slug("tamon00", "Table 2: test error %, all")
    'tamon00-table-2-test-error-all'
    """
    text = "".join(c if c.isalnum() else " " for c in " ".join(words).lower())
    return "-".join(text.split())


def finite_or_none(value: float) -> float | None:
    """Return the value, or None for NaN and infinity, which JSON lacks.

    Examples
    --------
    >>> finite_or_none(1.5), finite_or_none(float("nan"))
    (1.5, None)
    """
    return value if math.isfinite(value) else None
