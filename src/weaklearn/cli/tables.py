"""Finding and reading the table that a command is about."""

from __future__ import annotations

from collections.abc import Sequence
from os import sep
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from weaklearn.cli.output import counted

if TYPE_CHECKING:
    from weaklearn.schema import Schema
    from weaklearn.tables import Table

Data = Annotated[
    str,
    typer.Argument(
        metavar="DATA",
        help="A file (.arff, .csv, .tsv, .names, .parquet, or these with .gz), or a name that "
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
    if nominal or continuous or (target is not None and target != str(table.y.name)):  # type: ignore[union-attr]
        raise ValueError(
            f"{data!r} is a table with a name, and these have their target and their kinds "
            "declared: --target, --nominal and --continuous are for files"
        )
    return table


def summary(table: Table) -> str:
    """Say in one line what a table holds."""
    schema = table.schema
    nominal = sum(attribute.kind == "nominal" for attribute in schema.attributes)
    kinds = f"{len(schema.attributes) - nominal} continuous + {nominal} nominal"
    target = f"target {schema.target} ({counted(len(schema.classes), 'class')})"
    return f"{table.name}: {counted(table.n_rows, 'row')}, {kinds}, {target}"


def read_rows(data: str, schema: Schema) -> tuple[Any, Any]:
    """Read rows to be answered: the attributes, and the classes or None if there are none.

    The kinds of the columns are those that the model was fitted on.
    """
    table = read_table(data)
    names = [str(table.y.name), *table.X.columns]  # type: ignore[union-attr]
    if schema.target is None:
        target = names[0] if len(names) > len(schema.attributes) else None
    else:
        target = schema.target if schema.target in names else None
    kind_of = {a.name: a.kind for a in schema.attributes if a.name in names}
    if is_file(data) and (target not in (None, names[0]) or _kinds(table) != kind_of):
        table = read_table(
            data,
            target,
            [name for name, kind in kind_of.items() if kind == "nominal"],
            [name for name, kind in kind_of.items() if kind == "continuous"],
        )
    X, y = table.X, table.y
    if target is not None:
        return X, y
    # The reader takes the last column for the class where none is named.
    last = y.astype(float) if kind_of.get(names[0]) == "continuous" else y  # type: ignore[union-attr]
    return X.assign(**{names[0]: last}), None


def _kinds(table: Table) -> dict[str, str]:
    return {attribute.name: attribute.kind for attribute in table.schema.attributes}
