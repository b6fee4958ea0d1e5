"""Columns encoded once, as the core takes them."""

from weaklearn.dataset.dataset import Dataset
from weaklearn.dataset.encode import Encoded, encode_columns
from weaklearn.dataset.match import match_columns

__all__ = ["Dataset", "Encoded", "encode_columns", "match_columns"]
