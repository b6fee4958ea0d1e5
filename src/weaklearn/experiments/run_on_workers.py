"""Run the work units that have no stored result yet, on one or more workers.

Only the calling process writes to the store, with one commit per unit. So a run that is killed
loses the units that were running, and nothing else. The workers are joblib's: under
``joblib.parallel_config(backend="dask")`` they are the workers of a Dask cluster.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice
from multiprocessing import get_context

from joblib import Parallel, delayed, effective_n_jobs

from weaklearn.experiments.result_store import Store, StoredResult
from weaklearn.experiments.work_units import Outcome, WorkUnit, run_unit

Group = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is.

    Parameters
    ----------
    n_done, n_units : int
        How many units are in the store, and how many there are.
    seconds_remaining : float or None
        How long the remaining units will take; None until every problem and learner has been timed.
    """

    n_done: int
    n_units: int
    seconds_remaining: float | None


def run_units(
    units: Sequence[WorkUnit],
    store: Store,
    *,
    run: Callable[[WorkUnit], Outcome] | None = None,
    n_jobs: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    estimated: Callable[[float, int], None] | None = None,
) -> dict[WorkUnit, StoredResult]:
    """Run the units that have no result in the store, and return the stored results of all.

    One unit of each problem and learner runs first. Their results are kept like all others, and
    their times tell how long the remaining units will take.

    Parameters
    ----------
    units : list of WorkUnit
        The units of a `PreparedPlan`.
    store : Store
        An open store.
    run : callable, optional
        Runs one unit; by default `run_unit`, for the units of a plan. Workers in other processes
        get a pickled copy of it with every unit.
    n_jobs : int or None
        How many units to run at the same time; -1 for all processors, None for what joblib is
        configured for, or one.
    progress : callable, optional
        Called with a `Progress` after each unit.
    estimated : callable, optional
        Called once, after the first unit of each problem and learner, with the seconds that the
        remaining units will take and the number of workers.

    Returns
    -------
    dict
        The stored result of each unit.
    """
    known = store.read(units)
    waiting = [unit for unit in units if unit not in known or known[unit].result is None]
    times = _UnitTimes(units, waiting, known, effective_n_jobs(n_jobs))

    def run_batch(batch: Sequence[WorkUnit]) -> None:
        for outcome in _outcomes(batch, run or run_unit, n_jobs):
            store.append(outcome)
            times.add(outcome)
            if progress is not None:
                progress(times.progress())

    first_units = times.first_untimed()
    run_batch(first_units)
    if estimated is not None and len(waiting) > len(first_units):
        estimated(times.seconds_remaining(), times.n_workers)
    done = set(first_units)
    run_batch(times.longest_first([unit for unit in waiting if unit not in done]))
    return store.read(units)


def _outcomes(
    units: Sequence[WorkUnit], run: Callable[[WorkUnit], Outcome], n_jobs: int | None
) -> Iterator[Outcome]:
    """Run units in any order. If a worker process dies, its unit fails and the others go on."""
    remaining = dict.fromkeys(units)
    while remaining:
        # Batches of one unit: with a dead worker its whole batch is lost.
        workers = Parallel(n_jobs=n_jobs, return_as="generator_unordered", batch_size=1)
        try:
            for outcome in workers(delayed(run)(unit) for unit in list(remaining)):
                del remaining[outcome.unit]
                yield outcome
        except BrokenProcessPool:
            # Which unit killed its worker is not known. Those that may have been running are run
            # again, each in a process of its own.
            for unit in list(islice(remaining, 2 * effective_n_jobs(n_jobs))):
                del remaining[unit]
                yield _run_in_own_process(unit, run)


def _run_in_own_process(unit: WorkUnit, run: Callable[[WorkUnit], Outcome]) -> Outcome:
    try:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
            return process.submit(run, unit).result()
    except BrokenProcessPool:
        return Outcome(unit, None, "its process died; is there enough memory?", 0.0)


class _UnitTimes:
    """The times of finished units, by group, and an estimate of the remaining time."""

    def __init__(
        self,
        units: Sequence[WorkUnit],
        waiting: Sequence[WorkUnit],
        known: Mapping[WorkUnit, StoredResult],
        n_workers: int,
    ) -> None:
        self.n_workers = n_workers
        self._n_units = len(units)
        self._first_waiting = {unit.group: unit for unit in reversed(waiting)}
        self._n_waiting = Counter(unit.group for unit in waiting)
        self._n_timed: Counter[Group] = Counter()
        self._total: dict[Group, float] = defaultdict(float)
        for unit, stored in known.items():
            self._add_time(unit, stored.seconds)

    def add(self, outcome: Outcome) -> None:
        self._add_time(outcome.unit, outcome.seconds)
        self._n_waiting[outcome.unit.group] -= 1

    def first_untimed(self) -> list[WorkUnit]:
        """Return the first waiting unit of each group that has no time yet."""
        waiting = reversed(self._first_waiting.items())
        return [unit for group, unit in waiting if not self._n_timed[group]]

    def seconds_remaining(self) -> float:
        total = sum(n * self._expected(group) for group, n in self._n_waiting.items())
        return total / self.n_workers

    def progress(self) -> Progress:
        n_done = self._n_units - self._n_waiting.total()
        all_timed = all(self._n_timed[group] for group, n in self._n_waiting.items() if n)
        seconds = self.seconds_remaining() if all_timed else None
        return Progress(n_done, self._n_units, seconds)

    def longest_first(self, units: Sequence[WorkUnit]) -> list[WorkUnit]:
        """Sort units by problem, because workers keep tables in memory; the longest comes first."""
        total: dict[tuple[str, ...], float] = defaultdict(float)
        for unit in units:
            total[unit.group[:3]] += self._expected(unit.group)
        return sorted(units, key=lambda unit: (-total[unit.group[:3]], unit.group[:3]))

    def _add_time(self, unit: WorkUnit, seconds: float) -> None:
        self._n_timed[unit.group] += 1
        self._total[unit.group] += seconds

    def _expected(self, group: Group) -> float:
        return self._total[group] / max(self._n_timed[group], 1)
