"""The rule that decides what each column is.

1. Integers, floats and decimals are continuous.
2. Strings, bools, pandas categories, polars Categorical and Enum, and Arrow dictionaries are
   nominal, whatever they hold.
3. A column of Python objects is continuous if every known value is a number, and nominal
   otherwise. Bools and numbers written as strings are not numbers.
4. Dates, times and durations are an error: convert them to numbers or to strings.
5. ``nominal=[...]`` and ``continuous=[...]``, by name or by position, overrule all of the above.
   With ``continuous``, strings are read as numbers.

NaN, None, ``pandas.NA``, ``pandas.NaT``, nulls of polars and Arrow, and the string ``"?"`` are
missing values. A column without any known value is continuous if its type is numeric, and nominal
otherwise.

A pandas category, a polars Enum and an Arrow dictionary declare the values of a nominal feature:
their order is kept, and so are values that never occur. Otherwise the values are the distinct known
ones in sorted order, numbers before strings. A polars Categorical declares nothing. Equal values
(``1``, ``1.0``, ``True``) are one value. Classes follow the same rule.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from weaklearn.schema.schema import Feature, Label
from weaklearn.tables.column import (
    MISSING_CODE,
    CategoryColumn,
    Column,
    as_categories,
    recode,
    sort_labels,
)
from weaklearn.tables.distinct import distinct
from weaklearn.tables.frames import Columns, as_column, default_name, describe_column
from weaklearn.tables.messages import did_you_mean, quote, quote_list


def infer_features(
    columns: Columns,
    nominal: Iterable[str | int] = (),
    continuous: Iterable[str | int] = (),
) -> tuple[Feature, ...]:
    """Describe each column by the rule of `weaklearn.schema.infer`.

    Parameters
    ----------
    columns : Columns
        The columns of a frame, from `as_columns`.
    nominal, continuous : names or positions
        Columns whose kind is given rather than inferred.

    Returns
    -------
    tuple of Feature
        One per column. Columns without names are called x0, x1, ...

    Examples
    --------
    >>> from weaklearn.tables.frames import as_columns
    >>> columns = as_columns([[5.1, "red"], [4.9, "blue"]])
    >>> [(feature.name, feature.kind, feature.values) for feature in infer_features(columns)]
    [('x0', 'continuous', ()), ('x1', 'nominal', ('blue', 'red'))]
    """
    names = columns.names or [default_name(i) for i in range(columns.n_columns)]
    to_nominal = _positions(nominal, names, "nominal")
    to_continuous = _positions(continuous, names, "continuous")
    both = sorted(to_nominal & to_continuous)
    if both:
        raise ValueError(
            f"Columns {quote_list(names[i] for i in both)} are in nominal=[...] and in "
            "continuous=[...]; expected each column in one of the two."
        )
    features = []
    for position, (name, column) in enumerate(zip(names, columns.data, strict=True)):
        if position in to_nominal or (
            isinstance(column, CategoryColumn) and position not in to_continuous
        ):
            features.append(Feature(name, "nominal", _values(column, name)))
        else:
            features.append(Feature(name, "continuous"))
    return tuple(features)


def infer_classes(y: Any, n_rows: int | None = None) -> tuple[tuple[Label, ...], NDArray[np.int32]]:
    """Find the classes and the class of each row.

    Parameters
    ----------
    y : Series, array or list
        One label per row: strings, bools, integers or whole floats, none of them missing.
    n_rows : int, optional
        The number of rows of the features; y must have as many.

    Returns
    -------
    classes : tuple of labels
        The declared classes in their order, also those that never occur; otherwise sorted.
    codes : array of int32
        Per row the index of its class.

    Examples
    --------
    >>> infer_classes(["yes", "no", "yes"])
    (('no', 'yes'), array([1, 0, 1], dtype=int32))
    """
    column = _class_column(y)
    n_labels = len(column.codes) if isinstance(column, CategoryColumn) else len(column)
    if n_labels == 0:
        raise ValueError(
            "Found array with 0 sample(s) (shape=(0,)) while a minimum of 1 is required: y is "
            "empty."
        )
    if n_rows is not None and n_rows != n_labels:
        raise ValueError(
            "Found input variables with inconsistent numbers of samples: "
            f"[{n_rows}, {n_labels}]. Expected y to hold one class for each row of X."
        )
    if isinstance(column, CategoryColumn):
        _require_no_missing(column.codes == MISSING_CODE)
        classes = column.labels if column.declared else sort_labels(column.labels)
        index_of = {label: index for index, label in enumerate(classes)}
        return classes, recode(column.codes, [index_of[label] for label in column.labels], np.int32)
    if column.dtype.kind == "f":
        _require_no_missing(np.isnan(column))
        if not np.array_equal(column, np.trunc(column)):
            raise ValueError(
                "Unknown label type: continuous. A classifier expects discrete classes, but y "
                "holds fractions, as a regression target does. Name the classes, for example with "
                "pandas.cut(y, bins).astype(str)."
            )
    values, codes = distinct(column)
    return tuple(values.tolist()), codes.astype(np.int32)


def encode_classes(
    y: Any, classes: Sequence[Label], n_rows: int | None = None
) -> NDArray[np.int32]:
    """Return the index of each row's class among the classes of a model.

    Parameters
    ----------
    y : Series, array or list
        One label per row.
    classes : sequence of labels
        The classes of the model.
    n_rows : int, optional
        The number of rows of the features; y must have as many.

    Returns
    -------
    array of int32
        One class index per row.

    Examples
    --------
    >>> encode_classes(["yes", "no"], ("no", "maybe", "yes"))
    array([2, 0], dtype=int32)
    """
    labels, codes = infer_classes(y, n_rows)
    index_of = {label: index for index, label in enumerate(classes)}
    for code in np.flatnonzero(np.bincount(codes, minlength=len(labels))).tolist():
        if labels[code] not in index_of:
            raise ValueError(
                f"y holds {quote(labels[code])}, which is not a class of the training table; "
                f"expected one of {quote_list(classes)}."
            )
    # A declared class that never occurs in y may be absent from the model.
    return recode(codes, [index_of.get(label, MISSING_CODE) for label in labels], np.int32)


def _positions(columns: Iterable[str | int], names: list[str], option: str) -> set[int]:
    """Return the positions of the columns that an option lists by name or position."""
    if isinstance(columns, str):
        raise TypeError(
            f"{option}={columns!r} is a string; expected a list: {option}=[{columns!r}]."
        )
    positions = set()
    for column in columns:
        if isinstance(column, str):
            if column not in names:
                raise ValueError(
                    f"{option}=[...] names {quote(column)}, which is not a column"
                    f"{did_you_mean(column, names)} The columns are {quote_list(names)}."
                )
            positions.add(names.index(column))
        elif isinstance(column, int | np.integer) and not isinstance(column, bool):
            if not 0 <= column < len(names):
                raise ValueError(
                    f"{option}=[...] holds the position {column}; expected positions from 0 to "
                    f"{len(names) - 1}."
                )
            positions.add(int(column))
        else:
            raise TypeError(
                f"{option}=[...] holds {quote(column)} of type {type(column).__name__}; expected "
                "names or positions of columns."
            )
    return positions


def _values(column: Column, name: str) -> tuple[Label, ...]:
    """Return the values of a nominal feature: as declared, or sorted."""
    categories = as_categories(column, describe_column(name))
    return categories.labels if categories.declared else sort_labels(categories.labels)


def _class_column(y: Any) -> Column:
    if y is None:
        raise ValueError("This classifier requires y to be passed, but the target y is None.")
    y = _as_one_dimension(y)
    try:
        return as_column(y, "y")
    except TypeError as error:
        raise ValueError(f"Unknown label type: {error}") from error


def _as_one_dimension(y: Any) -> Any:
    if isinstance(y, np.ndarray) and y.ndim == 1:
        return y
    if nw.dependencies.is_into_series(y):
        return y
    if nw.dependencies.is_into_dataframe(y):
        frame = nw.from_native(y, eager_only=True)
        shape: tuple[int, ...] = frame.shape
        column: Any = next(iter(frame.iter_columns())).to_native() if shape[1] == 1 else None
    elif _is_pandas_array(y):
        import pandas as pd

        return pd.Series(y)
    elif hasattr(y, "combine_chunks") or hasattr(y, "dictionary_decode"):
        import pyarrow as pa

        return pa.chunked_array([y])
    elif hasattr(y, "toarray"):
        raise TypeError("y is sparse, but dense labels are required. Use y.toarray().ravel().")
    else:
        # With dtype object numbers stay numbers even if there are strings among them.
        array = np.array(y, dtype=object) if isinstance(y, list | tuple) else np.asarray(y)
        if array.ndim == 1:
            return array
        shape = array.shape
        column = array.ravel()
    if len(shape) != 2 or shape[1] != 1:
        raise ValueError(
            f"y should be a 1d array, got an array of shape {shape} instead. Expected one label "
            "per row."
        )
    from sklearn.exceptions import DataConversionWarning

    warnings.warn(
        "A column-vector y was passed when a 1d array was expected. Please change the shape of y "
        "to (n_samples,), for example using ravel().",
        DataConversionWarning,
        stacklevel=4,
    )
    return column


def _is_pandas_array(y: Any) -> bool:
    """Return whether y is a pandas.Categorical, a pandas.array(...) or a pandas.Index."""
    return type(y).__module__.partition(".")[0] == "pandas"


def _require_no_missing(missing: NDArray[np.bool_]) -> None:
    if missing.any():
        raise ValueError(
            f"Input y contains NaN: {int(missing.sum())} class(es) are missing, the first in row "
            f"{int(missing.argmax())}. Expected a class for every row; drop the rows without one."
        )
