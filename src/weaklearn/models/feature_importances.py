"""How much each feature's tests tell of the class."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from weaklearn.models.node_class_weights import ranges

if TYPE_CHECKING:
    from weaklearn.models.graph import Graph


def importances(graph: Graph) -> NDArray[np.float64]:
    """Return per feature the share of the information, in bits, that its tests gain.

    They sum to one, or are all zero where no test gains anything.
    """
    arrays = graph.core.arrays()
    owner, place = ranges(arrays["first_class"], arrays["n_classes"])
    weights = arrays["class_weight"][place]
    totals = np.bincount(owner, weights, graph.n_nodes).astype(np.float64)
    information = _x_log2_x(totals) - np.bincount(owner, _x_log2_x(weights), graph.n_nodes)
    information[arrays["weight"] <= 0] = 0.0  # an empty leaf holds its parent's weights
    owner, place = ranges(arrays["first_branch"], arrays["n_branches"])
    ends = arrays["branches"][place]
    brought = information[ends]
    if graph.has_flow:  # of a shared node a branch answers for its share only
        empty = arrays["weight"][ends] <= 0
        brought *= arrays["flow"][place] / np.where(empty, 1.0, arrays["weight"][ends])
    below = np.bincount(owner, brought, graph.n_nodes)
    gained = np.maximum(information - below, 0.0)
    n_features = len(graph.schema.features)
    tests = arrays["attribute"] >= 0
    gains = np.bincount(arrays["attribute"][tests], gained[tests], n_features).astype(np.float64)
    # An oblique test shares its gain among its terms by their influence.
    owner, place = ranges(arrays["first_term"], arrays["n_terms"])
    influence = arrays["term_influence"][place]
    of_test = np.bincount(owner, influence, graph.n_nodes)[owner]
    share = influence / np.where(of_test > 0, of_test, 1.0)
    gains += np.bincount(arrays["term_attribute"][place], gained[owner] * share, n_features)
    total = gains.sum()
    return gains / total if total > 0 else gains


def _x_log2_x(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return x * np.log2(x, out=np.zeros_like(x), where=x > 0)
