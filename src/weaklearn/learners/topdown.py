"""TopDown of Dietterich, Kearns and Mansour: from a dataset to a tree, best split first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core
from weaklearn.encoding import Dataset
from weaklearn.learners import c45
from weaklearn.learners.criterion import CRITERION, compiled
from weaklearn.learners.parameters import MOST_64, Flag, Number, Parameter, as_limit
from weaklearn.models.graph import Graph

PARAMETERS: Mapping[str, Parameter] = {
    "criterion": CRITERION,
    "n_rounds": Parameter(
        None, Number(low=0, whole=True, optional=True), "most splits; None: until nothing is gained"
    ),
    "grouping": Parameter(
        False, Flag(), "whether tests put nominal values in two groups, not each in its own branch"
    ),
    "min_objects": Parameter(
        1, Number(low=0, above_low=True), "least weight of two branches of a test"
    ),
    "prune": Parameter(False, Flag(), "whether to prune the tree by its pessimistic error"),
    "confidence": c45.PARAMETERS["confidence"],
}


def grow(
    dataset: Dataset,
    weights: NDArray[np.float64],
    parameters: Mapping[str, Any],
    n_threads: int = 1,
) -> Graph:
    """Grow a tree best split first."""
    criterion, impurities = compiled(parameters["criterion"])
    core = _core.grow_topdown(
        dataset.core,
        weights,
        criterion=criterion,
        impurities=impurities,
        n_rounds=as_limit(parameters["n_rounds"], MOST_64),
        min_objects=float(parameters["min_objects"]),
        grouping=parameters["grouping"],
        prune=parameters["prune"],
        confidence=float(parameters["confidence"]),
        n_threads=n_threads,
    )
    return Graph(core, dataset.schema)
