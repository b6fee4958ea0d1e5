"""The reader of CSV and TSV files.

The first line must name the columns. A ``.tsv`` file is separated by tabs. A ``.csv`` file is
separated by commas, or by semicolons if its first line has more of them. White space around a value
is ignored. A value is missing if it is empty or one of ``? NA N/A n/a n.a. NaN nan null NULL None``
and some others, in quotes or not; ``missing_values=`` changes these. A column is continuous if all
its known values are numbers, or all are dates. Any other column is nominal, with its values sorted.
``nominal=`` and ``continuous=`` overrule this.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator

from weaklearn.tables.build_table import build_table
from weaklearn.tables.column import Column
from weaklearn.tables.read_options import ReadOptions
from weaklearn.tables.source_file import SourceFile
from weaklearn.tables.table import Table
from weaklearn.tables.text_to_columns import TextColumn

_HEADER = re.compile(r'(?:[^"\r\n]++|"[^"]*+")*+')
_QUOTED = re.compile(r'"[^"]*+"')


def read_delimited(source: SourceFile, options: ReadOptions) -> Table:
    """Read a CSV or TSV file; the class is the last column unless ``options`` names another."""
    notes: list[str] = []
    text = source.read_text(notes)
    delimiter = "\t" if source.suffix == ".tsv" else _guess_delimiter(text)
    records = _records(source, text, delimiter)
    header_line, names = next(records, (1, [""]))
    _check_header(source, header_line, names, options)

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

    columns: dict[str, Column] = {}
    target = options.choose_target(names)
    for name, texts in zip(names, list(zip(*rows, strict=True)) or [()] * len(names), strict=True):
        if name not in options.ignore:
            cells = TextColumn(name, texts, "undeclared")
            convert = cells.to_classes if name == target else cells.to_column
            columns[name] = convert(source, place, options)
    return build_table(source, source.stem, columns, target, place, notes)


def _guess_delimiter(text: str) -> str:
    header = _HEADER.match(text.lstrip())
    unquoted = _QUOTED.sub("", header[0] if header else "")
    return ";" if unquoted.count(";") > unquoted.count(",") else ","


def _records(source: SourceFile, text: str, delimiter: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the line on which each record starts, and its values; skip empty lines."""
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
        raise source.error(
            f"the quoting or the line end is wrong ({problem}); expected a quoted value to end "
            "with a quote and a delimiter",
            at=f"line {start}",
        ) from None


def _check_header(source: SourceFile, line: int, names: list[str], options: ReadOptions) -> None:
    at = f"line {line}"
    if "" in names:
        raise source.error(
            f"column {names.index('') + 1} has no name; expected a name for every column. If it is "
            "a saved pandas index, write the file with index=False",
            at=at,
        )
    options.check(source, names, at, " (the first line must name the columns)")
