"""``weaklearn reproduce``: run a paper's experiments and compare the results with the paper."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Annotated

import typer

from weaklearn.cli.output import print_json, print_note
from weaklearn.cli.shared_options import AsJson, check_jobs
from weaklearn.cli.unit_progress import show_progress
from weaklearn.experiments import (
    Plan,
    PlanResults,
    Store,
    code_version,
    papers,
    prepare,
    read_plan,
    run_units,
)


def reproduce(
    paper: Annotated[
        str,
        typer.Argument(metavar="PAPER", help=f"{', '.join(papers())} or all."),
    ],
    quick: Annotated[
        bool, typer.Option("--quick", help="Use fewer repeats and tables: minutes, not hours.")
    ] = False,
    jobs: Annotated[
        int,
        typer.Option(
            metavar="N",
            callback=check_jobs,
            help="Work units to run at a time; -1 for all processors.",
        ),
    ] = -1,
    out: Annotated[
        Path, typer.Option(metavar="DIR", help="The folder for results and report.")
    ] = Path("reproduction"),
    datasets: Annotated[
        str | None,
        typer.Option(metavar="NAMES", help="Use only these tables, separated by commas."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Repeat a paper's experiments and write a report.

    The report shows our results beside the published results. It is DIR/report.html, with tables
    and figures in the same folder. Results are stored in DIR/results.sqlite while the command runs.
    To continue after an interruption, run the same command again.

    Example:  weaklearn reproduce quinlan96 --quick --datasets iris,glass,sonar
    """
    from weaklearn.report import check_installed, make_report_data, write_report
    from weaklearn.report.format_text import duration

    check_installed()
    if out.exists() and not out.is_dir():
        raise ValueError(f"--out {out}: expected a folder, got a file")
    plans = _plans(paper, quick, datasets)
    out.mkdir(parents=True, exist_ok=True)
    print_note("looking for tables")
    ready = [prepare(plan) for plan in plans]
    for prepared in ready:
        absent = {**prepared.absent_tables, **prepared.absent_learners}
        left_out = {name: hint for (_, name), hint in absent.items()}
        for name, hint in left_out.items():
            print_note(f"note: {prepared.plan.paper}: {name} is left out: {hint}")
    units = [unit for prepared in ready for unit in prepared.units]
    start = time.perf_counter()
    code = code_version()
    with Store(out / "results.sqlite", code) as store, show_progress(len(units)) as advance:
        try:
            known = run_units(
                *(units, store),
                n_jobs=jobs,
                progress=advance,
                estimated=lambda seconds, n: print_note(
                    f"about {duration(seconds)} on {n} {'core' if n == 1 else 'cores'}"
                ),
            )
        except KeyboardInterrupt:
            print_note(
                f"interrupted: the results so far are in {out / 'results.sqlite'}; to continue, "
                "run the same command again"
            )
            raise
        digest = store.digest(units)
    content = make_report_data(
        [PlanResults(prepared, known) for prepared in ready],
        code=code,
        digest=digest,
        seconds=sum(stored.seconds for stored in known.values()),
    )
    page = write_report(content, out)
    if as_json:
        facts = ("paper", "verdict", "n_agreeing", "n_differing", "n_too_noisy", "n_not_run")
        verdicts = [{fact: paper[fact] for fact in facts} for paper in content["papers"]]
        print_json({"papers": verdicts, "results": digest, "report": str(page)})
        return
    for line in content["summary"]:
        print(line)
    print(f"\n{len(units):,} units, results {digest[:12]}; {time.perf_counter() - start:.0f} s")
    print(f"report: {page}")


def _plans(paper: str, quick: bool, datasets: str | None) -> list[Plan]:
    plans = [read_plan(name) for name in (papers() if paper == "all" else [paper])]
    if quick and datasets is None:
        return [plan.quick() for plan in plans]
    if datasets is None:
        return plans
    names = [name.strip() for name in datasets.split(",")]
    known = dict.fromkeys(problem for plan in plans for problem in plan.problems)
    for name in names:
        if name not in known:
            raise ValueError(
                f"--datasets: {paper} has no table {name!r}; expected one of {', '.join(known)}"
            )
    chosen = [plan.quick(names) if quick else plan.only(names) for plan in plans]
    return [plan for plan in chosen if plan.problems]
