"""Pictures of measurements: advantage sequences, and the errors of two methods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weaklearn.theory.advantages import Advantages
from weaklearn.theory.plot_axes import COLOURS, QUIET, axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Trials = Advantages | Sequence[Advantages]


def plot_advantages(trials: Trials | Mapping[str, Trials], ax: Axes | None = None) -> Axes:
    """Draw the advantage by round, averaged over trials; Figures 8 to 10 of Dietterich et al.

    Parameters
    ----------
    trials : Advantages, list of them, or mapping
        One fit, several fits of one method, or those of several methods by name. A mean is drawn as
        far as at least half of the trials go.
    ax : matplotlib Axes, optional
        Where to draw; by default a new figure.

    Returns
    -------
    matplotlib Axes
        The axes drawn on.

    Examples
    --------
    >>> plot_advantages({"TopDown": trees, "AdaBoost": committees})  # doctest: +SKIP
    """
    methods = trials if isinstance(trials, Mapping) else {"": trials}
    ax = axes(ax, xlabel="round t", ylabel=r"advantage $\gamma_t$")
    for i, (name, of_method) in enumerate(methods.items()):
        means = _mean_by_round(_listed(of_method))
        number = np.arange(1, len(means) + 1)
        marker = "o" if len(means) < 3 else None  # a line needs more
        ax.plot(number, means, color=COLOURS[i % len(COLOURS)], label=name or None, marker=marker)
    ax.axhline(0.0, color=QUIET, linewidth=0.8)
    if any(methods):
        ax.legend(frameon=False)
    return ax


def plot_advantage_by_weight(trials: Trials, ax: Axes | None = None) -> Axes:
    """Draw the advantage of every split against the weight of its node; Figure 11.

    Parameters
    ----------
    trials : Advantages or list of them
        One fit, or several, whose splits are drawn together.
    ax : matplotlib Axes, optional
        Where to draw; by default a new figure.

    Returns
    -------
    matplotlib Axes
        The axes drawn on.

    Examples
    --------
    >>> plot_advantage_by_weight(advantages(tree))  # doctest: +SKIP
    """
    return _scatter(trials, "weight", "share of the rows at the node", ax)


def plot_advantage_by_gain(trials: Trials, ax: Axes | None = None) -> Axes:
    """Draw the advantage of every split against its gain; Figure 12.

    Parameters
    ----------
    trials : Advantages or list of them
        One fit, or several, whose splits are drawn together.
    ax : matplotlib Axes, optional
        Where to draw; by default a new figure.

    Returns
    -------
    matplotlib Axes
        The axes drawn on.

    Examples
    --------
    >>> plot_advantage_by_gain(advantages(tree))  # doctest: +SKIP
    """
    return _scatter(trials, "gain", "gain", ax)


def plot_errors(
    first: ArrayLike,
    second: ArrayLike,
    names: tuple[str, str] = ("first", "second"),
    ax: Axes | None = None,
) -> Axes:
    """Draw the errors of two methods on the same data sets against each other; Figure 7.

    Parameters
    ----------
    first, second : array of float
        The test errors of each method, one per data set. Above the diagonal the first is better.
    names : pair of str
        What the methods are called.
    ax : matplotlib Axes, optional
        Where to draw; by default a new figure.

    Returns
    -------
    matplotlib Axes
        The axes drawn on.

    Examples
    --------
    >>> plot_errors([0.1, 0.2], [0.12, 0.18], ("AdaBoost", "C4.5"))  # doctest: +SKIP
    """
    x, y = np.asarray(first, dtype=np.float64), np.asarray(second, dtype=np.float64)
    if x.ndim != 1 or x.shape != y.shape or len(x) == 0:
        raise ValueError(
            f"got errors of shapes {x.shape} and {y.shape}, expected one of each per data set."
        )
    ax = axes(ax, xlabel=f"error of {names[0]}", ylabel=f"error of {names[1]}")
    most = 1.08 * max(float(x.max()), float(y.max()), 1e-12)
    ax.plot([0, most], [0, most], color=QUIET, linewidth=0.8)
    ax.scatter(x, y, s=18, color=COLOURS[0], zorder=2)
    ax.set(xlim=(0, most), ylim=(0, most), aspect="equal")
    return ax


def _listed(trials: Trials) -> list[Advantages]:
    listed = [trials] if isinstance(trials, Advantages) else list(trials)
    for trial in listed:
        if not isinstance(trial, Advantages):
            raise TypeError(
                f"got {type(trial).__name__}, expected what wl.theory.advantages(model) gives, or "
                "a list of that."
            )
    if not listed:
        raise ValueError("got no trial, expected at least one: wl.theory.advantages(model).")
    return listed


def _mean_by_round(trials: list[Advantages]) -> NDArray[np.float64]:
    """Give the mean advantage of each round that at least half of the trials have."""
    longest = max(map(len, trials))
    table = np.full((len(trials), longest), np.nan)
    for row, trial in zip(table, trials, strict=True):
        row[: len(trial)] = trial.gamma
    lengths = np.array([len(trial) for trial in trials])
    running = np.count_nonzero(lengths[:, None] > np.arange(longest), axis=0)
    known = np.count_nonzero(~np.isnan(table), axis=0)
    means = np.full(longest, np.nan)
    np.divide(np.nansum(table, axis=0), known, out=means, where=known > 0)
    return np.asarray(means[2 * running >= len(trials)])


def _scatter(trials: Trials, what: str, label: str, ax: Axes | None) -> Axes:
    listed = _listed(trials)
    ax = axes(ax, xlabel=r"advantage $\gamma$", ylabel=label)
    gamma = np.concatenate([trial.gamma for trial in listed])
    values = np.concatenate([getattr(trial, what) for trial in listed])
    shown = (values > 0) & ~np.isnan(gamma)
    ax.set_yscale("log")  # most nodes are small, and the large ones tell most
    ax.scatter(gamma[shown], values[shown], s=8, alpha=0.5, color=COLOURS[0], linewidths=0)
    return ax
