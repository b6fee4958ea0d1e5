"""Export models to SQL."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import Any

from weaklearn.export import description as d
from weaklearn.export.describe import describe
from weaklearn.export.sql_model import write_model
from weaklearn.export.sql_query import INFINITY, SqlQuery, case, labels, number, text
from weaklearn.files import write_atomically


def sql(
    model: Any,
    path: str | PathLike[str] | None = None,
    table: str = "data",
    key: str | Sequence[str] = (),
) -> str:
    """Export a fitted model as a query that DuckDB and SQLite understand.

    The query predicts the same class as the model for every row, and probabilities that are equal
    to the last bit, also where values are missing.

    Parameters
    ----------
    model : classifier, Graph or Ruleset
        A fitted model of this package.
    path : path, optional
        A file to write, completely or not at all.
    table : str
        The table or view whose rows are predicted. It has the columns of the training table with
        their names. NULL and NaN are missing, and so is a nominal value that training did not have.
        A date is a number, the seconds since 1970-01-01 UTC.
    key : str or sequence of str
        Columns of the table to copy to the result, such as the key of the rows.

    Returns
    -------
    str
        A SELECT: one line per row with the columns of `key`, then ``prediction``, and
        ``probability_<label>`` for each class.

    Examples
    --------
    >>> import sqlite3
    >>> import pandas as pd
    >>> import weaklearn as wl
    >>> frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0]})
    >>> model = wl.C45Classifier().fit(frame, ["no", "no", "yes", "yes"])
    >>> database = sqlite3.connect(":memory:")
    >>> _ = database.execute("CREATE TABLE data AS SELECT 1 AS id, 3.5 AS x")
    >>> database.execute(wl.export.sql(model, key="id")).fetchall()
    [(1, 'yes', 0.0, 1.0)]
    """
    described = describe(model)
    query = SqlQuery(table)
    keys = [key] if isinstance(key, str) else list(key)
    copied = [(name, query.read(query.column(name))) for name in keys]
    inputs = [_read_input(query, x) for x in described.inputs]
    predicted, shares = write_model(query, inputs, described)
    written = labels(described.labels)
    cases = [(f"{predicted} = {k}", written[i]) for k, i in enumerate(described.label_of_class)]
    outputs = [*copied, ("prediction", case(cases))]
    for name, k in zip(described.labels, described.class_of_label, strict=True):
        outputs.append((f"probability_{name}", shares[k] if k >= 0 else number(0.0)))
    _check_names([name for name, _ in outputs])
    finished = query.text(outputs)
    if path is not None:
        write_atomically(Path(path), finished.encode())
    return finished


def _read_input(query: SqlQuery, x: d.Input) -> str:
    """Return a column with numbers or codes, NULL if missing."""
    if x.kind == "ignored":
        return ""
    column = query.column(x.name)
    as_number = f"CAST({column} AS DOUBLE)"
    if x.kind != "nominal":
        return query.read(case([(f"{as_number} <= {INFINITY}", as_number)]))
    if any(isinstance(value, str) for value in x.values):
        # Concatenation leaves the collation of the column behind.
        as_text = f"CAST({column} AS VARCHAR) || ''"
        values = [text(str(value)) for value in x.values]
        return query.read(_code(as_text, values))
    return query.read(_code(as_number, [number(float(value)) for value in x.values]))


def _code(expression: str, values: Sequence[str]) -> str:
    whens = " ".join(f"WHEN {value} THEN {code}" for code, value in enumerate(values))
    return f"CASE {expression} {whens} END"


def _check_names(names: Sequence[str]) -> None:
    repeated = {name for name in names if names.count(name) > 1}
    if repeated:
        raise ValueError(
            f"the result would have two columns {sorted(repeated)[0]!r}: leave it out of key, or "
            "rename it in a view."
        )
