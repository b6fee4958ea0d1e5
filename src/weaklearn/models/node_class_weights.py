"""The weight of each class at the nodes and in the branches of a graph, as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from weaklearn.models.graph import Graph

if TYPE_CHECKING:
    from weaklearn.encoding import EncodedRows


def class_table(graph: Graph) -> NDArray[np.float64]:
    """Return per node and class the weight of the training instances; none at an empty leaf."""
    arrays = graph.core.arrays()
    owner, place = ranges(arrays["first_class"], arrays["n_classes"])
    table = np.zeros((graph.n_nodes, len(graph.schema.classes)))
    table[owner, arrays["class_index"][place]] = arrays["class_weight"][place]
    table[arrays["weight"] <= 0] = 0.0  # an empty leaf holds its parent's weights
    return table


def branch_ends(graph: Graph) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return for each branch, node by node, where it begins and where it leads."""
    arrays = graph.core.arrays()
    owner, place = ranges(arrays["first_branch"], arrays["n_branches"])
    return owner, arrays["branches"][place].astype(np.intp)


def class_flow(
    graph: Graph, rows: EncodedRows, classes: NDArray[np.int32], weights: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Send rows through a graph, in fractions where a value is unknown, as answers do.

    Parameters
    ----------
    graph : Graph
        A tree or a program.
    rows : EncodedRows
        The rows.
    classes : array of int32
        The number of each row's class.
    weights : array of float64
        The weight of each row.

    Returns
    -------
    array of float64, (n_branches, n_classes)
        The weight of each class that takes each branch, in the order of `branch_ends`.
    """
    taken = graph.core.flow(rows.arrays, rows.n_rows, classes, weights)
    return taken.reshape(-1, len(graph.schema.classes))


def ranges(
    first: NDArray[np.uint32], count: NDArray[np.uint32]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Give the places in the ranges [first, first + count), and whose range each is in."""
    owner = np.repeat(np.arange(len(first)), count)
    counts = count.astype(np.intp)
    shift = first.astype(np.intp) - (np.cumsum(counts) - counts)
    return owner, np.arange(len(owner)) + shift[owner]
