"""One door to every file format."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Literal

from weaklearn.tables.arff import read_arff
from weaklearn.tables.c45_files import read_names
from weaklearn.tables.delimited import read_delimited
from weaklearn.tables.parquet import read_parquet
from weaklearn.tables.source_file import Source
from weaklearn.tables.table import Table
from weaklearn.tables.text_to_columns import Choices

_READERS: dict[str, Callable[[Source, Choices], Table]] = {
    ".arff": read_arff,
    ".names": read_names,
    ".data": read_names,
    ".test": read_names,
    ".csv": read_delimited,
    ".tsv": read_delimited,
    ".parquet": read_parquet,
}


def read(
    path: str | os.PathLike[str],
    target: str | Literal[False] | None = None,
    *,
    nominal: str | Iterable[str] = (),
    continuous: str | Iterable[str] = (),
) -> Table:
    r"""Read a table from a file.

    Parameters
    ----------
    path : str or path
        An ARFF file (``.arff``), one of C4.5's three (``.names`` or ``.data`` for the training
        data, ``.test`` for the test data, always with ``.names`` beside it), ``.csv``, ``.tsv``
        or ``.parquet``; or any of them gzipped, with ``.gz`` behind its name.
    target : str or False, optional
        The column that holds the class. By default the last one; for C4.5's files the class.
        False reads rows without a class: every column is a feature, and ``y`` is None.
        The classes of a numeric target are its distinct values.
    nominal : name or names, optional
        Columns to be read as nominal whatever the file says or they look like.
    continuous : name or names, optional
        Columns to be read as numbers whatever the file says.

    Returns
    -------
    Table
        With ``X``, ``y``, ``schema`` and the reader's ``notes``.

    Raises
    ------
    FileNotFoundError
        If the file, or one that must stand beside it, is not there.
    ReadError
        If it is not a table; the message has the file, the line and what was expected.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from weaklearn.tables import read
    >>> path = pathlib.Path(tempfile.mkdtemp(), "play.csv")
    >>> _ = path.write_text("outlook,humidity,play\nsunny,85,no\nrain,?,yes\n")
    >>> read(path)
    Table 'play': 2 rows, 1 continuous + 1 nominal features, target 'play' with 2 classes
    """
    source = Source(Path(path))
    if not source.path.exists():
        raise FileNotFoundError(f"{source.path} does not exist; expected a file with a table")
    if source.path.is_dir():
        raise source.error("is a directory; expected a file")
    reader = _READERS.get(source.suffix)
    if reader is None:
        known = " ".join(_READERS)
        raise source.error(
            f"the suffix {source.suffix!r} is not known; expected one of {known}, or these with .gz"
        )
    return reader(source, Choices(target, _names(nominal), _names(continuous)))


def _names(names: str | Iterable[str]) -> frozenset[str]:
    return frozenset([names] if isinstance(names, str) else names)
