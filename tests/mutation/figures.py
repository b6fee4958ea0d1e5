"""The figures of mutation testing: both programs add their runs to docs/data/mutation.json."""

from __future__ import annotations

from pathlib import Path

from record_runs import DocsTable, Run, add_run

COMMAND = "python tests/mutation/core_files.py and tests/mutation/python_files.py"


def record_mutation(path: Path, run: Run) -> None:
    """Add a run."""
    add_run(path, COMMAND, run, shares_killed)


def shares_killed(runs: list[Run]) -> dict[str, DocsTable]:
    """Return a table of the mutants that were killed in the last run of each list of files."""
    last = {" ".join(run["sources"]): run for run in runs}
    rows = []
    for sources, run in last.items():
        killed = run["tried"] - len(run["survivors"])
        share = f"{100 * killed / run['tried']:.1f} %"
        names = ", ".join(f"`{name}`" for name in sources.split())
        rows.append([names, f"{run['mutants']:,}", f"{run['tried']:,}", f"{killed:,}", share])
    return {"killed": (["files", "mutants", "tried", "killed", "share"], rows)}
