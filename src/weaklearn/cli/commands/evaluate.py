"""``weaklearn evaluate``: cross-validate models on a table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

from weaklearn.cli.class_options import ClassWeight, Cost, class_parameters
from weaklearn.cli.model_kinds import KINDS_OF_MODEL, make_model
from weaklearn.cli.model_options import check_options, parse_models, with_model_options
from weaklearn.cli.output import (
    ignore_noted_columns,
    print_json,
    print_notes,
    print_table,
    table_summary,
)
from weaklearn.cli.read_tables import read_table
from weaklearn.cli.shared_options import (
    AsJson,
    Continuous,
    Data,
    Ignore,
    MissingValues,
    Nominal,
    Target,
    check_jobs,
)
from weaklearn.show.node_text import printable
from weaklearn.user_warnings import warn_user

if TYPE_CHECKING:
    from weaklearn.experiments import Predictions, Results

#: The name of the row that every model has to beat.
MAJORITY = "majority class"

#: A confusion matrix of more classes does not fit into 80 columns.
_MOST_COLUMNS = 8


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
    ignore: Ignore = None,
    missing_values: MissingValues = None,
    class_weight: ClassWeight = None,
    cost: Cost = None,
    jobs: Annotated[
        int,
        typer.Option(
            metavar="N", callback=check_jobs, help="Folds to run at a time; -1 for all processors."
        ),
    ] = 1,
    detail: Annotated[
        bool, typer.Option("--detail", help="Add a confusion matrix and the recall per class.")
    ] = False,
    as_json: AsJson = False,
    **model_options: Any,
) -> None:
    """Cross-validate models on a table, with stratified folds.

    Every model gets the same folds. An option of a model is used by each model that has it. The
    first row is what any model has to beat: the most frequent class, predicted for every row.

    Example:  weaklearn evaluate credit.csv --target class --models c45,bag,boost
    """
    from weaklearn.costs import cost_matrix
    from weaklearn.estimators import C45Classifier

    check_options(models, model_options)
    classifiers = {name: make_model(name, model_options) for name in models}
    table = read_table(data, target, nominal, continuous, ignore, missing_values)
    print_notes(table)
    ignore_noted_columns(table)
    parameters = class_parameters(class_weight, cost, table.schema.classes)
    for classifier in classifiers.values():
        classifier.set_params(**parameters)
    costs = cost_matrix(parameters["costs"], table.schema.classes) if cost else None
    majority = {MAJORITY: C45Classifier(max_depth=0)}  # a leaf without splits
    with _progress((1 + len(classifiers)) * folds * repeats) as advance:
        validate = partial(
            _validate,
            table=table,
            n_folds=folds,
            n_repeats=repeats,
            seed=seed,
            n_jobs=jobs,
            progress=advance,
        )
        outcomes = {name: validate(one) for name, one in (majority | classifiers).items()}
    results = {name: one for name, one in outcomes.items() if not isinstance(one, str)}
    refusals = {name: one for name, one in outcomes.items() if isinstance(one, str)}
    if MAJORITY in refusals:  # the table or the folds are wrong, not a model
        raise ValueError(refusals[MAJORITY])
    if as_json:
        documents = {name: _document(result, costs) for name, result in results.items()}
        failed = {name: {"refused": reason} for name, reason in refusals.items()}
        print_json({"table": table.name, "models": documents | failed})
    else:
        print(table_summary(table))
        times = "" if repeats == 1 else f"{repeats} times "
        print(f"{times}{folds}-fold cross-validation, seed {seed}; mean ± standard error\n")
        _print_results(results, refusals, costs, weighs_classes=bool(class_weight))
        if detail:
            for name in models:
                if name in results:
                    _print_detail(name, results[name])
    if len(refusals) == len(classifiers):
        raise typer.Exit(1)


def _validate(classifier: Any, table: Any, **options: Any) -> Results | str:
    """Cross-validate a classifier, or return why it cannot handle the table."""
    from weaklearn.experiments import cross_validate

    try:
        return cross_validate(classifier, table.X, table.y, **options)
    except (ValueError, TypeError) as error:
        return str(error)


def _document(result: Results, costs: NDArray[np.float64] | None) -> dict[str, Any]:
    if costs is None:
        return result.to_dict()
    return {**result.to_dict(), "mean_cost": _predictions(result).mean_cost(costs)}


def _predictions(result: Results) -> Predictions:
    assert result.predictions is not None, "cross-validation holds back every row"
    return result.predictions


def _print_results(
    results: dict[str, Results],
    refusals: dict[str, str],
    costs: NDArray[np.float64] | None,
    weighs_classes: bool,
) -> None:
    """Print a line per model; mark the models that do not beat the majority class.

    They are compared by what they were asked to lower: the mean cost if there are costs, the
    balanced error if classes have weights, otherwise the error.
    """
    goal = "mean cost" if costs is not None else "balanced error" if weighs_classes else "error"

    def to_beat(result: Results) -> float:
        if costs is not None:
            return _predictions(result).mean_cost(costs)
        return _predictions(result).balanced_error if weighs_classes else result.error.mean

    with_members = any(result.n_members for result in results.values())
    sizes = ("members", "nodes") if with_members else ("nodes", "depth")
    of_cost = () if costs is None else ("mean cost",)
    headings = ("model", *of_cost, "error %", "balanced %", "log loss", "AUC", *sizes)
    rows = []
    for name, result in results.items():
        is_worse = name != MAJORITY and to_beat(result) >= to_beat(results[MAJORITY])
        cost = [] if costs is None else [f"{_predictions(result).mean_cost(costs):.4g}"]
        rows.append([f"{name} *" if is_worse else name, *cost, *_cells(result, sizes)])
    rows += [[name, "refused", *[""] * (len(headings) - 2)] for name in refusals]
    print_table(headings, rows, numbers=headings[1:])
    if any(row[0].endswith(" *") for row in rows):
        print(f"\n* no lower {goal} than the majority class, predicted for every row")
    for name, reason in refusals.items():
        warn_user(f"{name} is left out: {reason}")


def _cells(result: Results, size_headings: Sequence[str]) -> list[str]:
    size_of = {"members": result.n_members, "nodes": result.size, "depth": result.depth}
    sizes = [size_of[heading] for heading in size_headings]
    predictions = _predictions(result)
    return [
        f"{100 * result.error.mean:.2f} ± {100 * result.error.standard_error:.2f}",
        f"{100 * predictions.balanced_error:.2f}",
        f"{predictions.log_loss:.3f}",
        f"{predictions.auc:.3f}",
        *(f"{size.mean:,.{0 if size.mean >= 1000 else 1}f}" if size else "" for size in sizes),
    ]


def _print_detail(name: str, result: Results) -> None:
    """Print a model's training error, its confusion matrix and the recall of each class."""
    predictions = _predictions(result)
    error = result.train_error
    print(f"\n{name}: training error {100 * error.mean:.2f} ± {100 * error.standard_error:.2f} %")
    labels = [printable(label) for label in predictions.labels]
    if len(labels) > _MOST_COLUMNS:
        _print_confusions(labels, predictions)
        return
    print("rows of each class, by predicted class:\n")
    short = [f"({number})" for number in range(1, len(labels) + 1)]
    headings = ("class", *short, "recall %")
    rows = [
        [f"{number} {label}", *(f"{count:g}" for count in counts), f"{100 * recall:.1f}"]
        for number, label, counts, recall in zip(
            short, labels, predictions.confusion, predictions.recalls, strict=True
        )
    ]
    print_table(headings, rows, numbers=headings[1:])


def _print_confusions(labels: list[str], predictions: Predictions) -> None:
    """Print per class the recall and the three classes it is most often taken for."""
    print("rows of each class, and the classes that most of the others are taken for:\n")
    rows = []
    for k, (label, recall) in enumerate(zip(labels, predictions.recalls, strict=True)):
        counts = predictions.confusion[k]
        others = [j for j in np.argsort(-counts, kind="stable") if j != k and counts[j] > 0][:3]
        taken_for = ", ".join(f"{labels[j]} ({counts[j]:g})" for j in others)
        rows.append([label, f"{counts.sum():g}", f"{100 * recall:.1f}", taken_for])
    print_table(("class", "rows", "recall %", "taken for"), rows, numbers=("rows", "recall %"))


@contextmanager
def _progress(total: int) -> Iterator[Callable[[], None]]:
    """Show a progress bar on stderr if it is a terminal."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    console = Console(stderr=True)
    if not console.is_terminal:  # older versions of rich end even a disabled bar with a newline
        yield lambda: None
        return
    columns = (TextColumn("folds"), BarColumn(), MofNCompleteColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=total)
        yield lambda: bar.advance(task)
