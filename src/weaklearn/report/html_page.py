"""A report as one HTML file that needs nothing else."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from weaklearn.report.draw_figures import graph_as_svg
from weaklearn.report.markdown_and_csv import chance, written
from weaklearn.theory.plot_axes import COLOURS


def to_html(content: Mapping[str, Any]) -> str:
    """Write a report as one self-contained page, with Plotly inside.

    Parameters
    ----------
    content : mapping
        What `make_content` gives.

    Returns
    -------
    str
        HTML.
    """
    from jinja2 import Environment, PackageLoader, StrictUndefined
    from markupsafe import Markup
    from plotly.offline import get_plotlyjs

    loader = PackageLoader("weaklearn.report")
    environment = Environment(
        loader=loader,
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {"written": written, "chance": chance}
    environment.filters |= {"signed": _signed, "duration": duration}

    def source(name: str) -> Markup:
        text, _, _ = loader.get_source(environment, name)
        return Markup(text)

    drawings = {
        figure["name"]: [Markup(graph_as_svg(panel)) for panel in figure["panels"]]
        for paper in content["papers"]
        for figure in paper["figures"]
        if figure["kind"] == "graph"
    }
    return environment.get_template("page.html").render(
        **content,
        drawings=drawings,
        plots=Markup(_plots(content)),
        plotly=Markup(get_plotlyjs()),
        style=source("page.css"),
        script=source("page.js"),
    )


def _plots(content: Mapping[str, Any]) -> str:
    """Give all panels as JSON that may stand in a script element."""
    plots = {
        figure["name"]: figure["panels"]
        for paper in content["papers"]
        for figure in paper["figures"]
        if figure["kind"] != "graph"
    }
    text = json.dumps({"colours": COLOURS, "figures": plots}, allow_nan=False)
    return text.replace("<", "\\u003c")  # or a name could end the element


def _signed(value: float, digits: int) -> str:
    rounded = round(value, digits) + 0.0  # no minus before a zero
    return f"{rounded:+.{digits}f}".replace("-", "−")


def duration(seconds: float) -> str:
    """Say a time as people do.

    Examples
    --------
    >>> duration(8), duration(100), duration(4000), duration(30000)
    ('8 s', '2 min', '1.1 h', '8.3 h')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 3600 else f"{seconds / 3600:.1f} h"
