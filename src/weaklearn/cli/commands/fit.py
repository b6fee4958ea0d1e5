"""``weaklearn fit``: fit a model to a table and save it."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from weaklearn.cli.class_options import ClassWeight, Cost, class_parameters
from weaklearn.cli.describe_model import describe
from weaklearn.cli.errors import INTERRUPTED
from weaklearn.cli.model_kinds import KINDS_OF_MODEL, MODELS, make_model
from weaklearn.cli.model_options import check_options, parse_model, with_model_options
from weaklearn.cli.output import (
    counted,
    ignore_noted_columns,
    percent,
    print_json,
    print_note,
    print_notes,
    print_pairs,
    table_summary,
)
from weaklearn.cli.read_tables import all_missing_values, read_table
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
from weaklearn.models.saving import check_model_path


@with_model_options
def fit(
    data: Data,
    output: Annotated[
        Path,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Save the model in this file: .wl, .json or .json.gz. An existing file is "
            "replaced.",
        ),
    ],
    target: Target = None,
    model: Annotated[
        str,
        typer.Option(
            parser=parse_model, metavar="NAME", help=f"The kind of model: {KINDS_OF_MODEL}."
        ),
    ] = "c45",
    nominal: Nominal = None,
    continuous: Continuous = None,
    ignore: Ignore = None,
    missing_values: MissingValues = None,
    class_weight: ClassWeight = None,
    cost: Cost = None,
    seed: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, help="The seed of a committee's samples.  [default: 0]"),
    ] = None,
    jobs: Annotated[
        int,
        typer.Option(metavar="N", callback=check_jobs, help="Threads; -1 for all processors."),
    ] = 1,
    as_json: AsJson = False,
    **model_options: Any,
) -> None:
    """Fit a model to a table and save it.

    Ctrl-C ends the fit of a committee early. The members fitted so far are saved.

    Example:  weaklearn fit credit.csv --target class -o credit.json
    """
    _check_output(output)
    check_options([model], model_options)
    classifier = make_model(
        model,
        model_options,
        n_jobs=jobs,
        ignore=ignore or None,
        missing_values=all_missing_values(data, missing_values),
        **_settings(model, seed, model_options),
    )
    table = read_table(data, target, nominal, continuous, ignore, missing_values)
    print_notes(table)
    classifier.set_params(**class_parameters(class_weight, cost, table.schema.classes))
    # The model knows the ignored columns, so that it leaves them out of other files too.
    X = table.X.assign(**dict.fromkeys(ignore or (), np.nan))
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "interrupted after")  # printed below
        ignore_noted_columns(table)
        classifier.fit(X, table.y)
    wrong = int((classifier.predict(X) != np.asarray(table.y)).sum())
    classifier.save(output)
    description = describe(classifier)
    if as_json:
        print_json(
            {
                "model": model,
                "saved": str(output),
                "target": table.schema.target,
                "rows": table.n_rows,
                **description.document,
                "training_errors": wrong,
                "training_error": wrong / table.n_rows,
            }
        )
    else:
        print(table_summary(table))
        share = f"{percent(wrong / table.n_rows)} ({wrong:,} of {table.n_rows:,} rows)"
        saved = f"{output}   (to print it: weaklearn show {output})"
        first, *others = description.lines
        print_pairs([first, ("training error", share), *others, ("saved in", saved)])
    if getattr(classifier, "interrupted_", False):
        members = counted(len(classifier), "member")
        print_note(f"interrupted: {output} has the committee so far, {members}")
        raise typer.Exit(INTERRUPTED)


def _settings(model: str, seed: int | None, given: Mapping[str, Any]) -> dict[str, Any]:
    """Return the seed of models that have one, and whether a committee shows a progress bar."""
    kind = MODELS[model]
    has_seed = kind.depends_on_seed(given)
    if seed is not None and not has_seed:
        raise ValueError(f"--seed: the model {model} does not depend on a seed; leave it out")
    settings: dict[str, Any] = {"random_state": seed or 0} if has_seed else {}
    if kind.members is not None:
        settings["verbose"] = int(sys.stderr.isatty())
    return settings


def _check_output(output: Path) -> None:
    """Raise an error before the fit if the model could not be saved after it."""
    check_model_path(output)
    if not output.parent.is_dir():
        raise FileNotFoundError(f"-o {output}: there is no folder {output.parent}; create it first")
