"""Chance: a seeded generator per round or member, whatever the threads and what came before."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

#: A sample of more rows, of a table that has fewer, would not fit into the memory.
MOST_DRAWS = 100_000_000


def draw_counts(
    weights: NDArray[np.float64], n_draws: int, seed: int, number: int
) -> NDArray[np.float64]:
    """Draw rows with replacement, with chances in proportion to their weights.

    A sample with replacement is the same as whole weights on the rows.

    Parameters
    ----------
    weights : array of float64
        One per row, not all zero.
    n_draws : int
        How many rows are drawn.
    seed : int
        The fit's seed.
    number : int
        Which round or member the sample is for.

    Returns
    -------
    array of float64
        How often each row was drawn.

    Examples
    --------
    >>> import numpy as np
    >>> draw_counts(np.array([1.0, 0.0, 3.0]), 8, seed=0, number=0).tolist()
    [2.0, 0.0, 6.0]
    """
    generator = np.random.default_rng([seed, number])
    rows = np.flatnonzero(weights)
    ends = np.cumsum(weights[rows])
    drawn = np.searchsorted(ends, generator.random(n_draws) * ends[-1], side="right")
    # The product may round up to the very end.
    drawn = np.minimum(drawn, len(rows) - 1)
    return np.bincount(rows[drawn], minlength=len(weights)).astype(np.float64)


def n_draws_of(weights: NDArray[np.float64]) -> int:
    """Give the size of a sample: as many rows as the weights count."""
    total = float(weights.sum())
    if total > max(MOST_DRAWS, len(weights)):
        raise ValueError(
            f"sample_weight counts {total:g} rows, too many to draw a sample of (at most "
            f"{MOST_DRAWS:,}): divide it by a constant so that it sums to the number of rows."
        )
    return max(1, round(total))
