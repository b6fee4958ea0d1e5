"""BoostODT of Henry, Nock and Nielsen: oblique trees of boosted stumps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from weaklearn import _core
from weaklearn.encoding import Dataset, EncodedRows
from weaklearn.estimators.c45 import CONFIDENCE
from weaklearn.estimators.class_weights import RowWeights
from weaklearn.estimators.g2 import ConstantLearner, G2Classifier, TreeGraph
from weaklearn.estimators.graph_classifier import GraphClassifier
from weaklearn.estimators.parameters import (
    MAX_UINT32,
    MAX_UINT64,
    Flag,
    Number,
    Parameter,
    core_limit,
)
from weaklearn.estimators.real_adaboost import RealAdaBoostClassifier
from weaklearn.estimators.real_valued_classifier import RealValuedClassifier
from weaklearn.models.graph import Graph
from weaklearn.models.graph_splits import node_class_weights
from weaklearn.models.separators import leaf_outputs


class BoostODTClassifier(GraphClassifier, RealValuedClassifier):
    """BoostODT: an oblique tree whose splits are separators of boosted stumps.

    The tree is grown breadth first. A leaf with several classes is split by the sign of a separator
    that AdaBoostR learns from the leaf's rows (Henry, Nock and Nielsen 2007). The output of a leaf
    is half the logarithm of the ratio of its class weights; this is the output of G2 on a tree,
    whatever the constants at its nodes. Stumps on a missing value abstain, so that every row goes
    to one side as a whole.

    A separator has two sides. With more than two classes, they are first put into two groups: the
    split on one feature that lowers the impurity of Kearns and Mansour most is found, and each
    class goes to the side with most of its weight. For two classes that impurity is the exponential
    loss that G2 lowers.

    Parameters
    ----------
    n_stumps : int
        The most stumps in the separator of a node.
    max_depth : int
        The most separators on a path; with 4, a path has the five nodes of the paper.
    max_leaves : int or None
        The most leaves of the tree, before pruning; None for no limit. A tree with L leaves has
        L - 1 separators. Leaves near the root are split first.
    prune : bool
        Whether to prune the tree by its pessimistic error, as C4.5 does; the paper does not.
    confidence : float
        Confidence of pruning: the smaller, the smaller the tree.
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
    random_state : object
        Not used: BoostODT is deterministic.

    Attributes
    ----------
    tree_ : Graph
        The tree; its splits are oblique.
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
    >>> model = wl.BoostODTClassifier(n_stumps=3, max_depth=1).fit(table.X, table.y)
    >>> print(model.tree_.to_text())
    [C1] <= 0 : no (1731.0/367.0)
    [C1] > 0 : yes (470.0/126.0)
    <BLANKLINE>
    <BLANKLINE>
    Sum [C1]
    <BLANKLINE>
    sex: -0.6213 = male, 0.6213 = female
    class: -0.3769 = 3rd, -0.003796 = 2nd, 0.003796 = crew, 0.3769 = 1st
    """

    _parameters: ClassVar[Mapping[str, Parameter]] = {
        "n_stumps": Parameter(
            50,
            Number(low=1, high=MAX_UINT32, whole=True),
            "most stumps in the separator of a node",
        ),
        "max_depth": Parameter(
            4, Number(low=0, high=MAX_UINT32, whole=True), "most separators on a path"
        ),
        "max_leaves": Parameter(
            None, Number(low=1, whole=True, optional=True), "most leaves; None: no limit"
        ),
        "prune": Parameter(False, Flag(), "whether to prune the tree by its pessimistic error"),
        "confidence": CONFIDENCE,
    }

    def __init__(
        self,
        n_stumps: int = 50,
        max_depth: int = 4,
        max_leaves: int | None = None,
        *,
        prune: bool = False,
        confidence: float = 0.25,
        class_weight: Any = None,
        costs: Any = None,
        nominal: Iterable[str | int] | None = None,
        continuous: Iterable[str | int] | None = None,
        ignore: Iterable[str | int] | None = None,
        missing_values: Iterable[str | float] | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.n_stumps = n_stumps
        self.max_depth = max_depth
        self.max_leaves = max_leaves
        self.prune = prune
        self.confidence = confidence
        self.class_weight = class_weight
        self.costs = costs
        self.nominal = nominal
        self.continuous = continuous
        self.ignore = ignore
        self.missing_values = missing_values
        self.n_jobs = n_jobs
        self.random_state = random_state

    def as_g2(self) -> G2Classifier:
        """Return an unfitted G2Classifier that learns the same model, for two classes."""
        if self.prune:
            raise ValueError(
                "prune=True cannot be expressed as a G2Classifier, which does not prune: set "
                "prune=False."
            )
        separator = RealAdaBoostClassifier(
            self.n_stumps,
            nominal=self.nominal,
            continuous=self.continuous,
            ignore=self.ignore,
            missing_values=self.missing_values,
        )
        return G2Classifier(
            ConstantLearner(),
            TreeGraph(separator, self.max_depth, self.max_leaves),
            class_weight=self.class_weight,
            costs=self.costs,
        )

    def _fit_core(self, dataset: Dataset, weights: RowWeights, n_threads: int) -> None:
        # The core counts internal nodes, of which a binary tree has one less than leaves.
        max_splits = None if self.max_leaves is None else self.max_leaves - 1
        core = _core.fit_boost_odt(
            dataset.core,
            weights.rows,
            n_stumps=int(self.n_stumps),
            max_depth=int(self.max_depth),
            max_splits=core_limit(max_splits, MAX_UINT64),
            prune=bool(self.prune),
            confidence=float(self.confidence),
            classes=weights.for_core(),
            n_threads=n_threads,
        )
        self.tree_ = Graph(core, dataset.schema)

    def class_outputs(self, rows: EncodedRows, n_threads: int = 1) -> NDArray[np.float64]:
        """Return the output of each row in favour of each class of the schema."""
        return leaf_outputs(self.tree_.predict_class_shares(rows, n_threads))

    @property
    def margin_bound_(self) -> float:
        """Theorem 1's bound on the margin error of the training rows at 0, for two classes."""
        check_is_fitted(self, "tree_")
        table = node_class_weights(self.tree_)
        if np.count_nonzero(table[0]) > 2:
            raise AttributeError(
                "margin_bound_ is defined for two classes only: Theorem 1 does not cover more"
            )
        leaves = [node for node in range(self.tree_.n_nodes) if self.tree_.is_leaf(node)]
        weights = table[leaves]
        # With constants at the nodes the bound is the exponential loss itself.
        loss: float = (weights * np.exp(-leaf_outputs(weights))).sum() / weights.sum()
        return float(loss)
