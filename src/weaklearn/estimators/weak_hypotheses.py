"""Weak hypotheses of G2: real-valued outputs of fitted classifiers of the classes -1 and 1."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator

from weaklearn.tables.frames import as_columns


def outputs_of(hypothesis: Any, X: Any) -> NDArray[np.float64]:
    """Return the real-valued output for each row: `decision_function`, or else `predict`."""
    compute = getattr(hypothesis, "decision_function", None) or hypothesis.predict
    outputs = np.asarray(compute(X), dtype=np.float64)
    if outputs.ndim != 1:
        raise ValueError(
            f"{type(hypothesis).__name__} returned an array of shape {outputs.shape}; expected one "
            "number per row"
        )
    return outputs


class ConstantLearner(BaseEstimator):
    """A weak learner with a constant output, for the nodes of a tree.

    The value of the constant does not matter: the output of a leaf is half the logarithm of the
    ratio of its class weights (Theorem 2 of Henry, Nock and Nielsen).

    Parameters
    ----------
    value : float
        The output; not 0.
    """

    def __init__(self, value: float = 1.0) -> None:
        self.value = value

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Learn nothing."""
        return self

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Return the constant for each row."""
        return np.full(as_columns(X).n_rows, float(self.value))
