"""BoostODT of Henry, Nock and Nielsen: from a dataset to an oblique tree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core
from weaklearn.encoding import Dataset
from weaklearn.learners import topdown
from weaklearn.learners.parameters import MOST_32, MOST_64, Number, Parameter, as_limit
from weaklearn.models.graph import Graph

PARAMETERS: Mapping[str, Parameter] = {
    "n_stumps": Parameter(
        50, Number(low=1, high=MOST_32, whole=True), "most stumps in the separator of a node"
    ),
    "max_depth": Parameter(
        4, Number(low=0, high=MOST_32, whole=True), "most separators on the way to a leaf"
    ),
    "max_internal_nodes": Parameter(
        None, Number(low=0, whole=True, optional=True), "most separators; None: no limit"
    ),
    "prune": topdown.PARAMETERS["prune"],
    "confidence": topdown.PARAMETERS["confidence"],
}


def grow(
    dataset: Dataset,
    weights: NDArray[np.float64],
    parameters: Mapping[str, Any],
    n_threads: int = 1,
) -> Graph:
    """Grow an oblique tree breadth first."""
    core = _core.grow_boost_odt(
        dataset.core,
        weights,
        n_stumps=int(parameters["n_stumps"]),
        max_depth=int(parameters["max_depth"]),
        max_tests=as_limit(parameters["max_internal_nodes"], MOST_64),
        prune=bool(parameters["prune"]),
        confidence=float(parameters["confidence"]),
        n_threads=n_threads,
    )
    return Graph(core, dataset.schema)
