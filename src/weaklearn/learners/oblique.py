"""OC1 and SADT: from a dataset to a tree whose tests are hyperplanes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core
from weaklearn.encoding import Dataset
from weaklearn.learners.parameters import MOST_32, Choice, Number, Parameter, as_limit
from weaklearn.models.graph import Graph

CRITERIA = ("twoing", "gain", "gini", "max_minority", "sum_minority", "variance")

_SHARED: Mapping[str, Parameter] = {
    "validation_share": Parameter(
        0.1, Number(low=0, high=0.9), "share of the rows held out to prune by; 0: no pruning"
    ),
    "max_depth": Parameter(
        50, Number(low=0, whole=True, optional=True), "most tests on a path; None: no limit"
    ),
}

OC1_PARAMETERS: Mapping[str, Parameter] = {
    "criterion": Parameter("twoing", Choice(CRITERIA), "the impurity of OC1 that splits lower"),
    "n_restarts": Parameter(
        20, Number(low=0, high=MOST_32, whole=True), "planes that the search starts from"
    ),
    "n_jumps": Parameter(
        5, Number(low=0, high=MOST_32, whole=True), "random jumps out of a local minimum"
    ),
    **_SHARED,
}

SADT_PARAMETERS: Mapping[str, Parameter] = {
    "criterion": Parameter(
        "sum_minority", Choice(CRITERIA), "the impurity of OC1 that annealing lowers"
    ),
    "temperature": Parameter(10, Number(low=0, high=1e100), "the temperature of the first step"),
    "cooling": Parameter(
        0.999, Number(low=0, high=1), "what each step multiplies the temperature by"
    ),
    "patience": Parameter(
        10_000,
        Number(low=1, high=MOST_32, whole=True),
        "steps without a new best plane that end a search",
    ),
    **_SHARED,
}


def grow_oc1(
    dataset: Dataset,
    weights: NDArray[np.float64],
    parameters: Mapping[str, Any],
    seed: int,
    n_threads: int = 1,
) -> Graph:
    """Grow OC1's tree; what is left to chance follows from the seed."""
    core = _core.grow_oc1(
        dataset.core,
        weights,
        criterion=parameters["criterion"],
        n_restarts=int(parameters["n_restarts"]),
        n_jumps=int(parameters["n_jumps"]),
        validation_share=float(parameters["validation_share"]),
        max_depth=as_limit(parameters["max_depth"], MOST_32),
        seed=seed,
        n_threads=n_threads,
    )
    return Graph(core, dataset.schema)


def grow_sadt(
    dataset: Dataset, weights: NDArray[np.float64], parameters: Mapping[str, Any], seed: int
) -> Graph:
    """Grow SADT's tree, likewise; a search has no use for threads."""
    core = _core.grow_sadt(
        dataset.core,
        weights,
        criterion=parameters["criterion"],
        temperature=float(parameters["temperature"]),
        cooling=float(parameters["cooling"]),
        patience=int(parameters["patience"]),
        validation_share=float(parameters["validation_share"]),
        max_depth=as_limit(parameters["max_depth"], MOST_32),
        seed=seed,
    )
    return Graph(core, dataset.schema)
