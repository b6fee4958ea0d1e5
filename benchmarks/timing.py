"""Time by the clock and by the processor, and what only a fresh process can measure."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

_CHECKOUT = Path(__file__).resolve().parents[1]
_LEAST_SECONDS = 1.0


@dataclass(slots=True)
class Best:
    """The best of several runs: seconds by the clock, and of processor time over all threads."""

    wall: float = float("inf")
    cpu: float = float("inf")


def alternate(*calls: Callable[[], object], least_runs: int = 3) -> list[Best]:
    """Run the calls in turn, at least so often and for a second, and keep the best of each.

    In turn, so that what else the machine does in the meantime meets all of them alike.
    """
    best = [Best() for _ in calls]
    collecting = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        start = time.perf_counter()
        runs = 0
        while runs < least_runs or time.perf_counter() - start < _LEAST_SECONDS:
            for call, so_far in zip(calls, best, strict=True):
                wall, cpu = time.perf_counter(), time.process_time()
                outcome = call()
                so_far.cpu = min(so_far.cpu, time.process_time() - cpu)
                so_far.wall = min(so_far.wall, time.perf_counter() - wall)
                del outcome  # before the next call, which needs the memory
            runs += 1
    finally:
        if collecting:
            gc.enable()
    return best


def in_fresh_process(*arguments: str) -> list[float]:
    """Run Python with these arguments in the checkout and give the numbers that it prints."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=_CHECKOUT,
        env=os.environ | _without_rebuilding(),
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return [float(word) for word in done.stdout.split()]


def _without_rebuilding() -> dict[str, str]:
    # An editable install asks CMake on every import whether the core is current. That is no part
    # of an installed package's cost; the build folder stands in the import hook.
    folders = [
        finder.path
        for finder in sys.meta_path
        if type(finder).__name__.startswith("ScikitBuild") and hasattr(finder, "path")
    ]
    return {"SKBUILD_EDITABLE_SKIP": os.pathsep.join(folders)} if folders else {}
