"""Problems: the tables of a plan, as its paper had them.

A problem is a table that has a name, or one that a generator draws, and what is done to it before
anything is learned: parts joined, classes united, missing values filled. All of that is data.
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
from weaklearn.datasets import data_folder
from weaklearn.tables import Table

#: What may be said about a problem, beside how its rows are divided.
KEYS = (
    *("load", "make", "arguments", "with_test_part"),
    *("one_versus_rest", "regroup", "fill_unknown"),
)


class ProblemError(ValueError):
    """A problem that does not say what its table is."""


def check_problem(name: str, problem: Mapping[str, Any]) -> None:
    """Raise a ProblemError unless the problem says what its table is.

    Parameters
    ----------
    name : str
        What the paper calls it.
    problem : mapping
        ``load`` names a table, or ``make`` a generator of `weaklearn.datasets` that gets
        ``arguments``. Then, in this order: ``with_test_part`` appends the published test rows,
        ``regroup`` unites classes (sorted by name) and leaves out the rows of those not named,
        ``one_versus_rest`` tells one class from all others, ``fill_unknown`` fills missing values.
    """
    unknown = [key for key in problem if key not in KEYS]
    if unknown:
        raise ProblemError(
            f"problem {name!r} says {unknown[0]!r}; expected some of {', '.join(KEYS)}."
        )
    if ("load" in problem) == ("make" in problem):
        raise ProblemError(
            f"problem {name!r} must say either load, the name of a table, or make, a generator."
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
            raise ProblemError(f"problem {name!r}: make_{problem['make']} {error}.") from error


def why_absent(problem: Mapping[str, Any]) -> str | None:
    """Say how to get a problem's table, or None if it is here.

    Parameters
    ----------
    problem : mapping
        As for `check_problem`.

    Returns
    -------
    str or None
        What to type.

    Examples
    --------
    >>> why_absent({"load": "iris"}) is None
    True
    >>> why_absent({"load": "no-such-table"})
    'put no-such-table.arff (or .csv) into a folder and set WEAKLEARN_DATA to it'
    """
    name = problem.get("load")
    if name is None:
        return None
    entry = next((entry for entry in datasets.available() if entry.name == name), None)
    by_hand = f"put {name}.arff (or .csv) into a folder and set WEAKLEARN_DATA to it"
    if entry is None:
        return by_hand
    if not entry.here:
        return f"{entry.where}, or {by_hand}"
    if problem.get("with_test_part") and data_folder.find_file(name, "test") is None:
        return f"put {name}.test.arff, its test rows, into the folder that WEAKLEARN_DATA names"
    return None


def load_problem(problem: Mapping[str, Any]) -> Table:
    """Give a problem's table, converted as it says.

    Parameters
    ----------
    problem : mapping
        As for `check_problem`.

    Returns
    -------
    Table
        The same one for the same problem, as long as it is remembered.

    Examples
    --------
    >>> load_problem({"load": "titanic", "one_versus_rest": "yes"}).y.cat.categories.tolist()
    ['yes', 'rest']
    """
    return _load(json.dumps(problem, sort_keys=True))


@lru_cache(maxsize=2)  # units come problem by problem
def _load(text: str) -> Table:
    problem = json.loads(text)
    if "make" in problem:
        table: Table = getattr(datasets, f"make_{problem['make']}")(**problem.get("arguments", {}))
    else:
        table = datasets.load(problem["load"])
    if problem.get("with_test_part"):
        table = _joined(table, datasets.load(problem["load"], part="test"))
    if "regroup" in problem:
        table = _regrouped(table, problem["regroup"])
    if "one_versus_rest" in problem:
        table = table.one_versus_rest(problem["one_versus_rest"])
    return _filled(table) if problem.get("fill_unknown") else table


@lru_cache(maxsize=8)
def n_rows_of_test_part(name: str) -> int:
    """Count the published test rows, which are a table's last ones when joined."""
    return datasets.load(name, part="test").n_rows


def checksum(table: Table) -> str:
    """Give the SHA-256 of what a table holds: names, declared values, cells and classes.

    Parameters
    ----------
    table : Table
        A table with a class.

    Returns
    -------
    str
        The same for the same content, wherever it came from.

    Examples
    --------
    >>> import weaklearn as wl
    >>> table = wl.datasets.load("iris")
    >>> checksum(table) == checksum(wl.datasets.load("iris"))
    True
    """
    found = hashlib.sha256()
    for column in (*(table.X[name] for name in table.X), table.y):
        assert column is not None
        categories = getattr(column.dtype, "categories", None)
        if categories is None:
            kind, values = "float64", column.to_numpy()
        else:
            kind, values = json.dumps(categories.astype(str).tolist()), column.cat.codes.to_numpy()
        cells = np.ascontiguousarray(values, dtype="<f8")
        cells = np.where(np.isnan(cells), np.nan, cells)  # one NaN, whatever its bits
        found.update(f"{column.name}\n{kind}\n{len(column)}\n".encode() + cells.tobytes())
    return found.hexdigest()


def _joined(first: Table, second: Table) -> Table:
    import pandas as pd

    X = pd.concat([first.X, second.X], ignore_index=True)
    return replace(first, X=X, y=pd.concat([first.y, second.y], ignore_index=True))


def _regrouped(table: Table, groups: Mapping[str, list[str]]) -> Table:
    import pandas as pd

    assert table.y is not None
    group_of = {label: group for group, labels in groups.items() for label in labels}
    named = table.y.astype(str).map(group_of)
    rows = named.notna()
    y = pd.Categorical(named[rows], categories=sorted(groups))
    return replace(
        table,
        X=table.X[rows].reset_index(drop=True),
        y=pd.Series(y, name=table.y.name),
        notes=(*table.notes, f"classes regrouped: {', '.join(groups)}"),
    )


def _filled(table: Table) -> Table:
    """Make unknown a value of its own in a nominal column, the median in a continuous one."""
    X = table.X.copy()
    for name, column in table.X.items():
        if not column.hasnans:
            continue
        if str(column.dtype) == "category":
            X[name] = column.cat.add_categories("unknown").fillna("unknown")
        else:
            X[name] = column.fillna(column.median() if column.notna().any() else 0.0)
    return replace(table, X=X, notes=(*table.notes, "missing values filled"))
