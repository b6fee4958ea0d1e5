"""Result files of long runs of tests, such as docs/data/fuzzing.json: they collect the runs."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
sys.path.append(str(ROOT))

from benchmarks.docs_data import DocsTable, write_docs_data  # noqa: E402

Run = dict[str, Any]


def add_run(
    path: Path, command: str, run: Run, summarise: Callable[[list[Run]], dict[str, DocsTable]]
) -> None:
    """Add a run, with the date and the last commit of the tested code, and write the sums again."""
    runs = json.loads(path.read_text(encoding="utf-8"))["runs"] if path.exists() else []
    log = ["git", "log", "-1", "--format=%h", "--abbrev=10", "--", "core", "bindings", "src"]
    commit = subprocess.run(log, capture_output=True, text=True, cwd=ROOT).stdout.strip()
    runs.append({**run, "commit": commit, "date": datetime.now(UTC).date().isoformat()})
    path.parent.mkdir(parents=True, exist_ok=True)
    write_docs_data(path, command, summarise(runs), runs=runs)
