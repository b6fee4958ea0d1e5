"""OC1 as a scikit-learn classifier."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.encoding import Dataset
from weaklearn.estimators.graph_classifier import GraphClassifier
from weaklearn.learners import oblique
from weaklearn.pruning.committee_sample import seed_of


class OC1Classifier(GraphClassifier):
    """OC1: a tree of hyperplanes, found by climbing from random starts.

    At each node the best test of a single feature is found first. Then, where there are enough
    rows, hyperplanes: from each start one coefficient after the other is set to its best value
    while the others stay; where that leads no further, the plane jumps along random directions.
    The best plane is the test, unless the single feature is as good. Some rows are held out,
    and the tree is cut back to the one of its cost-complexity sequence that answers them best.

    Parameters
    ----------
    criterion : {"twoing", "gain", "gini", "max_minority", "sum_minority", "variance"}
        The impurity of a division that the search lowers.
    n_restarts : int
        How many planes the search at a node starts from: the best test of a single feature, then
        random ones. 0 for a tree of tests of single features.
    n_jumps : int
        How many random directions are tried at a local minimum.
    validation_share : float
        The share of the rows that are held out to prune by; 0 for no pruning.
    max_depth : int or None
        Most tests on a path.
    nominal, continuous : list of names or positions, optional
        Columns whose kind is given rather than inferred from their type.
    n_jobs : int or None
        Threads to fit and answer with; the result does not depend on it.
    random_state : int, RandomState or None
        Which rows are held out, where the search starts and how it decides between equals.

    Attributes
    ----------
    tree_ : Graph
        The tree. A row whose weighted sum is at most the threshold goes left.
    classes_ : array
        The classes that occur, sorted.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : array of str
        Their names, where they have any.

    Notes
    -----
    The search is that of the program, version 3, where it differs from the paper: the constant of a
    plane moves in jumps only, a plane without notable gain is followed up to eleven times in a
    row, and nodes of no more rows than twice the number of features test single features. A
    nominal feature of two values is a feature of 0 and 1, one of more values has a feature for
    each. A missing value counts as the mean of its feature, in training and afterwards.

    References
    ----------
    S. Murthy, S. Kasif, S. Salzberg: A system for induction of oblique decision trees. Journal of
    Artificial Intelligence Research 2, 1994.

    Examples
    --------
    >>> import numpy as np
    >>> import weaklearn as wl
    >>> X = np.random.default_rng(0).normal(size=(200, 2))
    >>> model = wl.OC1Classifier(random_state=1).fit(X, X[:, 0] + X[:, 1] > 0)
    >>> model.tree_.n_leaves, model.score(X, X[:, 0] + X[:, 1] > 0)
    (2, 1.0)
    """

    _parameters = oblique.OC1_PARAMETERS

    def __init__(
        self,
        criterion: str = "twoing",
        n_restarts: int = 20,
        n_jumps: int = 5,
        validation_share: float = 0.1,
        max_depth: int | None = 50,
        *,
        nominal: Iterable[str | int] | None = None,
        continuous: Iterable[str | int] | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.criterion = criterion
        self.n_restarts = n_restarts
        self.n_jumps = n_jumps
        self.validation_share = validation_share
        self.max_depth = max_depth
        self.nominal = nominal
        self.continuous = continuous
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit_dataset(
        self, dataset: Dataset, weights: NDArray[np.float64], n_threads: int = 1
    ) -> None:
        """Fit the tree to an encoded dataset; rows of weight 0 are absent."""
        seed = seed_of(self.random_state)
        self.tree_ = oblique.grow_oc1(dataset, weights, self._settings(), seed, n_threads)
