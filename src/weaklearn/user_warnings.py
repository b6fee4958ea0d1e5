"""Warn users at the line of their own code."""

from __future__ import annotations

import os
import sys
import warnings

_PACKAGE = os.path.dirname(os.path.abspath(__file__)) + os.sep


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
    level = 1
    frame = sys._getframe()
    while frame.f_back is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
        level += 1
    warnings.warn(message, category, stacklevel=level)
