"""Branching programs: from a dataset to a levelled graph of shared nodes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core
from weaklearn.encoding import Dataset
from weaklearn.learners.criterion import CRITERION, compiled
from weaklearn.learners.parameters import MOST_64, Choice, Flag, Number, Parameter, as_limit
from weaklearn.models.graph import Graph
from weaklearn.models.program_levels import Levels

PARAMETERS: Mapping[str, Parameter] = {
    "criterion": CRITERION,
    "merge": Parameter(
        "grid",
        Choice(("grid", "budget", "width", "none")),
        "which children of a level become one node: grid (two classes), budget, width, none",
    ),
    "max_levels": Parameter(
        None, Number(low=0, whole=True, optional=True), "most levels of tests; None: no limit"
    ),
    "max_nodes": Parameter(
        None, Number(low=0, whole=True, optional=True), "most tests in all; None: no limit"
    ),
    "prune": Parameter(False, Flag(), "whether to prune the program by its pessimistic error"),
    "merge_share": Parameter(
        0.5,
        Number(low=0, high=1),
        "with budget, the share of a level's gain that merging may cost",
    ),
    "max_width": Parameter(
        None, Number(low=1, whole=True, optional=True), "with width, most nodes of a level"
    ),
    "split_without_gain": Parameter(
        False, Flag(), "whether to split a level that no test improves, without merging"
    ),
    "min_objects": Parameter(
        1, Number(low=0, above_low=True), "least weight of both branches of a test"
    ),
    "confidence": Parameter(
        0.25,
        Number(low=0, above_low=True, high=1),
        "confidence of pruning: the smaller, the smaller the program",
    ),
}

#: The core's reasons to stop, in words.
STOPPED: Mapping[str, str] = {
    "no node left": "every node is pure, or no test improves it",
    "no gain": "splitting and merging the level would not lower its index",
    "max_levels": "the next level would be one more than max_levels",
    "max_nodes": "the next level would take the program past max_nodes",
    "repeated": "an earlier level had the same rows in the same nodes",
}


def check_consistency(parameters: Mapping[str, Any], dataset: Dataset) -> None:
    """Raise a ValueError for parameters that do not go together, or not with the dataset."""
    n_classes = len(dataset.schema.classes)
    if parameters["merge"] == "grid" and n_classes > 2:
        raise ValueError(
            f"Only binary classification is supported by merge='grid', and there are {n_classes} "
            "classes: use merge='budget', which works for any number, or merge='none'."
        )
    if parameters["merge"] == "width" and parameters["max_width"] is None:
        raise ValueError(
            "merge='width' needs to know how wide a level may be, and got max_width=None: say for "
            "example max_width=16."
        )


def grow(
    dataset: Dataset,
    weights: NDArray[np.float64],
    parameters: Mapping[str, Any],
    n_threads: int = 1,
) -> tuple[Graph, Levels, str]:
    """Grow a program level by level.

    Returns
    -------
    program : Graph
        The program.
    levels : Levels
        What its levels were like, before pruning.
    stopped : str
        Why growing ended.
    """
    check_consistency(parameters, dataset)
    criterion, impurities = compiled(parameters["criterion"])
    core, levels, stopped = _core.grow_program(
        dataset.core,
        weights,
        criterion=criterion,
        impurities=impurities,
        merge=parameters["merge"],
        merge_share=float(parameters["merge_share"]),
        max_width=as_limit(parameters["max_width"], MOST_64),
        max_levels=as_limit(parameters["max_levels"], MOST_64),
        max_nodes=as_limit(parameters["max_nodes"], MOST_64),
        split_without_gain=parameters["split_without_gain"],
        min_objects=float(parameters["min_objects"]),
        prune=parameters["prune"],
        confidence=float(parameters["confidence"]),
        n_threads=n_threads,
    )
    return Graph(core, dataset.schema), Levels.from_arrays(levels), STOPPED[stopped]
