"""``weaklearn fit``: from a table to a saved model."""

from __future__ import annotations

import sys
import warnings
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from weaklearn.cli.committees import Described, describe_committee, is_committee
from weaklearn.cli.errors import INTERRUPTED
from weaklearn.cli.models import (
    KINDS_OF_MODEL,
    MODELS,
    check_options,
    make_model,
    parse_model,
    with_learner_options,
)
from weaklearn.cli.output import AsJson, counted, percent, print_json, print_pairs, remark
from weaklearn.cli.tables import Continuous, Data, Nominal, Target, read_table, summary


@with_learner_options
def fit(
    data: Data,
    output: Annotated[
        Path,
        typer.Option(
            "-o",
            "--output",
            metavar="FILE",
            help="Where to save the model: .json or .json.gz. A file of that name is replaced.",
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
    seed: Annotated[
        int | None,
        typer.Option(
            metavar="N", min=0, help="What a committee draws its samples with.  [default: 0]"
        ),
    ] = None,
    jobs: Annotated[int, typer.Option(metavar="N", help="Threads; -1 for all processors.")] = 1,
    as_json: AsJson = False,
    **learner: Any,
) -> None:
    """Fit a model to a table and save it.

    Ctrl-C ends the fit of a committee early: the members that are there are saved.

    Example:  weaklearn fit credit.csv --target class -o credit.json
    """
    _check_output(output)
    check_options([model], learner)
    classifier = make_model(model, learner, n_jobs=jobs, **_settings(model, seed))
    table = read_table(data, target, nominal, continuous)
    for note in table.notes:
        remark(f"note: {note}")
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", "interrupted after")  # the report says it
        classifier.fit(table.X, table.y)
    wrong = int((classifier.predict(table.X) != np.asarray(table.y)).sum())
    classifier.save(output)
    described = _described(classifier)
    if as_json:
        print_json(
            {
                "model": model,
                "saved": str(output),
                "target": table.schema.target,
                "rows": table.n_rows,
                **described.document,
                "training_errors": wrong,
                "training_error": wrong / table.n_rows,
            }
        )
    else:
        print(summary(table))
        share = f"{percent(wrong / table.n_rows)} ({wrong:,} of {table.n_rows:,} rows)"
        saved = f"{output}   (to see it: weaklearn show {output})"
        first, *others = described.lines
        print_pairs([first, ("training error", share), *others, ("saved in", saved)])
    if getattr(classifier, "interrupted_", False):
        made = counted(len(classifier), "member")
        remark(f"interrupted: saved in {output} is the committee so far, {made}")
        raise typer.Exit(INTERRUPTED)


def _settings(model: str, seed: int | None) -> dict[str, Any]:
    """Give what only a committee is told: its seed, and to show a bar where that can be seen."""
    if MODELS[model].members is None:
        if seed is not None:
            raise ValueError(f"the model {model} leaves nothing to chance: leave out --seed")
        return {}
    return {"random_state": seed or 0, "verbose": int(sys.stderr.isatty())}


def _described(classifier: Any) -> Described:
    """Give the facts that are reported of a fitted model."""
    if is_committee(classifier):
        return describe_committee(classifier)
    return _separators(classifier) if hasattr(classifier, "separators_") else _tree(classifier)


def _separators(classifier: Any) -> Described:
    each = classifier.separators_.each
    stumps = sum(len(one.mu) for one in each)
    document = {"separators": len(each), "stumps": stumps}
    text = f"{counted(len(each), 'separator')}, {counted(stumps, 'stump')}"
    return Described([("model", text)], document)


def _tree(classifier: Any) -> Described:
    tree = classifier.graph_
    text = f"{counted(tree.size, 'node')}, {counted(tree.n_leaves, 'leaf')}"
    document = {"size": tree.size, "leaves": tree.n_leaves, "depth": tree.depth}
    return Described([("tree", text)], document)


def _check_output(output: Path) -> None:
    """Refuse a place where nothing can be saved before the work rather than after it."""
    if not output.name.endswith((".json", ".json.gz")):
        raise ValueError(f"-o {output}: expected a file that ends in .json or .json.gz")
    if not output.parent.is_dir():
        raise FileNotFoundError(f"-o {output}: there is no folder {output.parent}")
