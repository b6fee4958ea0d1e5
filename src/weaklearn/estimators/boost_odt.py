"""BoostODT as a scikit-learn classifier."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from weaklearn.encoding import Dataset, EncodedRows
from weaklearn.estimators.g2 import ConstantLearner, G2Classifier, TreeGraph
from weaklearn.estimators.graph_classifier import GraphClassifier
from weaklearn.estimators.real_adaboost import RealAdaBoostClassifier
from weaklearn.estimators.real_valued import RealValuedClassifier
from weaklearn.learners import boost_odt
from weaklearn.models.node_class_weights import class_table
from weaklearn.models.separators import leaf_outputs


class BoostODTClassifier(GraphClassifier, RealValuedClassifier):
    """BoostODT: an oblique tree whose tests are separators of boosted stumps.

    Grown breadth first: a leaf that holds several classes is divided by the sign of a separator
    that AdaBoostR makes of stumps, on the leaf's rows alone (Henry, Nock and Nielsen 2007). A
    leaf answers with half the logarithm of the ratio of its class weights, which is what G2 gives
    for a tree whatever the constants at its nodes. A missing value makes the stumps on it abstain:
    no row is divided, and none is left out.

    A separator has two sides. Of more than two classes, the test of one feature that lowers the
    impurity of Kearns and Mansour most says which of them go together: each goes where most of
    it is. For two classes that impurity is the exponential loss that G2 lowers.

    Parameters
    ----------
    n_stumps : int
        Most stumps in the separator of a node.
    max_depth : int
        Most separators on the way to a leaf; 4 makes the five nodes of the paper.
    max_internal_nodes : int or None
        Most separators in the tree, those near the root first; None for no limit.
    prune : bool
        Whether to prune the tree by its pessimistic error, as C4.5 does; the paper does not.
    confidence : float
        Confidence of pruning: the smaller, the smaller the tree.
    nominal, continuous : list of names or positions, optional
        Columns whose kind is given rather than inferred from their type.
    n_jobs : int or None
        Threads to fit and answer with; the result does not depend on it.
    random_state : object
        Not used: nothing is left to chance.

    Attributes
    ----------
    tree_ : Graph
        The tree; its tests are oblique.
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

    _parameters = boost_odt.PARAMETERS

    def __init__(
        self,
        n_stumps: int = 50,
        max_depth: int = 4,
        max_internal_nodes: int | None = None,
        *,
        prune: bool = False,
        confidence: float = 0.25,
        nominal: Iterable[str | int] | None = None,
        continuous: Iterable[str | int] | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.n_stumps = n_stumps
        self.max_depth = max_depth
        self.max_internal_nodes = max_internal_nodes
        self.prune = prune
        self.confidence = confidence
        self.nominal = nominal
        self.continuous = continuous
        self.n_jobs = n_jobs
        self.random_state = random_state

    def as_g2(self) -> G2Classifier:
        """Return the same learner, unfitted, as a composition of G2's parts; for two classes."""
        if self.prune:
            raise ValueError("G2 does not prune: set prune=False to have this as a composition.")
        separator = RealAdaBoostClassifier(
            self.n_stumps, nominal=self.nominal, continuous=self.continuous
        )
        return G2Classifier(
            ConstantLearner(), TreeGraph(separator, self.max_depth, self.max_internal_nodes)
        )

    def fit_dataset(
        self, dataset: Dataset, weights: NDArray[np.float64], n_threads: int = 1
    ) -> None:
        """Fit the tree to an encoded dataset; rows of weight 0 are absent."""
        self.tree_ = boost_odt.grow(dataset, weights, self._settings(), n_threads)

    def class_outputs(self, rows: EncodedRows, n_threads: int = 1) -> NDArray[np.float64]:
        """Answer with the output in favour of each class of the schema, per row."""
        return leaf_outputs(self.tree_.predict_proba(rows, n_threads))

    @property
    def margin_bound_(self) -> float:
        """Theorem 1's bound on the margin error of the training rows at 0; of two classes."""
        check_is_fitted(self, "tree_")
        table = class_table(self.tree_)
        if np.count_nonzero(table[0]) > 2:
            raise AttributeError("Theorem 1 is of two classes: there is no margin_bound_ of more")
        leaves = [node for node in range(self.tree_.n_nodes) if self.tree_.is_leaf(node)]
        weights = table[leaves]
        # With constants at the nodes the bound is the exponential loss itself.
        loss: float = (weights * np.exp(-leaf_outputs(weights))).sum() / weights.sum()
        return float(loss)
