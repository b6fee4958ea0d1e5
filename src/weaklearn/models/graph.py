"""A fitted graph: a tree, or a branching program when nodes are shared."""

from __future__ import annotations

from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core
from weaklearn.encoding import encode_rows
from weaklearn.models.graph_nodes import GraphNodes, forest_of
from weaklearn.schema import Schema, encode_classes

if TYPE_CHECKING:
    from os import PathLike

    from matplotlib.axes import Axes
    from scipy.sparse import csr_matrix

    from weaklearn.encoding import EncodedRows
    from weaklearn.explain.contributions import Contributions
    from weaklearn.explain.explanations import Explanations
    from weaklearn.explain.taken_paths import TakenPaths
    from weaklearn.models.votes import VoteForm
    from weaklearn.show.rules import RuleList


class Graph(GraphNodes):
    """A graph that predicts, prints and saves.

    Parameters
    ----------
    core : _core.Graph
        The compiled graph, which never changes.
    schema : Schema
        The features that its splits use and the classes that its leaves predict.
    """

    @cached_property
    def forest(self) -> _core.Forest:
        """The nodes in the layout for prediction, made when it is first needed."""
        return forest_of([self])

    # -- prediction ---------------------------------------------------------------------------
    def encode(self, X: Any) -> EncodedRows:
        """Encode a frame for the methods that take encoded rows.

        Parameters
        ----------
        X : frame
            Columns are matched by name if they have names, by position otherwise. A nominal
            value that the schema does not declare counts as missing.

        Returns
        -------
        EncodedRows
            One array per feature.
        """
        return encode_rows(X, self.schema, "the graph")

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class of each row of a frame.

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
        >>> tree.predict(frame)
        array(['no', 'no', 'yes', 'yes'], dtype='<U3')
        """
        classes = self.schema.classes
        one_type = len({type(label) for label in classes}) == 1
        labels = np.array(classes, dtype=None if one_type else object)
        predicted: NDArray[Any] = labels[self.predict_class_indices(self.encode(X))]
        return predicted

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Predict the share of each class for each row of a frame, as C4.5 distributes it.

        Parameters
        ----------
        X : frame
            As for `encode`.

        Returns
        -------
        array of float64, (n_rows, n_classes)
            In the order of the schema's classes; rows sum to one.

        Examples
        --------
        >>> import pandas as pd
        >>> import weaklearn as wl
        >>> frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0]})
        >>> tree = wl.C45Classifier().fit(frame, ["no", "no", "yes", "yes"]).tree_
        >>> tree.predict_proba(frame).tolist()
        [[1.0, 0.0], [1.0, 0.0], [0.0, 1.0], [0.0, 1.0]]
        """
        return self.predict_class_shares(self.encode(X))

    def predict_class_indices(self, rows: EncodedRows, n_threads: int = 1) -> NDArray[np.int32]:
        """Return the class index of each row: the largest weight; ties go to the lowest index."""
        classes: NDArray[np.int32] = self.forest.predict_members(
            rows.arrays, rows.n_rows, "label", n_threads
        )[0]
        return classes

    def predict_class_shares(self, rows: EncodedRows, n_threads: int = 1) -> NDArray[np.float64]:
        """Return the share of each class for each row; rows sum to one."""
        shares = self.forest.class_shares(rows.arrays, rows.n_rows, n_threads)
        return shares.reshape(rows.n_rows, len(self.schema.classes))

    def with_features(self, schema: Schema, columns: NDArray[np.intp]) -> Graph:
        """Return the same graph for a table with more features.

        Parameters
        ----------
        schema : Schema
            The features of that table, and the same classes.
        columns : array of int
            The index in `schema` of each feature of this graph.
        """
        arrays = dict(self.arrays)
        for name in ("nodes", "terms"):
            records = arrays[name].copy()
            has_column = records["column"] >= 0
            records["column"][has_column] = columns[records["column"][has_column]]
            arrays[name] = records
        return Graph.from_arrays(schema, arrays)

    def apply(self, rows: EncodedRows, n_threads: int = 1) -> NDArray[np.int32]:
        """Return the leaf that each row reaches.

        A row with missing values may reach several leaves, unless splits have a branch for missing
        values. The leaf with the largest share of it
        is returned, and ties go to the lowest index; -1 if it reaches none, because a split on a
        missing value has no branch with training weight.
        """
        return self.forest.apply(rows.arrays, rows.n_rows, n_threads)

    def decision_path(self, rows: EncodedRows, n_threads: int = 1) -> csr_matrix:
        """Return the share of each row at each node, as a sparse matrix (n_rows, n_nodes).

        The shares are 1.0 unless a value is missing where a split needs it, and the split has no
        branch for missing values.
        """
        return paths_in(self.forest, rows, n_threads)

    def importances(self) -> NDArray[np.float64]:
        """Return per feature the share of the information, in bits, that its splits gain.

        The shares sum to one, or are all zero if no split gains anything.
        """
        from weaklearn.models.feature_importances import importances

        return importances(self)

    # -- showing and saving -------------------------------------------------------------------
    def to_text(self, max_depth: int | None = None) -> str:
        """Return the graph as C4.5 prints a tree; see `weaklearn.show.to_text` for the details.

        Parameters
        ----------
        max_depth : int, optional
            The most levels of splits to print; by default all.

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

        return to_text(self, max_depth)

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

    def plot(self, ax: Axes | None = None, max_depth: int | None = None) -> Axes:
        """Draw the graph with matplotlib; see `weaklearn.show.plot` for the details.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw, the text scaled to fit; by default a new figure, as large as needed.
        max_depth : int, optional
            The most levels of splits to draw; by default as many as can be read.

        Returns
        -------
        matplotlib Axes
            The axes drawn on.

        Examples
        --------
        >>> tree.plot().figure.savefig("tree.png")  # doctest: +SKIP
        """
        from weaklearn.show.plot import plot

        return plot(self, ax, max_depth)

    def rules(self, X: Any = None, y: Any = None) -> RuleList:
        """Return one rule per path to a leaf; see `weaklearn.show.rules` for the details.

        Parameters
        ----------
        X, y : frame and labels, optional
            Rows to count along the paths: a rule per path that some row takes, with the number
            of rows and errors. Without rows, every path to a shared leaf of a program has the
            figures of the whole leaf.

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
                "rules() counts rows together with their classes: pass both X and y, or neither"
            )
        if X is None:
            return rules(self)
        rows = self.encode(X)
        classes = encode_classes(y, self.schema.classes, rows.n_rows)
        return rules(self, RowsOnPath.at_root(rows, classes))

    def explain(self, X: Any) -> Explanations:
        """Explain the prediction for each row by the path that it takes.

        docs/guides/explanations.md shows what explanations contain.

        Parameters
        ----------
        X : frame
            As for `encode`.

        Returns
        -------
        Explanations
            One per row, with the conditions on the path and the class weights at the leaf. A row
            takes several paths if a value is missing where a split needs it.

        Examples
        --------
        >>> import weaklearn as wl
        >>> table = wl.datasets.load("iris")
        >>> tree = wl.C45Classifier().fit(table.X, table.y).tree_
        >>> tree.explain(table.X[:1])[0].text
        'setosa, because petal width (cm) <= 0.6 (50 of 50 training rows)'
        """
        from weaklearn.explain.explain_models import explain_source

        return explain_source(self, self.encode(X))

    def contributions(
        self, rows: EncodedRows, form: VoteForm = "shares", n_threads: int = 1
    ) -> Contributions:
        """Return what each feature contributes to what the classes get in each encoded row."""
        from weaklearn.explain.contributions import of_graph

        return of_graph(self, rows, form, n_threads)

    def reasons(self, rows: EncodedRows, n_threads: int = 1) -> list[TakenPaths]:
        """Return the paths that each encoded row takes."""
        from weaklearn.explain.taken_paths import taken_paths

        return taken_paths(self, rows, n_threads)

    def _repr_html_(self) -> str:
        from weaklearn.show.html import to_html

        return to_html(self)

    def save(self, path: str | PathLike[str]) -> None:
        """Save the graph with its schema in a file, for `weaklearn.load`.

        Parameters
        ----------
        path : path
            Its suffix chooses the form: ``.wl`` is small and loads quickly, ``.json`` and
            ``.json.gz`` can be read by other programs. The file is written completely or not at
            all.

        Examples
        --------
        >>> tree.save("tree.json")  # doctest: +SKIP
        """
        from weaklearn.models.graph_content import graph_content
        from weaklearn.models.saving import write

        write(path, "graph", graph_content(self))


def paths_in(forest: _core.Forest, rows: EncodedRows, n_threads: int = 1) -> csr_matrix:
    """Return the share of each row at each node of all members, as (n_rows, n_nodes)."""
    from scipy.sparse import csr_matrix

    csr = forest.decision_path(rows.arrays, rows.n_rows, n_threads)
    return csr_matrix(csr, shape=(rows.n_rows, forest.n_nodes))
