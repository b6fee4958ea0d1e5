"""What every command prints with: results on stdout, remarks on stderr."""

from __future__ import annotations

import json
import re
import sys
import textwrap
from collections.abc import Iterable, Sequence
from shutil import get_terminal_size
from typing import Annotated, Any

import typer

AsJson = Annotated[bool, typer.Option("--json", help="Print one JSON document instead.")]


def print_json(document: Any) -> None:
    """Print one JSON document."""
    print(json.dumps(document, indent=2, ensure_ascii=False, allow_nan=False))


def remark(text: str) -> None:
    """Say something that is not part of the result."""
    print(text, file=sys.stderr)


def percent(share: float) -> str:
    """Write a share as a percentage."""
    return f"{100 * share:.2f}%"


def counted(number: int, noun: str) -> str:
    """Write a number with its noun."""
    plural = {"leaf": "leaves", "class": "classes"}.get(noun, noun + "s")
    return f"{number:,} {noun if number == 1 else plural}"


def print_pairs(pairs: Iterable[tuple[str, str]]) -> None:
    """Print a column of headings, and beside each what it is about."""
    pairs = list(pairs)
    width = max(len(heading) for heading, _ in pairs)
    for heading, text in pairs:
        print(f"{heading:<{width}}  {text}")


def print_wrapped(docstring: str) -> None:
    """Print a docstring as wide as the terminal; numbered points stay points."""
    width = min(get_terminal_size().columns, 100)
    plain = docstring.strip().replace("``", "")
    for number, paragraph in enumerate(plain.split("\n\n")):
        if number:
            print()
        for point in re.split(r"\n(?=[0-9]+\. )", paragraph):
            indent = "   " if point[0].isdigit() else ""
            print(textwrap.fill(" ".join(point.split()), width, subsequent_indent=indent))


def print_table(
    headings: Sequence[str], rows: Iterable[Sequence[str]], numbers: Sequence[str] = ()
) -> None:
    """Print a table; the columns in ``numbers`` are set flush right."""
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    for heading in headings:
        right = heading in numbers
        table.add_column(
            heading,
            justify="right" if right else "left",
            no_wrap=right,
            overflow="fold",
        )
    for row in rows:
        table.add_row(*map(Text, row))  # as text: a name may look like markup
    Console(highlight=False).print(table)
