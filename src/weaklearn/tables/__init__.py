"""Files and frames to named columns.

A `Table` has a pandas frame of features ``X``, the classes ``y`` and notes. `read` returns the
table of an ARFF, C4.5, CSV, TSV or Parquet file, or raises a `ReadError`. `frames.as_columns`
converts any frame in memory to `Columns`. A column is an array of numbers, a `DateColumn` or a
`CategoryColumn`: labels, and one code per row. `missing_values` says which cells are missing and
`text_kind` what texts stand for, in files and in frames. A new file format is a module in this
package and a line in `read.READERS`.
"""

from weaklearn.tables.missing_values import MISSING_TEXTS
from weaklearn.tables.read import read
from weaklearn.tables.source_file import ReadError
from weaklearn.tables.table import Table

__all__ = ["MISSING_TEXTS", "ReadError", "Table", "read"]
