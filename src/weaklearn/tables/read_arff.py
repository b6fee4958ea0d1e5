"""The reader of ARFF files.

A ``string`` attribute is read as nominal, with a note, and a ``date`` as a date. ``relational``
attributes and instance weights are errors. Only ``?`` is a missing value, unless
``missing_values=`` lists others.
As in Weka, an unquoted ``%`` starts a comment anywhere. A value that a sparse row leaves out is 0
or the first declared value.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from weaklearn.tables.arff_syntax import (
    QUOTED,
    LineProblem,
    split_dense,
    split_nominal,
    split_sparse,
    unquote,
)
from weaklearn.tables.build_table import build_table
from weaklearn.tables.date_patterns import DEFAULT_PATTERN, date_parser
from weaklearn.tables.distinct import first_repeated
from weaklearn.tables.messages import quote
from weaklearn.tables.read_options import ReadOptions
from weaklearn.tables.source_file import SourceFile
from weaklearn.tables.table import Table
from weaklearn.tables.text_to_columns import TextColumn

_DECLARATION = re.compile(r"[ \t]*+@([A-Za-z]++)[ \t]*+(.*)", re.DOTALL)
_NAME = re.compile(rf"({QUOTED}|[^ \t{{%'\"][^ \t{{%]*+)[ \t]*+")
_TYPE = re.compile(r"([A-Za-z]++)[ \t]*+")
_FORMAT = re.compile(rf"({QUOTED}|[^ \t%]++)[ \t]*+")
_TYPES = "numeric, real, integer, string, date or {value, value, ...}"


@dataclass(frozen=True)
class _Attribute:
    """What the header declares about one column."""

    name: str
    kind: Literal["numeric", "nominal", "string", "date"]
    values: tuple[str, ...] = ()
    pattern: str = DEFAULT_PATTERN

    def text_column(self, cells: Sequence[str | None]) -> TextColumn:
        if self.kind == "numeric":
            return TextColumn(self.name, cells, "continuous")
        if self.kind == "date":
            expected = f"a date like {self.pattern}"
            parse = date_parser(self.pattern)
            return TextColumn(self.name, cells, "date", None, parse, expected)
        return TextColumn(self.name, cells, "nominal", self.values or None)

    @property
    def sparse_default(self) -> str | None:
        """The value that a sparse row leaves out; None if the format does not define it."""
        return {"numeric": "0", "nominal": next(iter(self.values), None)}.get(self.kind)


def read_arff(source: SourceFile, options: ReadOptions) -> Table:
    """Read an ARFF file; the class is the last attribute unless ``options`` names another."""
    notes: list[str] = []
    lines = source.read_lines(notes)
    name, attributes, data_start = _read_header(source, lines)
    names = [attribute.name for attribute in attributes]
    options.check(source, names)
    for attribute in attributes:
        if attribute.kind == "string":
            notes.append(f"string attribute {attribute.name!r} read as nominal")

    line_numbers, rows = _read_rows(source, lines, data_start, attributes)
    cells = list(zip(*rows, strict=True)) or [()] * len(attributes)

    def place(row: int) -> str:
        return f"line {line_numbers[row]}"

    columns = {
        attribute.name: attribute.text_column(texts).to_column(source, place, options)
        for attribute, texts in zip(attributes, cells, strict=True)
        if attribute.name not in options.ignore
    }
    return build_table(source, name, columns, options.choose_target(names), place, notes)


def _read_header(source: SourceFile, lines: Sequence[str]) -> tuple[str, list[_Attribute], int]:
    name = ""
    attributes: list[_Attribute] = []
    for index, line in enumerate(lines):
        text = line.strip(" \t")
        if not text or text.startswith("%"):
            continue
        at = f"line {index + 1}"
        match = _DECLARATION.fullmatch(text)
        keyword = match[1].lower() if match else ""
        if match is None or keyword not in ("relation", "attribute", "data"):
            raise source.error(
                f"got {quote(text)}, expected @relation, @attribute, @data or a % comment", at=at
            )
        try:
            if keyword == "data":
                _check_end(match[2])
                return name or source.stem, attributes, index + 1
            if keyword == "relation":
                relation = _NAME.match(match[2])
                name = unquote(relation[1]) if relation else ""
            else:
                attributes.append(_read_attribute(match[2]))
        except LineProblem as problem:
            raise source.error(str(problem), at=at) from None
    raise source.error("has no @data line; expected one after the attributes. Copy the file again")


def _read_attribute(text: str) -> _Attribute:
    match = _NAME.match(text)
    if match is None:
        raise LineProblem(f"got {quote(text)}, expected a name after @attribute")
    name = unquote(match[1])
    rest = text[match.end() :]
    if rest.startswith("{"):
        try:
            values, end = split_nominal(rest)
        except LineProblem as problem:
            raise LineProblem(f"in the values of {quote(name)}: {problem}") from None
        _check_end(rest[end:])
        repeated = first_repeated(values)
        if repeated is not None:
            raise LineProblem(
                f"{quote(name)} declares the value {quote(repeated)} twice; expected it once"
            )
        return _Attribute(name, "nominal", tuple(values))
    word = _TYPE.match(rest)
    kind = word[1].lower() if word else ""
    if word is None or kind not in ("numeric", "real", "integer", "string", "date"):
        if kind == "relational":
            raise LineProblem(
                f"{quote(name)} is relational, which is not supported; expected {_TYPES}. Write "
                "its columns as attributes"
            )
        raise LineProblem(f"attribute {quote(name)}: got {quote(rest)}, expected {_TYPES}")
    rest = rest[word.end() :]
    if kind == "date":
        return _read_date(name, rest)
    _check_end(rest)
    return _Attribute(name, "string" if kind == "string" else "numeric")


def _read_date(name: str, rest: str) -> _Attribute:
    match = _FORMAT.match(rest)
    if match is None:
        _check_end(rest)
        return _Attribute(name, "date")
    _check_end(rest[match.end() :])
    pattern = unquote(match[1])
    try:
        date_parser(pattern)
    except ValueError as problem:
        raise LineProblem(f"date format {quote(pattern)} of {quote(name)}: {problem}") from None
    return _Attribute(name, "date", pattern=pattern)


def _check_end(rest: str) -> None:
    rest = rest.lstrip(" \t")
    if rest and not rest.startswith("%"):
        raise LineProblem(f"got {quote(rest)}, expected the end of the line or a % comment")


def _read_rows(
    source: SourceFile, lines: Sequence[str], start: int, attributes: Sequence[_Attribute]
) -> tuple[list[int], list[Sequence[str | None]]]:
    """Return the line number and the cells of each row."""
    width = len(attributes)
    defaults = [attribute.sparse_default for attribute in attributes]
    line_numbers: list[int] = []
    rows: list[Sequence[str | None]] = []
    for line_number, line in enumerate(lines[start:], start + 1):
        text = line.strip(" \t")
        if not text or text[0] == "%":
            continue
        try:
            if text[0] == "{":
                row = _fill_sparse(split_sparse(text, width), attributes, defaults)
            else:
                row = split_dense(text)
                if len(row) != width:
                    raise LineProblem(f"got {len(row)} values, expected {width}")
        except LineProblem as problem:
            has_column = problem.field is not None and problem.field < width
            column = attributes[problem.field or 0].name if has_column else None
            raise source.error(str(problem), at=f"line {line_number}", column=column) from None
        line_numbers.append(line_number)
        rows.append(row)
    return line_numbers, rows


def _fill_sparse(
    written: dict[int, str | None],
    attributes: Sequence[_Attribute],
    defaults: Sequence[str | None],
) -> list[str | None]:
    """Return the cells of a sparse row: the written values, and defaults for the others."""
    row = list(defaults)
    for index, value in written.items():
        row[index] = value
    for index in (i for i, text in enumerate(row) if text is None and i not in written):
        raise LineProblem(
            f"the sparse row leaves out a {attributes[index].kind} attribute, which has no "
            "default; write the value, or ? if it is missing",
            index,
        )
    return row
