"""Check the options that pruning methods share."""

from __future__ import annotations

import math
from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any

_EXPECTED = {"slack": "a share from 0 to 1", "n_draws": "a whole number >= 1"}


def size_of(n_members: int, size: Any, rate: Any) -> int:
    """Return how many members to keep.

    Parameters
    ----------
    n_members : int
        How many members the committee has.
    size : int or None
        How many to keep.
    rate : float or None
        Or the share to keep, rounded down to whole members, at least one.

    Examples
    --------
    >>> size_of(30, None, 0.9), size_of(30, 5, None)
    (27, 5)
    """
    if (size is None) == (rate is None):
        got = "neither" if size is None else "both"
        raise ValueError(
            f"got {got} of size and rate: set how many members to keep (size=10), or which share "
            "of them (rate=0.5)."
        )
    if rate is not None:
        if isinstance(rate, bool) or not isinstance(rate, Real) or not 0.0 < float(rate) <= 1.0:
            raise ValueError(
                f"got rate={rate!r}, expected a share above 0 and up to 1: rate=0.5 keeps half."
            )
        # 0.29 times 100 must count as 29, though it is a little less in floating point.
        return max(1, math.floor(float(rate) * n_members + 1e-9))
    if isinstance(size, bool) or not isinstance(size, Integral) or int(size) < 1:
        raise ValueError(f"got size={size!r}, expected a whole number from 1 to {n_members}.")
    if int(size) > n_members:
        raise ValueError(
            f"got size={size}, and the committee has {n_members} members: ask for at most that, or "
            "for a share of them, rate=0.5."
        )
    return int(size)


def check_numbers(options: Mapping[str, Any]) -> None:
    """Raise a ValueError for the first option that is outside its domain."""
    for name, value in options.items():
        kind = Integral if name == "n_draws" else Real
        valid = not isinstance(value, bool) and isinstance(value, kind) and math.isfinite(value)
        if valid:
            valid = 0 <= value <= 1 if name == "slack" else value > 0
        if not valid:
            expected = _EXPECTED.get(name, "a number > 0")
            raise ValueError(f"got {name}={value!r}, expected {expected}.")
