"""A training set that is encoded once and shared by every fold, round, member and thread."""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core
from weaklearn.encoding.encode_columns import EncodedRows
from weaklearn.encoding.memory import available_memory, require_at_least
from weaklearn.schema import Schema
from weaklearn.tables.messages import quote

MAX_ROWS = 2**31 - 1
#: What any fit needs besides the codes: classes, weights, the rows of nodes.
_BYTES_PER_ROW = 16
#: A code of four bytes and a place in the sorted order.
_MOST_BYTES_PER_CELL = 8
_MOST_NARROW_CODES = 65_535
_ALWAYS_AVAILABLE = 2**20


class Dataset:
    """Encoded columns and class indices, with the core's copy of them.

    Parameters
    ----------
    rows : EncodedRows
        The columns, from `encode_columns`.
    schema : Schema
        The features and classes. The dataset's own `schema` also has each feature's precision.
    classes : array of int32
        Per row the index of its class.
    single : bool
        Whether all numbers are rounded to single precision, even if different values become
        equal.
    n_threads : int
        The number of threads for encoding.
    max_bins : int, optional
        Numbers with more distinct values are cut into this many bins.

    Attributes
    ----------
    core : _core.Dataset
        The compiled dataset.
    classes : array of int32
        Per row the index of its class: a view of the core's copy.
    counted : _core.CountedRows or None
        If the rows are in other processes, what counts them there. The dataset then describes the
        columns only.
    """

    counted: _core.CountedRows | None = None

    def __init__(
        self,
        rows: EncodedRows,
        schema: Schema,
        classes: NDArray[np.int32],
        single: bool = False,
        n_threads: int = 1,
        max_bins: int | None = None,
    ) -> None:
        if rows.n_rows > MAX_ROWS:
            raise ValueError(
                f"got {rows.n_rows:,} rows; expected at most {MAX_ROWS:,}. Train on a sample."
            )
        _require_memory(rows, schema, max_bins)
        if single:
            _require_single(rows, schema)
        self.core = _core.Dataset(
            rows.arrays,
            [len(feature.values) for feature in schema.features],
            classes,
            len(schema.classes),
            single=single,
            n_threads=n_threads,
            exact=[i for i, feature in enumerate(schema.features) if feature.date is not None],
            max_bins=max_bins or 0,
        )
        self._describe(rows, schema)

    @classmethod
    def from_codes(
        cls,
        codes: list[NDArray[Any]],
        bins: Sequence[_core.Bins | None],
        schema: Schema,
        classes: NDArray[np.int32],
        n_threads: int = 1,
    ) -> Dataset:
        """Return the dataset of columns that are encoded already.

        Parameters
        ----------
        codes : list of arrays
            The codes of each column in the narrowest type. They are not copied, so they may be
            mapped from a file.
        bins : sequence of Bins or None
            The bins of each continuous column; None for a nominal one.
        schema : Schema
            The features and classes.
        classes : array of int32
            Per row the index of its class.
        n_threads : int
            The number of threads for checking the codes.
        """
        dataset = cls.__new__(cls)
        n_values = [len(feature.values) for feature in schema.features]
        dataset.core = _core.Dataset.from_codes(
            codes, list(bins), n_values, classes, len(schema.classes), n_threads
        )
        rows = EncodedRows(dataset.core.columns, len(classes))
        dataset._describe(rows, schema)
        return dataset

    def _describe(self, rows: EncodedRows, schema: Schema) -> None:
        features = tuple(
            feature if is_single else replace(feature, precision="double")
            for feature, is_single in zip(schema.features, self.core.single_precision, strict=True)
        )
        self.schema = replace(schema, features=features)
        self.rows = rows
        self.classes = self.core.classes

    def take_columns(self, columns: Sequence[int] | NDArray[np.intp]) -> Dataset:
        """Return the same rows with the columns at these indices only."""
        taken = copy(self)
        taken.core = self.core.select_columns(list(columns))
        features = tuple(self.schema.features[column] for column in columns)
        taken.schema = replace(self.schema, features=features)
        taken.rows = self.rows.take_columns(columns)
        return taken

    @property
    def n_rows(self) -> int:
        """The number of rows."""
        return self.core.n_rows

    @property
    def inseparable(self) -> list[str]:
        """The names of the columns that vary by less than 1e-5, which C4.5 does not separate."""
        return [self.schema.features[position].name for position in self.core.inseparable]

    @property
    def nbytes(self) -> int:
        """The size of the encoded columns in bytes."""
        return self.core.nbytes

    def __repr__(self) -> str:
        n_classes = len(self.schema.classes)
        kinds = self.schema.count_kinds()
        return f"Dataset: {self.n_rows} rows, {kinds}, {n_classes} classes, {self.nbytes:,} bytes"


def _require_memory(rows: EncodedRows, schema: Schema, max_bins: int | None) -> None:
    """Raise a MemoryError if the codes of the columns certainly do not fit into memory."""
    n_rows, n_columns = rows.n_rows, len(rows.arrays)
    most_needed = n_rows * (_BYTES_PER_ROW + _MOST_BYTES_PER_CELL * n_columns)
    if most_needed <= _ALWAYS_AVAILABLE:  # to ask the system takes as long as a small fit
        return
    available = available_memory()
    if available is None or most_needed <= available:
        return
    needed = _BYTES_PER_ROW * n_rows
    for feature, array in zip(schema.features, rows.arrays, strict=True):
        needed += n_rows
        if feature.kind == "continuous" and not max_bins and _has_many_values(array):
            needed += 3 * n_rows + 4 * int(np.count_nonzero(~np.isnan(array)))
    remedy = "Pass fewer rows, or leave out columns with ignore=[...]."
    if not max_bins and any(feature.kind == "continuous" for feature in schema.features):
        remedy = (
            "Use max_bins=255, which takes one byte per cell, pass fewer rows, or leave out "
            "columns with ignore=[...]."
        )
    require_at_least(needed, f"fitting {n_rows:,} rows of {n_columns} columns", remedy)


def _has_many_values(numbers: NDArray[Any]) -> bool:
    """Return whether the first rows have so many values that a code takes four bytes."""
    first = numbers[: 2 * _MOST_NARROW_CODES]
    return len(np.unique(first[~np.isnan(first)])) > _MOST_NARROW_CODES


def _require_single(rows: EncodedRows, schema: Schema) -> None:
    for feature, numbers in zip(schema.features, rows.arrays, strict=True):
        if feature.kind == "nominal":
            continue
        too_large = np.abs(numbers) > np.finfo(np.float32).max
        if too_large.any():
            raise ValueError(
                f"column {quote(feature.name)} holds {numbers[np.argmax(too_large)]:g}, which is "
                "too large for the single precision of arithmetic='release8'. Rescale the column, "
                "or use arithmetic='double'."
            )
