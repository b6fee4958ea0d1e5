"""Which rows to train on and which to test on."""

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
        Which rows are trained on, and which are tested on. A row may be in neither.
    """

    train: NDArray[np.bool_]
    test: NDArray[np.bool_]


def split_folds(y: Any, n_folds: int = 10, *, seed: int = 0) -> list[Split]:
    """Hold back each of some stratified folds once: the splits of a cross-validation.

    Parameters
    ----------
    y : Series, array or list
        The class of each row.
    n_folds : int
        How many folds; neither they nor the classes within them differ by more than one row.
    seed : int
        What the folds are drawn with; those of `cross_validate` with the same seed.

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
    """Divide the rows into disjoint training sets and one test set, as DELVE does.

    All are stratified: each training set gets as many rows of a class as any other, give or take
    one, and so does a test set that is drawn here, in proportion to its size.

    Parameters
    ----------
    y : Series, array or list
        The class of each row.
    n_sets : int
        How many training sets.
    test : int or array of bool, optional
        How many rows the test set has, or which rows they are. By default it is as large as a
        training set.
    seed : int
        What the sets are drawn with.

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
    rest = np.flatnonzero(~is_test)
    if len(rest) < n_sets or not is_test.any():
        raise ValueError(
            f"{len(rest)} rows to train on and {int(is_test.sum())} to test on: expected at least "
            f"one for each of n_sets={n_sets} training sets and one for the test set."
        )
    set_of_row = np.full(len(classes), -1, dtype=np.intp)
    set_of_row[rest] = deal_folds(classes[rest], n_sets, generator)
    return [Split(set_of_row == number, is_test) for number in range(n_sets)]


def check_whole(name: str, value: Any, low: int) -> None:
    """Raise a ValueError unless the value is a whole number not below ``low``."""
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < low:
        raise ValueError(f"{name}={value!r}: expected a whole number >= {low}.")


def check_n_folds(n_folds: int, n_rows: int) -> None:
    """Raise a ValueError unless every fold can hold back a row."""
    check_whole("n_folds", n_folds, 2)
    if n_folds > n_rows:
        raise ValueError(f"n_folds={n_folds}: there are only {n_rows} rows to hold back.")


def _test_rows(
    test: Any, classes: NDArray[np.int32], n_sets: int, generator: np.random.Generator
) -> NDArray[np.bool_]:
    n_rows = len(classes)
    if test is None:
        test = n_rows // (n_sets + 1)
    given = np.asarray(test)
    if given.ndim > 0:
        if given.shape != (n_rows,) or given.dtype != np.bool_:
            raise ValueError(
                f"test has shape {given.shape} and type {given.dtype}; expected a number of rows, "
                f"or True or False for each of {n_rows} rows."
            )
        return given
    check_whole("test", test, 0)
    # Evenly spaced places in an order by class, so that each class gives its share.
    taken = np.diff(np.arange(n_rows + 1) * min(int(test), n_rows) // n_rows) == 1
    is_test = np.zeros(n_rows, dtype=np.bool_)
    is_test[shuffle_by_class(classes, generator)[taken]] = True
    return is_test
