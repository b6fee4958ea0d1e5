"""From named columns to a Table. Every reader ends here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.tables.blocks_to_columns import DATE_ORDERS
from weaklearn.tables.column import (
    MAX_EXACT_FLOAT,
    MISSING_CODE,
    CategoryColumn,
    Column,
    DateColumn,
    as_categories,
    as_float64,
)
from weaklearn.tables.frames import as_columns
from weaklearn.tables.source_file import SourceFile
from weaklearn.tables.suspicious_columns import EncodedColumn, find_suspicious
from weaklearn.tables.table import Table
from weaklearn.tables.text_to_columns import Place

if TYPE_CHECKING:
    import pandas as pd


def build_table(
    source: SourceFile,
    name: str,
    columns: Mapping[str, Column],
    target: str | None,
    place: Place,
    notes: Sequence[str],
) -> Table:
    """Return the table of these columns.

    Parameters
    ----------
    source : SourceFile
        The file, for messages.
    name : str
        The table's name.
    columns : mapping from str to Column
        The columns by name, in the table's order.
    target : str or None
        The column that holds the class.
    place : callable
        Returns where a row is in the file.
    notes : sequence of str
        The table's notes.
    """
    import pandas as pd

    features = {name: column for name, column in columns.items() if name != target}
    notes = list(notes)
    y = None
    if target is not None:
        y = _class_series(target, columns[target])
        has_class = y.notna().to_numpy()
        if not has_class.all():
            notes.append(_describe_missing_classes(source, target, has_class, place))
            y = y[has_class].reset_index(drop=True)
            kept = np.flatnonzero(has_class)
            features = {
                name: column[kept] if isinstance(column, np.ndarray) else column.take(kept)
                for name, column in features.items()
            }
    X = pd.DataFrame({name: _series(name, column) for name, column in features.items()})
    orders = {
        column_name: column.form.order
        for column_name, column in features.items()
        if isinstance(column, DateColumn) and column.form.order != "year first"
    }
    if orders:
        X.attrs[DATE_ORDERS] = orders
    if len(X) == 0:
        raise source.error("holds no rows; expected at least one")
    return with_column_notes(Table(name, X, y, tuple(notes)))


def with_column_notes(table: Table) -> Table:
    """Return a table with a further note for each problem that some columns have."""
    columns = as_columns(table.X)
    encoded = [
        _encode(name, column) for name, column in zip(table.X.columns, columns.data, strict=True)
    ]
    classes = None if table.y is None else table.y.cat.codes.to_numpy()
    return replace(table, notes=(*table.notes, *find_suspicious(encoded, classes)))


def _encode(name: str, column: Column) -> EncodedColumn:
    if isinstance(column, CategoryColumn):
        return EncodedColumn(name, column.codes, column.labels)
    if isinstance(column, DateColumn):
        is_assumed = column.form.order == "month first, assumed"
        return EncodedColumn(name, column.seconds, is_assumed_order=is_assumed)
    return EncodedColumn(name, as_float64(column))


def _describe_missing_classes(
    source: SourceFile, target: str, has_class: NDArray[np.bool_], place: Place
) -> str:
    """Return the note about rows without a class; raise a ReadError if they are more than half."""
    n_rows, n_missing = len(has_class), int((~has_class).sum())
    if 2 * n_missing > n_rows:
        raise source.error(
            f"the class is missing here and in {n_missing:,} of {n_rows:,} rows in all; expected a "
            "class in at least half of the rows. Choose another target=, or target=False to read "
            "rows without a class",
            at=place(int(np.flatnonzero(~has_class)[0])),
            column=target,
        )
    return f"{n_missing:,} of {n_rows:,} rows have no class and are left out"


def _series(name: str, column: Column) -> pd.Series:
    """Return the pandas form of a column."""
    import pandas as pd

    if isinstance(column, CategoryColumn):
        return nominal_series(name, column.codes, column.labels)
    if isinstance(column, DateColumn):
        moments = np.full(len(column.seconds), np.datetime64("NaT", "us"))
        is_known = ~np.isnan(column.seconds)
        microseconds = np.round(column.seconds[is_known] * 1e6).astype(np.int64)
        moments[is_known] = microseconds.astype("datetime64[us]")
        dates = pd.Series(moments, name=name)
        return dates.dt.tz_localize("UTC") if column.form.has_zone else dates
    return pd.Series(column, name=name)


def nominal_series(name: str, codes: NDArray[Any], values: Sequence[object]) -> pd.Series:
    """Return the pandas form of a nominal column.

    Parameters
    ----------
    name : str
        The column's name.
    codes : array of int
        Per row the position of its value, or `MISSING_CODE`.
    values : sequence
        The declared values in their order.
    """
    import pandas as pd

    categories: Any = pd.Index(values)
    return pd.Series(pd.Categorical.from_codes(codes, categories=categories), name=name)


def _class_series(name: str, column: Column) -> pd.Series:
    """Return the classes of the rows; those of a numeric target are its distinct values, sorted."""
    if isinstance(column, DateColumn):
        column = as_categories(column, name)
    if isinstance(column, CategoryColumn):
        return nominal_series(name, column.codes, column.labels)
    is_known = ~np.isnan(column)
    classes = np.unique(column[is_known])
    codes = np.where(is_known, np.searchsorted(classes, column), MISSING_CODE)
    if np.all((np.abs(classes) <= MAX_EXACT_FLOAT) & (classes == np.trunc(classes))):
        classes = classes.astype(np.int64)
    return nominal_series(name, codes, classes.tolist())
