"""Measure the memory of fits with bins: ``python -m benchmarks.memory_figures``.

It writes docs/data/memory.json. Each fit runs in a process of its own. The largest table takes ten
minutes or more.
"""

from __future__ import annotations

from pathlib import Path

from benchmarks.docs_data import write_docs_data
from benchmarks.large_file import run_both
from benchmarks.timing import in_fresh_process

OUTPUT = Path(__file__).resolve().parent.parent / "docs" / "data" / "memory.json"
_WORK = {
    "leaves": "one tree of 31 leaves",
    "boosted": "boosting three trees of 31 leaves",
    "tree": "one pruned C4.5 tree",
    "bagged": "bagging three pruned C4.5 trees",
}
_ROWS = 2_000_000
_GOAL = 1.5 * 20 + 16
_ROWS_IN_BATCHES = 10_000_000


def main() -> None:
    """Measure all fits and write the figures."""
    rows = []
    for learner, work in _WORK.items():
        peak, _, trees = in_fresh_process("-m", "benchmarks.memory", str(_ROWS), learner)
        verdict = "reached" if peak <= _GOAL * _ROWS else "missed"
        of_trees = f"{trees / _ROWS:.1f}"
        rows.append([work, f"{peak / _ROWS:.0f}", of_trees, f"{_GOAL:.0f}, {verdict}"])
        print(*rows[-1], sep=": ", flush=True)
    runs = dict(zip(("scan", "memory"), run_both(_ROWS_IN_BATCHES), strict=True))
    figures = {}
    for name, run in runs.items():
        figures[f"{name}-size"] = f"{run.most_bytes / 1e9:.2f} GB"
        figures[f"{name}-processor"] = f"{run.processor_seconds:.0f} s"
        figures[f"{name}-time"] = f"{run.seconds:.0f} s"
    table = (["fit", "bytes per row", "of these, its trees", "goal"], rows)
    write_docs_data(OUTPUT, "python -m benchmarks.memory_figures", {"bins": table}, figures)


if __name__ == "__main__":
    main()
