"""Committees over the rows of a cluster, for tables that no worker can hold.

The loop of the committee runs in the process of the client. Rows, their weights and what members
predict for them stay on the workers. All sums are exact, and everything else is computed row by
row, so that the committee is that of a local fit.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.boosting.adaboost_m1_loop import LearnedMember, LocalCommitteeErrors
from weaklearn.boosting.automatic_size import RowLosses, SumsOfVotes
from weaklearn.boosting.bagging import Judge, LocalOutOfBagSums, OutOfBagResult
from weaklearn.boosting.distribution import WeightedRows
from weaklearn.boosting.sampling import size_of_sample
from weaklearn.dask.draw_over_rows import (
    Drawing,
    DrawingWithoutReplacement,
    draw_factors_of_part,
    hold_back_on_workers,
)
from weaklearn.dask.encode_parts import EncodedPart
from weaklearn.dask.fit_over_rows import fit_tree, multiply_by_factors, weigh_classes
from weaklearn.dask.forest_over_rows import (
    ForestVotesOnWorkers,
    RunRowsOnWorkers,
    judge_on_workers,
    run_of_all_rows,
    start_run_of_part,
)
from weaklearn.dask.rows_on_workers import OfParts, RowsOnWorkers, add_lists
from weaklearn.encoding import exact_sum
from weaklearn.estimators.class_weights import RowWeights
from weaklearn.estimators.committee.member_learners import (
    DatasetMemberLearner,
    Sampling,
    factors_of_rows,
)
from weaklearn.models.probabilities import Calibration
from weaklearn.models.votes import VoteForm, priority_of


def fit_committee(rows: RowsOnWorkers, model: Any) -> None:
    """Fit a committee to rows on workers."""
    own, weights = weigh_classes(rows, model, rows.weights, RowWeights(np.zeros(0)))
    assert weights is not None
    model._fit_members(_RowsMemberLearner.of(rows, model, own, weights), 1)
    # It would draw from rows on workers.
    model.__dict__.pop("_draw", None)


class _RowsMemberLearner(DatasetMemberLearner):
    """Learns members over rows on workers. Weights and predictions are `OfParts`."""

    weights: Any
    counts: Any

    @classmethod
    def of(
        cls, rows: RowsOnWorkers, model: Any, own: RowWeights, weights: OfParts
    ) -> _RowsMemberLearner:
        """Return the learner of a committee. `own` has the factors of its classes and no rows."""
        # A dataset that describes the columns has all that a learner needs beside the rows.
        dataset = rows.encoding.description()
        one_row = RowWeights(np.ones(1), own.factors, own.relative_costs)
        learner = cls.__new__(cls)
        learner.__dict__.update(model._dataset_learner(dataset, one_row, 1).__dict__)
        learner._on_workers = rows
        learner._row_weights = own
        learner.counts = weights
        if own.factors is not None:
            learner.counts = rows.map(_counts_of, rows.parts, weights, own)
        learner.weights = learner.counts if learner._sampling is Sampling.BY_COUNT else weights
        learner.priority = priority_of(_class_weights(rows, weights))
        return learner

    _on_workers: RowsOnWorkers

    def class_weights(self) -> NDArray[np.float64]:
        """Return the weight of each class."""
        return _class_weights(self._on_workers, self.weights)

    def learn(self, weights: Any, index: int, rows: Any = None) -> LearnedMember[Any]:
        """Learn the member of this index from weighted rows; rows of weight 0 are absent."""
        member, _ = self.fit_member(weights, index)
        return self.recall(member, index, rows)

    def _fit(self, member: Any, weights: Any, columns: NDArray[np.intp] | None) -> None:
        given = self._row_weights
        if self._sampling is Sampling.BY_WEIGHT:
            given = RowWeights(np.zeros(0))  # rows of heavier classes were drawn more often
        elif self._sampling is Sampling.BY_COUNT and given.factors is not None:
            rows = self._on_workers
            weights = rows.map(multiply_by_factors, rows.parts, weights, given.factors)
        fit_tree(self._on_workers, member, weights, given, columns)

    def recall(self, member: Any, index: int, rows: Any = None) -> LearnedMember[Any]:
        """Predict the training rows, or some of them, with a member, on their workers."""
        predictions: Any = self._on_workers.map(
            _recall, self._on_workers.parts, self._sendable(), member, index, rows
        )
        return LearnedMember(member, predictions)

    def _sendable(self) -> DatasetMemberLearner:
        learner = DatasetMemberLearner.__new__(DatasetMemberLearner)
        learner.__dict__.update(self.__dict__)
        del learner.__dict__["_on_workers"]
        return learner.without_rows()

    def boosted_rows(self, weights: Any, by_class: bool) -> Any:
        """Return the rows with these weights for AdaBoost; each class may be a group of its own."""
        rows, n_groups = self._on_workers, len(self.priority) if by_class else 1
        return _BoostedRows(rows, rows.map(_weighted_rows, rows.parts, weights, n_groups))

    def committee_errors(self, weights: Any) -> Any:
        """Return what counts the training errors of a committee, for rows with these weights."""
        rows = self._on_workers
        return _CommitteeErrors(
            rows, rows.map(_committee_errors, rows.parts, weights, self.priority)
        )

    def hold_back(self, share: float) -> tuple[Any, Any]:
        """Hold back a share of each class; return the weights of the other rows, and these rows."""
        rows = self._on_workers
        held_back = hold_back_on_workers(rows, self.weights, share, self.seed)
        return rows.map(np.subtract, self.weights, held_back), _HeldRows(
            rows, held_back, self.priority
        )

    def drawing(
        self, weights: Any, max_samples: float = 1.0, replacing: bool = True
    ) -> Callable[..., Any]:
        """Return a function that draws the sample of a given number, or several, by weights."""
        rows = self._on_workers
        total = float(rows.merge(sum, exact_sum, weights))
        n_draws = size_of_sample(total, rows.n_rows, max_samples)
        draw = Drawing if replacing else DrawingWithoutReplacement
        return draw(rows, weights, n_draws, self.seed)

    def all_rows(self) -> Any:
        """Return the rows with their own weights, for a boosted forest."""
        rows = self._on_workers
        return RunRowsOnWorkers(rows, rows.map(run_of_all_rows, rows.parts, self.weights))

    def drawing_of_runs(self) -> Callable[..., Any]:
        """Return a function that draws the rows of a run of a forest; it takes several numbers."""
        rows, draw = self._on_workers, self.drawing(self.counts)
        factors = rows.map(factors_of_rows, self.weights, self.counts)

        def draw_run(*number: int) -> RunRowsOnWorkers:
            counts = draw(*number)
            started = rows.map(start_run_of_part, rows.parts, counts, factors, self.weights)
            return RunRowsOnWorkers(rows, started)

        return draw_run

    def forest_votes(self) -> Any:
        """Return what adds up the votes of a forest for the rows that samples lack."""
        return ForestVotesOnWorkers(self._on_workers, self.weights)

    def out_of_bag_votes(self, n_members: int) -> Any:
        """Return what adds up votes for the rows that samples lack."""
        return _OutOfBagSums(self._on_workers, self.weights, self.form, self.with_shares)


class _BoostedRows:
    """The rows of AdaBoost on their workers; see `weaklearn.boosting.distribution.BoostedRows`."""

    def __init__(self, rows: RowsOnWorkers, state: OfParts) -> None:
        self._rows = rows
        self._state = state  # a `WeightedRows` for each part
        self.n_rows = rows.n_rows

    def group_weights(self) -> NDArray[np.float64]:
        sums: list[Fraction] = self._rows.merge(add_lists, _sums_of_groups, self._state)
        return np.array([float(total) for total in sums])

    def weight_of_errors(self, learned: LearnedMember[Any]) -> float:
        return float(self._rows.merge(sum, _sum_of_errors, self._state, learned.predictions))

    def divided(self, divisor: float) -> _BoostedRows:
        return self._changed("divided", divisor)

    def divided_by_errors(
        self, learned: LearnedMember[Any], wrong: float, right: float
    ) -> _BoostedRows:
        return self._changed("divided_by_errors", learned.predictions, wrong, right)

    def scaled(self, factors: NDArray[np.float64]) -> _BoostedRows:
        return self._changed("scaled", factors)

    def with_random_factors(self, seed: int, start: int) -> _BoostedRows:
        parts = self._rows.parts
        return _BoostedRows(
            self._rows, self._rows.map(_with_random_factors, self._state, parts, seed, start)
        )

    def counts(self, total: float) -> OfParts:
        return self._rows.map(_call, self._state, "counts", total)

    def sample(self, total: float, n_draws: int, seed: int, number: int) -> OfParts:
        return Drawing(self._rows, self.counts(total), n_draws, seed)(number)

    def _changed(self, method: str, *arguments: Any) -> _BoostedRows:
        return _BoostedRows(self._rows, self._rows.map(_call, self._state, method, *arguments))


class _CommitteeErrors:
    """The training errors of a committee on workers: see `LocalCommitteeErrors`."""

    def __init__(self, rows: RowsOnWorkers, state: OfParts) -> None:
        self._rows = rows
        self._state = state

    def add(self, learned: LearnedMember[Any], vote: float) -> bool:
        self._state = self._rows.map(_with_member, self._state, learned.predictions, vote)
        errs: bool = self._rows.merge(any, LocalCommitteeErrors.errs, self._state)
        return errs


class _HeldRows:
    """Rows on workers that members do not learn from: see `LocalHeldRows`."""

    def __init__(self, rows: RowsOnWorkers, weights: OfParts, priority: NDArray[np.uint32]) -> None:
        self._rows = rows
        self._weights = weights
        self._priority = priority
        total = float(rows.merge(sum, exact_sum, weights))
        self._state = rows.map(_start_losses, rows.parts, weights, total, len(priority))

    def add(
        self, learned: LearnedMember[Any], index: int, vote: float, calibration: Calibration | None
    ) -> tuple[float, float]:
        rows = self._rows
        self._state = rows.map(
            _with_losses,
            self._state,
            self._weights,
            learned.predictions,
            vote,
            calibration,
            self._priority,
        )
        error, loss = rows.merge(add_lists, RowLosses.sums, self._state)
        return float(error), float(loss)

    def keep_losses(self) -> None:
        self._state = self._rows.map(RowLosses.with_kept_losses, self._state)

    def rise(self) -> tuple[float, float]:
        mean = float(self._rows.merge(sum, RowLosses.rise, self._state))
        return mean, float(self._rows.merge(sum, RowLosses.squares, self._state, mean))


class _OutOfBagSums:
    """Adds up out-of-bag votes on workers; see `weaklearn.boosting.bagging.OutOfBagSums`."""

    def __init__(
        self, rows: RowsOnWorkers, weights: OfParts, form: VoteForm, with_shares: bool
    ) -> None:
        self._rows = rows
        self._votes_are_shares = form == "shares"
        self._sums = rows.map(_no_votes, rows.parts, weights, with_shares)

    def absent(self, counts: OfParts) -> OfParts:
        return self._rows.map(LocalOutOfBagSums.absent, self._sums, counts)

    def add(self, learned: LearnedMember[Any], absent: OfParts) -> None:
        self._sums = self._rows.map(_with_votes, self._sums, learned.predictions, absent)

    def sums(self, sums_of: SumsOfVotes, by_shares: bool) -> list[Fraction]:
        sums: list[Fraction] = self._rows.merge(
            add_lists,
            LocalOutOfBagSums.sums,
            self._sums,
            sums_of,
            by_shares or self._votes_are_shares,
        )
        return sums

    def judge(self, judge: Judge) -> OutOfBagResult:
        return judge_on_workers(self._rows, self._sums, judge)


# -- on workers -----------------------------------------------------------------------------------
def _counts_of(
    part: EncodedPart, weights: NDArray[np.float64], given: RowWeights
) -> NDArray[np.float64]:
    return RowWeights(weights, given.factors).counts(part.classes)


def _class_weights(rows: RowsOnWorkers, weights: OfParts) -> NDArray[np.float64]:
    n_classes = len(rows.encoding.schema.classes)
    by_class = rows.map(_weighted_rows, rows.parts, weights, n_classes)
    return _BoostedRows(rows, by_class).group_weights()


def _weighted_rows(part: EncodedPart, weights: NDArray[np.float64], n_groups: int) -> WeightedRows:
    return WeightedRows(weights, part.classes, n_groups)


def _recall(
    part: EncodedPart,
    learner: DatasetMemberLearner,
    member: Any,
    index: int,
    rows: NDArray[np.integer[Any]] | None,
) -> LearnedMember[Any]:
    """Return what a member predicts for rows of a part, without the member."""
    return replace(learner.with_rows(part.dataset).recall(member, index, rows), member=None)


def _call(rows: WeightedRows, method: str, *arguments: Any) -> Any:
    return getattr(rows, method)(*arguments)


def _sums_of_groups(rows: WeightedRows) -> list[Fraction]:
    return [exact_sum(weights) for weights in rows.by_group()]


def _sum_of_errors(rows: WeightedRows, learned: LearnedMember[Any]) -> Fraction:
    return exact_sum(rows.of_errors(learned.predictions))


def _with_random_factors(
    rows: WeightedRows, part: EncodedPart, seed: int, start: int
) -> WeightedRows:
    factors = draw_factors_of_part(part, seed, start)
    return WeightedRows(rows.weights * factors, rows.classes, rows.n_groups)


def _committee_errors(
    part: EncodedPart, weights: NDArray[np.float64], priority: NDArray[np.uint32]
) -> LocalCommitteeErrors:
    return LocalCommitteeErrors(part.classes, weights, priority)


def _with_member(
    errors: LocalCommitteeErrors, learned: LearnedMember[Any], vote: float
) -> LocalCommitteeErrors:
    # A task that is run again after a worker died must find its arguments as they were.
    changed = copy(errors)
    changed.scores = errors.scores.copy()
    changed.add(learned, vote)
    return changed


def _start_losses(
    part: EncodedPart, weights: NDArray[np.float64], total: float, n_classes: int
) -> RowLosses:
    held = np.flatnonzero(weights)
    return RowLosses.start(part.classes[held], weights[held] / total, n_classes)


def _with_losses(
    losses: RowLosses,
    weights: NDArray[np.float64],
    learned: LearnedMember[Any],
    vote: float,
    calibration: Calibration | None,
    priority: NDArray[np.uint32],
) -> RowLosses:
    on_rows = learned.take_rows(np.flatnonzero(weights))
    return losses.added(on_rows, vote, calibration, priority)


def _no_votes(
    part: EncodedPart, weights: NDArray[np.float64], with_shares: bool
) -> LocalOutOfBagSums:
    votes = np.zeros((len(weights), len(part.encoding.schema.classes)))
    shares = np.zeros_like(votes) if with_shares else None
    return LocalOutOfBagSums(part.classes, weights, votes, shares)


def _with_votes(
    sums: LocalOutOfBagSums, learned: LearnedMember[Any], absent: NDArray[np.uint32]
) -> LocalOutOfBagSums:
    # A task that is run again after a worker died must find its arguments as they were.
    shares = None if sums.shares is None else sums.shares.copy()
    copied = LocalOutOfBagSums(sums.classes, sums.weights, sums.votes.copy(), shares)
    copied.add(learned, absent)
    return copied
