"""The runner: killed and resumed, with any number of workers, the numbers are the same."""

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
from weaklearn.experiments import runner
from weaklearn.experiments.runner import Progress, code_version, prepare, run_units
from weaklearn.experiments.store import Store
from weaklearn.experiments.work_units import Outcome, Unit, run_unit

HERE = Path(__file__).parents[1]
#: Units that some tests make fail, or kill their process.
POISON = ("folds", "monks", "bag", 1, 2)


def units() -> tuple[Unit, ...]:
    return prepare(small_plan()).units


def digest_after(path: Path, some: Sequence[Unit], n_jobs: int | None = None) -> str:
    with Store(path, "1") as store:
        run_units(some, store, n_jobs=n_jobs)
        return store.digest(units())


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> str:
    return digest_after(tmp_path_factory.mktemp("undisturbed") / "r.sqlite", units())


def test_what_is_not_to_be_had_is_said_and_left_out() -> None:
    ready = prepare(small_plan())
    assert ready.absent[("folds", "lost")].startswith("put no-such-table.arff")
    assert ready.unknown[("folds", "oracle")] == "this version of weaklearn has no OracleClassifier"
    assert not [u for u in ready.units if u.problem == "lost" or u.learner == "oracle"]
    assert ready.n_rows[("folds", "iris")] == 150
    assert all(len(unit.data) == 64 for unit in ready.units)


def test_any_number_of_workers_gives_the_same_numbers(tmp_path: Path, undisturbed: str) -> None:
    assert digest_after(tmp_path / "r.sqlite", units(), n_jobs=2) == undisturbed


def test_a_run_in_pieces_gives_the_same_numbers(tmp_path: Path, undisturbed: str) -> None:
    path = tmp_path / "r.sqlite"
    for some in (units()[7:20], units()[:9], units()):
        found = digest_after(path, some)
    assert found == undisturbed


SCRIPT = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from small_plan import small_plan
from weaklearn.experiments.runner import prepare, run_units
from weaklearn.experiments.store import Store
units = prepare(small_plan()).units
with Store(Path(sys.argv[2]), "1") as store:
    print("ready", flush=True)
    run_units(units, store, progress=lambda now: print(now.n_done, flush=True))
"""


def test_killed_again_and_again_it_ends_as_if_nothing_had_been(
    tmp_path: Path, undisturbed: str
) -> None:
    """Each time so many units are on the disk as were reported done."""
    path = tmp_path / "r.sqlite"
    for n_more in (1, 5, 11):
        killed = subprocess.Popen(
            [sys.executable, "-c", SCRIPT, str(HERE), str(path)], stdout=subprocess.PIPE, text=True
        )
        assert killed.stdout is not None
        assert killed.stdout.readline() == "ready\n"
        for _ in range(n_more):
            n_done = int(killed.stdout.readline())
        time.sleep(0.001 * n_more)  # somewhere in the next unit
        os.kill(killed.pid, signal.SIGKILL)
        killed.wait()
        with Store(path, "1") as store:
            assert len(store.read(units())) >= n_done
    assert digest_after(path, units()) == undisturbed


def test_what_is_there_is_not_done_again(tmp_path: Path) -> None:
    some = units()[:5]
    with Store(tmp_path / "r.sqlite", "1") as store:
        run_units(some, store)
        again: list[Progress] = []
        run_units(some, store, progress=again.append)
    assert again == []


def fails_at_times(unit: Unit) -> Outcome:
    if _is_poison(unit):
        return Outcome(unit, None, "RuntimeError: on purpose", 0.0)
    return run_unit(unit)


def dies_at_times(unit: Unit) -> Outcome:
    if _is_poison(unit):
        os._exit(1)
    return run_unit(unit)


def _is_poison(unit: Unit) -> bool:
    return (unit.experiment, unit.problem, unit.learner, unit.repeat, unit.fold) == POISON


@pytest.mark.parametrize(
    ("way", "n_jobs", "message"),
    [(fails_at_times, 1, "on purpose"), (dies_at_times, 2, "its process died")],
)
def test_a_failing_unit_does_not_stop_the_rest(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, way: object, n_jobs: int, message: str
) -> None:
    few = [u for u in units() if (u.experiment, u.learner) == ("folds", "bag")]
    with monkeypatch.context() as patch, Store(tmp_path / "r.sqlite", "1") as store:
        patch.setattr(runner, "run_unit", way)
        known = run_units(few, store, n_jobs=n_jobs)
    assert len(known) == len(few)
    ((unit, stored),) = ((u, stored) for u, stored in known.items() if stored.result is None)
    assert _is_poison(unit)
    assert message in str(stored.error)
    # The next run tries again, and then nothing is left of it.
    with Store(tmp_path / "r.sqlite", "1") as store, Store(tmp_path / "s.sqlite", "1") as other:
        run_units(few, store)
        run_units(few, other)
        assert store.digest(few) == other.digest(few)


def test_the_time_left_comes_from_units_that_were_timed(tmp_path: Path) -> None:
    seen: list[Progress] = []
    told: list[tuple[float, int]] = []
    with Store(tmp_path / "r.sqlite", "1") as store:
        run_units(
            *(units(), store),
            progress=seen.append,
            estimated=lambda seconds, n: told.append((seconds, n)),
        )
    assert [now.n_done for now in seen] == list(range(1, len(units()) + 1))
    assert seen[-1].seconds_left == 0
    assert seen[0].seconds_left is None  # nobody knows about the others yet
    ((seconds, n_workers),) = told
    assert n_workers == 1
    assert 0 < seconds < 600


def test_the_version_of_the_code_is_that_of_what_makes_numbers() -> None:
    assert code_version() == code_version()
    assert code_version().startswith("0.1.0+")
