"""The encoded rows of a fit, which stay on their workers: one part per worker."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from distributed import Future

from weaklearn.dask.cluster_tasks import ClusterTasks
from weaklearn.dask.encode_parts import EncodedPart, Encoding, join_parts


class OfParts:
    """A result for each part of the rows, on the worker that has the part.

    Parameters
    ----------
    futures : sequence of Future
        The results. They are released when this object is no longer referred to.
    """

    def __init__(self, futures: Sequence[Future[Any]]) -> None:
        self.futures = futures


class RowsOnWorkers:
    """The rows of a table on the workers of a cluster.

    Parameters
    ----------
    tasks : ClusterTasks
        The tasks of the fit.
    encoding : Encoding
        How the rows are encoded.
    encoded : list of Future
        The `EncodedPart` of each partition, computed. The partitions of each worker are joined, so
        that a step has one task per worker.
    lengths : list of int
        The number of rows of each partition.
    """

    def __init__(
        self,
        tasks: ClusterTasks,
        encoding: Encoding,
        encoded: list[Future[Any]],
        lengths: list[int],
    ) -> None:
        self.tasks = tasks
        self.encoding = encoding
        self.n_rows = sum(lengths)
        groups: dict[str | None, list[Future[Any]]] = {}
        for part, worker in zip(encoded, tasks.worker_of(encoded), strict=True):
            groups.setdefault(worker, []).append(part)
        self.workers = list(groups)
        self.parts = OfParts(
            [tasks.submit(join_parts, parts, near=worker) for worker, parts in groups.items()]
        )
        tasks.release(encoded)
        self.weights = self.map(_weights_of, self.parts)

    def class_counts(self) -> list[int]:
        """Return the number of rows of each class, whatever they weigh."""
        counts: list[int] = self.merge(add_lists, _class_counts, self.parts)
        return counts

    def map(self, function: Callable[..., Any], *arguments: Any) -> OfParts:
        """Call a function for each part. Of results of parts it gets the own one."""
        return OfParts(
            [
                self.tasks.submit(
                    function,
                    *(a.futures[i] if isinstance(a, OfParts) else a for a in arguments),
                    near=worker,
                )
                for i, worker in enumerate(self.workers)
            ]
        )

    def merge(
        self, merge: Callable[[Sequence[Any]], Any], function: Callable[..., Any], *arguments: Any
    ) -> Any:
        """Call a function for each part as `map` does, and return the merged results."""
        return self.tasks.reduce(merge, self.map(function, *arguments).futures)


def add_lists(lists: Sequence[Sequence[Any]]) -> list[Any]:
    """Return the sums of exact numbers, position by position."""
    return [sum(numbers[1:], numbers[0]) for numbers in zip(*lists, strict=True)]


def join_lists(lists: Sequence[list[Any]]) -> list[Any]:
    """Return the elements of all lists."""
    return [element for one in lists for element in one]


def _class_counts(part: EncodedPart) -> list[int]:
    n_classes = len(part.encoding.schema.classes)
    counts: list[int] = np.bincount(part.classes, minlength=n_classes).tolist()
    return counts


def _weights_of(part: EncodedPart) -> Any:
    return part.weights
