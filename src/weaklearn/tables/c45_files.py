r"""The reader of C4.5's three files: ``x.names`` with ``x.data`` and ``x.test``.

The ``.names`` file lists the classes and then, one entry each, the attributes::

    good, bad.                      | a comment
    age:      continuous.
    colour:   red, dark green, St\. Patrick's.
    town:     discrete 40.
    id:       ignore.

A ``\`` takes the next character as it is, runs of white space count as one space, and a period
ends an entry only before white space. ``?`` is missing. The class has no name in these files; it
is called ``class`` here, with an underscore behind it where an attribute has that name already.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from weaklearn.tables.source_file import Source, listed, shown
from weaklearn.tables.table import Table
from weaklearn.tables.text_to_columns import Choices, TextColumn, build_table, check_names

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
class _Declared:
    name: str
    kind: str
    values: tuple[str, ...] = ()
    most: int = 0


@dataclass(frozen=True)
class _Row:
    line: int
    fields: list[str | None]


class _NameText:
    """A name under construction: inner white space counts as one space, outer as none."""

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
        """Append text that is not white space, or escaped."""
        self._pieces.append(self._pending + text)
        self._pending = ""

    def add_space(self) -> None:
        """Append white space."""
        self._pending = " " if self._pieces else ""


def read_names(source: Source, choices: Choices) -> Table:
    """Read the training data for ``.names`` and ``.data``, the test data for ``.test``."""
    notes: list[str] = []
    names_source = _beside(source, ".names")
    classes, declared = _read_declarations(names_source, notes)
    data_source = source if source.suffix != ".names" else _beside(source, ".data")
    rows = _read_rows(data_source, declared, notes)
    parts = [(data_source, rows)]
    training = _find_beside(source, ".data")
    if source.suffix == ".test" and training and any(e.kind == "discrete" for e in declared):
        # Values that are not declared are numbered as the training data brings them up.
        parts.insert(0, (training, _read_rows(training, declared, notes)))

    target = "class"
    while any(entry.name == target for entry in declared):
        target += "_"
    kept = [entry for entry in declared if entry.kind != "ignore"]
    check_names(names_source, [entry.name for entry in kept] + [target])
    choices.check(names_source, [entry.name for entry in kept] + [target])

    def place(row: int) -> str:
        return f"line {rows[row].line}"

    columns = []
    for index, entry in enumerate([*declared, _Declared(target, "nominal", classes)]):
        cells = [row.fields[index] for row in rows]
        if entry.kind == "ignore":
            notes.append(f"attribute {entry.name!r} ignored, as the .names file says")
            continue
        if entry.kind == "continuous":
            column = TextColumn(entry.name, cells, "continuous")
        else:
            values = entry.values if entry.kind == "nominal" else _collect(entry, index, parts)
            column = TextColumn(entry.name, cells, "nominal", values)
        columns.append(column.typed(data_source, place, choices))
    chosen = choices.target_among([target])
    return build_table(data_source, source.stem, columns, chosen, place, notes)


def _find_beside(source: Source, suffix: str) -> Source | None:
    """Give the companion file, plain or gzipped, if it is there."""
    plain = source.path.with_name(source.stem + suffix)
    candidates = (source.path,) if source.suffix == suffix else (plain, Path(f"{plain}.gz"))
    return next((Source(path) for path in candidates if path.exists()), None)


def _beside(source: Source, suffix: str) -> Source:
    found = _find_beside(source, suffix)
    if found is None:
        name = source.stem + suffix
        raise FileNotFoundError(
            f"{source.path} needs {name} beside it (or {name}.gz), which is not there; "
            "a file of values with a header line can be read as .csv"
        )
    return found


def _collect(
    entry: _Declared, index: int, parts: Sequence[tuple[Source, Sequence[_Row]]]
) -> tuple[str, ...]:
    """Give the values of a ``discrete n`` attribute in the order in which they appear."""
    values: dict[str, None] = {}
    for source, rows in parts:
        for row in rows:
            text = row.fields[index]
            if text is None or text in values:
                continue
            if len(values) == entry.most:
                raise source.error(
                    f"got {shown(text)}, but 'discrete {entry.most}' allows no more values than "
                    f"{listed(values)}",
                    at=f"line {row.line}",
                    column=entry.name,
                )
            values[text] = None
    return tuple(values)


def _read_declarations(source: Source, notes: list[str]) -> tuple[tuple[str, ...], list[_Declared]]:
    entries = _entries("\n".join(source.read_lines(notes)), source)
    first = next(entries, None)
    if first is None:
        raise source.error("declares nothing; expected the classes first")
    line, name, classes = first
    if name is not None:
        raise source.error(
            f"got the attribute {shown(name)}, expected the classes first: class, class, ...",
            at=f"line {line}",
        )
    _check_distinct(source, line, "the class list", classes)
    declared = []
    for line, name, values in entries:
        if name is None:
            raise source.error(
                f"got {listed(values)}, expected an attribute and its values: name: value, value. "
                r"(inside a name, a period before white space is written \.)",
                at=f"line {line}",
            )
        declared.append(_declared(source, line, name, values))
    return tuple(classes), declared


def _declared(source: Source, line: int, name: str, values: list[str]) -> _Declared:
    if len(values) == 1:
        word = values[0].lower()
        if word in ("continuous", "ignore"):
            return _Declared(name, word)
        discrete = _DISCRETE.fullmatch(word)
        if discrete is None:
            raise source.error(
                f"got only {shown(values[0])}, expected two or more values, "
                "'continuous', 'discrete n' or 'ignore'",
                at=f"line {line}",
                column=name,
            )
        return _Declared(name, "discrete", most=int(discrete[1]))
    _check_distinct(source, line, shown(name), values)
    return _Declared(name, "nominal", tuple(values))


def _check_distinct(source: Source, line: int, where: str, values: list[str]) -> None:
    seen: set[str] = set()
    for value in values:
        if value in seen:
            raise source.error(f"{where} has {shown(value)} twice", at=f"line {line}")
        seen.add(value)


def _entries(text: str, source: Source) -> Iterator[tuple[int, str | None, list[str]]]:
    """Give each entry's line, its name (None for the class list) and its values.

    An entry ends at a period or at the end of a line, unless a comma or a colon came last.
    """
    line = start = 1
    name: str | None = None
    values: list[str] = []
    current = _NameText()

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
            name, current = current.text, _NameText()
        elif kind == "mark":
            values.append(current.text)
            current = _NameText()
        elif kind == "period" or (kind == "newline" and current):
            yield start, name, [*values, current.text]
            name, values, current = None, [], _NameText()
        line += piece[0].count("\n")
        if not current and name is None and not values:
            start = line
    if name is not None or values:
        raise problem("the file ends inside an entry; expected a value")


def _read_rows(source: Source, declared: Sequence[_Declared], notes: list[str]) -> list[_Row]:
    names = [entry.name for entry in declared] + ["class"]
    rows = []
    for number, line in enumerate(source.read_lines(notes), 1):
        fields = _split_row(line)
        if not fields:
            continue
        if len(fields) != len(names):
            raise source.error(
                f"got {len(fields)} values, expected {len(names)}: "
                f"{len(declared)} attributes and the class",
                at=f"line {number}",
            )
        if "" in fields:
            raise source.error(
                "the value is empty; a missing value is written ?",
                at=f"line {number}",
                column=names[fields.index("")],
            )
        rows.append(_Row(number, fields))
    return rows


def _split_row(line: str) -> list[str | None]:
    """Give the values of a row, None where missing; a blank line has none."""
    if "|" in line or "\\" in line:
        return _split_row_carefully(line)
    texts = [text.strip() for text in line.split(",")]
    if texts[-1].endswith("."):
        texts[-1] = texts[-1][:-1].rstrip()
    if texts == [""]:
        return []
    return [None if text == "?" else " ".join(text.split()) for text in texts]


def _split_row_carefully(line: str) -> list[str | None]:
    names = [_NameText()]
    plain = [True]
    period_ends = False
    for piece in _ROW_PIECE.finditer(line):
        kind = piece.lastgroup
        if kind == "comma":
            names.append(_NameText())
            plain.append(True)
            period_ends = False
        elif kind == "space":
            names[-1].add_space()
        elif kind == "escaped":
            names[-1].add(piece["escaped"])
            plain[-1] = period_ends = False
        elif kind == "text":
            names[-1].add(piece[0])
            period_ends = piece[0].endswith(".")
    texts = [name.text for name in names]
    if period_ends:
        texts[-1] = texts[-1][:-1].rstrip()
    if texts == [""]:
        return []
    return [
        None if text == "?" and as_is else text for text, as_is in zip(texts, plain, strict=True)
    ]
