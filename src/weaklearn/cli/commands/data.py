"""``weaklearn data``: list the tables that have a name, describe a table, fetch a table."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from weaklearn.cli.errors import COLUMN_OPTIONS, in_option_terms
from weaklearn.cli.output import (
    notes_in_option_terms,
    percent,
    print_json,
    print_table,
    print_wrapped,
    table_summary,
)
from weaklearn.cli.read_tables import is_file, read_table
from weaklearn.cli.shared_options import (
    AsJson,
    Continuous,
    Data,
    Ignore,
    MissingValues,
    Nominal,
    Target,
)

if TYPE_CHECKING:
    import pandas as pd

    from weaklearn.schema import Feature

_MAX_LENGTH_OF_VALUES = 30


def list_tables(as_json: AsJson = False) -> None:
    """List the tables that have a name.

    Example:  weaklearn data list
    """
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
        "\nEvery command takes a name in place of a file:  weaklearn data info iris\n"
        "In Python:  weaklearn.datasets.load('iris')"
    )


def fetch(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The name of a table on OpenML.")],
    as_json: AsJson = False,
) -> None:
    """Download a table from OpenML into the cache.

    Example:  weaklearn data fetch credit-g
    """
    from weaklearn.datasets import fetch as fetch_table

    path = fetch_table(name)
    if as_json:
        print_json({"name": name, "path": str(path)})
    else:
        print(f"{name} is in {path}")


def info(
    data: Data,
    target: Target = None,
    nominal: Nominal = None,
    continuous: Continuous = None,
    ignore: Ignore = None,
    missing_values: MissingValues = None,
    as_json: AsJson = False,
) -> None:
    """Describe a table: its columns, their kinds, and its classes.

    Example:  weaklearn data info credit.csv --target class
    """
    table = read_table(data, target, nominal, continuous, ignore, missing_values)
    features = [_describe(feature, table.X[feature.name]) for feature in table.schema.features]
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
                "notes": notes_in_option_terms(table),
                "features": features,
                "classes": classes,
            }
        )
        return
    print(table_summary(table) + "\n")
    print_table(
        ("feature", "kind", "distinct", "missing", "values"),
        [
            (
                feature["name"],
                feature["kind"],
                f"{feature['distinct']:,}",
                f"{feature['missing']:,}",
                _values(feature),
            )
            for feature in features
        ],
        numbers=("distinct", "missing"),
    )
    print()
    print_table(
        (f"class ({table.schema.target})", "rows", "share"),
        [(str(c["class"]), f"{c['rows']:,}", percent(c["rows"] / table.n_rows)) for c in classes],
        numbers=("rows", "share"),
    )
    for note in notes_in_option_terms(table):
        print()
        print_wrapped(f"note: {note}")
    if is_file(data):
        print()
        print_wrapped(_reading_rules(data))


def _describe(feature: Feature, column: pd.Series) -> dict[str, Any]:
    description: dict[str, Any] = {
        "name": feature.name,
        "kind": feature.kind if feature.date is None else "date",
        "missing": int(column.isna().sum()),
    }
    if feature.kind == "nominal":
        return {**description, "distinct": len(feature.values), "values": list(feature.values)}
    known = column.dropna()
    bounds: list[Any] = [] if known.empty else [known.min(), known.max()]
    if feature.date is not None:
        bounds = [feature.date.to_text(bound.timestamp()) for bound in bounds]
    else:
        bounds = [float(bound) for bound in bounds]
    return {**description, "distinct": int(known.nunique()), "range": bounds}


def _values(description: dict[str, Any]) -> str:
    """Format the values of a nominal feature, or the range of a continuous feature."""
    if description["kind"] == "date":
        return " to ".join(description["range"])
    if description["kind"] == "continuous":
        return " to ".join(f"{bound:g}" for bound in description["range"])
    text = ", ".join(map(str, description["values"]))
    length = _MAX_LENGTH_OF_VALUES
    return text if len(text) <= length else f"{text[: length - 3]}..."


def _reading_rules(data: str) -> str:
    """Return how columns are read from a file of this format."""
    from weaklearn.tables.read import find_reader
    from weaklearn.tables.source_file import SourceFile

    source = SourceFile(Path(data))
    # The docstring of a reader's module has a title and the rules of the format.
    docstring = import_module(find_reader(source).__module__).__doc__ or ""
    _, _, rules = docstring.partition("\n\n")
    rules = in_option_terms(rules, COLUMN_OPTIONS)
    return f"How {source.suffix} files are read:\n\n{rules}"
