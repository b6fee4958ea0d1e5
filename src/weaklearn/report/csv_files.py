"""Write every table and comparison of a report as a CSV file."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

_CELL = ("ours", "error", "low", "high", "paper", "difference", "verdict")
_COMPARISON = (
    *("first", "second", "wins", "ties", "losses", "ratio"),
    *("low", "high", "p", "for_first", "for_second"),
)


def csv_files(report: Mapping[str, Any]) -> Iterator[tuple[str, bytes]]:
    """Return the path and content of each CSV file."""
    for paper in report["papers"]:
        for table in paper["tables"]:
            yield f"tables/{table['name']}.csv", table_to_csv(table).encode()
        for comparison in paper["comparisons"]:
            yield f"tables/{comparison['name']}.csv", comparison_to_csv(comparison).encode()


def record_files(report: Mapping[str, Any]) -> Iterator[tuple[str, bytes]]:
    """Return the path and content of a CSV file for each list of records of a comparison."""
    for name, records in report["records"].items():
        headings = list(records[0]) if records else []
        rows = [list(record.values()) for record in records]
        yield f"tables/{name}.csv", _to_csv(headings, rows).encode()


def table_to_csv(table: Mapping[str, Any]) -> str:
    """Write a table, as `make_table` returns it, with one line per cell."""
    rows = [
        [row["problem"], heading, *(cell[name] for name in _CELL), row["absent"]]
        for row in table["rows"]
        for heading, cell in zip(table["headings"], row["cells"], strict=True)
    ]
    return _to_csv(["problem", "column", *_CELL, "missing"], rows)


def comparison_to_csv(comparison: Mapping[str, Any]) -> str:
    """Write a comparison, as `make_comparison` returns it, with one line per problem."""
    names = comparison["paper_columns"]
    rows = [
        [row["problem"], *(row[name] for name in _COMPARISON), *(row["paper"][n] for n in names)]
        for row in comparison["rows"]
    ]
    return _to_csv(["problem", *_COMPARISON, *(f"paper {name}" for name in names)], rows)


def _to_csv(headings: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerows([headings, *(["" if v is None else v for v in row] for row in rows)])
    return file.getvalue()
