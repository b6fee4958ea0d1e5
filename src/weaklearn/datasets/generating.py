"""What every generator of artificial problems shares: chance, noise, and the finished table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from weaklearn.datasets.nominal import nominal
from weaklearn.tables import Table

RandomState = int | np.random.Generator | None
Codes = NDArray[np.int64]
"""Values or classes as indices into a tuple of names; a matrix has one column per feature."""

BITS = ("0", "1")

# A truth table of 2^20 rows is the largest that is still a table and not an accident.
_MOST_BITS = 20


def check_count(name: str, value: int, least: int = 1, most: int | None = None) -> None:
    """Refuse a count that is not a whole number from ``least`` to ``most``."""
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not whole or value < least or (most is not None and value > most):
        bounds = f"at least {least}" if most is None else f"from {least} to {most}"
        raise ValueError(f"{name} must be a whole number {bounds}, got {value!r}")


def check_share(name: str, value: float) -> None:
    """Refuse a share that is not a number from 0 to 1."""
    if not isinstance(value, int | float | np.number) or not 0 <= value <= 1:
        raise ValueError(f"{name} must be a number from 0 to 1, got {value!r}")


def bits(n_bits: int, n_samples: int | None, rng: np.random.Generator) -> Codes:
    """Draw rows of fair bits, or give all rows once, in counting order, for ``None``."""
    if n_samples is not None:
        check_count("n_samples", n_samples)
        return rng.integers(0, 2, size=(n_samples, n_bits))
    if n_bits > _MOST_BITS:
        raise ValueError(
            f"all rows of {n_bits} bits are 2^{n_bits}: give n_samples to draw some of them "
            f"(at most {_MOST_BITS} bits without it)"
        )
    # The first bit is the most significant one, as in a printed truth table.
    numbers = np.arange(2**n_bits, dtype=np.int64)
    return (numbers[:, None] >> np.arange(n_bits - 1, -1, -1)) & 1


def with_class_noise(
    classes: Codes, n_classes: int, share: float, rng: np.random.Generator
) -> Codes:
    """Give each row, with probability ``share``, one of the other classes, all equally likely."""
    check_share("class_noise", share)
    wrong = rng.random(len(classes)) < share
    others = (classes + rng.integers(1, n_classes, size=len(classes))) % n_classes
    return np.where(wrong, others, classes)


def nominal_table(
    name: str,
    features: Sequence[tuple[str, Sequence[str]]],
    codes: Codes,
    classes: Codes,
    class_names: Sequence[str],
    *notes: str,
) -> Table:
    """Make a table of nominal features, each given as its name and its values."""
    import pandas as pd

    columns = [nominal(label, codes[:, j], values) for j, (label, values) in enumerate(features)]
    y = nominal("class", classes, class_names)
    return Table(name=name, X=pd.concat(columns, axis=1), y=y, notes=notes)


def boolean_table(name: str, rows: Codes, classes: Codes, *notes: str) -> Table:
    """Make a table of the bits ``x1, x2, ...`` and a class, all of them "0" or "1"."""
    features = [(f"x{j}", BITS) for j in range(1, rows.shape[1] + 1)]
    return nominal_table(name, features, rows, classes, BITS, *notes)
