"""Cross-validation on a table that is encoded once, as `weaklearn.experiments.trial` says."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from weaklearn.boosting.sampling import deal_folds
from weaklearn.experiments.train_test_splits import Split, check_n_folds, check_whole
from weaklearn.experiments.trial import (
    Fold,
    TableLearner,
    count_errors,
    encode_table,
    seed_of_repeat,
    seed_of_trial,
)


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean and how sure it is.

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
    """A cross-validation's results.

    Means are over all folds of all repeats; an error rate is errors over rows, so folds that
    differ by a row do not distort it. Standard errors are the deviation between folds over the root
    of the number of folds of *one* repeat: repeats steady the mean, but look at the same rows
    again and are no further evidence.

    Parameters
    ----------
    folds : tuple of Fold
        Repeat by repeat, fold by fold.
    n_rows, n_folds, n_repeats : int
        Rows of the table, folds of a repeat, repeats.
    seed : int or None
        What the folds were drawn with; None where they were given.
    """

    folds: tuple[Fold, ...]
    n_rows: int
    n_folds: int
    n_repeats: int
    seed: int | None

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
        """Nodes of the graph, or of all members; None for a model that has no graph."""
        return self._mean([fold.size for fold in self.folds])

    @property
    def n_leaves(self) -> Estimate | None:
        """Leaves of the graph; None for a model that is not one graph."""
        return self._mean([fold.n_leaves for fold in self.folds])

    @property
    def depth(self) -> Estimate | None:
        """Tests on the longest path; None for a model that is not one graph."""
        return self._mean([fold.depth for fold in self.folds])

    @property
    def n_members(self) -> Estimate | None:
        """Members of the committee; None for a model that is none."""
        return self._mean([fold.n_members for fold in self.folds])

    def to_dict(self) -> dict[str, Any]:
        """Give the results as plain data, ready for JSON.

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
    """Cross-validate a classifier, with stratified folds.

    The table is encoded once for all folds, with the declared values and classes of the whole
    table; see `weaklearn.experiments.trial`.

    Parameters
    ----------
    estimator : classifier of weaklearn
        Cloned for each fold. Where its ``random_state`` is None, each fold gets one of its own,
        derived from ``seed``.
    X : frame
        As for ``fit``.
    y : Series, array or list
        The class of each row.
    n_folds : int
        Folds of a repeat; each is held back once.
    n_repeats : int
        How often the rows are dealt into folds anew.
    seed : int
        What the folds are drawn with. A repeat is the same whatever ``n_repeats`` and ``n_jobs``.
    fold_of_row : array, optional
        The number of each row's fold, instead of folds drawn here.
    n_jobs : int or None
        Folds worked on at a time, by threads; -1 for all processors, None for one.
    progress : callable, optional
        Called after each fold, from the thread that did it.

    Returns
    -------
    Results
        Errors and sizes of every fold, and their means.

    Examples
    --------
    >>> import weaklearn as wl
    >>> from weaklearn.experiments import cross_validate
    >>> iris = wl.datasets.load("iris")
    >>> results = cross_validate(wl.C45Classifier(), iris.X, iris.y, n_repeats=2)
    >>> len(results.folds), 0.02 < results.error.mean < 0.08
    (20, True)
    """
    table = encode_table(estimator, X, y)
    check_whole("n_repeats", n_repeats, 1)
    check_whole("seed", seed, 0)
    n_rows = table.dataset.n_rows
    seeds = [seed_of_repeat(seed, repeat) for repeat in range(n_repeats)]
    if fold_of_row is None:
        check_n_folds(n_folds, n_rows)
        dealt = [deal_folds(table.classes, n_folds, np.random.default_rng(s)) for s in seeds]
    elif n_repeats > 1:
        raise ValueError(f"n_repeats={n_repeats}: with fold_of_row there is one repeat.")
    else:
        dealt = [_checked_folds(fold_of_row, n_rows)]
        n_folds = int(dealt[0].max()) + 1

    def run(repeat: int, fold: int) -> Fold:
        held_back = dealt[repeat] == fold
        split = Split(~held_back, held_back)
        model, wrong = table.try_out(estimator, split, seed_of_trial(seeds[repeat], fold))
        outcome = count_errors(model, wrong, split, fold, repeat)
        if progress is not None:
            progress()
        return outcome

    tasks = [(repeat, fold) for repeat in range(n_repeats) for fold in range(n_folds)]
    # Threads share the dataset, and the core works without Python's lock.
    outcomes = Parallel(n_jobs=n_jobs, require="sharedmem")(delayed(run)(*task) for task in tasks)
    drawn_with = seed if fold_of_row is None else None
    return Results(tuple(outcomes), n_rows, n_folds, n_repeats, drawn_with)


def _checked_folds(fold_of_row: Any, n_rows: int) -> NDArray[np.intp]:
    """Give each row's fold, numbered from 0 in the order of the numbers given."""
    given = np.asarray(fold_of_row)
    if given.shape != (n_rows,) or given.dtype.kind not in "iu":
        raise ValueError(
            f"fold_of_row has shape {given.shape} and type {given.dtype}; expected one whole "
            f"number for each of {n_rows} rows."
        )
    numbers, folds = np.unique(given, return_inverse=True)
    if len(numbers) < 2:
        raise ValueError("fold_of_row puts all rows into one fold; expected at least two folds.")
    return folds.astype(np.intp)
