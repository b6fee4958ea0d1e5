"""Scores that are sums over features: the outputs of separators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.encoding import EncodedRows
from weaklearn.explain.contributions import of_separators
from weaklearn.models.additive_score import in_class_order
from weaklearn.models.separators import Separators, leaf_outputs
from weaklearn.schema import Label, Schema


@dataclass(frozen=True, eq=False, repr=False)
class SeparatorScore:
    """The outputs H(x) of separators, with the methods of an `AdditiveScore`.

    The output is a sum over features, and a missing value adds a constant. So the Shapley value of
    a feature is what it adds beyond what a missing value adds.

    Parameters
    ----------
    separators : Separators
        The separators of a classifier.
    encode : callable
        Returns the encoded rows of a frame.
    class_order : array of int
        The index in the schema of each class of the model; -1 for a class that was not learned.
    classes : sequence of labels
        The classes of the model, in this order.
    """

    separators: Separators
    encode: Callable[[Any], EncodedRows]
    class_order: NDArray[np.intp]
    classes: Sequence[Label]

    def __repr__(self) -> str:
        return f"SeparatorScore({len(self.classes)} classes)"

    @property
    def schema(self) -> Schema:
        """The features and classes of the separators."""
        return self.separators.schema

    def scores(self, rows: EncodedRows) -> NDArray[np.float64]:
        """Return the output of each row in favour of each class, (n_rows, n_classes)."""
        return in_class_order(self.separators.class_outputs(rows), self.class_order, _not_learned())

    def shap_values(self, rows: EncodedRows) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the Shapley value of each row, feature and class, and the base values."""
        contributions = of_separators(self.separators, rows)
        base_values = np.repeat(contributions.base[np.newaxis], rows.n_rows, axis=0)
        return (
            in_class_order(contributions.values, self.class_order),
            in_class_order(base_values, self.class_order, _not_learned()),
        )


def _not_learned() -> float:
    """Return the output of a class that was not learned: that of a leaf without its weight."""
    return float(leaf_outputs(np.eye(1, 2))[0, 1])
