"""Fitted models that only predict, without estimators: without scikit-learn and SciPy."""

from __future__ import annotations

import os
from typing import Any

import numpy as np

from weaklearn.encoding import EncodedRows, encode_rows
from weaklearn.models.committee_content import voting_model_from_content
from weaklearn.models.cost_rule import CostRule
from weaklearn.models.file_content import take
from weaklearn.models.graph_content import graph_from_content
from weaklearn.models.prediction import LabelPrediction, Model, classes_from_content
from weaklearn.models.ruleset_content import ruleset_from_content
from weaklearn.models.saving import read_model
from weaklearn.models.separators import Separators
from weaklearn.schema import Schema


class Predictor(LabelPrediction):
    """A fitted classifier that predicts, and does nothing else.

    Parameters
    ----------
    content : dict
        The content of a file.
    n_threads : int
        The number of threads.

    Attributes
    ----------
    classes_ : array of labels
        The classes, in the order of the probabilities.
    feature_names : list of str
        The names of the features, in order.
    kind : str
        The classifier that was saved.
    """

    def __init__(self, content: dict[str, Any], n_threads: int = 1) -> None:
        self.kind = take(content, "kind", str)
        if "classes" not in content:
            raise ValueError(
                f"it holds a {self.kind} without its classifier: save the classifier, "
                "classifier.save(path)"
            )
        self.n_threads = n_threads
        self._schema_ = Schema.from_dict(take(content, "schema", dict))
        self._fitted = _model_from(content, self._schema_)
        self.classes_ = classes_from_content(content, self._schema_)
        self._has_names = take(content, "has_names", bool)
        if "cost_rule" in content:
            rule = take(content, "cost_rule", dict)
            self._cost_rule = CostRule.from_content(rule, len(self._schema_.classes))

    def __repr__(self) -> str:
        return f"<Predictor of a {self.kind}: {self._schema_.count_kinds()}>"

    @property
    def feature_names(self) -> list[str]:
        """The names of the features, in order."""
        return self._schema_.names

    @property
    def _schema(self) -> Schema:
        return self._schema_

    @property
    def _model(self) -> Model:
        return self._fitted

    def _encode(self, X: Any) -> EncodedRows:
        return encode_rows(X, self._schema_, self.kind, self._has_names)

    def _n_threads(self) -> int:
        return self.n_threads


def _model_from(content: dict[str, Any], schema: Schema) -> Model:
    if "graph" in content:
        return graph_from_content(content)
    if "ruleset" in content:
        return ruleset_from_content(content)
    if "separators" in content:
        return Separators.from_dict(schema, content)
    return voting_model_from_content(content, schema)


def load_predictor(path: str | os.PathLike[str], n_threads: int = 1) -> Predictor:
    """Load a model for predictions only, for example in a service.

    The predictions are those of `weaklearn.load`, to the bit. The process imports NumPy, but
    neither scikit-learn, SciPy nor pandas, so it starts quickly and takes little memory.

    Parameters
    ----------
    path : path
        A file that ``save`` wrote.
    n_threads : int
        The number of threads to predict with.

    Returns
    -------
    Predictor
        Has ``predict``, ``predict_proba``, ``classes_`` and ``feature_names``. It takes what a
        classifier takes: arrays, lists of rows, dicts of columns, frames.

    Raises
    ------
    LoadError
        If anything is wrong with the file; a ValueError that names the file and the reason.

    Examples
    --------
    >>> import weaklearn as wl
    >>> model = wl.load_predictor("model.wl")  # doctest: +SKIP
    >>> model.predict({"age": [30], "sex": ["male"]})  # doctest: +SKIP
    array(['no'], dtype='<U3')
    """
    if not isinstance(n_threads, int | np.integer) or n_threads < 1:
        raise ValueError(f"n_threads={n_threads!r}; expected a whole number >= 1")
    return read_model(path, lambda content: Predictor(content, int(n_threads)))
