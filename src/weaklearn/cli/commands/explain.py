"""``weaklearn explain``: why a model predicts the class of each row."""

from __future__ import annotations

from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weaklearn.cli.describe_model import is_committee
from weaklearn.cli.output import print_json, print_note
from weaklearn.cli.read_tables import read_rows
from weaklearn.cli.shared_options import AsJson, Data
from weaklearn.show.node_text import printable
from weaklearn.tables.text_kind import meaning

if TYPE_CHECKING:
    from weaklearn.explain import Explanation, Explanations

#: More rows do not fit on a screen or two.
_MOST_ROWS = 10


def explain(
    model: Annotated[
        Path, typer.Argument(metavar="MODEL", help="A model saved by 'weaklearn fit'.")
    ],
    data: Data,
    rows: Annotated[
        str | None,
        typer.Option(
            "--rows",
            "--row",
            metavar="LIST",
            help="The rows to explain, such as 1-5,12 (1 is the first), or all. Default: the "
            "first ten; with --json all.",
        ),
    ] = None,
    member: Annotated[
        int | None,
        typer.Option(
            metavar="N",
            min=1,
            help="Explain the prediction of one member of a committee: 1 is the first.",
        ),
    ] = None,
    everything: Annotated[
        bool,
        typer.Option(
            "--all", help="Show all features and members, not only those that count most."
        ),
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Explain each prediction: paths or rules, votes, contributions of features.

    A row whose values are missing takes several paths in a tree; each is printed with its share of
    the row, and with the class weights at its leaf. Of a committee the votes for each class are
    printed, the features that contribute most, and the members that count most.

    Example:  weaklearn explain credit.json new.csv --row 5
    """
    import pandas as pd

    from weaklearn.estimators import load
    from weaklearn.explain.text import FEATURES_SHOWN, MEMBERS_SHOWN, parts_left_out, wrapped

    loaded: Any = load(model)
    schema = loaded.schema if hasattr(loaded, "schema") else loaded._schema
    X, y = read_rows(data, schema)
    chosen = _parse_rows(rows, len(X), as_json)
    explained = _explain(loaded, X.iloc[chosen], member, model)
    # A row without a class is neither right nor wrong.
    labels = [None] * len(chosen) if y is None else y.iloc[chosen].tolist()
    labels = [None if label is None or pd.isna(label) else str(label) for label in labels]
    members = None if everything else MEMBERS_SHOWN
    if as_json:
        print_json(_document(explained, chosen, labels, members))
        return
    features = None if everything else FEATURES_SHOWN
    width = min(get_terminal_size().columns, 100)
    for row, number, label in zip(explained, chosen, labels, strict=True):
        _print_row(row, number + 1, label, features, members, width)
    if explained.note:
        print_note(f"\n{wrapped(explained.note, width)}")
    if left_out := parts_left_out(explained, features, members):
        one = "; one member: --member N" if "members" in left_out else ""
        print_note(f"\nAll {' and '.join(left_out)}: --all{one}")
    if rows is None and len(chosen) < len(X):
        more = f"{len(chosen) + 1}-{min(2 * len(chosen), len(X))}"
        print_note(f"\n{len(chosen)} of {len(X):,} rows. Others: --rows {more}. All: --rows all")


def _parse_rows(text: str | None, n_rows: int, as_json: bool) -> list[int]:
    """Return the indices of the rows in a list such as ``1-5,12``."""
    if text is None:
        return list(range(n_rows if as_json else min(n_rows, _MOST_ROWS)))
    if text == "all":
        return list(range(n_rows))
    chosen: list[int] = []
    for item in text.split(","):
        first, _, last = item.strip().partition("-")
        if not first.isdecimal() or not (last or first).isdecimal():
            raise typer.BadParameter(
                f"got the rows {text!r}, expected a list such as 1-5,12, or all"
            )
        numbers = range(int(first), int(last or first) + 1)
        if not numbers or numbers[0] < 1 or numbers[-1] > n_rows:
            raise ValueError(f"got the rows {text!r}, but the table has rows 1 to {n_rows:,}")
        chosen += [number - 1 for number in numbers]
    return chosen


def _explain(loaded: Any, X: Any, member: int | None, path: Path) -> Explanations:
    explained: Explanations
    if member is None:
        explained = loaded.explain(X)
        return explained
    if not is_committee(loaded):
        raise ValueError(f"{path} is a single model, not a committee: leave out --member")
    if member > len(loaded):
        raise ValueError(f"--member {member}: the committee has members 1 to {len(loaded)}")
    rows, columns = loaded._encode(X), loaded._voters.columns_of(member - 1)
    own_rows = rows if columns is None else rows.take_columns(columns)
    explained = loaded.members_[member - 1]._explain_rows(own_rows, 1)
    return explained


def _document(
    explained: Explanations, chosen: list[int], labels: list[str | None], members: int | None
) -> dict[str, Any]:
    """Return what is printed as JSON; rows and members are counted from 1."""
    document = explained.to_dict(members)
    for row, number, label in zip(document["rows"], chosen, labels, strict=True):
        row["row"] = number + 1
        if label is not None:
            row["class"] = label
        for of_member in row.get("members", []):
            of_member["member"] += 1
    return document


def _print_row(
    row: Explanation,
    number: int,
    label: str | None,
    features: int | None,
    members: int | None,
    width: int,
) -> None:
    from weaklearn.explain.text import heading, row_lines, wrapped

    wrong = label is not None and meaning(label) != meaning(row.label)
    actual = f"; in the table: {printable(label or '')}" if wrong else ""
    print(wrapped(f"row {number}: {heading(row)}{actual}", width))
    for line in row_lines(row, features, members, first=1):
        print(wrapped(line, width))
