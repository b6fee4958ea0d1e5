"""Columns encoded once, as the core takes them."""

from weaklearn.dataset.dataset import Dataset
from weaklearn.dataset.encode import Encoded, encode_columns
from weaklearn.dataset.match import match_columns
from weaklearn.dataset.sample_weight import check_sample_weight

__all__ = ["Dataset", "Encoded", "check_sample_weight", "encode_columns", "match_columns"]
