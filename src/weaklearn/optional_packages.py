"""Packages that only some parts of the library need."""

from __future__ import annotations

from importlib.util import find_spec


def require_package(package: str, extra: str, purpose: str) -> None:
    """Raise an ImportError with the line to type if a package is not installed.

    Parameters
    ----------
    package : str
        The package.
    extra : str
        The extra of weaklearn that installs it.
    purpose : str
        What needs it, for the message.
    """
    if find_spec(package) is None:
        raise ImportError(
            f"{purpose} needs {package}, which is not installed: type  "
            f'pip install "weaklearn[{extra}]"'
        )
