"""From a frame to labels and probabilities, for estimators and predictors alike."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from weaklearn.models.cost_rule import CostRule
from weaklearn.models.file_content import take
from weaklearn.models.probabilities import Calibration, with_winners
from weaklearn.models.voters import Voters
from weaklearn.models.votes import shares, winners
from weaklearn.schema import Schema
from weaklearn.tables.column import sorted_label_array


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
    voters : Voters
        The members.
    votes : array of float64
        The vote of each member.
    needs_class_shares : bool
        Whether probabilities depend on the members' class shares, and votes do not.
    calibrate : callable
        Returns how shares of votes become probabilities; None for the shares themselves.
    """

    voters: Voters
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
    """Return probabilities from what members voted; the winning class has the largest."""
    given = shares(class_shares)
    return with_winners(given if calibration is None else calibration.of(given), winning)


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
        index_of = {label: index for index, label in enumerate(self._schema.classes)}
        return np.array([index_of.get(label, -1) for label in self.classes_.tolist()], np.intp)

    def _in_class_order(
        self, of_schema: NDArray[np.float64], without_weight: float = 0.0
    ) -> NDArray[np.float64]:
        """Return columns for the classes of the schema as columns in the order of ``classes_``.

        A class that is not in the schema has `without_weight` in every row.
        """
        order = self._class_order()
        if np.array_equal(order, np.arange(of_schema.shape[1])):
            return of_schema
        columns = of_schema[:, order]
        columns[:, order < 0] = without_weight
        return columns

    def _positions_in_classes(self, indices: NDArray[np.int32]) -> NDArray[np.intp]:
        """Return the positions in ``classes_`` of class indices of the schema."""
        position_of = np.zeros(len(self._schema.classes), dtype=np.intp)
        order = self._class_order()
        position_of[order[order >= 0]] = np.flatnonzero(order >= 0)
        return position_of[indices]

    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class of each row.

        Parameters
        ----------
        X : frame
            Columns are matched by name where they have names. A nominal value that did not occur in
            training counts as missing; `count_unseen` counts such values.

        Returns
        -------
        array of labels
            One per row.
        """
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
        rows = self._encode(X)
        return self._in_class_order(self.predict_class_shares(rows, self._n_threads()))


def classes_from_content(content: Mapping[str, Any], schema: Schema) -> NDArray[Any]:
    """Return the labels of a classifier from a file."""
    labels = take(content, "classes", list)
    if not set(labels) & set(schema.classes):
        raise ValueError('none of its "classes" is a class of its schema')
    as_objects = take(content, "classes_are_objects", bool)
    return sorted_label_array(labels, np.dtype(object) if as_objects else None)
