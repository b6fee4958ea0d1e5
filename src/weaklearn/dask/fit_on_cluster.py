"""A fit to Dask collections: read, encode, and learn over rows or from gathered codes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np
from distributed import Client, Future

from weaklearn.dask.cluster_tasks import ClusterTasks
from weaklearn.dask.collections import partitions_of
from weaklearn.dask.committee_over_rows import fit_committee
from weaklearn.dask.encode_parts import (
    EncodedPart,
    Encoding,
    count_labels,
    encode_part,
    join_parts,
    merge_bins,
    merge_label_counts,
    scale_weights,
    summarize_bins,
)
from weaklearn.dask.fit_from_codes import MemoryNeeded, fit_from_codes
from weaklearn.dask.fit_over_rows import fit_tree
from weaklearn.dask.read_parts import PartSummary, PartTable, merge_summaries, read_part
from weaklearn.dask.rows_on_workers import EncodedTable, RowsOnWorkers
from weaklearn.encoding import warn_of_counted_columns
from weaklearn.estimators import C45Classifier, TopDownClassifier
from weaklearn.estimators.class_weights import RowWeights
from weaklearn.estimators.table_classifier import TableClassifier
from weaklearn.schema import ColumnOptions, Schema, infer_features
from weaklearn.tables.column import sorted_label_array
from weaklearn.tables.frames import Columns
from weaklearn.tables.suspicious_columns import KeyRanges
from weaklearn.tables.suspicious_labels import LabelCounts
from weaklearn.user_warnings import warn_user, warnings_are_muted

#: A tree is learned in this process from codes that take no more. To gather them takes less time
#: than the rounds over rows on workers; docs/guides/dask.md has the times.
_MOST_BYTES_HERE = 2**25
#: Each column has 65,536 numbers of 8 bytes for the bins.
_MOST_COLUMNS_HERE = 100
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
        workers = tasks.workers_of(parts)
        summary: PartSummary = tasks.merge_calls(
            merge_summaries, _summary_of, [[part] for part in parts], workers
        )
        _check_rows(summary)
        schema = _schema_of(summary, model.column_options())
        starts = np.cumsum([0, *summary.lengths])[:-1].tolist()
        n_threads = model._n_threads()
        made = _make_encoding(tasks, parts, starts, workers, summary, schema, max_bins, n_threads)
        encoding = tasks.result(made) if isinstance(made, Future) else made
        scale = _scale_of(summary)
        weight_range = _scaled_range(summary, scale)
        calls = [(part, made, scale, start) for part, start in zip(parts, starts, strict=True)]
        n_rows = sum(summary.lengths)
        keys = [None if range_of is None else range_of.key for range_of in summary.ranges]
        is_small = n_rows * encoding.bytes_per_row() <= _MOST_BYTES_HERE
        if is_small and isinstance(model, C45Classifier | TopDownClassifier):
            part = _gather(tasks, calls, workers)
            _warn_of_columns(encoding, n_rows, partial(count_labels, part), keys, model)
            dataset = encoding.dataset(part.codes, part.classes, n_threads)
            # A fit is faster if it knows that all rows weigh 1, which such an array tells it.
            all_ones = weight_range == (1.0, 1.0)
            weights = np.broadcast_to(1.0, n_rows) if all_ones else part.weights
            model.fit_dataset(dataset, weights, n_threads)
        else:
            encoded = _start_encoding(tasks, calls, workers)
            table = EncodedTable(encoding, encoded, workers, n_rows, weight_range)
            _warn_of_columns(encoding, n_rows, partial(_count_labels, tasks, table), keys, model)
            model = _fit_on_workers(client, tasks, model, table)
    _note_columns(model, summary, encoding.schema)
    return model


def _fit_on_workers(
    client: Client, tasks: ClusterTasks, model: TableClassifier, table: EncodedTable
) -> Any:
    """Fit a model to rows that stay on workers, or are gathered on them, and return it."""
    if isinstance(model, C45Classifier | TopDownClassifier):
        fit_tree(RowsOnWorkers(tasks, table), model, None, RowWeights(np.zeros(0)))
        return model
    memory = MemoryNeeded(client, table.encoding, table.n_rows)
    if able_workers := memory.able_workers():
        return fit_from_codes(tasks, model, table.parts, able_workers)
    if not isinstance(_tree_of(model), C45Classifier | TopDownClassifier):
        memory.refuse(type(model).__name__)
    fit_committee(RowsOnWorkers(tasks, table), model)
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
    member = _tree_of(model)
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


def _tree_of(model: Any) -> Any:
    """Return the classifier itself, or that of the members of a committee."""
    return model._member_estimator() if hasattr(model, "_member_estimator") else model


def _read(
    tasks: ClusterTasks, options: ColumnOptions, X: Any, y: Any, sample_weight: Any
) -> list[Future[Any]]:
    """Return the futures of a `PartTable` for each partition."""
    read = partial(read_part, missing=options.missing, nominal=list(options.nominal))
    triples = partitions_of(X, y, sample_weight)
    return tasks.compute(read, [(*triple, index) for index, triple in enumerate(triples)])


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


def _make_encoding(
    tasks: ClusterTasks,
    parts: list[Future[Any]],
    starts: list[int],
    workers: list[str | None],
    summary: PartSummary,
    schema: Schema,
    max_bins: int,
    n_threads: int,
) -> Encoding | Future[Any]:
    """Make the bins here if what they need is small and workers are few, otherwise on a worker."""
    n_known = [
        0 if range_of is None or feature.ignored else range_of.n_known
        for range_of, feature in zip(summary.ranges, schema.features, strict=True)
    ]
    calls = [
        (part, schema, max_bins, n_known, start) for part, start in zip(parts, starts, strict=True)
    ]
    if len(schema.features) <= _MOST_COLUMNS_HERE:
        summaries = tasks.ask_workers(summarize_bins, calls, workers)
        if summaries is not None:
            return Encoding.from_summaries(schema, summaries, n_threads)
    futures = [
        tasks.submit(summarize_bins, *call, near=worker)
        for call, worker in zip(calls, workers, strict=True)
    ]
    return tasks.submit(Encoding.from_summaries, schema, tasks.merge_to_few(merge_bins, futures))


def _scale_of(summary: PartSummary) -> tuple[float, int] | None:
    """Return how weights that are a distribution are scaled to counts; None if they are not."""
    n_rows = summary.n_weighted
    is_distribution = summary.weight_sum <= 1 + _ROUNDING and n_rows > 1
    return (float(summary.weight_sum), n_rows) if is_distribution else None


def _scaled_range(summary: PartSummary, scale: tuple[float, int] | None) -> tuple[float, float]:
    """Return the least and the greatest weight of a row after scaling."""
    weight_range = np.array(summary.weight_range)
    if scale is not None:
        weight_range = scale_weights(weight_range, scale)
    least, greatest = weight_range.tolist()
    return least, greatest


def _gather(
    tasks: ClusterTasks, calls: Sequence[Sequence[Any]], workers: list[str | None]
) -> EncodedPart:
    """Encode all partitions, and return the rows of the whole table here."""
    # Workers are asked only for what they hold, which bins that a worker made are not.
    if not isinstance(calls[0][1], Future):
        part: EncodedPart = tasks.merge_calls(join_parts, encode_part, calls, workers)
    else:
        part = tasks.reduce(join_parts, _start_encoding(tasks, calls, workers))
    tasks.release([call[0] for call in calls])
    return part


def _start_encoding(
    tasks: ClusterTasks, calls: Sequence[Sequence[Any]], workers: list[str | None]
) -> list[Future[Any]]:
    """Start to encode each partition, which is released then."""
    encoded = [
        tasks.submit(encode_part, *call, near=worker)
        for call, worker in zip(calls, workers, strict=True)
    ]
    tasks.release([call[0] for call in calls])
    return encoded


def _warn_of_columns(
    encoding: Encoding,
    n_rows: int,
    count: Callable[[], list[LabelCounts | None]],
    keys: list[KeyRanges],
    model: TableClassifier,
) -> None:
    """Warn of suspicious columns, as far as counts tell. `count` is for nominal columns."""
    if warnings_are_muted():
        return
    features = encoding.schema.features
    has_nominal = any(feature.kind == "nominal" for feature in features)
    warn_of_counted_columns(
        features,
        encoding.n_codes(),
        count() if has_nominal else [None] * len(features),
        keys,
        encoding.lacks_values,
        n_rows,
        model._missing_is_value(),
    )


def _count_labels(tasks: ClusterTasks, table: EncodedTable) -> list[LabelCounts | None]:
    """Count the rows of each value of nominal columns on the workers."""
    counted = [
        tasks.submit(count_labels, part, near=worker)
        for part, worker in zip(table.parts, table.workers, strict=True)
    ]
    labels: list[LabelCounts | None] = tasks.reduce(merge_label_counts, counted)
    return labels


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
