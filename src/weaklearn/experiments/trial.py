"""One trial: a classifier fitted to some rows of a table that is encoded once, and tested.

The table becomes one `Dataset`, which all trials share: rows that are not trained on have weight 0,
and rows of weight 0 are absent. The declared values and classes are therefore those of the whole
table, as they are for C4.5, which reads them from its ``.names`` file; a value that occurs only in
test rows is known to the tree, though it has no training row.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from weaklearn.encoding import Dataset, EncodedRows
from weaklearn.experiments.train_test_splits import Split
from weaklearn.models.graph import Graph
from weaklearn.schema import Label, infer_classes
from weaklearn.tables.frames import Columns, as_columns


class TableLearner(Protocol):
    """What an experiment asks of a classifier: to be encoded for once, and fitted often."""

    def check_parameters(self) -> None:
        """Raise a ValueError for the first parameter outside its domain."""

    def encode_training(
        self, columns: Columns, classes: tuple[Label, ...], codes: NDArray[np.int32]
    ) -> tuple[EncodedRows, Dataset]:
        """Encode a table as rows to answer and to fit to."""

    def fit_dataset(self, dataset: Dataset, weights: NDArray[np.float64]) -> None:
        """Fit to an encoded dataset; rows of weight 0 are absent."""

    def predict_class_indices(self, rows: EncodedRows) -> NDArray[np.int32]:
        """Answer with the number of each row's class."""


@dataclass(frozen=True, slots=True)
class Fold:
    """What came of one trial: one fold held back, or one training set tried.

    Parameters
    ----------
    repeat, fold : int
        Which fold of which repeat; both count from 0. Where training sets are disjoint, ``fold``
        is the number of the set.
    n_train, n_test : int
        Rows trained on and rows tested on.
    train_errors, test_errors : int
        How many of them are misclassified.
    size : int or None
        Nodes of the model's graph, or of all members' graphs.
    n_leaves, depth : int or None
        Of a model that is one graph: leaves, tests on the longest path.
    n_members : int or None
        Of a model that is a committee: how many graphs vote.
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
        The rows to answer.
    dataset : Dataset
        The rows to fit to.
    classes : array of int32
        The number of each row's class.
    """

    rows: EncodedRows
    dataset: Dataset
    classes: NDArray[np.int32]

    def try_out(
        self, estimator: TableLearner, split: Split, seed: np.random.SeedSequence
    ) -> tuple[Any, NDArray[np.bool_]]:
        """Fit a clone of the classifier to the training rows, and answer all rows.

        Parameters
        ----------
        estimator : classifier of weaklearn
            Where its ``random_state`` is None, the clone gets one derived from ``seed``.
        split : Split
            Which rows to train on.
        seed : SeedSequence
            The trial's own.

        Returns
        -------
        model : classifier
            The fitted clone.
        wrong : array of bool
            Which rows it misclassifies.
        """
        model = clone(estimator)
        if model.get_params(deep=False).get("random_state", 0) is None:
            model.set_params(random_state=int(seed.generate_state(1)[0]))
        model.fit_dataset(self.dataset, split.train.astype(np.float64))
        return model, model.predict_class_indices(self.rows) != self.classes


def encode_table(estimator: Any, X: Any, y: Any) -> EncodedTable:
    """Check a classifier, and encode a table as it needs it.

    Parameters
    ----------
    estimator : classifier of weaklearn
        Whose parameters are checked, and who says how numbers are held.
    X : frame
        As for ``fit``.
    y : Series, array or list
        The class of each row.

    Returns
    -------
    EncodedTable
        For all trials of this classifier, whatever their rows.
    """
    if not hasattr(estimator, "fit_dataset"):
        raise TypeError(
            f"got a {type(estimator).__name__}, expected a classifier of weaklearn; for others "
            "there is sklearn.model_selection.cross_validate."
        )
    estimator.check_parameters()
    columns = as_columns(X)
    labels, classes = infer_classes(y, columns.n_rows)
    rows, dataset = estimator.encode_training(columns, labels, classes)
    return EncodedTable(rows, dataset, classes)


def seed_of_repeat(seed: int, repeat: int) -> np.random.SeedSequence:
    """Derive a repeat's seed from its number alone; the first repeat's is the seed itself."""
    return np.random.SeedSequence(seed, spawn_key=(repeat - 1,) if repeat else ())


def seed_of_trial(seed: np.random.SeedSequence, number: int) -> np.random.SeedSequence:
    """Derive a trial's seed from its number alone, so that order and threads change nothing."""
    return np.random.SeedSequence(seed.entropy, spawn_key=(*seed.spawn_key, 0, number))


def count_errors(
    model: Any, wrong: NDArray[np.bool_], split: Split, fold: int, repeat: int = 0
) -> Fold:
    """Sum up a trial."""
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
