"""The splits of a graph: their advantages over guessing, their gains, and their order.

All of them follow from class weights: those of the nodes, and those of the rows that take each
branch.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from weaklearn.models.graph import Graph
from weaklearn.models.impurity import Impurity

if TYPE_CHECKING:
    from weaklearn.encoding import EncodedRows


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ClassWeights:
    """The weight of each class at the nodes and in the branches of a graph.

    Parameters
    ----------
    owner : array of intp
        The node that each branch starts from, node by node.
    nodes : array of float64, (n_nodes, n_classes)
        The weight of each class at each node.
    branches : array of float64, (n_branches, n_classes)
        The weight of each class that takes each branch.
    """

    owner: NDArray[np.intp]
    nodes: NDArray[np.float64]
    branches: NDArray[np.float64]

    def __repr__(self) -> str:
        return f"ClassWeights({len(self.nodes)} nodes, {self.nodes.shape[1]} classes)"

    @property
    def weights(self) -> NDArray[np.float64]:
        """The weight of each node as a share of the weight of the root."""
        weights = self.nodes.sum(axis=1)
        return np.asarray(weights / weights[0]) if weights[0] > 0 else weights

    def gains(self, impurity: Impurity) -> NDArray[np.float64]:
        """Compute by how much each split lowers the weighted impurity of the leaves; 0 at leaves.

        The weighted impurity of the leaves (the papers call it the index of a tree) is the sum of
        weight times impurity over the leaves, with weights that sum to one.

        Parameters
        ----------
        impurity : Impurity
            The impurity function.

        Returns
        -------
        array of float64
            One per node. Over a tree they sum to the impurity of the root minus that of the leaves.
        """
        of_nodes = self.nodes.sum(axis=1) * impurity.of(self.nodes)
        of_branches = self.branches.sum(axis=1) * impurity.of(self.branches)
        below = np.bincount(self.owner, of_branches, len(self.nodes))
        is_split = np.bincount(self.owner, minlength=len(self.nodes)) > 0
        all_weight = self.nodes[0].sum()
        gains = np.zeros(len(self.nodes))
        if all_weight > 0:
            gains[is_split] = (of_nodes - below)[is_split] / all_weight
        return gains

    def advantages(self) -> NDArray[np.float64]:
        """Compute the advantage of each split over guessing, with the classes of its node balanced.

        Let P(j|k) be the share of class k that takes branch j, and m the number of classes present.
        Each branch predicts the class with the largest share there. The advantage is
        (sum_j max_k P(j|k) - 1) / m; for two classes this is 1/4 sum_j |P(j|1) - P(j|2)|.

        Returns
        -------
        array of float64
            One per node; NaN at leaves and where fewer than two classes are present.
        """
        n_nodes = len(self.nodes)
        # Without the rows that go no further because pruning dropped their branch.
        passing = np.zeros_like(self.nodes)
        np.add.at(passing, self.owner, self.branches)
        shares = np.zeros_like(self.branches)
        np.divide(self.branches, passing[self.owner], out=shares, where=self.branches > 0)
        right = np.bincount(self.owner, shares.max(axis=1, initial=0.0), n_nodes)
        present = np.count_nonzero(passing, axis=1)
        result = np.full(n_nodes, np.nan)
        mixed = present > 1
        result[mixed] = np.maximum(right[mixed] - 1.0, 0.0) / present[mixed]
        return result


def stored_class_weights(graph: Graph) -> ClassWeights:
    """Return the class weights of the training rows, which a tree stores.

    Parameters
    ----------
    graph : Graph
        A tree.

    Returns
    -------
    ClassWeights
        Of its nodes and branches.

    Raises
    ------
    ValueError
        For a program, which does not store the class weights of its branches.
    """
    owner, child = branch_ends(graph)
    if len(child) != graph.n_nodes - 1:
        raise ValueError(
            "the graph shares nodes, so it does not store the class weights of its branches: "
            "pass the rows as well, X and y."
        )
    nodes = node_class_weights(graph)
    return ClassWeights(owner, nodes, nodes[child])


def class_weights_of_rows(
    graph: Graph, rows: EncodedRows, classes: NDArray[np.int32], weights: NDArray[np.float64]
) -> ClassWeights:
    """Compute the class weights of rows that go through a graph, in shares if values are missing.

    Parameters
    ----------
    graph : Graph
        A tree or a program.
    rows : EncodedRows
        The rows.
    classes : array of int32
        The class index of each row.
    weights : array of float64
        The weight of each row.

    Returns
    -------
    ClassWeights
        Of its nodes and branches.
    """
    owner, child = branch_ends(graph)
    n_classes = len(graph.schema.classes)
    taken = graph.forest.branch_class_weights(rows.arrays, rows.n_rows, classes, weights)
    branches = taken.reshape(-1, n_classes)
    nodes = np.zeros((graph.n_nodes, n_classes))
    nodes[0] = np.bincount(classes, weights, n_classes)
    np.add.at(nodes, child, branches)
    return ClassWeights(owner, nodes, branches)


def node_class_weights(graph: Graph) -> NDArray[np.float64]:
    """Return per node and class the weight of the training rows; zeros for an empty leaf."""
    owner, place = ranges(graph.nodes["first_class"], graph.nodes["n_classes"])
    table = np.zeros((graph.n_nodes, len(graph.schema.classes)))
    table[owner, graph.arrays["class_index"][place]] = graph.arrays["class_weight"][place]
    table[graph.weight <= 0] = 0.0  # an empty leaf stores a copy of its parent's class weights
    return table


def branch_ends(graph: Graph) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return for each branch, node by node, the node it starts from and the node it leads to."""
    owner, place = ranges(graph.nodes["first_branch"], graph.nodes["n_branches"])
    return owner, graph.arrays["children"][place].astype(np.intp)


def ranges(
    first: NDArray[np.uint32], count: NDArray[np.uint32]
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """List the positions in the ranges [first, first + count), with the index of each range."""
    owner = np.repeat(np.arange(len(first)), count)
    counts = count.astype(np.intp)
    shift = first.astype(np.intp) - (np.cumsum(counts) - counts)
    return owner, np.arange(len(owner)) + shift[owner]


#: Gains are rounded to multiples of this, as in growing. It is coarser than rounding errors, so the
#: order in which a tree was grown follows from the tree.
GRAIN = 1e-12


def rounds(graph: Graph, gains: NDArray[np.float64]) -> NDArray[np.intp]:
    """List the splits of a graph in the order in which best-first growth makes them.

    The next split is at the node with the largest gain among the nodes that can be split. Ties go
    to the node that was added first; children are added in the order of their branches. A node can
    be split once all nodes with branches to it are split.

    Parameters
    ----------
    graph : Graph
        A tree or a program.
    gains : array of float64
        What the split of each node gains.

    Returns
    -------
    array of intp
        The nodes that are not leaves.
    """
    owner, child = branch_ends(graph)
    first = np.searchsorted(owner, np.arange(graph.n_nodes + 1)).tolist()
    branches, gain_of = child.tolist(), np.rint(gains / GRAIN).tolist()
    # Several branches of a node can lead to the same child, which then counts at its first branch.
    children = [
        list(dict.fromkeys(branches[first[node] : first[node + 1]]))
        for node in range(graph.n_nodes)
    ]
    unsplit_parents = Counter(to for of_node in children for to in of_node)
    order = []
    waiting: list[tuple[float, int, int]] = []
    ticket = 0
    if children[0]:
        heappush(waiting, (-gain_of[0], ticket, 0))
    while waiting:
        node = heappop(waiting)[2]
        order.append(node)
        for to in children[node]:
            ticket += 1
            unsplit_parents[to] -= 1
            if unsplit_parents[to] == 0 and children[to]:
                heappush(waiting, (-gain_of[to], ticket, to))
    return np.array(order, dtype=np.intp)
