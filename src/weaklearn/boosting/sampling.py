"""Random draws: seeds, samples and folds. Each has a seeded generator of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

#: The most rows of a sample, unless the table itself has more: larger samples exhaust the memory.
MOST_DRAWS = 100_000_000


def draw_seed(random_state: Any) -> int:
    """Draw the seed of a fit from what scikit-learn takes as ``random_state``."""
    from sklearn.utils.validation import check_random_state  # takes a second to import

    return int(check_random_state(random_state).randint(2**31 - 1))


def draw_counts(
    weights: NDArray[np.float64], n_draws: int, seed: int, number: int
) -> NDArray[np.float64]:
    """Draw rows with replacement, with probabilities in proportion to their weights.

    A sample with replacement is returned as whole weights of the rows.

    Parameters
    ----------
    weights : array of float64
        One per row, not all zero.
    n_draws : int
        How many rows are drawn.
    seed : int
        The fit's seed.
    number : int
        The index of the round or member that the sample is for.

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
    # The product may be rounded up to the last end itself.
    drawn = np.minimum(drawn, len(rows) - 1)
    return np.bincount(rows[drawn], minlength=len(weights)).astype(np.float64)


def sample_size(weights: NDArray[np.float64]) -> int:
    """Return the size of a sample: the sum of the weights, which count rows."""
    total = float(weights.sum())
    if total > max(MOST_DRAWS, len(weights)):
        raise ValueError(
            f"sample_weight counts {total:g} rows, too many to draw a sample of (at most "
            f"{MOST_DRAWS:,}): divide it by a constant so that it sums to the number of rows."
        )
    return max(1, round(total))


def deal_folds(
    classes: NDArray[np.int32], n_folds: int, generator: np.random.Generator
) -> NDArray[np.intp]:
    """Deal the rows of each class, shuffled, to the folds in turn.

    Each class starts at the fold after the one where the previous class ended, so that neither the
    folds nor the classes within them differ by more than one row. (scikit-learn's StratifiedKFold
    is not used because its folds may differ by as many rows as there are classes.)

    Parameters
    ----------
    classes : array of int32
        The class index of each row.
    n_folds : int
        How many folds.
    generator : numpy Generator
        Shuffles the rows of each class, in the order of the class indices.

    Returns
    -------
    array of int
        The fold of each row.

    Examples
    --------
    >>> import numpy as np
    >>> classes = np.array([0, 0, 0, 1, 1, 1, 1], dtype=np.int32)
    >>> folds = deal_folds(classes, 2, np.random.default_rng(0))
    >>> np.bincount(folds), np.bincount(folds[classes == 1])
    (array([4, 3]), array([2, 2]))
    """
    order = shuffle_by_class(classes, generator)
    fold_of_row = np.empty(len(classes), dtype=np.intp)
    fold_of_row[order] = np.arange(len(order)) % n_folds
    return fold_of_row


def shuffle_by_class(
    classes: NDArray[np.int32], generator: np.random.Generator
) -> NDArray[np.intp]:
    """Return the rows, class by class, each class shuffled."""
    shuffled = [
        generator.permutation(np.flatnonzero(classes == class_index))
        for class_index in range(int(classes.max()) + 1)
    ]
    return np.concatenate(shuffled)
