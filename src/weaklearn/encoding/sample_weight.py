"""Check the weights of rows."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

_MAX_TOTAL = 1e150  # so that sums of squared weights stay finite


def check_sample_weight(sample_weight: Any, n_rows: int) -> NDArray[np.float64]:
    """Return the weights as float64, checked: one per row, finite, >= 0, not all zero.

    Parameters
    ----------
    sample_weight : array or None
        The weights; None means a weight of 1 for every row.
    n_rows : int
        The number of rows.
    """
    if sample_weight is None:
        return np.ones(n_rows)
    try:
        weights = np.ascontiguousarray(sample_weight, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise ValueError(
            f"sample_weight cannot be read as numbers ({error}); expected one number per row."
        ) from error
    if weights.ndim != 1:
        raise ValueError(
            f"Sample weights must be 1D array or scalar: got shape {weights.shape}, expected one "
            f"weight for each of {n_rows} rows."
        )
    if len(weights) != n_rows:
        raise ValueError(
            f"sample_weight.shape == {weights.shape}, expected ({n_rows},): one weight per row."
        )
    for is_bad, description in (
        (np.isnan(weights), "NaN"),
        (np.isinf(weights), "an infinite weight"),
        (weights < 0, "a negative weight"),
    ):
        if is_bad.any():
            row = int(np.argmax(is_bad))
            raise ValueError(
                f"sample_weight has {description} in row {row}; expected numbers >= 0. Give a row "
                "the weight 0 to leave it out."
            )
    total = weights.sum()
    if total == 0:
        raise ValueError("sample_weight is zero in every row: at least one must be positive.")
    if total > _MAX_TOTAL:
        raise ValueError(
            f"sample_weight sums to {total:g}; expected at most {_MAX_TOTAL:g}. Divide the "
            "weights by their mean."
        )
    return weights
