"""Read the tables that commands work on: a file, or a table by its name."""

from __future__ import annotations

from collections.abc import Sequence
from os import sep
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import pandas as pd

    from weaklearn.schema import Schema
    from weaklearn.tables import Table


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
) -> Table:
    """Read a file, or load a table by its name."""
    if is_file(data):
        from weaklearn.tables import read

        return read(data, target, nominal=nominal or (), continuous=continuous or ())
    from weaklearn.datasets import NoSuchTableError, load

    try:
        table = load(data)
    except NoSuchTableError as error:
        raise ValueError(
            f"{error.problem} 'weaklearn data list' lists the names; a file has a suffix, such as "
            "credit.csv"
        ) from error
    if nominal or continuous or (target is not None and target != table.schema.target):
        raise ValueError(
            f"{data!r} is the name of a table whose target and column kinds are declared: leave "
            "out --target, --nominal and --continuous, which are for files"
        )
    return table


def read_rows(data: str, schema: Schema) -> tuple[pd.DataFrame, pd.Series | None]:
    """Read rows to predict: the features, and the classes or None if there are none.

    The columns are read with the kinds that they had when the model was fitted.
    """
    if not is_file(data):
        table = read_table(data)
        return table.X, table.y
    from weaklearn.tables import read

    present = read(data, target=False).X.columns
    names_of_kind = {
        kind: [a.name for a in schema.features if a.kind == kind and a.name in present]
        for kind in ("nominal", "continuous")
    }
    if schema.target is not None and schema.target in present:
        names_of_kind["nominal"].append(schema.target)
    X = read(data, target=False, **names_of_kind).X
    # If the model does not know the name of its target, a single extra column is the target.
    extra = [name for name in X.columns if name not in schema.names]
    target = schema.target or (extra[0] if len(extra) == 1 else None)
    return (X, None) if target not in X.columns else (X.drop(columns=target), X[target])
