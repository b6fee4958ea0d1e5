"""Write the report of a paper's experiments, or of a comparison of models.

assemble_report.py      everything that a report says, as one plain dict, made of:
result_tables.py        tables of our values beside the paper's
learner_comparisons.py  two learners over all problems: tests, counts, sentences
verdict.py              how many cells of the tables agree with the paper
comparison_report.py    everything that the page of a comparison says
comparison_tables.py    its tables and figures
figure_panels.py        figures, as panels of points and lines
write_files.py          write the dict in every format; the formats are one file each:
html_page.py            the page, with templates/
markdown_file.py        the same text and tables as Markdown
csv_files.py            a CSV file for each table
draw_figures.py         a PNG and an SVG file for each figure
format_text.py          how numbers, probabilities, durations and names are written
"""

from weaklearn.report.assemble_report import make_paper_data, make_report_data
from weaklearn.report.comparison_report import make_comparison_data
from weaklearn.report.html_page import to_html
from weaklearn.report.markdown_file import to_markdown
from weaklearn.report.write_files import check_installed, write_comparison, write_report

__all__ = [
    "check_installed",
    "make_comparison_data",
    "make_paper_data",
    "make_report_data",
    "to_html",
    "to_markdown",
    "write_comparison",
    "write_report",
]
