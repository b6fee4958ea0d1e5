"""Check the arguments of generators."""

from __future__ import annotations

import numpy as np


def check_count(name: str, value: int, minimum: int = 1, maximum: int | None = None) -> None:
    """Raise a ValueError unless the value is a whole number within the bounds."""
    is_whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not is_whole or value < minimum or (maximum is not None and value > maximum):
        bounds = f"at least {minimum}" if maximum is None else f"from {minimum} to {maximum}"
        raise ValueError(f"{name} must be a whole number {bounds}, got {value!r}")


def check_probability(name: str, value: float) -> None:
    """Raise a ValueError unless the value is a number from 0 to 1."""
    if not isinstance(value, int | float | np.number) or not 0 <= value <= 1:
        raise ValueError(f"{name} must be a number from 0 to 1, got {value!r}")
