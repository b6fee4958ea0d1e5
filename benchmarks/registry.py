"""What a benchmark is and what it gives; ``trees.py`` and its siblings hold the benchmarks."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Literal

Unit = Literal["seconds", "times", "number", "bytes"]


@dataclass(frozen=True, slots=True)
class Result:
    """One row of the report.

    Parameters
    ----------
    work : str
        What was done.
    ours : float
        What it cost us, in ``unit``.
    peer : float or None
        What it cost the peer, in the same unit.
    asked : float or None
        With a peer, the least ratio of its cost to ours; without one, the most that ours may be.
        None for a row that only informs.
    unit : {"seconds", "times", "number", "bytes"}
        What is counted.
    note : str
        What a reader must know to judge the row.
    """

    work: str
    ours: float
    peer: float | None = None
    asked: float | None = None
    unit: Unit = "seconds"
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """How many times cheaper we are."""
        return None if self.peer is None else self.peer / self.ours

    @property
    def reached(self) -> bool | None:
        """Whether it is as asked; None if nothing is."""
        if self.asked is None:
            return None
        return self.ours <= self.asked if self.ratio is None else self.ratio >= self.asked


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A named function that gives rows; ``--quick`` leaves the slow ones out."""

    name: str
    run: Callable[[], Iterable[Result]]
    slow: bool


BENCHMARKS: dict[str, Benchmark] = {}


def benchmark(
    name: str, *, slow: bool = False
) -> Callable[[Callable[[], Iterable[Result]]], Callable[[], Iterable[Result]]]:
    """Put a function into the registry under a name; they run in the order of registration."""

    def register(run: Callable[[], Iterable[Result]]) -> Callable[[], Iterable[Result]]:
        BENCHMARKS[name] = Benchmark(name, run, slow)
        return run

    return register
