"""Write docs/data/NAME.json from the Markdown tables that an example prints.

``python examples/EXAMPLE.py > FILE``, then ``python -m benchmarks.printed_tables NAME FILE``
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

from benchmarks.docs_data import DocsTable, write_docs_data

DATA = Path(__file__).resolve().parent.parent / "docs" / "data"
#: By name of the file: the command that prints the tables, and how pages name them, in order.
PRINTED: dict[str, tuple[str, tuple[str, ...]]] = {
    "boosted_criteria": ("boosted_criteria.py", ("errors", "sign-tests")),
    "elomaa01_boosted": ("elomaa01_boosted.py --repeats 1", ("errors", "totals", "needed")),
    "elomaa01_levels": ("elomaa01_settings.py --levels", ("levels",)),
    "elomaa01_settings": ("elomaa01_settings.py", ("uci", "synthetic")),
    "elomaa01_xor": ("elomaa01_xor.py", ("truth-tables", "samples")),
    "tamon00_variants": (
        "tamon00_variants.py results.sqlite",
        (
            *("variants", "auto", "crx", "letter", "monk1", "monk2", "promoter", "soybean"),
            "waveform",
        ),
    ),
}


def find_tables(text: str) -> Iterator[DocsTable]:
    """Return the Markdown tables of a text, in order.

    Examples
    --------
    >>> list(find_tables("Errors:\\n\\n| table | % |\\n| --- | ---: |\\n| iris | 5.3 |\\n"))
    [(['table', '%'], [['iris', '5.3']])]
    """
    for is_table, lines in groupby(text.splitlines(), lambda line: line.startswith("|")):
        if is_table:
            headings, _, *rows = [
                [cell.strip() for cell in line.strip()[1:-1].split("|")] for line in lines
            ]
            yield headings, rows


def main() -> None:
    """Write the file that the command line names."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.printed_tables", description=__doc__
    )
    parser.add_argument("name", choices=PRINTED, metavar="NAME", help=", ".join(PRINTED))
    parser.add_argument("file", type=Path, metavar="FILE", help="what the example has printed")
    options = parser.parse_args()
    example, names = PRINTED[options.name]
    tables = list(find_tables(options.file.read_text(encoding="utf-8")))
    if len(tables) != len(names):
        parser.error(f"{options.file} has {len(tables)} tables; expected {', '.join(names)}")
    command = f"python examples/{example} > FILE; {parser.prog} {options.name} FILE"
    path = DATA / f"{options.name}.json"
    write_docs_data(path, command, dict(zip(names, tables, strict=True)))


if __name__ == "__main__":
    main()
