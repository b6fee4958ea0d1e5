"""Plots of pruned committees: error by size, and kappa against error of pairs of members."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from weaklearn.pruning.registry import METHODS
from weaklearn.pruning.sample_with_votes import sample_of
from weaklearn.pruning.size_curves import Curve
from weaklearn.theory.plot_axes import COLOURS, GREY, axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def plot_pruning(curve: Curve, ax: Axes | None = None) -> Axes:
    """Plot the error against the size of the committee, a line per method.

    Parameters
    ----------
    curve : Curve
        The result of `curve`.
    ax : matplotlib Axes, optional
        Where to draw, and what is returned; by default a new figure.

    Examples
    --------
    >>> plot_pruning(curve)  # doctest: +SKIP
    """
    ax = axes(ax, xlabel="members kept", ylabel="error %", xscale="log")
    ax.axhline(100 * curve.full_error, color=GREY, linewidth=0.8, linestyle=":")
    for name, errors in curve.errors.items():
        method = METHODS[name]
        ax.plot(
            curve.sizes,
            100 * errors,
            color=COLOURS[method.colour % len(COLOURS)],
            linestyle="--" if method.dashed else "-",
            label=method.label,
        )
    ax.annotate(
        f"all {curve.n_members}",
        (curve.sizes[0], 100 * curve.full_error),
        xytext=(0, 2),
        textcoords="offset points",
        va="bottom",
        color=GREY,
        fontsize="small",
    )
    ax.xaxis.set_major_formatter(lambda size, _: f"{size:g}")
    ax.legend(frameon=False, fontsize="small")
    return ax


def plot_kappa_error(
    committee: Any, X: Any, y: Any, ax: Axes | None = None, sample_weight: Any = None
) -> Axes:
    """Plot each pair of members by its kappa and its mean error (Margineantu and Dietterich 1997).

    Pairs at the lower left are the best for a committee: both members have few errors, and they
    seldom err on the same rows.

    Parameters
    ----------
    committee : classifier
        A fitted committee. A pruned committee shows the remaining pairs.
    X : frame
        Rows to compare members on.
    y : Series, array or list
        Their classes.
    ax : matplotlib Axes, optional
        Where to draw, and what is returned; by default a new figure. A pruned committee drawn on
        the axes of the full committee shows which pairs remain.
    sample_weight : array, optional
        A weight per row.

    Examples
    --------
    >>> plot_kappa_error(model, X, y)  # doctest: +SKIP
    """
    sample = sample_of(committee, X, y, sample_weight)
    if sample.n_members < 2:
        raise ValueError("got a committee of one member, expected at least two for a pair.")
    first, second = np.triu_indices(sample.n_members, 1)
    kappas = sample.kappas[first, second]
    errors = sample.member_errors()
    ax = axes(ax, xlabel="kappa of two members", ylabel="their mean error %")
    colour = COLOURS[len(ax.collections) % len(COLOURS)]
    ax.scatter(
        kappas,
        50 * (errors[first] + errors[second]),
        s=9,
        color=colour,
        alpha=max(0.15, min(1.0, 60 / len(kappas))),
        linewidths=0,
        label=f"{sample.n_members} members",
    )
    for mark in ax.legend(frameon=False, fontsize="small").legend_handles:
        if mark is not None:
            mark.set_alpha(1.0)
    return ax
