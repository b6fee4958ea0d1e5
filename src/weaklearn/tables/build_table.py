"""From named columns to a Table. Every reader ends here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.tables.column import MAX_EXACT_FLOAT, MISSING_CODE, CategoryColumn, Column
from weaklearn.tables.source_file import SourceFile
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

    X = pd.DataFrame(
        {
            column_name: nominal_series(column_name, column.codes, column.labels)
            if isinstance(column, CategoryColumn)
            else column
            for column_name, column in columns.items()
            if column_name != target
        }
    )
    if len(X) == 0:
        raise source.error("holds no rows; expected at least one")
    if target is None:
        return Table(name, X, None, tuple(notes))
    y = _class_series(target, columns[target])
    missing = np.flatnonzero(y.cat.codes == MISSING_CODE)
    if len(missing):
        raise source.error(
            f"the class is missing (in {len(missing)} rows in all); drop the rows without a class, "
            "or choose another target=",
            at=place(int(missing[0])),
            column=target,
        )
    return Table(name, X, y, tuple(notes))


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
    if isinstance(column, CategoryColumn):
        return nominal_series(name, column.codes, column.labels)
    is_known = ~np.isnan(column)
    classes = np.unique(column[is_known])
    codes = np.where(is_known, np.searchsorted(classes, column), MISSING_CODE)
    if np.all((np.abs(classes) <= MAX_EXACT_FLOAT) & (classes == np.trunc(classes))):
        classes = classes.astype(np.int64)
    return nominal_series(name, codes, classes.tolist())
