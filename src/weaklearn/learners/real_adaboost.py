"""AdaBoost for real-valued hypotheses (AdaBoostR) over stumps: from a dataset to separators."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core
from weaklearn.encoding import Dataset
from weaklearn.learners.parameters import MOST_32, Number, Parameter
from weaklearn.models.graph import Graph
from weaklearn.models.separators import Separator, Separators, separated

PARAMETERS: Mapping[str, Parameter] = {
    "n_rounds": Parameter(
        50, Number(low=1, high=MOST_32, whole=True), "most stumps of a separator"
    ),
}


def grow(
    dataset: Dataset,
    weights: NDArray[np.float64],
    parameters: Mapping[str, Any],
    n_threads: int = 1,
) -> Separators:
    """Boost stumps into a separator; of more than two classes, one of each class from the others.

    Returns
    -------
    Separators
        One for each class that occurs; of two classes one for the second.
    """
    present = np.unique(dataset.classes[weights > 0]).tolist()
    grown = []
    for positive in separated(present):
        core, mu, alphas = _core.grow_separator(
            dataset.core, weights, positive, int(parameters["n_rounds"]), n_threads
        )
        grown.append(Separator(Graph(core, dataset.schema), positive, mu, alphas))
    return Separators(tuple(grown), tuple(present))
