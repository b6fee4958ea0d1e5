"""C4.5 Release 8."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import Bunch

from weaklearn import _core
from weaklearn.encoding import Dataset
from weaklearn.estimators.c45_checks import (
    check_release8_classes,
    check_release8_defaults,
    check_release8_subset,
    check_single_weights,
)
from weaklearn.estimators.class_weights import RowWeights, weigh_classes
from weaklearn.estimators.graph_classifier import GraphClassifier
from weaklearn.estimators.parameters import (
    MAX_BINS,
    MAX_UINT32,
    MAX_UINT64,
    Choice,
    Flag,
    Number,
    Parameter,
    core_limit,
)
from weaklearn.estimators.random_features import MAX_FEATURES, SPLITS, random_features
from weaklearn.estimators.training_table import read_training_table
from weaklearn.estimators.winnowing import WINNOW, winnow
from weaklearn.models.graph import Graph

#: Gain and gain ratio are two ways to choose by entropy. Any other additive impurity has its name.
CRITERIA = Choice(
    ("gain_ratio", "gain", *(name for name in _core.additive_criteria() if name != "entropy"))
)

#: C4.5's pessimistic pruning, for every classifier that prunes by it.
CONFIDENCE = Parameter(
    0.25,
    Number(low=0, above_low=True, high=1),
    "confidence of pruning (C4.5's -c as a share): the smaller, the smaller the tree",
)
#: Options of C4.5's tree, for every classifier that starts from it.
SUBSET = Parameter(False, Flag(), "whether to group nominal values (-s)")
THRESHOLD_PENALTY = Parameter(
    True, Flag(), "whether a threshold pays for the number of cuts tried (Release 8)"
)
MISSING = Parameter(
    "fraction",
    Choice(("fraction", "branch")),
    "where missing values go: fraction (C4.5: down all branches in shares), or branch (learned)",
)
SHRINKAGE = Parameter(
    0.0, Number(low=0), "how far class shares are drawn to those of the nodes above; 0: not at all"
)
ARITHMETIC = Parameter(
    "double",
    Choice(("double", "release8")),
    "double, or float32 with the rounding and the defects of the original program",
)


class C45Classifier(GraphClassifier):
    """C4.5 Release 8: gain ratio, fractional rows for missing values, pessimistic pruning.

    Parameters
    ----------
    criterion : {"gain_ratio", "gain", "gini", "km"}
        The criterion that splits are compared by. "gain_ratio" is C4.5's, "gain" its option
        ``-g``, "km" the criterion of Kearns and Mansour.
    min_objects : float
        At least two branches of a split must have this weight (``-m``).
    confidence : float
        Confidence of pruning, a share (``-c 25`` is 0.25). The smaller, the smaller the tree.
    prune : bool
        Whether to prune the tree.
    subset : bool
        Whether splits on nominal features group values (``-s``). Of more than 1,000 values two
        groups are made, in which the values of fewer than 3 rows at the node count as one. With
        ``max_features`` the same holds for values that hardly repeat: at least 20, and more than a
        fifth of the rows. Of these, a heavy row counts as one.
    threshold_penalty : bool
        Whether the gain of a threshold split is lowered by the cost of choosing among its cuts, as
        in Release 8. This applies to "gain_ratio" and "gain", which are measured in bits.
    arithmetic : {"double", "release8"}
        In "double", values that are equal in real arithmetic count as equal, and ties go to the
        lowest feature and the lowest cut. "release8" rounds as the original program did and
        reproduces its trees bit for bit, including its defects.
    max_depth : int or None
        The most splits on a path; None for no limit, as in C4.5.
    max_leaves : int or None
        The most leaves; None for no limit. The splits that lower the impurity of the whole tree
        most are made first, as in scikit-learn. A split with too many branches is not made.
    min_impurity_decrease : float
        The least by which a split must lower the impurity of the whole tree: the impurity of the
        node minus that of its children, each times its share of the weight.
    ccp_alpha : float
        Minimal cost-complexity pruning: the tree is cut to the smallest of those for which the
        impurity of the leaves plus this times their number is least. 0 for none.
    max_features : None, "sqrt", "log2", float or int
        How many features are evaluated at a node: all, the square root or the logarithm of their
        number, a share of them, or a number. They are drawn anew at each node, without replacement.
        A feature of which all known values at the node are equal is passed over and does not count.
        If none of them has an acceptable split, further features are drawn, one by one. See
        docs/algorithms/c45.md.
    splits : {"best", "random"}
        Whether the split of a feature is the best one, or drawn at random as in extremely random
        trees: a threshold between the least and the greatest value at the node, or two random
        groups of nominal values. Among the features the best split is chosen as usual. Such trees
        are members for committees. See docs/algorithms/c45.md.
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
        Seed for the draws of `max_features`, of random splits, and of the rows held back by
        `winnow`, where None is 0. Without these nothing is drawn.

    Attributes
    ----------
    tree_ : Graph
        The tree.
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
    The impurity of `max_leaves`, `min_impurity_decrease` and `ccp_alpha` is the entropy in bits for
    "gain_ratio" and "gain", 1 - sum p^2 for "gini", and the function itself for "km". These limits
    apply to the tree as it grows, before C4.5 collapses and prunes it. Use ``prune=False`` to have
    only the former.

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

    _parameters: ClassVar[Mapping[str, Parameter]] = {
        "criterion": Parameter(
            "gain_ratio",
            CRITERIA,
            "the criterion of splits: gain_ratio (C4.5), gain (its option -g), or another impurity",
        ),
        "min_objects": Parameter(
            2, Number(low=0, above_low=True), "least weight of two branches of a split (-m)"
        ),
        "confidence": CONFIDENCE,
        "prune": Parameter(True, Flag(), "whether to prune the tree by its pessimistic error"),
        "subset": SUBSET,
        "threshold_penalty": THRESHOLD_PENALTY,
        "arithmetic": ARITHMETIC,
        "max_depth": Parameter(
            None, Number(low=0, whole=True, optional=True), "most splits on a path; None: no limit"
        ),
        "max_leaves": Parameter(
            None, Number(low=1, whole=True, optional=True), "most leaves; None: no limit"
        ),
        "min_impurity_decrease": Parameter(
            0.0, Number(low=0), "least by which a split lowers the impurity of the whole tree"
        ),
        "ccp_alpha": Parameter(
            0.0, Number(low=0), "cost of a leaf in cost-complexity pruning; 0 for no such pruning"
        ),
        "max_features": MAX_FEATURES,
        "splits": SPLITS,
        "missing": MISSING,
        "max_bins": MAX_BINS,
        "shrinkage": SHRINKAGE,
        "winnow": WINNOW,
    }

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
        max_leaves: int | None = None,
        min_impurity_decrease: float = 0.0,
        ccp_alpha: float = 0.0,
        max_features: str | float | None = None,
        splits: str = "best",
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
        self.min_objects = min_objects
        self.confidence = confidence
        self.prune = prune
        self.subset = subset
        self.threshold_penalty = threshold_penalty
        self.arithmetic = arithmetic
        self.max_depth = max_depth
        self.max_leaves = max_leaves
        self.min_impurity_decrease = min_impurity_decrease
        self.ccp_alpha = ccp_alpha
        self.missing = missing
        self.max_features = max_features
        self.splits = splits
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

    def _needs_single_precision(self) -> bool:
        return self.arithmetic == "release8"

    def _separates_close_values(self) -> bool:
        return False

    def _missing_is_value(self) -> bool:
        return self.missing == "branch"

    def fit_member(self, dataset: Dataset, weights: RowWeights, n_threads: int = 1) -> None:
        """Fit as `fit_weighted` does. The core reads scaled weights and bytes as they are."""
        if self.winnow or self.arithmetic == "release8":
            super().fit_member(dataset, weights, n_threads)
        else:
            self.fit_weighted(dataset, weights, n_threads)

    def _fit_core(self, dataset: Dataset, weights: RowWeights, n_threads: int) -> None:
        if self.arithmetic == "release8":
            self._check_release8(weights.rows)
            if self.subset:
                check_release8_subset(dataset)
        unit = self._unit_of_impurity(len(dataset.schema.classes))
        core = _core.fit_c45(
            dataset.core,
            weights.rows,
            confidence=float(self.confidence),
            prune=bool(self.prune),
            ccp_alpha=unit * float(self.ccp_alpha),
            shrinkage=float(self.shrinkage),
            release8=self.arithmetic == "release8",
            classes=weights.for_core(),
            n_threads=n_threads,
            counted=dataset.counted,
            scale=weights.scale,
            **self._growing_options(unit, len(dataset.schema.features)),
        )
        self.tree_ = Graph(core, dataset.schema)

    def _growing_options(self, unit: float, n_features: int) -> dict[str, Any]:
        """Return what the core needs to grow the tree before it is pruned."""
        return {
            "criterion": "entropy" if self.criterion in ("gain_ratio", "gain") else self.criterion,
            "use_gain_ratio": self.criterion == "gain_ratio",
            "min_objects": float(self.min_objects),
            "subset": bool(self.subset),
            "threshold_penalty": bool(self.threshold_penalty),
            "max_depth": core_limit(self.max_depth, MAX_UINT32),
            "max_leaves": core_limit(self.max_leaves, MAX_UINT64),
            "min_impurity_decrease": unit * float(self.min_impurity_decrease),
            "missing_takes_branch": self.missing == "branch",
            "random_splits": self.splits == "random",
            **random_features(
                self.max_features, self.random_state, n_features, self.splits == "random"
            ),
        }

    def cost_complexity_pruning_path(self, X: Any, y: Any, sample_weight: Any = None) -> Bunch:
        """Compute the values of ``ccp_alpha`` at which the tree changes.

        Parameters
        ----------
        X : frame
            As for `fit`.
        y : Series, array or list
            The class of each row.
        sample_weight : array or number, optional
            As for `fit`.

        Returns
        -------
        Bunch
            ``ccp_alphas``, ascending from 0, and ``impurities``: that of the leaves of the tree, as
            cost-complexity pruning leaves it, from each of these values up to the next. Collapsing
            and pessimistic pruning come after it and may cut more.

        Examples
        --------
        >>> import weaklearn as wl
        >>> table = wl.datasets.load("iris")
        >>> path = wl.C45Classifier("gini").cost_complexity_pruning_path(table.X, table.y)
        >>> path.ccp_alphas.round(3)
        array([0.   , 0.004, 0.006, 0.009, 0.03 , 0.26 , 0.333])
        >>> path.impurities.round(3)
        array([0.024, 0.029, 0.035, 0.044, 0.074, 0.333, 0.667])
        """
        self.check_parameters()
        if self.arithmetic == "release8":
            raise ValueError(
                "arithmetic='release8' follows the original program, which has no cost-complexity "
                "pruning: use arithmetic='double'."
            )
        n_threads = self._n_threads()
        table = read_training_table(X, y, sample_weight, self.column_options().missing)
        dataset = self._encode_table(table, n_threads)
        weights, _ = weigh_classes(
            self.class_weight,
            self.costs,
            dataset.schema.classes,
            dataset.classes,
            RowWeights(table.weights),
        )
        if self.winnow:
            dataset = dataset.take_columns(winnow(self, dataset, weights, n_threads))
        unit = self._unit_of_impurity(len(dataset.schema.classes))
        steps = _core.c45_pruning_path(
            dataset.core,
            weights.rows,
            classes=weights.for_core(),
            n_threads=n_threads,
            **self._growing_options(unit, len(dataset.schema.features)),
        )
        alphas, impurities = np.array(steps).T / unit
        return Bunch(ccp_alphas=alphas, impurities=impurities)

    def _unit_of_impurity(self, n_classes: int) -> float:
        """Return the impurity in the core that is 1 for users.

        The core scales the Gini impurity to 1 for equal class shares. Users know 1 - sum p^2.
        """
        return n_classes / (n_classes - 1) if self.criterion == "gini" and n_classes > 1 else 1.0

    def _check_release8(self, weights: NDArray[np.float64]) -> None:
        check_release8_defaults(self)
        if self.splits != "best":
            raise ValueError(
                "arithmetic='release8' follows the original program, which has no random splits: "
                "leave splits at 'best', or use arithmetic='double'."
            )
        if self.criterion not in ("gain_ratio", "gain"):
            raise ValueError(
                f"arithmetic='release8' follows the original program, which has no criterion "
                f"{self.criterion!r}: use criterion='gain_ratio' or 'gain', or arithmetic='double'."
            )
        if self.missing != "fraction":
            raise ValueError(
                f"arithmetic='release8' follows the original program, which has no "
                f"missing={self.missing!r}: use missing='fraction', or arithmetic='double'."
            )
        check_release8_classes(self.class_weight, self.costs)
        check_single_weights(weights)
