"""Columns encoded once, as the core takes them."""

from weaklearn.dataset.encode import Encoded, encode_columns
from weaklearn.dataset.match import match_columns

__all__ = ["Encoded", "encode_columns", "match_columns"]
