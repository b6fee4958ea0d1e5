"""``weaklearn reproduce``: a paper's tables and figures from our code, beside its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from weaklearn.cli.output import remark

if TYPE_CHECKING:
    from weaklearn.experiments import Plan, Progress

_EVERY = 15.0  # seconds between two lines of progress, where there is no terminal


def reproduce(
    paper: Annotated[
        str,
        typer.Argument(
            metavar="PAPER", help="dietterich96, elomaa01, henry07, quinlan96, tamon00, or all."
        ),
    ],
    quick: Annotated[
        bool, typer.Option("--quick", help="Fewer repeats and problems: minutes, not hours.")
    ] = False,
    jobs: Annotated[
        int, typer.Option(metavar="N", help="Units at a time; -1 for all processors.")
    ] = -1,
    out: Annotated[Path, typer.Option(metavar="DIR", help="Where results and report go.")] = Path(
        "reproduction"
    ),
    datasets: Annotated[
        str | None,
        typer.Option(metavar="NAMES", help="Only these problems, separated by commas."),
    ] = None,
) -> None:
    """Do a paper's experiments again, and write a page with ours beside the paper's.

    Results go to DIR/results.sqlite as they come: the same command, given again after it was
    stopped, goes on from there. The page is DIR/report.html; tables and figures lie beside it.

    Example:  weaklearn reproduce quinlan96 --quick --datasets iris,glass,sonar
    """
    from weaklearn.experiments import PlanResults, Store, code_version, prepare, run_units
    from weaklearn.report import check_installed, make_report_data, write_report
    from weaklearn.report.format_numbers import duration

    check_installed()
    plans = _plans(paper, quick, datasets)
    out.mkdir(parents=True, exist_ok=True)
    remark("looking for tables")
    ready = [prepare(plan) for plan in plans]
    for one in ready:
        absent = {**one.absent_tables, **one.absent_learners}
        left_out = {name: how for (_, name), how in absent.items()}
        for name, how in left_out.items():
            remark(f"note: {one.plan.paper}: {name} is left out: {how}")
    units = [unit for one in ready for unit in one.units]
    start = time.perf_counter()
    code = code_version()
    with Store(out / "results.sqlite", code) as store, _progress(len(units)) as advance:
        try:
            known = run_units(
                *(units, store),
                n_jobs=jobs,
                progress=advance,
                estimated=lambda seconds, n: remark(
                    f"about {duration(seconds)} on {n} {'core' if n == 1 else 'cores'}"
                ),
            )
        except KeyboardInterrupt:
            remark(f"stopped: what is done is in {out / 'results.sqlite'}; type the same again")
            raise
        digest = store.digest(units)
    content = make_report_data(
        [PlanResults(one, known) for one in ready],
        code=code,
        digest=digest,
        seconds=sum(stored.seconds for stored in known.values()),
    )
    page = write_report(content, out)
    for line in content["summary"]:
        print(line)
    print(f"\n{len(units):,} units, results {digest[:12]}; {time.perf_counter() - start:.0f} s")
    print(f"the page: {page}")


def _plans(paper: str, quick: bool, datasets: str | None) -> list[Plan]:
    from weaklearn.experiments import papers, read_plan

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
                f"there is no problem {name!r} in {paper}; expected {', '.join(known)}"
            )
    chosen = [plan.quick(names) if quick else plan.only(names) for plan in plans]
    return [plan for plan in chosen if plan.problems]


@contextmanager
def _progress(total: int) -> Iterator[Callable[[Progress], None]]:
    """Show how far the run is and how long it will take, on stderr."""
    from rich import progress as bars
    from rich.console import Console

    console = Console(stderr=True)
    if not console.is_terminal:
        last = time.monotonic()

        def tell(now: Progress) -> None:
            nonlocal last
            if time.monotonic() - last > _EVERY:
                last = time.monotonic()
                remark(f"{now.n_done:,} of {now.n_units:,} units{_time_left(now)}")

        yield tell
        return
    left = bars.TextColumn("{task.fields[left]}")
    columns = (bars.BarColumn(), bars.MofNCompleteColumn(), left)
    with bars.Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=total, left="")
        yield lambda now: bar.update(task, completed=now.n_done, left=_time_left(now).lstrip(", "))


def _time_left(now: Progress) -> str:
    from weaklearn.report.format_numbers import duration

    return "" if now.seconds_remaining is None else f", {duration(now.seconds_remaining)} left"
