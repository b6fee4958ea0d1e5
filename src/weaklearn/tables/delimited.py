"""The reader of CSV and TSV files.

The first line must name the columns. A ``.tsv`` file is separated by tabs. A ``.csv`` file is
separated by commas, or by semicolons if its first line has more of them. Where commas do not
separate, ``1,5`` is the number 1.5, unless all such numbers of the file may be thousands, as in
``1,500``. White space around a value is ignored. A value is missing if it is empty or one of ``? NA
N/A n/a n.a. NaN nan null NULL None`` and some others, in quotes or not; ``missing_values=`` changes
these. A column is continuous if all its known values are numbers, or all are dates. Any other
column is nominal, with its values sorted. ``nominal=`` and ``continuous=`` overrule this.
"""

from __future__ import annotations

import csv
import io
import math
import re
from collections.abc import Collection, Iterator, Mapping

from weaklearn.tables.build_table import build_table
from weaklearn.tables.column import Column
from weaklearn.tables.messages import quote_list
from weaklearn.tables.missing_values import parse_number
from weaklearn.tables.read_options import ReadOptions
from weaklearn.tables.source_file import SourceFile
from weaklearn.tables.table import Table
from weaklearn.tables.text_to_columns import TextColumn

_HEADER = re.compile(r'(?:[^"\r\n]++|"[^"]*+")*+')
_QUOTED = re.compile(r'"[^"]*+"')
_WITH_COMMA = re.compile(r"[+-]?\d+,\d+(?:[eE][+-]?\d+)?")
_MAY_BE_THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")


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
    texts_of = dict(zip(names, list(zip(*rows, strict=True)) or [()] * len(names), strict=True))
    if delimiter != ",":
        with_points = _with_decimal_points(texts_of, {target, *options.nominal}, options)
        texts_of |= with_points
        if with_points:
            notes.append(f"numbers with decimal commas: {quote_list(with_points)}")
    for name, texts in texts_of.items():
        if name not in options.ignore:
            cells = TextColumn(name, texts, "undeclared")
            convert = cells.to_classes if name == target else cells.to_column
            columns[name] = convert(source, place, options)
    return build_table(source, source.stem, columns, target, place, notes)


def _with_decimal_points(
    texts_of: Mapping[str, tuple[str, ...]], labels: Collection[str | None], options: ReadOptions
) -> dict[str, tuple[str, ...]]:
    """Return the columns of numbers with decimal commas, with points in their place."""
    result, are_certain = {}, False
    for name, texts in texts_of.items():
        known = {text for text in texts if not options.missing.holds_text(text)}
        with_comma = {text for text in known if _WITH_COMMA.fullmatch(text)}
        others = known - with_comma
        if name in labels or not with_comma or not all(map(_is_number, others)):
            continue
        are_certain |= not all(map(_MAY_BE_THOUSANDS.fullmatch, with_comma))
        result[name] = tuple(
            text.replace(",", ".") if text in with_comma else text for text in texts
        )
    return result if are_certain else {}


def _is_number(text: str) -> bool:
    return not math.isnan(parse_number(text))


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
