"""The splitting criterion of TopDown and branching programs: a name, or the user's function."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.estimators.parameters import Choice, Parameter
from weaklearn.models.impurity import IMPURITIES, Impurity, check_permissible, tabulate

#: The shares of the rarer class at which a user's function is tabulated. They are denser towards
#: pure nodes, where functions like the square root are steep.
_SHARES: NDArray[np.float64] = np.linspace(0.0, 1.0, 4097) ** 2 / 2

CRITERION = Parameter(
    "km",
    Choice(tuple(IMPURITIES), or_callable=True),
    "the impurity that splits lower: entropy, gini, km or error",
)


def core_criterion(criterion: Any) -> tuple[str, NDArray[np.float64]]:
    """Return a criterion as the core takes it: a name, and a table of values if it is "tabulated".

    A function is checked first: ValueError if it is not a permissible impurity.
    """
    if isinstance(criterion, str):
        return criterion, np.empty(0)
    function = criterion.of if isinstance(criterion, Impurity) else criterion
    check_permissible(function)
    return "tabulated", np.maximum(tabulate(function, _SHARES), 0.0)
