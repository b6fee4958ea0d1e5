"""Fits that need all rows in one place: the codes of all partitions are gathered on workers.

A committee runs its loop on one worker. Members that do not depend on each other are learned on all
workers: each gets the codes once, and then the weights of its members.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple
from typing import Any, NoReturn

import numpy as np
from distributed import Client, Future, get_worker, worker_client
from numpy.typing import NDArray

from weaklearn.boosting.adaboost_m1_loop import LearnedMember
from weaklearn.boosting.progress import Callback, Progress, progress_bar
from weaklearn.boosting.sampling import as_bytes_if_small
from weaklearn.dask.cluster_tasks import ClusterTasks
from weaklearn.dask.encode_parts import EncodedPart, Encoding, join_parts
from weaklearn.estimators import BaggedClassifier, BoostedForestClassifier
from weaklearn.estimators.class_weights import RowWeights
from weaklearn.estimators.committee.member_learners import (
    DatasetMemberLearner,
    MemberLearner,
    Weights,
)

#: The share of a worker's memory that the gathered table may take.
_SHARE_OF_MEMORY = 0.5
#: What a row takes beside its codes while members are learned: weights, predictions, shares.
_BYTES_PER_ROW = 64


class MemoryNeeded:
    """Compares the memory that a gathered table needs with that of the workers.

    Parameters
    ----------
    client : Client
        The client of the cluster.
    encoding : Encoding
        How the rows are encoded.
    n_rows : int
        The number of rows.
    """

    def __init__(self, client: Any, encoding: Encoding, n_rows: int) -> None:
        self._client = client
        self._bytes = n_rows * (encoding.bytes_per_row() + _BYTES_PER_ROW)
        self._largest = 0

    def able_workers(self) -> dict[str, int]:
        """Return the workers that can hold the gathered table, with their threads."""
        workers = self._client.run(_memory_and_threads, on_error="ignore")
        self._largest = max((limit or 0 for limit, _ in workers.values()), default=0)
        return {
            address: n_threads
            for address, (limit, n_threads) in workers.items()
            if not limit or self._bytes <= limit * _SHARE_OF_MEMORY
        }

    def refuse(self, name: str) -> NoReturn:
        """Raise a MemoryError that says how much memory a classifier of this name needs."""
        wanted = self._bytes / _SHARE_OF_MEMORY / 2**30
        raise MemoryError(
            f"Dask{name} with these parameters gathers the encoded table on a worker, which takes "
            f"{self._bytes / 2**30:.1f} GiB; it may use {_SHARE_OF_MEMORY:.0%} of a worker's "
            f"memory, and the largest worker has {self._largest / 2**30:.1f} GiB. Start workers "
            f"with memory_limit='{wanted:.1f}GiB', leave out columns with ignore=[...], or see "
            "docs/guides/dask.md for what is learned over rows, without such a worker."
        )


def _memory_and_threads(dask_worker: Any) -> tuple[int | None, int]:
    return dask_worker.memory_manager.memory_limit, dask_worker.state.nthreads


def fit_from_codes(
    tasks: ClusterTasks, model: Any, encoded: Sequence[Future[Any]], workers: dict[str, int]
) -> Any:
    """Gather the codes on a worker, fit a model there, and return it.

    `workers` are those that can hold the codes, with their number of threads.
    """
    first = next(iter(workers))
    gathered = tasks.submit(join_parts, list(encoded), near=first)
    unit = "members" if hasattr(model, "n_members") else "rounds"
    with progress_bar(getattr(model, "verbose", 0), None, unit) as show:
        if show is not None:
            tasks.on_event(lambda event: show(Progress(*event)))
        fitted = tasks.submit(_fit, model, gathered, gathered.key, workers, tasks.name, near=first)
        return tasks.result(fitted)


def _fit(
    model: Any, part: EncodedPart, key_of_part: str, workers: dict[str, int], topic: str
) -> Any:
    """Fit a model on a worker."""
    worker = get_worker()
    own_callback, verbose = getattr(model, "callback", None), getattr(model, "verbose", 0)
    if hasattr(model, "callback"):
        model.callback = _Watch(worker, str(worker.get_current_task()), topic, own_callback)
        model.verbose = 0  # the bar is shown where the user is
    n_threads = worker.state.nthreads
    dataset = part.dataset
    if isinstance(model, BaggedClassifier | BoostedForestClassifier) and len(workers) > 1:
        with worker_client() as client:
            own = model._weigh_classes(
                dataset.schema.classes, dataset.classes, RowWeights(part.weights)
            )
            # A model that is sent has its out-of-bag probabilities: they are made with the votes.
            learner = model._dataset_learner(dataset, own, 1).with_class_shares(1)
            remote = RemoteMemberLearner.from_learner(learner, client, key_of_part, list(workers))
            model._fit_members(remote, sum(workers.values()))
    else:
        model.fit_dataset(dataset, part.weights, n_threads)
    if hasattr(model, "callback"):
        model.callback, model.verbose = own_callback, verbose
    return model


class _Watch:
    """Reports the rounds of a fit to the client, and ends a fit that nobody waits for any more."""

    def __init__(self, worker: Any, key: str, topic: str, callback: Callback | None) -> None:
        self._worker = worker
        self._key = key
        self._topic = topic
        self._callback = callback

    def __call__(self, progress: Progress) -> bool | None:
        task = self._worker.state.tasks.get(self._key)
        if task is None or task.state == "cancelled":
            raise RuntimeError("the fit was cancelled")
        self._worker.log_event(self._topic, astuple(progress))
        return None if self._callback is None else self._callback(progress)


class RemoteMemberLearner(DatasetMemberLearner):
    """Learns members on all workers that hold the codes, and recalls them here.

    Only the weights of a member go to its worker, and only the member comes back.
    """

    _client: Any
    _key_of_part: str
    _workers: list[str]

    @classmethod
    def from_learner(
        cls, learner: MemberLearner, client: Client, key_of_part: str, workers: list[str]
    ) -> RemoteMemberLearner:
        """Return a learner that does the same on other workers."""
        remote = cls.__new__(cls)
        remote.__dict__.update(learner.__dict__)
        remote._client, remote._key_of_part, remote._workers = client, key_of_part, workers
        return remote

    def learn(
        self, weights: Weights, index: int, rows: NDArray[np.integer[Any]] | None = None
    ) -> LearnedMember[Any]:
        """Learn the member of this index from a sample; rows of weight 0 are absent."""
        assert isinstance(weights, np.ndarray)  # only samples are sent to workers
        local = DatasetMemberLearner.__new__(DatasetMemberLearner)
        local.__dict__.update(self.__dict__)
        for name in ("_client", "_key_of_part", "_workers"):
            del local.__dict__[name]
        part: Future[Any] = Future(self._key_of_part, client=self._client)
        member = self._client.submit(
            _fit_member,
            part,
            local.without_rows(),
            as_bytes_if_small(weights),
            index,
            # The scheduler would first leave most members to the worker that holds the codes.
            workers=[self._workers[index % len(self._workers)]],
            allow_other_workers=True,
            pure=False,
        ).result()
        return self.recall(member, index, rows)


def _fit_member(
    part: EncodedPart, learner: DatasetMemberLearner, weights: NDArray[Any], index: int
) -> Any:
    member, _ = learner.with_rows(part.dataset).fit_member(weights, index)
    return member
