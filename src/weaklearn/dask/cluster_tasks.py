"""The tasks of one fit on a cluster: submitting, adding up, waiting, and leaving nothing behind.

Every task is a pure function of the user's partitions, so Dask repeats the lost ones if a worker
dies. A fit that cannot go on raises an error: if a task fails, if workers die again and again, or
if there is no worker for as long as Dask waits for a connection
(``distributed.comm.timeouts.connect``, 30 seconds).
"""

from __future__ import annotations

import asyncio
import time
from asyncio import CancelledError
from collections.abc import Callable, Iterable, Mapping, Sequence
from queue import Empty, SimpleQueue
from types import TracebackType
from typing import Any, NamedTuple, Self
from uuid import uuid4
from weakref import WeakSet

import numpy as np
from dask.delayed import delayed
from distributed import Client, Future, KilledWorker
from numpy.typing import NDArray

import dask
from weaklearn import _core
from weaklearn.dask.encode_parts import EncodedPart, join_parts

#: How many results one task adds up, and how many workers are asked directly.
_FAN_IN = 8
#: How often the fit looks whether there are workers.
_SECONDS_PER_LOOK = 0.5


class ClusterTasks:
    """Submits the tasks of a fit, and releases them all when the fit ends, whatever ends it.

    Parameters
    ----------
    client : Client
        The client of the cluster.
    """

    def __init__(self, client: Client) -> None:
        self._client: Any = client  # its methods have no types
        self.name = f"weaklearn-{uuid4().hex[:12]}"
        self._listens = False
        self._n_submitted = 0
        self._can_ask_workers = True
        # Results that nobody refers to any more are released.
        self._futures: WeakSet[Future[Any]] = WeakSet()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._client.status == "running":
            if self._listens:
                self._client.unsubscribe_topic(self.name)
            held = list(self._futures)
            if error is not None and held:
                self._client.cancel(held, force=True)
            self.release(held)
        self._futures.clear()

    def compute(
        self, function: Callable[..., Any], calls: Iterable[Sequence[Any]]
    ) -> list[Future[Any]]:
        """Start a task for each list of arguments, which may be delayed objects."""
        # The scheduler gets all of them at once. Their arguments are released when they are read.
        task = delayed(function, pure=False)
        futures: list[Future[Any]] = self._client.compute(
            [task(*arguments, dask_key_name=self._new_key()) for arguments in calls]
        )
        self._futures.update(futures)
        return futures

    def submit(
        self, function: Callable[..., Any], *arguments: Any, near: Any = None
    ) -> Future[Any]:
        """Start a task; `near` is the worker that holds its arguments, if known."""
        options: dict[str, Any] = {"key": self._new_key(), "pure": False}
        if near is not None:
            options |= {"workers": [near], "allow_other_workers": True}
        future: Future[Any] = self._client.submit(function, *arguments, **options)
        self._futures.add(future)
        return future

    def _new_key(self) -> str:
        self._n_submitted += 1
        return f"{self.name}-{self._n_submitted}"

    def on_event(self, handle: Callable[[Any], Any]) -> None:
        """Call a function with each event that the workers log under the name of the fit."""
        self._listens = True
        self._client.subscribe_topic(self.name, lambda event: handle(event[1]))

    def release(self, futures: Iterable[Future[Any]]) -> None:
        """Forget results that no other task of the fit needs any more."""
        for future in futures:
            self._futures.discard(future)
            future.release()  # type: ignore[no-untyped-call]

    def merge_to_few(
        self, merge: Callable[[Sequence[Any]], Any], futures: Sequence[Future[Any]]
    ) -> list[Future[Any]]:
        """Merge results in a tree, in order, until one task can take all of them."""
        level = list(futures)
        while len(level) > _FAN_IN:
            groups = [level[i : i + _FAN_IN] for i in range(0, len(level), _FAN_IN)]
            level = [g[0] if len(g) == 1 else self.submit(merge, g) for g in groups]
        return level

    def reduce(self, merge: Callable[[Sequence[Any]], Any], futures: Sequence[Future[Any]]) -> Any:
        """Merge results in a tree, in order, the last few of them here, and return the last one."""
        few = self.merge_to_few(merge, futures)
        result = merge(self.results(few))
        self.release([*few, *futures])
        return result

    def results(self, futures: Sequence[Future[Any]]) -> list[Any]:
        """Wait for results, and get them.

        Raises
        ------
        RuntimeError
            If there is no worker for too long, or workers die while they compute them.
        """
        self.wait(futures)

        async def gather() -> list[Any]:
            results: list[Any] = await self._client.gather(list(futures), asynchronous=True)
            return results

        try:
            results: list[Any] = self._client.sync(gather, callback_timeout=_patience())
        except KilledWorker as error:
            raise RuntimeError(
                "the fit was stopped because workers died while they computed a part of it: "
                f"{error}. Give workers more memory, or use more and smaller partitions."
            ) from error
        except CancelledError as error:
            raise RuntimeError(
                "a part of the fit was lost. Data that was scattered to a worker is lost if the "
                "worker dies: load it with tasks, for example dask.dataframe.read_parquet."
            ) from error
        return results

    def result(self, future: Future[Any]) -> Any:
        """Wait for one result as `results` does, and get it."""
        return self.results([future])[0]

    def wait(self, futures: Sequence[Future[Any]]) -> None:
        """Wait until all results are there, or one of them cannot be computed.

        Raises
        ------
        RuntimeError
            If there is no worker for too long.
        """
        done: SimpleQueue[Any] = SimpleQueue()
        for future in futures:
            future.add_done_callback(done.put)  # type: ignore[no-untyped-call]
        alone_since = None
        n_waiting = len(futures)
        while n_waiting:
            try:
                if done.get(timeout=_SECONDS_PER_LOOK).status != "finished":
                    return
                n_waiting -= 1
                continue
            except Empty:
                pass
            if self._client.status not in ("running", "connecting"):
                raise RuntimeError("the client was closed during the fit")
            if self._client.nthreads():
                alone_since = None
                continue
            alone_since = alone_since or time.monotonic()
            if time.monotonic() - alone_since > _patience():
                raise RuntimeError(
                    f"the cluster has had no worker for {_patience():g} seconds, so the fit was "
                    "stopped. Start workers and fit again."
                )

    def workers_of(self, futures: Sequence[Future[Any]]) -> list[str | None]:
        """Wait for results, and return a worker that holds each; None if it is lost or failed."""
        self.wait(futures)
        holders: dict[Any, list[str]] = self._client.who_has(list(futures))
        return [next(iter(holders.get(future.key, ())), None) for future in futures]

    def merge_calls(
        self,
        merge: Callable[[Sequence[Any]], Any],
        function: Callable[..., Any],
        calls: Sequence[Sequence[Any]],
        workers: Sequence[str | None],
    ) -> Any:
        """Call a function where its arguments are, and return the merged results.

        The arguments are those of `ask_workers`. Tasks call the function if that cannot.
        """
        results = self.ask_workers(function, calls, workers)
        if results is not None:
            return merge(results)
        return self.reduce(
            merge,
            [
                self.submit(function, *arguments, near=worker)
                for arguments, worker in zip(calls, workers, strict=True)
            ],
        )

    def ask_workers(
        self,
        function: Callable[..., Any],
        calls: Sequence[Sequence[Any]],
        workers: Sequence[str | None],
    ) -> list[Any] | None:
        """Call a function on workers for what they hold, without tasks, which take much longer.

        Parameters
        ----------
        function : callable
            The function.
        calls : list of lists
            The arguments of each call. A future stands for its result.
        workers : list of str or None
            The worker that should hold the results of each call; None if it is not known.

        Returns
        -------
        list or None
            The result of each call. None if there are more than a few workers, or if asking them
            fails, as it does when a worker is lost. Tasks then repeat the calls, and do all further
            ones of the fit.
        """
        asked = list(dict.fromkeys(workers))
        if not self._can_ask_workers or None in asked or len(asked) > _FAN_IN:
            return None
        futures = [a for arguments in calls for a in arguments if isinstance(a, Future)]
        self.wait([future for future in futures if future.status != "finished"])
        if any(future.status != "finished" for future in futures):
            return None
        of_workers: dict[str | None, list[tuple[int, list[Any]]]] = {w: [] for w in asked}
        for i, (arguments, worker) in enumerate(zip(calls, workers, strict=True)):
            held = [_Held(a.key) if isinstance(a, Future) else a for a in arguments]
            of_workers[worker].append((i, held))
        try:
            answers = self._client.run(_call_here, function, of_workers, workers=asked)
        except Exception:  # whatever it is, tasks succeed or say what is wrong
            self._can_ask_workers = False
            return None
        results: dict[int, Any] = {}
        for worker, own in answers.items():
            results |= zip((i for i, _ in of_workers[worker]), own, strict=True)
        return [results[i] for i in range(len(calls))]


class _Held(NamedTuple):
    """Stands for a result that a worker holds."""

    key: Any


async def _call_here(
    function: Callable[..., Any],
    of_workers: Mapping[str, Sequence[tuple[int, Sequence[Any]]]],
    dask_worker: Any,
) -> list[Any]:
    """Call a function for what this worker holds, in as many threads as its tasks have."""
    free_threads = asyncio.Semaphore(dask_worker.state.nthreads)

    async def call(arguments: Sequence[Any]) -> Any:
        async with free_threads:  # what it holds may be on disk, so it is not read before
            values = [dask_worker.data[a.key] if isinstance(a, _Held) else a for a in arguments]
            return await asyncio.to_thread(function, *values)

    # Dask sends a list of arrays without a copy, but copies a list of other things.
    calls = of_workers[dask_worker.address]
    return await asyncio.gather(*(call(arguments) for _, arguments in calls))


def _patience() -> float:
    """Return how many seconds a fit waits for a worker."""
    setting = dask.config.get("distributed.comm.timeouts.connect", "30s")
    seconds: float = dask.utils.parse_timedelta(setting)
    return seconds


class CountedParts:
    """Adds up what the parts on the workers count. The core asks it while a tree grows.

    Parameters
    ----------
    tasks : ClusterTasks
        The tasks of the fit.
    parts : list of Future
        A `PartCounter` for each part.
    workers : list of str or None
        Where they should be.
    """

    def __init__(
        self, tasks: ClusterTasks, parts: Sequence[Future[Any]], workers: Sequence[str | None]
    ) -> None:
        self._tasks = tasks
        self._parts = parts
        self._workers = workers
        self._name_of_tree = uuid4().int >> 64
        self._of_root: tuple[bytes, NDArray[np.float64]] | None = None
        self.n_rounds = 0

    def tables(self, tree: bytes, nodes: NDArray[np.uint32]) -> NDArray[np.float64]:
        """Return the tables of value by class of some nodes."""
        # The core asks for those of the root twice: once for what all rows hold, once to grow.
        if self._of_root is not None and self._of_root[0] == tree:
            return self._of_root[1]
        tables = self._add_up(count_tables, tree, self._name_of_tree, nodes)
        self._of_root = (tree, tables) if self.n_rounds == 1 else None
        return tables

    def node_sums(self, tree: bytes, requests: NDArray[np.uint32]) -> NDArray[np.float64]:
        """Return the class weights at the nodes of some subtrees."""
        return self._add_up(sum_up_nodes, tree, requests)

    def _add_up(self, count: Callable[..., Any], *arguments: Any) -> NDArray[np.float64]:
        self.n_rounds += 1
        calls = [(part, *arguments) for part in self._parts]
        sums = self._tasks.merge_calls(add_arrays, count, calls, self._workers)
        return np.ascontiguousarray(sums, dtype=np.float64)


def add_arrays(arrays: Sequence[NDArray[Any]]) -> NDArray[np.float64]:
    """Return the sum of arrays of exact numbers, in which no order matters."""
    total = np.array(arrays[0], dtype=np.float64)
    for array in arrays[1:]:
        total += array
    return total


def count_tables(
    part: PartCounter, tree: bytes, name_of_tree: int, nodes: NDArray[np.uint32]
) -> NDArray[Any]:
    """Count the rows of a part at some nodes by value and class."""
    return _packed(part.core.tables(tree, name_of_tree, nodes))


def _packed(sums: NDArray[np.float64]) -> NDArray[Any]:
    """Return sums in the smallest type that holds them, so that less is sent."""
    for dtype in (np.uint8, np.uint16, np.uint32):
        if sums.max(initial=0.0) <= np.iinfo(dtype).max:
            packed = sums.astype(dtype)
            return packed if np.array_equal(packed, sums) else sums
    return sums


def sum_up_nodes(part: PartCounter, tree: bytes, requests: NDArray[np.uint32]) -> NDArray[Any]:
    """Add up the class weights of a part at the nodes of some subtrees."""
    return _packed(part.core.node_sums(tree, requests))


class PartCounter:
    """A part of the rows on a worker, with the weights of a fit.

    Parameters
    ----------
    part : EncodedPart
        The rows.
    weights : array of float64
        The weight of each row.
    unit : (float, int)
        The first unit of the weights and their sum in it, from which the core finds their unit.
    columns : array of int or None
        The columns that are counted; None for all.
    """

    def __init__(
        self,
        part: EncodedPart,
        weights: NDArray[np.float64],
        unit: tuple[float, int],
        columns: NDArray[np.intp] | None,
    ) -> None:
        self._arguments = part, weights, unit, columns
        dataset = part.dataset if columns is None else part.dataset.take_columns(columns)
        self.core = _core.PartOfRows(dataset.core, weights, _core.WeightUnit.from_sum(*unit))

    def __reduce__(self) -> Any:
        return PartCounter, self._arguments

    def __sizeof__(self) -> int:
        # Dask asks this to decide where tasks run. A row has an index and a weight here.
        part = self._arguments[0]
        return part.__sizeof__() + 12 * len(part.classes)


def join_to_counter(
    parts: Sequence[EncodedPart], unit: tuple[float, int], columns: NDArray[np.intp] | None
) -> PartCounter:
    """Return the rows of several partitions, with their own weights; see `PartCounter`."""
    part = join_parts(parts)
    return PartCounter(part, part.weights, unit, columns)
