"""From files to tables: ARFF, C4.5's ``.names``/``.data``/``.test``, CSV, TSV, Parquet."""

from weaklearn.tables.read import read
from weaklearn.tables.source_file import ReadError
from weaklearn.tables.table import Table

__all__ = ["ReadError", "Table", "read"]
