"""Write a report in every format: HTML, Markdown, CSV tables, PNG and SVG figures."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from weaklearn.files import write_atomically
from weaklearn.report.csv_files import csv_files, record_files
from weaklearn.report.draw_figures import figure_files
from weaklearn.report.html_page import PAGE, html_files
from weaklearn.report.markdown_file import comparison_markdown_files, markdown_files

#: A format takes the report's data and returns the path and content of its files.
Format = Callable[[Mapping[str, Any]], Iterable[tuple[str, bytes]]]

FORMATS: tuple[Format, ...] = (csv_files, figure_files, markdown_files, html_files)


def _json_file(report: Mapping[str, Any]) -> Iterable[tuple[str, bytes]]:
    text = json.dumps(report["document"], indent=1, ensure_ascii=False, allow_nan=False)
    yield "report.json", text.encode()


COMPARISON_FORMATS: tuple[Format, ...] = (
    *(record_files, figure_files, comparison_markdown_files),
    *(_json_file, html_files),
)


def check_installed() -> None:
    """Raise an ImportError that says what to install if a package that a report needs is absent."""
    for name in ("jinja2", "matplotlib", "plotly"):
        if find_spec(name) is None:
            raise ImportError(
                f'a report needs {name}, which is not installed: pip install "weaklearn[report]"'
            )


def write_report(report: Mapping[str, Any], folder: Path) -> Path:
    """Write the files of a report on papers into a folder.

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
    return _write(report, folder, FORMATS)


def write_comparison(report: Mapping[str, Any], folder: Path) -> Path:
    """Write the files of a comparison into a folder.

    Parameters
    ----------
    report : mapping
        As `make_comparison_data` returns it.
    folder : Path
        It gets ``report.html``, ``report.md``, ``report.json``, and files in ``tables`` and
        ``figures``.

    Returns
    -------
    Path
        The HTML page.
    """
    return _write(report, folder, COMPARISON_FORMATS)


def _write(report: Mapping[str, Any], folder: Path, formats: Iterable[Format]) -> Path:
    check_installed()
    for write_format in formats:
        for name, content in write_format(report):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, content)
    return folder / PAGE
