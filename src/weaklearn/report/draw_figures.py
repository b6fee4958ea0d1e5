"""Draw the figures of a report with matplotlib, as PNG and SVG files."""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from weaklearn.models.saving import graph_from_content
from weaklearn.theory.plot_axes import COLOURS, GREY, axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDTH, _HEIGHT = 4.6, 3.4  # of a panel, in inches


def figure_files(report: Mapping[str, Any]) -> Iterator[tuple[str, bytes]]:
    """Return the path and content of two files for each figure, ``.png`` and ``.svg``."""
    for paper in report["papers"]:
        for figure in paper["figures"]:
            is_graph = figure["kind"] == "graph"
            drawing = _draw_graph(figure["panels"][0]) if is_graph else _draw_panels(figure)
            try:
                for suffix in ("png", "svg"):
                    yield f"figures/{figure['name']}.{suffix}", _to_bytes(drawing, suffix)
            finally:
                _close(drawing)


def graph_as_svg(panel: Mapping[str, Any]) -> str:
    """Draw a tree or a program as SVG that can be part of a page.

    Parameters
    ----------
    panel : mapping
        A panel of a figure of kind "graph".

    Returns
    -------
    str
        An ``<svg>`` element.
    """
    drawing = _draw_graph(panel)
    try:
        text = _to_bytes(drawing, "svg").decode()
    finally:
        _close(drawing)
    return text[text.index("<svg") :]


def _draw_graph(panel: Mapping[str, Any]) -> Figure:
    return cast("Figure", graph_from_content(panel["graph"]).plot().figure)


def _draw_panels(figure: Mapping[str, Any]) -> Figure:
    from matplotlib.figure import Figure

    panels = figure["panels"]
    n_columns = min(figure["panels_per_row"], len(panels))
    n_rows = -(-len(panels) // n_columns)
    drawing = Figure(figsize=(_WIDTH * n_columns, _HEIGHT * n_rows), layout="constrained")
    grid = drawing.subplots(n_rows, n_columns, squeeze=False)
    for index, ax in enumerate(grid.flat):
        if index < len(panels):
            _draw_panel(panels[index], ax)
        else:
            ax.set_visible(False)
    return drawing


def _draw_panel(panel: Mapping[str, Any], ax: Axes) -> None:
    axes(ax, xlabel=panel["x_label"], ylabel=panel["y_label"], title=panel["title"])
    if panel.get("log_x"):
        ax.set_xscale("log")
        ax.xaxis.set_major_formatter(lambda value, _: f"{value:g}")
    for index, series in enumerate(panel["series"]):
        colour = COLOURS[index % len(COLOURS)]
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
        ax.plot([min(ends), max(ends)], [min(ends), max(ends)], color=GREY, linewidth=0.8)
    if panel.get("cross"):
        ax.axvline(panel["cross"][0], color=GREY, linewidth=0.8)
        ax.axhline(panel["cross"][1], color=GREY, linewidth=0.8)
    if len(panel["series"]) > 1:
        ax.legend(frameon=False, fontsize="small")


def _to_bytes(figure: Figure, suffix: str) -> bytes:
    from matplotlib import rc_context

    file = io.BytesIO()
    # Text stays text. A fixed salt and no date make the files of two equal drawings equal.
    with rc_context({"svg.fonttype": "none", "svg.hashsalt": "weaklearn"}):
        metadata = {"Date": None} if suffix == "svg" else {}
        figure.savefig(file, format=suffix, dpi=110, metadata=metadata, bbox_inches="tight")
    return file.getvalue()


def _close(figure: Figure) -> None:
    from matplotlib import pyplot

    pyplot.close(figure)
