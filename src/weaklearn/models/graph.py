"""A fitted graph: a tree, or a program when nodes are shared, with the schema it speaks of."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core
from weaklearn.encoding import encode_columns, match_columns
from weaklearn.models.oblique_terms import Term, no_terms, terms_of
from weaklearn.schema import Feature, Label, Schema, infer_classes
from weaklearn.tables.frames import as_columns

if TYPE_CHECKING:
    from os import PathLike

    from matplotlib.axes import Axes

    from weaklearn.encoding import EncodedRows
    from weaklearn.show.rules import RuleList

Test = Literal["leaf", "<=", "value", "subset", "oblique"]
TESTS: tuple[Test, ...] = ("leaf", "<=", "value", "subset", "oblique")


class Graph:
    """Nodes and branches; node 0 is the root.

    Parameters
    ----------
    core : _core.Graph
        The compiled graph.
    schema : Schema
        The features that its tests name and the classes that its leaves answer.
    """

    def __init__(self, core: _core.Graph, schema: Schema) -> None:
        self.core = core
        self.schema = schema

    @classmethod
    def from_arrays(cls, schema: Schema, arrays: Mapping[str, NDArray[Any]]) -> Graph:
        """Make a graph from the arrays that ``core.arrays()`` gives; every index is checked.

        Parameters
        ----------
        schema : Schema
            The features and classes that the arrays speak of by number.
        arrays : mapping
            One entry per node, branch, value, class weight or term; see `weaklearn.models.saving`.
            Those of terms may be left out together, where no test is oblique.

        Raises
        ------
        ValueError
            Where the arrays do not hold together, with the node and the reason.
        """
        core = _core.Graph.from_arrays(
            len(schema.classes),
            np.array([len(feature.values) for feature in schema.features], dtype=np.uint32),
            np.array([a.precision == "single" for a in schema.features], dtype=bool),
            **(no_terms(len(arrays["test"])) | dict(arrays)),
        )
        return cls(core, schema)

    def __reduce__(self) -> tuple[Any, ...]:
        return Graph.from_arrays, (self.schema, self._arrays)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Graph):
            return NotImplemented
        return self.schema == other.schema and all(
            np.array_equal(array, other._arrays[name]) for name, array in self._arrays.items()
        )

    def __repr__(self) -> str:
        return f"Graph(n_nodes={self.n_nodes}, n_leaves={self.n_leaves}, depth={self.depth})"

    @cached_property
    def _arrays(self) -> dict[str, NDArray[Any]]:
        return self.core.arrays()

    # -- answers ------------------------------------------------------------------------------
    def predict(self, rows: EncodedRows, n_threads: int = 1) -> NDArray[np.int32]:
        """Return the number of each row's class: the largest weight, the lowest of equals."""
        return self.core.predict(rows.arrays, rows.n_rows, n_threads)

    def predict_proba(self, rows: EncodedRows, n_threads: int = 1) -> NDArray[np.float64]:
        """Return each row's weight per class, as C4.5 distributes it; rows sum to one."""
        weights = self.core.predict_proba(rows.arrays, rows.n_rows, n_threads)
        return weights.reshape(rows.n_rows, len(self.schema.classes))

    def encode(self, X: Any) -> EncodedRows:
        """Encode a frame for `predict`, `predict_proba` and the committees.

        Parameters
        ----------
        X : frame
            Columns are matched by name where they have names, by position where not. A nominal
            value that the schema does not declare counts as missing.

        Returns
        -------
        EncodedRows
            One array per feature.
        """
        columns = match_columns(as_columns(X), self.schema, "the graph")
        return encode_columns(columns, self.schema.features)

    def answer(self, X: Any) -> NDArray[Any]:
        """Return the class of each row of a frame.

        Parameters
        ----------
        X : frame
            As for `encode`.

        Returns
        -------
        array of labels
            One per row.

        Examples
        --------
        >>> import pandas as pd
        >>> import weaklearn as wl
        >>> frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0]})
        >>> tree = wl.C45Classifier().fit(frame, ["no", "no", "yes", "yes"]).tree_
        >>> tree.answer(frame)
        array(['no', 'no', 'yes', 'yes'], dtype='<U3')
        """
        classes = self.schema.classes
        one_type = len({type(label) for label in classes}) == 1
        labels = np.array(classes, dtype=None if one_type else object)
        answers: NDArray[Any] = labels[self.predict(self.encode(X))]
        return answers

    # -- size ---------------------------------------------------------------------------------
    @property
    def n_nodes(self) -> int:
        """Number of nodes, leaves included."""
        return len(self._arrays["test"])

    @property
    def size(self) -> int:
        """C4.5's size of a tree: all nodes, empty leaves included."""
        return self.n_nodes

    @property
    def n_leaves(self) -> int:
        """Number of leaves."""
        return int(np.count_nonzero(self._arrays["test"] == 0))

    @property
    def depth(self) -> int:
        """Number of tests on the longest path."""
        return self.core.depth

    def __len__(self) -> int:
        return self.n_nodes

    # -- all nodes ----------------------------------------------------------------------------
    @property
    def feature(self) -> NDArray[np.int32]:
        """Per node: the number of the feature tested, -1 at a leaf or an oblique test."""
        return self._arrays["attribute"]

    @property
    def label(self) -> NDArray[np.int32]:
        """Per node: the number of the majority class."""
        return self._arrays["label"]

    @property
    def threshold(self) -> NDArray[np.float64]:
        """Per node: the threshold of a ``<=`` or an oblique test."""
        return self._arrays["threshold"]

    @property
    def weight(self) -> NDArray[np.float64]:
        """Per node: the weight of the training instances that reach it."""
        return self._arrays["weight"]

    @property
    def errors(self) -> NDArray[np.float64]:
        """Per node: training errors; in a pruned tree their pessimistic estimate."""
        return self._arrays["errors"]

    @property
    def has_flow(self) -> bool:
        """Whether the weight that takes each branch was noted, beside the weights of nodes."""
        return len(self._arrays["flow"]) > 0

    # -- one node -----------------------------------------------------------------------------
    def test(self, node: int) -> Test:
        """Return the kind of test: ``leaf``, ``<=``, ``value``, ``subset`` or ``oblique``."""
        return TESTS[int(self._arrays["test"][node])]

    def is_leaf(self, node: int) -> bool:
        """Whether a node answers instead of asking."""
        return bool(self._arrays["test"][node] == 0)

    def children(self, node: int) -> list[int]:
        """Return the nodes at the ends of a node's branches, in branch order."""
        first, count = self._arrays["first_branch"][node], self._arrays["n_branches"][node]
        children: list[int] = self._arrays["branches"][first : first + count].tolist()
        return children

    def flow(self, node: int) -> list[float]:
        """Return the weight of the training instances that take each branch of a node.

        In a tree that is the weight of the node at its end; a shared node's weight is the sum over
        all branches that lead to it.
        """
        children = self.children(node)
        if not self.has_flow:
            return [float(self.weight[child]) for child in children]
        first = self._arrays["first_branch"][node]
        flow: list[float] = self._arrays["flow"][first : first + len(children)].tolist()
        return flow

    def feature_of(self, node: int) -> Feature:
        """Return the feature that a node tests; an oblique test has `terms` instead."""
        return self.schema.features[int(self.feature[node])]

    def label_of(self, node: int) -> Label:
        """Return the majority class of a node."""
        return self.schema.classes[int(self.label[node])]

    def class_weights(self, node: int) -> list[tuple[int, float]]:
        """Return the classes present at a node, as (class number, weight)."""
        first, count = self._arrays["first_class"][node], self._arrays["n_classes"][node]
        classes = self._arrays["class_index"][first : first + count].tolist()
        weights = self._arrays["class_weight"][first : first + count].tolist()
        return list(zip(classes, weights, strict=True))

    def subsets(self, node: int) -> list[list[Label]]:
        """Return the values of each branch of a ``"subset"`` test."""
        values = self.feature_of(node).values
        first = self._arrays["first_value"][node]
        branch_of = self._arrays["value_branch"][first : first + len(values)]
        return [
            [values[v] for v in np.flatnonzero(branch_of == branch)]
            for branch in range(self._arrays["n_branches"][node])
        ]

    def terms(self, node: int) -> list[Term]:
        """Return the terms of an oblique test, in the order in which they are added up.

        Their sum goes down the first branch up to the threshold, down the second above it.
        """
        return terms_of(self._arrays, node)

    def branch_values(self, node: int) -> list[list[Label]]:
        """Return the values that lead down each branch of a ``value`` or ``subset`` test."""
        if self.test(node) == "value":
            return [[value] for value in self.feature_of(node).values]
        return self.subsets(node)

    def importances(self) -> NDArray[np.float64]:
        """Return per feature the share of the information, in bits, that its tests gain.

        They sum to one, or are all zero where no test gains anything.
        """
        from weaklearn.models.feature_importances import importances

        return importances(self)

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

    # -- showing and saving -------------------------------------------------------------------
    def to_text(self) -> str:
        """Return the graph as C4.5 prints a tree; see `weaklearn.show.to_text` for the details.

        Examples
        --------
        >>> import pandas as pd
        >>> import weaklearn as wl
        >>> frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0]})
        >>> tree = wl.C45Classifier().fit(frame, ["no", "no", "yes", "yes"]).tree_
        >>> print(tree.to_text())
        x <= 2 : no (2.0/1.0)
        x > 2 : yes (2.0/1.0)
        """
        from weaklearn.show.text import to_text

        return to_text(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the graph as nested nodes; see `weaklearn.show.to_dict` for their fields.

        Examples
        --------
        >>> import pandas as pd
        >>> import weaklearn as wl
        >>> frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0]})
        >>> tree = wl.C45Classifier().fit(frame, ["no", "no", "yes", "yes"]).tree_
        >>> tree.to_dict()["children"][1]
        {'class': 'yes', 'n': 2.0, 'e': 1.0, 'dist': {'yes': 2.0}}
        """
        from weaklearn.show.nested_dict import to_dict

        return to_dict(self)

    def to_dot(self) -> str:
        """Return the graph in the DOT language of Graphviz.

        Examples
        --------
        >>> import pandas as pd
        >>> import weaklearn as wl
        >>> frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0]})
        >>> tree = wl.C45Classifier().fit(frame, ["no", "no", "yes", "yes"]).tree_
        >>> tree.to_dot().splitlines()[4]
        '  n0 -> n1 [label="<= 2"];'
        """
        from weaklearn.show.dot import to_dot

        return to_dot(self)

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the graph with matplotlib; see `weaklearn.show.plot` for the details.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw, the text scaled to fit; by default a new figure, as large as needed.

        Returns
        -------
        matplotlib Axes
            The axes drawn on.

        Examples
        --------
        >>> tree.plot().figure.savefig("tree.png")  # doctest: +SKIP
        """
        from weaklearn.show.plot import plot

        return plot(self, ax)

    def rules(self, X: Any = None, y: Any = None) -> RuleList:
        """Return one rule per path to a leaf; see `weaklearn.show.rules` for the details.

        Parameters
        ----------
        X, y : frame and labels, optional
            Rows to count along the paths: a rule per path that some of them take, with their
            number and their errors. A program shares its leaves, and without rows each of the
            paths to a leaf has all the leaf's figures.

        Returns
        -------
        RuleList
            A list of rules in pre-order; its ``repr`` shows the first ten.

        Examples
        --------
        >>> import pandas as pd
        >>> import weaklearn as wl
        >>> frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0]})
        >>> tree = wl.C45Classifier().fit(frame, ["no", "no", "yes", "yes"]).tree_
        >>> print(tree.rules()[0])
        if x <= 2 then no (n=2.0, e=1.0)
        >>> print(tree.rules(frame, ["no", "no", "no", "no"])[1])
        if x > 2 then yes (n=2.0, e=2.0)
        """
        from weaklearn.show.rows_on_paths import RowsOnPath
        from weaklearn.show.rules import rules

        if (X is None) != (y is None):
            raise ValueError(
                "rules() counts rows with their classes: give both X and y, or neither"
            )
        if X is None:
            return rules(self)
        rows = self.encode(X)
        return rules(self, RowsOnPath.at_root(rows, self._class_numbers(y, rows.n_rows)))

    def _class_numbers(self, y: Any, n_rows: int) -> NDArray[np.int32]:
        labels, codes = infer_classes(y, n_rows)
        place = {label: number for number, label in enumerate(self.schema.classes)}
        numbers = np.array([place.get(label, -1) for label in labels], dtype=np.int32)[codes]
        if (numbers < 0).any():
            unknown = labels[codes[np.argmin(numbers)]]
            known = ", ".join(map(repr, self.schema.classes))
            raise ValueError(f"y holds the class {unknown!r}; the classes of the graph are {known}")
        return numbers

    def _repr_html_(self) -> str:
        from weaklearn.show.html import to_html

        return to_html(self)

    def save(self, path: str | PathLike[str]) -> None:
        """Save the graph with its schema as JSON, for `weaklearn.load`.

        Parameters
        ----------
        path : path
            Ends in ``.json``, or in ``.json.gz`` to compress it. The file is written whole or
            not at all.

        Examples
        --------
        >>> tree.save("tree.json")  # doctest: +SKIP
        """
        from weaklearn.models.saving import graph_content, write

        write(path, "graph", graph_content(self))
