"""Rows that are hard to predict, for random graphs."""

from __future__ import annotations

import numpy as np

from random_graphs import SCHEMA
from weaklearn.encoding import EncodedRows

_NUMBERS = (np.nan, np.inf, -np.inf, -0.0, 0.0, 0.1, 5e-324, -2.5, 1e-300, 1e39, 1e300)


def random_rows(seed: int, n_rows: int = 60) -> EncodedRows:
    """Draw rows of `random_graphs.SCHEMA`: some values are missing, infinite or on a threshold."""
    chance = np.random.default_rng(seed)
    arrays = []
    for feature in SCHEMA.features:
        if feature.kind == "nominal":
            codes = chance.integers(-1, len(feature.values), n_rows)
            arrays.append(codes.astype(np.int32))
        else:
            drawn = chance.normal(scale=10.0 ** chance.integers(0, 6), size=n_rows)
            awkward = chance.random(n_rows) < 0.5
            arrays.append(np.where(awkward, chance.choice(_NUMBERS, n_rows), drawn))
    return EncodedRows(arrays, n_rows)
