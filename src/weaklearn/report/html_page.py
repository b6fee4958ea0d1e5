"""Write a report as one HTML file that needs no other file."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from weaklearn.report.draw_figures import figures_of, is_drawing, panel_as_svg
from weaklearn.report.format_text import decimal, duration, probability, signed
from weaklearn.theory.plot_axes import COLOURS

PAGE = "report.html"


def html_files(report: Mapping[str, Any]) -> Iterator[tuple[str, bytes]]:
    """Return the path and content of the HTML file."""
    yield PAGE, to_html(report).encode()


def to_html(report: Mapping[str, Any]) -> str:
    """Write a report as one page that includes Plotly.

    Parameters
    ----------
    report : mapping
        As `make_report_data` or `make_comparison_data` returns it. Its ``template`` is the name of
        a file in ``templates``.
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
    for write in (decimal, signed, probability, duration):
        environment.filters[write.__name__] = write

    def source(name: str) -> Markup:
        text, _, _ = loader.get_source(environment, name)
        return Markup(text)

    drawings = {
        figure["name"]: [Markup(panel_as_svg(figure, i)) for i in range(len(figure["panels"]))]
        for figure in figures_of(report)
        if is_drawing(figure)
    }
    return environment.get_template(report["template"]).render(
        **report,
        drawings=drawings,
        plots=Markup(_plots(report)),
        plotly=Markup(get_plotlyjs()),
        style=source("page.css"),
        script=source("page.js"),
    )


def _plots(report: Mapping[str, Any]) -> str:
    """Return all panels as JSON that is safe inside a script element."""
    plots = {
        figure["name"]: figure["panels"] for figure in figures_of(report) if not is_drawing(figure)
    }
    text = json.dumps({"colours": COLOURS, "figures": plots}, allow_nan=False)
    return text.replace("<", "\\u003c")  # a name that contains "</script>" would end the element
