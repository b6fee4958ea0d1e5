"""``weaklearn predict``: predict the class of each row of a table."""

from __future__ import annotations

import csv
import io
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from weaklearn.cli.output import counted, percent, print_json, print_note
from weaklearn.cli.read_tables import read_rows
from weaklearn.cli.shared_options import AsJson, Data
from weaklearn.files import write_atomically
from weaklearn.tables.text_kind import meaning


def predict(
    model: Annotated[
        Path, typer.Argument(metavar="MODEL", help="A model saved by 'weaklearn fit'.")
    ],
    data: Data,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Save the predictions as CSV."),
    ] = None,
    proba: Annotated[
        bool, typer.Option("--proba", help="Add the probability of each class.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Predict the class of each row of a table.

    If the table has the classes, the error rate is printed too.

    Example:  weaklearn predict credit.json new.csv -o predictions.csv
    """
    from weaklearn.estimators import load
    from weaklearn.models import Graph

    classifier = load(model)
    if isinstance(classifier, Graph):
        raise ValueError(
            f"{model} is a graph without its classifier: save the classifier, classifier.save(path)"
        )
    X, y = read_rows(data, classifier._schema)
    predictions = classifier.predict(X).tolist()
    classes = classifier.classes_.tolist()
    probabilities = classifier.predict_proba(X).tolist() if proba else None
    unseen = classifier.count_unseen(X)
    # A row without a class is neither right nor wrong.
    known = [] if y is None else (~y.isna()).to_numpy().nonzero()[0].tolist()
    wrong = sum(_differ(predictions[row], y.iloc[row]) for row in known) if y is not None else 0
    if unseen and not as_json:
        places = ", ".join(f"{count:,} in {name}" for name, count in unseen.items())
        print_note(f"note: values not seen in training are read as missing: {places}")

    rows = [[prediction] for prediction in predictions]
    for row, shares in zip(rows, probabilities or (), strict=False):
        row.extend(shares)
    header = ["prediction", *([f"P({label})" for label in classes] if proba else [])]
    if output is not None:
        lines = io.StringIO(newline="")
        csv.writer(lines).writerows([header, *rows])
        write_atomically(output, lines.getvalue().encode("utf-8"))
    if as_json:
        report: dict[str, Any] = {"rows": len(predictions), "unseen": unseen}
        if known:
            report |= {"errors": wrong, "error": wrong / len(known)}
        if output is not None:
            report["saved"] = str(output)
        else:
            report["predictions"] = predictions
            if probabilities is not None:
                report |= {"classes": classes, "probabilities": probabilities}
        print_json(report)
        return
    if output is None:
        csv.writer(sys.stdout, lineterminator="\n").writerows([header, *rows])
    else:
        print(f"{counted(len(predictions), 'prediction')} saved in {output}")
    if known:
        without = len(predictions) - len(known)
        left_out = f"; {counted(without, 'row')} without a class" if without else ""
        print_note(
            f"error {percent(wrong / len(known))} ({wrong:,} of {len(known):,} rows{left_out})"
        )


def _differ(prediction: Any, label: Any) -> bool:
    # One file format has the class 1 where another has "1" or "1.0".
    return bool(meaning(prediction) != meaning(label))
