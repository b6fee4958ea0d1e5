"""Trees over the rows of a cluster: grown in the process of the client from what workers count."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core
from weaklearn.boosting.sampling import rounded_to_unit
from weaklearn.dask.cluster_tasks import CountedParts, PartCounter, join_to_counter
from weaklearn.dask.encode_parts import EncodedPart
from weaklearn.dask.rows_on_workers import OfParts, RowsOnWorkers, add_lists
from weaklearn.encoding import exact_sum
from weaklearn.estimators.class_weights import FactorsOfClasses, RowWeights, class_factors
from weaklearn.estimators.table_classifier import TableClassifier

Columns = NDArray[np.intp] | None


def fit_tree(
    rows: RowsOnWorkers,
    tree: TableClassifier,
    weights: OfParts | None,
    given: RowWeights,
    columns: Columns = None,
) -> None:
    """Fit a tree to rows on workers.

    Parameters
    ----------
    rows : RowsOnWorkers
        The rows.
    tree : C45Classifier or TopDownClassifier
        The tree, not fitted.
    weights : OfParts or None
        The weights of the rows; rows of weight 0 are absent. None for those of the user.
    given : RowWeights
        The factors of classes of a committee, which are part of the weights already. It has no
        rows.
    columns : array of int, optional
        The columns that the tree reads; None for all.
    """
    own, weights = weigh_classes(rows, tree, weights, given)
    unit = find_unit(rows, weights)
    of_counters = (unit.first, unit.total), columns
    if weights is None and rows.weight_range == (1.0, 1.0):
        counters = rows.map_partitions(join_to_counter, *of_counters)
    else:
        counters = rows.map(PartCounter, rows.parts, weights or rows.weights, *of_counters)
    dataset = rows.encoding.description()
    if columns is not None:
        dataset = dataset.take_columns(columns)
    counted = CountedParts(rows.tasks, counters.futures, rows.workers)
    dataset.counted = _core.CountedRows(counted, unit.core, unit.all_weigh_one)
    tree._fit_core(dataset, own, 1)


def weigh_classes(
    rows: RowsOnWorkers,
    model: TableClassifier,
    weights: OfParts | None,
    given: RowWeights,
) -> tuple[RowWeights, OfParts | None]:
    """Multiply the weights of rows by the factors of their classes, as local fits do.

    The classifier notes how to predict. The arguments are those of `fit_tree`. The first result has
    no rows.
    """
    schema = rows.encoding.schema
    factors = FactorsOfClasses(np.ones(len(schema.classes)), None, False, None, None)
    has_own = model.class_weight is not None or model.costs is not None
    if has_own or given.factors is not None:
        weights = weights or rows.weights
        totals = rows.merge(add_lists, _class_totals, rows.parts, weights, has_own)
        factors = class_factors(
            model.class_weight,
            model.costs,
            schema.classes,
            np.flatnonzero(rows.class_counts()) if model.costs is not None else np.zeros(0, int),
            np.array([float(total) for total in totals]),
            given.relative_costs,
        )
    model._cost_rule = factors.rule
    if factors.of_rows is not None:
        weights = rows.map(
            multiply_by_factors, rows.parts, weights or rows.weights, factors.of_rows
        )
    of_classes, have_factors = factors.of_classes, factors.are_given
    if given.factors is not None:
        of_classes, have_factors = of_classes * given.factors, True
    own = RowWeights(np.zeros(0), of_classes if have_factors else None, factors.relative)
    return own, weights


def _class_totals(part: EncodedPart, weights: NDArray[np.float64], exactly: bool) -> list[Fraction]:
    """Return the weight of each class; otherwise only whether it is 0."""
    n_classes = len(part.encoding.schema.classes)
    of_classes = (weights[part.classes == k] for k in range(n_classes))
    if exactly:
        return [exact_sum(of_class) for of_class in of_classes]
    return [Fraction(int(of_class.any())) for of_class in of_classes]


def multiply_by_factors(
    part: EncodedPart, weights: NDArray[np.float64], factors: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return the weight of each row times the factor of its class."""
    return weights * factors[part.classes]


@dataclass(frozen=True, slots=True)
class Unit:
    """The unit of the weights of some rows, as the core finds it.

    Parameters
    ----------
    first, total
        The first unit, and the sum of the weights in it.
    all_weigh_one : bool
        Whether all rows weigh 1 when they are rounded.
    """

    first: float
    total: int
    all_weigh_one: bool

    @property
    def core(self) -> _core.WeightUnit:
        """The unit."""
        return _core.WeightUnit.from_sum(self.first, self.total)


def find_unit(rows: RowsOnWorkers, weights: OfParts | None) -> Unit:
    """Find the unit of weights, None for those of the user: see core/tree/weight_unit.hpp."""
    if weights is None:
        (least, greatest), n_rows = rows.weight_range, rows.n_rows
    else:
        least, greatest, n_rows = rows.merge(_merge_ranges, _range_of, weights)
    first = _core.WeightUnit.first_unit(greatest, n_rows)
    if least == greatest == 1.0:  # nothing has to be asked
        total = n_rows * _core.WeightUnit.sum_in(first, np.ones(1))
    else:
        total = rows.merge(sum, _sum_in, weights or rows.weights, first)
    unit = _core.WeightUnit.from_sum(first, total).value
    rounded = rounded_to_unit(np.array([least, greatest]), unit)
    return Unit(first, total, bool((rounded == 1.0).all()))


def _range_of(weights: NDArray[np.float64]) -> tuple[float, float, int]:
    positive = weights[weights > 0]
    return (
        float(positive.min(initial=np.inf)),
        float(positive.max(initial=0.0)),
        len(positive),
    )


def _merge_ranges(ranges: Any) -> tuple[float, float, int]:
    least, greatest, n_rows = zip(*ranges, strict=True)
    return min(least), max(greatest), sum(n_rows)


def _sum_in(weights: NDArray[np.float64], first_unit: float) -> int:
    return _core.WeightUnit.sum_in(first_unit, weights)
