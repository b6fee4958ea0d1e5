"""Write the report of a paper's experiments.

report_data.py     everything that a report says, as one plain dict
table_data.py      its tables and comparisons
figure_data.py     its figures, as points and lines
write_files.py     write the dict in every format; the formats are one file each:
html_page.py       the page, with templates/
markdown_file.py   the same text and tables as Markdown
csv_files.py       a CSV file for each table
draw_figures.py    a PNG and an SVG file for each figure
format_numbers.py  how numbers, probabilities and durations are written
"""

from weaklearn.report.html_page import to_html
from weaklearn.report.markdown_file import to_markdown
from weaklearn.report.report_data import make_paper_data, make_report_data
from weaklearn.report.write_files import check_installed, write_report

__all__ = [
    "check_installed",
    "make_paper_data",
    "make_report_data",
    "to_html",
    "to_markdown",
    "write_report",
]
