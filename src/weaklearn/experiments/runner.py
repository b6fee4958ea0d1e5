"""The runner: does the units of plans that are not in the store, by as many workers as there are.

Only the process that calls it writes to the store, one commit per unit, so that a run that is
killed loses the units in flight and nothing else. Workers come through joblib: under
``joblib.parallel_config(backend="dask")`` they are those of a cluster.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from importlib.metadata import version
from importlib.util import find_spec
from itertools import islice
from multiprocessing import get_context
from pathlib import Path

from joblib import Parallel, delayed, effective_n_jobs

from weaklearn.experiments.classifiers import why_unknown
from weaklearn.experiments.plan import Experiment, Plan
from weaklearn.experiments.problem_tables import checksum, load_problem, why_absent
from weaklearn.experiments.store import Store, Stored
from weaklearn.experiments.work_units import Outcome, Unit, run_unit

#: Rooms that show numbers and make none.
_SHOWING = ("cli", "report", "show")
Group = tuple[str, str, str, str]


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a run is.

    Parameters
    ----------
    n_done, n_units : int
        Units in the store, and all.
    seconds_left : float or None
        How long the rest will take; None as long as a problem or learner has not been timed.
    """

    n_done: int
    n_units: int
    seconds_left: float | None


@dataclass(frozen=True, slots=True)
class Prepared:
    """A plan whose tables and classifiers have been looked for.

    Parameters
    ----------
    plan : Plan
        The plan.
    units : tuple of Unit
        Those that can be done.
    absent : mapping
        Per experiment and problem that is not to be had: how to get it.
    unknown : mapping
        Per experiment and learner that does not exist: why.
    n_rows : mapping
        Per experiment and problem that is here: how many rows it has.
    """

    plan: Plan
    units: tuple[Unit, ...]
    absent: Mapping[tuple[str, str], str]
    unknown: Mapping[tuple[str, str], str]
    n_rows: Mapping[tuple[str, str], int]


def prepare(plan: Plan) -> Prepared:
    """Look for the tables and classifiers of a plan.

    Parameters
    ----------
    plan : Plan
        Whole or in part.

    Returns
    -------
    Prepared
        What can be done, and what cannot and why.

    Examples
    --------
    >>> from weaklearn.experiments.plan import read_plan
    >>> ready = prepare(read_plan("quinlan96").only(["iris"]).quick())
    >>> len(ready.units), dict(ready.absent)
    (40, {})
    """
    absent: dict[tuple[str, str], str] = {}
    unknown: dict[tuple[str, str], str] = {}
    n_rows: dict[tuple[str, str], int] = {}
    looked_at: dict[str, tuple[str, int]] = {}
    units: list[Unit] = []
    for name, one in plan.experiments.items():
        for learner, recipe in one.learners.items():
            reason = why_unknown(recipe)
            if reason:
                unknown[name, learner] = reason
        sums: dict[str, str] = {}
        for problem in one.problems:
            said = one.table_of(problem)
            reason = why_absent(said)
            if reason:
                absent[name, problem] = reason
                continue
            text = json.dumps(said, sort_keys=True)
            if text not in looked_at:
                table = load_problem(said)
                looked_at[text] = checksum(table), table.n_rows
            sums[problem], n_rows[name, problem] = looked_at[text]
        units += _units(plan, one, sums, unknown)
    return Prepared(plan, tuple(units), absent, unknown, n_rows)


def _units(
    plan: Plan, one: Experiment, sums: Mapping[str, str], unknown: Mapping[tuple[str, str], str]
) -> Iterable[Unit]:
    for unit in one.units(plan.paper):
        if unit.problem in sums and (one.name, unit.learner) not in unknown:
            yield replace(unit, data=sums[unit.problem])


def run_units(
    units: Sequence[Unit],
    store: Store,
    *,
    n_jobs: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    estimated: Callable[[float, int], None] | None = None,
) -> dict[Unit, Stored]:
    """Do the units that have no result in the store, and give what is known of all.

    One unit of each problem and learner comes first: these are results like all others, and tell
    how long the rest will take.

    Parameters
    ----------
    units : list of Unit
        As `prepare` gives them.
    store : Store
        Open.
    n_jobs : int or None
        Units at a time; -1 for all processors, None for what joblib is configured for, or one.
    progress : callable, optional
        Called after each unit.
    estimated : callable, optional
        Called once with the seconds that the rest will take, and the number of workers, when the
        first unit of everything has been timed.

    Returns
    -------
    dict
        What the store knows of each unit.
    """
    known = store.read(units)
    waiting = [unit for unit in units if unit not in known or known[unit].result is None]
    clock = _Clock(units, waiting, known, effective_n_jobs(n_jobs))

    def do(some: Sequence[Unit]) -> None:
        for outcome in _outcomes(some, n_jobs):
            store.append(outcome)
            clock.note(outcome)
            if progress is not None:
                progress(clock.progress())

    probes = clock.untimed()
    do(probes)
    if estimated is not None and len(waiting) > len(probes):
        estimated(clock.seconds_left(), clock.n_workers)
    taken = set(probes)
    do(clock.longest_first([unit for unit in waiting if unit not in taken]))
    return store.read(units)


def _outcomes(units: Sequence[Unit], n_jobs: int | None) -> Iterator[Outcome]:
    """Do units, in no order; one whose worker dies with it has failed, and the others go on."""
    left = dict.fromkeys(units)
    while left:
        # One unit per message: a batch would be lost whole with its worker.
        workers = Parallel(n_jobs=n_jobs, return_as="generator_unordered", batch_size=1)
        try:
            for outcome in workers(delayed(run_unit)(unit) for unit in list(left)):
                del left[outcome.unit]
                yield outcome
        except BrokenProcessPool:
            # Those that may have been in flight, each by itself, tell which it was.
            for unit in list(islice(left, 2 * effective_n_jobs(n_jobs))):
                del left[unit]
                yield _alone(unit)


def _alone(unit: Unit) -> Outcome:
    try:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
            return process.submit(run_unit, unit).result()
    except BrokenProcessPool:
        return Outcome(unit, None, "its process died; is there memory enough?", 0.0)


class _Clock:
    """How long units take, group by group, and so how long the rest will."""

    def __init__(
        self,
        units: Sequence[Unit],
        waiting: Sequence[Unit],
        known: Mapping[Unit, Stored],
        n_workers: int,
    ) -> None:
        self.n_workers = n_workers
        self._n_units = len(units)
        self._first_waiting = {unit.group: unit for unit in reversed(waiting)}
        self._n_waiting = Counter(unit.group for unit in waiting)
        self._n_timed: Counter[Group] = Counter()
        self._total: dict[Group, float] = defaultdict(float)
        for unit, stored in known.items():
            self._time(unit, stored.seconds)

    def note(self, outcome: Outcome) -> None:
        self._time(outcome.unit, outcome.seconds)
        self._n_waiting[outcome.unit.group] -= 1

    def untimed(self) -> list[Unit]:
        """Give the first waiting unit of each group that nobody has timed."""
        waiting = reversed(self._first_waiting.items())
        return [unit for group, unit in waiting if not self._n_timed[group]]

    def seconds_left(self) -> float:
        total = sum(n * self._expected(group) for group, n in self._n_waiting.items())
        return total / self.n_workers

    def progress(self) -> Progress:
        n_done = self._n_units - self._n_waiting.total()
        all_timed = all(self._n_timed[group] for group, n in self._n_waiting.items() if n)
        return Progress(n_done, self._n_units, self.seconds_left() if all_timed else None)

    def longest_first(self, units: Sequence[Unit]) -> list[Unit]:
        """Order by problem, since workers remember tables; the problem that takes longest first."""
        total: dict[tuple[str, ...], float] = defaultdict(float)
        for unit in units:
            total[unit.group[:3]] += self._expected(unit.group)
        return sorted(units, key=lambda unit: (-total[unit.group[:3]], unit.group[:3]))

    def _time(self, unit: Unit, seconds: float) -> None:
        self._n_timed[unit.group] += 1
        self._total[unit.group] += seconds

    def _expected(self, group: Group) -> float:
        return self._total[group] / max(self._n_timed[group], 1)


def code_version() -> str:
    """Name the code that makes numbers: the version, and a digest of its files.

    Returns
    -------
    str
        Another one as soon as a file of the package has changed, but for those that only show
        results.
    """
    package = Path(__file__).parents[1]
    found = hashlib.sha256()
    for path in sorted(package.rglob("*.py")):
        place = path.relative_to(package)
        if place.parts[0] not in _SHOWING:
            found.update(place.as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    compiled = find_spec("weaklearn._core")
    if compiled is not None and compiled.origin is not None:
        found.update(Path(compiled.origin).read_bytes())
    return f"{version('weaklearn')}+{found.hexdigest()[:12]}"
