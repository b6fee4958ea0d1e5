"""Encode the rows that a fitted model predicts."""

from __future__ import annotations

from typing import Any

from weaklearn.encoding.encode_columns import EncodedRows, encode_columns
from weaklearn.encoding.match_columns import match_columns
from weaklearn.schema import Schema
from weaklearn.tables.frames import as_columns


def encode_rows(
    X: Any, schema: Schema, model_name: str = "the model", fitted_with_names: bool = True
) -> EncodedRows:
    """Encode a frame by the schema of a fitted model.

    Parameters
    ----------
    X : frame
        Columns are matched as `match_columns` describes.
    schema : Schema
        The features of the model. A nominal value that they do not declare counts as missing.
    model_name : str
        The name of the model in messages.
    fitted_with_names : bool
        Whether the model was fitted on a frame with column names.

    Returns
    -------
    EncodedRows
        One array per feature, in the order of the schema.
    """
    columns = match_columns(as_columns(X), schema, model_name, fitted_with_names)
    return encode_columns(columns, schema.features)
