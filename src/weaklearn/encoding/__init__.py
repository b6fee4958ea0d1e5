"""Columns to the arrays that the core reads, once per dataset.

`match_columns` puts the columns of a frame into the order of a schema, and `encode_columns`
converts them to `EncodedRows`, for fitting and for predicting. A `Dataset` adds the classes and
holds the core's copy, for fitting. `check_sample_weight` checks the weights of the rows.

A missing value has one form at each stage:

* file: as the format writes it (``?``, an empty cell, ``NA``); a cell of text that a reader has
  split off is None;
* frame: NaN, None, ``pandas.NA``, a null or the string ``"?"``;
* `Column` and `EncodedRows`: NaN among numbers, `MISSING_CODE` (-1) among codes. Nothing else in
  Python marks a missing value;
* core: codes are unsigned there, so the code after the last value is the missing one.
"""

from weaklearn.encoding.dataset import Dataset
from weaklearn.encoding.encode_columns import EncodedRows, encode_columns
from weaklearn.encoding.match_columns import match_columns
from weaklearn.encoding.sample_weight import check_sample_weight

__all__ = ["Dataset", "EncodedRows", "check_sample_weight", "encode_columns", "match_columns"]
