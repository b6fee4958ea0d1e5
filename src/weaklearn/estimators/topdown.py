"""TopDown as a scikit-learn classifier."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from weaklearn.encoding import Dataset
from weaklearn.estimators.graph_classifier import GraphClassifier
from weaklearn.learners import topdown
from weaklearn.theory.advantages import Advantages, advantages


class TopDownClassifier(GraphClassifier):
    """TopDown: of all leaves and tests, make the split that lowers the tree's impurity most.

    Dietterich, Kearns and Mansour (1996) show that this is boosting: each split is a weak
    hypothesis, and a criterion more concave than entropy, `km`, needs fewer of them. The tests
    are C4.5's, and so is what happens to rows whose value is missing. The tree of N rounds is the
    beginning of the tree of N + 1, and without a limit it is the tree that C4.5 grows under
    the same criterion before it collapses and prunes.

    Parameters
    ----------
    criterion : {"km", "entropy", "gini", "error"} or callable
        The impurity that splits lower. A callable takes a table of class weights, one row per node
        and two columns, and gives a value per row: 0 where one class is alone, 1 where both are
        equal, symmetric and concave, which is checked. With more than two classes it is summed
        over each class against the rest. See `weaklearn.theory` for the functions known by name.
    n_rounds : int or None
        Most splits; None for as many as lower the impurity.
    grouping : bool
        Whether a test on a nominal feature puts its values into two groups instead of giving each
        a branch. With two classes the best grouping is found, with more the best of those that
        order the values by the share of one class (each class in turn) and cut the order in two.
    min_objects : float
        At least two branches of a test must have this weight. As in C4.5, a threshold leaves a
        tenth of the average class on both sides, up to a weight of 25, if that is more.
    prune : bool
        Whether to prune the tree as C4.5 does, by its pessimistic error.
    confidence : float
        Confidence of pruning, a share. The smaller, the smaller the tree.
    nominal, continuous : list of names or positions, optional
        Columns whose kind is given rather than inferred from their type.
    n_jobs : int or None
        Threads to fit and answer with; the result does not depend on it.
    random_state : object
        Not used: TopDown leaves nothing to chance.

    Attributes
    ----------
    tree_ : Graph
        The tree.
    advantages_ : Advantages
        Per split, in the order of the rounds: the advantage over guessing on the balanced classes
        of its node, the weight of the node and what the split gains.
    classes_ : array
        The classes that occur, sorted.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : array of str
        Their names, where they have any.

    Notes
    -----
    Among the tests of a leaf the one that lowers the impurity of the rows whose value is known most
    is chosen, as in C4.5; among the leaves the one whose test lowers the impurity of the whole
    tree most, rows of missing values included. Of equals the lowest feature and the oldest
    leaf come first.

    References
    ----------
    T. Dietterich, M. Kearns, Y. Mansour: Applying the weak learning framework to understand and
    improve C4.5. ICML 1996.

    Examples
    --------
    >>> import weaklearn as wl
    >>> table = wl.datasets.load("titanic")
    >>> model = wl.TopDownClassifier(n_rounds=2, grouping=True).fit(table.X, table.y)
    >>> print(model.tree_.to_text())
    sex = male: no (1731.0/367.0)
    sex = female:
    |   class in {1st,2nd,crew}: yes (274.0/20.0)
    |   class = 3rd: no (196.0/90.0)
    >>> model.advantages_.gamma.round(3).tolist()
    [0.2, 0.29]
    """

    _parameters = topdown.PARAMETERS

    def __init__(
        self,
        criterion: str | Callable[[NDArray[np.float64]], Any] = "km",
        n_rounds: int | None = None,
        grouping: bool = False,
        min_objects: float = 1,
        prune: bool = False,
        confidence: float = 0.25,
        *,
        nominal: Iterable[str | int] | None = None,
        continuous: Iterable[str | int] | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.criterion = criterion
        self.n_rounds = n_rounds
        self.grouping = grouping
        self.min_objects = min_objects
        self.prune = prune
        self.confidence = confidence
        self.nominal = nominal
        self.continuous = continuous
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit_dataset(
        self, dataset: Dataset, weights: NDArray[np.float64], n_threads: int = 1
    ) -> None:
        """Fit the tree to an encoded dataset; rows of weight 0 are absent."""
        self.tree_ = topdown.grow(dataset, weights, self._settings(), n_threads)

    @property
    def advantages_(self) -> Advantages:
        """Per split, in the order of the rounds: advantage, weight of the node, gain."""
        check_is_fitted(self)
        return advantages(self)
