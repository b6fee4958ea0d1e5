"""The criterion of the learners that boost by splitting: a name, or a function of the user's."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.learners.parameters import Choice, Parameter
from weaklearn.models.impurity import IMPURITIES, Impurity, check_permissible, tabulate

#: Where a user's function is looked up: shares of the rarer class, denser towards pure nodes,
#: where functions like the square root are steep.
_SHARES: NDArray[np.float64] = np.linspace(0.0, 1.0, 4097) ** 2 / 2

CRITERION = Parameter(
    "km",
    Choice(tuple(IMPURITIES), or_callable=True),
    "the impurity that splits lower: entropy, gini, km or error",
)


def compiled(criterion: Any) -> tuple[str, NDArray[np.float64]]:
    """Give a criterion as the core takes it: a name, or a table of values."""
    if isinstance(criterion, str):
        return criterion, np.empty(0)
    function = criterion.of if isinstance(criterion, Impurity) else criterion
    check_permissible(function)
    return "tabulated", np.maximum(tabulate(function, _SHARES), 0.0)
