"""Encode the rows that a fitted model predicts."""

from __future__ import annotations

from typing import Any

from weaklearn.encoding.encode_columns import EncodedRows, encode_columns
from weaklearn.encoding.match_columns import match_columns
from weaklearn.schema import Schema
from weaklearn.tables.frames import as_columns
from weaklearn.tables.missing_values import as_missing_values


def encode_rows(
    X: Any,
    schema: Schema,
    model_name: str = "the model",
    fitted_with_names: bool | None = True,
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
    fitted_with_names : bool or None
        Whether the model was fitted on a frame with column names. None if that is not known:
        columns are then matched by name if X has names, else by position.

    Returns
    -------
    EncodedRows
        One array per feature, in the order of the schema.
    """
    columns = as_columns(X, as_missing_values(schema.missing_values))
    if fitted_with_names is None:
        fitted_with_names = columns.names is not None
    matched = match_columns(columns, schema, model_name, fitted_with_names)
    return encode_columns(matched, schema.features)
