"""Reports: results become a plain dict, and the dict becomes a page and files."""

from weaklearn.report.html_page import to_html
from weaklearn.report.markdown_and_csv import to_markdown
from weaklearn.report.report_data import make_content, make_paper
from weaklearn.report.write_files import check_installed, write_report

__all__ = [
    "check_installed",
    "make_content",
    "make_paper",
    "to_html",
    "to_markdown",
    "write_report",
]
