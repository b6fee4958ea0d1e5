"""TopDown of Dietterich, Kearns and Mansour."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from weaklearn import _core
from weaklearn.encoding import Dataset
from weaklearn.estimators.c45 import CONFIDENCE, MISSING, SHRINKAGE
from weaklearn.estimators.class_weights import RowWeights
from weaklearn.estimators.criterion import CRITERION, core_criterion
from weaklearn.estimators.graph_classifier import GraphClassifier
from weaklearn.estimators.parameters import (
    MAX_BINS,
    MAX_UINT32,
    MAX_UINT64,
    Flag,
    Number,
    Parameter,
    core_limit,
)
from weaklearn.estimators.random_features import MAX_FEATURES, random_features
from weaklearn.estimators.winnowing import WINNOW
from weaklearn.models.graph import Graph
from weaklearn.theory.advantages import Advantages, advantages

#: What the core writes for a leaf that is not known, if leaves are bytes.
_UNKNOWN_BYTE = 255


class TopDownClassifier(GraphClassifier):
    """TopDown: each round makes the split that lowers the impurity of the whole tree most.

    Dietterich, Kearns and Mansour (1996) show that this is boosting: each split is a weak
    hypothesis, and a criterion more concave than entropy, `km`, needs fewer of them. Splits and
    missing values are handled as in C4.5. The tree of N + 1 rounds is the tree of N rounds with
    one more split. Without a limit, it is the tree that C4.5 grows under the same criterion before
    pruning.

    Parameters
    ----------
    criterion : {"km", "entropy", "gini", "error"} or callable
        The impurity that splits lower. A callable takes a table of class weights, one row per node
        and two columns, and returns a value per row: 0 where one class is alone, 1 where both are
        equal, symmetric and concave. This is checked. With more than two classes it is summed
        over each class against the rest. See `weaklearn.theory` for the functions known by name.
    n_rounds : int or None
        The most splits; None for as many as lower the impurity.
    grouping : bool
        Whether a split on a nominal feature puts its values into two groups, instead of one branch
        per value. With two classes the best grouping is found. With more, the values are ordered
        by the share of one class, each class in turn, and the best cut of these orders is taken.
    min_objects : float
        At least two branches of a split must have this weight. As in C4.5, both sides of a
        threshold must also have a tenth of the average class weight, but at most 25.
    prune : bool
        Whether to prune the tree as C4.5 does, by its pessimistic error.
    confidence : float
        Confidence of pruning, a share. The smaller, the smaller the tree.
    max_depth : int or None
        The most splits on a path; None for no limit.
    max_features : None, "sqrt", "log2", float or int
        How many features are evaluated at a node, as in `C45Classifier`. The draw at a node depends
        on the seed and the path to the node, so the tree of N + 1 rounds is still the tree of N
        rounds with one more split.
    missing : {"fraction", "branch"}
        Where rows go whose value is missing at a split. "fraction" is C4.5's rule: down every
        branch, with a share of their weight. "branch": down one branch, which the split learns;
        use it where values are missing for a reason. See docs/guides/missing_values.md.
    max_bins : int or None
        Columns of numbers with more distinct values are cut into at most this many bins of about
        equally many rows, once for the whole table: on large tables trees grow faster, and
        thresholds are still values of the table. Up to 255 is fastest. See
        docs/guides/large_tables.md.
    shrinkage : float
        Draws the class shares of a leaf towards those of the nodes above it, by the formula of
        hierarchical shrinkage; 0 for none, and the larger, the closer all leaves are to the root.
        Splits and printed counts stay as they are. It improves probabilities; the class of a leaf
        with few rows may change. See docs/guides/shrinkage.md.
    winnow : bool
        Whether to remove the features first that do not help to predict rows held back, as C5.0
        does; see docs/guides/winnowing.md.
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
        Seed for the draws of `max_features` and of the rows held back by `winnow`, where None is 0.
        Without these nothing is drawn.

    Attributes
    ----------
    tree_ : Graph
        The tree.
    advantages_ : Advantages
        Per split, in the order of the rounds: the advantage over guessing on the balanced classes
        of its node, the weight of the node and the gain of the split.
    features_kept_, winnowed_ : arrays of str
        With `winnow`, the names of the features that were kept and of those that were removed.
    classes_ : array
        The classes that occur, sorted.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : array of str
        Their names, where they have any.

    Notes
    -----
    Within a leaf, the chosen split lowers the impurity of the rows with a known value most, as in
    C4.5; with ``missing="branch"`` that of all rows. Among the leaves, the chosen one lowers the
    impurity of the whole tree most, rows with missing values included. Ties go to the lowest
    feature and the oldest leaf.

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

    _parameters: ClassVar[Mapping[str, Parameter]] = {
        "criterion": CRITERION,
        "n_rounds": Parameter(
            None,
            Number(low=0, whole=True, optional=True),
            "most splits; None: until nothing is gained",
        ),
        "grouping": Parameter(
            False,
            Flag(),
            "whether splits put nominal values in two groups, not each in its own branch",
        ),
        "min_objects": Parameter(
            1, Number(low=0, above_low=True), "least weight of two branches of a split"
        ),
        "prune": Parameter(False, Flag(), "whether to prune the tree by its pessimistic error"),
        "confidence": CONFIDENCE,
        "max_depth": Parameter(
            None, Number(low=0, whole=True, optional=True), "most splits on a path; None: no limit"
        ),
        "max_features": MAX_FEATURES,
        "missing": MISSING,
        "max_bins": MAX_BINS,
        "shrinkage": SHRINKAGE,
        "winnow": WINNOW,
    }

    def __init__(
        self,
        criterion: str | Callable[[NDArray[np.float64]], Any] = "km",
        n_rounds: int | None = None,
        grouping: bool = False,
        min_objects: float = 1,
        prune: bool = False,
        confidence: float = 0.25,
        max_depth: int | None = None,
        max_features: str | float | None = None,
        *,
        missing: str = "fraction",
        max_bins: int | None = None,
        shrinkage: float = 0.0,
        winnow: bool = False,
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
        self.n_rounds = n_rounds
        self.max_depth = max_depth
        self.grouping = grouping
        self.min_objects = min_objects
        self.prune = prune
        self.confidence = confidence
        self.missing = missing
        self.max_features = max_features
        self.max_bins = max_bins
        self.shrinkage = shrinkage
        self.winnow = winnow
        self.class_weight = class_weight
        self.costs = costs
        self.nominal = nominal
        self.continuous = continuous
        self.ignore = ignore
        self.missing_values = missing_values
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _separates_close_values(self) -> bool:
        return False

    def _missing_is_value(self) -> bool:
        return self.missing == "branch"

    def fit_member(
        self, dataset: Dataset, weights: RowWeights, n_threads: int = 1
    ) -> NDArray[np.integer[Any]] | None:
        """Fit as `fit_weighted` does, and return the leaf of each row, or None."""
        if self.winnow or self.prune or self.n_rounds is None:
            return super().fit_member(dataset, weights, n_threads)
        own = self._weigh_classes(dataset.schema.classes, dataset.classes, weights)
        is_narrow = _core.leaves_fit_in_bytes(dataset.core, self.n_rounds, bool(self.grouping))
        leaves: NDArray[Any] = np.empty(len(own.rows), np.uint8 if is_narrow else np.int32)
        self._fit_core(dataset, own, n_threads, leaves)
        return None if leaves[0] == (_UNKNOWN_BYTE if is_narrow else -1) else leaves

    def _fit_core(
        self,
        dataset: Dataset,
        weights: RowWeights,
        n_threads: int,
        leaves: NDArray[Any] | None = None,
    ) -> None:
        criterion, impurities = core_criterion(self.criterion)
        core = _core.fit_topdown(
            dataset.core,
            weights.rows,
            criterion=criterion,
            impurities=impurities,
            n_rounds=core_limit(self.n_rounds, MAX_UINT64),
            max_depth=core_limit(self.max_depth, MAX_UINT32),
            min_objects=float(self.min_objects),
            grouping=bool(self.grouping),
            prune=bool(self.prune),
            confidence=float(self.confidence),
            shrinkage=float(self.shrinkage),
            missing_takes_branch=self.missing == "branch",
            **random_features(self.max_features, self.random_state, len(dataset.schema.features)),
            classes=weights.for_core(),
            n_threads=n_threads,
            leaves=leaves,
            scale=weights.scale,
            counted=dataset.counted,
        )
        self.tree_ = Graph(core, dataset.schema)

    @property
    def advantages_(self) -> Advantages:
        """Advantage, weight of the node and gain of each split, in the order of the rounds."""
        check_is_fitted(self)
        return advantages(self)
