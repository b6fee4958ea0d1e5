"""Runs that are killed and resumed, or use more workers, give the same results."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from small_plan import small_plan
from weaklearn.experiments.result_store import Store, code_version
from weaklearn.experiments.run_on_workers import Progress, run_units
from weaklearn.experiments.runnable_units import prepare
from weaklearn.experiments.work_units import Outcome, WorkUnit, run_unit

TESTS = Path(__file__).parents[1]
#: The unit that some tests make fail, or make kill its process.
FAULTY = ("folds", "monks", "bag", 1, 2)


def units() -> tuple[WorkUnit, ...]:
    return prepare(small_plan()).units


def digest_after(path: Path, to_run: Sequence[WorkUnit], n_jobs: int | None = None) -> str:
    with Store(path, "1") as store:
        run_units(to_run, store, n_jobs=n_jobs)
        return store.digest(units())


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> str:
    return digest_after(tmp_path_factory.mktemp("undisturbed") / "r.sqlite", units())


def test_two_workers_give_the_same_results(tmp_path: Path, undisturbed: str) -> None:
    assert digest_after(tmp_path / "r.sqlite", units(), n_jobs=2) == undisturbed


def test_a_run_in_several_steps_gives_the_same_results(tmp_path: Path, undisturbed: str) -> None:
    path = tmp_path / "r.sqlite"
    for to_run in (units()[7:20], units()[:9], units()):
        digest = digest_after(path, to_run)
    assert digest == undisturbed


SCRIPT = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from small_plan import small_plan
from weaklearn.experiments import Store, prepare, run_units
units = prepare(small_plan()).units
with Store(Path(sys.argv[2]), "1") as store:
    print("ready", flush=True)
    run_units(units, store, progress=lambda now: print(now.n_done, flush=True))
"""


def test_a_run_that_is_killed_three_times_gives_the_same_results(
    tmp_path: Path, undisturbed: str
) -> None:
    """After each kill, all units that were reported as done are in the file."""
    path = tmp_path / "r.sqlite"
    for n_more in (1, 5, 11):
        killed = subprocess.Popen(
            [sys.executable, "-c", SCRIPT, str(TESTS), str(path)], stdout=subprocess.PIPE, text=True
        )
        assert killed.stdout is not None
        assert killed.stdout.readline() == "ready\n"
        for _ in range(n_more):
            n_done = int(killed.stdout.readline())
        time.sleep(0.001 * n_more)  # the kill comes in the middle of the next unit
        os.kill(killed.pid, signal.SIGKILL)
        killed.wait()
        with Store(path, "1") as store:
            assert len(store.read(units())) >= n_done
    assert digest_after(path, units()) == undisturbed


def test_finished_units_do_not_run_again(tmp_path: Path) -> None:
    few = units()[:5]
    with Store(tmp_path / "r.sqlite", "1") as store:
        run_units(few, store)
        again: list[Progress] = []
        run_units(few, store, progress=again.append)
    assert again == []


def fail_on_the_faulty_unit(unit: WorkUnit) -> Outcome:
    if _is_faulty(unit):
        return Outcome(unit, None, "failed on purpose", 0.0)
    return run_unit(unit)


def die_on_the_faulty_unit(unit: WorkUnit) -> Outcome:
    if _is_faulty(unit):
        os._exit(1)
    return run_unit(unit)


def _is_faulty(unit: WorkUnit) -> bool:
    return (unit.experiment, unit.problem, unit.learner, unit.repeat, unit.fold) == FAULTY


@pytest.mark.parametrize(
    ("run_faulty", "n_jobs", "message"),
    [(fail_on_the_faulty_unit, 1, "on purpose"), (die_on_the_faulty_unit, 2, "its process died")],
)
def test_a_failing_unit_does_not_stop_the_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run_faulty: object, n_jobs: int, message: str
) -> None:
    few = [u for u in units() if (u.experiment, u.learner) == ("folds", "bag")]
    with monkeypatch.context() as patch, Store(tmp_path / "r.sqlite", "1") as store:
        patch.setattr("weaklearn.experiments.run_on_workers.run_unit", run_faulty)
        known = run_units(few, store, n_jobs=n_jobs)
    assert len(known) == len(few)
    ((unit, stored),) = ((u, stored) for u, stored in known.items() if stored.result is None)
    assert _is_faulty(unit)
    assert message in str(stored.error)
    # The next run tries the unit again. The store then equals that of a run without a failure.
    with Store(tmp_path / "r.sqlite", "1") as store, Store(tmp_path / "s.sqlite", "1") as other:
        run_units(few, store)
        run_units(few, other)
        assert store.digest(few) == other.digest(few)


def test_the_remaining_time_is_estimated_from_finished_units(tmp_path: Path) -> None:
    seen: list[Progress] = []
    estimates: list[tuple[float, int]] = []
    with Store(tmp_path / "r.sqlite", "1") as store:
        run_units(
            *(units(), store),
            progress=seen.append,
            estimated=lambda seconds, n: estimates.append((seconds, n)),
        )
    assert [now.n_done for now in seen] == list(range(1, len(units()) + 1))
    assert seen[-1].seconds_remaining == 0
    assert seen[0].seconds_remaining is None  # the other learners have not been timed yet
    ((seconds, n_workers),) = estimates
    assert n_workers == 1
    assert 0 < seconds < 600


def test_the_code_version_starts_with_the_version_of_the_package() -> None:
    assert code_version() == code_version()
    assert code_version().startswith("0.1.0+")
