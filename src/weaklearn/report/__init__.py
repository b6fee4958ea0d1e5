"""Reports: results become a plain dict, and the dict becomes a page and files."""

from weaklearn.report.content import make_content, make_paper
from weaklearn.report.page import to_html
from weaklearn.report.text import to_markdown
from weaklearn.report.writing import check_installed, write_report

__all__ = [
    "check_installed",
    "make_content",
    "make_paper",
    "to_html",
    "to_markdown",
    "write_report",
]
