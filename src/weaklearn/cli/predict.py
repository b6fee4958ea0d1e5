"""``weaklearn predict``: answers of a saved model."""

from __future__ import annotations

import csv
import io
import sys
from pathlib import Path
from typing import Annotated, Any

import typer

from weaklearn.cli.output import AsJson, counted, percent, print_json, remark
from weaklearn.cli.tables import Data, read_rows
from weaklearn.files import write_atomically


def predict(
    model: Annotated[Path, typer.Argument(metavar="MODEL", help="A model that fit saved.")],
    data: Data,
    output: Annotated[
        Path | None,
        typer.Option("-o", "--output", metavar="FILE", help="Save the answers as CSV."),
    ] = None,
    proba: Annotated[
        bool, typer.Option("--proba", help="Give the probability of each class besides.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Answer with the class of each row of a table.

    The table may hold the class or not; where it does, the error rate is told.

    Example:  weaklearn predict credit.json new.csv -o answers.csv
    """
    from weaklearn.estimators import load
    from weaklearn.models import Graph

    classifier = load(model)
    if isinstance(classifier, Graph):
        raise ValueError(
            f"{model} holds a graph only; save the classifier itself: classifier.save(path)"
        )
    X, y = read_rows(data, classifier._schema)
    answers = classifier.predict(X).tolist()
    classes = classifier.classes_.tolist()
    probabilities = classifier.predict_proba(X).tolist() if proba else None
    unseen = classifier.count_unseen(X)
    wrong = None if y is None else _count_wrong(answers, y.tolist())
    if unseen and not as_json:
        places = ", ".join(f"{count:,} in {name}" for name, count in unseen.items())
        remark(f"note: values that training never saw, taken as missing: {places}")

    rows = [[answer] for answer in answers]
    for row, shares in zip(rows, probabilities or (), strict=False):
        row.extend(shares)
    header = ["prediction", *([f"P({label})" for label in classes] if proba else [])]
    if output is not None:
        lines = io.StringIO(newline="")
        csv.writer(lines).writerows([header, *rows])
        write_atomically(output, lines.getvalue().encode("utf-8"))
    if as_json:
        report: dict[str, Any] = {"rows": len(answers), "unseen": unseen}
        if wrong is not None:
            report |= {"errors": wrong, "error": wrong / len(answers)}
        if output is not None:
            report["saved"] = str(output)
        else:
            report["predictions"] = answers
            if probabilities is not None:
                report |= {"classes": classes, "probabilities": probabilities}
        print_json(report)
        return
    if output is None:
        csv.writer(sys.stdout, lineterminator="\n").writerows([header, *rows])
    else:
        print(f"{counted(len(answers), 'answer')} saved in {output}")
    if wrong is not None:
        remark(f"error {percent(wrong / len(answers))} ({wrong:,} of {len(answers):,} rows)")


def _count_wrong(answers: list[Any], labels: list[Any]) -> int:
    # As text: a class 1 of one file format is a class "1" of another.
    return sum(str(answer) != str(label) for answer, label in zip(answers, labels, strict=True))
