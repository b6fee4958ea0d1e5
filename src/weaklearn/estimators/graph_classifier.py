"""Classifiers whose model is one graph."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from weaklearn.encoding import EncodedRows
from weaklearn.estimators.saving import common_content, restore_common, unfitted_from_content
from weaklearn.estimators.table_classifier import TableClassifier
from weaklearn.models.graph import Graph
from weaklearn.models.saving import graph_content, graph_from_content, register_kind
from weaklearn.schema import Schema


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

    def predict_class_indices(self, rows: EncodedRows, n_threads: int = 1) -> NDArray[np.int32]:
        """Return the index in the schema of the class predicted for each encoded row."""
        return self.graph_.predict_class_indices(rows, n_threads)

    def predict_class_shares(self, rows: EncodedRows, n_threads: int = 1) -> NDArray[np.float64]:
        """Return the share of each class of the schema for each encoded row."""
        return self.graph_.predict_class_shares(rows, n_threads)

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """The share of each column in the information, in bits, that all splits gain."""
        check_is_fitted(self)
        return self.graph_.importances()

    def _content(self) -> dict[str, Any]:
        return {**common_content(self), **graph_content(self.graph_)}

    @classmethod
    def _from_content(cls, content: Mapping[str, Any]) -> Self:
        model = unfitted_from_content(cls, content)
        model.graph_ = graph_from_content(content)
        restore_common(model, content)
        return model
