"""The stump of fewest errors as a scikit-learn classifier."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.encoding import Dataset
from weaklearn.estimators.graph_classifier import GraphClassifier
from weaklearn.learners import stump


class StumpClassifier(GraphClassifier):
    """One test, the one that makes the fewest errors: the weak hypothesis of boosting.

    A continuous feature is tested by ``value <= threshold``, a nominal one has a branch per
    value, and each branch answers with its largest class. Rows whose value is missing count in
    every branch, in proportion to the known weight there. Of equally good tests the lowest
    feature wins, then the lowest threshold; where no test makes fewer errors than the largest
    class alone, there is none.

    Parameters
    ----------
    nominal, continuous : list of names or positions, optional
        Columns whose kind is given rather than inferred from their type.
    n_jobs : int or None
        Threads to fit and answer with; the result does not depend on it.
    random_state : object
        Not used: the stump leaves nothing to chance.

    Attributes
    ----------
    tree_ : Graph
        The test and its leaves, or a single leaf.
    classes_ : array
        The classes that occur, sorted.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : array of str
        Their names, where they have any.

    Examples
    --------
    >>> import weaklearn as wl
    >>> table = wl.datasets.load("titanic")
    >>> model = wl.StumpClassifier().fit(table.X, table.y)
    >>> print(model.tree_.to_text())
    sex = male: no (1731.0/367.0)
    sex = female: yes (470.0/126.0)
    """

    _parameters = stump.PARAMETERS

    def __init__(
        self,
        *,
        nominal: Iterable[str | int] | None = None,
        continuous: Iterable[str | int] | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.nominal = nominal
        self.continuous = continuous
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit_dataset(
        self, dataset: Dataset, weights: NDArray[np.float64], n_threads: int = 1
    ) -> None:
        """Fit the stump to an encoded dataset; rows of weight 0 are absent."""
        self.tree_ = stump.grow(dataset, weights, self._settings(), n_threads)
