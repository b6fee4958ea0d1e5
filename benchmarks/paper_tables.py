"""Make the tables of docs/papers/quinlan96.md from the results of ``weaklearn reproduce``.

``weaklearn reproduce quinlan96 --out FOLDER``, then ``python -m benchmarks.paper_tables FOLDER``
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from benchmarks.docs_data import Content, write_docs_data

OUTPUT = Path(__file__).resolve().parent.parent / "docs" / "data" / "quinlan96.json"
#: How the page names the columns of the table of errors, and those that are compared.
SHORT = {
    "C4.5": "C4.5",
    "bagged": "bag",
    "boosted": "boost",
    "boosted, votes by confidence": "conf.",
}
PAIRS = {
    ("bag", "C4.5"): "table-1-bagged-against-c4-5",
    ("boost", "C4.5"): "table-1-boosted-against-c4-5",
    ("boost", "bag"): "table-1-boosted-against-bagged",
}


def texts(values: Sequence[float], digits: int) -> list[str]:
    """Write numbers, and their mean at the end."""
    return [f"{value:.{digits}f}" for value in (*values, np.mean(values))]


def tables_of(folder: Path) -> Content:
    """Return the errors, their ratios, and on how many tables one is lower."""
    cells = pd.read_csv(folder / "tables" / "quinlan96-table-1-test-error.csv")
    cells = cells[cells["ours"].notna() & (cells["problem"] != "mean")]
    problems = list(dict.fromkeys(cells["problem"]))
    cells = cells.assign(column=cells["column"].map(SHORT))
    ours, paper = (
        cells.pivot_table(values, "problem", "column").loc[problems] for values in ("ours", "paper")
    )
    errors: dict[str, list[str]] = {}
    headings = ["table"]
    for name in SHORT.values():
        headings.append(name)
        errors[name] = texts(ours[name], 2)
        if name in paper:
            headings.append("paper")
            errors[f"paper {name}"] = texts(paper[name], 2)
    names = [*problems, "mean"]
    rows = [list(row) for row in zip(names, *errors.values(), strict=True)]
    ratios: list[list[str]] = []
    ratio_headings = ["table"]
    figures = {"n-tables": str(len(problems))}
    for (first, second), file in PAIRS.items():
        counts = pd.read_csv(folder / "tables" / f"quinlan96-{file}.csv").set_index("problem")
        ratio_headings += ["w-l", f"{first} / {second}", "paper"]
        counts = counts.loc[problems]
        won = [f"{w:.0f}-{x:.0f}" for w, x in zip(counts["wins"], counts["losses"], strict=True)]
        ratios += [[*won, ""], texts(ours[first] / ours[second], 3)]
        ratios.append(texts(paper[first] / paper[second], 3))
    for first, second in (*PAIRS, ("conf.", "boost")):
        key = f"{first}-{second}".replace(".", "").lower()
        # Means of the same counts may differ in the last bits.
        difference = (ours[first] - ours[second]).round(9)
        figures[f"{key}-lower"] = str((difference < 0).sum())
        figures[f"{key}-higher"] = str((difference > 0).sum())
    gain = 1 - ours["conf."].mean() / ours["boost"].mean()
    figures["confidence-gain"] = f"{100 * gain:.1f}"
    ratio_rows = [list(row) for row in zip(names, *ratios, strict=True)]
    return {"errors": (headings, rows), "ratios": (ratio_headings, ratio_rows)}, figures


def main() -> None:
    """Write the tables of the folder that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.paper_tables", description=__doc__)
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    command = "weaklearn reproduce quinlan96 --out FOLDER; python -m benchmarks.paper_tables FOLDER"
    write_docs_data(OUTPUT, command, *tables_of(parser.parse_args().folder))


if __name__ == "__main__":
    main()
