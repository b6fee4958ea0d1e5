"""Classifiers whose model is one graph."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from weaklearn.dataset import Encoded
from weaklearn.estimators.table_classifier import TableClassifier, sorted_labels
from weaklearn.models.graph import Graph
from weaklearn.models.saving import graph_content, graph_from_content, register_kind, take, write
from weaklearn.schema import Schema


class GraphClassifier(TableClassifier):
    """Base of the classifiers whose model is one graph, in ``tree_``."""

    tree_: Graph

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        register_kind(cls.__name__, cls._from_content)

    @property
    def _schema(self) -> Schema:
        return self.tree_.schema

    def predict_numbers(self, rows: Encoded, n_threads: int = 1) -> NDArray[np.int32]:
        """Answer with the number of each row's class in the schema."""
        return self.tree_.predict(rows, n_threads)

    def predict_weights(self, rows: Encoded, n_threads: int = 1) -> NDArray[np.float64]:
        """Answer with each row's weight per class of the schema."""
        return self.tree_.predict_proba(rows, n_threads)

    def save(self, path: str | PathLike[str]) -> None:
        """Save the fitted classifier as JSON, for `weaklearn.load`.

        Parameters
        ----------
        path : path
            Ends in ``.json``, or in ``.json.gz`` to compress it. The file is written whole or not
            at all.

        Examples
        --------
        >>> model.save("model.json")  # doctest: +SKIP
        """
        check_is_fitted(self)
        write(
            path,
            type(self).__name__,
            {
                "parameters": _storable(self.get_params(deep=False)),
                "classes": self.classes_.tolist(),
                "classes_are_objects": self.classes_.dtype == object,
                "has_names": hasattr(self, "feature_names_in_"),
                **graph_content(self.tree_),
            },
        )

    @classmethod
    def _from_content(cls, content: Mapping[str, Any]) -> Self:
        parameters = take(content, "parameters", dict)
        unknown = sorted(set(parameters) - set(cls._get_param_names()))
        if unknown:
            raise ValueError(f"{cls.__name__} has no parameter {unknown[0]!r}")
        model = cls(**parameters)
        model.check_parameters()
        model.tree_ = graph_from_content(content)
        labels = take(content, "classes", list)
        if not labels or not set(labels) <= set(model.tree_.schema.classes):
            raise ValueError('its "classes" are not classes of its schema')
        as_objects = take(content, "classes_are_objects", bool)
        model.classes_ = sorted_labels(labels, np.dtype(object) if as_objects else None)
        model.n_features_in_ = len(model._schema.attributes)
        if take(content, "has_names", bool):
            model.feature_names_in_ = np.array(model._schema.names, dtype=object)
        return model


def _storable(parameters: dict[str, Any]) -> dict[str, Any]:
    """Return the parameters as JSON can hold them; a generator of chance does not survive."""
    stored: dict[str, Any] = {}
    for name, value in parameters.items():
        if isinstance(value, np.generic):
            value = value.item()
        if isinstance(value, str | int | float | None):
            stored[name] = value
        elif name in ("nominal", "continuous"):
            stored[name] = [v.item() if isinstance(v, np.generic) else v for v in value]
    return stored
