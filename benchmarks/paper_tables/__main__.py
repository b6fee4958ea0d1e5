"""Write docs/data/PAPER.json for each paper that a folder has the results of."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import benchmarks.paper_tables
from benchmarks.docs_data import Content, write_docs_data
from benchmarks.paper_tables import dietterich96, elomaa01, henry07, quinlan96, tamon00
from benchmarks.paper_tables.paper_results import PaperResults, agreement_figures, read_results

DATA = Path(__file__).resolve().parents[2] / "docs" / "data"
PAPERS: dict[str, Callable[[PaperResults], Content]] = {
    "dietterich96": dietterich96.make_tables,
    "elomaa01": elomaa01.make_tables,
    "henry07": henry07.make_tables,
    "quinlan96": quinlan96.make_tables,
    "tamon00": tamon00.make_tables,
}


def main() -> None:
    """Write the tables of the folder that the command line names."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.paper_tables", description=benchmarks.paper_tables.__doc__
    )
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    folder = parser.parse_args().folder
    papers = [name for name in PAPERS if any((folder / "tables").glob(f"{name}-*.csv"))]
    if not papers:
        parser.error(f"{folder} has no results of {', '.join(PAPERS)}")
    for paper in papers:
        results = read_results(folder, paper)
        tables, figures = PAPERS[paper](results)
        command = f"weaklearn reproduce {paper} --out FOLDER; {parser.prog} FOLDER"
        figures |= agreement_figures(results)
        write_docs_data(DATA / f"{paper}.json", command, tables, figures)


if __name__ == "__main__":
    main()
