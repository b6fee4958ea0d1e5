"""Show how far the work units of a command are."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from weaklearn.cli.output import print_note

if TYPE_CHECKING:
    from weaklearn.experiments import Progress

# Between two lines of progress, if stderr is not a terminal.
_SECONDS_BETWEEN_LINES = 15.0


@contextmanager
def show_progress(total: int) -> Iterator[Callable[[Progress], None]]:
    """Show the progress and the remaining time on stderr."""
    from rich import progress as bars
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        last = time.monotonic()

        def print_progress(now: Progress) -> None:
            nonlocal last
            if time.monotonic() - last > _SECONDS_BETWEEN_LINES:
                last = time.monotonic()
                print_note(f"{now.n_done:,} of {now.n_units:,} units{_remaining_time(now)}")

        yield print_progress
        return
    remaining = bars.TextColumn("{task.fields[remaining]}")
    columns = (bars.BarColumn(), bars.MofNCompleteColumn(), remaining)
    with bars.Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=total, remaining="")
        yield lambda now: bar.update(
            task, completed=now.n_done, remaining=_remaining_time(now).lstrip(", ")
        )


def _remaining_time(now: Progress) -> str:
    from weaklearn.report.format_text import duration

    if now.seconds_remaining is None:
        return ""
    return f", {duration(now.seconds_remaining)} remaining"
