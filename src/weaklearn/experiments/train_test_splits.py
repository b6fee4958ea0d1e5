"""Choose the rows that each trial trains on and tests on, and the seed of each trial."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.boosting.sampling import deal_folds, shuffle_by_class
from weaklearn.schema import infer_classes


@dataclass(frozen=True, slots=True, eq=False)
class Split:
    """The rows of one trial.

    Parameters
    ----------
    train, test : array of bool
        Which rows it trains on, and which it tests on. A row may be in neither.

    Examples
    --------
    >>> from weaklearn.experiments import split_folds
    >>> split_folds(["a", "b"] * 10, 4)[0]
    Split(15 rows to train on, 5 to test on)
    """

    train: NDArray[np.bool_]
    test: NDArray[np.bool_]

    def __repr__(self) -> str:
        return f"Split({self.train.sum():,} rows to train on, {self.test.sum():,} to test on)"


def split_folds(y: Any, n_folds: int = 10, *, seed: int = 0) -> list[Split]:
    """Make the splits of a cross-validation: each stratified fold is the test set once.

    Parameters
    ----------
    y : Series, array or list
        The class of each row.
    n_folds : int
        How many folds. Two folds differ by at most one row, and by at most one row of each class.
    seed : int
        Seed of the folds; `cross_validate` with the same seed has the same folds.

    Returns
    -------
    list of Split
        One for each fold.

    Examples
    --------
    >>> from weaklearn.experiments import split_folds
    >>> [int(split.test.sum()) for split in split_folds(["a", "b"] * 10, 3)]
    [7, 7, 6]
    """
    _, classes = infer_classes(y)
    check_n_folds(n_folds, len(classes))
    check_whole("seed", seed, 0)
    folds = deal_folds(classes, n_folds, np.random.default_rng(seed))
    return [Split(folds != fold, folds == fold) for fold in range(n_folds)]


def split_sets(y: Any, n_sets: int = 4, *, test: Any = None, seed: int = 0) -> list[Split]:
    """Partition the rows into disjoint training sets and one test set, as DELVE does.

    All sets are stratified. Any two training sets differ by at most one row of each class. A test
    set that is drawn here has its share of each class, to within one row.

    Parameters
    ----------
    y : Series, array or list
        The class of each row.
    n_sets : int
        How many training sets.
    test : int or array of bool, optional
        The number of test rows, or a mask of the test rows. By default the test set is as large as
        a training set.
    seed : int
        Seed of the sets.

    Returns
    -------
    list of Split
        One for each training set, all with the same test rows.

    Examples
    --------
    >>> from weaklearn.experiments import split_sets
    >>> splits = split_sets(["a", "b"] * 50, n_sets=3, test=40)
    >>> [(int(split.train.sum()), int(split.test.sum())) for split in splits]
    [(20, 40), (20, 40), (20, 40)]
    """
    _, classes = infer_classes(y)
    check_whole("n_sets", n_sets, 2)
    check_whole("seed", seed, 0)
    generator = np.random.default_rng(seed)
    is_test = _test_rows(test, classes, n_sets, generator)
    train_rows = np.flatnonzero(~is_test)
    if len(train_rows) < n_sets or not is_test.any():
        raise ValueError(
            f"got {len(train_rows)} rows to train on and {int(is_test.sum())} to test on; expected "
            f"at least one for each of the {n_sets} training sets and one for the test set."
        )
    set_of_row = np.full(len(classes), -1, dtype=np.intp)
    set_of_row[train_rows] = deal_folds(classes[train_rows], n_sets, generator)
    return [Split(set_of_row == index, is_test) for index in range(n_sets)]


def seed_of_repeat(seed: int, repeat: int) -> np.random.SeedSequence:
    """Derive the seed of a repeat from its index alone; the first repeat has the seed itself."""
    return np.random.SeedSequence(seed, spawn_key=(repeat - 1,) if repeat else ())


def seed_of_trial(seed: np.random.SeedSequence, trial: int) -> np.random.SeedSequence:
    """Derive the seed of a trial from its index alone, so that order and threads do not matter."""
    return np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, 0, trial))


def check_whole(name: str, value: Any, low: int) -> None:
    """Raise a ValueError unless the value is a whole number of at least ``low``."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < low:
        raise ValueError(f"{name} must be a whole number of at least {low}, got {value!r}.")


def check_n_folds(n_folds: int, n_rows: int) -> None:
    """Raise a ValueError unless every fold can have a row."""
    check_whole("n_folds", n_folds, 2)
    if n_folds > n_rows:
        raise ValueError(f"n_folds must be at most {n_rows}, the number of rows, got {n_folds}.")


def _test_rows(
    test: Any, classes: NDArray[np.int32], n_sets: int, generator: np.random.Generator
) -> NDArray[np.bool_]:
    n_rows = len(classes)
    if test is None:
        test = n_rows // (n_sets + 1)
    mask = np.asarray(test)
    if mask.ndim > 0:
        if mask.shape != (n_rows,) or mask.dtype != np.bool_:
            raise ValueError(
                f"test has shape {mask.shape} and type {mask.dtype}; expected a number of rows, "
                f"or True or False for each of {n_rows} rows."
            )
        return mask
    check_whole("test", test, 0)
    # The rows are ordered by class. Evenly spaced positions take a proportional share of each.
    taken = np.diff(np.arange(n_rows + 1) * min(int(test), n_rows) // n_rows) == 1
    is_test = np.zeros(n_rows, dtype=np.bool_)
    is_test[shuffle_by_class(classes, generator)[taken]] = True
    return is_test
