"""A report as files: the page, Markdown, a CSV per table, a PNG and an SVG per figure."""

from __future__ import annotations

from collections.abc import Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from weaklearn.files import write_atomically
from weaklearn.report.draw_figures import draw
from weaklearn.report.html_page import to_html
from weaklearn.report.markdown_and_csv import comparison_to_csv, table_to_csv, to_markdown

NEEDED = 'pip install "weaklearn[report]"'


def check_installed() -> None:
    """Raise an ImportError that says what to type, unless all that a report needs is here."""
    for name in ("jinja2", "matplotlib", "plotly"):
        if find_spec(name) is None:
            raise ImportError(f"a report needs {name}, which is not installed: {NEEDED}")


def write_report(content: Mapping[str, Any], folder: Path) -> Path:
    """Write a report into a folder.

    Parameters
    ----------
    content : mapping
        What `make_content` gives.
    folder : Path
        Made where there is none. It gets ``report.html``, ``report.md``, and in ``tables`` and
        ``figures`` a file for each.

    Returns
    -------
    Path
        The page.
    """
    check_installed()
    for place in (folder, folder / "tables", folder / "figures"):
        place.mkdir(parents=True, exist_ok=True)
    for paper in content["papers"]:
        for table in paper["tables"]:
            _write(folder / "tables" / f"{table['name']}.csv", table_to_csv(table))
        for comparison in paper["comparisons"]:
            _write(folder / "tables" / f"{comparison['name']}.csv", comparison_to_csv(comparison))
        for figure in paper["figures"]:
            for ending, drawn in draw(figure).items():
                write_atomically(folder / "figures" / f"{figure['name']}.{ending}", drawn)
    _write(folder / "report.md", to_markdown(content))
    page = folder / "report.html"
    _write(page, to_html(content))
    return page


def _write(path: Path, text: str) -> None:
    write_atomically(path, text.encode("utf-8"))
