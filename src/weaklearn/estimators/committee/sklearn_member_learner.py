"""How a committee learns members that are not of this package."""

from __future__ import annotations

from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import has_fit_parameter
from threadpoolctl import ThreadpoolController

from weaklearn.boosting.adaboost_m1_loop import LearnedMember
from weaklearn.estimators.class_weights import RowWeights
from weaklearn.estimators.committee.member_learners import (
    MemberLearner,
    member_seeds,
    priority_by_weight,
)
from weaklearn.estimators.committee.sklearn_voters import SklearnVoters, take_columns
from weaklearn.estimators.training_table import TrainingTable
from weaklearn.models.voters import Voters
from weaklearn.models.votes import VoteForm
from weaklearn.schema import Feature, Schema
from weaklearn.user_warnings import muted_warnings


class SklearnMemberLearner(MemberLearner):
    """Learns classifiers that follow scikit-learn's conventions from the table itself.

    Parameters
    ----------
    estimator : classifier
        The unfitted member.
    table : TrainingTable
        The training table.
    weights : RowWeights
        The weight of each row, with the factor of its class.
    features : tuple of Feature
        Its columns.
    seed : int
        The seed from which members without a ``random_state`` derive their own.
    form : {"label", "shares"}
        What a member gives its vote to.
    with_shares : bool
        Whether the class shares of members are needed.
    from_samples : bool
        Whether members learn from samples: the weights count rows.
    max_features : float or int
        The share or number of columns that each member reads.
    """

    def __init__(
        self,
        estimator: Any,
        table: TrainingTable,
        weights: RowWeights,
        features: tuple[Feature, ...],
        seed: int,
        form: VoteForm,
        with_shares: bool,
        from_samples: bool,
        max_features: float,
    ) -> None:
        if not from_samples and not has_fit_parameter(estimator, "sample_weight"):
            raise ValueError(
                f"{type(estimator).__name__} takes no sample_weight, so it cannot learn from "
                "weighted rows: use method='resample', which draws rows instead."
            )
        self.schema = Schema(features, tuple(table.sorted_classes.tolist()))
        self.rows = table.rows_as_given()
        self.class_indices = table.indices_in_sorted_classes()
        self.weights = weights.rows
        self.counts = weights.counts(self.class_indices)
        self.priority = priority_by_weight(
            self.class_indices, weights.rows, len(self.schema.classes)
        )
        self.n_threads = 1
        self.form = form
        self.with_shares = with_shares
        self._estimator = estimator
        self._classes_of_members = _classes_that_sort(table.sorted_classes)
        self._labels = self._classes_of_members[self.class_indices]
        self.seed = seed
        self.max_features = max_features
        self._from_samples = from_samples
        self._seeded = _parameters_to_seed(estimator)
        self._threadpools: ThreadpoolController | None = None

    def learn(
        self, weights: NDArray[np.float64], index: int, rows: NDArray[np.integer[Any]] | None = None
    ) -> LearnedMember[Any]:
        """Learn the member of this index from weighted rows; rows of weight 0 are absent."""
        member = clone(self._estimator)
        if self._seeded:
            seeds = member_seeds(self.seed, index, len(self._seeded))
            member.set_params(**dict(zip(self._seeded, seeds, strict=True)))
        with muted_warnings(), self._one_openmp_thread():
            self._fit(member, take_columns(self.rows, self.columns_of(index)), weights)
            return self.recall(member, index, rows)

    def _fit(self, member: Any, X: Any, weights: NDArray[np.float64]) -> None:
        if self._from_samples and (weights == np.floor(weights)).all():
            drawn = np.repeat(np.arange(len(weights)), weights.astype(np.intp))
            drawn_classes = self.class_indices[drawn]
            if (drawn_classes == drawn_classes[0]).all() and self._can_weigh_all_classes(member):
                # Many classifiers refuse rows of one class, but not if the others have no weight.
                member.fit(X, self._labels, sample_weight=weights)
            else:
                member.fit(_safe_indexing(X, drawn), self._labels[drawn])
            return
        if not has_fit_parameter(member, "sample_weight"):
            raise ValueError(
                f"{type(member).__name__} takes no sample_weight. Rows that are drawn without "
                "replacement keep their weights, and these are not whole numbers: use "
                "bootstrap=True."
            )
        present = np.flatnonzero(weights)
        if len(present) < len(weights):
            X = _safe_indexing(X, present)
        member.fit(X, self._labels[present], sample_weight=weights[present])

    def _can_weigh_all_classes(self, member: Any) -> bool:
        has_several = len(np.unique(self.class_indices)) > 1
        return has_several and has_fit_parameter(member, "sample_weight")

    def voters(self, members: list[Any], first: int = 0) -> Voters:
        """Return members as voters; `first` is the index of the first of them."""
        columns = [self.columns_of(first + i) for i in range(len(members))]
        classes = self._classes_of_members.tolist()
        return SklearnVoters(members, self.priority, classes, columns, self.form)

    def one_thread_each(self) -> AbstractContextManager[object]:
        """Return a context in which the libraries that members call use one thread each."""
        self._threadpools = ThreadpoolController()
        limit: AbstractContextManager[object] = self._threadpools.limit(limits=1)
        return limit

    def _one_openmp_thread(self) -> AbstractContextManager[object]:
        """Limit OpenMP in this thread: its limit belongs to a thread, that of BLAS to a process."""
        if self._threadpools is None:
            return nullcontext()
        limit: AbstractContextManager[object] = self._threadpools.limit(limits=1, user_api="openmp")
        return limit


def _classes_that_sort(classes: NDArray[Any]) -> NDArray[Any]:
    """Return the classes as members of scikit-learn need them, which sort them.

    Labels of different types cannot be compared, so members learn their indices instead.
    """
    mixed = len({isinstance(label, str) for label in classes.tolist()}) > 1
    return np.arange(len(classes)) if mixed else classes


def _parameters_to_seed(estimator: Any) -> list[str]:
    """Return the names of the parameters that are a missing seed, of the estimator or its parts."""
    names = [
        name
        for name, value in estimator.get_params(deep=True).items()
        if value is None and (name == "random_state" or name.endswith("__random_state"))
    ]
    return sorted(names, key=lambda name: (name.count("__"), name))
