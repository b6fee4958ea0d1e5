"""Watching a fit of many rounds: a bar in the terminal, and the user's own callback."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from weaklearn.boosting.progress import Callback, Progress


@contextmanager
def watched(verbose: int, callback: Callback | None, what: str) -> Iterator[Callback | None]:
    """Give the callback for a fit: the user's, with a bar on stderr besides if `verbose`."""
    if not verbose:
        yield callback
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bar

    columns = (
        TextColumn(what),
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
