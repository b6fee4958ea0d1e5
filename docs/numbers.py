"""Fill the figures of the pages from the result files in docs/data.

``python docs/numbers.py`` writes the marked regions of the pages again; with ``--check`` it changes
nothing, prints the regions that differ from their files, and ends with status 1 then. A region is

    <!-- from docs/data/speed.json: trees -->
    | work | ours |
    ...
    <!-- end -->

for a table, or ``<!-- from docs/data/speed.json: nodes -->257,988<!-- end -->`` for one figure of
a sentence, but not at the start of a line, which Markdown would take for HTML. The name
``trees[letter, ours]`` stands for a cell of a table: the row that starts with ``letter``, and the
first column with the heading ``ours``. Where several rows start with the same text, the name has
more of their cells: ``pruned[auto, 0.5, kp]``.

A result file is a JSON document with ``command`` (what writes it), ``date``, and ``tables``
(``headings`` and ``rows`` by name) or ``figures`` (texts by name).
"""

from __future__ import annotations

import json
import re
import sys
from itertools import accumulate
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
REGION = re.compile(
    r"(?P<start><!-- from (?P<file>docs/data/[\w-]+\.json): (?P<name>[\w-]+)"
    r"(?:\[(?P<cell>[^]]+)\])? -->)"
    r"(?P<content>.*?)<!-- end -->",
    re.DOTALL,
)
#: A number, perhaps with a unit, perhaps bold.
NUMBER = re.compile(r"\**[-+−]?[\d.,]+(?:e[-+]?\d+)?(?: ?(?:%|s|ms|µs|[kMG]i?B))?\**")
#: What a cell has behind its number: the deviation, or whether it agrees with a paper.
REMARK = re.compile(r"(?<=\d) (?:± [\d.]+|[=~x])$")


def list_pages(root: Path = ROOT) -> list[Path]:
    """Return the files that may have regions."""
    pages = [root / "README.md", root / "CONTRIBUTING.md", *sorted((root / "docs").rglob("*.md"))]
    return [page for page in pages if page.is_file()]


def is_numeric(cells: list[str]) -> bool:
    """Return whether all cells of a column are numbers, or empty."""
    return any(cells) and all(not cell or NUMBER.fullmatch(cell) for cell in cells)


def render(document: dict[str, Any], name: str) -> str:
    """Return a table of a result file in Markdown, or one of its figures."""
    if name in document.get("figures", {}):
        return str(document["figures"][name])
    table = document["tables"][name]
    lines = [
        f"| {' | '.join(str(cell) for cell in row)} |".replace("|  |", "| |").replace("|  |", "| |")
        for row in (table["headings"], *table["rows"])
    ]
    columns = [[str(cell) for cell in column] for column in zip(*table["rows"], strict=True)]
    lines.insert(1, "|" + "".join("---:|" if is_numeric(cells) else "---|" for cells in columns))
    return "\n".join(["", *lines, ""])


def render_cell(table: dict[str, Any], name: str) -> str:
    """Return the cell of the row and the heading that a name has, with a comma between them.

    The bold type of a table, its notes (``*``), deviations (``± 0.3``) and verdicts (``=``, ``~``,
    ``x``) do not belong to a sentence.
    """
    found = []
    for comma in re.finditer(", ", name):
        # Cells and headings may have commas too.
        row, heading = name[: comma.start()], name[comma.end() :]
        if heading in table["headings"]:
            column = table["headings"].index(heading)
            rows = ([str(cell) for cell in cells] for cells in table["rows"])
            found += [
                cells[column]
                for cells in rows
                if row in accumulate(cells, lambda start, cell: f"{start}, {cell}")
            ]
    if len(found) != 1:
        starts = ", ".join(str(cells[0]) for cells in table["rows"])
        raise SystemExit(
            f"{len(found)} cells of a table have the name {name!r}; expected a row of {starts} "
            f"and a heading of {', '.join(table['headings'])}"
        )
    return REMARK.sub("", found[0].strip("*"))


def fill(text: str, root: Path = ROOT) -> str:
    """Return the text of a page with its regions filled from their files."""

    def replace(region: re.Match[str]) -> str:
        document = json.loads((root / region["file"]).read_text(encoding="utf-8"))
        names = [*document.get("tables", {}), *document.get("figures", {})]
        if region["name"] not in names:
            raise SystemExit(
                f"{region['file']} has no {region['name']!r}; expected one of {', '.join(names)}"
            )
        content = (
            render(document, region["name"])
            if region["cell"] is None
            else render_cell(document["tables"][region["name"]], region["cell"])
        )
        return f"{region['start']}{content}<!-- end -->"

    return REGION.sub(replace, text)


def main() -> int:
    """Fill or check all pages."""
    is_check = "--check" in sys.argv[1:]
    changed = 0
    for page in list_pages():
        old = page.read_text(encoding="utf-8")
        new = fill(old)
        if new == old:
            continue
        changed += 1
        print(f"{page.relative_to(ROOT)} {'differs from docs/data' if is_check else 'is filled'}")
        if not is_check:
            page.write_text(new, encoding="utf-8")
    return 1 if is_check and changed else 0


if __name__ == "__main__":
    sys.exit(main())
