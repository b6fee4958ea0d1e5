"""The threshold of C4.5 between two neighbouring values."""

from __future__ import annotations

import math

from .c45_table import Table, to_single


def threshold_between(table: Table, index: int, below: float, above: float) -> float:
    """Return the largest value of the whole training set that is not above the midpoint.

    Between neighbouring floats the midpoint may be rounded up to `above`. All rows would then take
    the same branch and growing would not end, so `above` itself is never the threshold.
    """
    midpoint = (below + above) / 2
    if math.isinf(midpoint):  # the sum of two huge numbers
        midpoint = below / 2 + above / 2
    if table.precision[index] == "single":
        midpoint = to_single(midpoint)
    column = [float(x) for x in table.columns[index] if x is not None]
    return max(x for x in column if x <= midpoint and x < above)
