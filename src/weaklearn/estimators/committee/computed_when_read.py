"""The margins of the training rows of a committee."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray


class TrainingMargins:
    """The margins of the training rows, computed when first needed.

    Until then it holds the training rows. They are not copied or pickled: a pickle holds the
    margins instead.

    Parameters
    ----------
    compute : callable
        Computes the margins.
    """

    def __init__(self, compute: Callable[[], NDArray[np.float64]]) -> None:
        self._compute: Callable[[], NDArray[np.float64]] | None = compute
        self._margins = np.zeros(0)

    def get(self) -> NDArray[np.float64]:
        """Return the margins."""
        if self._compute is not None:
            self._margins = self._compute()
            self._compute = None
        return self._margins

    def __getstate__(self) -> dict[str, Any]:
        return {"_compute": None, "_margins": self.get()}
