"""The reader of CSV and TSV files.

The first line names the columns; that it is there is not guessed. ``.tsv`` is separated by tabs,
``.csv`` by commas, or by semicolons where its header line has more of them. White space around a
value does not count. Missing is an empty value or one of ``? NA N/A NaN nan null None``, in quotes
or not. A column all of whose known values are numbers is continuous, every other one nominal with
its values sorted; ``nominal=`` and ``continuous=`` overrule that.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

from weaklearn.tables.source_file import Source
from weaklearn.tables.table import Table
from weaklearn.tables.text_to_columns import Choices, TextColumn, build_table, check_names

MISSING = frozenset({"", "?", "NA", "N/A", "NaN", "nan", "null", "None"})

_HEADER = re.compile(r'(?:[^"\r\n]++|"[^"]*+")*+')
_QUOTED = re.compile(r'"[^"]*+"')


def read_delimited(source: Source, choices: Choices) -> Table:
    """Read a CSV or TSV file; the class is the last column unless ``choices`` names another."""
    notes: list[str] = []
    text = source.read_text(notes)
    delimiter = "\t" if source.suffix == ".tsv" else _sniff_delimiter(text)
    records = _records(source, text, delimiter)
    header_line, names = next(records, (1, [""]))
    _check_header(source, header_line, names)
    choices.check(source, names, at=f"line {header_line}")

    lines: list[int] = []
    rows: list[list[str]] = []
    for line, row in records:
        if len(row) != len(names):
            raise source.error(
                f"got {len(row)} values, expected {len(names)} as in the header", at=f"line {line}"
            )
        lines.append(line)
        rows.append(row)

    def place(row: int) -> str:
        return f"line {lines[row]}"

    columns = []
    for name, texts in zip(names, list(zip(*rows, strict=True)) or [()] * len(names), strict=True):
        cells = [None if text in MISSING else text for text in texts]
        if not any(cells) and name not in choices.nominal:
            notes.append(f"column {name!r} has no known value, read as continuous")
        columns.append(TextColumn(name, cells, "guess").typed(source, place, choices))
    return build_table(source, source.stem, columns, choices.target_among(names), place, notes)


def _sniff_delimiter(text: str) -> str:
    header = _HEADER.match(text.lstrip())
    unquoted = _QUOTED.sub("", header[0] if header else "")
    return ";" if unquoted.count(";") > unquoted.count(",") else ","


def _records(source: Source, text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Give the line on which each record starts, and its values; blank lines are none."""
    reader = csv.reader(
        io.StringIO(text, newline=""), delimiter=delimiter, skipinitialspace=True, strict=True
    )
    start = 1
    try:
        for record in reader:
            values = [value.strip() for value in record]
            if values not in ([], [""]):
                yield start, values
            start = reader.line_num + 1
    except csv.Error as problem:
        raise source.error(f"bad quoting or line end ({problem})", at=f"line {start}") from None


def _check_header(source: Source, line: int, names: list[str]) -> None:
    at = f"line {line}"
    if "" in names:
        raise source.error(
            f"column {names.index('') + 1} has no name; every column needs one "
            "(a saved pandas index? write the file with index=False)",
            at=at,
        )
    check_names(source, names, at, " (the first line must name the columns)")
