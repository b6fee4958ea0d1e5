"""Judge how far our tables agree with a paper's: which cells agree, how many, and in words."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

JudgedCell = tuple[str, str, str, dict[str, Any]]


def judged_cells(tables: Sequence[Mapping[str, Any]]) -> Iterator[JudgedCell]:
    """Return each cell that agrees or disagrees, with its table, problem and column."""
    for table in tables:
        for row in table["rows"]:
            for heading, cell in zip(table["headings"], row["cells"], strict=True):
                if cell["agrees"] is not None:
                    yield table["title"], row["problem"], heading, cell


def distance_from_paper(judged: JudgedCell) -> float:
    """Return how far a cell is from the paper's value, relative to the width of its interval."""
    cell = judged[-1]
    return float(abs(cell["difference"]) / (cell["high"] - cell["low"]))


def agreeing_by_table(tables: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Count the agreeing and the judged cells of each table that has any."""
    counts = []
    for table in tables:
        cells = [cell for *_, cell in judged_cells([table])]
        if cells:
            n_agreeing = sum(cell["agrees"] for cell in cells)
            counts.append(
                {"title": table["title"], "n_agreeing": n_agreeing, "n_judged": len(cells)}
            )
    return counts


def verdict_of(
    paper: str, n_agreeing: int, n_judged: int, absent: Sequence[Any], n_failures: int
) -> str:
    """Write the verdict on a paper in one line."""
    if n_judged:
        agreement = f"{n_agreeing} of {n_judged} cells agree with the paper"
    else:
        agreement = "no published values to compare with; see the paper's claims beside ours"
    without = f"; absent: {', '.join(entry['what'] for entry in absent)}" if absent else ""
    failed = f"; {n_failures} units failed" if n_failures else ""
    return f"{paper}: {agreement}{without}{failed}."
