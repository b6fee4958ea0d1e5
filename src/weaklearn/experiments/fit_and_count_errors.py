"""Fit a classifier to some rows of a table, test it on others, and count its errors.

The table is encoded once, as one `Dataset` that all trials share. Rows that a trial does not train
on have weight 0, and the learners ignore rows of weight 0. The declared values and classes are
therefore those of the whole table. C4.5 does the same: it reads them from its ``.names`` file. So a
tree knows a value that occurs only in test rows, although no training row has it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from weaklearn.encoding import Dataset, EncodedRows, warn_of_columns
from weaklearn.experiments.train_test_splits import Split
from weaklearn.models.graph import Graph
from weaklearn.schema import ColumnOptions, Label, infer_classes
from weaklearn.tables.frames import Columns, as_columns


class TableLearner(Protocol):
    """The methods that an experiment needs from a classifier: encode once, fit often."""

    def check_parameters(self) -> None:
        """Raise a ValueError for the first parameter outside its domain."""

    def column_options(self) -> ColumnOptions:
        """Return what the user declares about the columns."""
        ...

    def encode_training(
        self, columns: Columns, classes: tuple[Label, ...], codes: NDArray[np.int32]
    ) -> tuple[EncodedRows, Dataset]:
        """Encode a table as rows to predict and as rows to fit to."""

    def fit_dataset(self, dataset: Dataset, weights: NDArray[np.float64]) -> None:
        """Fit to an encoded dataset; rows of weight 0 are ignored."""

    def predict_class_indices(self, rows: EncodedRows) -> NDArray[np.int32]:
        """Predict the class index of each row."""

    def predict_class_shares(self, rows: EncodedRows) -> NDArray[np.float64]:
        """Predict the share of each class for each row."""


@dataclass(frozen=True, slots=True)
class Fold:
    """The errors and sizes of one trial: of one fold held back, or of one training set.

    Parameters
    ----------
    repeat, fold : int
        Which fold of which repeat; both count from 0. Where training sets are disjoint, ``fold``
        is the index of the set.
    n_train, n_test : int
        How many rows it trained on and tested on.
    train_errors, test_errors : int
        How many of these rows are misclassified.
    size : int or None
        Nodes of the model's graph, or of all members' graphs; None for a model without graphs.
    n_leaves, depth : int or None
        Leaves, and splits on the longest path; None unless the model is one graph.
    n_members : int or None
        How many graphs vote; None unless the model is a committee.
    """

    repeat: int
    fold: int
    n_train: int
    n_test: int
    train_errors: int
    test_errors: int
    size: int | None = None
    n_leaves: int | None = None
    depth: int | None = None
    n_members: int | None = None


@dataclass(frozen=True, slots=True)
class EncodedTable:
    """A table, encoded as a classifier needs it.

    Parameters
    ----------
    rows : EncodedRows
        The rows to predict.
    dataset : Dataset
        The rows to fit to.
    classes : array of int32
        The class index of each row.
    """

    rows: EncodedRows
    dataset: Dataset
    classes: NDArray[np.int32]

    def __repr__(self) -> str:
        return f"EncodedTable({len(self.classes):,} rows)"

    def fit_and_test(
        self, estimator: TableLearner, split: Split, seed: np.random.SeedSequence
    ) -> tuple[Any, NDArray[np.bool_]]:
        """Fit a clone of the classifier to the training rows, and predict all rows.

        Parameters
        ----------
        estimator : classifier of weaklearn
            Where its ``random_state`` is None, the clone gets one derived from ``seed``.
        split : Split
            Which rows to train on.
        seed : SeedSequence
            The seed of the trial.

        Returns
        -------
        model : classifier
            The fitted clone.
        wrong : array of bool
            Which rows of the table it misclassifies.
        """
        model = clone(estimator)
        if model.get_params(deep=False).get("random_state", 0) is None:
            model.set_params(random_state=int(seed.generate_state(1)[0]))
        model.fit_dataset(self.dataset, split.train.astype(np.float64))
        return model, model.predict_class_indices(self.rows) != self.classes


def encode_table(estimator: Any, X: Any, y: Any) -> EncodedTable:
    """Check a classifier's parameters, and encode a table as the classifier needs it.

    Parameters
    ----------
    estimator : classifier of weaklearn
        Its parameters decide how numbers are encoded.
    X : frame
        As for ``fit``.
    y : Series, array or list
        The class of each row.

    Returns
    -------
    EncodedTable
        For all trials of this classifier, whichever rows they train on.
    """
    check_table_learner(estimator)
    estimator.check_parameters()
    missing = estimator.column_options().missing
    columns = as_columns(X, missing)
    labels, classes = infer_classes(y, columns.n_rows, missing)
    rows, dataset = estimator.encode_training(columns, labels, classes)
    missing_is_value = estimator._missing_is_value()
    warn_of_columns(rows, dataset.schema.features, classes, missing_is_value)
    return EncodedTable(rows, dataset, classes)


def check_table_learner(estimator: Any) -> None:
    """Raise a TypeError for a classifier that does not learn from an encoded table."""
    if not hasattr(estimator, "fit_dataset"):
        raise TypeError(
            f"got a {type(estimator).__name__}, expected a classifier of weaklearn; use "
            "sklearn.model_selection.cross_validate for other classifiers."
        )


def count_errors(
    model: Any, wrong: NDArray[np.bool_], split: Split, fold: int, repeat: int = 0
) -> Fold:
    """Count the errors of a trial, and the nodes of its model."""
    return Fold(
        repeat,
        fold,
        n_train=int(split.train.sum()),
        n_test=int(split.test.sum()),
        train_errors=int(np.count_nonzero(wrong & split.train)),
        test_errors=int(np.count_nonzero(wrong & split.test)),
        **_sizes(model),
    )


def _sizes(model: Any) -> dict[str, int]:
    graph = getattr(model, "graph_", None)
    if isinstance(graph, Graph):
        return {"size": graph.size, "n_leaves": graph.n_leaves, "depth": graph.depth}
    graphs = [getattr(member, "graph_", None) for member in getattr(model, "members_", ())]
    sizes = [graph.size for graph in graphs if isinstance(graph, Graph)]
    if not sizes or len(sizes) < len(graphs):
        return {}
    return {"size": sum(sizes), "n_members": len(sizes)}
