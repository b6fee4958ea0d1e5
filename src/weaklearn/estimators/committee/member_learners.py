"""How a committee learns its members.

`MemberLearner` is the protocol. `DatasetMemberLearner` fits classifiers of this package to one
encoded dataset that all members share. `SklearnMemberLearner`, in a file of its own, fits any other
classifier to the table as it was passed.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from copy import copy
from dataclasses import replace
from enum import Enum
from functools import partial
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone

from weaklearn.boosting.adaboost_m1_loop import (
    CommitteeErrors,
    LearnedMember,
    LocalCommitteeErrors,
)
from weaklearn.boosting.automatic_size import HeldRows, LocalHeldRows
from weaklearn.boosting.bagging import LocalOutOfBagSums, OutOfBagSums
from weaklearn.boosting.distribution import (
    BoostedRows,
    OwnWeightedRows,
    ScaledWeights,
    WeightedRows,
)
from weaklearn.boosting.forest_rows import (
    ForestVotes,
    LocalForestVotes,
    LocalRunRows,
    RunRows,
    start_run,
)
from weaklearn.boosting.sampling import (
    draw_columns,
    draw_counts,
    draw_small_counts,
    draw_without_replacement,
    hold_back,
    number_of_columns,
    sample_size,
)
from weaklearn.encoding import Dataset, EncodedRows, rounded_sum
from weaklearn.estimators.class_weights import RowWeights
from weaklearn.estimators.graph_classifier import GraphClassifier
from weaklearn.estimators.table_classifier import TableClassifier
from weaklearn.models.graph_committee import GraphCommittee
from weaklearn.models.voters import GraphVoters, TableVoters, Voters
from weaklearn.models.votes import VoteForm, priority_of
from weaklearn.schema import Schema

#: The weights of rows that a member learns from; counts of rows may be bytes.
Weights = NDArray[Any] | ScaledWeights


class Sampling(Enum):
    """How the rows that a member learns from are drawn, if they are."""

    NONE = "none"  # a member learns from all rows and their weights
    BY_COUNT = "count"  # by their counts: the factors of classes are applied to the drawn rows
    BY_WEIGHT = "weight"  # by their weights, which have the factors of classes


class MemberLearner(Protocol):
    """Learns the members of a committee from the training rows of one fit.

    ``rows`` are the training rows as the members read them, ``class_indices`` and ``weights`` their
    classes and weights, and ``counts`` the weights without the factors of classes, which count
    rows. ``priority`` lists all class indices in the order in which they win ties.
    ``seed`` is that of the fit, ``n_threads`` are the threads of each member, and ``max_features``
    says how many columns each member reads. ``form`` says what a member gives its vote to, and
    ``with_shares`` whether the result of `learn` and `recall` has the member's class shares.
    """

    schema: Schema
    rows: Any
    class_indices: NDArray[np.int32]
    weights: NDArray[np.float64]
    counts: NDArray[np.float64]
    priority: NDArray[np.uint32]
    seed: int
    n_threads: int
    max_features: float
    form: VoteForm
    with_shares: bool

    def learn(
        self, weights: NDArray[np.float64], index: int, rows: NDArray[np.integer[Any]] | None = None
    ) -> LearnedMember[Any]:
        """Learn the member of this index from weighted rows; rows of weight 0 are absent.

        The result has its predictions for the rows at the positions `rows`; None for all rows.
        """
        ...

    def voters(self, members: list[Any], first: int = 0) -> Voters:
        """Return members as voters; `first` is the index of the first of them."""
        ...

    def columns_of(self, index: int) -> NDArray[np.intp] | None:
        """Return the columns that the member of this index reads; None for all."""
        n_columns = len(self.schema.features)
        n_drawn = number_of_columns(n_columns, self.max_features)
        return None if n_drawn == n_columns else draw_columns(n_columns, n_drawn, self.seed, index)

    def boosted_rows(self, weights: NDArray[np.float64], by_class: bool) -> BoostedRows:
        """Return the rows with these weights for AdaBoost; each class may be a group of its own."""
        return WeightedRows(weights, self.class_indices, len(self.priority) if by_class else 1)

    def committee_errors(self, weights: NDArray[np.float64]) -> CommitteeErrors:
        """Return what counts the training errors of a committee, for rows with these weights."""
        return LocalCommitteeErrors(self.class_indices, weights, self.priority)

    def hold_back(self, share: float) -> tuple[NDArray[np.float64], HeldRows]:
        """Hold back a share of each class; return the weights of the other rows, and these rows."""
        held_back = hold_back(self.class_indices, self.weights, share, self.seed)
        rows = np.flatnonzero(held_back)

        def predict(learned: LearnedMember[Any], index: int) -> LearnedMember[Any]:
            return learned.take_rows(rows)

        held = LocalHeldRows(self.class_indices[rows], held_back[rows], self.priority, predict)
        return self.weights - held_back, held

    def drawing(
        self, weights: NDArray[np.float64], max_samples: float = 1.0, replacing: bool = True
    ) -> Callable[..., NDArray[Any]]:
        """Return a function that draws the sample of a given number, or several, by weights."""
        draw = draw_counts if replacing else draw_without_replacement
        return partial(draw, weights, sample_size(weights, max_samples), self.seed)

    def out_of_bag_votes(self, n_members: int) -> OutOfBagSums:
        """Return what adds up votes for the rows that samples lack."""
        shape = len(self.weights), len(self.priority)
        shares = np.zeros(shape) if self.with_shares else None
        if shares is not None and self.form == "shares":
            return LocalOutOfBagSums(self.class_indices, self.weights, shares, shares)
        kind = np.min_scalar_type(n_members) if self.form == "label" else np.float64
        votes: NDArray[Any] = np.zeros(shape, kind)
        return LocalOutOfBagSums(self.class_indices, self.weights, votes, shares)

    def all_rows(self) -> RunRows:
        """Return the rows with their own weights, for a boosted forest."""
        return LocalRunRows(self.weights, self.class_indices, np.zeros(0, dtype=np.intp))

    def drawing_of_runs(self) -> Callable[..., RunRows]:
        """Return a function that draws the rows of a run of a forest; it takes several numbers."""
        draw = self.drawing(self.counts)
        factors = factors_of_rows(self.weights, self.counts)

        def draw_run(*number: int) -> RunRows:
            return start_run(draw(*number), factors, self.weights, self.class_indices)

        return draw_run

    def forest_votes(self) -> ForestVotes:
        """Return what adds up the votes of a forest for the rows that samples lack."""
        return LocalForestVotes(self.class_indices, self.weights, len(self.priority))

    def class_weights(self) -> NDArray[np.float64]:
        """Return the weight of each class."""
        return _class_weights(self.class_indices, self.weights, len(self.schema.classes))

    def one_thread_each(self) -> AbstractContextManager[object]:
        """Return a context in which the libraries that members call use one thread each.

        Members that are learned at the same time would otherwise compete for the processors. The
        members of this package need no such context.
        """
        return nullcontext()

    def recall(
        self, member: Any, index: int, rows: NDArray[np.integer[Any]] | None = None
    ) -> LearnedMember[Any]:
        """Predict the training rows, or some of them, with a member that was learned earlier."""
        voters = self.voters([member], index)
        predictions = voters.member_predictions(self.rows, self.n_threads)
        confidences = None if predictions.strengths is None else predictions.strengths[0]
        shares = None if predictions.outputs is None else predictions.outputs[0]
        if self.with_shares and shares is None:
            shares = voters.shares(self.rows, np.ones(1), self.n_threads)
        by_shares = self.form == "shares"
        learned = LearnedMember(member, predictions.classes[0], confidences, shares, by_shares)
        return learned.take_rows(rows)


class DatasetMemberLearner(MemberLearner):
    """Learns classifiers of this package from one encoded dataset.

    Parameters
    ----------
    estimator : TableClassifier
        The unfitted member, whose parameters are checked already.
    dataset : Dataset
        The encoded training set.
    weights : RowWeights
        The weight of each row; rows of weight 0 are absent.
    seed : int
        The seed from which members without a ``random_state`` derive their own.
    n_threads : int
        Threads for each member.
    form : {"label", "confidence", "shares"}
        What a member gives its vote to.
    with_shares : bool
        Whether the class shares of members are needed.
    sampling : Sampling
        How the rows of a member are drawn.
    max_features : float or int
        The share or number of columns that each member reads.
    """

    def __init__(
        self,
        estimator: TableClassifier,
        dataset: Dataset,
        weights: RowWeights,
        seed: int,
        n_threads: int,
        form: VoteForm,
        with_shares: bool,
        sampling: Sampling,
        max_features: float,
    ) -> None:
        self.schema = dataset.schema
        self.rows = dataset.rows
        self.class_indices = dataset.classes
        self.counts = weights.counts(dataset.classes)
        self.weights = self.counts if sampling is Sampling.BY_COUNT else weights.rows
        self.priority = priority_by_weight(
            dataset.classes, weights.rows, len(dataset.schema.classes)
        )
        self.n_threads = n_threads
        self.estimator: TableClassifier = clone(estimator)
        self._needs_seed = estimator.get_params(deep=False).get("random_state", 0) is None
        self._dataset = dataset
        self.seed = seed
        self.max_features = max_features
        self.form = form
        self.with_shares = with_shares
        self._row_weights = weights
        self._sampling = sampling
        self._columns: NDArray[np.intp] | None = None

    def columns_of(self, index: int) -> NDArray[np.intp] | None:
        """Return the columns that the member of this index reads; None for all."""
        return super().columns_of(index) if self._columns is None else self._columns

    def drawing(
        self, weights: NDArray[np.float64], max_samples: float = 1.0, replacing: bool = True
    ) -> Callable[..., NDArray[Any]]:
        """Return a function that draws a sample, whose counts are bytes if they fit."""
        draw = draw_small_counts if replacing else draw_without_replacement
        return partial(draw, weights, sample_size(weights, max_samples), self.seed)

    def with_class_shares(self, n_threads: int) -> Self:
        """Return a learner that recalls members with their class shares, after the fit."""
        learner = copy(self)
        learner.with_shares, learner.n_threads = True, n_threads
        # The codes, unlike the table of the user, cannot have changed since the fit.
        learner.rows = EncodedRows(self._dataset.core.columns, self._dataset.n_rows)
        return learner

    def without_keys(self) -> Self:
        """Return a learner of members that read no column like a key, if there are others."""
        n_columns = len(self.schema.features)
        keys = self._dataset.core.columns_like_keys(float(self.class_weights().sum()))
        learner = copy(self)
        if 0 < len(keys) < n_columns:
            learner._columns = np.delete(np.arange(n_columns), keys)
        return learner

    def with_estimator(self, estimator: TableClassifier) -> Self:
        """Return a learner of other members from the same dataset."""
        learner = copy(self)
        learner.estimator = clone(estimator)
        learner._needs_seed = estimator.get_params(deep=False).get("random_state", 0) is None
        return learner

    def with_parameters(self, **parameters: Any) -> Self:
        """Return a learner of members with other parameters from the same dataset."""
        return self.with_estimator(clone(self.estimator).set_params(**parameters))

    def learn(
        self,
        weights: Weights,
        index: int,
        rows: NDArray[np.integer[Any]] | None = None,
    ) -> LearnedMember[Any]:
        """Learn the member of this index from weighted rows; rows of weight 0 are absent."""
        member, leaves = self.fit_member(weights, index)
        if leaves is not None and self.form == "label" and not self.with_shares:
            # The tree has sent all rows to its leaves already: nothing has to be predicted.
            learned = LearnedMember(member, member.graph_.nodes["label"][leaves])
            return learned.take_rows(rows)
        return self.recall(member, index, rows)

    def without_rows(self) -> Self:
        """Return a copy that holds no rows, to send it to another process; see `with_rows`."""
        learner = copy(self)
        learner._row_weights = replace(self._row_weights, rows=np.zeros(0))
        for name in ("_dataset", "rows", "class_indices", "counts", "weights"):
            delattr(learner, name)
        return learner

    def with_rows(self, dataset: Dataset) -> Self:
        """Return a copy that can fit members to this dataset, and recall them for its rows."""
        learner = copy(self)
        learner._dataset, learner.class_indices = dataset, dataset.classes
        learner.rows = dataset.rows
        return learner

    def fit_member(
        self, weights: Weights, index: int
    ) -> tuple[Any, NDArray[np.integer[Any]] | None]:
        """Return the member of this index, and the leaf of each row if they are known."""
        member = copy(self.estimator)
        if self._needs_seed:
            (member.random_state,) = member_seeds(self.seed, index, 1)
        columns = self.columns_of(index)
        leaves = self._fit(member, weights, columns)
        if columns is not None and isinstance(member, GraphClassifier):
            member.graph_ = member.graph_.with_features(self.schema, columns)
        return member, leaves

    def _fit(
        self,
        member: Any,
        weights: Weights,
        columns: NDArray[np.intp] | None,
    ) -> NDArray[np.integer[Any]] | None:
        dataset = self._dataset if columns is None else self._dataset.take_columns(columns)
        leaves: NDArray[np.integer[Any]] | None = member.fit_member(
            dataset, self._weights_of_member(weights), self.n_threads
        )
        return leaves

    def recall(
        self, member: Any, index: int, rows: NDArray[np.integer[Any]] | None = None
    ) -> LearnedMember[Any]:
        """Predict the training rows, or some of them, with a member that was learned earlier."""
        is_graph = isinstance(member, GraphClassifier)
        if not is_graph or self.form == "confidence":
            return super().recall(member, index, rows)
        # One pass over the rows finds classes and shares.
        form: VoteForm = "shares" if self.with_shares else self.form
        alone = GraphCommittee([member.graph_], np.ones(1), form, self.priority)
        classes, shares = alone.predict_members(self.rows, self.n_threads, rows)
        own_shares = None if shares is None else shares[0]
        return LearnedMember(member, classes[0], None, own_shares, self.form == "shares")

    def boosted_rows(self, weights: NDArray[np.float64], by_class: bool) -> BoostedRows:
        """Return the rows with these weights for AdaBoost; each class may be a group of its own."""
        n_groups = len(self.priority) if by_class else 1
        return OwnWeightedRows(weights, self.class_indices, n_groups)

    def _weights_of_member(self, weights: Weights) -> RowWeights:
        """Return the weights of a round, or the counts of a sample, with the factors of classes."""
        if isinstance(weights, ScaledWeights):
            return replace(self._row_weights, rows=weights.numbers, scale=weights.scale)
        if self._sampling is Sampling.NONE:
            return replace(self._row_weights, rows=weights)
        if self._sampling is Sampling.BY_COUNT:
            return self._row_weights.with_counts(weights, self.class_indices)
        return RowWeights(weights)  # rows of heavier classes were drawn more often

    def voters(self, members: list[Any], first: int = 0) -> Voters:
        """Return members as voters; `first` is the index of the first of them."""
        if isinstance(self.estimator, GraphClassifier):
            return GraphVoters(members, self.priority, self.form)
        columns = [self.columns_of(first + i) for i in range(len(members))]
        return TableVoters(members, self.priority, columns, self.form)


def factors_of_rows(
    weights: NDArray[np.float64], counts: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Return what the count of each row is multiplied by to give its weight."""
    factors = np.zeros_like(weights)
    np.divide(weights, counts, out=factors, where=counts > 0)
    return factors


def priority_by_weight(
    class_indices: NDArray[np.int32], weights: NDArray[np.float64], n_classes: int
) -> NDArray[np.uint32]:
    """Return all class indices in the order in which they win ties: the heaviest first."""
    return priority_of(_class_weights(class_indices, weights, n_classes))


def _class_weights(
    class_indices: NDArray[np.int32], weights: NDArray[np.float64], n_classes: int
) -> NDArray[np.float64]:
    return np.array([rounded_sum(weights[class_indices == k]) for k in range(n_classes)])


def member_seeds(seed: int, index: int, n_seeds: int) -> list[int]:
    """Return seeds for the member of this index of a fit."""
    state = np.random.SeedSequence([seed, index, 1]).generate_state(n_seeds)
    return [int(word) for word in state]
