"""Compute figures of the pages: ``python -m benchmarks.docs_figures [NAME ...]``.

Writes docs/data/NAME.json for each name, or for all. ``make docs-numbers`` then fills the pages.
Times are processor times of one thread, except that of predicting one row.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

from benchmarks.docs_accuracy import (
    boost_odt,
    committees,
    henry07_problems,
    weights_and_costs,
)
from benchmarks.docs_costs import committee_pruning, export, oblique_times, programs, serving
from benchmarks.docs_data import Content, write_docs_data
from benchmarks.docs_rules import rules

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "data"
FILES: dict[str, Callable[[], Content]] = {
    "boost_odt": boost_odt,
    "committee_pruning": committee_pruning,
    "committees": committees,
    "export": export,
    "henry07_problems": henry07_problems,
    "oblique_times": oblique_times,
    "programs": programs,
    "rules": rules,
    "serving": serving,
    "weights_and_costs": weights_and_costs,
}


def main() -> None:
    """Write the files that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.docs_figures", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(FILES))
    names = parser.parse_args().names or list(FILES)
    for name in names:
        if name not in FILES:
            parser.error(f"no file {name!r}; expected some of {', '.join(FILES)}")
    for name in names:
        tables, figures = FILES[name]()
        path = FOLDER / f"{name}.json"
        write_docs_data(path, f"python -m benchmarks.docs_figures {name}", tables, figures)
        print(path.read_text())


if __name__ == "__main__":
    main()
