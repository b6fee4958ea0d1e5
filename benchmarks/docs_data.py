"""Write the result files from which ``docs/numbers.py`` fills the tables of the pages."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from weaklearn.files import write_atomically

#: A table: its headings and its rows. Cells are texts and numbers as a page shows them.
DocsTable = tuple[Sequence[str], Sequence[Sequence[Any]]]
#: The tables and the figures of a result file.
Content = tuple[dict[str, DocsTable], dict[str, str]]


def write_docs_data(
    path: Path,
    command: str,
    tables: Mapping[str, DocsTable],
    figures: Mapping[str, str] | None = None,
    **facts: Any,
) -> None:
    """Write tables and figures with the command that makes them and the date.

    Parameters
    ----------
    path : Path
        The file.
    command : str
        What to type to write the file again.
    tables : mapping
        Headings and rows by the name that marks of pages use.
    figures : mapping, optional
        Texts of single figures by name.
    **facts
        What else a reader of the file may want to know.
    """
    document = {"command": command, "date": datetime.now(UTC).date().isoformat(), **facts}
    write_atomically(path, dump(document, tables, figures or {}).encode())


def dump(
    document: Mapping[str, Any], tables: Mapping[str, DocsTable], figures: Mapping[str, str]
) -> str:
    """Return the JSON text of a result file, with one row of a table per line.

    Examples
    --------
    >>> print(dump({"command": "x"}, {"a": (["work"], [["fit"]])}, {}), end="")
    {
     "command": "x",
     "figures": {},
     "tables": {
      "a": {
       "headings": ["work"],
       "rows": [
        ["fit"]
       ]
      }
     }
    }
    """
    facts = json.dumps({**document, "figures": figures}, indent=1, ensure_ascii=False)
    written = []
    for name, (headings, rows) in tables.items():
        lines = ",\n".join(f"    {json.dumps(list(row), ensure_ascii=False)}" for row in rows)
        head = json.dumps(list(headings), ensure_ascii=False)
        written.append(
            f'  {json.dumps(name)}: {{\n   "headings": {head},\n   "rows": [\n{lines}\n   ]\n  }}'
        )
    body = ",\n".join(written)
    return f'{facts[:-2]},\n "tables": {{\n{body}\n }}\n}}\n'
