"""How much each attribute's tests tell of the class."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from weaklearn.models.graph import Graph


def importances(graph: Graph) -> NDArray[np.float64]:
    """Return per attribute the share of the information, in bits, that its tests gain.

    They sum to one, or are all zero where no test gains anything.
    """
    arrays = graph.core.arrays()
    owner, place = _ranges(arrays["first_class"], arrays["n_classes"])
    weights = arrays["class_weight"][place]
    totals = np.bincount(owner, weights, graph.n_nodes).astype(np.float64)
    information = _x_log2_x(totals) - np.bincount(owner, _x_log2_x(weights), graph.n_nodes)
    information[arrays["weight"] <= 0] = 0.0  # an empty leaf holds its parent's weights
    owner, place = _ranges(arrays["first_branch"], arrays["n_branches"])
    ends = arrays["branches"][place]
    brought = information[ends]
    if graph.has_flow:  # of a shared node a branch answers for its share only
        empty = arrays["weight"][ends] <= 0
        brought *= arrays["flow"][place] / np.where(empty, 1.0, arrays["weight"][ends])
    below = np.bincount(owner, brought, graph.n_nodes)
    tests = arrays["test"] != 0
    gains = np.bincount(
        arrays["attribute"][tests],
        np.maximum(information - below, 0.0)[tests],
        len(graph.schema.attributes),
    ).astype(np.float64)
    total = gains.sum()
    return gains / total if total > 0 else gains


def _ranges(
    first: NDArray[np.uint32], count: NDArray[np.uint32]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Give the places in the ranges [first, first + count), and whose range each is in."""
    owner = np.repeat(np.arange(len(first)), count)
    counts = count.astype(np.intp)
    shift = first.astype(np.intp) - (np.cumsum(counts) - counts)
    return owner, np.arange(len(owner)) + shift[owner]


def _x_log2_x(x: NDArray[np.float64]) -> NDArray[np.float64]:
    return x * np.log2(x, out=np.zeros_like(x), where=x > 0)
