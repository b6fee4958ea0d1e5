"""From a frame to labels and probabilities, for estimators and predictors alike."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core
from weaklearn.models.cost_rule import CostRule
from weaklearn.models.file_content import take
from weaklearn.models.probabilities import Calibration
from weaklearn.models.voters import VoteCounter
from weaklearn.models.votes import winners
from weaklearn.schema import Label, Schema
from weaklearn.tables.column import sorted_label_array
from weaklearn.tables.scan import as_scan


class Model(Protocol):
    """What predicts encoded rows: a graph, a ruleset, separators, or members that vote."""

    def predict_class_indices(self, rows: Any, n_threads: int = 1) -> NDArray[np.int32]:
        """Return the index in the schema of the class predicted for each encoded row."""

    def predict_class_shares(self, rows: Any, n_threads: int = 1) -> NDArray[np.float64]:
        """Return the share of each class of the schema for each encoded row."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class VotingModel:
    """Members that vote, and how their votes become probabilities.

    Parameters
    ----------
    voters : VoteCounter
        The members.
    votes : array of float64
        The vote of each member.
    needs_class_shares : bool
        Whether probabilities depend on the members' class shares, and votes do not.
    calibrate : callable
        Returns how shares of votes become probabilities; None for the shares themselves.
    """

    voters: VoteCounter
    votes: NDArray[np.float64]
    needs_class_shares: bool
    calibrate: Callable[[], Calibration | None]

    def predict_class_indices(self, rows: Any, n_threads: int = 1) -> NDArray[np.int32]:
        """Return the index in the schema of the class with most votes for each encoded row."""
        return self.voters.predict(rows, self.votes, n_threads)

    def predict_class_shares(self, rows: Any, n_threads: int = 1) -> NDArray[np.float64]:
        """Return the probability of each class of the schema for each encoded row."""
        scores = self.voters.scores(rows, self.votes, n_threads)
        class_shares = scores
        if self.needs_class_shares:
            class_shares = self.voters.shares(rows, self.votes, n_threads)
        winning = winners(scores, self.voters.priority)
        return probabilities_of_votes(class_shares, winning, self.calibrate())


def probabilities_of_votes(
    class_shares: NDArray[np.float64], winning: NDArray[np.int32], calibration: Calibration | None
) -> NDArray[np.float64]:
    """Return probabilities from what members voted; the winning class has the largest.

    Where another class has more, all probabilities are lowered by the same factor in favour of the
    winning class, until it has as much as that class, and a rounding unit more.

    Examples
    --------
    >>> votes, winning = np.array([[6.0, 2.0, 2.0]]), np.array([1], np.int32)
    >>> probabilities_of_votes(votes, winning, None).round(3).tolist()
    [[0.429, 0.429, 0.143]]
    """
    votes = np.ascontiguousarray(class_shares)
    if calibration is None:
        probabilities = _core.vote_probabilities(votes, winning)
    else:
        probabilities = _core.calibrated_probabilities(votes, winning, *calibration.numbers)
    return probabilities.reshape(votes.shape)


@dataclass(frozen=True, slots=True, eq=False)
class ClassOrders:
    """How the classes of a schema and the labels of ``classes_`` correspond.

    Parameters
    ----------
    of_labels : array of intp
        The index in the schema of each label, or -1.
    of_schema : array of intp
        The position in ``classes_`` of each class of the schema.
    are_same : bool
        Whether both have the same classes in the same order.
    """

    of_labels: NDArray[np.intp]
    of_schema: NDArray[np.intp]
    are_same: bool


@lru_cache(maxsize=64)  # a service predicts row by row with the same few models
def class_orders(of_schema: tuple[Label, ...], labels: tuple[Label, ...]) -> ClassOrders:
    """Return how the classes of a schema and the labels of ``classes_`` correspond."""
    index_of = {label: index for index, label in enumerate(of_schema)}
    order = np.array([index_of.get(label, -1) for label in labels], np.intp)
    position_of = np.zeros(len(of_schema), dtype=np.intp)
    position_of[order[order >= 0]] = np.flatnonzero(order >= 0)
    for array in (order, position_of):
        array.flags.writeable = False
    return ClassOrders(order, position_of, np.array_equal(order, np.arange(len(of_schema))))


class LabelPrediction:
    """Base of what has a schema, labels in ``classes_`` and a model of encoded rows."""

    classes_: NDArray[Any]
    #: How a model that was fitted with costs predicts.
    _cost_rule: CostRule | None = None

    @property
    @abstractmethod
    def _schema(self) -> Schema:
        """The schema of the fitted model."""

    @property
    @abstractmethod
    def _model(self) -> Model:
        """What predicts encoded rows, without costs."""

    @abstractmethod
    def _encode(self, X: Any) -> Any:
        """Return the rows of a frame as the fitted model reads them."""

    def _require_fit(self) -> None:
        """Raise an error if there is no model yet; one from a file is there from the start."""

    @abstractmethod
    def _n_threads(self) -> int:
        """Return the number of threads to predict with."""

    def predict_class_indices(self, rows: Any, n_threads: int = 1) -> NDArray[np.int32]:
        """Return the index in the schema of the class predicted for each encoded row."""
        if self._cost_rule is None:
            return self._model.predict_class_indices(rows, n_threads)
        return self._cost_rule.cheapest(self.predict_class_shares(rows, n_threads))

    def predict_class_shares(self, rows: Any, n_threads: int = 1) -> NDArray[np.float64]:
        """Return the share of each class of the schema for each encoded row."""
        of_model = self._model.predict_class_shares(rows, n_threads)
        return of_model if self._cost_rule is None else self._cost_rule.restored(of_model)

    def _class_order(self) -> NDArray[np.intp]:
        """Return the index in the schema of each class of ``classes_``, or -1.

        The schema keeps the declared order and the classes that never occur. ``classes_`` is
        sorted, as scikit-learn's scores expect. A class whose training rows all had weight 0 is in
        ``classes_``, but not in the schema unless it is declared.
        """
        return self._orders().of_labels

    def _orders(self) -> ClassOrders:
        return class_orders(self._schema.classes, tuple(self.classes_.tolist()))

    def _in_class_order(
        self, of_schema: NDArray[np.float64], without_weight: float = 0.0
    ) -> NDArray[np.float64]:
        """Return columns for the classes of the schema as columns in the order of ``classes_``.

        A class that is not in the schema has `without_weight` in every row.
        """
        orders = self._orders()
        if orders.are_same:
            return of_schema
        columns = of_schema[:, orders.of_labels]
        columns[:, orders.of_labels < 0] = without_weight
        return columns

    def _positions_in_classes(self, indices: NDArray[np.int32]) -> NDArray[np.intp]:
        """Return the positions in ``classes_`` of class indices of the schema."""
        return self._orders().of_schema[indices]

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class of each row.

        Parameters
        ----------
        X : frame
            Columns are matched by name where they have names. A nominal value that did not occur in
            training counts as missing; `count_unseen` counts such values. A `weaklearn.scan`, a
            pyarrow Dataset or a polars LazyFrame is read and predicted batch by batch.

        Returns
        -------
        array of labels
            One per row.
        """
        if (scan := as_scan(X)) is not None:
            self._require_fit()
            return scan.predict_batches(self.predict, self._schema.names)
        rows = self._encode(X)
        indices = self.predict_class_indices(rows, self._n_threads())
        labels: NDArray[Any] = self.classes_[self._positions_in_classes(indices)]
        return labels

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Predict the probability of each class for each row.

        Parameters
        ----------
        X : frame
            As for `predict`.

        Returns
        -------
        array of shape (n_rows, n_classes)
            In the order of ``classes_``; every row sums to one. A class whose training rows all
            had weight 0 has the probability 0.
        """
        if (scan := as_scan(X)) is not None:
            self._require_fit()
            return scan.predict_batches(self.predict_proba, self._schema.names)
        rows = self._encode(X)
        return self._in_class_order(self.predict_class_shares(rows, self._n_threads()))


def classes_from_content(content: Mapping[str, Any], schema: Schema) -> NDArray[Any]:
    """Return the labels of a classifier from a file."""
    labels = take(content, "classes", list)
    if not set(labels) & set(schema.classes):
        raise ValueError('none of its "classes" is a class of its schema')
    as_objects = take(content, "classes_are_objects", bool)
    return sorted_label_array(labels, np.dtype(object) if as_objects else None)
