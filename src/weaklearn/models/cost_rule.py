"""Prediction with costs: the class of least expected cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.models.file_content import number_array, take, take_array
from weaklearn.models.votes import row_sums

#: Expected costs that differ by less, relative to their size, are equal.
_SLACK = 1e-9


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class CostRule:
    """Predicts the class of least expected cost.

    Parameters
    ----------
    costs : array of float64, (n_classes, n_classes)
        What predicting the second class costs for a row of the first, in the order of the schema.
    factors : array of float64
        The factor of each class while the model was learned; 0 for a class without training rows.
    """

    costs: NDArray[np.float64]
    factors: NDArray[np.float64]

    def restored(self, shares: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the shares that classes have without their factors; rows sum to one."""
        known = self.factors > 0
        restored = np.zeros_like(shares)
        restored[:, known] = shares[:, known] / self.factors[known]
        total = row_sums(restored)
        result = shares.copy()
        np.divide(restored, total, out=result, where=total > 0)
        return result

    def cheapest(self, probabilities: NDArray[np.float64]) -> NDArray[np.int32]:
        """Return the class index of least expected cost; ties go to the lower index."""
        # A product of matrices would leave the order of additions to the library that computes it.
        expected = np.zeros_like(probabilities)
        for k, of_class in enumerate(self.costs):
            expected += probabilities[:, k : k + 1] * of_class
        expected[:, self.factors == 0] = np.inf
        least = expected.min(axis=1, keepdims=True)
        cheapest: NDArray[np.intp] = (expected <= least * (1 + _SLACK)).argmax(axis=1)
        return cheapest.astype(np.int32)

    def content(self) -> dict[str, Any]:
        """Return the rule, ready for JSON."""
        return {"matrix": self.costs.tolist(), "factors": self.factors.tolist()}

    @classmethod
    def from_content(cls, content: Mapping[str, Any], n_classes: int) -> CostRule:
        """Make a rule from the result of `content`; ValueError if it is not valid."""
        float64 = np.dtype(np.float64)
        lines = [number_array(line, "costs", float64) for line in take(content, "matrix", list)]
        factors = take_array(content, "factors", float64)
        shapes = [len(line) for line in lines]
        numbers = np.concatenate([*lines, factors])
        if shapes != [n_classes] * n_classes or len(factors) != n_classes:
            raise ValueError('its "cost_rule" does not have a number for each class')
        if not np.isfinite(numbers).all() or (numbers < 0).any() or not factors.any():
            raise ValueError(
                'its "cost_rule" has numbers that are not costs: expected numbers >= 0'
            )
        return cls(np.array(lines), factors)
