"""Tables of OpenML, through scikit-learn's fetcher."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np

from weaklearn.datasets.catalogue import DatasetError, OpenMLTable
from weaklearn.datasets.nominal import nominal
from weaklearn.tables import Table


def fetch_table(name: str, described: OpenMLTable) -> Table:
    """Fetch a table by its id; the fetcher's own errors (OSError, ValueError) pass through."""
    from sklearn.datasets import fetch_openml

    with _progress(f"Fetching {name} from OpenML (id {described.data_id})"), _quiet_retries():
        # As an array, because only then does the fetcher hand over the declared values in their
        # declared order; and with no target, because it forgets the order of that one's.
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
            f"OpenML's table {described.data_id} has {table.n_rows} rows where {name!r} has "
            f"{described.rows}: it is not the table it was. Put your own copy of {name} into the "
            f"folder that WEAKLEARN_DATA names"
        )
    return table


def as_table(name: str, described: OpenMLTable, bunch: Any) -> Table:
    """Make a Table of what the fetcher gave: an array in which nominal values are codes."""
    import pandas as pd

    target = bunch.details["default_target_attribute"]
    columns: dict[str, pd.Series] = {}
    for index, attribute in enumerate(bunch.feature_names):
        values = np.asarray(bunch.data[:, index], dtype=np.float64)
        if attribute in bunch.categories:
            codes = np.where(np.isnan(values), -1, values).astype(np.int64)
            columns[attribute] = nominal(attribute, codes, bunch.categories[attribute])
        else:
            columns[attribute] = pd.Series(values, name=attribute)
    if target not in bunch.categories:
        raise DatasetError(
            f"OpenML's table {described.data_id} ({name}) has no nominal target {target!r} among "
            f"its columns {list(columns)}"
        )
    y = columns.pop(target)
    dropped = [column for column in described.drop if columns.pop(column, None) is not None]
    notes = [f"OpenML id {described.data_id}, version {bunch.details.get('version', '?')}"]
    notes += [f"column {column!r} left out: it only identifies rows" for column in dropped]
    return Table(name=name, X=pd.DataFrame(columns), y=y, notes=tuple(notes))


@contextmanager
def _quiet_retries() -> Iterator[None]:
    """Keep the fetcher from warning at each attempt: the last one's error says it all."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="A network error occurred")
        yield


@contextmanager
def _progress(text: str) -> Iterator[None]:
    """Show a moving bar: the fetcher tells no size, so there is no share to show."""
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    console = Console(stderr=True)
    shown = Progress(*columns, console=console, transient=True, disable=not console.is_terminal)
    with shown as progress:
        progress.add_task(text, total=None)
        yield
