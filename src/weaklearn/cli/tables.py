"""Finding and reading the table that a command is about."""

from __future__ import annotations

from collections.abc import Sequence
from os import sep
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from weaklearn.cli.output import counted
from weaklearn.tables.read import TABLE_SUFFIXES

if TYPE_CHECKING:
    import pandas as pd

    from weaklearn.schema import Schema
    from weaklearn.tables import Table

Data = Annotated[
    str,
    typer.Argument(
        metavar="DATA",
        help=f"A file ({', '.join(TABLE_SUFFIXES)}, or one of these with .gz), or a name that "
        "'weaklearn data list' shows.",
    ),
]
Target = Annotated[
    str | None,
    typer.Option(metavar="COLUMN", help="The column that holds the class. Default: the last one."),
]
Nominal = Annotated[
    list[str] | None,
    typer.Option(metavar="COLUMN", help="Take this column as nominal. May be repeated."),
]
Continuous = Annotated[
    list[str] | None,
    typer.Option(metavar="COLUMN", help="Take this column as numbers. May be repeated."),
]


def is_file(data: str) -> bool:
    """Whether DATA means a file; a name has neither a folder (keel/... apart) nor a suffix."""
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
    from weaklearn.datasets import load

    table = load(data)
    if nominal or continuous or (target is not None and target != table.schema.target):
        raise ValueError(
            f"{data!r} is a table with a name, and these have their target and their kinds "
            "declared: --target, --nominal and --continuous are for files"
        )
    return table


def summary(table: Table) -> str:
    """Say in one line what a table holds."""
    schema = table.schema
    nominal = sum(feature.kind == "nominal" for feature in schema.features)
    kinds = f"{len(schema.features) - nominal} continuous + {nominal} nominal"
    target = f"target {schema.target} ({counted(len(schema.classes), 'class')})"
    return f"{table.name}: {counted(table.n_rows, 'row')}, {kinds}, {target}"


def read_rows(data: str, schema: Schema) -> tuple[pd.DataFrame, pd.Series | None]:
    """Read rows to be answered: the features, and the classes or None if there are none.

    The kinds of the columns are those that the model was fitted on.
    """
    if not is_file(data):
        table = read_table(data)
        return table.X, table.y
    from weaklearn.tables import read

    present = read(data, target=False).X.columns
    of_kind = {
        kind: [a.name for a in schema.features if a.kind == kind and a.name in present]
        for kind in ("nominal", "continuous")
    }
    if schema.target is not None and schema.target in present:
        of_kind["nominal"].append(schema.target)
    X = read(data, target=False, **of_kind).X
    # A model fitted without the name of its target takes a column that is left over for it.
    extra = [name for name in X.columns if name not in schema.names]
    target = schema.target or (extra[0] if len(extra) == 1 else None)
    return (X, None) if target not in X.columns else (X.drop(columns=target), X[target])
