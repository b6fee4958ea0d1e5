"""Warn of suspicious columns in a training table."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from weaklearn.encoding.encode_columns import EncodedRows
from weaklearn.schema import Feature
from weaklearn.tables.suspicious_columns import EncodedColumn, find_suspicious
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
        EncodedColumn(
            feature.name,
            array,
            feature.values,
            feature.date is not None and feature.date.order == "month first, assumed",
        )
        for feature, array in zip(features, rows.arrays, strict=True)
        if not feature.ignored
    ]
    sentences = find_suspicious(columns, classes, missing_is_value)
    if sentences:
        warn_user("suspicious columns:\n" + "\n".join(f"- {text}" for text in sentences))
