"""Results for the training rows of a committee that many users never read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray


class ComputedWhenRead:
    """An array with something for each training row, computed when it is first read.

    Until then it holds the training rows. They are not copied or pickled: a pickle holds the array
    instead.

    Parameters
    ----------
    compute : callable
        Computes the array.
    """

    def __init__(self, compute: Callable[[], NDArray[np.float64]]) -> None:
        self._compute: Callable[[], NDArray[np.float64]] | None = compute
        self._array = np.zeros(0)

    def get(self) -> NDArray[np.float64]:
        """Return the array."""
        compute = self._compute  # another thread may finish meanwhile, and set it to None
        if compute is not None:
            self._array = compute()
            self._compute = None
        return self._array

    def __getstate__(self) -> dict[str, Any]:
        return {"_compute": None, "_array": self.get()}
