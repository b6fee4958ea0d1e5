"""The rule that decides what each column is.

1. Integers, floats, decimals, durations and times of day are continuous; the last two in seconds.
2. Dates, with or without times, are continuous. Trees and rules print them as dates.
3. Texts are continuous if every known cell is a number or every known cell is a date (see
   `weaklearn.tables.dates`). Otherwise they are nominal. Texts ``true`` and ``false`` are bools.
4. Bools, pandas categories, polars Categorical and Enum, and Arrow dictionaries are nominal,
   whatever they hold.
5. A column of Python objects follows the rule for its values. Numbers and texts that are numbers
   are continuous together.
6. ``nominal=[...]``, ``continuous=[...]`` and ``ignore=[...]``, by name or by position, overrule
   all of the above. With ``continuous``, texts are read as numbers.

`weaklearn.tables.missing_values` says which cells are missing. A column without any known value is
continuous if its type is numeric, and nominal otherwise.

A pandas category, a polars Enum and an Arrow dictionary declare the values of a nominal feature:
their order is kept, and so are values that never occur. Otherwise the values are the distinct known
ones in sorted order, numbers before strings. A polars Categorical declares nothing. Equal values
(``1``, ``1.0``, ``True``) are one value. Classes follow the same rule, but texts stay texts.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.schema.column_options import ColumnOptions
from weaklearn.schema.schema import Feature, Label
from weaklearn.tables.column import (
    MISSING_CODE,
    CategoryColumn,
    Column,
    DateColumn,
    as_categories,
    recode,
    sort_labels,
)
from weaklearn.tables.dates import DateForm
from weaklearn.tables.distinct import distinct
from weaklearn.tables.frames import Columns, as_column, default_name
from weaklearn.tables.messages import describe_column, did_you_mean, quote, quote_list
from weaklearn.tables.missing_values import DEFAULT_MISSING, MissingValues
from weaklearn.tables.text_kind import TextKind, as_bools, find_text_kind

NO_OPTIONS = ColumnOptions()


def infer_features(columns: Columns, options: ColumnOptions = NO_OPTIONS) -> tuple[Feature, ...]:
    """Describe each column by the rule of `weaklearn.schema.infer`.

    Parameters
    ----------
    columns : Columns
        The columns of a frame, from `as_columns`.
    options : ColumnOptions
        What the user declares about columns.

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
    to_nominal = column_positions(options.nominal, names, "nominal")
    to_continuous = column_positions(options.continuous, names, "continuous")
    both = sorted(to_nominal & to_continuous)
    if both:
        raise ValueError(
            f"Columns {quote_list(names[i] for i in both)} are in nominal=[...] and in "
            "continuous=[...]; expected each column in one of the two."
        )
    ignored = column_positions(options.ignore, names, "ignore")
    if len(ignored) == len(names):
        raise ValueError("ignore=[...] leaves out every column; expected it to keep one at least.")
    features = []
    for position, (name, column) in enumerate(zip(names, columns.data, strict=True)):
        if position in ignored:
            features.append(Feature(name, "continuous", ignored=True))
        elif isinstance(column, np.ndarray) and position not in to_nominal:
            features.append(Feature(name, "continuous"))
        else:
            features.append(
                _infer_feature(name, column, position in to_nominal, position in to_continuous)
            )
    return tuple(features)


def _infer_feature(name: str, column: Column, nominal: bool, continuous: bool) -> Feature:
    if isinstance(column, DateColumn) and not nominal:
        return Feature(name, "continuous", date=column.form)
    categories = as_categories(column, describe_column(name))
    kind: TextKind = "labels"
    if categories.labels and (continuous or categories.undecided):
        kind = find_text_kind(categories.labels)
    if isinstance(kind, DateForm) and not nominal:
        return Feature(name, "continuous", date=kind)
    if continuous or (kind == "numbers" and not nominal):
        return Feature(name, "continuous")
    labels = as_bools(categories.labels) if kind == "bools" else categories.labels
    distinct_labels = tuple(dict.fromkeys(labels))
    return Feature(
        name, "nominal", distinct_labels if categories.declared else sort_labels(distinct_labels)
    )


def infer_classes(
    y: Any,
    n_rows: int | None = None,
    missing: MissingValues = DEFAULT_MISSING,
    allow_missing: bool = False,
) -> tuple[tuple[Label, ...], NDArray[np.int32]]:
    """Find the classes and the class of each row.

    Parameters
    ----------
    y : Series, array or list
        One label per row: strings, bools, integers or whole floats.
    n_rows : int, optional
        The number of rows of the features; y must have as many.
    missing : MissingValues
        The labels that are missing.
    allow_missing : bool
        Whether a class may be missing; if not, a missing class is an error.

    Returns
    -------
    classes : tuple of labels
        The declared classes in their order, also those that never occur; otherwise sorted.
    codes : array of int32
        Per row the index of its class, or `MISSING_CODE`.

    Examples
    --------
    >>> infer_classes(["yes", "no", "yes"])
    (('no', 'yes'), array([1, 0, 1], dtype=int32))
    """
    column = read_classes(y, missing)
    check_number_of_labels(column, n_rows)
    return classes_of(column, allow_missing)


def check_number_of_labels(column: NDArray[Any] | CategoryColumn, n_rows: int | None) -> None:
    """Raise a ValueError if a column from `read_classes` is empty, or has not one label per row."""
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


def classes_of(
    column: NDArray[Any] | CategoryColumn, allow_missing: bool
) -> tuple[tuple[Label, ...], NDArray[np.int32]]:
    """Find the classes in a column from `read_classes`, as `infer_classes` does."""
    if isinstance(column, CategoryColumn):
        if not allow_missing:
            _require_no_missing(column.codes == MISSING_CODE)
        classes = column.labels if column.declared else sort_labels(column.labels)
        index_of = {label: index for index, label in enumerate(classes)}
        return classes, recode(column.codes, [index_of[label] for label in column.labels], np.int32)
    if column.dtype.kind != "f":
        values, codes_of_all = distinct(column)
        return tuple(values.tolist()), codes_of_all.astype(np.int32, copy=False)
    is_known = ~np.isnan(column)
    if not allow_missing:
        _require_no_missing(~is_known)
    known = column[is_known]
    if not np.array_equal(known, np.trunc(known)):
        raise ValueError(
            "Unknown label type: continuous. A classifier expects discrete classes, but y "
            "holds fractions, as a regression target does. Name the classes, for example with "
            "pandas.cut(y, bins).astype(str)."
        )
    values, known_codes = distinct(known)
    codes = np.full(len(column), MISSING_CODE, dtype=np.int32)
    codes[is_known] = known_codes
    return tuple(values.tolist()), codes


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


def column_positions(columns: Iterable[str | int], names: list[str], option: str) -> set[int]:
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


def read_classes(y: Any, missing: MissingValues) -> NDArray[Any] | CategoryColumn:
    """Return classes as a column, before their order is known."""
    if y is None:
        raise ValueError("This classifier requires y to be passed, but the target y is None.")
    y = _as_one_dimension(y)
    try:
        # A number that means a missing value in a feature may be a class, such as -1.
        own = replace(missing, keeps_space=True, numbers=frozenset())
        column = as_column(y, "y", own)
    except TypeError as error:
        raise ValueError(f"Unknown label type: {error}") from error
    if isinstance(column, DateColumn):
        raise ValueError(
            "Unknown label type: y holds dates; expected strings, bools or integers. Name the "
            "classes, for example with y.astype(str)."
        )
    return column


def _as_one_dimension(y: Any) -> Any:
    if isinstance(y, np.ndarray) and y.ndim == 1:
        return y
    import narwhals as nw  # takes long to import, and prediction does not need it

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
