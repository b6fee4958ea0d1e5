"""Random draws: seeds, samples and folds. Each has a seeded generator of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core
from weaklearn.encoding import rounded_sum

#: The most rows of a sample, unless the table itself has more: larger samples exhaust the memory.
MOST_DRAWS = 100_000_000
#: How many draws are in memory at a time.
_BLOCK = 1 << 16


def draw_seed(random_state: Any) -> int:
    """Draw the seed of a fit from what scikit-learn takes as ``random_state``."""
    from sklearn.utils.validation import check_random_state  # takes a second to import

    return int(check_random_state(random_state).randint(2**31 - 1))


def draw_counts(
    weights: NDArray[np.float64], n_draws: int, seed: int, *number: int
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
    *number : int
        The index of the round or member that the sample is for, or several numbers that identify
        the sample.

    Returns
    -------
    array of float64
        How often each row was drawn.

    Examples
    --------
    >>> import numpy as np
    >>> draw_counts(np.array([1.0, 0.0, 3.0]), 8, 0, 0).tolist()
    [2.0, 0.0, 6.0]
    """
    return draw_small_counts(weights, n_draws, seed, *number).astype(np.float64, copy=False)


def draw_small_counts(
    weights: NDArray[np.float64], n_draws: int, seed: int, *number: int
) -> NDArray[Any]:
    """Draw rows as `draw_counts` does; counts are bytes if all of them fit."""
    if (weights == 1.0).all():
        counts = _draw_equal_rows(len(weights), n_draws, [seed, *number], np.uint8)
        # A byte that overflows loses 256 draws.
        if counts.sum(dtype=np.int64) == n_draws:
            return counts
        return _draw_equal_rows(len(weights), n_draws, [seed, *number], np.float64)
    return as_bytes_if_small(_draw_weighted_rows(weights, n_draws, [seed, *number]))


def _draw_weighted_rows(
    weights: NDArray[np.float64], n_draws: int, seeds: list[int]
) -> NDArray[np.float64]:
    """Draw rows of any weights."""
    generator = np.random.default_rng(seeds)
    rows = np.flatnonzero(weights)
    all_weigh = len(rows) == len(weights)
    ends = np.cumsum(rounded_to_unit(weights if all_weigh else weights[rows], unit_of(weights)))
    drawn = generator.random(n_draws)
    drawn *= ends[-1]
    # Where the draws are sorted, each search starts near the last one, in memory that is at hand.
    drawn.sort()
    n_below = np.searchsorted(drawn, ends, side="left")
    n_below[-1] = n_draws  # the product may be rounded up to the last end itself
    n_below[1:] -= n_below[:-1].copy()
    if all_weigh:
        return n_below.astype(np.float64)
    counts = np.zeros(len(weights))
    counts[rows] = n_below
    return counts


def _draw_equal_rows(
    n_rows: int, n_draws: int, seeds: list[int], dtype: type[np.generic]
) -> NDArray[Any]:
    """Draw rows of weight 1, a block of draws at a time."""
    generator = np.random.default_rng(seeds)
    counts, one = np.zeros(n_rows, dtype), np.ones((), dtype)
    for first in range(0, n_draws, _BLOCK):
        drawn = generator.random(min(_BLOCK, n_draws - first))
        drawn *= n_rows
        rows = drawn.astype(np.intp)
        np.minimum(rows, n_rows - 1, out=rows)  # the product may be rounded up to the last end
        np.add.at(counts, rows, one)
    return counts


def as_bytes_if_small(counts: NDArray[np.float64]) -> NDArray[Any]:
    """Return counts of rows as bytes, or as they are if some are not whole numbers below 256.

    Examples
    --------
    >>> as_bytes_if_small(np.array([2.0, 0.0])).dtype, as_bytes_if_small(np.array([0.5])).dtype
    (dtype('uint8'), dtype('float64'))
    """
    if counts.max(initial=0.0) >= 256:
        return counts
    as_bytes = counts.astype(np.uint8)
    return as_bytes if np.array_equal(as_bytes, counts) else counts


def unit_of(weights: NDArray[np.float64]) -> float:
    """Return a power of two of which all weights together have fewer than 2^53.

    Weights that are rounded to multiples of it have sums that do not depend on their order. Whole
    weights remain what they are.
    """
    first = _core.WeightUnit.first_unit(float(weights.max()), int(np.count_nonzero(weights)))
    return _core.WeightUnit.from_sum(first, _core.WeightUnit.sum_in(first, weights)).value


def rounded_to_unit(weights: NDArray[np.float64], unit: float) -> NDArray[np.float64]:
    """Round positive weights to multiples of a unit; none is rounded to 0."""
    rounded: NDArray[np.float64] = np.maximum(np.rint(weights / unit), 1.0) * unit
    return rounded


def draw_factors(n_rows: int, seed: int, number: int) -> NDArray[np.float64]:
    """Draw random factors for the weights of rows, from the exponential distribution of mean 1.

    Webb (2000) calls this wagging with continuous Poisson weights. Unlike a bootstrap sample, it
    leaves no row out.

    Parameters
    ----------
    n_rows : int
        How many factors are drawn.
    seed, number : int
        As for `draw_counts`.

    Examples
    --------
    >>> factors = draw_factors(1000, seed=0, number=1)
    >>> bool((factors > 0).all()), round(float(factors.mean()))
    (True, 1)
    """
    return np.random.default_rng([seed, number, 3]).standard_exponential(n_rows)


def draw_without_replacement(
    weights: NDArray[np.float64], n_draws: int, seed: int, number: int
) -> NDArray[np.float64]:
    """Draw rows without replacement, each with its whole weight.

    Every row is equally likely to be drawn, so that its weight in the sample is in proportion to
    its own.

    Parameters
    ----------
    weights : array of float64
        One per row, not all zero.
    n_draws : int
        The weight of the rows to draw. Rows are added as long as they do not exceed it.
    seed, number : int
        As for `draw_counts`.

    Returns
    -------
    array of float64
        The weight of each drawn row, 0 for the others.

    Examples
    --------
    >>> import numpy as np
    >>> sorted(draw_without_replacement(np.ones(5), 3, seed=0, number=0).tolist())
    [0.0, 0.0, 1.0, 1.0, 1.0]
    """
    present = np.flatnonzero(weights)
    keys = draw_keys(np.random.default_rng([seed, number]), len(weights))[present]
    rounded = rounded_to_unit(weights[present], unit_of(weights))
    taken = present[keys < end_of_keys(keys, rounded, n_draws)]
    drawn = np.zeros(len(weights))
    drawn[taken] = weights[taken]
    return drawn


#: The number of the draw that holds rows back; samples have smaller ones.
HELD_BACK = 1 << 31
#: Keys are below this.
END_OF_KEYS = 1 << 53


def draw_keys(generator: np.random.Generator, n_rows: int) -> NDArray[np.uint64]:
    """Draw a key for each row; the keys put the rows into a random order."""
    return (generator.random(n_rows) * END_OF_KEYS).astype(np.uint64)


def end_of_keys(keys: NDArray[np.uint64], weights: NDArray[np.float64], n_draws: int) -> int:
    """Return a number such that the rows of smaller keys are a sample without replacement.

    The sample has the rows of the smallest keys whose weights sum to at most `n_draws`, and at
    least one row.

    Parameters
    ----------
    keys : array of uint64
        The key of each row.
    weights : array of float64
        Their weights, not 0, of which all sums are exact.
    n_draws : int
        The weight of the sample.
    """
    order = np.argsort(keys)
    # The number of draws is rounded, and all of them are to draw all rows.
    n_taken = int(np.searchsorted(np.cumsum(weights[order]), n_draws + 0.5))
    if n_taken == len(keys):
        return END_OF_KEYS
    first_beyond = int(keys[order[n_taken]])
    return max(first_beyond, int(keys[order[0]]) + 1)


def hold_back(
    classes: NDArray[np.int32], weights: NDArray[np.float64], share: float, seed: int
) -> NDArray[np.float64]:
    """Return the weights of the rows to hold back, a share of each class; 0 for the other rows.

    Examples
    --------
    >>> held = hold_back(np.array([0, 0, 0, 0, 1, 1]), np.ones(6), 0.5, seed=0)
    >>> held[:4].sum().item(), held[4:].sum().item()
    (2.0, 1.0)
    """
    keys = draw_keys(np.random.default_rng([seed, HELD_BACK]), len(weights))
    held_back = np.zeros(len(weights))
    for class_index in range(int(classes.max()) + 1):
        rows = np.flatnonzero((classes == class_index) & (weights > 0))
        if n_rows := n_held_back(share, len(rows)):
            taken = rows[keys[rows] < end_of_keys(keys[rows], np.ones(len(rows)), n_rows)]
            held_back[taken] = weights[taken]
    if not held_back.any():
        raise too_few_to_hold_back(share)
    return held_back


def n_held_back(share: float, n_rows: int) -> int:
    """Return how many rows of a class are held back: not all of them."""
    return max(min(round(share * n_rows), n_rows - 1), 0)


def too_few_to_hold_back(share: float) -> ValueError:
    """Return the error to raise if no row would be held back."""
    return ValueError(
        f"n_rounds='auto' with validation_share={share} would hold back no row: there are too "
        "few. Set a number of rounds, for example n_rounds=10."
    )


def draw_columns(n_columns: int, n_draws: int, seed: int, number: int) -> NDArray[np.intp]:
    """Draw columns without replacement; return their indices in ascending order.

    Parameters
    ----------
    n_columns : int
        The number of columns.
    n_draws : int
        How many are drawn.
    seed, number : int
        As for `draw_counts`.

    Examples
    --------
    >>> columns = draw_columns(6, 3, seed=0, number=1)
    >>> len(columns), set(columns.tolist()) <= set(range(6))
    (3, True)
    """
    generator = np.random.default_rng([seed, number, 2])
    return np.sort(generator.choice(n_columns, n_draws, replace=False))


def number_of_columns(n_columns: int, max_features: float) -> int:
    """Return how many columns to draw, for a member or at a node.

    Parameters
    ----------
    n_columns : int
        The number of all columns.
    max_features : float or int
        A share of all columns if it is a float, rounded down but at least one, else a number.
    """
    if isinstance(max_features, int | np.integer):
        if max_features > n_columns:
            raise ValueError(
                f"max_features={max_features} is more than the {n_columns} columns: use at most "
                "that, or a share such as max_features=0.5."
            )
        return int(max_features)
    return max(1, int(float(max_features) * n_columns))


def sample_size(weights: NDArray[np.float64], max_samples: float = 1.0) -> int:
    """Return the number of rows of a sample.

    Parameters
    ----------
    weights : array of float64
        The weight of each row; weights count rows.
    max_samples : float or int
        A share of all rows if it is a float, else a number of rows.
    """
    return size_of_sample(rounded_sum(weights), len(weights), max_samples)


def size_of_sample(total: float, n_rows: int, max_samples: float = 1.0) -> int:
    """Return the number of rows of a sample, as `sample_size` does, from the sum of the weights."""
    if total > max(MOST_DRAWS, n_rows):
        raise ValueError(
            f"sample_weight counts {total:g} rows, too many to draw a sample of (at most "
            f"{MOST_DRAWS:,}): divide it by a constant so that it sums to the number of rows."
        )
    if isinstance(max_samples, int | np.integer):
        if max_samples > max(1, round(total)):
            raise ValueError(
                f"max_samples={max_samples} is more than the {total:g} rows: use at most that, or "
                "a share such as max_samples=0.5."
            )
        return int(max_samples)
    return max(1, round(float(max_samples) * total))


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
