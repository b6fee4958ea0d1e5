"""From columns to the arrays that the core reads: float64 numbers and int32 codes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.schema import Feature
from weaklearn.tables.column import (
    MISSING_CODE,
    CategoryColumn,
    Label,
    as_categories,
    as_numbers,
    recode,
)
from weaklearn.tables.frames import Columns
from weaklearn.tables.messages import describe_column, quote_list
from weaklearn.tables.text_kind import as_dates, meaning


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class EncodedRows:
    """Rows as one array per feature.

    Parameters
    ----------
    arrays : list of arrays
        Per feature float64 numbers, NaN where missing, or int32 codes of its declared values,
        `MISSING_CODE` where missing or not declared. Numbers are a view of the input if that is
        float64. If the training rows are not in memory, these are the columns of the core.
    n_rows : int
        The number of rows.
    unseen : dict
        Per feature name, the number of rows with a nominal value that is not declared. Such a
        value is treated as missing. Features without such rows are not listed.
    """

    arrays: list[NDArray[np.float64] | NDArray[np.int32]]
    n_rows: int
    unseen: dict[str, int] = field(default_factory=dict)

    def take_rows(self, positions: NDArray[np.intp]) -> EncodedRows:
        """Return some of the rows; `unseen`, which counts all rows, is left out."""
        return EncodedRows([array[positions] for array in self.arrays], len(positions))

    def take_columns(self, columns: Sequence[int] | NDArray[np.intp]) -> EncodedRows:
        """Return the same rows with the columns at these indices only."""
        return EncodedRows([self.arrays[column] for column in columns], self.n_rows)

    def __repr__(self) -> str:
        n_codes = sum(array.dtype == np.int32 for array in self.arrays)
        n_numbers = len(self.arrays) - n_codes
        arrays = f"{n_numbers} arrays of numbers, {n_codes} of codes"
        unseen = f", unseen values in {quote_list(self.unseen, 4, 30)}" if self.unseen else ""
        return f"EncodedRows: {self.n_rows} rows, {arrays}{unseen}"


def encode_columns(columns: Columns, features: Sequence[Feature]) -> EncodedRows:
    """Encode columns by the features that describe them, in the same order.

    Parameters
    ----------
    columns : Columns
        The columns of a frame, from `as_columns`.
    features : sequence of Feature
        One per column, inferred from these columns or from those of the training table.

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
            f"Got {columns.n_columns} columns for {len(features)} features; expected one column "
            "for each feature."
        )
    arrays: list[NDArray[np.float64] | NDArray[np.int32]] = []
    unseen: dict[str, int] = {}
    for column, feature in zip(columns.data, features, strict=True):
        if feature.ignored:
            arrays.append(np.full(columns.n_rows, np.nan))
            continue
        if feature.date is not None:
            arrays.append(as_dates(column, feature.date, describe_column(feature.name)))
            continue
        if feature.kind == "continuous":
            if not isinstance(column, np.ndarray) or column.dtype != np.float64:
                column = as_numbers(column, describe_column(feature.name))
            arrays.append(column)
            continue
        categories = as_categories(column, describe_column(feature.name))
        codes, n_unseen = _encode_categories(categories, feature)
        arrays.append(codes)
        if n_unseen:
            unseen[feature.name] = n_unseen
    return EncodedRows(arrays, columns.n_rows, unseen)


def _encode_categories(column: CategoryColumn, feature: Feature) -> tuple[NDArray[np.int32], int]:
    """Return the codes of the rows, and the number of rows with a value that is not declared."""
    if column.labels == feature.values:
        return column.codes.astype(np.int32), 0
    code_of: dict[Label, int] = {value: code for code, value in enumerate(feature.values)}
    new_codes = [code_of.get(label, MISSING_CODE) for label in column.labels]
    if MISSING_CODE in new_codes:
        # The same value may be a number in one table and a text in another: 1, "1", "1.0".
        code_of_meaning = codes_of_meanings(feature.values)
        new_codes = [
            code_of_meaning.get(meaning(label), MISSING_CODE) if code == MISSING_CODE else code
            for label, code in zip(column.labels, new_codes, strict=True)
        ]
    codes = recode(column.codes, new_codes, np.int32)
    if MISSING_CODE not in new_codes:
        return codes, 0
    return codes, _count_missing(codes) - _count_missing(column.codes)


def codes_of_meanings(values: Sequence[Label]) -> dict[Label, int]:
    """Return the code of each meaning that only one value has; ``01`` and ``1`` have the same."""
    codes: dict[Label, int] = {}
    repeated: set[Label] = set()
    for code, value in enumerate(values):
        stands_for = meaning(value)
        if stands_for in codes:
            repeated.add(stands_for)
        codes[stands_for] = code
    return {key: code for key, code in codes.items() if key not in repeated}


def _count_missing(codes: NDArray[np.integer[Any]]) -> int:
    return int(np.count_nonzero(codes == MISSING_CODE))
