"""Bagging: members learned from bootstrap samples, all with the same vote."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Generic

import numpy as np
from joblib import Parallel, delayed
from numpy.typing import NDArray

from weaklearn.boosting.adaboost_m1_loop import Learn, LearnedMember, Member
from weaklearn.boosting.progress import Callback, Progress
from weaklearn.boosting.sampling import draw_counts, sample_size


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BaggedMembers(Generic[Member]):
    """The result of bagging.

    Parameters
    ----------
    members : list
        The models.
    out_of_bag : array of float64, (n_rows, n_classes)
        For each row, the votes of the members that were not trained on it.
    stopped : str
        "members" (as many as asked for), "callback" or "interrupted".
    """

    members: list[Member]
    out_of_bag: NDArray[np.float64]
    stopped: str


def bag(
    learn: Learn[Member],
    weights: NDArray[np.float64],
    n_classes: int,
    n_members: int,
    seed: int,
    n_threads: int = 1,
    callback: Callback | None = None,
) -> BaggedMembers[Member]:
    """Learn members from bootstrap samples.

    Parameters
    ----------
    learn : callable
        Takes weights that count rows, and the index of the member.
    weights : array of float64
        The weight of each row; rows of weight 0 are absent.
    n_classes : int
        Number of classes.
    n_members : int
        Number of members.
    seed : int
        The seed of the samples. A member's sample depends on this and its index only.
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
        counts = draw_counts(weights, sample_size(weights), seed, index)
        return learn(counts, index), np.flatnonzero((counts == 0) & (weights > 0))

    members: list[Member] = []
    out_of_bag = np.zeros((len(weights), n_classes))
    stopped = "members"
    start = time.perf_counter()
    # Threads share the dataset, and the core releases Python's lock.
    results = Parallel(n_jobs=n_threads, require="sharedmem", return_as="generator")(
        delayed(learn_from_sample)(index) for index in range(n_members)
    )
    try:
        for learned, absent in results:
            members.append(learned.member)
            votes = 1.0 if learned.confidences is None else learned.confidences[absent]
            out_of_bag[absent, learned.predictions[absent]] += votes
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
    return BaggedMembers(members, out_of_bag, stopped)
