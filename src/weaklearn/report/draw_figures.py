"""Draw the figures of a report with matplotlib, as PNG and SVG files."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, cast

from weaklearn.experiments.plot_ranks import plot_rank_test
from weaklearn.experiments.rank_tests import RankTest
from weaklearn.models.graph_content import graph_from_content
from weaklearn.theory.plot_axes import COLOURS, GREY, axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

_WIDTH, _HEIGHT = 4.6, 3.4  # of a panel, in inches


def figure_files(report: Mapping[str, Any]) -> Iterator[tuple[str, bytes]]:
    """Return the path and content of two files for each figure, ``.png`` and ``.svg``."""
    for figure in figures_of(report):
        drawing = _draw_drawing(figure, 0) if is_drawing(figure) else _draw_panels(figure)
        try:
            for suffix in ("png", "svg"):
                yield f"figures/{figure['name']}.{suffix}", _to_bytes(drawing, suffix)
        finally:
            _close(drawing)


def figures_of(report: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the figures of a report: of each of its papers, or of a comparison."""
    return [figure for part in report.get("papers", [report]) for figure in part["figures"]]


def is_drawing(figure: Mapping[str, Any]) -> bool:
    """Return whether a figure is drawn by matplotlib also on the page, and not by Plotly."""
    return figure["kind"] in _DRAWINGS


def panel_as_svg(figure: Mapping[str, Any], index: int) -> str:
    """Draw a tree, a program or mean ranks as SVG that can be part of a page.

    Parameters
    ----------
    figure : mapping
        A figure for which `is_drawing` is true.
    index : int
        Which of its panels.

    Returns
    -------
    str
        An ``<svg>`` element.
    """
    drawing = _draw_drawing(figure, index)
    try:
        text = _to_bytes(drawing, "svg").decode()
    finally:
        _close(drawing)
    return text[text.index("<svg") :]


def _draw_drawing(figure: Mapping[str, Any], index: int) -> Figure:
    draw = _DRAWINGS[figure["kind"]]
    return cast("Figure", draw(figure["panels"][index]).figure)


def _draw_graph(panel: Mapping[str, Any]) -> Axes:
    return graph_from_content(panel["graph"]).plot()


def _draw_ranks(panel: Mapping[str, Any]) -> Axes:
    return plot_rank_test(RankTest(**panel["test"]))


#: The kinds of figure that are drawings, and what draws a panel of each.
_DRAWINGS: dict[str, Callable[[Mapping[str, Any]], Axes]] = {
    "graph": _draw_graph,
    "ranks": _draw_ranks,
}


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
        # Ticks between powers of ten have labels if there is hardly any other tick.
        ax.xaxis.set_minor_formatter(
            lambda value, _: f"{value:g}" if ax.get_xlim()[1] < 10 * ax.get_xlim()[0] else ""
        )
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
        if panel.get("names_points"):
            for x, y, name in zip(series["x"], series["y"], series["labels"], strict=True):
                ax.annotate(
                    *(name, (x, y)), xytext=(4, 3), textcoords="offset points", fontsize="small"
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
