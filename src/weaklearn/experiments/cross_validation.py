"""Cross-validate a classifier on a table that is encoded once for all folds."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.utils import _safe_indexing

from weaklearn.boosting.sampling import deal_folds
from weaklearn.estimators.training_table import indexable, rows_with_class
from weaklearn.experiments.fit_and_count_errors import (
    Fold,
    TableLearner,
    check_table_learner,
    count_errors,
    encode_table,
)
from weaklearn.experiments.prediction_scores import Predictions
from weaklearn.experiments.train_test_splits import (
    Split,
    check_n_folds,
    check_whole,
    seed_of_repeat,
    seed_of_trial,
)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and its standard error.

    Parameters
    ----------
    mean : float
        The mean.
    standard_error : float
        Its standard error.
    """

    mean: float
    standard_error: float


@dataclass(frozen=True, slots=True)
class Results:
    """The results of a cross-validation.

    Means are over all folds of all repeats. An error rate is the number of errors over the number
    of rows, so folds of different sizes are weighted correctly. A standard error is the deviation
    between folds, divided by the square root of the number of folds of *one* repeat. More repeats
    make the mean more precise, but they test on the same rows and are not further evidence.

    Parameters
    ----------
    folds : tuple of Fold
        The folds of the first repeat, then those of the second, and so on.
    n_rows, n_folds, n_repeats : int
        The number of rows of the table, of folds of a repeat, and of repeats.
    seed : int or None
        Seed of the folds; None where the caller chose the folds.
    predictions : Predictions or None
        What was predicted for every row while it was held back; None if not every row was.
    """

    folds: tuple[Fold, ...]
    n_rows: int
    n_folds: int
    n_repeats: int
    seed: int | None
    predictions: Predictions | None = field(default=None, compare=False, repr=False)

    def __repr__(self) -> str:
        times = "" if self.n_repeats == 1 else f"{self.n_repeats} times "
        error, deviation = 100 * self.error.mean, 100 * self.error.standard_error
        return f"Results({times}{self.n_folds} folds, test error {error:.2f} ± {deviation:.2f} %)"

    @property
    def error(self) -> Estimate:
        """The share of test rows that are misclassified."""
        return self._rate([(fold.test_errors, fold.n_test) for fold in self.folds])

    @property
    def train_error(self) -> Estimate:
        """The share of training rows that are misclassified."""
        return self._rate([(fold.train_errors, fold.n_train) for fold in self.folds])

    @property
    def size(self) -> Estimate | None:
        """Nodes of the graph, or of all members; None for a model without graphs."""
        return self._mean([fold.size for fold in self.folds])

    @property
    def n_leaves(self) -> Estimate | None:
        """Leaves of the graph; None unless the model is one graph."""
        return self._mean([fold.n_leaves for fold in self.folds])

    @property
    def depth(self) -> Estimate | None:
        """Splits on the longest path; None unless the model is one graph."""
        return self._mean([fold.depth for fold in self.folds])

    @property
    def n_members(self) -> Estimate | None:
        """Members of the committee; None unless the model is a committee."""
        return self._mean([fold.n_members for fold in self.folds])

    def to_dict(self) -> dict[str, Any]:
        """Return the results as plain data that can be written as JSON.

        Examples
        --------
        >>> import weaklearn as wl
        >>> from weaklearn.experiments import cross_validate
        >>> iris = wl.datasets.load("iris")
        >>> results = cross_validate(wl.C45Classifier(), iris.X, iris.y).to_dict()
        >>> sorted(results["error"]), len(results["folds"])
        (['mean', 'standard_error'], 10)
        """
        estimates = {
            name: getattr(self, name)
            for name in ("error", "train_error", "size", "n_leaves", "depth", "n_members")
        }
        return {
            "n_rows": self.n_rows,
            "n_folds": self.n_folds,
            "n_repeats": self.n_repeats,
            "seed": self.seed,
            **{name: value and asdict(value) for name, value in estimates.items()},
            **(self.predictions.to_dict() if self.predictions else {}),
            "folds": [asdict(fold) for fold in self.folds],
        }

    def _rate(self, counts: list[tuple[int, int]]) -> Estimate:
        hits, totals = np.array(counts, dtype=np.float64).T
        return Estimate(float(hits.sum() / totals.sum()), self._standard_error(hits / totals))

    def _mean(self, values: list[int | None]) -> Estimate | None:
        known = np.array([value for value in values if value is not None], dtype=np.float64)
        if len(known) < len(values):
            return None
        return Estimate(float(known.mean()), self._standard_error(known))

    def _standard_error(self, values: NDArray[np.float64]) -> float:
        return float(values.std(ddof=1)) / math.sqrt(self.n_folds)


def cross_validate(
    estimator: TableLearner,
    X: Any,
    y: Any,
    *,
    n_folds: int = 10,
    n_repeats: int = 1,
    seed: int = 0,
    fold_of_row: Any = None,
    n_jobs: int | None = None,
    progress: Callable[[], None] | None = None,
) -> Results:
    """Cross-validate a classifier with stratified folds.

    The table is encoded once for all folds, with the declared values and classes of the whole
    table; see `weaklearn.experiments.fit_and_count_errors`.

    Parameters
    ----------
    estimator : classifier of weaklearn
        Cloned for each fold. Where its ``random_state`` is None, each fold gets its own, derived
        from ``seed``.
    X : frame
        As for ``fit``.
    y : Series, array or list
        The class of each row. Rows without a class are left out with a warning, as in ``fit``.
    n_folds : int
        How many folds a repeat has; each is the test set once.
    n_repeats : int
        How many times to cross-validate, each time with new folds.
    seed : int
        Seed of the folds. The folds of a repeat depend on neither ``n_repeats`` nor ``n_jobs``.
    fold_of_row : array of int, optional
        The fold of each row, instead of folds drawn from ``seed``.
    n_jobs : int or None
        How many folds to run at the same time, in threads; -1 for all processors, None for one.
    progress : callable, optional
        Called after each fold, from the thread that ran it.

    Returns
    -------
    Results
        The errors and sizes of every fold, and their means.

    Examples
    --------
    >>> import weaklearn as wl
    >>> from weaklearn.experiments import cross_validate
    >>> iris = wl.datasets.load("iris")
    >>> results = cross_validate(wl.C45Classifier(), iris.X, iris.y, n_repeats=2)
    >>> results
    Results(2 times 10 folds, test error 6.00 ± 1.80 %)
    >>> len(results.folds)
    20
    """
    check_table_learner(estimator)
    kept = rows_with_class(y, estimator.column_options().missing)
    if kept is not None:
        X, y = _safe_indexing(indexable(X), kept), _safe_indexing(y, kept)
        fold_of_row = None if fold_of_row is None else np.asarray(fold_of_row)[kept]
    table = encode_table(estimator, X, y)
    check_whole("n_repeats", n_repeats, 1)
    check_whole("seed", seed, 0)
    n_rows = table.dataset.n_rows
    seeds = [seed_of_repeat(seed, repeat) for repeat in range(n_repeats)]
    if fold_of_row is None:
        check_n_folds(n_folds, n_rows)
        folds = [deal_folds(table.classes, n_folds, np.random.default_rng(s)) for s in seeds]
    elif n_repeats > 1:
        raise ValueError(
            f"fold_of_row gives the folds of one repeat, but n_repeats is {n_repeats}; leave out "
            "one of the two."
        )
    else:
        folds = [_checked_folds(fold_of_row, n_rows)]
        n_folds = int(folds[0].max()) + 1

    labels = table.dataset.schema.classes
    predicted = np.empty((n_repeats, n_rows), dtype=np.int32)
    shares = np.empty((n_repeats, n_rows, len(labels)))

    def run(repeat: int, fold: int) -> Fold:
        is_test = folds[repeat] == fold
        split = Split(~is_test, is_test)
        model, wrong = table.fit_and_test(estimator, split, seed_of_trial(seeds[repeat], fold))
        test_rows = table.rows.take_rows(np.flatnonzero(is_test))
        predicted[repeat, is_test] = model.predict_class_indices(test_rows)
        shares[repeat, is_test] = model.predict_class_shares(test_rows)
        counted = count_errors(model, wrong, split, fold, repeat)
        if progress is not None:
            progress()
        return counted

    tasks = [(repeat, fold) for repeat in range(n_repeats) for fold in range(n_folds)]
    # Threads can share the dataset because the core releases Python's global lock.
    results = Parallel(n_jobs=n_jobs, require="sharedmem")(delayed(run)(*task) for task in tasks)
    return Results(
        tuple(results),
        n_rows,
        n_folds,
        n_repeats,
        seed if fold_of_row is None else None,
        Predictions(labels, table.classes, predicted, shares, np.array(folds, dtype=np.intp)),
    )


def _checked_folds(fold_of_row: Any, n_rows: int) -> NDArray[np.intp]:
    """Return the fold index of each row: 0 for the lowest number in ``fold_of_row``, then 1, ..."""
    numbers = np.asarray(fold_of_row)
    if numbers.shape != (n_rows,) or numbers.dtype.kind not in "iu":
        raise ValueError(
            f"fold_of_row has shape {numbers.shape} and type {numbers.dtype}; expected one whole "
            f"number for each of {n_rows} rows."
        )
    distinct, folds = np.unique(numbers, return_inverse=True)
    if len(distinct) < 2:
        raise ValueError("fold_of_row puts all rows into one fold; expected at least two folds.")
    return folds.astype(np.intp)
