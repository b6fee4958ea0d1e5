"""C4.5 Release 8 as a scikit-learn classifier."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.encoding import Dataset
from weaklearn.estimators.graph_classifier import GraphClassifier
from weaklearn.learners import c45


class C45Classifier(GraphClassifier):
    """C4.5 Release 8: gain ratio, fractional instances for missing values, pessimistic pruning.

    Parameters
    ----------
    criterion : {"gain_ratio", "gain", "gini", "km"}
        What a test is judged by. "gain_ratio" is C4.5's, "gain" its option ``-g``, "km" the
        criterion of Kearns and Mansour.
    min_objects : float
        At least two branches of a test must have this weight (``-m``).
    confidence : float
        Confidence of pruning, a share (``-c 25`` is 0.25). The smaller, the smaller the tree.
    prune : bool
        Whether to prune the tree.
    subset : bool
        Whether tests on nominal features group values (``-s``).
    threshold_penalty : bool
        Whether a threshold pays for the number of cuts that were tried, as Release 8 asks. Only the
        criteria in bits, "gain_ratio" and "gain", have this charge.
    arithmetic : {"double", "release8"}
        In "double" what is equal in real arithmetic counts as equal, and the lowest feature and
        the lowest cut win ties. "release8" rounds as the original program did and
        reproduces its trees bit for bit, defects included.
    max_depth : int or None
        Most tests on a path; None for no limit, as in C4.5.
    nominal, continuous : list of names or positions, optional
        Columns whose kind is given rather than inferred from their type.
    n_jobs : int or None
        Threads to fit and answer with; the result does not depend on it.
    random_state : object
        Not used: C4.5 leaves nothing to chance.

    Attributes
    ----------
    tree_ : Graph
        The tree.
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
    >>> model = wl.C45Classifier(subset=True, max_depth=2).fit(table.X, table.y)
    >>> print(model.tree_.to_text())
    sex = male: no (1731.0/379.4)
    sex = female:
    |   class in {1st,2nd,crew}: yes (274.0/23.7)
    |   class = 3rd: no (196.0/95.3)
    """

    _parameters = c45.PARAMETERS

    def __init__(
        self,
        criterion: str = "gain_ratio",
        min_objects: float = 2,
        confidence: float = 0.25,
        prune: bool = True,
        subset: bool = False,
        threshold_penalty: bool = True,
        arithmetic: str = "double",
        max_depth: int | None = None,
        *,
        nominal: Iterable[str | int] | None = None,
        continuous: Iterable[str | int] | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.criterion = criterion
        self.min_objects = min_objects
        self.confidence = confidence
        self.prune = prune
        self.subset = subset
        self.threshold_penalty = threshold_penalty
        self.arithmetic = arithmetic
        self.max_depth = max_depth
        self.nominal = nominal
        self.continuous = continuous
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _needs_single_precision(self) -> bool:
        return c45.needs_single_precision(self._settings())

    def fit_dataset(
        self, dataset: Dataset, weights: NDArray[np.float64], n_threads: int = 1
    ) -> None:
        """Fit the tree to an encoded dataset; rows of weight 0 are absent."""
        self.tree_ = c45.grow(dataset, weights, self._settings(), n_threads)
