"""Columns to the arrays that the core reads, once per dataset.

`match_columns` puts the columns of a frame into the order of a schema, and `encode_columns`
converts them to `EncodedRows`, for fitting and for predicting. `encode_rows` does both, for a frame
that a fitted model predicts. A `Dataset` adds the classes and
holds the core's copy, for fitting. `check_sample_weight` checks the weights of the rows, and
`counts_of_rows` turns them into counts. `scanned_table` encodes a table that is read in batches.

A missing value passes through these stages:

1. In a file it is written as the format says (``?``, an empty cell, ``NA``). A reader of text
   represents the cell by None until the kind of the column is known.
2. In a user's frame it is NaN, None, ``pandas.NA``, a null or the string ``"?"``.
3. In a column and in `EncodedRows` it is NaN among numbers and `MISSING_CODE`, which is -1, among
   codes. Python code uses nothing else from here on. pandas categories have the same code.
4. In the core codes are unsigned. The code after the last value means missing.
"""

from weaklearn.encoding.dataset import Dataset
from weaklearn.encoding.encode_columns import EncodedRows, encode_columns
from weaklearn.encoding.encode_rows import encode_rows
from weaklearn.encoding.match_columns import match_columns
from weaklearn.encoding.sample_weight import (
    check_sample_weight,
    counts_of_rows,
    exact_sum,
    rounded_sum,
)
from weaklearn.encoding.warn_of_columns import warn_of_columns, warn_of_counted_columns

__all__ = [
    "Dataset",
    "EncodedRows",
    "check_sample_weight",
    "counts_of_rows",
    "encode_columns",
    "encode_rows",
    "exact_sum",
    "match_columns",
    "rounded_sum",
    "warn_of_columns",
    "warn_of_counted_columns",
]
