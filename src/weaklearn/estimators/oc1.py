"""OC1 of Murthy, Kasif and Salzberg: oblique trees by climbing from random starts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from weaklearn import _core
from weaklearn.boosting.sampling import draw_seed
from weaklearn.encoding import Dataset
from weaklearn.estimators.class_weights import RowWeights
from weaklearn.estimators.graph_classifier import GraphClassifier
from weaklearn.estimators.parameters import MAX_UINT32, Choice, Number, Parameter, core_limit
from weaklearn.models.graph import Graph

#: Parameters that OC1 and SADT share.
OBLIQUE_CRITERIA = Choice(tuple(_core.two_sided_criteria()))
VALIDATION_SHARE = Parameter(
    0.1, Number(low=0, high=0.9), "share of the rows held out to prune by; 0: no pruning"
)
MAX_DEPTH = Parameter(
    50, Number(low=0, whole=True, optional=True), "most splits on a path; None: no limit"
)


class OC1Classifier(GraphClassifier):
    """OC1: a tree of hyperplanes, found by climbing from random starts.

    At each node the best split on a single feature is found first. If there are enough rows,
    hyperplanes are searched next. From each start, one coefficient after the other is set to its
    best value while the others stay fixed. At a local minimum, the plane jumps along random
    directions. The best plane is the split, unless a single feature is as good. Some rows are held
    out, and the tree of the cost-complexity sequence that predicts them best is kept.

    Parameters
    ----------
    criterion : {"twoing", "gain", "gini", "max_minority", "sum_minority", "variance"}
        The impurity that the search lowers.
    n_restarts : int
        How many planes the search at a node starts from: the best split on a single feature, then
        random planes. 0 for a tree of splits on single features.
    n_jumps : int
        How many random directions are tried at a local minimum.
    validation_share : float
        The share of the rows that are held out to prune by; 0 for no pruning.
    max_depth : int or None
        The most splits on a path; None for no limit.
    class_weight : None, "balanced" or dict
        Weights of classes; see docs/guides/weights_and_costs.md.
    costs : None, matrix or dict
        Costs of errors, such as ``{(true, predicted): cost}``; see there too.
    nominal, continuous : list of names or positions, optional
        Columns whose kind is given rather than inferred from their type.
    ignore : list of names or positions, optional
        Columns to leave out.
    missing_values : list of texts and numbers, optional
        Cells that are missing: texts in place of ``wl.MISSING_TEXTS``, numbers in addition.
    n_jobs : int or None
        Threads to fit and predict with; the result does not depend on it.
    random_state : int, RandomState or None
        Seed for the rows held out, the starts of the search and its random decisions.

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
    Where the original program, version 3, differs from the paper, the search follows the program:
    the constant of a plane changes in jumps only; a plane without notable gain is followed up to
    eleven times in a row; and a node with at most twice as many rows as features is split on a
    single feature. A nominal feature with two values becomes one column of 0 and 1, one with more
    values becomes a column for each value. A missing value counts as the mean of its feature.

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

    _parameters: ClassVar[Mapping[str, Parameter]] = {
        "criterion": Parameter("twoing", OBLIQUE_CRITERIA, "the impurity of OC1 that splits lower"),
        "n_restarts": Parameter(
            20, Number(low=0, high=MAX_UINT32, whole=True), "planes that the search starts from"
        ),
        "n_jumps": Parameter(
            5, Number(low=0, high=MAX_UINT32, whole=True), "random jumps out of a local minimum"
        ),
        "validation_share": VALIDATION_SHARE,
        "max_depth": MAX_DEPTH,
    }

    def __init__(
        self,
        criterion: str = "twoing",
        n_restarts: int = 20,
        n_jumps: int = 5,
        validation_share: float = 0.1,
        max_depth: int | None = 50,
        *,
        class_weight: Any = None,
        costs: Any = None,
        nominal: Iterable[str | int] | None = None,
        continuous: Iterable[str | int] | None = None,
        ignore: Iterable[str | int] | None = None,
        missing_values: Iterable[str | float] | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.criterion = criterion
        self.n_restarts = n_restarts
        self.n_jumps = n_jumps
        self.validation_share = validation_share
        self.max_depth = max_depth
        self.class_weight = class_weight
        self.costs = costs
        self.nominal = nominal
        self.continuous = continuous
        self.ignore = ignore
        self.missing_values = missing_values
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _fit_core(self, dataset: Dataset, weights: RowWeights, n_threads: int) -> None:
        core = _core.fit_oc1(
            dataset.core,
            weights.rows,
            criterion=self.criterion,
            n_restarts=int(self.n_restarts),
            n_jumps=int(self.n_jumps),
            validation_share=float(self.validation_share),
            max_depth=core_limit(self.max_depth, MAX_UINT32),
            seed=draw_seed(self.random_state),
            classes=weights.for_core(),
            n_threads=n_threads,
        )
        self.tree_ = Graph(core, dataset.schema)
