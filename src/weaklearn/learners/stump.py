"""The stump of fewest errors: from a dataset to one test."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core
from weaklearn.encoding import Dataset
from weaklearn.learners.parameters import Parameter
from weaklearn.models.graph import Graph

PARAMETERS: Mapping[str, Parameter] = {}


def grow(
    dataset: Dataset,
    weights: NDArray[np.float64],
    parameters: Mapping[str, Any],
    n_threads: int = 1,
) -> Graph:
    """Grow the stump of fewest errors: a single leaf where no test makes fewer."""
    return Graph(_core.grow_stump(dataset.core, weights, n_threads=n_threads), dataset.schema)
