"""Margin distributions in the form of Figure 4 of Henry, Nock and Nielsen."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.theory.plot_axes import COLOURS, axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_margins(margins: Mapping[str, Any], model: Any = None, ax: Axes | None = None) -> Axes:
    """Draw the share of rows whose margin is at most theta, for theta from -1 to 1.

    Parameters
    ----------
    margins : mapping
        Per name an array of margins, as `margins` gives them; or several, of which the mean of
        the curves is drawn, as over the folds of a cross-validation.
    model : array, optional
        The margins of a known model of the data, such as the logistic one, drawn bold.
    ax : matplotlib Axes, optional
        Where to draw; by default a new figure.

    Returns
    -------
    matplotlib Axes
        The axes drawn on.

    Examples
    --------
    >>> plot_margins({"BoostODT": model.margins(X, y)})  # doctest: +SKIP
    """
    ax = axes(ax, xlabel="margin", ylabel="rows with at most that margin, %", xlim=(-1, 1))
    theta = np.linspace(-1.0, 1.0, 2001)
    if model is not None:
        ax.plot(theta, _curve([model], theta), color="black", linewidth=2.5, label="model")
    for number, (name, found) in enumerate(margins.items()):
        several = list(found) if np.ndim(found[0]) else [found]
        colour = COLOURS[number % len(COLOURS)]
        ax.plot(theta, _curve(several, theta), color=colour, label=name)
    ax.set_ylim(0, 100)
    ax.legend(frameon=False, loc="upper left")
    return ax


def _curve(several: Sequence[Any], theta: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the mean over arrays of margins of the percentage up to each theta."""
    curves = []
    for found in several:
        ordered = np.sort(np.asarray(found, dtype=np.float64))
        if not len(ordered):
            raise ValueError("an array of margins is empty")
        curves.append(100.0 * np.searchsorted(ordered, theta, side="right") / len(ordered))
    return np.asarray(np.mean(curves, axis=0))
