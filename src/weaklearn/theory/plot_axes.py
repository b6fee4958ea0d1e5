"""Axes to draw on, in one style."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Colours that are told apart without seeing red and green, the darkest first.
COLOURS = ("#0b4f8a", "#d1600f", "#2f9e77", "#8d5fb0", "#b8860b", "#555555")
QUIET = "#888888"


def axes(ax: Axes | None, **labels: Any) -> Axes:
    """Give the axes to draw on, or new ones, with their labels and without a frame.

    Parameters
    ----------
    ax : matplotlib Axes, optional
        Where to draw.
    **labels
        What ``ax.set`` takes.

    Raises
    ------
    ImportError
        If matplotlib is not installed.
    """
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError('a plot needs matplotlib: type  pip install "weaklearn[plot]"') from error
    if ax is None:
        _, ax = plt.subplots(figsize=(5.0, 3.6), layout="constrained")
    ax.set(**labels)
    ax.spines[["top", "right"]].set_visible(False)
    return ax
