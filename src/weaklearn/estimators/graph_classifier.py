"""Classifiers whose model is one graph."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from weaklearn.estimators.saving import common_content, restore_common, unfitted_from_content
from weaklearn.estimators.table_classifier import TableClassifier
from weaklearn.models.additive_score import AdditiveScore
from weaklearn.models.graph import Graph
from weaklearn.models.graph_content import graph_content, graph_from_content
from weaklearn.models.saving import register_kind
from weaklearn.schema import Schema

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    from weaklearn.export.description import DescribedGraph


class GraphClassifier(TableClassifier):
    """Base of the classifiers whose model is one graph: a tree, in ``tree_``, or a program."""

    tree_: Graph
    #: The name of the attribute that holds the graph.
    _graph_name: ClassVar[str] = "tree_"

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        register_kind(cls.__name__, cls._from_content)

    @property
    def graph_(self) -> Graph:
        """The graph, whichever name the classifier gives it."""
        graph: Graph = getattr(self, self._graph_name)
        return graph

    @graph_.setter
    def graph_(self, graph: Graph) -> None:
        setattr(self, self._graph_name, graph)

    @property
    def _schema(self) -> Schema:
        return self.graph_.schema

    @property
    def _model(self) -> Graph:
        return self.graph_

    def _has_learned(self) -> bool:
        return self.graph_.n_nodes > 1

    def _describe(self, columns: Sequence[int] | None = None) -> DescribedGraph:
        from weaklearn.export.describe_models import describe_graph

        return describe_graph(self.graph_, columns)

    def apply(self, X: Any) -> NDArray[np.int32]:
        """Return the leaf that each row reaches.

        Parameters
        ----------
        X : frame
            As for `predict`.

        Returns
        -------
        array of int32
            The index of a node for each row. A row with missing values may reach several leaves:
            the leaf with the largest share of the row is returned, and ties go to the lowest index.
            It is -1 if no training row took any branch of a split whose value is missing.

        Examples
        --------
        >>> import weaklearn as wl
        >>> model = wl.C45Classifier().fit([[1.0], [2.0], [3.0], [4.0]], ["no", "no", "yes", "yes"])
        >>> model.apply([[1.5], [3.5]])
        array([1, 2], dtype=int32)
        """
        rows = self._encode(X)
        return self.graph_.apply(rows, self._n_threads())

    def decision_path(self, X: Any) -> csr_matrix:
        """Return the nodes that each row visits.

        Parameters
        ----------
        X : frame
            As for `predict`.

        Returns
        -------
        sparse matrix of shape (n_rows, n_nodes)
            The share of the row at each node: 1.0, or less below a split on a missing value.

        Examples
        --------
        >>> import weaklearn as wl
        >>> model = wl.C45Classifier().fit([[1.0], [2.0], [3.0], [4.0]], ["no", "no", "yes", "yes"])
        >>> model.decision_path([[1.5], [3.5]]).toarray().tolist()
        [[1.0, 1.0, 0.0], [1.0, 0.0, 1.0]]
        """
        rows = self._encode(X)
        return self.graph_.decision_path(rows, self._n_threads())

    @property
    def _reason_source(self) -> Graph:
        return self.graph_

    def additive_score(self) -> AdditiveScore:
        """Return the class shares of the graph, which `weaklearn.explain.shap_values` explains.

        With costs, these are the shares before the factors of the classes are taken out.
        """
        check_is_fitted(self)
        return AdditiveScore(
            [self.graph_],
            np.ones(1),
            self._encode,
            self._class_order(),
            self.classes_.tolist(),
            self._n_threads(),
        )

    def get_depth(self) -> int:
        """Return the number of splits on the longest path."""
        check_is_fitted(self)
        return self.graph_.depth

    def get_n_leaves(self) -> int:
        """Return the number of leaves."""
        check_is_fitted(self)
        return self.graph_.n_leaves

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """The share of each column in the information, in bits, that all splits gain."""
        check_is_fitted(self)
        return self.graph_.importances()

    def _used_columns(self) -> list[int]:
        used: list[int] = np.unique(self.graph_.feature[self.graph_.feature >= 0]).tolist()
        return used

    def _widen(self, schema: Schema, columns: NDArray[np.intp]) -> None:
        self.graph_ = self.graph_.with_features(schema, columns)

    def _content(self) -> dict[str, Any]:
        return {**common_content(self), **graph_content(self.graph_)}

    @classmethod
    def _from_content(cls, content: Mapping[str, Any]) -> Self:
        model = unfitted_from_content(cls, content)
        model.graph_ = graph_from_content(content)
        restore_common(model, content)
        return model
