"""The figures of mutation testing: both programs add their runs to docs/data/mutation.json."""

from __future__ import annotations

import json
import tomllib
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from record_runs import DocsTable, Run

COMMAND = "python tests/mutation/core_files.py and tests/mutation/python_files.py"
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


def last_run(path: Path, sources: list[str]) -> Run:
    """Return the last recorded run of some files."""
    runs: list[Run] = json.loads(path.read_text(encoding="utf-8"))["runs"]
    return [run for run in runs if run["sources"] == sources][-1]


def record_mutation(path: Path, result: Result) -> None:
    """Add a run."""
    from record_runs import add_run  # imports weaklearn: python_files.py tests altered copies of it

    add_run(path, COMMAND, asdict(result), shares_killed)


def shares_killed(runs: list[Run]) -> dict[str, DocsTable]:
    """Return a table of the mutants that were killed in the last run of each list of files."""
    last = {" ".join(run["sources"]): run for run in runs}
    rows = []
    for sources, run in last.items():
        n_open, n_explained = len(run["survivors"]), len(run.get("explained", []))
        killed = run["tried"] - n_open - n_explained
        names = ", ".join(f"`{name}`" for name in sources.split())
        rows.append([names, *(f"{n:,}" for n in (run["mutants"], run["tried"], killed))])
        rows[-1] += [f"{n_explained:,}", f"{n_open:,}"]
    headings = ["files", "mutants", "tried", "killed", "explained", "not examined"]
    return {"killed": (headings, rows)}
