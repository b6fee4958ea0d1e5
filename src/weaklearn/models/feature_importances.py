"""Feature importances: the information that the splits on each feature gain."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from weaklearn.models.graph_splits import ranges

if TYPE_CHECKING:
    from weaklearn.models.graph import Graph


def importances(graph: Graph) -> NDArray[np.float64]:
    """Return per feature the share of the information, in bits, that its splits gain.

    The shares sum to one, or are all zero if no split gains anything.
    """
    nodes, arrays = graph.nodes, graph.arrays
    owner, place = ranges(nodes["first_class"], nodes["n_classes"])
    weights = arrays["class_weight"][place]
    totals = np.bincount(owner, weights, graph.n_nodes).astype(np.float64)
    information = _x_log2_x(totals) - np.bincount(owner, _x_log2_x(weights), graph.n_nodes)
    information[graph.weight <= 0] = 0.0  # an empty leaf stores a copy of its parent's weights
    owner, place = ranges(nodes["first_branch"], nodes["n_branches"])
    child = arrays["children"][place]
    below_branch = information[child]
    if graph.has_branch_weights:  # a branch to a shared node counts for its share of the weight
        weight = np.where(graph.weight[child] <= 0, 1.0, graph.weight[child])
        below_branch *= arrays["branch_weights"][place] / weight
    below = np.bincount(owner, below_branch, graph.n_nodes)
    gained = np.maximum(information - below, 0.0)
    n_features = len(graph.schema.features)
    has_column = graph.feature >= 0
    gains = np.bincount(graph.feature[has_column], gained[has_column], n_features).astype(float)
    # The gain of an oblique split is divided among its terms in proportion to their influence.
    owner, place = ranges(nodes["first_term"], nodes["n_terms"])
    terms = arrays["terms"][place]
    of_split = np.bincount(owner, terms["influence"], graph.n_nodes)[owner]
    share = terms["influence"] / np.where(of_split > 0, of_split, 1.0)
    gains += np.bincount(terms["column"], gained[owner] * share, n_features)
    total = gains.sum()
    return gains / total if total > 0 else gains


def _x_log2_x(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return x * np.log2(x, out=np.zeros_like(x), where=x > 0)
