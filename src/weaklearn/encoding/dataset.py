"""A training set encoded once, to be shared by every fold, round, member and thread."""

from __future__ import annotations

import warnings
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core
from weaklearn.encoding.encode_columns import EncodedRows
from weaklearn.schema import Schema

_MOST_ROWS = 2**31 - 1


class Dataset:
    """EncodedRows columns and class codes.

    Parameters
    ----------
    rows : EncodedRows
        The columns, as `encode_columns` gives them.
    schema : Schema
        The features and classes; the dataset's own schema adds each feature's precision.
    classes : array of int32
        Per row the number of its class.
    single : bool
        Whether numbers are rounded to single precision even if different values become equal.
    n_threads : int
        Threads to encode with.

    Attributes
    ----------
    core : _core.Dataset
        The compiled dataset.
    """

    def __init__(
        self,
        rows: EncodedRows,
        schema: Schema,
        classes: NDArray[np.int32],
        single: bool = False,
        n_threads: int = 1,
    ) -> None:
        if rows.n_rows > _MOST_ROWS:
            raise ValueError(
                f"got {rows.n_rows:,} rows; at most {_MOST_ROWS:,} can be encoded. Train on a "
                "sample."
            )
        if single:
            _require_single(rows, schema)
        self.core = _core.Dataset(
            rows.arrays,
            [len(feature.values) for feature in schema.features],
            classes,
            len(schema.classes),
            single=single,
            n_threads=n_threads,
        )
        features = tuple(
            feature if is_single else replace(feature, precision="double")
            for feature, is_single in zip(schema.features, self.core.single_precision, strict=True)
        )
        self.schema = replace(schema, features=features)
        self.rows = rows
        self.classes = classes
        for position in self.core.inseparable:
            warnings.warn(
                f"column {features[position].name!r} varies by less than 1e-5, and C4.5 never "
                "separates values that are closer: multiply the column, e.g. by 1e6, to use it.",
                UserWarning,
                stacklevel=2,
            )

    @property
    def n_rows(self) -> int:
        """Number of rows."""
        return self.core.n_rows

    @property
    def nbytes(self) -> int:
        """Size of the encoded columns in bytes."""
        return self.core.nbytes


def _require_single(rows: EncodedRows, schema: Schema) -> None:
    for feature, numbers in zip(schema.features, rows.arrays, strict=True):
        if feature.kind == "nominal":
            continue
        beyond = np.abs(numbers) > np.finfo(np.float32).max
        if beyond.any():
            raise ValueError(
                f"column {feature.name!r} holds {numbers[np.argmax(beyond)]:g}, which is beyond "
                "single precision, in which arithmetic='release8' computes: rescale the column, or "
                "use arithmetic='double'."
            )
