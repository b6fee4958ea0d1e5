"""The encoded rows of a fit, which stay on their workers: one part per worker."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from distributed import Future

from weaklearn.dask.cluster_tasks import ClusterTasks
from weaklearn.dask.encode_parts import EncodedPart, Encoding, join_parts


class OfParts:
    """A result for each part of the rows, on the worker that has the part.

    Parameters
    ----------
    futures : sequence of Future, or of lists of Future
        The results. They are released when this object is no longer referred to.
    """

    def __init__(self, futures: Sequence[Any]) -> None:
        self.futures = futures


class EncodedTable(NamedTuple):
    """A table whose partitions are encoded, or will be.

    Parameters
    ----------
    encoding : Encoding
        How the rows are encoded.
    parts : list of Future
        The `EncodedPart` of each partition.
    workers : list of str or None
        The worker that read each partition; None if it is lost.
    n_rows : int
        The number of rows.
    weight_range : (float, float)
        The least and the greatest weight.
    """

    encoding: Encoding
    parts: list[Future[Any]]
    workers: list[str | None]
    n_rows: int
    weight_range: tuple[float, float]


class RowsOnWorkers:
    """The rows of a table on the workers of a cluster.

    Parameters
    ----------
    tasks : ClusterTasks
        The tasks of the fit.
    table : EncodedTable
        The rows. The partitions of each worker are joined, so that a step has one task per worker.
    """

    def __init__(self, tasks: ClusterTasks, table: EncodedTable) -> None:
        self.tasks = tasks
        self.encoding = table.encoding
        self.n_rows = table.n_rows
        self.weight_range = table.weight_range
        groups: dict[str | None, list[Future[Any]]] = {}
        for part, worker in zip(table.parts, table.workers, strict=True):
            groups.setdefault(worker, []).append(part)
        self.workers = list(groups)
        self._partitions = list(groups.values())

    @cached_property
    def parts(self) -> OfParts:
        """The rows of each worker."""
        return self.map_partitions(join_parts)

    @cached_property
    def weights(self) -> OfParts:
        """The weights of the rows, without those of classes."""
        return self.map(_weights_of, self.parts)

    def class_counts(self) -> list[int]:
        """Return the number of rows of each class, whatever they weigh."""
        counts: list[int] = self.merge(add_lists, _class_counts, self.parts)
        return counts

    def map(self, function: Callable[..., Any], *arguments: Any) -> OfParts:
        """Call a function for each part. Of results of parts it gets the own one."""
        return OfParts(
            [
                self.tasks.submit(function, *call, near=worker)
                for call, worker in zip(self._calls(arguments), self.workers, strict=True)
            ]
        )

    def _calls(self, arguments: Sequence[Any]) -> list[list[Any]]:
        """Return the arguments for each part."""
        return [
            [a.futures[i] if isinstance(a, OfParts) else a for a in arguments]
            for i in range(len(self.workers))
        ]

    def map_partitions(self, function: Callable[..., Any], *arguments: Any) -> OfParts:
        """Call a function with the list of partitions of each worker, and release these then."""
        results = self.map(function, OfParts(self._partitions), *arguments)
        for partitions in self._partitions:
            self.tasks.release(partitions)
        self._partitions.clear()
        return results

    def merge(
        self, merge: Callable[[Sequence[Any]], Any], function: Callable[..., Any], *arguments: Any
    ) -> Any:
        """Call a function for each part as `map` does, and return the merged results."""
        return self.tasks.merge_calls(merge, function, self._calls(arguments), self.workers)


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
