"""The splits of a graph: by how much each beats guessing, what it gains, and when its turn is.

All is read off class weights: of a node, and of what takes each of its branches.
"""

from __future__ import annotations

from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from weaklearn.models.graph import Graph
from weaklearn.models.impurity import Impurity
from weaklearn.models.node_class_weights import branch_ends, class_flow, class_table

if TYPE_CHECKING:
    from weaklearn.encoding import EncodedRows


@dataclass(frozen=True, slots=True, eq=False)
class Flow:
    """Class weights in a graph.

    Parameters
    ----------
    owner : array of intp
        The node that each branch begins at, node by node.
    nodes : array of float64, (n_nodes, n_classes)
        The weight of each class at each node.
    branches : array of float64, (n_branches, n_classes)
        The weight of each class that takes each branch.
    """

    owner: NDArray[np.intp]
    nodes: NDArray[np.float64]
    branches: NDArray[np.float64]

    @property
    def weights(self) -> NDArray[np.float64]:
        """The weight of each node, as a share of all."""
        weights = self.nodes.sum(axis=1)
        return np.asarray(weights / weights[0]) if weights[0] > 0 else weights

    def gains(self, impurity: Impurity) -> NDArray[np.float64]:
        """Give the fall of the index by each node's split, 0 at leaves.

        The index of a tree is the sum over its leaves of weight times impurity, the weights summing
        to one.

        Parameters
        ----------
        impurity : Impurity
            The impurity function.

        Returns
        -------
        array of float64
            One per node. Those of a tree's splits add up to the fall from the root to the tree.
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
        """Give by how much each split beats guessing on the balanced distribution of its node.

        With P(j|k) the share of class k that takes branch j, and m classes present, each branch
        answering with the class that has most there: (sum_j max_k P(j|k) - 1) / m. For two classes
        this is 1/4 sum_j |P(j|1) - P(j|2)|.

        Returns
        -------
        array of float64
            One per node; NaN at leaves and where fewer than two classes are present.
        """
        n_nodes = len(self.nodes)
        passing = np.zeros_like(self.nodes)  # without what gets stuck where a branch was dropped
        np.add.at(passing, self.owner, self.branches)
        shares = np.zeros_like(self.branches)
        np.divide(self.branches, passing[self.owner], out=shares, where=self.branches > 0)
        right = np.bincount(self.owner, shares.max(axis=1, initial=0.0), n_nodes)
        present = np.count_nonzero(passing, axis=1)
        result = np.full(n_nodes, np.nan)
        mixed = present > 1
        result[mixed] = np.maximum(right[mixed] - 1.0, 0.0) / present[mixed]
        return result


def stored_flow(graph: Graph) -> Flow:
    """Give the class weights of the training rows, which the graph holds.

    Parameters
    ----------
    graph : Graph
        A tree.

    Returns
    -------
    Flow
        Class weights of its nodes and branches.

    Raises
    ------
    ValueError
        For a program: what takes a branch is not known where branches meet.
    """
    owner, child = branch_ends(graph)
    if len(child) != graph.n_nodes - 1:
        raise ValueError(
            "the graph shares nodes, so that its class weights do not tell what each branch takes: "
            "give the rows as well, X and y."
        )
    nodes = class_table(graph)
    return Flow(owner, nodes, nodes[child])


def flow_of(
    graph: Graph, rows: EncodedRows, classes: NDArray[np.int32], weights: NDArray[np.float64]
) -> Flow:
    """Give the class weights of rows that go through the graph.

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
    Flow
        Class weights of its nodes and branches.
    """
    owner, child = branch_ends(graph)
    branches = class_flow(graph, rows, classes, weights)
    nodes = np.zeros((graph.n_nodes, branches.shape[1]))
    nodes[0] = np.bincount(classes, weights, branches.shape[1])
    np.add.at(nodes, child, branches)
    return Flow(owner, nodes, branches)


#: Gains that differ by less are equal, as in growing: coarser than rounding, so that the order in
#: which a tree was grown can be told from the tree.
GRAIN = 1e-12


def rounds(graph: Graph, gains: NDArray[np.float64]) -> NDArray[np.intp]:
    """List the tests of a graph in the order in which growing best first makes them.

    Of the nodes that can be split, the one of largest gain is next; of equals the one that came
    first, children coming in the order of branches. A node can be split once all branches to it are
    there.

    Parameters
    ----------
    graph : Graph
        A tree or a program.
    gains : array of float64
        What the split of each node gains.

    Returns
    -------
    array of intp
        The nodes that are no leaves.
    """
    owner, child = branch_ends(graph)
    first = np.searchsorted(owner, np.arange(graph.n_nodes + 1)).tolist()
    missing = np.bincount(child, minlength=graph.n_nodes).tolist()
    children, gain_of = child.tolist(), np.rint(gains / GRAIN).tolist()
    order = []
    waiting: list[tuple[float, int, int]] = []
    ticket = 0
    if first[1] > 0:
        heappush(waiting, (-gain_of[0], ticket, 0))
    while waiting:
        node = heappop(waiting)[2]
        order.append(node)
        for to in children[first[node] : first[node + 1]]:
            ticket += 1
            missing[to] -= 1
            if missing[to] == 0 and first[to] < first[to + 1]:
                heappush(waiting, (-gain_of[to], ticket, to))
    return np.array(order, dtype=np.intp)
