"""Weights of classes and costs of errors, from what users pass to what a learner needs.

Both make some classes weigh more than they count. The weight of a row is its count times the factor
of its class. Factors are scaled so that the total weight stays the number of rows.

Costs are used twice: a class weighs in proportion to what its errors cost, and the class that is
predicted has the least expected cost. Probabilities are divided by the factors of costs again, so
that they estimate how often each class occurs (Elkan 2001).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core
from weaklearn.costs import check_labels, cost_matrix, is_amount
from weaklearn.encoding import exact_sum
from weaklearn.models.cost_rule import CostRule
from weaklearn.schema import Label
from weaklearn.tables.messages import quote

#: How many rows are counted at a time.
_BLOCK = 1 << 16


@dataclass(frozen=True, slots=True, eq=False)
class RowWeights:
    """The weights of the training rows, and how they depend on classes.

    Parameters
    ----------
    rows : array of float64 or uint8
        The weight of each row: its count times the factor of its class. The members of a committee
        may get numbers that are still to be multiplied by `scale`, or counts as bytes.
    factors : array of float64, optional
        The factor of each class of the schema. None if all are 1.
    relative_costs : array of float64, (n_classes, n_classes), optional
        What predicting the second class costs for a row of the first, divided by the mean over all
        wrong classes. None if all errors on a class cost the same.
    scale : float
        What `rows` are multiplied by to give the weights.
    """

    rows: NDArray[Any]
    factors: NDArray[np.float64] | None = None
    relative_costs: NDArray[np.float64] | None = None
    scale: float = 1.0

    def in_full(self) -> RowWeights:
        """Return the weights as numbers that need no scale."""
        if self.scale == 1.0 and self.rows.dtype == np.float64:
            return self
        rows = self.rows * self.scale if self.scale != 1.0 else self.rows.astype(np.float64)
        return replace(self, rows=rows, scale=1.0)

    def for_core(self) -> _core.ClassFactors:
        """Return factors and costs as the core takes them."""
        none = np.zeros(0)
        factors = none if self.factors is None else self.factors
        costs = none if self.relative_costs is None else self.relative_costs.ravel()
        return _core.ClassFactors(factors, costs)

    def counts(self, class_indices: NDArray[np.int32]) -> NDArray[np.float64]:
        """Return the counts of the rows, without the factors of their classes."""
        if self.factors is None:
            return self.rows
        counts: NDArray[np.float64] = np.zeros_like(self.rows)
        np.divide(self.rows, self.factors[class_indices], out=counts, where=self.rows > 0)
        return counts

    def with_counts(self, counts: NDArray[Any], class_indices: NDArray[np.int32]) -> RowWeights:
        """Return the same factors for rows with other counts."""
        rows = counts if self.factors is None else counts * self.factors[class_indices]
        return replace(self, rows=rows)


def weigh_classes(
    class_weight: Any,
    costs: Any,
    classes: Sequence[Label],
    class_indices: NDArray[np.int32],
    weights: RowWeights,
) -> tuple[RowWeights, CostRule | None]:
    """Multiply the weights of rows by the factors of their classes.

    Parameters
    ----------
    class_weight : None, "balanced" or dict
        As for a classifier.
    costs : None, matrix or dict
        As for a classifier.
    classes : sequence of labels
        The classes of the schema.
    class_indices : array of int32
        The class index of each row.
    weights : RowWeights
        The weights; a committee has multiplied them by factors of its own already.

    Returns
    -------
    weights : RowWeights
        The weights with all factors.
    rule : CostRule or None
        How to predict, if there are costs.
    """
    if class_weight is not None or costs is not None:
        weights = weights.in_full()
    n_rows_of, totals = count_classes(class_indices, weights.rows, len(classes))
    if class_weight is not None or costs is not None:  # factors do not depend on the order of rows
        rows_of = (weights.rows[class_indices == k] for k in range(len(classes)))
        totals = np.array([float(exact_sum(of_class)) for of_class in rows_of])
    factors = class_factors(
        class_weight, costs, classes, np.flatnonzero(n_rows_of), totals, weights.relative_costs
    )
    rows = (
        weights.rows if factors.of_rows is None else weights.rows * factors.of_rows[class_indices]
    )
    of_classes, has_factors = factors.of_classes, factors.are_given
    if weights.factors is not None:
        of_classes, has_factors = of_classes * weights.factors, True
    own = RowWeights(rows, of_classes if has_factors else None, factors.relative, weights.scale)
    return own, factors.rule


def count_classes(
    class_indices: NDArray[np.int32], weights: NDArray[Any], n_classes: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Return the number of rows and the weight of each class, before it is scaled."""
    n_rows, totals = np.zeros(n_classes, dtype=np.int64), np.zeros(n_classes)
    for first in range(0, len(class_indices), _BLOCK):  # NumPy copies what it counts
        some = slice(first, first + _BLOCK)
        n_rows += np.bincount(class_indices[some], minlength=n_classes)
        totals += np.bincount(class_indices[some], weights[some], n_classes)
    return n_rows, totals


@dataclass(frozen=True, slots=True, eq=False)
class FactorsOfClasses:
    """What class weights and costs make of the weights of rows.

    Parameters
    ----------
    of_classes : array of float64
        The factor of each class.
    of_rows : array of float64 or None
        The factor of each class by which weights are multiplied; None if that changes nothing.
    are_given : bool
        Whether classes have different factors or costs.
    relative : array of float64, optional
        As in `RowWeights`.
    rule : CostRule or None
        How to predict, if there are costs.
    """

    of_classes: NDArray[np.float64]
    of_rows: NDArray[np.float64] | None
    are_given: bool
    relative: NDArray[np.float64] | None
    rule: CostRule | None


def class_factors(
    class_weight: Any,
    costs: Any,
    classes: Sequence[Label],
    occurring: NDArray[np.integer[Any]],
    totals: NDArray[np.float64],
    relative: NDArray[np.float64] | None = None,
) -> FactorsOfClasses:
    """Return the factors of classes.

    Parameters
    ----------
    class_weight, costs, classes
        As for `weigh_classes`.
    occurring : array of int
        The indices of the classes that occur.
    totals : array of float64
        The weight of each class.
    relative : array of float64, optional
        The relative costs of a committee.
    """
    factors = _factors_of_classes(class_weight, classes, totals)
    rule = None
    if costs is not None:
        rule, relative = _rule_of_costs(costs, classes, occurring, totals)
        factors = factors * rule.factors
    positive = (totals > 0) & (factors > 0)
    if not positive.any():
        raise ValueError("class_weight is 0 for every class that occurs: one must be positive.")
    if np.ptp(factors[positive]) == 0:
        factors = positive.astype(np.float64)
        has_factors = relative is not None
    else:  # the rows of positive weight keep their total weight
        with np.errstate(over="ignore", invalid="ignore"):
            scaled = factors * (totals[positive].sum() / (totals[positive] @ factors[positive]))
        if not np.isfinite(scaled).all():
            lightest = int(np.argmax(np.where(positive, factors, 0.0)))
            raise ValueError(
                f"the rows of class {quote(str(classes[lightest]))} weigh {totals[lightest]:g}, "
                f"all rows {totals.sum():g}; expected weights that class_weight and costs can make "
                "up for. Leave these rows out, or give them a greater sample_weight."
            )
        factors, has_factors = scaled, True
    of_rows = None if (factors[totals > 0] == 1).all() else factors
    return FactorsOfClasses(factors, of_rows, has_factors, relative, rule)


def _factors_of_classes(
    class_weight: Any, classes: Sequence[Label], totals: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the factor of each class; their scale does not matter."""
    factors = np.ones(len(classes))
    if class_weight is None:
        return factors
    if isinstance(class_weight, str):  # "balanced"
        mean = totals.sum() / np.count_nonzero(totals)
        with np.errstate(over="ignore"):  # reported when all factors are known
            np.divide(mean, totals, out=factors, where=totals > 0)
        return factors
    check_labels(class_weight, set(class_weight), classes, "class_weight")
    return np.array([float(class_weight.get(label, 1.0)) for label in classes])


def _rule_of_costs(
    costs: Any,
    classes: Sequence[Label],
    occurring_indices: NDArray[np.integer[Any]],
    totals: NDArray[np.float64],
) -> tuple[CostRule, NDArray[np.float64] | None]:
    """Return the rule, and the relative costs where errors on a class cost differently."""
    occurring = [classes[k] for k in occurring_indices]
    matrix = cost_matrix(costs, classes, occurring)
    present = np.flatnonzero(totals > 0)
    factors = np.zeros(len(classes))
    factors[present] = matrix[np.ix_(present, present)].sum(axis=1)
    if len(present) == 1:
        factors[present] = 1.0
    elif not factors[present].all():
        free = classes[present[np.argmin(factors[present])]]
        raise ValueError(
            f"costs: predicting another class for {quote(str(free))} costs nothing; expected a "
            "positive cost for at least one error on every class."
        )
    relative = np.ones_like(matrix)
    n_others = max(len(present) - 1, 1)
    relative[present] = matrix[present] * (n_others / factors[present, None])
    wrong = ~np.eye(len(present), dtype=bool)
    if np.allclose(relative[np.ix_(present, present)][wrong], 1.0, rtol=1e-12, atol=0):
        return CostRule(matrix, factors), None
    return CostRule(matrix, factors), relative


def check_class_weight(class_weight: Any, owner: str) -> None:
    """Raise a ValueError if class weights cannot be used, whatever the classes are."""
    if class_weight is None or (isinstance(class_weight, str) and class_weight == "balanced"):
        return
    if isinstance(class_weight, Mapping) and all(is_amount(w) for w in class_weight.values()):
        return
    raise ValueError(
        f"{owner}(class_weight={class_weight!r}): class_weight must be None, 'balanced' or a dict "
        "of a number >= 0 for each class, such as {'sick': 10, 'healthy': 1}."
    )
