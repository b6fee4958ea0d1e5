"""A fit to Dask collections: read, encode, and learn over rows or from codes on the workers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from distributed import Client, Future

from weaklearn import _core
from weaklearn.dask.cluster_tasks import ClusterTasks, CountedParts, PartCounter, weights_of
from weaklearn.dask.collections import partitions_of
from weaklearn.dask.encode_parts import (
    EncodedPart,
    Encoding,
    encode_part,
    join_parts,
    merge_bins,
    summarize_bins,
)
from weaklearn.dask.fit_from_codes import check_memory, fit_from_codes
from weaklearn.dask.read_parts import PartSummary, PartTable, merge_summaries, read_part
from weaklearn.encoding import exact_sum
from weaklearn.estimators.class_weights import RowWeights, class_factors
from weaklearn.estimators.graph_classifier import GraphClassifier
from weaklearn.estimators.table_classifier import TableClassifier
from weaklearn.schema import ColumnOptions, Schema, infer_features
from weaklearn.tables.column import sorted_label_array
from weaklearn.tables.frames import Columns
from weaklearn.user_warnings import warn_user

_ROUNDING = 1e-6  # weights that sum to this much more than 1 are a distribution, as in local fits


def fit_on_cluster(
    client: Client, model: TableClassifier, X: Any, y: Any, sample_weight: Any
) -> TableClassifier:
    """Fit a local classifier to Dask collections, and return it.

    Parameters
    ----------
    client : Client
        The client of the cluster.
    model : TableClassifier
        The classifier, not fitted.
    X, y, sample_weight : Dask collections
        As for `DaskClassifier.fit`.
    """
    model.check_parameters()
    max_bins = _check_parameters(model)
    with ClusterTasks(client) as tasks:
        parts = _read(tasks, model.column_options(), X, y, sample_weight)
        summary: PartSummary = tasks.reduce(
            merge_summaries, [tasks.submit(_summary_of, part) for part in parts]
        )
        _check_rows(summary)
        schema = _schema_of(summary, model.column_options())
        encoding, encoded = _encode(tasks, parts, summary, schema, max_bins)
        if isinstance(model, GraphClassifier) and not _needs_rows(model, encoding):
            _fit_over_rows(tasks, model, encoding, encoded)
        else:
            n_rows = sum(summary.lengths)
            workers = check_memory(client, encoding, n_rows, type(model).__name__)
            model = fit_from_codes(tasks, model, encoded, workers)
    _note_columns(model, summary, encoding.schema)
    return model


def _check_parameters(model: TableClassifier) -> int:
    """Return max_bins; raise a ValueError for what cannot be learned from partitions."""
    name = f"Dask{type(model).__name__}"
    max_bins = model._bins()
    if max_bins is None:
        raise ValueError(
            f"{name} needs bins, so that sums over partitions are exact: set max_bins=255, for a "
            "committee in its estimator, such as estimator=C45Classifier(max_bins=255)."
        )
    member = model if not hasattr(model, "_member_estimator") else model._member_estimator()
    if not isinstance(member, TableClassifier):
        raise ValueError(
            f"{name} learns members of this package only, got {type(member).__name__}; use "
            "C45Classifier(max_bins=255) or TopDownClassifier(max_bins=255)."
        )
    if model.winnow:
        raise ValueError(
            f"{name}(winnow=True): features are winnowed on rows that are held back, which needs "
            "the whole table. Set winnow=False."
        )
    if model._needs_single_precision():
        raise ValueError(f"{name} has no arithmetic='release8': use arithmetic='double'.")
    return max_bins


def _read(
    tasks: ClusterTasks, options: ColumnOptions, X: Any, y: Any, sample_weight: Any
) -> list[Future[Any]]:
    """Return the futures of a `PartTable` for each partition."""
    triples = partitions_of(X, y, sample_weight)
    flat = [part for triple in triples for part in triple if part is not None]
    futures = iter(tasks.compute(flat))
    rows = [[None if part is None else next(futures) for part in triple] for triple in triples]
    read = [
        tasks.submit(read_part, *triple, index, options.missing, list(options.nominal))
        for index, triple in enumerate(rows)
    ]
    tasks.release(future for triple in rows for future in triple if future is not None)
    return read


def _summary_of(part: PartTable) -> PartSummary:
    return part.summary


def _check_rows(summary: PartSummary) -> None:
    n_rows, n_missing = summary.n_weighted, summary.n_without_class
    if not sum(summary.lengths):
        raise ValueError(
            "no partition has a row with a class and a positive weight; expected at least one."
        )
    if 2 * n_missing > n_rows:
        raise ValueError(
            f"Input y contains NaN: {n_missing:,} of {n_rows:,} classes are missing. Expected a "
            "class for at least half of the rows; check that y is the class."
        )
    if n_missing:
        warn_user(f"{n_missing:,} of {n_rows:,} rows have no class and are left out.")


def _schema_of(summary: PartSummary, options: ColumnOptions) -> Schema:
    features = infer_features(Columns(summary.names, 0, summary.columns), options)
    return Schema(features, summary.classes, summary.target, options.missing_values)


def _encode(
    tasks: ClusterTasks,
    parts: list[Future[Any]],
    summary: PartSummary,
    schema: Schema,
    max_bins: int,
) -> tuple[Encoding, list[Future[Any]]]:
    """Make the bins of the table, and encode each partition with them."""
    starts = np.cumsum([0, *summary.lengths])
    summaries = tasks.reduce(
        merge_bins,
        [
            tasks.submit(summarize_bins, part, schema, max_bins, int(start))
            for part, start in zip(parts, starts[:-1], strict=True)
        ],
    )
    encoding = Encoding.from_summaries(schema, summaries)
    n_rows, scale = summary.n_weighted, None
    if summary.weight_sum <= 1 + _ROUNDING and n_rows > 1:
        scale = float(summary.weight_sum), n_rows
    encoded = [tasks.submit(encode_part, part, encoding, scale) for part in parts]
    # Where they are tells which of them are joined.
    tasks.reduce(sum, [tasks.submit(_n_rows_of, part) for part in encoded])
    tasks.release(parts)
    return encoding, encoded


def _n_rows_of(part: EncodedPart) -> int:
    return len(part.classes)


def _needs_rows(model: Any, encoding: Encoding) -> bool:
    """Return whether pruning needs the rows themselves, because it shares out missing values."""
    if not model.prune or model.missing == "branch":
        return False
    groups_values = getattr(model, "subset", False) or getattr(model, "grouping", False)
    nominal = any(bins is None for bins in encoding.bins)
    return any(encoding.lacks_values) or (groups_values and nominal)


# -- over rows ------------------------------------------------------------------------------------
@dataclass(frozen=True, slots=True)
class _WeightsOfPart:
    """What the factors of classes and the unit of weights need to know of a part."""

    totals: list[Fraction]  # per class
    n_rows_of: list[int]  # per class
    least: float  # the least weight
    greatest: float


def _class_totals(part: EncodedPart) -> _WeightsOfPart:
    n_classes = len(part.encoding.schema.classes)
    rows_of = [part.weights[part.classes == k] for k in range(n_classes)]
    return _WeightsOfPart(
        [exact_sum(w) for w in rows_of],
        [len(w) for w in rows_of],
        float(part.weights.min(initial=np.inf)),
        float(part.weights.max(initial=0.0)),
    )


def _add_totals(parts: Any) -> _WeightsOfPart:
    return _WeightsOfPart(
        [sum(of_class, Fraction(0)) for of_class in zip(*(p.totals for p in parts), strict=True)],
        [sum(of_class) for of_class in zip(*(p.n_rows_of for p in parts), strict=True)],
        min(p.least for p in parts),
        max(p.greatest for p in parts),
    )


def _largest_weight(part: EncodedPart, factors: Any) -> tuple[float, int]:
    weights = weights_of(part, factors)
    return float(weights.max(initial=0.0)), int(np.count_nonzero(weights > 0))


def _sum_in_unit(part: EncodedPart, factors: Any, first_unit: float) -> int:
    return _core.WeightUnit.sum_in(first_unit, weights_of(part, factors))


def _all_weigh_one(part: EncodedPart, factors: Any, unit: float) -> bool:
    weights = weights_of(part, factors)
    rounded = np.maximum(np.rint(weights[weights > 0] / unit), 1.0) * unit
    return bool((rounded == 1.0).all())


def _merge_largest(pairs: Any) -> tuple[float, int]:
    return max(largest for largest, _ in pairs), sum(n for _, n in pairs)


def _fit_over_rows(
    tasks: ClusterTasks, model: Any, encoding: Encoding, encoded: list[Future[Any]]
) -> None:
    """Grow a tree here, from what the workers count."""
    schema = encoding.schema
    joined, workers = _one_part_per_worker(tasks, encoded)

    def over_parts(function: Callable[..., Any], merge: Any, *arguments: Any) -> Any:
        return tasks.reduce(
            merge,
            [
                tasks.submit(function, part, *arguments, near=worker)
                for part, worker in zip(joined, workers, strict=True)
            ],
        )

    totals: _WeightsOfPart = over_parts(_class_totals, _add_totals)
    factors = class_factors(
        model.class_weight,
        model.costs,
        schema.classes,
        np.flatnonzero(totals.n_rows_of),
        np.array([float(total) for total in totals.totals]),
    )
    largest, n_rows = totals.greatest, sum(totals.n_rows_of)
    if factors.of_rows is not None or totals.least == 0.0:
        largest, n_rows = over_parts(_largest_weight, _merge_largest, factors.of_rows)
    first_unit = _core.WeightUnit.first_unit(largest, n_rows)
    all_weigh_one = factors.of_rows is None and totals.least == totals.greatest == 1.0
    if all_weigh_one:  # nothing has to be asked
        total = n_rows * _core.WeightUnit.sum_in(first_unit, np.ones(1))
    else:
        total = over_parts(_sum_in_unit, sum, factors.of_rows, first_unit)
    unit = _core.WeightUnit.from_sum(first_unit, total)
    if not all_weigh_one:  # other weights may be rounded to 1
        all_weigh_one = over_parts(_all_weigh_one, all, factors.of_rows, unit.value)
    counters = [
        tasks.submit(PartCounter, part, factors.of_rows, (first_unit, total), near=worker)
        for part, worker in zip(joined, workers, strict=True)
    ]
    tasks.release(joined)
    counted = CountedParts(tasks, counters, workers)
    dataset = encoding.description()
    dataset.counted = _core.CountedRows(counted, unit, all_weigh_one)
    of_classes = factors.of_classes if factors.are_given else None
    model._cost_rule = factors.rule
    model._fit_core(dataset, RowWeights(np.zeros(0), of_classes, factors.relative), 1)


def _one_part_per_worker(
    tasks: ClusterTasks, encoded: list[Future[Any]]
) -> tuple[list[Future[Any]], list[str | None]]:
    """Join the partitions of each worker, so that a round has one task per worker."""
    groups: dict[str | None, list[Future[Any]]] = {}
    for part, worker in zip(encoded, tasks.worker_of(encoded), strict=True):
        groups.setdefault(worker, []).append(part)
    joined = [tasks.submit(join_parts, parts, near=worker) for worker, parts in groups.items()]
    tasks.release(encoded)
    return joined, list(groups)


def _note_columns(model: Any, summary: PartSummary, schema: Schema) -> None:
    model.classes_ = sorted_label_array(list(summary.occurring), summary.class_dtype)
    model.n_features_in_ = len(schema.features)
    if summary.names is not None:
        model.feature_names_in_ = np.array(summary.names, dtype=object)
    if hasattr(model, "_pass_on_columns"):
        model._pass_on_columns()
    if not model._has_learned():
        warn_user(
            f"{type(model).__name__} learned nothing: it predicts the same class for every row."
        )
