"""Write a report as one Markdown file."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from weaklearn.report.format_text import decimal, probability


def markdown_files(report: Mapping[str, Any]) -> Iterator[tuple[str, bytes]]:
    """Return the path and content of the Markdown file."""
    yield "report.md", to_markdown(report).encode()


#: Behind our value: how it compares with the paper's.
_MARKS = {None: "", "agrees": " =", "differs": " ≠", "too noisy": " ?"}


def to_markdown(report: Mapping[str, Any]) -> str:
    """Write a report, as `make_report_data` returns it, as Markdown: its text and every table."""
    lines = [f"# {report['title']}", ""]
    if report["is_quick"]:
        lines += ["This was a quick run, with fewer repeats and problems than the whole plans.", ""]
    lines += [f"* {line}" for line in report["summary"]] + ["", report["rule"], ""]
    for paper in report["papers"]:
        lines += [f"## {paper['title']}", "", f"{paper['source']}. {paper['about']}", ""]
        lines += [f"* {note}" for note in paper["notes"]]
        lines += [f"* Absent: {entry['what']}: {entry['how']}." for entry in paper["absent"]]
        lines += [f"* Failed: {entry['unit']}: {entry['error']}." for entry in paper["failures"]]
        lines.append("")
        for table in paper["tables"]:
            lines += [f"### {table['title']}", "", _table(table), ""]
        for comparison in paper["comparisons"]:
            lines += [f"### {comparison['title']}", "", *_comparison(comparison), ""]
    lines += ["## Environment", ""]
    lines += [f"* {name}: {value}" for name, value in report["environment"].items()]
    return "\n".join(lines) + "\n"


def comparison_markdown_files(report: Mapping[str, Any]) -> Iterator[tuple[str, bytes]]:
    """Return the path and content of the Markdown file of a comparison."""
    yield "report.md", comparison_to_markdown(report).encode()


def comparison_to_markdown(report: Mapping[str, Any]) -> str:
    """Write a comparison, as `make_comparison_data` returns it, as Markdown."""
    lines = [f"# {report['title']}", ""]
    lines += [f"* {line}" for line in (*report["summary"], *report["notes"])]
    lines += [f"* Absent: {name}: {how}." for name, how in report["absent"].items()]
    lines += [
        f"* Failed: {failure['model']} on {failure['table']}: {failure['reason']}."
        for failure in report["failures"]
    ]
    lines.append("")
    for table in (report["overview"], *report["wins"], report["models"]):
        texts = [[cell["text"] for cell in row] for row in table["rows"]]
        lines += [f"## {table['title']}", "", _markdown_table(table["headings"], texts), ""]
    lines += [f"* {name}: {text}." for name, text in report["encodings"].items()] + [""]
    for table in report["tables"]:
        lines += [f"## {table['title']}", "", _table(table), ""]
    lines += ["## Environment", "", f"* design: {report['design']}"]
    lines += [f"* {name}: {value}" for name, value in report["environment"].items()]
    return "\n".join(lines) + "\n"


def _table(table: Mapping[str, Any]) -> str:
    headings = ["problem", "trials"]
    for heading, reason in zip(table["headings"], table["learner_absent"], strict=True):
        headings.append(f"{heading} ({reason})" if reason else heading)
        if table["has_paper"]:
            headings.append("paper")
    rows = []
    for row in table["rows"]:
        if row["absent"]:
            rows.append([row["problem"], f"not here: {row['absent']}"])
            continue
        cells = [row["problem"], row["trials"]]
        for cell in row["cells"]:
            cells.append(f"{decimal(cell['ours'], cell['shown'])}{_MARKS[cell['verdict']]}")
            if table["has_paper"]:
                cells.append(decimal(cell["paper"], cell["digits"]))
        rows.append(cells)
    if table["means"]:
        cells = ["mean", ""]
        for mean in table["means"]:
            cells.append(decimal(mean["ours"], mean.get("shown", 2)))
            if table["has_paper"]:
                cells.append(decimal(mean["paper"], 2))
        rows.append(cells)
    return _markdown_table(headings, rows)


def _comparison(comparison: Mapping[str, Any]) -> list[str]:
    names = comparison["paper_columns"]
    headings = ["problem", comparison["first"], comparison["second"], "won-tied-lost", "ratio"]
    headings += ["95% interval of the difference", "p", *(f"paper: {name}" for name in names)]
    rows = [
        [
            row["problem"],
            *(decimal(row[name], 2) for name in ("first", "second")),
            f"{row['wins']}-{row['ties']}-{row['losses']}",
            decimal(row["ratio"], 3),
            _interval(row),
            probability(row["p"]),
            *("" if row["paper"][name] is None else f"{row['paper'][name]:g}" for name in names),
        ]
        for row in comparison["rows"]
    ]
    lines = [f"* {sentence}" for sentence in comparison["sentences"]]
    if comparison["paper_says"]:
        lines.append(f"* {comparison['paper_says']}")
    return [*lines, "", _markdown_table(headings, rows)] if rows else lines


def _interval(row: Mapping[str, Any]) -> str:
    """Write an interval, and in how many draws the interval is in favour of each learner."""
    if row["low"] is None:
        return ""
    draws = f"{row['for_first']}-{row['for_second']}"
    return f"[{row['low']:.2f}, {row['high']:.2f}]{'' if draws == '0-0' else f' ({draws})'}"


def _markdown_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    rule = ["---", *["---:"] * (len(headings) - 1)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (headings, rule, *rows))
