"""The nodes that rows visit in a graph and the branches that they take, as arrays."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from weaklearn.models.graph_splits import ranges
from weaklearn.show.rows_on_paths import branches_taken

if TYPE_CHECKING:
    from weaklearn.encoding import EncodedRows
    from weaklearn.models.graph import Graph

Indices = NDArray[np.intp]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Steps:
    """Visits of rows at nodes, and the branches that they take from there.

    Parameters
    ----------
    row, node : array of int
        The row and the node of each visit, in the order of rows and then of nodes.
    share : array of float64
        The share of the row at the node.
    taken_row, parent, child, branch : array of int
        The row, the two nodes and the index of the branch of each step.
    taken_share : array of float64
        The share of the row that takes the branch.
    """

    row: Indices
    node: Indices
    share: NDArray[np.float64]
    taken_row: Indices
    parent: Indices
    child: Indices
    branch: Indices
    taken_share: NDArray[np.float64]

    def __repr__(self) -> str:
        return f"Steps({len(self.node)} visits, {len(self.child)} steps)"

    def rows_at(self, node: int) -> Indices:
        """Return the rows that take a branch of a node; one branch each at an oblique split."""
        rows: Indices = self.taken_row[self.parent == node]
        return rows

    def branch_taken(self, node: int) -> Indices:
        """Return the branches of the rows of `rows_at`."""
        branches: Indices = self.branch[self.parent == node]
        return branches

    def shared_out(self, graph: Graph) -> tuple[Indices, Indices, NDArray[np.float64]]:
        """Return where rows are shared out, because the value of a split is missing.

        Returns
        -------
        rows, features : array of int
            The row and the feature of the split.
        shares : array of float64
            The share of the row at the split.
        """
        inside = graph.nodes["n_branches"][self.node] > 0
        row, node, share = self.row[inside], self.node[inside], self.share[inside]
        visits = row * graph.n_nodes + node
        visit = np.searchsorted(visits, self.taken_row * graph.n_nodes + self.parent)
        # A row that takes one branch as a whole is not shared out.
        whole = np.zeros(len(visits), dtype=bool)
        whole[visit[self.taken_share == share[visit]]] = True
        whole &= np.bincount(visit, minlength=len(visits)) == 1
        features = graph.feature[node[~whole]].astype(np.intp)
        return row[~whole], features, share[~whole]


def take_steps(graph: Graph, rows: EncodedRows, n_threads: int = 1) -> Steps:
    """Return the visits and steps of rows in a graph.

    Parameters
    ----------
    graph : Graph
        A fitted tree or program.
    rows : EncodedRows
        The rows.
    n_threads : int
        Threads to follow the rows with.
    """
    owner, place = ranges(graph.nodes["first_branch"], graph.nodes["n_branches"])
    children = graph.arrays["children"][place].astype(np.intp)
    if np.bincount(children, minlength=1).max() > 1:
        return _steps_in_program(graph, rows)
    visits = graph.decision_path(rows, n_threads)
    row = np.repeat(np.arange(rows.n_rows), np.diff(visits.indptr))
    node, share = visits.indices.astype(np.intp), np.asarray(visits.data, dtype=np.float64)
    # In a tree one branch leads to a node, so that a visit tells how the row came.
    parent_of, branch_of = np.full((2, graph.n_nodes), -1, dtype=np.intp)
    parent_of[children] = owner
    branch_of[children] = place - graph.nodes["first_branch"][owner]
    came = parent_of[node] >= 0
    arrived = node[came]
    return Steps(
        row, node, share, row[came], parent_of[arrived], arrived, branch_of[arrived], share[came]
    )


def _steps_in_program(graph: Graph, rows: EncodedRows) -> Steps:
    """Return the steps in a graph whose nodes are shared: node by node, all rows at a time."""
    arriving: dict[int, NDArray[np.float64]] = {0: np.ones(rows.n_rows)}
    visits: list[tuple[Indices, int, NDArray[np.float64]]] = []
    steps: list[tuple[Indices, int, int, int, NDArray[np.float64]]] = []
    for node in range(graph.n_nodes):  # branches lead to nodes of higher index
        shares = arriving.pop(node, None)
        if shares is None:
            continue
        here = np.flatnonzero(shares)
        visits.append((here, node, shares[here]))
        if graph.is_leaf(node):
            continue
        taken = branches_taken(graph, node, rows, here)
        taken[taken < 0] = graph.missing_branch(node)
        weights = zip(graph.children(node), graph.branch_weights(node), strict=True)
        for branch, (child, weight) in enumerate(weights):
            # A missing value takes all branches with training rows, as in the core.
            with np.errstate(divide="ignore"):  # at a split without training rows, made by hand
                part = np.divide(weight, graph.weight[node]) if weight > 0 else 0.0
            share = shares[here] * np.where(taken < 0, part, taken == branch)
            there = share > 0
            if there.any():
                arriving.setdefault(child, np.zeros(rows.n_rows))[here[there]] += share[there]
                steps.append((here[there], node, child, branch, share[there]))
    row = np.concatenate([visit[0] for visit in visits])
    visited = _repeated([visit[1] for visit in visits], [len(visit[0]) for visit in visits])
    order = np.lexsort((visited, row))
    share = np.concatenate([visit[2] for visit in visits])
    lengths = [len(step[0]) for step in steps]
    return Steps(
        row[order],
        visited[order],
        share[order],
        np.concatenate([step[0] for step in steps]),
        _repeated([step[1] for step in steps], lengths),
        _repeated([step[2] for step in steps], lengths),
        _repeated([step[3] for step in steps], lengths),
        np.concatenate([step[4] for step in steps]),
    )


def _repeated(values: list[int], lengths: list[int]) -> Indices:
    return np.repeat(np.array(values, dtype=np.intp), lengths)
