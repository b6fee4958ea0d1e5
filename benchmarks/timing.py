"""Measure wall-clock and processor time, also in a new process."""

from __future__ import annotations

import gc
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
    """The best of several runs: wall-clock seconds, and processor seconds of all threads."""

    wall: float = float("inf")
    cpu: float = float("inf")


def alternate(*calls: Callable[[], object], least_runs: int = 3) -> list[Best]:
    """Run the calls in turn, at least `least_runs` times and for a second; keep the best of each.

    The calls take turns so that other work of the machine affects all of them alike.
    """
    best = [Best() for _ in calls]
    collecting = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        start = time.perf_counter()
        runs = 0
        while runs < least_runs or time.perf_counter() - start < _LEAST_SECONDS:
            for call, fastest in zip(calls, best, strict=True):
                wall, cpu = time.perf_counter(), time.process_time()
                outcome = call()
                fastest.cpu = min(fastest.cpu, time.process_time() - cpu)
                fastest.wall = min(fastest.wall, time.perf_counter() - wall)
                del outcome  # frees its memory before the next call
            runs += 1
    finally:
        if collecting:
            gc.enable()
    return best


def in_fresh_process(*arguments: str) -> list[float]:
    """Run Python with these arguments in the checkout and return the numbers that it prints."""
    done = subprocess.run(
        [sys.executable, *arguments],
        cwd=_CHECKOUT,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return [float(word) for word in done.stdout.split()]
