"""Columns encoded once, as the core takes them."""

from weaklearn.encoding.dataset import Dataset
from weaklearn.encoding.encode_columns import EncodedRows, encode_columns
from weaklearn.encoding.match_columns import match_columns
from weaklearn.encoding.sample_weight import check_sample_weight

__all__ = ["Dataset", "EncodedRows", "check_sample_weight", "encode_columns", "match_columns"]
