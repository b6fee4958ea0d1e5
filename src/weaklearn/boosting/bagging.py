"""Bagging: members learned from bootstrap samples, each with the same vote."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from weaklearn.boosting.adaboost_m1 import Learned, Member
from weaklearn.boosting.progress import Callback, Progress
from weaklearn.boosting.sampling import draw_counts, n_draws_of
from weaklearn.learners.parameters import Choice, Number, Parameter

PARAMETERS: Mapping[str, Parameter] = {
    "n_members": Parameter(10, Number(low=1, whole=True), "members, one per bootstrap sample"),
    "vote": Parameter(
        "equal",
        Choice(("equal", "confidence")),
        "what a member's vote counts: the same as any other, or its confidence in the row at hand",
    ),
}


@dataclass(frozen=True, slots=True, eq=False)
class Bagged(Generic[Member]):
    """What bagging gives.

    Parameters
    ----------
    members : list
        The models.
    out_of_bag : array of float64, (n_rows, n_classes)
        The votes for each row of the members that were not trained on it.
    stopped : str
        "members" (as many as asked), "callback" or "interrupted".
    """

    members: list[Member]
    out_of_bag: NDArray[np.float64]
    stopped: str


def bag(
    learn: Callable[[NDArray[np.float64], int], Learned[Member]],
    weights: NDArray[np.float64],
    n_classes: int,
    n_members: int,
    seed: int,
    n_threads: int = 1,
    callback: Callback | None = None,
) -> Bagged[Member]:
    """Learn members from bootstrap samples.

    Parameters
    ----------
    learn : callable
        Takes weights that count rows, and the number of the member.
    weights : array of float64
        The weight of each row; rows of weight 0 are absent.
    n_classes : int
        Number of classes.
    n_members : int
        How many members.
    seed : int
        What samples are drawn with; a member's sample depends on this and its number only.
    n_threads : int
        Members learned at a time.
    callback : callable, optional
        Called after each member.

    Returns
    -------
    Bagged
        Members and out-of-bag votes.
    """

    def learn_one(number: int) -> tuple[Learned[Member], NDArray[np.intp]]:
        counts = draw_counts(weights, n_draws_of(weights), seed, number)
        return learn(counts, number), np.flatnonzero((counts == 0) & (weights > 0))

    members: list[Member] = []
    out_of_bag = np.zeros((len(weights), n_classes))
    stopped = "members"
    start = time.perf_counter()
    # Threads share the dataset, and the core works without Python's lock.
    outcomes = Parallel(n_jobs=n_threads, require="sharedmem", return_as="generator")(
        delayed(learn_one)(number) for number in range(n_members)
    )
    try:
        for learned, absent in outcomes:
            members.append(learned.member)
            votes = 1.0 if learned.confidences is None else learned.confidences[absent]
            out_of_bag[absent, learned.answers[absent]] += votes
            progress = Progress(len(members), n_members, None, time.perf_counter() - start)
            if callback is not None and callback(progress):
                stopped = "callback"
                break
    except KeyboardInterrupt:
        if not members:
            raise
        stopped = "interrupted"
    finally:
        outcomes.close()
    return Bagged(members, out_of_bag, stopped)
