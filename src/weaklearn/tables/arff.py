"""The reader of ARFF files.

A ``string`` attribute is read as nominal and a ``date`` as continuous (seconds since
1970-01-01 UTC); both are noted. ``relational`` attributes and instance weights are errors.
As in the format's own program, an unquoted ``%`` starts a comment anywhere, and a value that a
sparse row leaves out is 0 or the first declared value.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from weaklearn.tables.arff_lines import (
    QUOTED,
    LineProblem,
    split_dense,
    split_nominal,
    split_sparse,
    unquote,
)
from weaklearn.tables.dates import DEFAULT_PATTERN, date_parser
from weaklearn.tables.source_file import Source, shown
from weaklearn.tables.table import Table
from weaklearn.tables.text_to_columns import Choices, TextColumn, build_table, check_names

_DECLARATION = re.compile(r"[ \t]*+@([A-Za-z]++)[ \t]*+(.*)", re.DOTALL)
_NAME = re.compile(rf"({QUOTED}|[^ \t{{%'\"][^ \t{{%]*+)[ \t]*+")
_TYPE = re.compile(r"([A-Za-z]++)[ \t]*+")
_FORMAT = re.compile(rf"({QUOTED}|[^ \t%]++)[ \t]*+")
_TYPES = "numeric, real, integer, string, date or {value, value, ...}"


@dataclass(frozen=True)
class _Declared:
    name: str
    kind: Literal["numeric", "nominal", "string", "date"]
    values: tuple[str, ...] = ()
    pattern: str = DEFAULT_PATTERN

    def column(self, cells: Sequence[str | None]) -> TextColumn:
        if self.kind == "numeric":
            return TextColumn(self.name, cells, "continuous")
        if self.kind == "date":
            expected = f"a date like {self.pattern}"
            parse = date_parser(self.pattern)
            return TextColumn(self.name, cells, "continuous", None, parse, expected)
        return TextColumn(self.name, cells, "nominal", self.values or None)

    @property
    def sparse_default(self) -> str | None:
        """The value that a sparse row leaves out; None where the format has none."""
        return {"numeric": "0", "nominal": next(iter(self.values), None)}.get(self.kind)


def read_arff(source: Source, choices: Choices) -> Table:
    """Read an ARFF file; the class is the last attribute unless ``choices`` names another."""
    notes: list[str] = []
    lines = source.read_lines(notes)
    name, declared, data_start = _read_header(source, lines)
    names = [attribute.name for attribute in declared]
    check_names(source, names)
    choices.check(source, names)
    for attribute in declared:
        if attribute.kind == "string":
            notes.append(f"string attribute {attribute.name!r} read as nominal")
        elif attribute.kind == "date":
            notes.append(
                f"date attribute {attribute.name!r} read as continuous: seconds since 1970-01-01"
            )

    numbers, rows = _read_rows(source, lines, data_start, declared)
    cells = list(zip(*rows, strict=True)) or [()] * len(declared)

    def place(row: int) -> str:
        return f"line {numbers[row]}"

    columns = [
        attribute.column(texts).typed(source, place, choices)
        for attribute, texts in zip(declared, cells, strict=True)
    ]
    return build_table(source, name, columns, choices.target_among(names), place, notes)


def _read_header(source: Source, lines: Sequence[str]) -> tuple[str, list[_Declared], int]:
    name = ""
    declared: list[_Declared] = []
    for index, line in enumerate(lines):
        text = line.strip(" \t")
        if not text or text.startswith("%"):
            continue
        at = f"line {index + 1}"
        match = _DECLARATION.fullmatch(text)
        keyword = match[1].lower() if match else ""
        if match is None or keyword not in ("relation", "attribute", "data"):
            raise source.error(
                f"got {shown(text)}, expected @relation, @attribute, @data or a % comment", at=at
            )
        try:
            if keyword == "data":
                _check_end(match[2])
                return name or source.stem, declared, index + 1
            if keyword == "relation":
                relation = _NAME.match(match[2])
                name = unquote(relation[1]) if relation else ""
            else:
                declared.append(_read_attribute(match[2]))
        except LineProblem as problem:
            raise source.error(str(problem), at=at) from None
    raise source.error("has no @data line; is the file cut short?")


def _read_attribute(text: str) -> _Declared:
    match = _NAME.match(text)
    if match is None:
        raise LineProblem(f"got {shown(text)}, expected a name after @attribute")
    name = unquote(match[1])
    rest = text[match.end() :]
    if rest.startswith("{"):
        try:
            values, end = split_nominal(rest)
        except LineProblem as problem:
            raise LineProblem(f"in the values of {shown(name)}: {problem}") from None
        _check_end(rest[end:])
        if len(set(values)) < len(values):
            twice = next(value for value in values if values.count(value) > 1)
            raise LineProblem(f"{shown(name)} declares the value {shown(twice)} twice")
        return _Declared(name, "nominal", tuple(values))
    word = _TYPE.match(rest)
    kind = word[1].lower() if word else ""
    if word is None or kind not in ("numeric", "real", "integer", "string", "date"):
        if kind == "relational":
            raise LineProblem(f"{shown(name)} is relational, which is not supported; flatten it")
        raise LineProblem(f"attribute {shown(name)}: got {shown(rest)}, expected {_TYPES}")
    rest = rest[word.end() :]
    if kind == "date":
        return _read_date(name, rest)
    _check_end(rest)
    return _Declared(name, "string" if kind == "string" else "numeric")


def _read_date(name: str, rest: str) -> _Declared:
    match = _FORMAT.match(rest)
    if match is None:
        _check_end(rest)
        return _Declared(name, "date")
    _check_end(rest[match.end() :])
    pattern = unquote(match[1])
    try:
        date_parser(pattern)
    except ValueError as problem:
        raise LineProblem(f"date format {shown(pattern)} of {shown(name)}: {problem}") from None
    return _Declared(name, "date", pattern=pattern)


def _check_end(rest: str) -> None:
    rest = rest.lstrip(" \t")
    if rest and not rest.startswith("%"):
        raise LineProblem(f"got {shown(rest)}, expected the end of the line")


def _read_rows(
    source: Source, lines: Sequence[str], start: int, declared: Sequence[_Declared]
) -> tuple[list[int], list[Sequence[str | None]]]:
    """Give the line number and the cells of each row."""
    width = len(declared)
    defaults = [attribute.sparse_default for attribute in declared]
    numbers: list[int] = []
    rows: list[Sequence[str | None]] = []
    for number, line in enumerate(lines[start:], start + 1):
        text = line.strip(" \t")
        if not text or text[0] == "%":
            continue
        try:
            if text[0] == "{":
                row = _fill_sparse(split_sparse(text, width), declared, defaults)
            else:
                row = split_dense(text)
                if len(row) != width:
                    raise LineProblem(f"got {len(row)} values, expected {width}")
        except LineProblem as problem:
            known = problem.field is not None and problem.field < width
            column = declared[problem.field or 0].name if known else None
            raise source.error(str(problem), at=f"line {number}", column=column) from None
        numbers.append(number)
        rows.append(row)
    return numbers, rows


def _fill_sparse(
    written: dict[int, str | None],
    declared: Sequence[_Declared],
    defaults: Sequence[str | None],
) -> list[str | None]:
    row = list(defaults)
    for index, value in written.items():
        row[index] = value
    for index in (i for i, text in enumerate(row) if text is None and i not in written):
        kind = declared[index].kind
        raise LineProblem(
            f"the sparse row leaves out a {kind} attribute, which has no default", index
        )
    return row
