"""``weaklearn predict``: predict the class of each row of a table."""

from __future__ import annotations

import csv
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weaklearn.cli.output import counted, percent, print_json, print_note
from weaklearn.cli.read_tables import find_target, note_unused_columns, read_rows
from weaklearn.cli.shared_options import AsJson, Data
from weaklearn.cli.write_predictions import prediction_writer
from weaklearn.tables.column import MISSING_CODE, as_categories
from weaklearn.tables.frames import as_column
from weaklearn.tables.text_kind import meaning

if TYPE_CHECKING:
    from weaklearn.schema import Schema


def predict(
    model: Annotated[
        Path, typer.Argument(metavar="MODEL", help="A model saved by 'weaklearn fit'.")
    ],
    data: Data,
    output: Annotated[
        Path | None,
        typer.Option(
            "-o", "--output", metavar="FILE", help="Save the predictions as CSV or .parquet."
        ),
    ] = None,
    proba: Annotated[
        bool, typer.Option("--proba", help="Add the probability of each class.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Predict the class of each row of a table.

    If the table has the classes, the error rate is printed too. Columns that the model does not
    use are left out. With -o, a Parquet file or folder is read and predicted in batches, so it may
    be larger than memory.

    Example:  weaklearn predict credit.json new.csv -o predictions.csv
    """
    from weaklearn.estimators import load
    from weaklearn.models import Graph

    classifier = load(model)
    if isinstance(classifier, Graph):
        raise ValueError(
            f"{model} is a graph without its classifier: save the classifier, classifier.save(path)"
        )
    classes = classifier.classes_.tolist()
    header = ["prediction", *([f"P({label})" for label in classes] if proba else [])]
    counts = _Counts()
    predictions: list[Any] = []
    probabilities: list[list[float]] = []
    with prediction_writer(output, header) as write:
        for X, y in _batches(data, classifier._schema, in_parts=output is not None):
            labels = classifier.predict(X)
            shares = classifier.predict_proba(X) if proba else None
            counts.add(labels.tolist(), y, classifier.count_unseen(X))
            if output is not None:
                write(labels, shares)
            else:
                predictions.extend(labels.tolist())
                probabilities.extend([] if shares is None else shares.tolist())
    if counts.unseen and not as_json:
        places = ", ".join(f"{count:,} in {name}" for name, count in counts.unseen.items())
        print_note(f"note: values not seen in training are read as missing: {places}")
    if as_json:
        report: dict[str, Any] = {"rows": counts.rows, "unseen": dict(counts.unseen)}
        if counts.known:
            report |= {"errors": counts.wrong, "error": counts.wrong / counts.known}
        if output is not None:
            report["saved"] = str(output)
        else:
            report["predictions"] = predictions
            if proba:
                report |= {"classes": classes, "probabilities": probabilities}
        print_json(report)
        return
    if output is None:
        rows = [[label] for label in predictions]
        for row, of_row in zip(rows, probabilities, strict=False):
            row.extend(of_row)
        csv.writer(sys.stdout, lineterminator="\n").writerows([header, *rows])
    else:
        print(f"{counted(counts.rows, 'prediction')} saved in {output}")
    if counts.known:
        without = counts.rows - counts.known
        left_out = f"; {counted(without, 'row')} without a class" if without else ""
        print_note(
            f"error {percent(counts.wrong / counts.known)} ({counts.wrong:,} of "
            f"{counts.known:,} rows{left_out})"
        )


@dataclass
class _Counts:
    """What is known of the rows predicted so far."""

    rows: int = 0
    known: int = 0
    wrong: int = 0
    unseen: Counter[str] = field(default_factory=Counter)

    def add(self, predictions: list[Any], y: Any, unseen: dict[str, int]) -> None:
        """Add the rows of a batch."""
        self.rows += len(predictions)
        self.unseen.update(unseen)
        if y is None:
            return
        column = as_categories(as_column(y, "the class"), "the class")
        meanings = [meaning(label) for label in column.labels]
        for prediction, code in zip(predictions, column.codes.tolist(), strict=True):
            if code == MISSING_CODE:  # a row without a class is neither right nor wrong
                continue
            self.known += 1
            # One file format has the class 1 where another has "1" or "1.0".
            self.wrong += meaning(prediction) != meanings[code]


def _batches(data: str, schema: Schema, in_parts: bool) -> Iterator[tuple[Any, Any]]:
    """Yield the features and the classes, or None, of a table or of its batches."""
    if not in_parts or not (data.endswith(".parquet") or Path(data).is_dir()):
        yield read_rows(data, schema)
        return
    from weaklearn.tables.scan import scan

    table = scan(data)
    note_unused_columns(table.column_names, schema)
    features = [name for name in table.column_names if name in schema.names]
    target = find_target(table.column_names, schema)
    for batch in table.batches(features if target is None else [*features, target]):
        yield batch.select(features), None if target is None else batch[target]
