"""Nominal columns from codes."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    import pandas as pd


def nominal(name: str, codes: NDArray[np.int64], values: Iterable[str]) -> pd.Series:
    """Give the column whose rows are ``values[code]``, or missing where the code is -1."""
    import pandas as pd

    declared = pd.Index([str(value) for value in values])
    return pd.Series(pd.Categorical.from_codes(codes, categories=declared), name=name)
