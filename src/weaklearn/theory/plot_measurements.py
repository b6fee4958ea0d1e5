"""Plots of measurements: advantages by round, margins, and errors of two methods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from weaklearn.theory.advantages import Advantages
from weaklearn.theory.plot_axes import COLOURS, GREY, axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Trials = Advantages | Sequence[Advantages]


def plot_advantages(trials: Trials | Mapping[str, Trials], ax: Axes | None = None) -> Axes:
    """Plot the advantage by round, averaged over trials.

    As in Figures 8 to 10 of Dietterich, Kearns and Mansour (1996).

    Parameters
    ----------
    trials : Advantages, list of them, or mapping
        One fit, several fits of one method, or those of several methods by name. The mean is drawn
        for the rounds that at least half of the trials have.
    ax : matplotlib Axes, optional
        Where to draw, and what is returned; by default a new figure.

    Examples
    --------
    >>> plot_advantages({"TopDown": trees, "AdaBoost": committees})  # doctest: +SKIP
    """
    methods = trials if isinstance(trials, Mapping) else {"": trials}
    ax = axes(ax, xlabel="round t", ylabel=r"advantage $\gamma_t$")
    for i, (name, method_trials) in enumerate(methods.items()):
        means = _mean_by_round(_as_list(method_trials))
        rounds = np.arange(1, len(means) + 1)
        marker = "o" if len(means) < 3 else None  # one or two points make no visible line
        ax.plot(rounds, means, color=COLOURS[i % len(COLOURS)], label=name or None, marker=marker)
    ax.axhline(0.0, color=GREY, linewidth=0.8)
    if any(methods):
        ax.legend(frameon=False)
    return ax


def plot_advantage_by_weight(trials: Trials, ax: Axes | None = None) -> Axes:
    """Plot the advantage of every split against the weight of its node.

    As in Figure 11 of Dietterich, Kearns and Mansour (1996).

    Parameters
    ----------
    trials : Advantages or list of them
        One fit or several; the splits of all are drawn together.
    ax : matplotlib Axes, optional
        Where to draw, and what is returned; by default a new figure.

    Examples
    --------
    >>> plot_advantage_by_weight(advantages(tree))  # doctest: +SKIP
    """
    return _scatter(trials, "weight", "share of the rows at the node", ax)


def plot_advantage_by_gain(trials: Trials, ax: Axes | None = None) -> Axes:
    """Plot the advantage of every split against its gain.

    As in Figure 12 of Dietterich, Kearns and Mansour (1996).

    Parameters
    ----------
    trials, ax
        As for `plot_advantage_by_weight`.

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
    """Plot the errors of two methods on the same data sets against each other.

    As in Figure 7 of Dietterich, Kearns and Mansour (1996).

    Parameters
    ----------
    first, second : array of float
        The test errors of each method, one per data set. The first method is better above the
        diagonal.
    names : pair of str
        The names of the methods.
    ax : matplotlib Axes, optional
        Where to draw, and what is returned; by default a new figure.

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
    ax.plot([0, most], [0, most], color=GREY, linewidth=0.8)
    ax.scatter(x, y, s=18, color=COLOURS[0], zorder=2)
    ax.set(xlim=(0, most), ylim=(0, most), aspect="equal")
    return ax


def plot_margins(margins: Mapping[str, Any], model: Any = None, ax: Axes | None = None) -> Axes:
    """Plot the share of rows whose margin is at most theta, for theta from -1 to 1.

    As in Figure 4 of Henry, Nock and Nielsen (2007).

    Parameters
    ----------
    margins : mapping
        An array of margins for each name, as `margins` returns them. If there are several arrays
        for a name, such as the folds of a cross-validation, the mean of their curves is drawn.
    model : array, optional
        The margins of a known model of the data, such as the logistic one, for a bold line.
    ax : matplotlib Axes, optional
        Where to draw, and what is returned; by default a new figure.

    Examples
    --------
    >>> plot_margins({"BoostODT": model.margins(X, y)})  # doctest: +SKIP
    """
    ax = axes(ax, xlabel="margin", ylabel="rows with at most that margin, %", xlim=(-1, 1))
    theta = np.linspace(-1.0, 1.0, 2001)
    if model is not None:
        ax.plot(theta, _margin_curve([model], theta), color="black", linewidth=2.5, label="model")
    for i, (name, values) in enumerate(margins.items()):
        arrays = list(values) if np.ndim(values[0]) else [values]
        curve = _margin_curve(arrays, theta)
        ax.plot(theta, curve, color=COLOURS[i % len(COLOURS)], label=name)
    ax.set_ylim(0, 100)
    ax.legend(frameon=False, loc="upper left")
    return ax


def _as_list(trials: Trials) -> list[Advantages]:
    listed = [trials] if isinstance(trials, Advantages) else list(trials)
    for trial in listed:
        if not isinstance(trial, Advantages):
            raise TypeError(
                f"got {type(trial).__name__}, expected the result of wl.theory.advantages(model), "
                "or a list of such results."
            )
    if not listed:
        raise ValueError("got no trial, expected at least one: wl.theory.advantages(model).")
    return listed


def _mean_by_round(trials: list[Advantages]) -> NDArray[np.float64]:
    """Compute the mean advantage of each round that at least half of the trials have."""
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


def _scatter(trials: Trials, quantity: str, label: str, ax: Axes | None) -> Axes:
    listed = _as_list(trials)
    ax = axes(ax, xlabel=r"advantage $\gamma$", ylabel=label)
    gamma = np.concatenate([trial.gamma for trial in listed])
    values = np.concatenate([getattr(trial, quantity) for trial in listed])
    shown = (values > 0) & ~np.isnan(gamma)
    ax.set_yscale("log")  # most nodes are small, and the few large ones matter most
    ax.scatter(gamma[shown], values[shown], s=8, alpha=0.5, color=COLOURS[0], linewidths=0)
    return ax


def _margin_curve(arrays: Sequence[Any], theta: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the percentage of margins up to each theta, averaged over arrays."""
    curves = []
    for margins in arrays:
        ordered = np.sort(np.asarray(margins, dtype=np.float64))
        if not len(ordered):
            raise ValueError("got an empty array of margins, expected at least one margin.")
        curves.append(100.0 * np.searchsorted(ordered, theta, side="right") / len(ordered))
    return np.asarray(np.mean(curves, axis=0))
