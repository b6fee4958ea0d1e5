"""What a fit of many rounds tells whoever watches it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Progress:
    """How far a fit is.

    Parameters
    ----------
    done, planned : int
        Rounds, or members, finished and asked for.
    error : float or None
        The error of the last one on what it was to learn.
    seconds : float
        Time since the first one began.
    """

    done: int
    planned: int
    error: float | None
    seconds: float

    @property
    def seconds_left(self) -> float:
        """What is left to do at the speed so far."""
        return self.seconds / self.done * (self.planned - self.done)


#: Called after every round; the fit stops where it answers True.
Callback = Callable[[Progress], bool | None]
