"""SADT of Heath, Kasif and Salzberg: oblique trees by simulated annealing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

from weaklearn import _core
from weaklearn.boosting.sampling import draw_seed
from weaklearn.encoding import Dataset
from weaklearn.estimators.class_weights import RowWeights
from weaklearn.estimators.graph_classifier import GraphClassifier
from weaklearn.estimators.oc1 import MAX_DEPTH, OBLIQUE_CRITERIA, VALIDATION_SHARE
from weaklearn.estimators.parameters import MAX_UINT32, Number, Parameter, core_limit
from weaklearn.models.graph import Graph


class SADTClassifier(GraphClassifier):
    """SADT: a tree of hyperplanes, each found by simulated annealing.

    At each node a plane through the middle of the points is changed step by step. Each step adds a
    number drawn from -0.5 to 0.5 to one of its coefficients. A step that does not raise the
    impurity is kept. A step that raises it by ``d`` is kept with probability ``exp(-d / T)``, and
    the temperature ``T`` falls from step to step. The best plane seen is the split. Some rows are
    held out, and the tree of the cost-complexity sequence that predicts them best is kept.

    Parameters
    ----------
    criterion : {"sum_minority", "max_minority", "twoing", "gain", "gini", "variance"}
        The impurity that the search lowers.
    temperature : float
        The temperature of the first step, in units of the criterion.
    cooling : float
        The factor by which each step multiplies the temperature.
    patience : int
        The number of steps without a new best plane after which the search ends.
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
        Threads to predict with; a search is one chain of steps, which threads cannot share.
    random_state : int, RandomState or None
        Seed for the rows held out and the steps of the search.

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
    Each feature is scaled to [0, 1] at the node, so that a step has the same size for all of them.
    The search starts from the plane with equal coefficients through the mean of the rows. The
    temperatures and the patience are choices of this implementation. Nominal features and missing
    values are treated as in `OC1Classifier`. A node whose impurity no plane lowers is a leaf.

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

    _parameters: ClassVar[Mapping[str, Parameter]] = {
        "criterion": Parameter(
            "sum_minority", OBLIQUE_CRITERIA, "the impurity of OC1 that annealing lowers"
        ),
        "temperature": Parameter(
            10, Number(low=0, high=1e100), "the temperature of the first step"
        ),
        "cooling": Parameter(
            0.999, Number(low=0, high=1), "the factor of the temperature in each step"
        ),
        "patience": Parameter(
            10_000,
            Number(low=1, high=MAX_UINT32, whole=True),
            "steps without a new best plane that end a search",
        ),
        "validation_share": VALIDATION_SHARE,
        "max_depth": MAX_DEPTH,
    }

    def __init__(
        self,
        criterion: str = "sum_minority",
        temperature: float = 10,
        cooling: float = 0.999,
        patience: int = 10_000,
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
        self.temperature = temperature
        self.cooling = cooling
        self.patience = patience
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
        core = _core.fit_sadt(
            dataset.core,
            weights.rows,
            criterion=self.criterion,
            temperature=float(self.temperature),
            cooling=float(self.cooling),
            patience=int(self.patience),
            validation_share=float(self.validation_share),
            max_depth=core_limit(self.max_depth, MAX_UINT32),
            seed=draw_seed(self.random_state),
            classes=weights.for_core(),
        )
        self.tree_ = Graph(core, dataset.schema)
