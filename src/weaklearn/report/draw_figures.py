"""Figures drawn with matplotlib, as files of their own."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from weaklearn.models.saving import graph_from_content
from weaklearn.theory.plot_axes import COLOURS, QUIET, axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDTH, _HEIGHT = 4.6, 3.4  # inches of a panel
_COLUMNS = 3


def draw(figure: Mapping[str, Any]) -> dict[str, bytes]:
    """Draw a figure.

    Parameters
    ----------
    figure : mapping
        What `make_figure` gives.

    Returns
    -------
    dict
        The content of a file per ending: ``png`` and ``svg``.
    """
    is_graph = figure["kind"] == "graph"
    drawn = _draw_graph(figure["panels"][0]) if is_graph else _draw_panels(figure)
    try:
        return {ending: _saved(drawn, ending) for ending in ("png", "svg")}
    finally:
        _close(drawn)


def graph_as_svg(panel: Mapping[str, Any]) -> str:
    """Draw a tree or a program as SVG to stand in a page.

    Parameters
    ----------
    panel : mapping
        A panel of a figure of kind "graph".

    Returns
    -------
    str
        An ``<svg>`` element.
    """
    drawn = _draw_graph(panel)
    try:
        text = _saved(drawn, "svg").decode()
    finally:
        _close(drawn)
    return text[text.index("<svg") :]


def _draw_graph(panel: Mapping[str, Any]) -> Figure:
    return cast("Figure", graph_from_content(panel["graph"]).plot().figure)


def _draw_panels(figure: Mapping[str, Any]) -> Figure:
    from matplotlib.figure import Figure

    panels = figure["panels"]
    n_columns = min(_COLUMNS, len(panels))
    if figure["kind"] in ("pruning", "splits"):  # two panels per problem, side by side
        n_columns = 2
    n_rows = -(-len(panels) // n_columns)
    drawn = Figure(figsize=(_WIDTH * n_columns, _HEIGHT * n_rows), layout="constrained")
    grid = drawn.subplots(n_rows, n_columns, squeeze=False)
    for number, ax in enumerate(grid.flat):
        if number < len(panels):
            _draw_panel(panels[number], ax)
        else:
            ax.set_visible(False)
    return drawn


def _draw_panel(panel: Mapping[str, Any], ax: Axes) -> None:
    axes(ax, xlabel=panel["x_label"], ylabel=panel["y_label"], title=panel["title"])
    if panel.get("log_x"):
        ax.set_xscale("log")
        ax.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    for number, series in enumerate(panel["series"]):
        colour = COLOURS[number % len(COLOURS)]
        if series["line"]:
            ax.plot(series["x"], series["y"], color=colour, label=series["name"], linewidth=1.4)
        else:
            size = 18 if len(series["x"]) < 200 else 3
            ax.scatter(
                *(series["x"], series["y"]),
                **{"s": size, "color": colour, "label": series["name"], "linewidths": 0},
                alpha=0.8,
            )
    if panel.get("diagonal"):
        ends = [
            value for series in panel["series"] for name in ("x", "y") for value in series[name]
        ]
        ax.plot([min(ends), max(ends)], [min(ends), max(ends)], color=QUIET, linewidth=0.8)
    if panel.get("cross"):
        ax.axvline(panel["cross"][0], color=QUIET, linewidth=0.8)
        ax.axhline(panel["cross"][1], color=QUIET, linewidth=0.8)
    if len(panel["series"]) > 1:
        ax.legend(frameon=False, fontsize="small")


def _saved(figure: Figure, ending: str) -> bytes:
    from matplotlib import rc_context

    file = io.BytesIO()
    # Text stays text, and neither date nor chance makes two drawings differ.
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "weaklearn"}):
        metadata = {"Date": None} if ending == "svg" else {}
        figure.savefig(file, format=ending, dpi=110, metadata=metadata, bbox_inches="tight")
    return file.getvalue()


def _close(figure: Figure) -> None:
    from matplotlib import pyplot

    pyplot.close(figure)
