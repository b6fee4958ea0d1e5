"""``weaklearn fit``: from a table to a saved model."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from weaklearn.cli.models import make_model, parse_model, with_learner_options
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
        str, typer.Option(parser=parse_model, metavar="NAME", help="The kind of model.")
    ] = "c45",
    nominal: Nominal = None,
    continuous: Continuous = None,
    jobs: Annotated[int, typer.Option(metavar="N", help="Threads; -1 for all processors.")] = 1,
    as_json: AsJson = False,
    **learner: Any,
) -> None:
    """Fit a model to a table and save it.

    Example:  weaklearn fit credit.csv --target class -o credit.json
    """
    _check_output(output)
    classifier = make_model(model, learner, jobs)
    table = read_table(data, target, nominal, continuous)
    for note in table.notes:
        remark(f"note: {note}")
    classifier.fit(table.X, table.y)
    wrong = int((classifier.predict(table.X) != np.asarray(table.y)).sum())
    classifier.save(output)
    tree = classifier.tree_
    if as_json:
        print_json(
            {
                "model": model,
                "saved": str(output),
                "target": table.schema.target,
                "rows": table.n_rows,
                "size": tree.size,
                "leaves": tree.n_leaves,
                "depth": tree.depth,
                "training_errors": wrong,
                "training_error": wrong / table.n_rows,
            }
        )
        return
    print(summary(table))
    print_pairs(
        [
            ("tree", f"{counted(tree.size, 'node')}, {counted(tree.n_leaves, 'leaf')}"),
            (
                "training error",
                f"{percent(wrong / table.n_rows)} ({wrong:,} of {table.n_rows:,} rows)",
            ),
            ("saved in", f"{output}   (to see it: weaklearn show {output})"),
        ]
    )


def _check_output(output: Path) -> None:
    """Refuse a place where nothing can be saved before the work rather than after it."""
    if not output.name.endswith((".json", ".json.gz")):
        raise ValueError(f"-o {output}: expected a file that ends in .json or .json.gz")
    if not output.parent.is_dir():
        raise FileNotFoundError(f"-o {output}: there is no folder {output.parent}")
