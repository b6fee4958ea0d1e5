"""The progress of a fit of many rounds: the user's callback, and a bar in the terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from weaklearn.optional_packages import require_package


@dataclass(frozen=True, slots=True)
class Progress:
    """The state of a fit after a round.

    Parameters
    ----------
    done, planned : int
        The number of rounds, or members, that are finished and that were asked for.
    error : float or None
        The weighted training error of the last member, if the algorithm computes it.
    seconds : float
        Time since the first round began.
    """

    done: int
    planned: int
    error: float | None
    seconds: float

    @property
    def seconds_left(self) -> float:
        """The time that the remaining rounds take at the speed so far."""
        return self.seconds / self.done * (self.planned - self.done)


#: Called after every round; the fit stops if it returns True.
Callback = Callable[[Progress], bool | None]


@contextmanager
def progress_bar(verbose: int, callback: Callback | None, unit: str) -> Iterator[Callback | None]:
    """Show a bar on stderr while a fit runs, if `verbose`.

    Parameters
    ----------
    verbose : int
        0 shows nothing.
    callback : callable or None
        The user's callback, which is called too.
    unit : str
        The word before the bar: "rounds" or "members".

    Yields
    ------
    callable or None
        The callback to call after every round.
    """
    if not verbose:
        yield callback
        return
    require_package("rich", "cli", "verbose=1")
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn(unit),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[error]}"),
        TimeRemainingColumn(),
    )
    with Bar(*columns, console=Console(stderr=True)) as bar:
        task = bar.add_task("", total=None, error="")

        def show(progress: Progress) -> bool | None:
            error = "" if progress.error is None else f"error {progress.error:.4f}"
            bar.update(task, completed=progress.done, total=progress.planned, error=error)
            return callback(progress) if callback is not None else None

        yield show
