"""Check the arguments that pruning methods share: a committee, a size, a target, numbers."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

_EXPECTED = {"slack": "a share from 0 to 1", "n_draws": "a whole number >= 1"}


def check_committee(committee: Any) -> None:
    """Raise a TypeError for a model that is not a fitted committee, with the fix."""
    if hasattr(committee, "member_predictions") and hasattr(committee, "members_"):
        return
    kind = type(committee).__name__
    if hasattr(committee, "estimators_") or hasattr(committee, "hypotheses_"):
        raise TypeError(f"got a {kind}: wrap it first, wl.as_committee(model), and prune that.")
    if hasattr(committee, "separators_"):
        raise TypeError(
            f"got a {kind}, which has no members: fit it as a composition, "
            "wl.as_committee(model.as_g2().fit(X, y)), and prune that."
        )
    if hasattr(committee, "member_predictions"):
        raise TypeError(f"this {kind} is not fitted: call fit(X, y) first.")
    raise TypeError(
        f"got {kind}, expected a fitted committee such as AdaBoostM1Classifier().fit(X, y)."
    )


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


@dataclass(frozen=True, slots=True)
class Target:
    """What the margin LP and exact selection are asked for: a size or a share of the margins.

    Parameters
    ----------
    size : int, optional
        How many members to keep, with the largest possible least margin.
    theta : float, optional
        Or the share of its margin that each row must keep, with as few members as possible.
    price : float, optional
        The cost of a missed margin.
    """

    size: int | None = None
    theta: float | None = None
    price: float | None = None


def check_target(committee: Any, size: Any, rate: Any, theta: Any, price: Any) -> Target:
    """Return the target that a user asked for, or raise a ValueError or TypeError."""
    check_committee(committee)
    if price is not None:
        check_numbers({"price": price})
    if theta is None:
        return Target(size=size_of(len(committee), size, rate), price=price)
    if size is not None or rate is not None:
        raise ValueError(
            "got theta with size or rate: set how many members to keep, or which share of the "
            "margins, not both."
        )
    check_numbers({"theta": theta})
    return Target(theta=float(theta), price=price)
