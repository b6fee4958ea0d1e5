"""``weaklearn explain``: why a model predicts the class of each row."""

from __future__ import annotations

import textwrap
from dataclasses import dataclass
from pathlib import Path
from shutil import get_terminal_size
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weaklearn.cli.describe_model import is_committee
from weaklearn.cli.output import counted, print_json, print_note
from weaklearn.cli.read_tables import read_rows
from weaklearn.cli.shared_options import AsJson, Data
from weaklearn.models.ruleset import FiredRules, Ruleset
from weaklearn.show.node_text import printable
from weaklearn.show.ruleset_text import condition_text
from weaklearn.tables.text_kind import meaning

if TYPE_CHECKING:
    from weaklearn.explain.taken_paths import TakenPaths

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
    as_json: AsJson = False,
) -> None:
    """Explain each prediction: the rules that fire, or the path in the tree.

    A row whose values are missing takes several paths in a tree; each is printed with its share of
    the row. Of a committee the votes for each class are printed; --member N prints the path or
    the rules of one member.

    Example:  weaklearn explain credit.json new.csv --rows 1-5
    """
    import pandas as pd

    from weaklearn.estimators import load

    loaded: Any = load(model)
    schema = loaded.schema if hasattr(loaded, "schema") else loaded._schema
    X, y = read_rows(data, schema)
    chosen = _parse_rows(rows, len(X), as_json)
    part = X.iloc[chosen]
    explained = _explain(loaded, part, member, model)
    for index, row in enumerate(explained):
        row.number = chosen[index] + 1
        # A row without a class is neither right nor wrong.
        if y is not None and not pd.isna(y.iloc[chosen[index]]):
            row.label = str(y.iloc[chosen[index]])
    if as_json:
        print_json({"rows": [row.document() for row in explained]})
        return
    for row in explained:
        _print_row(row)
    if rows is None and len(chosen) < len(X):
        more = f"{len(chosen) + 1}-{min(2 * len(chosen), len(X))}"
        print_note(f"\n{len(chosen)} of {len(X):,} rows. Others: --rows {more}. All: --rows all")


@dataclass(slots=True)
class _ExplainedRow:
    """What is printed of one row.

    ``reasons`` are lines of text, ``details`` the same for JSON. ``label`` is the class in the
    table.
    """

    prediction: Any
    probability: float
    reasons: list[str]
    details: dict[str, Any]
    number: int = 0
    label: str | None = None

    def document(self) -> dict[str, Any]:
        known = {} if self.label is None else {"class": self.label}
        return {
            "row": self.number,
            "prediction": self.prediction,
            "probability": self.probability,
            **known,
            **self.details,
        }


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
            raise typer.BadParameter(f"--rows {text}: expected a list such as 1-5,12, or all")
        numbers = range(int(first), int(last or first) + 1)
        if not numbers or numbers[0] < 1 or numbers[-1] > n_rows:
            raise ValueError(f"--rows {text}: the table has rows 1 to {n_rows:,}")
        chosen += [number - 1 for number in numbers]
    return chosen


def _explain(loaded: Any, X: Any, member: int | None, path: Path) -> list[_ExplainedRow]:
    if not is_committee(loaded):
        if member is not None:
            raise ValueError(f"{path} is a single model, not a committee: leave out --member")
        rows = loaded._encode(X) if hasattr(loaded, "_encode") else loaded.encode(X)
        return _explain_single(loaded, rows, path)
    rows = loaded._encode(X)
    if member is None:
        return _explain_votes(loaded, rows)
    if member > len(loaded):
        raise ValueError(f"--member {member}: the committee has members 1 to {len(loaded)}")
    columns = loaded._voters.columns_of(member - 1)
    own_rows = rows if columns is None else rows.take_columns(columns)
    return _explain_single(loaded.members_[member - 1], own_rows, path)


def _explain_single(model: Any, rows: Any, path: Path) -> list[_ExplainedRow]:
    """Explain the predictions of a tree, a program or a ruleset."""
    shown = getattr(model, "ruleset_", None) or getattr(model, "graph_", model)
    if not hasattr(shown, "explain_rows"):
        raise ValueError(
            f"{path} holds a {type(model).__name__}, which adds up many splits for every row and "
            "has neither a path nor rules; expected a tree, a program, a ruleset or a committee"
        )
    classes = shown.schema.classes
    predicted = model.predict_class_indices(rows).tolist()
    shares = model.predict_class_shares(rows).tolist()
    explained = []
    for index, of_row, reason in zip(predicted, shares, shown.explain_rows(rows), strict=True):
        lines, details = _reasons(shown, reason)
        if classes[index] != reason.label:
            lines.append(f"{printable(classes[index])} has the least expected cost")
        explained.append(_ExplainedRow(classes[index], of_row[index], lines, details))
    return explained


def _reasons(shown: Any, reason: FiredRules | TakenPaths) -> tuple[list[str], dict[str, Any]]:
    """Return the reason of a prediction as lines, and as plain data."""
    if isinstance(reason, FiredRules):
        fired = [reason.rule, *reason.others] if reason.rule else []
        others = ", ".join(str(rule.number) for rule in reason.others)
        lines = [f"because {reason.text.partition(', because ')[2]}"]
        if others:
            lines.append(f"also fired: {'rules' if len(reason.others) > 1 else 'rule'} {others}")
        rules = [_rule_document(shown, rule) for rule in fired]
        return lines, {"default": reason.rule is None, "rules": rules}
    lines = [f"because {path.text}" for path in reason.paths]
    if len(reason.paths) != 1:
        lines = [
            f"{100 * path.share:.1f}% {printable(path.label)}, {line}"
            for path, line in zip(reason.paths, lines, strict=True)
        ]
        missing = f"values are missing, so that the row takes {counted(len(lines), 'path')}"
        lines.insert(0, missing)
    paths = [
        {
            "conditions": [str(condition) for condition in path.conditions],
            "class": path.label,
            "leaf": path.leaf,
            "share": path.share,
            "weight": path.weight,
            "weight_of_class": path.of_label,
        }
        for path in reason.paths
    ]
    return lines, {"paths": paths}


def _rule_document(ruleset: Ruleset, rule: Any) -> dict[str, Any]:
    return {
        "rule": rule.number,
        "class": rule.label,
        "conditions": [condition_text(c, ruleset.schema) for c in rule.conditions],
        "certainty": None if rule.never_fires else rule.certainty,
    }


def _explain_votes(committee: Any, rows: Any) -> list[_ExplainedRow]:
    """Explain the predictions of a committee by the votes for each class."""
    classes = committee._schema.classes
    predicted = committee.predict_class_indices(rows).tolist()
    probabilities = committee.predict_class_shares(rows).tolist()
    of_members = committee._voters.member_predictions(rows, 1)
    votes = of_members.count_votes(committee.votes_)
    totals = votes.sum(axis=1)
    explained = []
    for i, index in enumerate(predicted):
        in_favour = of_members.classes[:, i].tolist()
        shares = (votes[i] / totals[i] if totals[i] > 0 else votes[i]).tolist()
        voted = sorted(set(in_favour), key=lambda k: (-shares[k], k))
        lines = [
            f"{in_favour.count(k)} of {counted(len(in_favour), 'member')}, "
            f"{100 * shares[k]:.1f}% of the votes: {printable(classes[k])}"
            for k in voted
        ]
        details = {
            "votes": {str(classes[k]): shares[k] for k in range(len(classes))},
            "members": [classes[k] for k in in_favour],
        }
        explained.append(_ExplainedRow(classes[index], probabilities[i][index], lines, details))
    return explained


def _print_row(row: _ExplainedRow) -> None:
    wrong = row.label is not None and meaning(row.label) != meaning(row.prediction)
    actual = f"; in the table: {printable(row.label or '')}" if wrong else ""
    print(
        f"row {row.number}: {printable(row.prediction)}, "
        f"probability {100 * row.probability:.1f}%{actual}"
    )
    width = min(get_terminal_size().columns, 100)
    for line in row.reasons:
        print(_wrapped(line, width))


def _wrapped(line: str, width: int) -> str:
    return textwrap.fill(
        line,
        width,
        initial_indent="  ",
        subsequent_indent="    ",
        break_on_hyphens=False,  # a name with a hyphen stays in one line
    )
