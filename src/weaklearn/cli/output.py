"""Format and print for all commands: results go to stdout, notes to stderr."""

from __future__ import annotations

import json
import re
import sys
import textwrap
import warnings
from collections.abc import Iterable, Sequence
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Any

from weaklearn.cli.errors import COLUMN_OPTIONS, in_option_terms

if TYPE_CHECKING:
    from weaklearn.tables import Table


def print_json(document: Any) -> None:
    """Print one JSON document."""
    print(json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False))


def print_note(text: str) -> None:
    """Print a line that is not part of the result."""
    print(text, file=sys.stderr)


def notes_in_option_terms(table: Table) -> list[str]:
    """Return the notes of a table with options in place of Python's parameters."""
    return [in_option_terms(note, COLUMN_OPTIONS) for note in table.notes]


def print_notes(table: Table) -> None:
    """Print the notes of a table."""
    for note in notes_in_option_terms(table):
        print_note(f"note: {note}")


def ignore_noted_columns(table: Table) -> None:
    """Leave out the warning about suspicious columns if the notes of the table name them."""
    if any(note.startswith(("column ", "columns ")) for note in table.notes):
        warnings.filterwarnings("ignore", "suspicious columns")


def percent(share: float) -> str:
    """Format a share as a percentage."""
    return f"{100 * share:.2f}%"


def counted(number: int, noun: str) -> str:
    """Format a count with its noun."""
    plural = {"leaf": "leaves", "class": "classes"}.get(noun, noun + "s")
    return f"{number:,} {noun if number == 1 else plural}"


def table_summary(table: Table) -> str:
    """Describe a table in one line."""
    schema = table.schema
    nominal = sum(feature.kind == "nominal" for feature in schema.features)
    kinds = f"{len(schema.features) - nominal} continuous + {nominal} nominal"
    target = f"target {schema.target} ({counted(len(schema.classes), 'class')})"
    return f"{table.name}: {counted(table.n_rows, 'row')}, {kinds}, {target}"


def print_pairs(pairs: Iterable[tuple[str, str]]) -> None:
    """Print lines of a heading and a text, with the texts aligned."""
    pairs = list(pairs)
    width = max(len(heading) for heading, _ in pairs)
    for heading, text in pairs:
        print(f"{heading:<{width}}  {text}")


def print_wrapped(text: str) -> None:
    """Print text as wide as the terminal. Numbered points and indented lines stay lines."""
    width = min(get_terminal_size().columns, 100)
    plain = text.strip().replace("``", "").replace("::", ":")
    for index, paragraph in enumerate(plain.split("\n\n")):
        if index:
            print()
        if paragraph.startswith("    "):
            print(paragraph)
            continue
        for point in re.split(r"\n(?=[0-9]+\. )", paragraph):
            indent = "   " if point[0].isdigit() else ""
            line = " ".join(point.split())
            # A name such as --max-depth or boost-rules stays in one piece.
            print(textwrap.fill(line, width, subsequent_indent=indent, break_on_hyphens=False))


def print_table(
    headings: Sequence[str], rows: Iterable[Sequence[str]], numbers: Sequence[str] = ()
) -> None:
    """Print a table. The columns in ``numbers`` are aligned right."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False, padding=(0, 1, 0, 0))
    for heading in headings:
        right = heading in numbers
        table.add_column(
            heading,
            justify="right" if right else "left",
            no_wrap=right,
            overflow="fold",
        )
    for row in rows:
        table.add_row(*map(Text, row))  # not as markup: a name may contain brackets
    Console(highlight=False).print(table)
