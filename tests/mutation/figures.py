"""The figures of mutation testing: both programs add their runs to docs/data/mutation.json.

``python tests/mutation/figures.py`` writes the reasons of unnoticed.toml and the sums again.
"""

from __future__ import annotations

import json
import re
import sys
import tomllib
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from record_runs import DocsTable, Run

COMMAND = "python tests/mutation/core_files.py and tests/mutation/python_files.py"
ROOT = Path(__file__).resolve().parent.parent.parent
#: The mutants that no test can notice, with reasons.
UNNOTICED = Path(__file__).resolve().parent / "unnoticed.toml"


@dataclass
class Result:
    """What came of the mutants of some files."""

    sources: list[str]
    mutants: int
    tried: int
    seed: int
    survivors: list[str] = field(default_factory=list)
    explained: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        killed = self.tried - len(self.survivors) - len(self.explained)
        return (
            f"{', '.join(self.sources)}: of {self.tried} mutants, {killed} were killed, and "
            f"{len(self.explained)} cannot be noticed; there are {self.mutants}"
        )


def why_unnoticed() -> dict[str, str]:
    """Return the reason for each mutant that cannot be noticed."""
    groups = tomllib.loads(UNNOTICED.read_text(encoding="utf-8"))["group"]
    return {mutant: group["reason"] for group in groups for mutant in group["mutants"]}


def key_of(survivor: str) -> str:
    """Return the name of a survivor without the number of its line, as in unnoticed.toml."""
    return re.sub(r":\d+:", ":", survivor, count=1)


def last_run(path: Path, sources: list[str]) -> Run:
    """Return the last recorded run of some files."""
    runs: list[Run] = json.loads(path.read_text(encoding="utf-8"))["runs"]
    return [run for run in runs if run["sources"] == sources][-1]


def record_mutation(path: Path, result: Result) -> None:
    """Add a run."""
    from record_runs import add_run  # imports weaklearn: python_files.py tests altered copies of it

    survivors = _with_reasons([*result.survivors, *result.explained])
    facts = {"sources": result.sources, "mutants": result.mutants, "seed": result.seed}
    run = {**facts, "tried": result.tried, "survivors": survivors}
    add_run(path, COMMAND, run, shares_killed)


def _with_reasons(survivors: list[str]) -> dict[str, str]:
    """Return the reason of each survivor; it is empty if none is known."""
    reasons = why_unnoticed()
    return {name: reasons.get(key_of(name), "") for name in survivors}


def shares_killed(runs: list[Run]) -> dict[str, DocsTable]:
    """Return a table of the mutants that were killed in the last run of each list of files."""
    last = {" ".join(run["sources"]): run for run in runs}
    rows = []
    for sources, run in last.items():
        explained = sum(bool(reason) for reason in run["survivors"].values())
        killed = run["tried"] - len(run["survivors"])
        counts = [run["mutants"], run["tried"], killed, explained]
        counts.append(len(run["survivors"]) - explained)
        names = ", ".join(f"`{name}`" for name in sources.split())
        rows.append([names, *(f"{count:,}" for count in counts)])
    headings = ["files", "mutants", "tried", "killed", "explained", "open"]
    return {"killed": (headings, rows)}


def main() -> None:
    """Write reasons and sums again."""
    from record_runs import write_docs_data

    path = ROOT / "docs/data/mutation.json"
    runs = json.loads(path.read_text(encoding="utf-8"))["runs"]
    for run in runs:
        run["survivors"] = _with_reasons(list(run["survivors"]))
    write_docs_data(path, COMMAND, shares_killed(runs), runs=runs)


if __name__ == "__main__":
    sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
    main()
