"""Match the columns of a new frame with the features that a model was fitted on."""

from __future__ import annotations

from collections.abc import Sequence
from difflib import get_close_matches

import numpy as np

from weaklearn.schema import Schema
from weaklearn.tables.frames import Columns
from weaklearn.tables.messages import quote_list
from weaklearn.user_warnings import warn_user

_MAX_NAMES_SHOWN = 5


def match_columns(
    columns: Columns,
    schema: Schema,
    model_name: str = "the model",
    fitted_with_names: bool = True,
) -> Columns:
    """Put the columns into the order of the schema's features.

    Columns are matched by name if the frame and the model both have names, and otherwise by
    position. A column that the model ignores may be absent if columns are matched by name.

    Parameters
    ----------
    columns : Columns
        The columns of a frame, from `as_columns`.
    schema : Schema
        The features to match.
    model_name : str
        What messages call the model.
    fitted_with_names : bool
        Whether the features' names come from a frame; False if the model was fitted on an array
        and the names only number its columns.

    Returns
    -------
    Columns
        One column per feature, in the schema's order.

    Examples
    --------
    >>> import pandas as pd
    >>> from weaklearn.schema import Feature
    >>> from weaklearn.tables.frames import as_columns
    >>> schema = Schema((Feature("a", "continuous"), Feature("b", "continuous")))
    >>> match_columns(as_columns(pd.DataFrame({"b": [1.0], "a": [2.0]})), schema).names
    ['a', 'b']
    """
    if columns.names is not None and fitted_with_names:
        expected = schema.names
        if columns.names == expected:
            return columns
        columns = _with_ignored(columns, schema)
        names = columns.names or []
        if len(names) != len(expected) or set(names) != set(expected):
            raise ValueError(_describe_difference(names, expected))
        position = {name: i for i, name in enumerate(names)}
        return columns.take([position[name] for name in expected])
    n_features = len(schema.features)
    if columns.n_columns != n_features:
        raise ValueError(
            f"X has {columns.n_columns} features, but {model_name} is expecting {n_features} "
            "features as input."
        )
    if columns.names is not None:
        warn_user(
            f"X has feature names, but {model_name} was fitted without feature names; its columns "
            "are taken by position."
        )
    elif fitted_with_names:
        warn_user(
            f"X does not have valid feature names, but {model_name} was fitted with feature names; "
            "its columns are taken by position."
        )
    return columns


def _with_ignored(columns: Columns, schema: Schema) -> Columns:
    """Return the columns, with a column without values for each ignored feature that is absent."""
    names = list(columns.names or [])
    absent = [f.name for f in schema.features if f.ignored and f.name not in names]
    if not absent:
        return columns
    all_missing = np.full(columns.n_rows, np.nan)
    data = [*columns.data, *([all_missing] * len(absent))]
    return Columns([*names, *absent], columns.n_rows, data)


def _describe_difference(got: Sequence[str], expected: Sequence[str]) -> str:
    unseen = sorted(set(got) - set(expected))
    missing = sorted(set(expected) - set(got))
    message = "The feature names should match those that were passed during fit.\n"
    if unseen:
        message += "Feature names unseen at fit time:\n" + _list_names(unseen)
    if missing:
        message += "Feature names seen at fit time, yet now missing:\n"
        message += _list_names([name + _suggest_renaming(name, unseen) for name in missing])
    return f"{message}Expected columns: {quote_list(expected)}."


def _list_names(names: Sequence[str]) -> str:
    lines = [f"- {name}\n" for name in names[:_MAX_NAMES_SHOWN]]
    return "".join(lines) + ("- ...\n" if len(names) > _MAX_NAMES_SHOWN else "")


def _suggest_renaming(name: str, unseen: Sequence[str]) -> str:
    name_of_plain_form = {other.strip().lower(): other for other in unseen}
    close = get_close_matches(name.strip().lower(), name_of_plain_form, n=1)
    return f" (X has {name_of_plain_form[close[0]]!r}: is it the same feature?)" if close else ""
