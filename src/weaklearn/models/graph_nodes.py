"""The nodes and branches of a fitted graph, and its schema."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core
from weaklearn.models.oblique_terms import Term, terms_of
from weaklearn.schema import Feature, Label, Schema

#: What the field ``split`` of a node holds.
LEAF, THRESHOLD, MULTIWAY, SUBSET, OBLIQUE = (
    _core.SPLIT_KINDS.index(name) for name in ("leaf", "threshold", "multiway", "subset", "oblique")
)


def core_columns(schema: Schema) -> list[tuple[int, bool]]:
    """Return per feature the number of its values and whether it is in single precision."""
    return [(len(feature.values), feature.precision == "single") for feature in schema.features]


class StoredGraphs:
    """The graphs of a file in compact form, which are expanded when one of them is first needed.

    Parameters
    ----------
    schema : Schema
        The features and classes of the graphs.
    arrays : mapping
        Arrays for names in ``_core.COMPACT_DTYPES``, with the dtypes listed there.

    Raises
    ------
    ValueError
        If the arrays do not describe valid graphs, with the reason.
    """

    def __init__(self, schema: Schema, arrays: Mapping[str, NDArray[Any]]) -> None:
        self.schema = schema
        # A view of a mapped file would change with the file.
        own = {name: a if a.flags.owndata else a.copy() for name, a in arrays.items()}
        self._form = len(schema.classes), core_columns(schema), own
        _core.check_graphs(*self._form)

    def __len__(self) -> int:
        return len(self._form[2]["n_nodes"])

    @cached_property
    def cores(self) -> list[_core.Graph]:
        """The compiled graphs."""
        graphs: list[_core.Graph] = _core.expand_graphs(*self._form)
        return graphs

    def forest(self) -> _core.Forest:
        """Return the layout for prediction, without the compiled graphs."""
        return _core.expand_forest(*self._form)


class GraphNodes:
    """Nodes and branches; node 0 is the root, and branches lead to nodes of higher index.

    Parameters
    ----------
    core : _core.Graph
        The compiled graph, which never changes.
    schema : Schema
        The features that its splits use and the classes that its leaves predict.
    """

    #: The graphs of a file that this is one of, and its index among them.
    _stored: tuple[StoredGraphs, int] | None = None

    def __init__(self, core: _core.Graph, schema: Schema) -> None:
        self.core = core
        self.schema = schema

    @classmethod
    def from_stored(cls, stored: StoredGraphs, index: int) -> Self:
        """Make one of the graphs of a file, which is expanded when it is first needed."""
        graph = cls.__new__(cls)
        graph.schema = stored.schema
        graph._stored = stored, index
        return graph

    @cached_property
    def core(self) -> _core.Graph:
        """The compiled graph."""
        if self._stored is None:  # the initializer has set it otherwise
            raise AttributeError("core")
        stored, index = self._stored
        return stored.cores[index]

    @classmethod
    def from_arrays(cls, schema: Schema, arrays: Mapping[str, NDArray[Any]]) -> Self:
        """Make a graph from its arrays, as `arrays` returns them; every index is checked.

        Parameters
        ----------
        schema : Schema
            The features and classes that the arrays refer to by their indices.
        arrays : mapping
            An array for each name in ``_core.GRAPH_DTYPES``, with the dtype listed there.

        Raises
        ------
        ValueError
            If the arrays do not describe a graph, with the node and the reason.
        """
        # A pickle may come from a machine with the other order of bytes.
        native = {
            name: array.astype(array.dtype.newbyteorder("="), copy=False)
            for name, array in arrays.items()
        }
        core = _core.Graph.from_arrays(len(schema.classes), core_columns(schema), native)
        return cls(core, schema)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self).from_arrays, (self.schema, self.arrays)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GraphNodes):
            return NotImplemented
        return self.schema == other.schema and all(
            np.array_equal(array, other.arrays[name]) for name, array in self.arrays.items()
        )

    def __repr__(self) -> str:
        size = f"n_nodes={self.n_nodes}, n_leaves={self.n_leaves}, depth={self.depth}"
        return f"{type(self).__name__}({size})"

    @cached_property
    def arrays(self) -> dict[str, NDArray[Any]]:
        """The arrays of the graph by name: read-only views of the compiled graph."""
        return self.core.arrays()

    # -- size ---------------------------------------------------------------------------------
    @property
    def n_nodes(self) -> int:
        """Number of nodes, leaves included."""
        return len(self.nodes)

    @property
    def size(self) -> int:
        """C4.5's size of a tree: all nodes, empty leaves included."""
        return self.n_nodes

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int(np.count_nonzero(self.nodes["split"] == LEAF))

    @property
    def depth(self) -> int:
        """Number of splits on the longest path."""
        return self.core.depth

    def __len__(self) -> int:
        return self.n_nodes

    # -- all nodes ----------------------------------------------------------------------------
    @property
    def nodes(self) -> NDArray[np.void]:
        """A structured array with one record per node; ``nodes.dtype`` lists the fields."""
        return self.arrays["nodes"]

    @property
    def feature(self) -> NDArray[np.int32]:
        """Per node: the index of the feature of its split, -1 at a leaf or an oblique split."""
        return self.nodes["column"]

    @property
    def label(self) -> NDArray[np.int32]:
        """Per node: the index of the majority class."""
        return self.nodes["label"]

    @property
    def threshold(self) -> NDArray[np.float64]:
        """Per node: the threshold of a threshold split or an oblique split."""
        return self.nodes["threshold"]

    @property
    def weight(self) -> NDArray[np.float64]:
        """Per node: the weight of the training rows that reach it."""
        return self.nodes["weight"]

    @property
    def errors(self) -> NDArray[np.float64]:
        """Per node: training errors; in a pruned tree their pessimistic estimate."""
        return self.nodes["errors"]

    @property
    def has_branch_weights(self) -> bool:
        """Whether branches have weights of their own, as in a program."""
        return len(self.arrays["branch_weights"]) > 0

    @property
    def has_missing_branches(self) -> bool:
        """Whether a row with a missing value takes one branch, and not all of them in shares."""
        return len(self.arrays["missing_branch"]) > 0

    @property
    def shrinkage(self) -> float:
        """The number by which the class shares of a tree are shrunk; 0 for none."""
        stored = self.arrays["shrinkage"]
        return float(stored[0]) if len(stored) else 0.0

    def predicted_shares(self) -> NDArray[np.float64]:
        """Return the class shares that each node predicts, (n_nodes, n_classes).

        Without shrinkage they are those of its class weights, and a leaf without training rows
        predicts its label. Class weights are always those of the training rows.
        """
        return self.core.predicted_shares().reshape(self.n_nodes, len(self.schema.classes))

    # -- one node -----------------------------------------------------------------------------
    def split_kind(self, node: int) -> str:
        """Return ``leaf``, ``threshold``, ``multiway``, ``subset`` or ``oblique``."""
        kind: str = _core.SPLIT_KINDS[int(self.nodes["split"][node])]
        return kind

    def is_leaf(self, node: int) -> bool:
        """Return whether a node is a leaf."""
        return bool(self.nodes["split"][node] == LEAF)

    def children(self, node: int) -> list[int]:
        """Return the nodes at the ends of a node's branches, in branch order."""
        children: list[int] = self._range(node, "children", "branch", "branches").tolist()
        return children

    def branch_weights(self, node: int) -> list[float]:
        """Return the weight of the training rows that take each branch of a node.

        In a tree that is the weight of the child. The weight of a shared node is the sum over all
        branches that lead to it.
        """
        if not self.has_branch_weights:
            return [float(self.weight[child]) for child in self.children(node)]
        weights: list[float] = self._range(node, "branch_weights", "branch", "branches").tolist()
        return weights

    def missing_branch(self, node: int) -> int:
        """Return the branch that a missing value takes at a split; -1 if it takes all in shares.

        An oblique split has a number for missing values instead, and -1 here, as has a leaf.
        """
        return int(self.arrays["missing_branch"][node]) if self.has_missing_branches else -1

    def separates_missing(self, node: int) -> bool:
        """Return whether a threshold split separates all known values from the missing ones.

        Known values take its first branch, and missing values the second.
        """
        is_threshold = self.split_kind(node) == "threshold"
        return is_threshold and bool(self.threshold[node] == _core.NO_VALUE_ABOVE)

    def feature_of(self, node: int) -> Feature:
        """Return the feature of a node's split; an oblique split has `terms` instead."""
        return self.schema.features[int(self.feature[node])]

    def label_of(self, node: int) -> Label:
        """Return the majority class of a node."""
        return self.schema.classes[int(self.label[node])]

    def class_weights(self, node: int) -> list[tuple[int, float]]:
        """Return the classes present at a node, as (class index, weight)."""
        classes = self._range(node, "class_index", "class", "classes").tolist()
        weights = self._range(node, "class_weight", "class", "classes").tolist()
        return list(zip(classes, weights, strict=True))

    def _range(self, node: int, array: str, one: str, many: str) -> NDArray[Any]:
        first = int(self.nodes[f"first_{one}"][node])
        return self.arrays[array][first : first + int(self.nodes[f"n_{many}"][node])]

    def subsets(self, node: int) -> list[list[Label]]:
        """Return the values of each branch of a subset split."""
        values = self.feature_of(node).values
        first = int(self.nodes["first_value"][node])
        branch_of = self.arrays["value_branch"][first : first + len(values)]
        return [
            [values[v] for v in np.flatnonzero(branch_of == branch)]
            for branch in range(self.nodes["n_branches"][node])
        ]

    def terms(self, node: int) -> list[Term]:
        """Return the terms of an oblique split, in the order in which they are added up.

        A row takes the first branch if their sum is at most the threshold, else the second.
        """
        return terms_of(self._range(node, "terms", "term", "terms"), self.arrays["term_numbers"])

    def branch_values(self, node: int) -> list[list[Label]]:
        """Return the values that take each branch of a multiway or subset split.

        A branch that only missing values take has none.
        """
        if self.split_kind(node) == "multiway":
            values: list[list[Label]] = [[value] for value in self.feature_of(node).values]
            return values + [[]] * (int(self.nodes["n_branches"][node]) - len(values))
        return self.subsets(node)

    def walk(self) -> Iterator[tuple[int, int]]:
        """Yield (node, depth) in pre-order, each node once."""
        seen = np.zeros(self.n_nodes, dtype=bool)
        stack = [(0, 0)]
        while stack:
            node, depth = stack.pop()
            if seen[node]:
                continue
            seen[node] = True
            yield node, depth
            stack.extend((child, depth + 1) for child in reversed(self.children(node)))


def forest_of(graphs: Sequence[GraphNodes]) -> _core.Forest:
    """Return the layout for prediction of graphs with the same schema.

    All graphs of a file are not expanded for it.
    """
    stored = graphs[0]._stored if graphs else None
    if (
        stored is not None
        and len(stored[0]) == len(graphs)
        and all(graph._stored == (stored[0], index) for index, graph in enumerate(graphs))
    ):
        return stored[0].forest()
    return _core.Forest([graph.core for graph in graphs])
