"""Fit a classifier to a table that is read in batches."""

from __future__ import annotations

from time import perf_counter
from typing import TYPE_CHECKING, Any

import numpy as np
from sklearn.base import clone

from weaklearn.boosting.progress import Progress, progress_bar
from weaklearn.encoding import warn_of_counted_columns
from weaklearn.encoding.scanned_table import TableScanner
from weaklearn.estimators.training_table import TrainingTable, check_missing_classes
from weaklearn.tables.column import sorted_label_array
from weaklearn.tables.frames import Columns
from weaklearn.tables.scan import Scan

if TYPE_CHECKING:
    from weaklearn.estimators.table_classifier import TableClassifier


def read_scanned_table(
    model: TableClassifier, scan: Scan, y: Any, sample_weight: Any, n_threads: int
) -> TrainingTable:
    """Read and encode a scan for a classifier; rows without a class or a weight are dropped.

    Parameters
    ----------
    model : TableClassifier
        The classifier, whose parameters are checked.
    scan : Scan
        The table.
    y : None or str
        What the user passed as the classes.
    sample_weight : array, number or None
        The weights, if the scan has no column for them.
    n_threads : int
        Threads to encode with.

    Raises
    ------
    ValueError
        If the classifier cannot learn from a scan, or if the scan has no target.
    """
    max_bins = _require_bins(model)
    if scan.target is None:
        raise ValueError(
            f"{scan.name} has no target: name the column that holds the class, "
            "wl.scan(..., target=...)."
        )
    if y is not None and not (isinstance(y, str) and y == scan.target):
        raise ValueError(
            f"y was passed, but the classes are in column {scan.target!r} of the table: call "
            "fit(scan)."
        )
    verbose = max(scan.verbose, getattr(model, "verbose", 0))
    started = perf_counter()
    with progress_bar(verbose, None, "rows read") as show:

        def report(done: int, planned: int) -> None:
            if show is not None:
                show(Progress(done, planned, None, perf_counter() - started))

        options = model.column_options()
        scanner = TableScanner(scan, options, max_bins, sample_weight, report)
        table = scanner.encode(n_threads)
    if table.kept is not None:
        check_missing_classes(table.class_indices[table.all_weights > 0])
    schema = table.dataset.schema
    columns = table.dataset.core.columns
    warn_of_counted_columns(
        schema.features,
        [column.n_codes for column in columns],
        table.label_counts,
        table.keys,
        [column.n_missing > 0 for column in columns],
        len(table.weights),
        model._missing_is_value(),
    )
    no_rows = [np.zeros(0)] * len(schema.features)
    return TrainingTable(
        None,
        table.kept,
        Columns(schema.names, 0, list(no_rows)),
        schema.classes,
        table.dataset.classes,
        table.weights,
        scan.target,
        sorted_label_array(table.labels, None),
        table.dataset,
    )


def _require_bins(model: TableClassifier) -> int:
    name = type(model).__name__
    max_bins = model._bins()
    if max_bins is not None:
        return max_bins
    part = getattr(model, "_member_estimator", lambda: model)()
    if "max_bins" not in getattr(part, "_parameters", {}):
        raise TypeError(
            f"{name} cannot learn from a table that is read in batches; expected C45Classifier, "
            "TopDownClassifier or BranchingProgramClassifier, or a committee of them. Pass a "
            "frame in memory."
        )
    if part is model:
        with_bins = clone(model).set_params(max_bins=255)
    else:
        member = clone(model._part_or_default("estimator")).set_params(max_bins=255)
        with_bins = clone(model).set_params(estimator=member)
    raise ValueError(
        f"{name} learns from a table that is read in batches only with bins: "
        f"{' '.join(repr(with_bins).split())}. At most 65,535 are possible; up to 255 take one "
        "byte per cell."
    )
