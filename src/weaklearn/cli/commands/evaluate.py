"""``weaklearn evaluate``: cross-validate models on a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weaklearn.cli.model_kinds import KINDS_OF_MODEL, make_model
from weaklearn.cli.model_options import check_options, parse_models, with_model_options
from weaklearn.cli.output import print_json, print_note, print_table, table_summary
from weaklearn.cli.read_tables import read_table
from weaklearn.cli.shared_options import AsJson, Continuous, Data, Nominal, Target, check_jobs

if TYPE_CHECKING:
    from weaklearn.experiments import Estimate, Results


@with_model_options
def evaluate(
    data: Data,
    target: Target = None,
    models: Annotated[
        Any,
        typer.Option(
            parser=parse_models,
            metavar="NAMES",
            help=f"Kinds of model, separated by commas: {KINDS_OF_MODEL}.",
        ),
    ] = "c45",
    folds: Annotated[int, typer.Option(metavar="N", help="The number of folds.")] = 10,
    repeats: Annotated[
        int, typer.Option(metavar="N", help="How many times to cross-validate, with new folds.")
    ] = 1,
    seed: Annotated[int, typer.Option(metavar="N", help="The seed for drawing the folds.")] = 0,
    nominal: Nominal = None,
    continuous: Continuous = None,
    jobs: Annotated[
        int,
        typer.Option(
            metavar="N", callback=check_jobs, help="Folds to run at a time; -1 for all processors."
        ),
    ] = 1,
    as_json: AsJson = False,
    **model_options: Any,
) -> None:
    """Cross-validate models on a table, with stratified folds.

    Every model gets the same folds. An option of a model is used by each model that has it.

    Example:  weaklearn evaluate credit.csv --target class --models c45,bag,boost
    """
    from weaklearn.experiments import cross_validate

    check_options(models, model_options)
    classifiers = {name: make_model(name, model_options) for name in models}
    table = read_table(data, target, nominal, continuous)
    for note in table.notes:
        print_note(f"note: {note}")
    with _progress(len(classifiers) * folds * repeats) as advance:
        results = {
            name: cross_validate(
                classifier,
                table.X,
                table.y,
                n_folds=folds,
                n_repeats=repeats,
                seed=seed,
                n_jobs=jobs,
                progress=advance,
            )
            for name, classifier in classifiers.items()
        }
    if as_json:
        documents = {name: result.to_dict() for name, result in results.items()}
        print_json({"table": table.name, "models": documents})
        return
    print(table_summary(table))
    times = "" if repeats == 1 else f"{repeats} times "
    print(f"{times}{folds}-fold cross-validation, seed {seed}; mean ± standard error\n")
    # Only a single tree has a number of leaves and a depth.
    with_committees = any(result.n_members for result in results.values())
    size_headings = ("members", "nodes") if with_committees else ("nodes", "leaves", "depth")
    headings = ("model", "error %", "training %", *size_headings)
    rows = [[name, *_cells(result, size_headings)] for name, result in results.items()]
    print_table(headings, rows, numbers=headings[1:])


def _cells(result: Results, size_headings: Sequence[str]) -> list[str]:
    size_of = {
        "members": result.n_members,
        "nodes": result.size,
        "leaves": result.n_leaves,
        "depth": result.depth,
    }
    sizes = [size_of[heading] for heading in size_headings]
    return [
        _cell(result.error, 100, 2),
        _cell(result.train_error, 100, 2),
        *(_cell(size, 1, 1) if size else "" for size in sizes),
    ]


def _cell(value: Estimate, scale: float, digits: int) -> str:
    return f"{scale * value.mean:.{digits}f} ± {scale * value.standard_error:.{digits}f}"


@contextmanager
def _progress(total: int) -> Iterator[Callable[[], None]]:
    """Show a progress bar on stderr if it is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    columns = (TextColumn("folds"), BarColumn(), MofNCompleteColumn())
    console = Console(stderr=True)
    with Progress(
        *columns, console=console, transient=True, disable=not console.is_terminal
    ) as bar:
        task = bar.add_task("", total=total)
        yield lambda: bar.advance(task)
