"""Tables as Markdown and CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from typing import Any

_CELL = ("ours", "error", "low", "high", "paper", "difference", "agrees")
_CONTEST = (
    *("first", "second", "wins", "ties", "losses", "ratio"),
    *("low", "high", "p", "for_first", "for_second"),
)


def to_markdown(content: Mapping[str, Any]) -> str:
    """Write a report as Markdown: its words and every table.

    Parameters
    ----------
    content : mapping
        What `make_content` gives.

    Returns
    -------
    str
        Markdown.
    """
    parts = [f"# {content['title']}", ""]
    if content["is_quick"]:
        parts += ["A quick run: fewer repeats and problems than the whole plans have.", ""]
    parts += [f"* {line}" for line in content["summary"]] + ["", content["rule"], ""]
    for paper in content["papers"]:
        parts += [f"## {paper['title']}", "", f"{paper['source']}. {paper['about']}", ""]
        parts += [f"* {note}" for note in paper["notes"]]
        parts += [f"* Missing: {one['what']}: {one['how']}." for one in paper["missing"]]
        parts += [f"* Failed: {one['unit']}: {one['error']}." for one in paper["failures"]] + [""]
        for table in paper["tables"]:
            parts += [f"### {table['title']}", "", _markdown_table(table), ""]
        for comparison in paper["comparisons"]:
            parts += [f"### {comparison['title']}", "", *_comparison(comparison), ""]
    environment = content["environment"]
    parts += ["## Environment", ""]
    parts += [f"* {name}: {value}" for name, value in environment.items()]
    return "\n".join(parts) + "\n"


def table_to_csv(table: Mapping[str, Any]) -> str:
    """Write a table as CSV, a line per cell.

    Parameters
    ----------
    table : mapping
        What `make_table` gives.

    Returns
    -------
    str
        CSV with a heading.
    """
    rows = [
        [row["problem"], heading, *(cell[name] for name in _CELL), row["absent"]]
        for row in table["rows"]
        for heading, cell in zip(table["headings"], row["cells"], strict=True)
    ]
    return _csv(["problem", "column", *_CELL, "missing"], rows)


def comparison_to_csv(comparison: Mapping[str, Any]) -> str:
    """Write a comparison as CSV, a line per problem.

    Parameters
    ----------
    comparison : mapping
        What `make_comparison` gives.

    Returns
    -------
    str
        CSV with a heading.
    """
    papers = comparison["paper_has"]
    rows = [
        [row["problem"], *(row[name] for name in _CONTEST), *(row["paper"][n] for n in papers)]
        for row in comparison["rows"]
    ]
    return _csv(["problem", *_CONTEST, *(f"paper {name}" for name in papers)], rows)


def _csv(headings: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerows([headings, *(["" if v is None else v for v in row] for row in rows)])
    return file.getvalue()


def _markdown_table(table: Mapping[str, Any]) -> str:
    headings = ["problem", "trials"]
    for heading, missing in zip(table["headings"], table["missing"], strict=True):
        headings.append(f"{heading} ({missing})" if missing else heading)
        if table["has_paper"]:
            headings.append("paper")
    rows = []
    for row in table["rows"]:
        if row["absent"]:
            rows.append([row["problem"], f"not here: {row['absent']}"])
            continue
        cells = [row["problem"], row["trials"]]
        for cell in row["cells"]:
            mark = "" if cell["agrees"] is None else (" =" if cell["agrees"] else " ≠")
            cells.append(f"{written(cell['ours'], cell['shown'])}{mark}")
            if table["has_paper"]:
                cells.append(written(cell["paper"], cell["digits"]))
        rows.append(cells)
    if table["means"]:
        cells = ["mean", ""]
        for mean in table["means"]:
            cells.append(written(mean["ours"], 2))
            if table["has_paper"]:
                cells.append(written(mean["paper"], 2))
        rows.append(cells)
    return _markdown(headings, rows)


def _comparison(comparison: Mapping[str, Any]) -> list[str]:
    papers = comparison["paper_has"]
    headings = ["problem", comparison["first"], comparison["second"], "won-tied-lost", "ratio"]
    headings += ["95% interval of the difference", "p", *(f"paper: {name}" for name in papers)]
    rows = [
        [
            row["problem"],
            *(written(row[name], 2) for name in ("first", "second")),
            f"{row['wins']}-{row['ties']}-{row['losses']}",
            written(row["ratio"], 3),
            _interval(row),
            chance(row["p"]),
            *("" if row["paper"][name] is None else f"{row['paper'][name]:g}" for name in papers),
        ]
        for row in comparison["rows"]
    ]
    words = [f"* {line}" for line in comparison["words"]]
    if comparison["says"]:
        words.append(f"* {comparison['says']}")
    return [*words, "", _markdown(headings, rows)] if rows else words


def _interval(row: Mapping[str, Any]) -> str:
    """Write an interval; behind it, in how many draws theirs speak for the first and the second."""
    if row["low"] is None:
        return ""
    draws = f"{row['for_first']}-{row['for_second']}"
    return f"[{row['low']:.2f}, {row['high']:.2f}]{'' if draws == '0-0' else f' ({draws})'}"


def _markdown(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    rule = ["---", *["---:"] * (len(headings) - 1)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (headings, rule, *rows))


def chance(p: float | None) -> str:
    """Write a probability to three decimals; nothing for None.

    Examples
    --------
    >>> chance(0.0312), chance(1e-7), chance(None)
    ('0.031', '< 0.001', '')
    """
    return "< 0.001" if p is not None and p < 0.001 else written(p, 3)


def written(value: float | None, digits: int) -> str:
    """Write a number to so many decimals; nothing for None.

    Examples
    --------
    >>> written(2.345, 1), written(None, 1)
    ('2.3', '')
    """
    return "" if value is None else f"{value:.{digits}f}"
