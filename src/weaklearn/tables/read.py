"""Read a table from a file: the suffix chooses the reader."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Literal, TypeAlias

from weaklearn.optional_packages import require_package
from weaklearn.tables.c45_files import COMPANION_SUFFIXES, read_c45_files
from weaklearn.tables.delimited import read_delimited
from weaklearn.tables.missing_values import as_missing_values
from weaklearn.tables.parquet import read_parquet
from weaklearn.tables.read_arff import read_arff
from weaklearn.tables.read_options import ReadOptions
from weaklearn.tables.source_file import SourceFile
from weaklearn.tables.table import Table

Reader: TypeAlias = Callable[[SourceFile, ReadOptions], Table]

READERS: dict[str, Reader] = {
    # Formats that declare the kinds of their columns come first: `datasets.load` prefers them.
    ".arff": read_arff,
    ".names": read_c45_files,
    ".data": read_c45_files,
    ".test": read_c45_files,
    ".csv": read_delimited,
    ".tsv": read_delimited,
    ".parquet": read_parquet,
}
"""The reader of each suffix. A new format is a module with a reader, and a line here."""

TABLE_SUFFIXES = tuple(suffix for suffix in READERS if suffix not in COMPANION_SUFFIXES)
"""The suffixes of files that are a table on their own; each may be followed by ``.gz``."""


def read(
    path: str | os.PathLike[str],
    target: str | Literal[False] | None = None,
    *,
    nominal: str | Iterable[str] = (),
    continuous: str | Iterable[str] = (),
    ignore: str | Iterable[str] = (),
    missing_values: Iterable[str | float] | None = None,
) -> Table:
    r"""Read a table from a file.

    Parameters
    ----------
    path : str or path
        An ARFF file (``.arff``), one of C4.5's three files (``.names`` or ``.data`` for the
        training data, ``.test`` for the test data; the ``.names`` file must be in the same
        folder), ``.csv``, ``.tsv`` or ``.parquet``. Each may be gzipped, with the further suffix
        ``.gz``.
    target : str or False, optional
        The column that holds the class. By default the last one; for C4.5's files the class.
        False reads rows without a class: every column is a feature, and ``y`` is None.
        The classes of a numeric target are its distinct values.
    nominal : name or names, optional
        Columns to read as nominal, whatever the file declares.
    continuous : name or names, optional
        Columns to read as numbers, whatever the file declares.
    ignore : name or names, optional
        Columns to leave out.
    missing_values : list of texts and numbers, optional
        Cells that are missing besides empty ones: texts in place of ``weaklearn.MISSING_TEXTS``,
        numbers in addition. ARFF files and C4.5's files have only their own mark, ``?``, unless
        this is given.

    Returns
    -------
    Table
        With ``X``, ``y``, ``schema`` and the reader's ``notes``.

    Raises
    ------
    FileNotFoundError
        If the file, or a file that it needs in the same folder, does not exist.
    ReadError
        If the file does not hold a table. The message has the file, the line and what was
        expected.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from weaklearn.tables.read import read
    >>> path = pathlib.Path(tempfile.mkdtemp(), "play.csv")
    >>> _ = path.write_text("outlook,humidity,play\nsunny,85,no\nrain,?,yes\n")
    >>> read(path)
    Table 'play': 2 rows, 1 continuous + 1 nominal features, target 'play' with 2 classes
    """
    require_package("pandas", "tables", "reading a table")
    source = SourceFile(Path(path))
    if not source.path.exists():
        raise FileNotFoundError(f"{source.path} does not exist; expected a file with a table")
    if source.path.is_dir():
        raise source.error("is a directory; expected a file")
    options = ReadOptions(
        target,
        _as_names(nominal),
        _as_names(continuous),
        _as_names(ignore),
        as_missing_values(missing_values),
        missing_values is not None,
    )
    return find_reader(source)(source, options)


def find_reader(source: SourceFile) -> Reader:
    """Return the reader of a file; raise a ReadError if no reader has its suffix."""
    reader = READERS.get(source.suffix)
    if reader is None:
        raise source.error(
            f"got the suffix {source.suffix!r}; expected one of {' '.join(READERS)}, or one of "
            "these with .gz"
        )
    return reader


def _as_names(names: str | Iterable[str]) -> frozenset[str]:
    return frozenset([names] if isinstance(names, str) else names)
