"""Bagging: members learned from samples of the rows, all with the same vote."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol

import numpy as np
from numpy.typing import NDArray

from weaklearn.boosting.adaboost_m1_loop import LearnedMember, Member
from weaklearn.boosting.interrupts import interrupt_waits
from weaklearn.boosting.ordered_tasks import results_in_order
from weaklearn.boosting.progress import Callback, Progress


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BaggedMembers(Generic[Member]):
    """The result of bagging.

    Parameters
    ----------
    members : list
        The models.
    out_of_bag : array of float64, (n_rows, n_classes)
        For each row, the votes of the members that were not trained on it.
    out_of_bag_shares : array of float64, (n_rows, n_classes)
        For each row, the sum of the class shares of these members.
    stopped : str
        "members" (as many as asked for), "callback" or "interrupted".
    """

    members: list[Member]
    out_of_bag: NDArray[np.float64]
    out_of_bag_shares: NDArray[np.float64]
    stopped: str


class LearnFromSample(Protocol[Member]):
    """Learns a member from a sample and predicts the other rows."""

    def __call__(
        self, counts: NDArray[np.float64], index: int, rows: NDArray[np.intp]
    ) -> LearnedMember[Member]:
        """Return the member of this index, with its predictions for `rows` only."""
        ...


def bag(
    learn: LearnFromSample[Member],
    draw: Callable[[int], NDArray[np.float64]],
    weights: NDArray[np.float64],
    n_classes: int,
    n_members: int,
    n_threads: int = 1,
    callback: Callback | None = None,
) -> BaggedMembers[Member]:
    """Learn members from samples.

    Parameters
    ----------
    learn : callable
        Takes weights that count rows, the index of the member, and the rows to predict. The result
        has class shares.
    draw : callable
        Takes the index of a member and returns its sample: weights that count rows.
    weights : array of float64
        The weight of each row; rows of weight 0 are absent.
    n_classes : int
        Number of classes.
    n_members : int
        Number of members.
    n_threads : int
        The number of members learned at a time.
    callback : callable, optional
        Called after each member.

    Returns
    -------
    BaggedMembers
        Members and out-of-bag votes.
    """

    def learn_from_sample(index: int) -> tuple[LearnedMember[Member], NDArray[np.intp]]:
        counts = draw(index)
        absent = np.flatnonzero((counts == 0) & (weights > 0))
        return learn(counts, index, absent), absent

    members: list[Member] = []
    out_of_bag = np.zeros((len(weights), n_classes))
    out_of_bag_shares = np.zeros_like(out_of_bag)
    stopped = "members"
    start = time.perf_counter()
    # Threads share the dataset, and the core releases Python's lock.
    results = results_in_order(learn_from_sample, range(n_members), n_threads)
    try:
        for learned, absent in results:
            with interrupt_waits():
                members.append(learned.member)
                votes = 1.0 if learned.confidences is None else learned.confidences
                out_of_bag[absent, learned.predictions] += votes
                assert learned.shares is not None  # as the caller promised
                out_of_bag_shares[absent] += learned.shares
            progress = Progress(len(members), n_members, None, time.perf_counter() - start)
            if callback is not None and callback(progress):
                stopped = "callback"
                break
    except KeyboardInterrupt:
        if not members:
            raise
        stopped = "interrupted"
    finally:
        results.close()
    return BaggedMembers(members, out_of_bag, out_of_bag_shares, stopped)
