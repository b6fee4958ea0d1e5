"""From columns to the arrays that the core reads: float64 numbers and int32 codes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from weaklearn.schema import Feature
from weaklearn.tables.array_to_column import Coded, as_coded, as_numbers
from weaklearn.tables.frames import Columns


@dataclass(frozen=True, slots=True, eq=False)
class EncodedRows:
    """EncodedRows columns.

    Parameters
    ----------
    arrays : list of arrays
        Per feature float64 numbers (NaN where missing; a view of the input where that is
        float64) or int32 codes of its declared values (-1 where missing or never declared).
    n_rows : int
        Number of rows.
    unseen : dict
        Per feature name, how many rows hold a nominal value that was never declared. Such a
        value is treated as missing. Attributes without any are not listed.
    """

    arrays: list[NDArray[np.float64] | NDArray[np.int32]]
    n_rows: int
    unseen: dict[str, int] = field(default_factory=dict)


def encode_columns(columns: Columns, features: Sequence[Feature]) -> EncodedRows:
    """Encode columns by the features that describe them, in the same order.

    Parameters
    ----------
    columns : Columns
        What `as_columns` gives.
    features : sequence of Feature
        One per column: those inferred from these columns, or from those of the training table.

    Returns
    -------
    EncodedRows
        One array per feature.

    Examples
    --------
    >>> from weaklearn.tables.frames import as_columns
    >>> colour = Feature("colour", "nominal", ("red", "blue"))
    >>> encoded = encode_columns(as_columns([["blue"], ["?"], ["green"]]), [colour])
    >>> encoded.arrays[0], encoded.unseen
    (array([ 1, -1, -1], dtype=int32), {'colour': 1})
    """
    if len(features) != columns.n_columns:
        raise ValueError(
            f"Got {columns.n_columns} columns for {len(features)} features; expected one each."
        )
    arrays: list[NDArray[np.float64] | NDArray[np.int32]] = []
    unseen: dict[str, int] = {}
    for column, feature in zip(columns.data, features, strict=True):
        if feature.kind == "continuous":
            if isinstance(column, Coded) or column.dtype != np.float64:
                column = as_numbers(column, f"X column {feature.name!r}")
            arrays.append(column)
            continue
        labels = as_coded(column, f"X column {feature.name!r}")
        codes = _codes_of_values(labels, feature)
        arrays.append(codes)
        n_unseen = np.count_nonzero(codes < 0) - np.count_nonzero(labels.codes < 0)
        if n_unseen:
            unseen[feature.name] = int(n_unseen)
    return EncodedRows(arrays, columns.n_rows, unseen)


def _codes_of_values(column: Coded, feature: Feature) -> NDArray[np.int32]:
    if column.labels == feature.values:
        return column.codes.astype(np.int32)
    position = {value: code for code, value in enumerate(feature.values)}
    # The last entry serves the code -1.
    new_codes = [position.get(label, -1) for label in column.labels] + [-1]
    return np.array(new_codes, dtype=np.int32)[column.codes]
