r"""The reader of C4.5's three files: ``x.names`` with ``x.data`` and ``x.test``.

The ``.names`` file lists the classes and then, one entry each, the attributes::

    good, bad.                      | a comment
    age:      continuous.
    colour:   red, dark green, St\. Patrick's.
    town:     discrete 40.
    id:       ignore.

A ``\`` makes the next character part of a name, runs of white space count as one space, and a
period ends an entry only before white space. Only ``?`` is a missing value, unless
``missing_values=`` lists others. The class has no name in
these files: here it is called ``class``, or ``class_`` if an attribute is called ``class``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from weaklearn.tables.build_table import build_table
from weaklearn.tables.distinct import first_repeated
from weaklearn.tables.messages import quote, quote_list
from weaklearn.tables.missing_values import MISSING_TEXT
from weaklearn.tables.read_options import ReadOptions
from weaklearn.tables.source_file import SourceFile
from weaklearn.tables.table import Table
from weaklearn.tables.text_to_columns import TextColumn

COMPANION_SUFFIXES = (".data", ".test")
"""Suffixes of files that hold rows only: a ``.names`` file beside them describes the columns."""

# One piece of a .names file: a comment, an escaped character, a mark, white space, other text.
_PIECE = re.compile(
    r"(?P<comment>\|[^\n]*+)|\\(?P<escaped>.)|(?P<period>\.(?=\s|\||\Z))|(?P<mark>[,:])"
    r"|(?P<newline>\s*\n)|(?P<space>\s++)|(?P<text>[^|\\.,:\s]++|[.\\])",
    re.DOTALL,
)
_DISCRETE = re.compile(r"discrete\s+([0-9]{1,9})", re.IGNORECASE)
_ROW_PIECE = re.compile(
    r"(?P<comment>\|.*)|\\(?P<escaped>.)|(?P<comma>,)|(?P<space>\s++)|(?P<text>[^|\\,\s]++|\\)"
)


@dataclass(frozen=True)
class _Attribute:
    """What the ``.names`` file declares about one column."""

    name: str
    kind: Literal["continuous", "nominal", "discrete", "ignore"]
    values: tuple[str, ...] = ()
    max_values: int = 0


@dataclass(frozen=True)
class _Row:
    """The values of one row, None where missing, and the line that holds them."""

    line: int
    fields: list[str | None]


class _NameBuilder:
    """Builds a name piece by piece: inner white space becomes one space, outer is dropped."""

    def __init__(self) -> None:
        self._pieces: list[str] = []
        self._pending = ""

    def __bool__(self) -> bool:
        return bool(self._pieces)

    @property
    def text(self) -> str:
        """The name so far."""
        return "".join(self._pieces)

    def add(self, text: str) -> None:
        """Append text: no white space, unless it was escaped."""
        self._pieces.append(self._pending + text)
        self._pending = ""

    def add_space(self) -> None:
        """Append white space."""
        self._pending = " " if self._pieces else ""


def read_c45_files(source: SourceFile, options: ReadOptions) -> Table:
    """Read the training data for ``.names`` and ``.data``, the test data for ``.test``."""
    notes: list[str] = []
    names_source = _require_companion(source, ".names")
    classes, attributes = _read_declarations(names_source, notes)
    data_source = source if source.suffix != ".names" else _require_companion(source, ".data")
    rows = _read_rows(data_source, attributes, notes)
    sources = [(data_source, rows)]
    training = _find_companion(source, ".data")
    if source.suffix == ".test" and training and any(a.kind == "discrete" for a in attributes):
        # Undeclared values get their codes in the order in which the training data has them.
        sources.insert(0, (training, _read_rows(training, attributes, notes)))

    target = "class"
    while any(attribute.name == target for attribute in attributes):
        target += "_"
    kept = [attribute.name for attribute in attributes if attribute.kind != "ignore"]
    options.check(names_source, [*kept, target])

    def place(row: int) -> str:
        return f"line {rows[row].line}"

    columns = {}
    for index, attribute in enumerate([*attributes, _Attribute(target, "nominal", classes)]):
        cells = [row.fields[index] for row in rows]
        if attribute.name in options.ignore:
            continue
        if attribute.kind == "ignore":
            notes.append(f"attribute {attribute.name!r} ignored, as the .names file says")
            continue
        if attribute.kind == "continuous":
            column = TextColumn(attribute.name, cells, "continuous")
        else:
            is_declared = attribute.kind == "nominal"
            values = attribute.values if is_declared else _find_values(attribute, index, sources)
            column = TextColumn(attribute.name, cells, "nominal", values)
        columns[attribute.name] = column.to_column(data_source, place, options)
    chosen = options.choose_target([target])
    return build_table(data_source, source.stem, columns, chosen, place, notes)


def _find_companion(source: SourceFile, suffix: str) -> SourceFile | None:
    """Return the file with this suffix beside the source, plain or gzipped, or None."""
    plain = source.path.with_name(source.stem + suffix)
    candidates = (source.path,) if source.suffix == suffix else (plain, Path(f"{plain}.gz"))
    return next((SourceFile(path) for path in candidates if path.exists()), None)


def _require_companion(source: SourceFile, suffix: str) -> SourceFile:
    """Return the file with this suffix beside the source; raise FileNotFoundError without it."""
    companion = _find_companion(source, suffix)
    if companion is None:
        name = source.stem + suffix
        raise FileNotFoundError(
            f"{source.path} needs {name} beside it (or {name}.gz), which does not exist; rename a "
            "file of values with a header line to .csv"
        )
    return companion


def _find_values(
    attribute: _Attribute, index: int, sources: Sequence[tuple[SourceFile, Sequence[_Row]]]
) -> tuple[str, ...]:
    """Return the values of a ``discrete n`` attribute in the order in which they occur."""
    values: dict[str, None] = {}
    for source, rows in sources:
        for row in rows:
            text = row.fields[index]
            if text is None or text in values:
                continue
            if len(values) == attribute.max_values:
                raise source.error(
                    f"got {quote(text)}, but 'discrete {attribute.max_values}' allows only "
                    f"{attribute.max_values} values, and {quote_list(values)} came before",
                    at=f"line {row.line}",
                    column=attribute.name,
                )
            values[text] = None
    return tuple(values)


def _read_declarations(
    source: SourceFile, notes: list[str]
) -> tuple[tuple[str, ...], list[_Attribute]]:
    entries = _entries("\n".join(source.read_lines(notes)), source)
    first = next(entries, None)
    if first is None:
        raise source.error("declares nothing; expected the classes first: class, class, ...")
    line, name, classes = first
    if name is not None:
        raise source.error(
            f"got the attribute {quote(name)}, expected the classes first: class, class, ...",
            at=f"line {line}",
        )
    _check_distinct(source, line, "the class list", classes)
    attributes = []
    for line, name, values in entries:
        if name is None:
            raise source.error(
                f"got {quote_list(values)}, expected an attribute and its values: "
                r"name: value, value. (inside a name, a period before white space is written \.)",
                at=f"line {line}",
            )
        attributes.append(_read_attribute(source, line, name, values))
    return tuple(classes), attributes


def _read_attribute(source: SourceFile, line: int, name: str, values: list[str]) -> _Attribute:
    if len(values) == 1:
        word = values[0].lower()
        if word == "continuous":
            return _Attribute(name, "continuous")
        if word == "ignore":
            return _Attribute(name, "ignore")
        discrete = _DISCRETE.fullmatch(word)
        if discrete is None:
            raise source.error(
                f"got only {quote(values[0])}, expected two or more values, "
                "'continuous', 'discrete n' or 'ignore'",
                at=f"line {line}",
                column=name,
            )
        return _Attribute(name, "discrete", max_values=int(discrete[1]))
    _check_distinct(source, line, quote(name), values)
    return _Attribute(name, "nominal", tuple(values))


def _check_distinct(source: SourceFile, line: int, where: str, values: list[str]) -> None:
    repeated = first_repeated(values)
    if repeated is not None:
        raise source.error(
            f"{where} has {quote(repeated)} twice; expected it once", at=f"line {line}"
        )


def _entries(text: str, source: SourceFile) -> Iterator[tuple[int, str | None, list[str]]]:
    """Yield each entry's line, its name (None for the class list) and its values.

    An entry ends at a period or at the end of a line, unless a comma or a colon came last.
    """
    line = start = 1
    name: str | None = None
    values: list[str] = []
    current = _NameBuilder()

    def problem(what: str) -> Exception:
        return source.error(what, at=f"line {line}")

    for piece in _PIECE.finditer(text + "\n"):
        kind = piece.lastgroup
        if kind == "escaped":
            current.add(piece["escaped"])
        elif kind == "text":
            current.add(piece[0])
        elif kind == "space":
            current.add_space()
        elif kind in ("mark", "period") and not current:
            raise problem(f"got {piece[0]!r}, expected a name before it")
        elif kind == "mark" and piece[0] == ":":
            if name is not None or values:
                raise problem(r"got a second ':' in one entry; inside a name it is written \:")
            name, current = current.text, _NameBuilder()
        elif kind == "mark":
            values.append(current.text)
            current = _NameBuilder()
        elif kind == "period" or (kind == "newline" and current):
            yield start, name, [*values, current.text]
            name, values, current = None, [], _NameBuilder()
        line += piece[0].count("\n")
        if not current and name is None and not values:
            start = line
    if name is not None or values:
        raise problem("the file ends inside an entry; expected a value")


def _read_rows(
    source: SourceFile, attributes: Sequence[_Attribute], notes: list[str]
) -> list[_Row]:
    names = [attribute.name for attribute in attributes] + ["class"]
    rows = []
    for line_number, line in enumerate(source.read_lines(notes), 1):
        fields = _split_row(line)
        if not fields:
            continue
        if len(fields) != len(names):
            raise source.error(
                f"got {len(fields)} values, expected {len(names)}: "
                f"{len(attributes)} attributes and the class",
                at=f"line {line_number}",
            )
        if "" in fields:
            raise source.error(
                f"the value is empty; a missing value is written {MISSING_TEXT}",
                at=f"line {line_number}",
                column=names[fields.index("")],
            )
        rows.append(_Row(line_number, fields))
    return rows


def _split_row(line: str) -> list[str | None]:
    """Return the values of a row, None where missing; an empty list for an empty line."""
    if "|" in line or "\\" in line:
        return _split_escaped_row(line)
    texts = [text.strip() for text in line.split(",")]
    if texts[-1].endswith("."):
        texts[-1] = texts[-1][:-1].rstrip()
    if texts == [""]:
        return []
    return [None if text == MISSING_TEXT else " ".join(text.split()) for text in texts]


def _split_escaped_row(line: str) -> list[str | None]:
    """Return the values of a row that may have escapes and a comment."""
    names = [_NameBuilder()]
    is_plain = [True]  # per value, whether it has no escaped character
    period_ends = False
    for piece in _ROW_PIECE.finditer(line):
        kind = piece.lastgroup
        if kind == "comma":
            names.append(_NameBuilder())
            is_plain.append(True)
            period_ends = False
        elif kind == "space":
            names[-1].add_space()
        elif kind == "escaped":
            names[-1].add(piece["escaped"])
            is_plain[-1] = period_ends = False
        elif kind == "text":
            names[-1].add(piece[0])
            period_ends = piece[0].endswith(".")
    texts = [name.text for name in names]
    if period_ends:
        texts[-1] = texts[-1][:-1].rstrip()
    if texts == [""]:
        return []
    return [
        None if text == MISSING_TEXT and plain else text
        for text, plain in zip(texts, is_plain, strict=True)
    ]
