"""What a committee learns its members with: a classifier of ours, or any of scikit-learn's."""

from __future__ import annotations

from copy import copy
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone, is_classifier
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import has_fit_parameter

from weaklearn.boosting.adaboost_m1 import LearnedMember
from weaklearn.encoding import Dataset
from weaklearn.estimators.graph_classifier import GraphClassifier
from weaklearn.estimators.table_classifier import TableClassifier
from weaklearn.models.graph_committee import Committee


def check_estimator(estimator: Any) -> None:
    """Raise a TypeError for what cannot be a member of a committee."""
    for method in ("fit", "predict", "get_params"):
        if not callable(getattr(estimator, method, None)) or isinstance(estimator, type):
            got = (
                f"the class {estimator.__name__}"
                if isinstance(estimator, type)
                else f"{estimator!r}"
            )
            raise TypeError(
                f"estimator is {got}, which has no {method} to call; expected a classifier such as "
                "C45Classifier() or scikit-learn's DecisionTreeClassifier()."
            )
    if not is_classifier(estimator):
        raise TypeError(
            f"estimator={estimator!r} is no classifier; expected one such as C45Classifier()."
        )


def _wants_seed(estimator: Any) -> bool:
    return estimator.get_params(deep=False).get("random_state", 0) is None


def _derived_seed(seed: int, number: int) -> int:
    return int(np.random.SeedSequence([seed, number, 1]).generate_state(1)[0])


class OwnLearner:
    """Learns with a classifier of this package, from one dataset that all rounds share.

    Parameters
    ----------
    estimator : TableClassifier
        What to learn with.
    dataset : Dataset
        The encoded training set.
    seed : int
        What a member that leaves things to chance draws its own seed from.
    n_threads : int
        Threads for each member.
    confident : bool
        Whether the confidence of each answer is needed.
    """

    def __init__(
        self,
        estimator: TableClassifier,
        dataset: Dataset,
        seed: int,
        n_threads: int,
        confident: bool,
    ) -> None:
        self._template = clone(estimator)
        self._template.check_parameters()
        self._is_seeded = _wants_seed(self._template)
        self._dataset = dataset
        self._seed = seed
        self._n_threads = n_threads
        self._confident = confident

    def __call__(self, weights: NDArray[np.float64], number: int) -> LearnedMember[Any]:
        """Learn a member from weighted rows."""
        member = copy(self._template)
        if self._is_seeded:
            member.random_state = _derived_seed(self._seed, number)
        member.fit_dataset(self._dataset, weights, self._n_threads)
        return self.answer(member)

    def answer(self, member: Any) -> LearnedMember[Any]:
        """Let a member answer the training rows."""
        rows = self._dataset.rows
        if not isinstance(member, GraphClassifier):
            return LearnedMember(member, member.predict_class_indices(rows, self._n_threads))
        alone = Committee([member.graph_], np.ones(1), self._confident, np.zeros(0, np.uint32))
        answers, votes = alone.answers(rows, self._n_threads)
        return LearnedMember(member, answers[0], votes[0] if self._confident else None)


class ForeignLearner:
    """Learns with any classifier of scikit-learn's manners, from the table as it was given.

    Parameters
    ----------
    estimator : classifier
        What to learn with.
    X : frame
        The training rows.
    y : array
        Their classes.
    classes : array
        The classes, sorted; an answer is a position among them.
    seed : int
        What a member that leaves things to chance draws its own seed from.
    samples : bool
        Whether members learn from samples: weights that count rows.
    """

    def __init__(
        self,
        estimator: Any,
        X: Any,
        y: NDArray[Any],
        classes: NDArray[Any],
        seed: int,
        samples: bool,
    ) -> None:
        if not samples and not has_fit_parameter(estimator, "sample_weight"):
            raise ValueError(
                f"{type(estimator).__name__} takes no sample_weight, so it cannot learn from "
                "weighted rows: use method='resample', which draws rows instead."
            )
        self._estimator = estimator
        self._X = X
        self._y = y
        self._classes = classes
        self._seed = seed
        self._samples = samples

    def __call__(self, weights: NDArray[np.float64], number: int) -> LearnedMember[Any]:
        """Learn a member from weighted rows."""
        member = clone(self._estimator)
        if _wants_seed(member):
            member.set_params(random_state=_derived_seed(self._seed, number))
        if self._samples:
            drawn = np.repeat(np.arange(len(weights)), weights.astype(np.intp))
            member.fit(_safe_indexing(self._X, drawn), self._y[drawn])
        else:
            present = np.flatnonzero(weights)
            every = len(present) == len(weights)
            X = self._X if every else _safe_indexing(self._X, present)
            member.fit(X, self._y[present], sample_weight=weights[present])
        return self.answer(member)

    def answer(self, member: Any) -> LearnedMember[Any]:
        """Let a member answer the training rows."""
        return LearnedMember(member, numbers_of(member.predict(self._X), self._classes))


def numbers_of(labels: NDArray[Any], classes: NDArray[Any]) -> NDArray[np.int32]:
    """Give the position of each label among the classes."""
    if classes.dtype != object:
        return np.searchsorted(classes, labels).astype(np.int32)
    position = {label: number for number, label in enumerate(classes.tolist())}
    return np.array([position[label] for label in labels.tolist()], dtype=np.int32)
