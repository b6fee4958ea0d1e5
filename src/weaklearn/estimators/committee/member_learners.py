"""How a committee learns its members.

`MemberLearner` is the protocol. `DatasetMemberLearner` fits classifiers of this package to one
encoded dataset that all members share. `SklearnMemberLearner` fits any other classifier to the
table as it was passed.
"""

from __future__ import annotations

from copy import copy
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import has_fit_parameter

from weaklearn.boosting.adaboost_m1_loop import LearnedMember
from weaklearn.encoding import Dataset
from weaklearn.estimators.committee.voters import (
    GraphVoters,
    SklearnVoters,
    TableVoters,
    Voters,
)
from weaklearn.estimators.graph_classifier import GraphClassifier
from weaklearn.estimators.table_classifier import TableClassifier
from weaklearn.estimators.training_table import TrainingTable
from weaklearn.models.votes import priority_of
from weaklearn.schema import Feature, Schema
from weaklearn.user_warnings import muted_warnings


class MemberLearner(Protocol):
    """Learns the members of a committee from the training rows of one fit.

    ``rows`` are the training rows as the members read them, ``class_indices`` and ``weights`` their
    classes and weights. ``priority`` lists all class indices in the order in which they win ties.
    ``n_threads`` are the threads of each member.
    """

    schema: Schema
    rows: Any
    class_indices: NDArray[np.int32]
    weights: NDArray[np.float64]
    priority: NDArray[np.uint32]
    n_threads: int

    def learn(self, weights: NDArray[np.float64], index: int) -> LearnedMember[Any]:
        """Learn the member of this index from weighted rows; rows of weight 0 are absent."""
        ...

    def voters(self, members: list[Any]) -> Voters:
        """Return members as voters."""
        ...

    def recall(self, member: Any) -> LearnedMember[Any]:
        """Predict the training rows with a member that was learned earlier."""
        predictions = self.voters([member]).member_predictions(self.rows, self.n_threads)
        confidences = None if predictions.strengths is None else predictions.strengths[0]
        return LearnedMember(member, predictions.classes[0], confidences)


class DatasetMemberLearner(MemberLearner):
    """Learns classifiers of this package from one encoded dataset.

    Parameters
    ----------
    estimator : TableClassifier
        The unfitted member, whose parameters are checked already.
    dataset : Dataset
        The encoded training set.
    weights : array of float64
        The weight of each row; rows of weight 0 are absent.
    seed : int
        The seed from which members without a ``random_state`` derive their own.
    n_threads : int
        Threads for each member.
    confident : bool
        Whether votes depend on the confidence of a prediction.
    """

    def __init__(
        self,
        estimator: TableClassifier,
        dataset: Dataset,
        weights: NDArray[np.float64],
        seed: int,
        n_threads: int,
        confident: bool,
    ) -> None:
        self.schema = dataset.schema
        self.rows = dataset.rows
        self.class_indices = dataset.classes
        self.weights = weights
        self.priority = _priority(dataset.classes, weights, len(dataset.schema.classes))
        self.n_threads = n_threads
        self._template = clone(estimator)
        self._needs_seed = _needs_seed(estimator)
        self._dataset = dataset
        self._seed = seed
        self._confident = confident

    def learn(self, weights: NDArray[np.float64], index: int) -> LearnedMember[Any]:
        """Learn the member of this index from weighted rows; rows of weight 0 are absent."""
        member = copy(self._template)
        if self._needs_seed:
            member.random_state = _member_seed(self._seed, index)
        member.fit_dataset(self._dataset, weights, self.n_threads)
        return self.recall(member)

    def voters(self, members: list[Any]) -> Voters:
        """Return members as voters."""
        if isinstance(self._template, GraphClassifier):
            return GraphVoters(members, self.priority, self._confident)
        return TableVoters(members, self.priority)


class SklearnMemberLearner(MemberLearner):
    """Learns classifiers that follow scikit-learn's conventions from the table itself.

    Parameters
    ----------
    estimator : classifier
        The unfitted member.
    table : TrainingTable
        The training table.
    features : tuple of Feature
        Its columns.
    seed : int
        The seed from which members without a ``random_state`` derive their own.
    from_samples : bool
        Whether members learn from samples: the weights count rows.
    """

    def __init__(
        self,
        estimator: Any,
        table: TrainingTable,
        features: tuple[Feature, ...],
        seed: int,
        from_samples: bool,
    ) -> None:
        if not from_samples and not has_fit_parameter(estimator, "sample_weight"):
            raise ValueError(
                f"{type(estimator).__name__} takes no sample_weight, so it cannot learn from "
                "weighted rows: use method='resample', which draws rows instead."
            )
        self.schema = Schema(features, tuple(table.sorted_classes.tolist()))
        self.rows = table.rows_as_given()
        self.class_indices = table.indices_in_sorted_classes()
        self.weights = table.weights
        self.priority = _priority(self.class_indices, table.weights, len(self.schema.classes))
        self.n_threads = 1
        self._estimator = estimator
        self._labels = table.sorted_classes[self.class_indices]
        self._seed = seed
        self._from_samples = from_samples

    def learn(self, weights: NDArray[np.float64], index: int) -> LearnedMember[Any]:
        """Learn the member of this index from weighted rows; rows of weight 0 are absent."""
        member = clone(self._estimator)
        if _needs_seed(member):
            member.set_params(random_state=_member_seed(self._seed, index))
        with muted_warnings():
            self._fit(member, weights)
        return self.recall(member)

    def _fit(self, member: Any, weights: NDArray[np.float64]) -> None:
        if self._from_samples:
            drawn = np.repeat(np.arange(len(weights)), weights.astype(np.intp))
            member.fit(_safe_indexing(self.rows, drawn), self._labels[drawn])
        else:
            present = np.flatnonzero(weights)
            all_present = len(present) == len(weights)
            X = self.rows if all_present else _safe_indexing(self.rows, present)
            member.fit(X, self._labels[present], sample_weight=weights[present])

    def voters(self, members: list[Any]) -> Voters:
        """Return members as voters."""
        return SklearnVoters(members, self.priority, self.schema.classes)


def check_member_estimator(estimator: Any) -> None:
    """Raise a TypeError if members cannot be learned with this estimator."""
    for method in ("fit", "predict", "get_params"):
        if isinstance(estimator, type) or not callable(getattr(estimator, method, None)):
            is_class = isinstance(estimator, type)
            got = f"the class {estimator.__name__}" if is_class else f"{estimator!r}"
            raise TypeError(
                f"estimator is {got}, which has no {method} to call; expected a classifier such as "
                "C45Classifier() or scikit-learn's DecisionTreeClassifier()."
            )
    if not is_classifier(estimator):
        raise TypeError(
            f"estimator={estimator!r} is not a classifier; expected one such as C45Classifier()."
        )


def _priority(
    class_indices: NDArray[np.int32], weights: NDArray[np.float64], n_classes: int
) -> NDArray[np.uint32]:
    return priority_of(np.bincount(class_indices, weights, n_classes).astype(np.float64))


def _needs_seed(estimator: Any) -> bool:
    return estimator.get_params(deep=False).get("random_state", 0) is None


def _member_seed(seed: int, index: int) -> int:
    return int(np.random.SeedSequence([seed, index, 1]).generate_state(1)[0])
