"""Warn of suspicious columns in a training table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from weaklearn.encoding.encode_columns import EncodedRows
from weaklearn.schema import Feature
from weaklearn.tables.suspicious_columns import (
    CountedColumn,
    EncodedColumn,
    KeyRanges,
    find_suspicious,
    find_suspicious_counts,
)
from weaklearn.tables.suspicious_labels import LabelCounts
from weaklearn.user_warnings import warn_user, warnings_are_muted


def warn_of_columns(
    rows: EncodedRows,
    features: Sequence[Feature],
    classes: NDArray[np.int32],
    missing_is_value: bool = False,
) -> None:
    """Issue one warning that names all suspicious columns and what to do about them.

    Parameters
    ----------
    rows : EncodedRows
        The training rows.
    features : sequence of Feature
        One per column. Ignored columns are not suspicious.
    classes : array of int32
        The class index of each row.
    missing_is_value : bool
        Whether the model learns from the cells that are missing.
    """
    if warnings_are_muted():
        return
    columns = [
        EncodedColumn(feature.name, array, feature.values, _is_assumed_order(feature))
        for feature, array in zip(features, rows.arrays, strict=True)
        if not feature.ignored
    ]
    _warn(find_suspicious(columns, classes, missing_is_value))


def warn_of_counted_columns(
    features: Sequence[Feature],
    n_codes: Sequence[int],
    labels: Sequence[LabelCounts | None],
    keys: Sequence[KeyRanges],
    has_missing: Sequence[bool],
    n_rows: int,
    missing_is_value: bool,
) -> None:
    """Warn of suspicious columns whose rows are not in memory, as far as counts tell.

    Parameters
    ----------
    features : sequence of Feature
        One per column. Ignored columns are not suspicious.
    n_codes : sequence of int
        The number of values, or of bins, of each column.
    labels : sequence of LabelCounts or None
        The counts of each nominal column.
    keys : sequence of KeyRanges
        What `key_ranges` says of each column of numbers.
    has_missing : sequence of bool
        Whether any row has no value.
    n_rows : int
        The number of rows.
    missing_is_value : bool
        Whether the model learns from the cells that are missing.
    """
    columns = [
        CountedColumn(
            feature.name,
            counts,
            feature.values,
            n_values <= 1,
            key,
            lacks_values,
            _is_assumed_order(feature),
        )
        for feature, n_values, counts, key, lacks_values in zip(
            features, n_codes, labels, keys, has_missing, strict=True
        )
        if not feature.ignored
    ]
    _warn(find_suspicious_counts(columns, n_rows, missing_is_value))


def _is_assumed_order(feature: Feature) -> bool:
    return feature.date is not None and feature.date.order == "month first, assumed"


def _warn(sentences: Sequence[str]) -> None:
    if sentences:
        warn_user("suspicious columns:\n" + "\n".join(f"- {text}" for text in sentences))
