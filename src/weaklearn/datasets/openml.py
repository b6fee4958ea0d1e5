"""Tables of OpenML, through scikit-learn's fetcher."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from weaklearn.datasets.catalogue import DatasetError, OpenMLTable
from weaklearn.datasets.data_folder import VARIABLE
from weaklearn.tables import Table
from weaklearn.tables.build_table import nominal_series
from weaklearn.tables.column import MISSING_CODE
from weaklearn.tables.messages import quote_list


def fetch_table(name: str, described: OpenMLTable) -> Table:
    """Fetch a table by its id; scikit-learn's errors (OSError, ValueError) are not caught here."""
    from sklearn.datasets import fetch_openml

    with _progress(f"Fetching {name} from OpenML (id {described.data_id})"), _quiet_retries():
        # Only with as_frame=False does the fetcher return the declared values in their declared
        # order, and only for columns that are not the target.
        bunch = fetch_openml(
            data_id=described.data_id,
            target_column=None,
            as_frame=False,
            parser="liac-arff",
            cache=False,
        )
    table = as_table(name, described, bunch)
    if table.n_rows != described.rows:
        raise DatasetError(
            f"OpenML's table {described.data_id} has {table.n_rows} rows, expected "
            f"{described.rows} for {name!r}: the table has changed. Put your own copy of {name} "
            f"into the folder that {VARIABLE} names"
        )
    return table


def as_table(name: str, described: OpenMLTable, bunch: Any) -> Table:
    """Convert the fetcher's result, in which nominal values are codes, to a Table."""
    import pandas as pd

    target = bunch.details["default_target_attribute"]
    columns: dict[str, pd.Series] = {}
    for index, column in enumerate(bunch.feature_names):
        numbers = np.asarray(bunch.data[:, index], dtype=np.float64)
        if column in bunch.categories:
            codes = np.where(np.isnan(numbers), MISSING_CODE, numbers).astype(np.int64)
            values = [str(value) for value in bunch.categories[column]]
            columns[column] = nominal_series(column, codes, values)
        else:
            columns[column] = pd.Series(numbers, name=column)
    if target not in bunch.categories:
        raise DatasetError(
            f"OpenML's table {described.data_id} ({name}) has no nominal target {target!r}; its "
            f"columns are {quote_list(columns)}. Put your own copy of {name} into the folder that "
            f"{VARIABLE} names"
        )
    y = columns.pop(target)
    dropped = [column for column in described.drop if columns.pop(column, None) is not None]
    notes = [f"OpenML id {described.data_id}, version {bunch.details.get('version', '?')}"]
    notes += [f"column {column!r} left out: it only identifies rows" for column in dropped]
    return Table(name=name, X=pd.DataFrame(columns), y=y, notes=tuple(notes))


@contextmanager
def _quiet_retries() -> Iterator[None]:
    """Suppress the warning of each failed attempt; the error of the last one has the cause."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="A network error occurred")
        yield


@contextmanager
def _progress(text: str) -> Iterator[None]:
    """Show a moving bar without a percentage, because the fetcher does not report a size."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    shown = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    with shown as progress:
        progress.add_task(text, total=None)
        yield
