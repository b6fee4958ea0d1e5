"""Cross-validation on a table that is encoded once.

The table becomes one `Dataset`, which all folds share: a fold is trained with weight 0 on its test
rows, and rows of weight 0 are absent. The declared values and classes are therefore those of the
whole table, as they are for C4.5, which reads them from its ``.names`` file; a value that occurs
only in test rows is known to the tree, though it has no training row.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any, Protocol

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray
from sklearn.base import clone

from weaklearn.dataset import Dataset, Encoded
from weaklearn.models.graph import Graph
from weaklearn.schema import Label, infer_classes
from weaklearn.tables.frames import Columns, as_columns


class TableLearner(Protocol):
    """What cross-validation asks of a classifier: to be encoded for once, and fitted often."""

    def check_parameters(self) -> None:
        """Raise a ValueError for the first parameter outside its domain."""

    def encode_training(
        self, columns: Columns, classes: tuple[Label, ...], codes: NDArray[np.int32]
    ) -> tuple[Encoded, Dataset]:
        """Encode a table as rows to answer and to fit to."""

    def fit_dataset(self, dataset: Dataset, weights: NDArray[np.float64]) -> None:
        """Fit to an encoded dataset; rows of weight 0 are absent."""

    def predict_numbers(self, rows: Encoded) -> NDArray[np.int32]:
        """Answer with the number of each row's class."""


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
class Fold:
    """What came of one fold.

    Parameters
    ----------
    repeat, fold : int
        Which fold of which repeat; both count from 0.
    n_train, n_test : int
        Rows trained on and rows held back.
    train_errors, test_errors : int
        How many of them are misclassified.
    size : int or None
        Nodes of the model's graph, or of all members' graphs.
    n_leaves, depth : int or None
        Of a model that is one graph: leaves, tests on the longest path.
    n_members : int or None
        Of a model that is a committee: how many graphs vote.
    """

    repeat: int
    fold: int
    n_train: int
    n_test: int
    train_errors: int
    test_errors: int
    size: int | None = None
    n_leaves: int | None = None
    depth: int | None = None
    n_members: int | None = None


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


def deal_folds(
    classes: NDArray[np.int32], n_folds: int, generator: np.random.Generator
) -> NDArray[np.intp]:
    """Deal the rows of each class, shuffled, to the folds in turn.

    The next class goes on at the fold where the previous one stopped, so that neither the folds nor
    the classes within them differ by more than one row. (scikit-learn's StratifiedKFold is not
    used because its folds may differ by as many rows as there are classes.)

    Parameters
    ----------
    classes : array of int32
        The number of each row's class.
    n_folds : int
        How many folds.
    generator : numpy Generator
        Shuffles the rows of each class, in the order of the classes' numbers.

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
    dealt = [
        generator.permutation(np.flatnonzero(classes == number))
        for number in range(int(classes.max()) + 1)
    ]
    order = np.concatenate(dealt)
    fold_of_row = np.empty(len(classes), dtype=np.intp)
    fold_of_row[order] = np.arange(len(order)) % n_folds
    return fold_of_row


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
    table; see `weaklearn.experiments.cross_validation`.

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
    if not hasattr(estimator, "fit_dataset"):
        raise TypeError(
            f"got a {type(estimator).__name__}, expected a classifier of weaklearn; for others "
            "there is sklearn.model_selection.cross_validate."
        )
    estimator.check_parameters()
    _check_whole("n_repeats", n_repeats, 1)
    _check_whole("seed", seed, 0)
    trial = _trial(estimator, X, y)
    n_rows = trial.dataset.n_rows
    root = np.random.SeedSequence(seed)
    seeds = [root, *root.spawn(n_repeats - 1)]
    if fold_of_row is None:
        _check_whole("n_folds", n_folds, 2)
        if n_folds > n_rows:
            raise ValueError(f"n_folds={n_folds}: there are only {n_rows} rows to hold back.")
        dealt = [deal_folds(trial.classes, n_folds, np.random.default_rng(s)) for s in seeds]
    elif n_repeats > 1:
        raise ValueError(f"n_repeats={n_repeats}: with fold_of_row there is one repeat.")
    else:
        dealt = [_checked_folds(fold_of_row, n_rows)]
        n_folds = int(dealt[0].max()) + 1

    def run(repeat: int, fold: int) -> Fold:
        outcome = trial.run(dealt[repeat] == fold, repeat, fold, seeds[repeat])
        if progress is not None:
            progress()
        return outcome

    tasks = [(repeat, fold) for repeat in range(n_repeats) for fold in range(n_folds)]
    # Threads share the dataset, and the core works without Python's lock.
    outcomes = Parallel(n_jobs=n_jobs, require="sharedmem")(delayed(run)(*task) for task in tasks)
    drawn_with = seed if fold_of_row is None else None
    return Results(tuple(outcomes), n_rows, n_folds, n_repeats, drawn_with)


@dataclass(frozen=True, slots=True)
class _Trial:
    """An estimator and a table, encoded."""

    estimator: TableLearner
    rows: Encoded
    dataset: Dataset
    classes: NDArray[np.int32]

    def run(
        self, held_back: NDArray[np.bool_], repeat: int, fold: int, seed: np.random.SeedSequence
    ) -> Fold:
        model = clone(self.estimator)
        if model.get_params(deep=False).get("random_state", 0) is None:
            of_fold = np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, 0, fold))
            model.set_params(random_state=int(of_fold.generate_state(1)[0]))
        model.fit_dataset(self.dataset, (~held_back).astype(np.float64))
        wrong = model.predict_numbers(self.rows) != self.classes
        n_test = int(held_back.sum())
        test_errors = int(np.count_nonzero(wrong & held_back))
        return Fold(
            repeat,
            fold,
            n_train=len(held_back) - n_test,
            n_test=n_test,
            train_errors=int(np.count_nonzero(wrong)) - test_errors,
            test_errors=test_errors,
            **_sizes(model),
        )


def _trial(estimator: TableLearner, X: Any, y: Any) -> _Trial:
    columns = as_columns(X)
    labels, classes = infer_classes(y, columns.n_rows)
    rows, dataset = estimator.encode_training(columns, labels, classes)
    return _Trial(estimator, rows, dataset, classes)


def _sizes(model: TableLearner) -> dict[str, int]:
    graph = getattr(model, "tree_", None)
    if isinstance(graph, Graph):
        return {"size": graph.size, "n_leaves": graph.n_leaves, "depth": graph.depth}
    graphs = [getattr(member, "tree_", None) for member in getattr(model, "members_", ())]
    sizes = [graph.size for graph in graphs if isinstance(graph, Graph)]
    if not sizes or len(sizes) < len(graphs):
        return {}
    return {"size": sum(sizes), "n_members": len(sizes)}


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


def _check_whole(name: str, value: int, low: int) -> None:
    if not isinstance(value, int | np.integer) or isinstance(value, bool) or value < low:
        raise ValueError(f"{name}={value!r}: expected a whole number >= {low}.")
