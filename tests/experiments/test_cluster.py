"""A run on a Dask cluster gives the same results, even if a worker is killed."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import joblib
import pytest

from small_plan import small_plan
from weaklearn.experiments import Progress, Store, prepare, run_units

distributed = pytest.importorskip("distributed", reason="dask's distributed is absent")


def test_a_worker_is_killed_and_nothing_is_lost(tmp_path: Path) -> None:
    units = prepare(small_plan()).units
    with Store(tmp_path / "alone.sqlite", "1") as store:
        run_units(units, store, n_jobs=1)
        undisturbed = store.digest(units)
    cluster = distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, silence_logs=50
    )
    with cluster, distributed.Client(cluster) as client:
        pids = client.run(os.getpid)
        started, killed = threading.Event(), threading.Event()

        def kill_one() -> None:
            started.wait(timeout=60)
            os.kill(next(iter(pids.values())), signal.SIGKILL)
            killed.set()

        def note(now: Progress) -> None:
            if now.n_done == 5:
                started.set()
                killed.wait(timeout=60)  # the worker must die while units are still waiting

        killer = threading.Thread(target=kill_one)
        killer.start()
        with Store(tmp_path / "cluster.sqlite", "1") as store:
            with joblib.parallel_config(backend="dask"):
                known = run_units(units, store, progress=note)
            killer.join()
            assert store.digest(units) == undisturbed
        assert len(known) == len(units)
        assert all(stored.result is not None for stored in known.values())
        _wait_for_two_other_workers(client, set(pids.values()))


def _wait_for_two_other_workers(client: Any, before: set[int]) -> None:
    """Wait until Dask has replaced the dead worker, which shows that it was really killed."""
    for _ in range(6000):
        now = set(client.run(os.getpid).values())
        if len(now) == 2 and now != before:
            return
        time.sleep(0.1)
    raise AssertionError("no worker was killed")
