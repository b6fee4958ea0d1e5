"""Encode a table that is read in batches, in two passes.

The first pass finds what each column is, its values, its bins and the classes. The second pass
writes codes to a `CodesFile`. Texts that stand for numbers or dates need one more pass in between,
because their bins can be made only when all texts are known.

Both passes compute a checksum of each column, so that a table that changes meanwhile, or comes in
another order, is an error and not a wrong model.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.encoding.codes_file import CodesFile
from weaklearn.encoding.dataset import MAX_ROWS, Dataset
from weaklearn.encoding.encode_columns import encode_columns
from weaklearn.encoding.memory import require_memory
from weaklearn.encoding.sample_weight import check_sample_weight, counts_of_rows
from weaklearn.encoding.scanned_columns import (
    ScannedColumn,
    ScannedLabels,
    code_type,
    narrow_codes,
)
from weaklearn.schema import (
    ColumnOptions,
    Feature,
    Label,
    Schema,
    classes_of,
    column_positions,
    infer_features,
    read_classes,
)
from weaklearn.tables.column import MISSING_CODE
from weaklearn.tables.frames import Columns, as_columns
from weaklearn.tables.messages import quote
from weaklearn.tables.scan import Scan
from weaklearn.tables.suspicious_columns import KeyRanges
from weaklearn.tables.suspicious_labels import LabelCounts

#: Called with the number of rows read so far and the number of rows of all passes.
Report = Callable[[int, int], None]

#: What a fit needs for each row besides the codes: classes, weights, the rows of nodes.
_BYTES_PER_ROW = 100


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ScannedTable:
    """The rows of a scan that have a class and a positive weight, encoded.

    Parameters
    ----------
    dataset : Dataset
        Their codes and classes.
    kept : array of int or None
        Which rows of the scan they are; None for all.
    weights : array of float64
        Their weights, as counts of rows.
    labels : list of labels
        The classes that occur in any row, also in one of weight 0.
    class_indices : array of int32
        Per row of the scan its class, or `MISSING_CODE`, for messages.
    all_weights : array of float64
        The weight of each row of the scan.
    label_counts : list of LabelCounts or None
        The counts of each nominal column.
    keys : list of KeyRanges
        The ranges of numbers that may be keys.
    """

    dataset: Dataset
    kept: NDArray[np.intp] | None
    weights: NDArray[np.float64]
    labels: list[Label]
    class_indices: NDArray[np.int32]
    all_weights: NDArray[np.float64]
    label_counts: list[LabelCounts | None]
    keys: list[KeyRanges]


class TableScanner:
    """Encodes one scan.

    Parameters
    ----------
    scan : Scan
        The table, with a target.
    options : ColumnOptions
        What the user declares about columns.
    max_bins : int
        The most bins of a column of numbers.
    sample_weight : array, number or None
        The weight of each row, if the scan has no column for it.
    report : callable
        Is called after each batch.
    """

    def __init__(
        self, scan: Scan, options: ColumnOptions, max_bins: int, sample_weight: Any, report: Report
    ) -> None:
        assert scan.target is not None, "the caller checks it"
        names = scan.feature_names
        if not names or not scan.n_rows:
            raise ValueError(
                f"{scan.name} has {scan.n_rows:,} rows and {len(names)} features; expected at "
                "least one of each."
            )
        if scan.n_rows > MAX_ROWS:
            raise ValueError(f"got {scan.n_rows:,} rows; expected at most {MAX_ROWS:,}.")
        self._scan, self._options, self._max_bins = scan, options, max_bins
        self._names, self._target = names, scan.target
        nominal = column_positions(options.nominal, names, "nominal")
        ignored = column_positions(options.ignore, names, "ignore")
        self._columns = [
            ScannedColumn(name, max_bins, i in nominal, i in ignored)
            for i, name in enumerate(names)
        ]
        self._check_memory(len(names) - len(ignored))
        if scan.weight is None:
            self._weights = check_sample_weight(sample_weight, scan.n_rows)
        elif sample_weight is not None:
            raise ValueError(
                f"sample_weight was passed, and the scan has weight={scan.weight!r}; expected one "
                "of the two."
            )
        else:
            self._weights = np.full(scan.n_rows, np.nan)
        self._report, self._n_read, self._n_passes = report, 0, 2

    def _check_memory(self, n_columns: int) -> None:
        needed = self._scan.n_rows * _BYTES_PER_ROW + self._scan.batch_rows * n_columns * 32
        remedy = "Pass fewer rows, or lower n_jobs."
        if self._max_bins > np.iinfo(np.uint8).max:
            needed += 4 * self._scan.n_rows * n_columns  # the order of rows
            remedy = "Lower max_bins to 255, leave out columns with ignore=[...], or lower n_jobs."
        purpose = f"fitting {self._scan.n_rows:,} rows of {n_columns} columns"
        require_memory(needed, purpose, remedy)

    def encode(self, n_threads: int) -> ScannedTable:
        """Read the table and return its codes, on disk, with its classes and weights."""
        labels, codes = ScannedLabels(), np.zeros(self._scan.n_rows, dtype=np.int32)
        kept_labels, kept_codes = ScannedLabels(), []
        occurs: set[Label] = set()
        missing = self._options.missing
        is_kept = np.zeros(self._scan.n_rows, dtype=np.bool_)
        used = [column for column in self._columns if not column.ignored]
        names = [column.name for column in used]
        others = [self._target, *([] if self._scan.weight is None else [self._scan.weight])]
        for first, batch in self._batches([*names, *others]):
            rows = slice(first, first + _n_rows(batch))
            of_class = read_classes(batch[self._target], missing)
            found, found_codes = classes_of(of_class, allow_missing=True)
            codes[rows] = labels.add(found, found_codes, of_class)
            present = np.unique(found_codes[found_codes != MISSING_CODE])
            occurs.update(found[code] for code in present.tolist())
            if self._scan.weight is not None:
                self._weights[rows] = _as_numbers(batch[self._scan.weight])
            is_kept[rows] = (codes[rows] != MISSING_CODE) & (self._weights[rows] > 0)
            if not is_kept[rows].all():
                chosen = _take(batch[self._target], np.flatnonzero(is_kept[rows]))
                of_class = read_classes(chosen, missing)
                found, found_codes = classes_of(of_class, allow_missing=True)
            kept_codes.append(kept_labels.add(found, found_codes, of_class))
            columns = self._kept_columns(batch.select(names), is_kept[rows])
            for scanned, column in zip(used, columns.data, strict=True):
                scanned.add(column)
        weights = counts_of_rows(check_sample_weight(self._weights, self._scan.n_rows))
        _, index_of = labels.in_order()
        all_indices = np.append(index_of, np.int32(MISSING_CODE))[codes]
        if not is_kept.any():
            n_missing = int((all_indices == MISSING_CODE).sum())
            raise ValueError(
                f"Input y contains NaN: {n_missing:,} of {len(weights):,} classes in column "
                f"{quote(self._target)} are missing, and no row has a class and a positive weight."
            )
        classes, index_of = kept_labels.in_order()
        class_indices = index_of[np.concatenate(kept_codes)]
        kept_codes.clear()
        features = self._features()
        schema = Schema(features, classes, self._target, self._options.missing_values)
        counts = [
            LabelCounts(len(feature.values), len(classes)) if feature.kind == "nominal" else None
            for feature in features
        ]
        dataset = self._encode_columns(schema, class_indices, is_kept, counts, n_threads)
        kept = None if is_kept.all() else np.flatnonzero(is_kept)
        return ScannedTable(
            dataset,
            kept,
            weights if kept is None else weights[kept],
            labels.typed(occurs),
            all_indices,
            weights,
            counts,
            [column.key for column in self._columns],
        )

    def _batches(self, columns: Sequence[str] | None) -> Iterator[tuple[int, Any]]:
        """Yield the position of the first row and the rows of each batch."""
        first = 0
        for batch in self._scan.batches(columns):
            if first + _n_rows(batch) > self._scan.n_rows:
                raise self._changed()
            yield first, batch
            first += _n_rows(batch)
            self._n_read += _n_rows(batch)
            self._report(self._n_read, self._n_passes * self._scan.n_rows)
        if first != self._scan.n_rows:
            raise self._changed()

    def _kept_columns(self, batch: Any, is_kept: NDArray[np.bool_]) -> Columns:
        columns = as_columns(batch, self._options.missing)
        return columns if is_kept.all() else columns.take_rows(np.flatnonzero(is_kept))

    def _features(self) -> tuple[Feature, ...]:
        data = [column.without_rows() for column in self._columns]
        return infer_features(Columns(self._names, 0, data), self._options)

    def _encode_columns(
        self,
        schema: Schema,
        class_indices: NDArray[np.int32],
        is_kept: NDArray[np.bool_],
        counts: Sequence[LabelCounts | None],
        n_threads: int,
    ) -> Dataset:
        checksums = [column.start_again() for column in self._columns]
        self._summarize_texts(schema.features, is_kept)
        bins = [
            column.summary.bins(feature.date is not None) if feature.kind == "continuous" else None
            for column, feature in zip(self._columns, schema.features, strict=True)
        ]
        n_rows = len(class_indices)
        types = [
            code_type(len(feature.values) if of_column is None else of_column.n_codes)
            for feature, of_column in zip(schema.features, bins, strict=True)
        ]
        used = [i for i, column in enumerate(self._columns) if not column.ignored]
        with CodesFile(n_rows, [types[i] for i in used], self._scan.temporary_folder) as file:
            n_written = 0
            for columns, arrays in self._encoded_batches(used, schema.features, is_kept):
                of_rows = class_indices[n_written : n_written + columns.n_rows]
                for place, (i, array) in enumerate(zip(used, arrays, strict=True)):
                    self._columns[i].check(columns.data[place])
                    codes = narrow_codes(array, schema.features[i], bins[i])
                    file.write(place, n_written, codes)
                    if (own := counts[i]) is not None:
                        own.add(codes, of_rows)
                n_written += columns.n_rows
            if [column.start_again() for column in self._columns] != checksums:
                raise self._changed()
            mapped = dict(zip(used, file.arrays(), strict=True))
        # All values of an ignored column are missing, and the code of a missing value is then 0.
        of_columns = [
            mapped[i] if i in mapped else np.zeros(n_rows, kind) for i, kind in enumerate(types)
        ]
        return Dataset.from_codes(of_columns, bins, schema, class_indices, n_threads)

    def _summarize_texts(self, features: Sequence[Feature], is_kept: NDArray[np.bool_]) -> None:
        """Add texts that stand for numbers or dates to the summaries of their columns."""
        texts = [
            i
            for i, (column, feature) in enumerate(zip(self._columns, features, strict=True))
            if feature.kind == "continuous" and column.holds_labels
        ]
        if not texts:
            return
        self._n_passes += 1
        first = 0
        for columns, arrays in self._encoded_batches(texts, features, is_kept):
            for i, array in zip(texts, arrays, strict=True):
                self._columns[i].add_numbers(array, first)
            first += columns.n_rows

    def _encoded_batches(
        self, positions: Sequence[int], features: Sequence[Feature], is_kept: NDArray[np.bool_]
    ) -> Iterator[tuple[Columns, list[NDArray[Any]]]]:
        """Yield the kept rows of some columns in each batch, and their encoded arrays."""
        for first, batch in self._batches([self._names[i] for i in positions]):
            columns = self._kept_columns(batch, is_kept[first : first + _n_rows(batch)])
            scanned = [
                self._columns[i].as_scanned(column)
                for i, column in zip(positions, columns.data, strict=True)
            ]
            columns = Columns(columns.names, columns.n_rows, scanned)
            rows = encode_columns(columns, [features[i] for i in positions])
            if rows.unseen:
                raise self._changed()
            yield columns, rows.arrays

    def _changed(self) -> ValueError:
        return ValueError(
            f"{self._scan.name} gave other rows when it was read again, so no model can be fitted. "
            "Expected the same rows in the same order. If a file is being written, wait; if a "
            "query has no fixed order, save its result first: frame.sink_parquet(path)."
        )


def _n_rows(batch: Any) -> int:
    n_rows: int = batch.shape[0]
    return n_rows


def _take(values: Any, rows: NDArray[np.intp]) -> Any:
    """Return some values of an Arrow array or a polars Series."""
    return values.gather(rows) if hasattr(values, "gather") else values.take(rows)


def _as_numbers(values: Any) -> NDArray[np.float64]:
    """Return an Arrow array or a polars Series as floats, NaN where a value is missing."""
    array = np.asarray(values.to_numpy())
    if array.dtype == object:
        array = np.array([np.nan if value is None else value for value in array], dtype=np.float64)
    return array.astype(np.float64)
