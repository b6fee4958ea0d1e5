"""Write a report in every format: HTML, Markdown, CSV tables, PNG and SVG figures."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from weaklearn.files import write_atomically
from weaklearn.report.csv_files import csv_files
from weaklearn.report.draw_figures import figure_files
from weaklearn.report.html_page import PAGE, html_files
from weaklearn.report.markdown_file import markdown_files

#: The output formats. Each takes the report's data and returns the path and content of its files.
FORMATS: tuple[Callable[[Mapping[str, Any]], Iterable[tuple[str, bytes]]], ...] = (
    csv_files,
    figure_files,
    markdown_files,
    html_files,
)


def check_installed() -> None:
    """Raise an ImportError that says what to install if a package that a report needs is absent."""
    for name in ("jinja2", "matplotlib", "plotly"):
        if find_spec(name) is None:
            raise ImportError(
                f'a report needs {name}, which is not installed: pip install "weaklearn[report]"'
            )


def write_report(report: Mapping[str, Any], folder: Path) -> Path:
    """Write the files of a report into a folder.

    Parameters
    ----------
    report : mapping
        As `make_report_data` returns it.
    folder : Path
        It is created if it does not exist. It gets ``report.html``, ``report.md``, and in
        ``tables`` and ``figures`` one file for each table and figure.

    Returns
    -------
    Path
        The HTML page.
    """
    check_installed()
    for write_format in FORMATS:
        for name, content in write_format(report):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, content)
    return folder / PAGE
