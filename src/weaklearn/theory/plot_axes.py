"""Matplotlib axes in the style of all plots of this library."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.axes import Axes

#: Colours that red-green colour-blind readers can tell apart, the darkest first.
COLOURS = ("#0b4f8a", "#d1600f", "#2f9e77", "#8d5fb0", "#b8860b", "#555555")
#: The colour of reference lines and remarks.
GREY = "#888888"


def axes(ax: Axes | None, **labels: Any) -> Axes:
    """Return the given axes or new ones, with labels, and with no frame at the top and right.

    Parameters
    ----------
    ax : matplotlib Axes, optional
        Where to draw.
    **labels
        Arguments for ``ax.set``.

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
