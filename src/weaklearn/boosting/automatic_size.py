"""How many members a committee needs, by rows that its members did not learn from."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Generic, Literal

import numpy as np
from numpy.typing import NDArray

from weaklearn.boosting.adaboost_m1_loop import LearnedMember, Member
from weaklearn.models.probabilities import Calibration, usual_exponent
from weaklearn.models.votes import add_votes, shares, winners

#: What is compared: the share of wrong predictions, or the mean of -log p of the class.
Metric = Literal["error", "log_loss"]
#: The most rounds or members of a committee of automatic size.
MOST_MEMBERS = 1000
#: The most rounds in a row without a better one.
PATIENCE = 50


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class HeldRows:
    """Rows that members do not learn from.

    Parameters
    ----------
    classes : array of int32
        The class index of each row.
    weights : array of float64
        The weight of each row, not all zero.
    predict : callable
        Returns what a member predicts for the rows. It takes the member with its predictions for
        the training rows, and its index.
    """

    classes: NDArray[np.int32]
    weights: NDArray[np.float64]
    predict: Callable[[LearnedMember[Any], int], LearnedMember[Any]]


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
    priority : array of uint32
        All class indices in the order in which they win ties.
    class_weights : array of float64
        The training weight of each class.
    """

    def __init__(
        self,
        rows: HeldRows,
        metric: Metric,
        priority: NDArray[np.uint32],
        class_weights: NDArray[np.float64],
    ) -> None:
        self._rows = rows
        self._metric = metric
        self._priority = priority
        self._class_weights = class_weights
        self._row_shares = rows.weights / rows.weights.sum()
        self._scores = np.zeros((len(rows.classes), len(priority)))
        self._class_shares = np.zeros_like(self._scores)
        self._votes: list[float] = []
        self._best = 0
        self._best_losses = np.zeros(0)
        self.errors: list[float] = []
        self.losses: list[float] = []
        self.chosen = 0

    def add(self, learned: LearnedMember[Any], vote: float) -> None:
        """Add the member of the next round."""
        on_rows = self._rows.predict(learned, len(self._votes))
        self._votes.append(vote)
        strength = 1.0 if on_rows.confidences is None else on_rows.confidences
        add_votes(self._scores, on_rows.predictions, vote * strength)
        wrong = winners(self._scores, self._priority) != self._rows.classes
        of_rows = wrong.astype(np.float64)
        if self._metric == "log_loss":
            assert on_rows.shares is not None  # the learner has been asked for them
            self._class_shares += vote * on_rows.shares
            exponent = usual_exponent(np.array(self._votes))
            probabilities = Calibration(exponent, self._class_weights).of(
                shares(self._class_shares)
            )
            of_rows = log_losses(probabilities, self._rows.classes)
        self.errors.append(float(self._row_shares @ wrong))
        self.losses.append(float(self._row_shares @ of_rows))
        if len(self.losses) == 1 or self.losses[-1] < self.losses[self._best - 1]:
            self._best, self._best_losses = len(self.losses), of_rows
            self.chosen = self._best
            return
        difference = of_rows - self._best_losses
        mean = float(self._row_shares @ difference)
        squares = np.square(self._row_shares) @ np.square(difference - mean)
        if mean <= math.sqrt(float(squares)):
            self.chosen = len(self.losses)

    @property
    def has_settled(self) -> bool:
        """Whether the last rounds brought no better one."""
        return len(self.losses) - self._best >= PATIENCE


class RunChoice(Generic[Member]):
    """Decides after each run of a forest whether further runs would help.

    Runs go on as long as the best of the last five has a loss that is smaller by half a percent
    than the best before them. No run is dropped, since more members do no harm.

    Parameters
    ----------
    classes : array of int32
        The class index of each test row.
    weights : array of float64
        The weight of each test row.
    metric : {"error", "log_loss"}
        What is compared.
    priority : array of uint32
        All class indices in the order in which they win ties.
    class_weights : array of float64
        The training weight of each class.
    count_votes : callable, optional
        Returns the votes of some members for the test rows. By default the test rows are the
        training rows, with the votes of the members whose sample lacks them.
    """

    _N_COMPARED, _LEAST_GAIN = 5, 0.005

    def __init__(
        self,
        classes: NDArray[np.int32],
        weights: NDArray[np.float64],
        metric: Metric,
        priority: NDArray[np.uint32],
        class_weights: NDArray[np.float64],
        count_votes: Callable[[list[Member], NDArray[np.float64]], NDArray[np.float64]]
        | None = None,
    ) -> None:
        self._classes = classes
        self._weights = weights
        self._metric = metric
        self._priority = priority
        self._class_weights = class_weights
        self._count_votes = count_votes
        self._scores = np.zeros((len(classes), len(priority)))
        self._n_counted = 0
        self.losses: list[float] = []

    def is_last(
        self, members: list[Member], votes: list[float], out_of_bag: NDArray[np.float64]
    ) -> bool:
        """Return whether a run is the last one; the arguments are of all members so far."""
        counted = np.array(votes)
        if self._count_votes is None:
            self._scores = out_of_bag
        else:
            new = slice(self._n_counted, None)
            self._scores += self._count_votes(members[new], counted[new])
            self._n_counted = len(members)
        self.losses.append(self._loss(counted))
        last, before = self.losses[-self._N_COMPARED :], self.losses[: -self._N_COMPARED]
        enough = len(before) >= self._N_COMPARED
        return enough and min(last) >= min(before) * (1.0 - self._LEAST_GAIN)

    def _loss(self, votes: NDArray[np.float64]) -> float:
        rows = np.flatnonzero(self._scores.any(axis=1) & (self._weights > 0))
        if not len(rows):
            return math.inf
        scores, classes = self._scores[rows], self._classes[rows]
        if self._metric == "error":
            losses = (winners(scores, self._priority) != classes).astype(np.float64)
        else:
            exponent = usual_exponent(votes)
            losses = log_losses(
                Calibration(exponent, self._class_weights).of(shares(scores)), classes
            )
        return float(self._weights[rows] @ losses / self._weights[rows].sum())
