"""TopDown of Dietterich, Kearns and Mansour: from a dataset to a tree, best split first."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core
from weaklearn.dataset import Dataset
from weaklearn.learners import c45
from weaklearn.learners.criterion import CRITERION, compiled
from weaklearn.learners.parameters import Flag, Number, Parameter
from weaklearn.models.graph import Graph

_NO_LIMIT = 2**64 - 1

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
    """Grow a tree best split first.

    Parameters
    ----------
    dataset : Dataset
        The encoded training set.
    weights : array of float64
        One per row, taken as counts; rows of weight 0 are absent.
    parameters : mapping
        A value for each of `PARAMETERS`.
    n_threads : int
        Threads to grow with; the tree does not depend on it.

    Returns
    -------
    Graph
        The tree.
    """
    criterion, impurities = compiled(parameters["criterion"])
    n_rounds = parameters["n_rounds"]
    core = _core.grow_topdown(
        dataset.core,
        weights,
        criterion=criterion,
        impurities=impurities,
        n_rounds=_NO_LIMIT if n_rounds is None else min(int(n_rounds), _NO_LIMIT),
        min_objects=float(parameters["min_objects"]),
        grouping=parameters["grouping"],
        prune=parameters["prune"],
        confidence=float(parameters["confidence"]),
        n_threads=n_threads,
    )
    return Graph(core, dataset.schema)
