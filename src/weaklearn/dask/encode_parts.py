"""From the partitions on workers to codes: bins, codes, and the sums that growing trees needs."""

from __future__ import annotations

import pickle
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
from distributed.protocol.serialize import (
    dask_deserialize,
    dask_serialize,
    deserialize,
    serialize,
)
from numpy.typing import NDArray

from weaklearn import _core
from weaklearn.boosting.sampling import as_bytes_if_small
from weaklearn.dask.read_parts import PartTable, n_bytes
from weaklearn.encoding import Dataset, EncodedRows, encode_columns
from weaklearn.schema import Schema
from weaklearn.tables.column import recode
from weaklearn.tables.suspicious_labels import LabelCounts

Codes = NDArray[np.unsignedinteger[Any]]
Summaries = list[_core.BinSummary | int]


def summarize_bins(
    part: PartTable,
    schema: Schema,
    max_bins: int,
    n_known: Sequence[int],
    first_row: int,
) -> Summaries:
    """Return what the bins need to know of numbers, and the missing cells of nominal columns.

    `n_known` is the number of rows of the whole table with a number in each column, or 0 if it is
    not known. With it, all summaries together have no more rows than the bins are made from.
    """
    summaries: Summaries = []
    rows = _encode(part, schema)
    of_numbers = []
    for position, (feature, known) in enumerate(zip(schema.features, n_known, strict=True)):
        array: Any = None if rows is None else rows.arrays[position]
        if feature.kind == "nominal":
            summaries.append(0 if array is None else int(np.count_nonzero(array < 0)))
            continue
        summary = _core.BinSummary(max_bins, known)
        summaries.append(summary)
        range_of = part.summary.ranges[position] if known else None
        if array is not None:
            of_numbers.append((summary, array, range_of))
    # The ranges of most columns are known since they were read.
    of_ranges = [entry for entry in of_numbers if entry[2] is not None]
    _core.add_to_summaries(
        [summary for summary, _, _ in of_ranges],
        [array for _, array, _ in of_ranges],
        first_row,
        [range_of[:3] for _, _, range_of in of_ranges if range_of is not None],
    )
    for summary, array, range_of in of_numbers:
        if range_of is None:
            summary.add(array, first_row)
    return summaries


def merge_bins(parts: Sequence[Summaries]) -> Summaries:
    """Return what the bins need to know of several parts."""
    merged: Summaries = []
    for of_column in zip(*parts, strict=True):
        if isinstance(of_column[0], int):
            merged.append(sum(of_column))
            continue
        merged.append(_core.BinSummary.merged(list(of_column)))
    return merged


@dataclass(frozen=True, slots=True, eq=False)
class Encoding:
    """How the columns of a table are encoded, the same in all parts.

    Parameters
    ----------
    schema : Schema
        Features and classes.
    bins : list of Bins or None
        The bins of each column of numbers; None for nominal columns.
    lacks_values : list of bool
        Whether a column has missing values.
    """

    schema: Schema
    bins: list[_core.Bins | None]
    lacks_values: list[bool]

    @classmethod
    def from_summaries(
        cls, schema: Schema, parts: Sequence[Summaries], n_threads: int = 1
    ) -> Encoding:
        """Make the bins of all columns of numbers from the summaries of all partitions."""
        of_columns = list(zip(*parts, strict=True))
        is_date = [feature.date is not None for feature in schema.features]
        numbers = [i for i, column in enumerate(of_columns) if not isinstance(column[0], int)]
        made = _core.bins_of_columns(
            [list(of_columns[i]) for i in numbers], [is_date[i] for i in numbers], n_threads
        )
        bins: list[_core.Bins | None] = [None] * len(of_columns)
        features = list(schema.features)
        for i, own in zip(numbers, made, strict=True):
            bins[i] = own
            if not own.single_precision:
                features[i] = replace(features[i], precision="double")
        lacks_values = [
            any(part if isinstance(part, int) else part.n_missing for part in column)
            for column in of_columns
        ]
        return cls(replace(schema, features=tuple(features)), bins, lacks_values)

    def dataset(
        self, codes: list[Codes], classes: NDArray[np.int32], n_threads: int = 1
    ) -> Dataset:
        """Return the dataset of these codes, which are not copied."""
        return Dataset.from_codes(codes, self.bins, self.schema, classes, n_threads)

    def description(self) -> Dataset:
        """Return a dataset that describes the columns: one row, missing where any value is."""
        codes = [
            np.full(1, n_codes if lacks else 0, _code_type(n_codes))
            for n_codes, lacks in zip(self.n_codes(), self.lacks_values, strict=True)
        ]
        return self.dataset(codes, np.zeros(1, np.int32))

    def n_codes(self) -> list[int]:
        """Return the number of codes of each column."""
        return [
            len(feature.values) if bins is None else bins.n_codes
            for feature, bins in zip(self.schema.features, self.bins, strict=True)
        ]

    def bytes_per_row(self) -> int:
        """Return the size of a row in codes, with its class and weight."""
        return 12 + sum(_code_type(n).itemsize for n in self.n_codes())


@dataclass(frozen=True, eq=False)
class EncodedPart:
    """The codes of some rows, with their classes and weights.

    `pieces` lists the partitions that they are from: the index of the first row in the whole table,
    and the number of rows.
    """

    encoding: Encoding
    codes: list[Codes]
    classes: NDArray[np.int32]
    weights: NDArray[np.float64]
    pieces: list[tuple[int, int]]

    @cached_property
    def dataset(self) -> Dataset:
        """The dataset that learners of this package take."""
        return self.encoding.dataset(self.codes, self.classes)

    def split_by_piece(self, of_rows: NDArray[Any]) -> list[NDArray[Any]]:
        """Return an array with an element per row, partition by partition."""
        return np.split(of_rows, np.cumsum([length for _, length in self.pieces])[:-1])

    def __sizeof__(self) -> int:
        # Dask asks this to decide where tasks run and what is written to disk.
        return n_bytes([*self.codes, self.classes, self.weights])

    def __getstate__(self) -> tuple[list[NDArray[Any]], Encoding, list[tuple[int, int]]]:
        # Weights and classes take a byte per row where that suffices.
        classes = self.classes.astype(_code_type(len(self.encoding.schema.classes)))
        arrays = [*self.codes, classes, as_bytes_if_small(self.weights)]
        return arrays, self.encoding, self.pieces

    def __setstate__(
        self, state: tuple[list[NDArray[Any]], Encoding, list[tuple[int, int]]]
    ) -> None:
        (*codes, classes, weights), encoding, pieces = state
        as_int32 = classes.astype(np.int32)
        self.__init__(encoding, codes, as_int32, weights.astype(np.float64), pieces)  # type: ignore[misc]


@dask_serialize.register(EncodedPart)  # type: ignore[no-untyped-call,untyped-decorator]
def _to_frames(part: EncodedPart) -> tuple[dict[str, Any], list[Any]]:
    """Return what Dask sends: the arrays as they are, because it copies what it pickles."""
    arrays, *rest = part.__getstate__()
    header, frames = serialize(arrays)
    return {"arrays": header, "rest": pickle.dumps(rest)}, frames


@dask_deserialize.register(EncodedPart)  # type: ignore[no-untyped-call,untyped-decorator]
def _from_frames(header: dict[str, Any], frames: list[Any]) -> EncodedPart:
    part = EncodedPart.__new__(EncodedPart)
    arrays = deserialize(header["arrays"], frames)  # type: ignore[no-untyped-call]
    part.__setstate__((arrays, *pickle.loads(header["rest"])))
    return part


def encode_part(
    part: PartTable, encoding: Encoding, scale: tuple[float, int] | None, first_row: int
) -> EncodedPart:
    """Encode the rows of a partition.

    Weights that are a distribution are scaled to counts.
    """
    schema = encoding.schema
    rows = _encode(part, schema)
    types = [_code_type(n_codes) for n_codes in encoding.n_codes()]
    codes: list[Codes] = [np.zeros(0, dtype) for dtype in types]
    if rows is not None:
        binned = [(i, bins) for i, bins in enumerate(encoding.bins) if bins is not None]
        numbers = [rows.arrays[i] for i, _ in binned]
        found = _core.codes_of_columns([bins for _, bins in binned], numbers)
        for (i, _), of_column in zip(binned, found, strict=True):
            codes[i] = of_column
        for i, n_codes in enumerate(encoding.n_codes()):
            if encoding.bins[i] is None:
                array: Any = rows.arrays[i]
                codes[i] = np.where(array < 0, n_codes, array).astype(types[i])
    index_of = {label: index for index, label in enumerate(schema.classes)}
    classes = recode(part.class_indices, [index_of[label] for label in part.classes], np.int32)
    weights = part.weights if scale is None else scale_weights(part.weights, scale)
    return EncodedPart(encoding, codes, classes, weights, [(first_row, len(classes))])


def count_labels(part: EncodedPart) -> list[LabelCounts | None]:
    """Count the rows of each value of nominal columns."""
    schema = part.encoding.schema
    counts = [
        LabelCounts(len(feature.values), len(schema.classes)) if feature.kind == "nominal" else None
        for feature in schema.features
    ]
    for own, codes in zip(counts, part.codes, strict=True):
        if own is not None:
            own.add(codes, part.classes)
    return counts


def merge_label_counts(
    parts: Sequence[list[LabelCounts | None]],
) -> list[LabelCounts | None]:
    """Return the counts of the rows of all parts."""
    merged = deepcopy(parts[0])
    for part in parts[1:]:
        for own, other in zip(merged, part, strict=True):
            if own is not None and other is not None:
                own.merge(other)
    return merged


def scale_weights(weights: NDArray[np.float64], scale: tuple[float, int]) -> NDArray[np.float64]:
    """Return weights divided by the first number of a scale and multiplied by the second."""
    with np.errstate(over="ignore"):
        return weights / scale[0] * scale[1]


def join_parts(parts: Sequence[EncodedPart]) -> EncodedPart:
    """Return the rows of several parts in this order."""
    if len(parts) == 1:
        return parts[0]
    return EncodedPart(
        parts[0].encoding,
        [np.concatenate(codes) for codes in zip(*(part.codes for part in parts), strict=True)],
        np.concatenate([part.classes for part in parts]),
        np.concatenate([part.weights for part in parts]),
        [piece for part in parts for piece in part.pieces],
    )


def _encode(part: PartTable, schema: Schema) -> EncodedRows | None:
    return None if part.columns is None else encode_columns(part.columns, schema.features)


def _code_type(n_codes: int) -> np.dtype[Any]:
    for dtype in (np.dtype(np.uint8), np.dtype(np.uint16)):
        if n_codes <= np.iinfo(dtype).max:
            return dtype
    return np.dtype(np.uint32)
