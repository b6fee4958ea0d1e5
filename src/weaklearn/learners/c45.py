"""C4.5 Release 8: from a dataset to a tree."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core
from weaklearn.encoding import Dataset
from weaklearn.learners.parameters import MOST_32, Choice, Flag, Number, Parameter, as_limit
from weaklearn.models.graph import Graph

_LEAST_SINGLE, _GREATEST_SINGLE = 1e-30, 1e30  # sums and quotients of these are in float32
#: With subset tests every pair of values is tried in every round.
MOST_SUBSET_VALUES: int = _core.MOST_SUBSET_VALUES

PARAMETERS: Mapping[str, Parameter] = {
    "criterion": Parameter(
        "gain_ratio",
        Choice(("gain_ratio", "gain", "gini", "km")),
        "what a test is judged by: gain_ratio (C4.5), gain (its option -g), gini, km",
    ),
    "min_objects": Parameter(
        2, Number(low=0, above_low=True), "least weight of two branches of a test (-m)"
    ),
    "confidence": Parameter(
        0.25,
        Number(low=0, above_low=True, high=1),
        "confidence of pruning (-c as a share): the smaller, the smaller the tree",
    ),
    "prune": Parameter(True, Flag(), "whether to prune the tree by its pessimistic error"),
    "subset": Parameter(False, Flag(), "whether to group nominal values (-s)"),
    "threshold_penalty": Parameter(
        True, Flag(), "whether a threshold pays for the number of cuts tried (Release 8)"
    ),
    "arithmetic": Parameter(
        "double",
        Choice(("double", "release8")),
        "double, or float32 with the rounding and the defects of the original program",
    ),
    "max_depth": Parameter(
        None, Number(low=0, whole=True, optional=True), "most tests on a path; None: no limit"
    ),
}


def needs_single_precision(parameters: Mapping[str, Any]) -> bool:
    """Whether the dataset must hold its numbers in single precision, as the original does."""
    return bool(parameters["arithmetic"] == "release8")


def check_consistency(
    parameters: Mapping[str, Any], dataset: Dataset, weights: NDArray[np.float64]
) -> None:
    """Raise a ValueError for parameters that do not go together, or not with the dataset."""
    criterion = parameters["criterion"]
    if parameters["arithmetic"] == "release8" and criterion not in ("gain_ratio", "gain"):
        raise ValueError(
            f"arithmetic='release8' follows the original program, which has no criterion "
            f"{criterion!r}: use criterion='gain_ratio' or 'gain', or arithmetic='double'."
        )
    if parameters["arithmetic"] == "release8":
        least, greatest = float(weights[weights > 0].min()), float(weights.max())
        if least < _LEAST_SINGLE or greatest > _GREATEST_SINGLE:
            raise ValueError(
                f"arithmetic='release8' counts in float32, and the weights range from {least:g} to "
                f"{greatest:g}; expected {_LEAST_SINGLE:g} to {_GREATEST_SINGLE:g}. Divide them by "
                "their mean, or use arithmetic='double'."
            )
    if not parameters["subset"]:
        return
    for feature in dataset.schema.features:
        if len(feature.values) > MOST_SUBSET_VALUES:
            raise ValueError(
                f"subset=True tries all pairs of values, and {feature.name!r} has "
                f"{len(feature.values):,} of them (at most {MOST_SUBSET_VALUES:,} are feasible): "
                "group its values, drop the column, or use subset=False."
            )


def grow(
    dataset: Dataset,
    weights: NDArray[np.float64],
    parameters: Mapping[str, Any],
    n_threads: int = 1,
) -> Graph:
    """Grow C4.5's tree."""
    check_consistency(parameters, dataset, weights)
    core = _core.grow_c45(
        dataset.core,
        weights,
        criterion=parameters["criterion"],
        min_objects=float(parameters["min_objects"]),
        confidence=float(parameters["confidence"]),
        prune=parameters["prune"],
        subset=parameters["subset"],
        threshold_penalty=parameters["threshold_penalty"],
        max_depth=as_limit(parameters["max_depth"], MOST_32),
        release8=parameters["arithmetic"] == "release8",
        n_threads=n_threads,
    )
    return Graph(core, dataset.schema)
