"""``weaklearn data``: which tables there are, and what is in one."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from weaklearn.cli.output import AsJson, percent, print_json, print_table, print_wrapped
from weaklearn.cli.tables import Continuous, Data, Nominal, Target, is_file, read_table, summary

if TYPE_CHECKING:
    import pandas as pd

    from weaklearn.schema import Feature

_LONGEST_LIST = 30

data_app = typer.Typer(help="Tables: list those with a name, look into one, fetch one.")


@data_app.callback(invoke_without_command=True)
def _start(context: typer.Context) -> None:
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@data_app.command("list")
def list_tables(as_json: AsJson = False) -> None:
    """List the tables that have a name."""
    from weaklearn.datasets import available

    entries = available()
    if as_json:
        print_json([asdict(entry) for entry in entries])
        return
    print_table(
        ("name", "rows", "source", "here?"),
        [
            (
                entry.name,
                "" if entry.rows is None else f"{entry.rows:,}",
                entry.source,
                "yes" if entry.here else f"no: {entry.where}",
            )
            for entry in entries
        ],
        numbers=("rows",),
    )
    print(
        "\nA name stands for its table in every command:  weaklearn data info iris\n"
        "and in Python:  weaklearn.datasets.load('iris')"
    )


@data_app.command()
def fetch(
    name: Annotated[str, typer.Argument(metavar="NAME", help="A table that OpenML has.")],
    as_json: AsJson = False,
) -> None:
    """Fetch a table from OpenML into the cache."""
    from weaklearn.datasets import fetch as fetch_table

    path = fetch_table(name)
    if as_json:
        print_json({"name": name, "path": str(path)})
    else:
        print(f"{name} is in {path}")


@data_app.command()
def info(
    data: Data,
    target: Target = None,
    nominal: Nominal = None,
    continuous: Continuous = None,
    as_json: AsJson = False,
) -> None:
    """Say what is in a table, and how that was decided."""
    table = read_table(data, target, nominal, continuous)
    features = [_described(a, table.X[a.name]) for a in table.schema.features]
    rows_of = Counter(np.asarray(table.y).tolist())
    classes: list[dict[str, Any]] = [
        {"class": label, "rows": rows_of[label]} for label in table.schema.classes
    ]
    if as_json:
        print_json(
            {
                "name": table.name,
                "rows": table.n_rows,
                "target": table.schema.target,
                "notes": table.notes,
                "features": features,
                "classes": classes,
            }
        )
        return
    print(summary(table) + "\n")
    print_table(
        ("feature", "kind", "distinct", "missing", "values"),
        [
            (a["name"], a["kind"], f"{a['distinct']:,}", f"{a['missing']:,}", _values(a))
            for a in features
        ],
        numbers=("distinct", "missing"),
    )
    print()
    print_table(
        (f"class ({table.schema.target})", "rows", "share"),
        [(str(c["class"]), f"{c['rows']:,}", percent(c["rows"] / table.n_rows)) for c in classes],
        numbers=("rows", "share"),
    )
    for note in table.notes:
        print(f"\nnote: {note}")
    for rule in _rules(data):
        print()
        print_wrapped(rule)


def _described(feature: Feature, column: pd.Series) -> dict[str, Any]:
    described: dict[str, Any] = {
        "name": feature.name,
        "kind": feature.kind,
        "missing": int(column.isna().sum()),
    }
    if feature.kind == "nominal":
        return {**described, "distinct": len(feature.values), "values": list(feature.values)}
    known = column.dropna()
    bounds = [] if known.empty else [float(known.min()), float(known.max())]
    return {**described, "distinct": int(known.nunique()), "range": bounds}


def _values(described: dict[str, Any]) -> str:
    """Write the values of a nominal feature, or the range of a continuous one."""
    if described["kind"] == "continuous":
        return " to ".join(f"{bound:g}" for bound in described["range"])
    text = ", ".join(map(str, described["values"]))
    return text if len(text) <= _LONGEST_LIST else f"{text[: _LONGEST_LIST - 3]}..."


def _rules(data: str) -> list[str]:
    """Give the rules by which kinds were decided: the file format's, and that for frames."""
    from weaklearn.tables.read import find_reader
    from weaklearn.tables.source_file import SourceFile

    # The docstring of a reader's module is the rule of its format.
    modules = [find_reader(SourceFile(Path(data))).__module__] if is_file(data) else []
    docs = [import_module(name).__doc__ for name in (*modules, "weaklearn.schema.infer")]
    return [doc.strip() for doc in docs if doc]
