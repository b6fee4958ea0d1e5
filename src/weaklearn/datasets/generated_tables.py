"""Draw and build what generated tables share: random bits, class noise, nominal columns."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from weaklearn.datasets.check_arguments import check_count, check_probability
from weaklearn.optional_packages import require_package
from weaklearn.tables import Table
from weaklearn.tables.build_table import nominal_series

RandomState = int | np.random.Generator | None
Codes = NDArray[np.int64]
"""Positions of values or classes in a tuple; a matrix has one column per feature."""

BITS = ("0", "1")

# A truth table of more than 2^20 rows is probably a mistake.
_MAX_BITS = 20


def make_bits(n_bits: int, n_samples: int | None, rng: np.random.Generator) -> Codes:
    """Draw rows of fair bits; with ``n_samples=None`` return all rows once, in counting order."""
    if n_samples is not None:
        check_count("n_samples", n_samples)
        return rng.integers(0, 2, size=(n_samples, n_bits))
    if n_bits > _MAX_BITS:
        raise ValueError(
            f"{n_bits} bits have 2^{n_bits} rows; expected at most {_MAX_BITS} bits without "
            "n_samples. Set n_samples to draw some of the rows"
        )
    # The first bit is the most significant one, as in a printed truth table.
    numbers = np.arange(2**n_bits, dtype=np.int64)
    return (numbers[:, None] >> np.arange(n_bits - 1, -1, -1)) & 1


def add_class_noise(
    classes: Codes, n_classes: int, class_noise: float, rng: np.random.Generator
) -> Codes:
    """Replace each class, with probability ``class_noise``, by one of the others at random."""
    check_probability("class_noise", class_noise)
    wrong = rng.random(len(classes)) < class_noise
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
    """Return a table of nominal features, each given by its name and its values."""
    require_package("pandas", "tables", "a table")
    import pandas as pd

    columns = [
        nominal_series(label, codes[:, j], values) for j, (label, values) in enumerate(features)
    ]
    y = nominal_series("class", classes, class_names)
    return Table(name=name, X=pd.concat(columns, axis=1), y=y, notes=notes)


def boolean_table(name: str, rows: Codes, classes: Codes, *notes: str) -> Table:
    """Return a table of the bits ``x1, x2, ...`` and a class, all of them "0" or "1"."""
    features = [(f"x{j}", BITS) for j in range(1, rows.shape[1] + 1)]
    return nominal_table(name, features, rows, classes, BITS, *notes)
