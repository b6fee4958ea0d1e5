"""Plots of functions: criteria, the gain of a split, bounds."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from weaklearn.models.impurity import Impurity, entropy, gini, impurity_of, km
from weaklearn.theory.bounds import ALGORITHMS, TrainingBound, rounds_needed
from weaklearn.theory.plot_axes import COLOURS, GREY, axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_criteria(
    criteria: Sequence[str | Impurity] = (km, entropy, gini),
    largest_q: float = 1.0,
    ax: Axes | None = None,
) -> Axes:
    """Plot impurity functions of two classes.

    As in Figures 5 and 6 of Dietterich, Kearns and Mansour (1996).

    Parameters
    ----------
    criteria : sequence of str or Impurity
        The functions, or their names.
    largest_q : float
        The largest share of one class. A small one shows how steeply the functions rise.
    ax : matplotlib Axes, optional
        Where to draw, and what is returned; by default a new figure.

    Examples
    --------
    >>> plot_criteria(["km", "entropy"], largest_q=0.1)  # doctest: +SKIP
    """
    if not 0.0 < largest_q <= 1.0:
        raise ValueError(f"got largest_q={largest_q!r}, expected a share above 0 and up to 1.")
    ax = axes(ax, xlabel="share q of one class", ylabel="impurity", xlim=(0, largest_q))
    # The grid is uniform in the square root of q, because the curves are steepest near 0.
    q = np.linspace(0.0, np.sqrt(largest_q), 801) ** 2
    for criterion, colour in zip(criteria, _colours(len(criteria)), strict=True):
        impurity = impurity_of(criterion)
        ax.plot(q, impurity(q), color=colour, label=impurity.name)
    ax.set_ylim(bottom=0)
    ax.legend(frameon=False)
    return ax


def plot_gain(
    criterion: str | Impurity, p: float, r: float, tau: float, ax: Axes | None = None
) -> Axes:
    """Plot the gain of a split: the drop from the curve to the chord between the children.

    As in Figures 3 and 4 of Dietterich, Kearns and Mansour (1996).

    Parameters
    ----------
    criterion : str or Impurity
        The impurity function.
    p, r : float
        The share of one class at each child.
    tau : float
        The share of the node's weight that goes to the child with share r.
    ax : matplotlib Axes, optional
        Where to draw, and what is returned; by default a new figure.

    Examples
    --------
    >>> plot_gain("entropy", p=0.1, r=0.7, tau=0.5)  # doctest: +SKIP
    """
    for name, share in (("p", p), ("r", r), ("tau", tau)):
        if not 0.0 <= share <= 1.0:
            raise ValueError(f"got {name}={share!r}, expected a share from 0 to 1.")
    impurity = impurity_of(criterion)
    ax = axes(ax, xlabel="share of one class", ylabel=f"impurity: {impurity.name}", xlim=(0, 1))
    grid = np.linspace(0.0, 1.0, 801)
    ax.plot(grid, impurity(grid), color=COLOURS[0])
    q = (1.0 - tau) * p + tau * r
    at_p, at_q, at_r = impurity(p), impurity(q), impurity(r)
    chord = (1.0 - tau) * at_p + tau * at_r
    ax.plot([p, r], [at_p, at_r], color=GREY)
    ax.vlines([p, r], 0, [at_p, at_r], color=GREY, linestyle=":")
    ax.vlines(q, 0, chord, color=GREY, linestyle=":")
    ax.plot([q, q], [chord, at_q], color=COLOURS[1], linewidth=2.5)
    ax.set_title(f"gain {max(at_q - chord, 0.0):.3f}", color=COLOURS[1], fontsize="medium")
    marks = {p: "p", q: "q", r: "r"}
    ax.set_xticks([0, *marks, 1], ["0", *marks.values(), "1"])
    ax.set_ylim(0, 1.05)
    return ax


def plot_training_bound(bound: TrainingBound, ax: Axes | None = None) -> Axes:
    """Plot both forms of a bound by round; `TrainingBound.plot` calls this."""
    ax = axes(ax, xlabel="round", ylabel="bound on the training error", yscale="log")
    rounds = np.arange(1, len(bound.product) + 1)
    ax.plot(rounds, bound.exponential, color=COLOURS[1], label=r"$\exp(-2\,\Sigma\,\gamma^2)$")
    product = np.where(bound.product > 0, bound.product, np.nan)  # 0 has no logarithm
    ax.plot(rounds, product, color=COLOURS[0], label=r"$\Pi\,2\sqrt{\epsilon\,(1-\epsilon)}$")
    ax.legend(frameon=False)
    return ax


def plot_rounds_needed(gamma: float, least_error: float = 0.01, ax: Axes | None = None) -> Axes:
    """Plot the rounds that the theorems require for an error, for AdaBoost and TopDown.

    Parameters
    ----------
    gamma : float
        The advantage of every round.
    least_error : float
        The smallest error on the axis, below 1/2.
    ax : matplotlib Axes, optional
        Where to draw, and what is returned; by default a new figure.

    Examples
    --------
    >>> plot_rounds_needed(0.2)  # doctest: +SKIP
    """
    if not 0.0 < least_error < 0.5:
        raise ValueError(f"got least_error={least_error!r}, expected a number between 0 and 1/2.")
    ax = axes(
        ax,
        xlabel="target training error",
        ylabel="rounds proven to suffice",
        xscale="log",
        title=f"advantage {gamma:g} in every round",
    )
    errors = np.geomspace(least_error, 0.5, 200)
    for algorithm, colour in zip(ALGORITHMS, _colours(len(ALGORITHMS)), strict=True):
        powers = [rounds_needed(gamma, error, algorithm).log10 for error in errors.tolist()]
        name = "AdaBoost" if algorithm == "adaboost" else f"TopDown, {algorithm}"
        ax.plot(errors, powers, color=colour, label=name)
    # The limit leaves most of the curve for gini out, so that the others can be told apart.
    ax.set_ylim(0, 1.2 * rounds_needed(gamma, least_error, "entropy").log10)
    ax.yaxis.set_major_formatter(lambda power, _: f"$10^{{{power:g}}}$")
    ax.legend(frameon=False, fontsize="small", loc="upper right", handlelength=1.0)
    return ax


def _colours(count: int) -> list[str]:
    return [COLOURS[i % len(COLOURS)] for i in range(count)]
