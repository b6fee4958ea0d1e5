"""Delay Ctrl-C while a member is added to a committee."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


@contextmanager
def interrupt_waits() -> Iterator[None]:
    """Return a context at whose end an interrupt (SIGINT) takes effect that arrived inside it.

    An interrupted fit keeps its finished members. What a loop stores of a member, its vote and its
    out-of-bag votes must then be all there, or nothing of it. Other threads than the main thread
    are never interrupted.

    Examples
    --------
    >>> with interrupt_waits():
    ...     members = ["first"]
    """
    handler = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(handler):
        yield
        return
    arrived: list[tuple[int, FrameType | None]] = []
    signal.signal(signal.SIGINT, lambda number, frame: arrived.append((number, frame)))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
    if arrived:
        handler(*arrived[0])
