"""Judge how far our tables agree with a paper's: which cells agree, how many, and in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

JudgedCell = tuple[str, str, str, dict[str, Any]]


def judged_cells(tables: Sequence[Mapping[str, Any]]) -> Iterator[JudgedCell]:
    """Return each cell with a value of ours and of the paper, with table, problem and column."""
    for table in tables:
        for row in table["rows"]:
            for heading, cell in zip(table["headings"], row["cells"], strict=True):
                if cell["verdict"] is not None:
                    yield table["title"], row["problem"], heading, cell


def distance_from_paper(judged: JudgedCell) -> float:
    """Return how far a cell is from the paper's value, relative to the width of its interval."""
    cell = judged[-1]
    return float(abs(cell["difference"]) / (cell["high"] - cell["low"]))


def verdicts_by_table(tables: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Count the cells of each verdict in each table that has any."""
    counts = [
        {"title": table["title"], **count_verdicts(list(judged_cells([table])))} for table in tables
    ]
    return [
        count
        for count in counts
        if count["n_agreeing"] + count["n_differing"] + count["n_too_noisy"]
    ]


def count_verdicts(cells: Sequence[JudgedCell]) -> dict[str, int]:
    """Count the cells that agree, that differ, and that are too noisy to judge."""
    counts = Counter(cell["verdict"] for *_, cell in cells)
    return {
        "n_agreeing": counts["agrees"],
        "n_differing": counts["differs"],
        "n_too_noisy": counts["too noisy"],
    }


def verdict_of(
    paper: str,
    counts: Mapping[str, int],
    n_published: int,
    directions: tuple[int, int],
    absent: Sequence[Any],
    n_failures: int,
) -> str:
    """Write the verdict on a paper in one line.

    Parameters
    ----------
    paper : str
        The name of the paper.
    counts : mapping
        What `count_verdicts` returns.
    n_published : int
        How many cells of the whole plan the paper prints a value for.
    directions : pair of int
        In how many comparisons of two learners on a problem the same learner is better here and in
        the paper, and how many could be compared.
    absent : sequence
        What was absent.
    n_failures : int
        How many units failed.
    """
    n_judged = counts["n_agreeing"] + counts["n_differing"]
    n_run = n_judged + counts["n_too_noisy"]
    if n_judged:
        parts = [f"{counts['n_agreeing']} of {n_judged} cells agree with the paper"]
        if counts["n_too_noisy"]:
            parts.append(f"{counts['n_too_noisy']} more are too noisy to judge")
    elif n_run:
        parts = [f"no cell can be judged, {n_run} are too noisy"]
    else:
        parts = ["no published values to compare with; see the paper's claims beside ours"]
    if n_published > n_run:
        parts.append(f"{n_published - n_run} of {n_published} not run")
    if directions[1]:
        parts.append(
            f"the same learner is better in {directions[0]} of {directions[1]} comparisons"
        )
    if absent:
        parts.append(f"absent: {', '.join(entry['what'] for entry in absent)}")
    if n_failures:
        parts.append(f"{n_failures} units failed")
    return f"{paper}: {'; '.join(parts)}."
