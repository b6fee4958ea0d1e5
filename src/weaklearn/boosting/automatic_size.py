"""How many members a committee needs, by rows that its members did not learn from."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import partial
from typing import Any, Generic, Literal, Protocol

import numpy as np
from numpy.typing import NDArray

from weaklearn.boosting.adaboost_m1_loop import LearnedMember, Member
from weaklearn.encoding import exact_sum, rounded_sum
from weaklearn.models.probabilities import Calibration, usual_exponent
from weaklearn.models.votes import shares, winners

#: Takes the votes for some rows, of shape (n_rows, n_classes), their classes and weights. Returns
#: sums over the rows.
SumsOfVotes = Callable[
    [NDArray[np.float64], NDArray[np.int32], NDArray[np.float64]], list[Fraction]
]
#: What is compared: the share of wrong predictions, or the mean of -log p of the class.
Metric = Literal["error", "log_loss"]
#: The most rounds or members of a committee of automatic size.
MOST_MEMBERS = 1000
#: The most rounds in a row without a better one.
PATIENCE = 50
#: ``n_members="auto"`` looks at the loss after at least so many members.
LEAST_STEP = 20


class HeldRows(Protocol):
    """Rows that members do not learn from, here or in other processes."""

    def add(
        self, learned: LearnedMember[Any], index: int, vote: float, calibration: Calibration | None
    ) -> tuple[float, float]:
        """Add the votes of a member, and return the error of the committee and its mean loss.

        The loss is that of the calibrated probabilities; without a calibration, the error.
        """
        ...

    def keep_losses(self) -> None:
        """Keep the losses of the rows, to compare later ones with them."""
        ...

    def rise(self) -> tuple[float, float]:
        """Return by how much the mean loss is above the kept one, and the variance of that."""
        ...


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class RowLosses:
    """The votes for some rows, and the losses of their predictions.

    Parameters
    ----------
    classes : array of int32
        The class index of each row.
    row_shares : array of float64
        The share of each row in the weight of all that are held.
    scores : array of float64, (n_rows, n_classes)
        The sums of votes.
    class_shares : array of float64, (n_rows, n_classes)
        The sums of class shares, if probabilities are asked for.
    wrong : array of bool
        Whether a row is predicted wrongly.
    losses, kept : array of float64
        The loss of each row, and in the round that it is compared with.
    """

    classes: NDArray[np.int32]
    row_shares: NDArray[np.float64]
    scores: NDArray[np.float64]
    class_shares: NDArray[np.float64]
    wrong: NDArray[np.bool_]
    losses: NDArray[np.float64]
    kept: NDArray[np.float64]

    @classmethod
    def start(
        cls, classes: NDArray[np.int32], row_shares: NDArray[np.float64], n_classes: int
    ) -> RowLosses:
        """Return rows without votes."""
        scores, nothing = np.zeros((len(classes), n_classes)), np.zeros(0)
        return cls(classes, row_shares, scores, scores, nothing.astype(np.bool_), nothing, nothing)

    def added(
        self,
        on_rows: LearnedMember[Any],
        vote: float,
        calibration: Calibration | None,
        priority: NDArray[np.uint32],
    ) -> RowLosses:
        """Return the rows with the votes of a further member, whose predictions are of them."""
        scores, class_shares = self.scores.copy(), self.class_shares
        on_rows.add_votes(scores, vote)
        wrong = winners(scores, priority) != self.classes
        losses = wrong.astype(np.float64)
        if calibration is not None:
            assert on_rows.shares is not None  # the learner has been asked for them
            class_shares = class_shares + vote * on_rows.shares
            losses = log_losses(calibration.of(shares(class_shares)), self.classes)
        return replace(self, scores=scores, class_shares=class_shares, wrong=wrong, losses=losses)

    def sums(self) -> list[Fraction]:
        """Return the sums of errors and of losses, times the shares of the rows."""
        return [exact_sum(self.row_shares[self.wrong]), exact_sum(self.row_shares * self.losses)]

    def with_kept_losses(self) -> RowLosses:
        """Return the rows with the losses that they have now as those that are kept."""
        return replace(self, kept=self.losses)

    def rise(self) -> Fraction:
        """Return the sum of the differences to the kept losses, times the shares of the rows."""
        return exact_sum(self.row_shares * (self.losses - self.kept))

    def squares(self, mean: float) -> Fraction:
        """Return the sum of squares of the differences less their mean, times the shares."""
        centred = self.losses - self.kept - mean
        return exact_sum(np.square(self.row_shares) * np.square(centred))


class LocalHeldRows:
    """Rows that members do not learn from, and that are here.

    Parameters
    ----------
    classes : array of int32
        The class index of each row.
    weights : array of float64
        The weight of each row, not all zero.
    priority : array of uint32
        All class indices in the order in which they win ties.
    predict : callable
        Returns what a member predicts for the rows. It takes the member with its predictions for
        the training rows, and its index.
    """

    def __init__(
        self,
        classes: NDArray[np.int32],
        weights: NDArray[np.float64],
        priority: NDArray[np.uint32],
        predict: Callable[[LearnedMember[Any], int], LearnedMember[Any]],
    ) -> None:
        self._rows = RowLosses.start(classes, weights / rounded_sum(weights), len(priority))
        self._priority = priority
        self._predict = predict

    def add(
        self, learned: LearnedMember[Any], index: int, vote: float, calibration: Calibration | None
    ) -> tuple[float, float]:
        """Add the votes of a member, and return the error of the committee and its mean loss."""
        on_rows = self._predict(learned, index)
        self._rows = self._rows.added(on_rows, vote, calibration, self._priority)
        error, loss = self._rows.sums()
        return float(error), float(loss)

    def keep_losses(self) -> None:
        """Keep the losses of the rows, to compare later ones with them."""
        self._rows = self._rows.with_kept_losses()

    def rise(self) -> tuple[float, float]:
        """Return by how much the mean loss is above the kept one, and the variance of that."""
        mean = float(self._rows.rise())
        return mean, float(self._rows.squares(mean))


def log_losses(
    probabilities: NDArray[np.float64], classes: NDArray[np.int32]
) -> NDArray[np.float64]:
    """Return -log p of the class of each row; p is at least the smallest positive number."""
    own = probabilities[np.arange(len(classes)), classes]
    losses: NDArray[np.float64] = -np.log(np.maximum(own, np.finfo(np.float64).tiny))
    return losses


class RoundChoice:
    """Chooses the number of rounds by their loss on test rows.

    The best round has the least mean loss. A round after it whose loss is not larger by more than
    the standard error of the difference is preferred, and of several such rounds the last. So a
    first round that is good by luck does not end boosting.

    Parameters
    ----------
    rows : HeldRows
        The rows.
    metric : {"error", "log_loss"}
        What is compared.
    class_weights : array of float64
        The training weight of each class.
    """

    def __init__(self, rows: HeldRows, metric: Metric, class_weights: NDArray[np.float64]) -> None:
        self._rows = rows
        self._metric = metric
        self._class_weights = class_weights
        self._votes: list[float] = []
        self._best = 0
        self.errors: list[float] = []
        self.losses: list[float] = []
        self.chosen = 0

    def add(self, learned: LearnedMember[Any], vote: float) -> None:
        """Add the member of the next round."""
        index, calibration = len(self._votes), None
        self._votes.append(vote)
        if self._metric == "log_loss":
            calibration = Calibration(usual_exponent(np.array(self._votes)), self._class_weights)
        error, loss = self._rows.add(learned, index, vote, calibration)
        self.errors.append(error)
        self.losses.append(loss)
        if len(self.losses) == 1 or loss < self.losses[self._best - 1]:
            self._rows.keep_losses()
            self._best = self.chosen = len(self.losses)
            return
        mean, variance = self._rows.rise()
        if mean <= math.sqrt(variance):
            self.chosen = len(self.losses)

    @property
    def has_settled(self) -> bool:
        """Whether the last rounds brought no better one."""
        return len(self.losses) - self._best >= PATIENCE


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class LossOfVotes:
    """The loss of a committee by the votes for some rows.

    Parameters
    ----------
    metric : {"error", "log_loss"}
        What is compared.
    priority : array of uint32
        All class indices in the order in which they win ties.
    class_weights : array of float64
        The training weight of each class.
    """

    metric: Metric
    priority: NDArray[np.uint32]
    class_weights: NDArray[np.float64]

    def sums(
        self,
        exponent: float,
        scores: NDArray[np.float64],
        classes: NDArray[np.int32],
        weights: NDArray[np.float64],
    ) -> list[Fraction]:
        """Return the sum of the losses of the rows that have votes, and that of their weights."""
        rows = np.flatnonzero(scores.any(axis=1) & (weights > 0))
        scores, classes, weights = scores[rows], classes[rows], weights[rows]
        if self.metric == "error":
            losses = (winners(scores, self.priority) != classes).astype(np.float64)
        else:
            probabilities = Calibration(exponent, self.class_weights).of(shares(scores))
            losses = log_losses(probabilities, classes)
        return [exact_sum(weights * losses), exact_sum(weights)]


class OtherRows(Protocol[Member]):
    """Other rows than those that members learn from."""

    classes: NDArray[np.int32]
    weights: NDArray[np.float64]

    def count_votes(
        self, members: list[Member], first: int, votes: NDArray[np.float64], by_shares: bool
    ) -> NDArray[np.float64]:
        """Return the votes of some members for the rows; `first` is the index of the first.

        With `by_shares` they vote with their class shares, otherwise as in the committee.
        """
        ...


class SizeChoice(Generic[Member]):
    """Decides after each step of some members whether further members would help.

    Members are added as long as the best of the last five steps has a loss that is smaller by half
    a percent than the best before them. No member is dropped, since more do no harm.

    Parameters
    ----------
    loss : LossOfVotes
        What is compared.
    rows : OtherRows, optional
        The rows that decide. By default those are the training rows, with the votes of the members
        whose sample lacks them.
    exponent_of : callable
        Takes the votes of all members and returns the exponent of the probabilities.
    """

    _N_COMPARED, _LEAST_GAIN = 5, 0.005

    def __init__(
        self,
        loss: LossOfVotes,
        rows: OtherRows[Member] | None = None,
        exponent_of: Callable[[NDArray[np.float64]], float] = usual_exponent,
    ) -> None:
        self._loss = loss
        self._rows = rows
        self._exponent_of = exponent_of
        self._scores: NDArray[np.float64] | None = None
        self._n_counted = 0
        self.losses: list[float] = []

    @property
    def by_shares(self) -> bool:
        """Whether the sums of class shares are compared, and not those of votes."""
        return self._loss.metric == "log_loss"

    def is_last(
        self,
        members: list[Member],
        votes: Sequence[float],
        out_of_bag: Callable[[SumsOfVotes], list[Fraction]],
    ) -> bool:
        """Return whether no further member is needed.

        Parameters
        ----------
        members : list
            All members so far.
        votes : sequence of float
            The vote of each.
        out_of_bag : callable
            Adds up over all rows the sums that a function computes from their out-of-bag votes.
        """
        counted = np.array(votes)
        sums_of = partial(self._loss.sums, self._exponent_of(counted))
        if self._rows is None:
            loss, weight = out_of_bag(sums_of)
        else:
            first = self._n_counted
            scores = self._rows.count_votes(members[first:], first, counted[first:], self.by_shares)
            self._scores = scores if self._scores is None else self._scores + scores
            self._n_counted = len(members)
            loss, weight = sums_of(self._scores, self._rows.classes, self._rows.weights)
        self.losses.append(float(loss) / float(weight) if weight else math.inf)
        last, before = self.losses[-self._N_COMPARED :], self.losses[: -self._N_COMPARED]
        enough = len(before) >= self._N_COMPARED
        return enough and min(last) >= min(before) * (1.0 - self._LEAST_GAIN)
