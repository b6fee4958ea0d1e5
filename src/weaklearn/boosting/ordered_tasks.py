"""Run tasks in threads and return their results in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from typing import TypeVar

Result = TypeVar("Result")


def results_in_order(
    task: Callable[[int], Result], indices: range, n_threads: int
) -> Generator[Result, None, None]:
    """Yield the result of a task for each index, in order, with some tasks running at a time.

    Closing the generator cancels the tasks that have not begun and waits for the others.

    Parameters
    ----------
    task : callable
        Takes an index.
    indices : range
        The indices.
    n_threads : int
        The number of tasks that run at a time. With one, tasks run in the calling thread, when
        their result is asked for.

    Examples
    --------
    >>> list(results_in_order(lambda index: index**2, range(4), n_threads=2))
    [0, 1, 4, 9]
    """
    if n_threads == 1:
        yield from map(task, indices)
        return
    waiting: deque[Future[Result]] = deque()
    with ThreadPoolExecutor(n_threads) as pool:
        try:
            for index in indices:
                # A thread does not see the context variables of its caller.
                waiting.append(pool.submit(copy_context().run, task, index))
                if len(waiting) > n_threads:
                    yield waiting.popleft().result()
            while waiting:
                yield waiting.popleft().result()
        finally:
            for future in waiting:
                future.cancel()
