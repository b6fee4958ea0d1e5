"""Draw a critical-difference diagram with matplotlib."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from weaklearn.experiments.rank_tests import RankTest
from weaklearn.theory.plot_axes import COLOURS, GREY, axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_LINE = 0.26  # inches between two names


def plot_rank_test(test: RankTest, ax: Axes | None = None) -> Axes:
    """Draw the mean ranks on a line, best at the left, and bars over models that do not differ.

    Parameters
    ----------
    test : RankTest
        The mean ranks and the critical difference.
    ax : matplotlib Axes, optional
        Where to draw.

    Returns
    -------
    matplotlib Axes
        Where it was drawn.
    """
    n_models = len(test.models)
    n_left = (n_models + 1) // 2
    below_groups = 0.6 + 0.5 * len(test.groups)
    top, bottom = -2.0, below_groups + n_left  # in lines; 0 is the line of ranks
    if ax is None:
        import matplotlib.pyplot as plt

        height = _LINE * (bottom - top) + 0.1
        _, ax = plt.subplots(figsize=(7.5, height), layout="constrained")
    axes(ax)
    ax.set_axis_off()
    low = 1.0
    high = float(max(math.ceil(max(test.mean_ranks)), math.ceil(low + test.critical_difference), 2))
    margin = 0.42 * (high - low)
    ax.set_xlim(low - margin, high + margin)
    ax.set_ylim(bottom, top)

    ax.plot([low, high], [0, 0], color="black", linewidth=1.0)
    step = 1 if high - low <= 12 else 2
    for tick in range(int(low), int(high) + 1, step):
        ax.plot([tick, tick], [0, -0.2], color="black", linewidth=1.0)
        ax.text(tick, -0.3, str(tick), ha="center", va="bottom", fontsize="small")
    ends = [low, low + test.critical_difference]
    ax.plot(ends, [-1.5, -1.5], color=GREY, linewidth=1.5, marker="|", markersize=7)
    text = f"critical difference {test.critical_difference:.2f}"
    ax.text(ends[1] + 0.02 * (high - low), -1.5, text, va="center", fontsize="small", color=GREY)

    rank_of = dict(zip(test.models, test.mean_ranks, strict=True))
    for index, group in enumerate(test.groups):
        y = 0.45 + 0.5 * index
        reach = 0.01 * (high - low)
        ax.plot(
            [rank_of[group[0]] - reach, rank_of[group[-1]] + reach],
            [y, y],
            color=COLOURS[0],
            linewidth=3.5,
            solid_capstyle="butt",
        )
    for index, (model, rank) in enumerate(rank_of.items()):
        is_left = index < n_left
        line = index if is_left else n_models - 1 - index
        y = below_groups + 0.5 + line
        edge = low - 0.04 * (high - low) if is_left else high + 0.04 * (high - low)
        ax.plot([rank, rank, edge], [0, y, y], color="black", linewidth=0.7)
        label = f"{model}  {rank:.2f}" if is_left else f"{rank:.2f}  {model}"
        shift = -0.01 * (high - low) if is_left else 0.01 * (high - low)
        ax.text(edge + shift, y, label, ha="right" if is_left else "left", va="center")
    return ax
