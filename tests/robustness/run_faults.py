"""Run the scripts that inject faults: ``run_faults.py FILE`` runs all and records the figures.

FILE is docs/data/faults.json. Every allocation fails once, and 1,000 fits are interrupted: a few
minutes.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent.parent)]


def fail_allocations(folder: Path, step: int) -> list[str]:
    """Let every `step`-th allocation fail once, and return the lines that the script prints.

    `folder` takes the compiled library. Raises a FileNotFoundError if there is no compiler.
    """
    compiler = shutil.which("c++") or shutil.which("g++")
    if compiler is None:
        raise FileNotFoundError("a C++ compiler is needed")
    library = folder / "failing_new.so"
    source = HERE / "failing_new.cpp"
    subprocess.run(
        [compiler, "-std=c++17", "-shared", "-fPIC", source, "-o", library], check=True, timeout=600
    )
    return _lines_of("fail_allocations.py", str(library), str(step), LD_PRELOAD=str(library))


def interrupt_fits(count: int, seed: int = 0) -> list[str]:
    """Interrupt so many fits at random lines, and return the lines that the script prints."""
    return _lines_of("interrupt_fits.py", str(count), str(seed))


def _lines_of(script: str, *arguments: str, **variables: str) -> list[str]:
    command = [sys.executable, str(HERE / script), *arguments]
    done = subprocess.run(command, env={**os.environ, **variables}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout.splitlines()


def record(path: Path) -> None:
    """Inject all faults and write a result file for docs/robustness.md."""
    from benchmarks.docs_data import write_docs_data

    with tempfile.TemporaryDirectory() as folder:
        allocations = _numbers(fail_allocations(Path(folder), 1))
    interrupts = _numbers(interrupt_fits(1000, 7))
    figures = {"classifiers": str(len(allocations))}
    for name, column in (("fits", 0), ("predictions", 1)):
        figures[name] = f"{sum(row[column] for row in allocations.values()):,}"
    for column, name in enumerate(("raised", "kept", "finished")):
        figures[name] = f"{sum(row[column] for row in interrupts.values()):,}"
    write_docs_data(
        path,
        "python tests/robustness/run_faults.py docs/data/faults.json",
        {},
        figures,
        # For each classifier: fits and predictions that failed; fits that raised, kept, finished.
        allocations=allocations,
        interrupts=interrupts,
    )


def _numbers(lines: list[str]) -> dict[str, list[int]]:
    """Return the numbers behind the name that each line starts with."""
    return {
        name.rstrip(":"): [int(number) for number in re.findall(r"\b\d+\b", rest)]
        for name, rest in (line.split(" ", 1) for line in lines)
    }


if __name__ == "__main__":
    record(Path(sys.argv[1]))
