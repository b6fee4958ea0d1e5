"""Winnowing: removing the features that do not help to predict rows that are held back."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from weaklearn.boosting.sampling import deal_folds, draw_seed
from weaklearn.encoding import Dataset
from weaklearn.estimators.parameters import Flag, Parameter
from weaklearn.models.votes import SLACK

if TYPE_CHECKING:
    from weaklearn.estimators.class_weights import RowWeights
    from weaklearn.estimators.table_classifier import TableClassifier

WINNOW = Parameter(
    False, Flag(), "whether to remove features first that do not help on rows held back"
)


def winnow(
    model: TableClassifier, dataset: Dataset, weights: RowWeights, n_threads: int = 1
) -> list[int]:
    """Return the columns that remain after winnowing.

    The rows are dealt into two halves, class by class. A model of the same parameters is fitted to
    one half, and e is its error on the other. For each feature f that the model uses, e(f) is the
    error of a model fitted without f. The features with e(f) >= e are chosen. If a model of these
    features alone has an error above e, the other features that the first model uses return one by
    one, the largest e(f) first, until the error is at most e. If it never is, all features are
    chosen. Then the halves change places. A feature is kept if either half chooses it.

    Parameters
    ----------
    model : TableClassifier
        A classifier with ``winnow=True``. Its `random_state` deals the rows; None is 0.
    dataset : Dataset
        The training rows.
    weights : RowWeights
        Their weights. Errors are counted by weight.
    n_threads : int
        Threads to fit and predict with.

    Returns
    -------
    list of int
        The indices of the columns, in ascending order.
    """
    seed = 0 if model.random_state is None else draw_seed(model.random_state)
    present = np.flatnonzero(weights.rows > 0)
    halves = deal_folds(dataset.classes[present], 2, np.random.default_rng(seed))
    kept: set[int] = set()
    for half in (0, 1):
        held_back: NDArray[np.float64] = np.zeros_like(weights.rows)
        held_back[present[halves == half]] = weights.rows[present[halves == half]]
        kept |= _choose(_Trial(model, dataset, weights, held_back, n_threads))
    return sorted(kept)


def _choose(trial: _Trial) -> set[int]:
    every = list(range(trial.n_columns))
    error, used = trial.run(every)
    without = {f: trial.run([other for other in every if other != f])[0] for f in used}
    kept = {f for f, error_without in without.items() if not trial.is_more(error, error_without)}
    returning = sorted(without.keys() - kept, key=lambda f: (-without[f], f))
    while True:
        if kept and not trial.is_more(trial.run(sorted(kept))[0], error):
            return kept
        if not returning:
            return set(every)
        kept.add(returning.pop(0))


class _Trial:
    """Fits models to some rows and counts their errors on those held back."""

    def __init__(
        self,
        model: TableClassifier,
        dataset: Dataset,
        weights: RowWeights,
        held_back: NDArray[np.float64],
        n_threads: int,
    ) -> None:
        self._model: Any = clone(model).set_params(winnow=False)
        self._dataset = dataset
        self._held_back = held_back
        self._weights = replace(weights, rows=weights.rows - held_back)
        self._n_threads = n_threads
        self.n_columns = len(dataset.schema.features)

    def run(self, columns: list[int]) -> tuple[float, list[int]]:
        """Return the error of a model of these columns, and the columns that it uses."""
        if not columns or not self._weights.rows.any():
            return float(self._held_back.sum()), []
        dataset = self._dataset.take_columns(columns)
        self._model._fit_core(dataset, self._weights, self._n_threads)
        predicted = self._model.predict_class_indices(dataset.rows, self._n_threads)
        wrong = predicted != dataset.classes
        used = [columns[column] for column in self._model._used_columns()]
        return float(self._held_back[wrong].sum()), used

    def is_more(self, error: float, other: float) -> bool:
        """Return whether an error is larger than another by more than rounding."""
        return error > other + SLACK * float(self._held_back.sum())
