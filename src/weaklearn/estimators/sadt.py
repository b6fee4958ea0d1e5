"""SADT as a scikit-learn classifier."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.encoding import Dataset
from weaklearn.estimators.graph_classifier import GraphClassifier
from weaklearn.learners import oblique
from weaklearn.pruning.committee_sample import seed_of


class SADTClassifier(GraphClassifier):
    """SADT: a tree of hyperplanes, each found by simulated annealing.

    At each node a plane through the middle of the points is changed step by step: a number drawn
    from -0.5 to 0.5 is added to one of its coefficients. A change that does no harm is kept, one
    that raises the impurity by ``d`` with probability ``exp(-d / T)``, and the temperature ``T``
    falls from step to step. The best plane met is the test. Some rows are held out, and the
    tree is cut back to the one of its cost-complexity sequence that answers them best.

    Parameters
    ----------
    criterion : {"sum_minority", "max_minority", "twoing", "gain", "gini", "variance"}
        The impurity of a division that the search lowers.
    temperature : float
        The temperature of the first step, in units of the criterion.
    cooling : float
        What each step multiplies the temperature by.
    patience : int
        How many steps without a new best plane end the search.
    validation_share : float
        The share of the rows that are held out to prune by; 0 for no pruning.
    max_depth : int or None
        Most tests on a path.
    nominal, continuous : list of names or positions, optional
        Columns whose kind is given rather than inferred from their type.
    n_jobs : int or None
        Threads to answer with; a search is one chain of steps, which threads cannot share.
    random_state : int, RandomState or None
        Which rows are held out, and the steps of the search.

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
    Each feature is scaled to [0, 1] at the node, so that a step means the same for all of them, and
    the search starts from the plane of equal coefficients that parts the rows at their mean.
    Temperatures and patience are choices of this implementation. Nominal features and missing
    values are treated as by `OC1Classifier`; a node whose impurity no plane lowers is a leaf.

    References
    ----------
    D. Heath, S. Kasif, S. Salzberg: Learning oblique decision trees. IJCAI 1993.

    Examples
    --------
    >>> import numpy as np
    >>> import weaklearn as wl
    >>> X = np.random.default_rng(0).normal(size=(200, 2))
    >>> model = wl.SADTClassifier(random_state=0).fit(X, X[:, 0] + X[:, 1] > 0)
    >>> bool(model.score(X, X[:, 0] + X[:, 1] > 0) > 0.95)
    True
    """

    _parameters = oblique.SADT_PARAMETERS

    def __init__(
        self,
        criterion: str = "sum_minority",
        temperature: float = 10,
        cooling: float = 0.999,
        patience: int = 10_000,
        validation_share: float = 0.1,
        max_depth: int | None = 50,
        *,
        nominal: Iterable[str | int] | None = None,
        continuous: Iterable[str | int] | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.criterion = criterion
        self.temperature = temperature
        self.cooling = cooling
        self.patience = patience
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
        self.tree_ = oblique.grow_sadt(dataset, weights, self._settings(), seed)
