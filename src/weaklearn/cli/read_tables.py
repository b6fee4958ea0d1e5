"""Read the tables that commands work on: a file, or a table by its name."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from os import sep
from pathlib import Path
from typing import TYPE_CHECKING

from weaklearn.cli.output import print_note
from weaklearn.tables.messages import did_you_mean, quote_list
from weaklearn.tables.missing_values import MISSING_TEXTS
from weaklearn.user_warnings import warn_user

if TYPE_CHECKING:
    import pandas as pd

    from weaklearn.schema import Schema
    from weaklearn.tables import Table

_DECLARING_SUFFIXES = (".arff", ".names", ".data", ".test")


def is_file(data: str) -> bool:
    """Return whether DATA is a file: it has a suffix or a folder other than ``keel/``."""
    if Path(data).exists():
        return True
    named = data.removeprefix("keel/")
    return sep in named or Path(named).suffix != ""


def read_table(
    data: str,
    target: str | None = None,
    nominal: Sequence[str] | None = None,
    continuous: Sequence[str] | None = None,
    ignore: Sequence[str] | None = None,
    missing_values: Sequence[str] | None = None,
) -> Table:
    """Read a file, or load a table by its name."""
    if is_file(data):
        from weaklearn.tables.read import read

        _warn_of_lists(missing_values or ())
        return read(
            data,
            target,
            nominal=nominal or (),
            continuous=continuous or (),
            ignore=ignore or (),
            missing_values=all_missing_values(data, missing_values),
        )
    from weaklearn.datasets import NoSuchTableError, load

    try:
        table = load(data)
    except NoSuchTableError as error:
        raise ValueError(
            f"{error.problem} 'weaklearn data list' lists the names; a file has a suffix, such as "
            "credit.csv"
        ) from error
    if (
        nominal
        or continuous
        or missing_values
        or (target is not None and target != table.schema.target)
    ):
        raise ValueError(
            f"{data!r} is the name of a table whose target and column kinds are declared: leave "
            "out --target, --nominal, --continuous and --missing, which are for files"
        )
    for name in ignore or ():
        if name not in table.X.columns:
            raise ValueError(
                f"--ignore {name}: there is no such column{did_you_mean(name, table.X.columns)}"
            )
    return replace(table, X=table.X.drop(columns=list(ignore or ())))


def all_missing_values(data: str, given: Sequence[str] | None) -> list[str] | None:
    """Return the parameter ``missing_values`` for texts that are missing besides the usual ones.

    Files that declare their values have no usual ones.
    """
    if not given:
        return None
    declares = Path(data.removesuffix(".gz")).suffix.lower() in _DECLARING_SUFFIXES
    return [*(() if declares else MISSING_TEXTS), *given]


def _warn_of_lists(missing_values: Sequence[str]) -> None:
    """Warn of texts that look like several, separated by commas."""
    for text in missing_values:
        if "," in text:
            parts = " ".join(f"--missing {part.strip()}" for part in text.split(","))
            warn_user(f"--missing {text} is one text. If it is a list, repeat the option: {parts}")


def read_rows(data: str, schema: Schema) -> tuple[pd.DataFrame, pd.Series | None]:
    """Read rows to predict: the features, and the classes or None if there are none.

    The columns are read with the kinds that they had when the model was fitted.
    """
    if not is_file(data):
        table = read_table(data)
        return table.X, table.y
    from weaklearn.tables.read import read

    present = read(data, target=False).X.columns
    features = [feature for feature in schema.features if feature.name in present]
    # The model itself reads dates, in the order of day and month of its training table.
    as_text = [f.name for f in features if f.kind == "nominal" or f.date is not None]
    if schema.target is not None and schema.target in present:
        as_text.append(schema.target)
    ignored = [f.name for f in features if f.ignored]
    X = read(
        data,
        target=False,
        nominal=as_text,
        continuous=[f.name for f in features if f.name not in (*as_text, *ignored)],
        ignore=ignored,
        missing_values=schema.missing_values,
    ).X
    X = X.drop(columns=note_unused_columns(X.columns, schema))
    target = find_target(X.columns, schema)
    return (X, None) if target is None else (X.drop(columns=target), X[target])


def find_target(names: Iterable[str], schema: Schema) -> str | None:
    """Return the column with the classes among rows to predict; None if there is none.

    If the model does not know the name of its target, a single extra column is the target.
    """
    extra = [name for name in names if name not in schema.names]
    if schema.target is not None:
        return schema.target if schema.target in extra else None
    return extra[0] if len(extra) == 1 else None


def note_unused_columns(names: Iterable[str], schema: Schema) -> list[str]:
    """Print a note that names the columns that the model does not use, and return them.

    There are none where a feature is absent, because one of them may be that feature.
    """
    names = list(names)
    known = {*schema.names, find_target(names, schema)}
    unused = [name for name in names if name not in known]
    absent = [f.name for f in schema.features if not f.ignored and f.name not in names]
    if not unused or absent:
        return []
    print_note(
        f"note: the model does not use these columns, which are left out: {quote_list(unused)}"
    )
    return unused
