"""The rows of a boosted forest on workers: see `weaklearn.boosting.forest_rows`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.boosting.adaboost_m1_loop import LearnedMember
from weaklearn.boosting.automatic_size import SumsOfVotes
from weaklearn.boosting.bagging import Judge, LocalOutOfBagSums, OutOfBagResult
from weaklearn.boosting.boosted_forest_loop import RunRules
from weaklearn.boosting.forest_rows import LocalRunRows, distance_of_rows, start_run
from weaklearn.dask.encode_parts import EncodedPart
from weaklearn.dask.rows_on_workers import OfParts, RowsOnWorkers, add_lists, join_lists
from weaklearn.encoding import exact_sum

VotedRows = tuple[NDArray[np.float64], NDArray[np.int32], NDArray[np.float64]]


class RunRowsOnWorkers:
    """The rows of a run on their workers."""

    def __init__(self, rows: RowsOnWorkers, state: OfParts, absent: OfParts | None = None) -> None:
        self._rows = rows
        self._state = state  # a `LocalRunRows` for each part
        self.weights = rows.map(_weights_of, state)
        # The rows that lack remain the same object while the sample remains the same.
        self.absent = absent or rows.map(_absent_of, state)

    def error(self, learned: LearnedMember[Any]) -> float:
        """Return the share of the rows that a member misclassifies in the weight of all."""
        wrong, total = self._rows.merge(add_lists, _sums_of_run, self._state, learned.predictions)
        return float(wrong) / float(total)

    def reweighted(
        self, learned: LearnedMember[Any], error: float, rules: RunRules
    ) -> RunRowsOnWorkers:
        """Return the rows with weights of the same sum, half of it for the misclassified rows."""
        rows = self._rows
        total = float(rows.merge(sum, exact_sum, self.weights))
        least = rules.least_weight * total
        changed = rows.map(LocalRunRows.changed, self._state, learned.predictions, error, least)
        factor = total / float(rows.merge(sum, exact_sum, rows.map(_weights_of, changed)))
        return RunRowsOnWorkers(rows, rows.map(LocalRunRows.scaled, changed, factor), self.absent)

    def votes(self, learned: LearnedMember[Any], vote: float) -> OfParts:
        """Return the votes of a member for the rows that the sample lacks."""
        return self._rows.map(LocalRunRows.votes, self._state, learned.predictions, vote)


@dataclass(frozen=True, slots=True, eq=False)
class _VotesOfPart:
    """The votes for the rows of a part, and those of the last sample, which are added up first."""

    total: NDArray[np.float64]
    absent: NDArray[np.intp]
    of_sample: NDArray[np.float64]


class ForestVotesOnWorkers:
    """Adds up the votes of a forest for the rows that samples lack, on their workers."""

    def __init__(self, rows: RowsOnWorkers, weights: OfParts) -> None:
        self._rows = rows
        self._weights = weights
        self._votes = rows.map(_no_votes, rows.parts)
        self._absent: OfParts | None = None

    def add(self, absent: OfParts, votes: OfParts) -> None:
        """Add the votes of a member for these rows."""
        if absent is self._absent:
            self._votes = self._rows.map(_add_to_sample, self._votes, votes)
        else:
            self._votes = self._rows.map(_add_sample, self._votes, absent, votes)
        self._absent = absent

    def _total(self) -> OfParts:
        return self._rows.map(_total_of, self._votes)

    def some_rows(self, most: int) -> VotedRows:
        """Return the votes for rows that have any, with their classes and weights."""
        rows, total = self._rows, self._total()
        voted = sorted(rows.merge(join_lists, _count_voted, rows.parts, total))
        before = np.cumsum([0, *(n for _, n in voted)])
        ranks = {first: int(rank) for (first, _), rank in zip(voted, before[:-1], strict=True)}
        distance = distance_of_rows(int(before[-1]), most)
        pieces = rows.merge(
            join_lists, _take_voted, rows.parts, total, self._weights, ranks, distance
        )
        pieces.sort(key=lambda piece: piece[0])
        votes, classes, weights = zip(*(piece[1:] for piece in pieces), strict=True)
        return np.concatenate(votes), np.concatenate(classes), np.concatenate(weights)

    def sums(self, sums_of: SumsOfVotes) -> list[Fraction]:
        """Return the sums that a function computes from the votes, over all rows."""
        rows, total = self._rows, self._total()
        sums: list[Fraction] = rows.merge(
            add_lists, _sums_of_votes, rows.parts, self._weights, total, sums_of
        )
        return sums

    def judge(self, judge: Judge) -> OutOfBagResult:
        """Return what the votes say about the forest."""
        rows = self._rows
        sums = rows.map(_as_out_of_bag, rows.parts, self._weights, self._total())
        return judge_on_workers(rows, sums, judge)


def judge_on_workers(rows: RowsOnWorkers, sums: OfParts, judge: Judge) -> OutOfBagResult:
    """Return what out-of-bag votes say about a committee; `sums` are `LocalOutOfBagSums`."""
    wrong, total, n_lacking = rows.merge(add_lists, _judge, sums, judge)
    error = float(wrong) / float(total) if total > 0 else float("nan")
    return OutOfBagResult(error, n_lacking, rows.n_rows, None)


# -- on workers -----------------------------------------------------------------------------------
def run_of_all_rows(part: EncodedPart, weights: NDArray[np.float64]) -> LocalRunRows:
    """Return the rows of a part with their own weights."""
    return LocalRunRows(weights, part.classes, np.zeros(0, dtype=np.intp))


def start_run_of_part(
    part: EncodedPart,
    counts: NDArray[np.float64],
    factors: NDArray[np.float64],
    weights: NDArray[np.float64],
) -> LocalRunRows:
    """Return the rows of a part at the start of a run."""
    return start_run(counts, factors, weights, part.classes)


def _weights_of(run: LocalRunRows) -> NDArray[np.float64]:
    return run.weights


def _absent_of(run: LocalRunRows) -> NDArray[np.intp]:
    return run.absent


def _sums_of_run(run: LocalRunRows, learned: LearnedMember[Any]) -> list[Fraction]:
    wrong = run.weights[learned.predictions != run.classes]
    return [exact_sum(wrong), exact_sum(run.weights)]


def _no_votes(part: EncodedPart) -> _VotesOfPart:
    n_classes = len(part.encoding.schema.classes)
    none = np.zeros((0, n_classes))
    return _VotesOfPart(np.zeros((len(part.classes), n_classes)), np.zeros(0, np.intp), none)


def _add_to_sample(votes: _VotesOfPart, new: NDArray[np.float64]) -> _VotesOfPart:
    return _VotesOfPart(votes.total, votes.absent, votes.of_sample + new)


def _add_sample(
    votes: _VotesOfPart, absent: NDArray[np.intp], new: NDArray[np.float64]
) -> _VotesOfPart:
    return _VotesOfPart(_total_of(votes), absent, new)


def _total_of(votes: _VotesOfPart) -> NDArray[np.float64]:
    # A task that is run again after a worker died must find its arguments as they were.
    total = votes.total.copy()
    total[votes.absent] += votes.of_sample
    return total


def _sums_of_votes(
    part: EncodedPart,
    weights: NDArray[np.float64],
    total: NDArray[np.float64],
    sums_of: SumsOfVotes,
) -> list[Fraction]:
    return sums_of(total, part.classes, weights)


def _as_out_of_bag(
    part: EncodedPart, weights: NDArray[np.float64], total: NDArray[np.float64]
) -> LocalOutOfBagSums:
    return LocalOutOfBagSums(part.classes, weights, total, total)


def _count_voted(part: EncodedPart, total: NDArray[np.float64]) -> list[tuple[int, int]]:
    """Return the first row of each piece, with the number of its rows that have votes."""
    has_votes = part.split_by_piece(np.asarray(total.any(axis=1)))
    return [
        (first, int(np.count_nonzero(own)))
        for (first, length), own in zip(part.pieces, has_votes, strict=True)
        if length
    ]


def _take_voted(
    part: EncodedPart,
    total: NDArray[np.float64],
    weights: NDArray[np.float64],
    ranks: dict[int, int],
    distance: int,
) -> list[tuple[Any, ...]]:
    """Return every so many rows of those that have votes; `ranks` counts those before a piece."""
    taken = []
    places = part.split_by_piece(np.arange(len(part.classes)))
    for (first, length), own in zip(part.pieces, places, strict=True):
        if not length:
            continue
        voted = own[total[own].any(axis=1)]
        rows = voted[-ranks[first] % distance :: distance]
        taken.append((first, total[rows], part.classes[rows], weights[rows]))
    return taken


def _judge(sums: LocalOutOfBagSums, judge: Judge) -> Sequence[Any]:
    has_votes, wrong, _ = judge(sums.votes, sums.shares, sums.classes)
    return [
        exact_sum(sums.weights[wrong]),
        exact_sum(sums.weights[has_votes]),
        int(np.count_nonzero(~has_votes)),
    ]
