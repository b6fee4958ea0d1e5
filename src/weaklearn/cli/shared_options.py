"""Options and arguments that several commands share."""

from __future__ import annotations

from typing import Annotated

import typer

from weaklearn.tables.read import TABLE_SUFFIXES

Data = Annotated[
    str,
    typer.Argument(
        metavar="DATA",
        help=f"A file ({', '.join(TABLE_SUFFIXES)}, or one of these with .gz), or the name of a "
        "table in 'weaklearn data list'.",
    ),
]
Target = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help="The column with the classes. Default: the last column."),
]
Nominal = Annotated[
    list[str] | None,
    typer.Option(metavar="COLUMN", help="Read this column as nominal. Can be repeated."),
]
Continuous = Annotated[
    list[str] | None,
    typer.Option(metavar="COLUMN", help="Read this column as numbers. Can be repeated."),
]
Ignore = Annotated[
    list[str] | None,
    typer.Option(metavar="COLUMN", help="Leave this column out. Can be repeated."),
]
MissingValues = Annotated[
    list[str] | None,
    typer.Option(
        "--missing",
        metavar="TEXT",
        help="Cells with this text or number are missing, as empty cells, NA and ? are. Can be "
        "repeated.",
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document.")]


def check_jobs(jobs: int) -> int:
    """Return the value of ``--jobs``; raise a ValueError for 0."""
    if jobs == 0:
        raise ValueError("--jobs 0: expected a whole number >= 1, or -1 for all processors")
    return jobs
