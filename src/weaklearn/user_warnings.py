"""Warn users at the line of their own code."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep
_muted = ContextVar("weaklearn_warnings_muted", default=False)


@contextmanager
def muted_warnings() -> Iterator[None]:
    """Leave out the warnings of `warn_user` within a with statement, in this thread.

    A fit that fits many models itself warns of its own result, not of each of these models.
    """
    token = _muted.set(True)
    try:
        yield
    finally:
        _muted.reset(token)


def warnings_are_muted() -> bool:
    """Return whether `warn_user` does nothing, so that looking for its reasons can be left out."""
    return _muted.get()


def warn_user(message: str, category: type[Warning] = UserWarning) -> None:
    """Issue a warning that points to the line which called this package.

    Every warning for users goes through this function. The number of calls between that line and
    the warning differs from one entry point to another, so a fixed stack level would point into
    the package.

    Parameters
    ----------
    message : str
        What was got, what was expected and what to do.
    category : type of Warning
        The class of the warning.

    Examples
    --------
    >>> with warnings.catch_warnings(record=True) as caught:
    ...     warn_user("column 'a' is constant; drop it.")
    >>> str(caught[0].message)
    "column 'a' is constant; drop it."
    """
    if _muted.get():
        return
    level = 1
    frame = sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
        level += 1
    warnings.warn(message, category, stacklevel=level)
