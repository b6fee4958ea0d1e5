"""The first levels of a large graph, for output that would be too long to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from weaklearn.show.node_text import leaf_text

if TYPE_CHECKING:
    from weaklearn.models.graph import Graph


class FirstLevels:
    """The nodes of a graph that at most `max_depth` splits lead to.

    Parameters
    ----------
    graph : Graph
        A tree or a program.
    max_depth : int or None
        The most splits on the shortest path to a node that is shown; None for all nodes.

    Attributes
    ----------
    nodes : list of int
        The nodes that are shown, each after its parents.
    """

    def __init__(self, graph: Graph, max_depth: int | None = None) -> None:
        if max_depth is not None and max_depth < 0:
            raise ValueError(f"max_depth={max_depth}: expected a whole number >= 0, or None.")
        self._graph = graph
        self._max_depth = max_depth
        self._depth_of = {0: 0}
        self.nodes = [0]
        for node in self.nodes:  # the list grows, level by level
            if not self.ends_at(node):
                for child in graph.children(node):
                    if child not in self._depth_of:
                        self._depth_of[child] = self._depth_of[node] + 1
                        self.nodes.append(child)

    def cuts(self, node: int) -> bool:
        """Return whether a split is shown without what is below it."""
        return self._depth_of[node] == self._max_depth and not self._graph.is_leaf(node)

    def ends_at(self, node: int) -> bool:
        """Return whether nothing below a node is shown: it is a leaf, or cut."""
        return self._graph.is_leaf(node) or self._depth_of[node] == self._max_depth

    def end_text(self, node: int) -> str:
        """Return the text of a leaf, or of a split where the graph is cut."""
        text = leaf_text(self._graph, node)
        return f"{text} ... {self._leaves_below(node)} leaves" if self.cuts(node) else text

    def _leaves_below(self, node: int) -> int:
        below = {node}
        queue = [node]
        for parent in queue:
            for child in self._graph.children(parent):
                if child not in below:
                    below.add(child)
                    queue.append(child)
        return sum(self._graph.is_leaf(n) for n in queue)


def readable_depth(graph: Graph, most_ends: int) -> int:
    """Return how many levels have at most `most_ends` leaves and cut nodes; at least one level.

    Examples
    --------
    >>> import weaklearn as wl
    >>> tree = wl.C45Classifier().fit([[1.0], [2.0], [3.0], [4.0]], list("nnyy")).tree_
    >>> readable_depth(tree, 10)
    1
    """
    for depth in range(1, graph.depth):
        shown = FirstLevels(graph, depth + 1)
        if sum(map(shown.ends_at, shown.nodes)) > most_ends:
            return depth
    return max(graph.depth, 1)
