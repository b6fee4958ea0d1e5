"""Run benchmarks and report: ``python -m benchmarks [--quick] [--json FILE] [NAME ...]``."""

from __future__ import annotations

import argparse
import os
import platform
from dataclasses import asdict
from importlib import import_module
from importlib.metadata import version
from pathlib import Path

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group
from rich.markup import escape
from rich.table import Table

from benchmarks.docs_data import write_docs_data
from benchmarks.registry import BENCHMARKS, Benchmark, Result, Unit

# Importing these modules registers their benchmarks.
for _name in (
    "files",
    "trees",
    "committees",
    "large_tables",
    "prediction",
    "separators",
    "oblique",
    "explanations",
    "large_file",
):
    import_module(f"benchmarks.{_name}")


def _chosen(names: list[str], quick: bool) -> list[Benchmark]:
    missing = [name for name in names if name not in BENCHMARKS]
    if missing:
        raise SystemExit(f"no benchmark {missing[0]!r}; expected one of: {', '.join(BENCHMARKS)}")
    if names:
        return [BENCHMARKS[name] for name in names]
    return [chosen for chosen in BENCHMARKS.values() if not (quick and chosen.slow)]


def _amount(value: float, unit: Unit) -> str:
    if unit == "times":
        return f"{value:.3g}x"
    if unit == "number":
        return f"{value:.3g}"
    if unit == "bytes":
        return f"{value / 2**20:.3g} MiB"
    for scale, name in ((1, "s"), (1e-3, "ms")):
        if value >= scale / 2:
            return f"{value / scale:.3g} {name}"
    return f"{value * 1e6:.3g} µs"


def _target_text(result: Result) -> str:
    if result.target is None:
        return ""
    if result.ratio is None:
        return "≤ " + _amount(result.target, result.unit)
    return "≥ " + _amount(result.target, "times")


def _cells(result: Result) -> list[str]:
    """Return the texts of a row: work, ours, peer, ratio, target, and whether it is reached."""
    return [
        result.work,
        _amount(result.ours, result.unit),
        "" if result.peer is None else _amount(result.peer, result.unit),
        "" if result.ratio is None else _amount(result.ratio, "times"),
        _target_text(result),
        {True: "reached", False: "missed", None: ""}[result.reached],
    ]


def _report(results: list[Result]) -> Group:
    table = Table(box=SIMPLE_HEAD, show_edge=False, pad_edge=False, collapse_padding=True)
    table.add_column("work")
    for heading in ("ours", "peer", "ratio", "target"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    notes: list[str] = []
    colours = {True: "green", False: "red"}
    for result in results:
        if result.note:
            notes.append(escape(f"{len(notes) + 1}) {result.note}"))
        work, *amounts, verdict = _cells(result)
        table.add_row(
            f"{work} [dim]{len(notes)})[/]" if result.note else work,
            *amounts,
            f"[{colours[result.reached]}]{verdict}[/]" if verdict else "",
        )
    return Group("", table, "", *notes)


def _environment() -> dict[str, str]:
    packages = {name: version(name) for name in ("weaklearn", "scikit-learn", "numpy")}
    load = f"{os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else "unknown"
    return {
        "python": platform.python_version(),
        **packages,
        "machine": platform.machine(),
        "processors": str(os.cpu_count()),
        "load at start": load,
    }


def _write_json(path: Path, results: dict[str, list[Result]], environment: dict[str, str]) -> None:
    """Write all values, and per module of benchmarks the table that a page of the docs shows."""
    values = [
        {"benchmark": name, **asdict(result), "ratio": result.ratio, "reached": result.reached}
        for name, of_benchmark in results.items()
        for result in of_benchmark
    ]
    headings = ("work", "ours", "peer", "ratio", "target", "remark")
    tables: dict[str, tuple[tuple[str, ...], list[list[str]]]] = {}
    for name, of_benchmark in results.items():
        _, rows = tables.setdefault(BENCHMARKS[name].module, (headings, []))
        for result in of_benchmark:
            *cells, target, verdict = _cells(result)
            goal = f"{target}: {verdict}" if target else ""
            rows.append([*cells, goal, result.note])
    command = f"python -m benchmarks {' '.join(results)} --json {path.as_posix()}"
    write_docs_data(path, command, tables, environment=environment, results=values)


def main() -> None:
    """Run the benchmarks that the command line names."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(BENCHMARKS))
    parser.add_argument("--quick", action="store_true", help="skip the slow ones")
    parser.add_argument(
        "--json", type=Path, metavar="FILE", help="also write the results to a file"
    )
    options = parser.parse_args()
    chosen = _chosen(options.names, options.quick)

    console = Console()
    environment = _environment()
    console.print(", ".join(f"{name} {value}" for name, value in environment.items()))
    results = {}
    with Console(stderr=True).status("") as status:
        for selected in chosen:
            status.update(f"running {selected.name}")
            results[selected.name] = list(selected.run())
    console.print(_report([result for report in results.values() for result in report]))
    if options.json is not None:
        _write_json(options.json, results, environment)


if __name__ == "__main__":
    main()
