"""What a benchmark and its results are. The modules beside this one define the benchmarks."""

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
        What was measured.
    ours : float
        The cost of weaklearn, in ``unit``.
    peer : float or None
        The cost of the peer, in the same unit.
    target : float or None
        With a peer, the least ratio of its cost to ours. Without a peer, the highest cost allowed.
        None if there is no target.
    unit : {"seconds", "times", "number", "bytes"}
        What the cost is measured in.
    note : str
        What a reader needs to know about the row.
    """

    work: str
    ours: float
    peer: float | None = None
    target: float | None = None
    unit: Unit = "seconds"
    note: str = ""

    @property
    def ratio(self) -> float | None:
        """The cost of the peer divided by ours."""
        return None if self.peer is None else self.peer / self.ours

    @property
    def reached(self) -> bool | None:
        """Whether the target is reached; None if there is none."""
        if self.target is None:
            return None
        return self.ours <= self.target if self.ratio is None else self.ratio >= self.target


@dataclass(frozen=True, slots=True)
class Benchmark:
    """A named function that yields results; ``--quick`` skips the slow ones."""

    name: str
    run: Callable[[], Iterable[Result]]
    slow: bool

    @property
    def module(self) -> str:
        """The name of the module that defines it."""
        return self.run.__module__.rpartition(".")[2]


BENCHMARKS: dict[str, Benchmark] = {}


def benchmark(
    name: str, *, slow: bool = False
) -> Callable[[Callable[[], Iterable[Result]]], Callable[[], Iterable[Result]]]:
    """Register a function under a name; benchmarks run in the order of registration."""

    def register(run: Callable[[], Iterable[Result]]) -> Callable[[], Iterable[Result]]:
        BENCHMARKS[name] = Benchmark(name, run, slow)
        return run

    return register
