"""Files and frames to named columns.

A `Table` has a pandas frame of features ``X``, the classes ``y`` and notes. `read.read` returns the
table of an ARFF, C4.5, CSV, TSV or Parquet file, or raises a `ReadError`. `frames.as_columns`
converts any frame in memory to `Columns`. A column is an array of numbers, a `DateColumn` or a
`CategoryColumn`: labels, and one code per row. `missing_values` says which cells are missing and
`text_kind` what texts stand for, in files and in frames. A new file format is a module in this
package and a line in `read.READERS`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from weaklearn.tables.missing_values import MISSING_TEXTS

if TYPE_CHECKING:
    from weaklearn.tables.source_file import ReadError
    from weaklearn.tables.table import Table

__all__ = ["MISSING_TEXTS", "ReadError", "Table"]


def __getattr__(name: str) -> object:
    # Imported when they are first used: a process that predicts reads no files.
    if name == "ReadError":
        from weaklearn.tables.source_file import ReadError

        return ReadError
    if name == "Table":
        from weaklearn.tables.table import Table

        return Table
    raise AttributeError(f"module 'weaklearn.tables' has no attribute {name!r}")
