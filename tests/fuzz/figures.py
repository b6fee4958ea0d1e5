"""The figures of the fuzzers: readers.py and core.py add their runs to docs/data/fuzzing.json."""

from __future__ import annotations

from pathlib import Path

from record_runs import DocsTable, Run, add_run

#: What the inputs of each target of the core are.
CORE = {
    "graph_arrays": "arrays of a graph, which then predicts, explains and is saved",
    "compact_graphs": "arrays of a binary model file, whose graphs then predict and explain",
    "datasets": "arrays of a table and options of a learner, which then fits",
}
#: What the inputs of each target of the readers are.
READERS = {
    "arff": "ARFF files",
    "names": "`.names` files of C4.5",
    "data": "`.data` files of C4.5",
    "csv": "CSV files",
    "tsv": "TSV files",
    "gz": "compressed CSV files",
    "parquet": "Parquet files, mostly their metadata",
    "plan": "plans of experiments",
    "json": "JSON models, which then predict",
    "wl": "binary models, which then predict",
}


def record_fuzzing(path: Path, run: Run) -> None:
    """Add a run of one target."""
    add_run(path, "make fuzz SECONDS=600 RECORD=docs/data/fuzzing.json", run, sums_of_targets)


def sums_of_targets(runs: list[Run]) -> dict[str, DocsTable]:
    """Return tables of the inputs of all targets."""
    headings = ["inputs", "tried"]

    def row(name: str, targets: list[str]) -> list[str]:
        chosen = [run for run in runs if run["target"] in targets]
        return [name, f"{sum(run['inputs'] for run in chosen):,}"]

    return {
        name: (
            headings,
            [*(row(what, [target]) for target, what in targets.items()), row("all", [*targets])],
        )
        for name, targets in (("core", CORE), ("readers", READERS))
    }
