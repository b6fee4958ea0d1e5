"""Load the tables of a plan and convert them as the plan describes.

A problem is a table that is loaded by name, or one that a generator draws. A plan can also ask for
conversions: append the published test rows, merge classes, fill missing values.
"""

from __future__ import annotations

import hashlib
import inspect
import json
from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from typing import Any

import numpy as np

from weaklearn import datasets
from weaklearn.tables import Table

#: The keys of a problem that describe its table.
KEYS = (
    *("load", "make", "arguments", "with_test_part"),
    *("one_versus_rest", "regroup", "fill_missing"),
)


class ProblemError(ValueError):
    """A problem whose description in the plan is wrong."""


def check_problem(name: str, problem: Mapping[str, Any]) -> None:
    """Raise a ProblemError unless the problem describes a table.

    Parameters
    ----------
    name : str
        The paper's name for the problem.
    problem : mapping
        ``load`` is the name of a table; or ``make`` is a generator of `weaklearn.datasets` and
        ``arguments`` are its arguments. The conversions are done in this order:
        ``with_test_part`` appends the published test rows. ``regroup`` merges classes, sorts the
        new classes by name and drops the rows of all other classes. ``one_versus_rest`` keeps one
        class and merges all others. ``fill_missing`` fills missing values.
    """
    wrong = [key for key in problem if key not in KEYS]
    if wrong:
        raise ProblemError(
            f"problem {name!r} has the key {wrong[0]!r}; expected some of {', '.join(KEYS)}."
        )
    if ("load" in problem) == ("make" in problem):
        raise ProblemError(
            f"problem {name!r} must have one of the keys load (the name of a table) and make (a "
            "generator)."
        )
    if "make" in problem:
        generator = getattr(datasets, f"make_{problem['make']}", None)
        if generator is None:
            raise ProblemError(
                f"problem {name!r}: weaklearn.datasets has no generator make_{problem['make']}."
            )
        try:
            inspect.signature(generator).bind(**problem.get("arguments", {}))
        except TypeError as error:
            raise ProblemError(
                f"problem {name!r} has wrong arguments for make_{problem['make']}: {error}."
            ) from error


def load_problem(problem: Mapping[str, Any]) -> Table:
    """Load a problem's table and convert it as the problem describes.

    Parameters
    ----------
    problem : mapping
        As for `check_problem`.

    Returns
    -------
    Table
        The last two tables are kept in memory, so repeated calls are quick.

    Examples
    --------
    >>> load_problem({"load": "titanic", "one_versus_rest": "yes"}).y.cat.categories.tolist()
    ['yes', 'rest']
    """
    return _load(json.dumps(problem, sort_keys=True))


@lru_cache(maxsize=2)  # the units of a problem run one after another, so few tables are in use
def _load(text: str) -> Table:
    problem = json.loads(text)
    if "make" in problem:
        table: Table = getattr(datasets, f"make_{problem['make']}")(**problem.get("arguments", {}))
    else:
        table = datasets.load(problem["load"])
    if problem.get("with_test_part"):
        table = _append_rows(table, datasets.load(problem["load"], part="test"))
    if "regroup" in problem:
        table = _regroup_classes(table, problem["regroup"])
    if "one_versus_rest" in problem:
        table = table.one_versus_rest(problem["one_versus_rest"])
    return _fill_missing(table) if problem.get("fill_missing") else table


@lru_cache(maxsize=8)
def n_rows_of_test_part(name: str) -> int:
    """Count the published test rows; ``with_test_part`` appends them as the last rows."""
    return datasets.load(name, part="test").n_rows


def checksum(table: Table) -> str:
    """Compute the SHA-256 of a table's content: names, declared values, cells and classes.

    Parameters
    ----------
    table : Table
        A table with a class.

    Returns
    -------
    str
        Equal for tables of equal content, whatever file they were read from.

    Examples
    --------
    >>> import weaklearn as wl
    >>> table = wl.datasets.load("iris")
    >>> checksum(table) == checksum(wl.datasets.load("iris"))
    True
    """
    digest = hashlib.sha256()
    for column in (*(table.X[name] for name in table.X), table.y):
        assert column is not None
        categories = getattr(column.dtype, "categories", None)
        if categories is None:
            kind, values = "float64", column.to_numpy()
        else:
            kind, values = json.dumps(categories.astype(str).tolist()), column.cat.codes.to_numpy()
        cells = np.ascontiguousarray(values, dtype="<f8")
        cells = np.where(np.isnan(cells), np.nan, cells)  # NaN has several bit patterns
        digest.update(f"{column.name}\n{kind}\n{len(column)}\n".encode() + cells.tobytes())
    return digest.hexdigest()


def _append_rows(first: Table, second: Table) -> Table:
    import pandas as pd

    X = pd.concat([first.X, second.X], ignore_index=True)
    return replace(first, X=X, y=pd.concat([first.y, second.y], ignore_index=True))


def _regroup_classes(table: Table, groups: Mapping[str, list[str]]) -> Table:
    import pandas as pd

    assert table.y is not None
    group_of = {label: group for group, labels in groups.items() for label in labels}
    group_of_row = table.y.astype(str).map(group_of)
    rows = group_of_row.notna()
    y = pd.Categorical(group_of_row[rows], categories=sorted(groups))
    return replace(
        table,
        X=table.X[rows].reset_index(drop=True),
        y=pd.Series(y, name=table.y.name),
        notes=(*table.notes, f"classes regrouped: {', '.join(groups)}"),
    )


def _fill_missing(table: Table) -> Table:
    """Fill a nominal column with the extra value "unknown", a continuous one with its median."""
    X = table.X.copy()
    for name, column in table.X.items():
        if not column.hasnans:
            continue
        if str(column.dtype) == "category":
            X[name] = column.cat.add_categories("unknown").fillna("unknown")
        else:
            X[name] = column.fillna(column.median() if column.notna().any() else 0.0)
    return replace(table, X=X, notes=(*table.notes, "missing values filled"))
