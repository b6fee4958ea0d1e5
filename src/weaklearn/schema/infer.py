"""The rule that says what each column is.

1. Integers, floats and decimals are continuous.
2. Strings, bools, pandas categories, polars Categorical and Enum, and Arrow dictionaries are
   nominal, whatever they hold.
3. A column of Python objects is continuous if every known value is a number (a bool is not), and
   nominal otherwise; a number written as a string stays a string.
4. Dates, times and durations are an error: convert them to numbers or to strings.
5. ``nominal=[...]`` and ``continuous=[...]``, by name or by position, overrule all of the above;
   strings are then read as numbers where continuous is asked for.

Missing are NaN, None, ``pandas.NA``, ``pandas.NaT``, a null of polars or Arrow, and the string
``"?"``. A column without any known value is continuous if its type is numeric, nominal otherwise.

The values of a nominal feature are those that its column declares, in that order and with those
that never occur (pandas category, polars Enum, Arrow dictionary); otherwise the distinct known
values in sorted order, numbers before strings. A polars Categorical declares nothing. Equal values
(``1``, ``1.0``, ``True``) are one value. Classes follow the same rule.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Sequence
from difflib import get_close_matches
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from weaklearn.schema.schema import Feature, Label
from weaklearn.tables.array_to_column import Coded, Column, as_coded, sort_labels
from weaklearn.tables.distinct import distinct
from weaklearn.tables.frames import Columns, as_column, default_name


def infer_features(
    columns: Columns,
    nominal: Iterable[str | int] = (),
    continuous: Iterable[str | int] = (),
) -> tuple[Feature, ...]:
    """Describe each column by the rule of `weaklearn.schema.infer`.

    Parameters
    ----------
    columns : Columns
        What `as_columns` gives.
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
    >>> [(a.name, a.kind, a.values) for a in infer_features(columns)]
    [('x0', 'continuous', ()), ('x1', 'nominal', ('blue', 'red'))]
    """
    names = columns.names or [default_name(i) for i in range(columns.n_columns)]
    to_nominal = _positions(nominal, names, "nominal")
    to_continuous = _positions(continuous, names, "continuous")
    both = sorted(to_nominal & to_continuous)
    if both:
        raise ValueError(
            f"Columns {[names[i] for i in both]} are in nominal=[...] and in continuous=[...]; "
            "a column has one kind. Keep each in one of the two."
        )
    features = []
    for position, (name, column) in enumerate(zip(names, columns.data, strict=True)):
        if position in to_nominal or (isinstance(column, Coded) and position not in to_continuous):
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
        How many rows the features have.

    Returns
    -------
    classes : tuple of labels
        In declared order with those that never occur, or sorted.
    codes : array of int32
        Per row the position of its class.

    Examples
    --------
    >>> infer_classes(["yes", "no", "yes"])
    (('no', 'yes'), array([1, 0, 1], dtype=int32))
    """
    column = _class_column(y)
    n_labels = len(column.codes) if isinstance(column, Coded) else len(column)
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
    if isinstance(column, Coded):
        _require_known(column.codes < 0)
        classes = column.labels if column.declared else sort_labels(column.labels)
        return classes, _recode(column, classes)
    if column.dtype.kind == "f":
        _require_known(np.isnan(column))
        if not np.array_equal(column, np.trunc(column)):
            raise ValueError(
                "Unknown label type: continuous. A classifier expects discrete classes, but y "
                "holds fractions, as a regression target does. Name the classes, for example with "
                "pandas.cut(y, bins).astype(str)."
            )
    values, codes = distinct(column)
    return tuple(values.tolist()), codes.astype(np.int32)


def number_classes(
    y: Any, classes: Sequence[Label], n_rows: int | None = None
) -> NDArray[np.int32]:
    """Give the number of each row's class among those of a model.

    Parameters
    ----------
    y : Series, array or list
        One label per row.
    classes : sequence of labels
        The classes that the model knows.
    n_rows : int, optional
        How many rows there are.

    Returns
    -------
    array of int32
        One number per row.

    Examples
    --------
    >>> number_classes(["yes", "no"], ("no", "maybe", "yes"))
    array([2, 0], dtype=int32)
    """
    labels, codes = infer_classes(y, n_rows)
    number_of = {label: number for number, label in enumerate(classes)}
    occurring = np.flatnonzero(np.bincount(codes, minlength=len(labels)))
    unknown = [labels[k] for k in occurring if labels[k] not in number_of]
    if unknown:
        raise ValueError(
            f"y holds {unknown[0]!r}, which is no class of the training table. Expected one of "
            f"{', '.join(map(repr, classes))}."
        )
    return np.array([number_of.get(label, -1) for label in labels], dtype=np.int32)[codes]


def _positions(asked: Iterable[str | int], names: list[str], option: str) -> set[int]:
    if isinstance(asked, str):
        raise TypeError(f"{option}={asked!r} is a string; expected a list: {option}=[{asked!r}].")
    positions = set()
    for item in asked:
        if isinstance(item, str):
            if item not in names:
                raise ValueError(
                    f"{option}=[...] names {item!r}, which is not a column.{_hint(item, names)}"
                )
            positions.add(names.index(item))
        elif isinstance(item, int | np.integer) and not isinstance(item, bool):
            if not 0 <= item < len(names):
                raise ValueError(
                    f"{option}=[...] asks for column {item}, but the columns are numbered 0 to "
                    f"{len(names) - 1}."
                )
            positions.add(int(item))
        else:
            raise TypeError(
                f"{option}=[...] holds {item!r} of type {type(item).__name__}; expected names or "
                "positions of columns."
            )
    return positions


def _hint(name: str, names: list[str]) -> str:
    close = get_close_matches(name, names, n=3)
    if close:
        return f" Did you mean {' or '.join(map(repr, close))}?"
    shown = ", ".join(map(repr, names[:10]))
    return f" The columns are {shown}{', ...' if len(names) > 10 else ''}."


def _values(column: Column, name: str) -> tuple[Label, ...]:
    labels = as_coded(column, f"X column {name!r}")
    return labels.labels if labels.declared else sort_labels(labels.labels)


def _class_column(y: Any) -> Column:
    if y is None:
        raise ValueError("This classifier requires y to be passed, but the target y is None.")
    y = _one_dimension(y)
    try:
        return as_column(y, "y")
    except TypeError as error:
        raise ValueError(f"Unknown label type: {error}") from error


def _one_dimension(y: Any) -> Any:
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
        # As objects, so that numbers beside strings stay numbers.
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
    """Tell pandas.Categorical, pandas.array(...) and pandas.Index from everything else."""
    return type(y).__module__.partition(".")[0] == "pandas"


def _require_known(missing: NDArray[np.bool_]) -> None:
    if missing.any():
        raise ValueError(
            f"Input y contains NaN: {int(missing.sum())} class(es) are missing, the first in row "
            f"{int(missing.argmax())}. Expected a class for every row; drop the rows without one."
        )


def _recode(column: Coded, classes: tuple[Label, ...]) -> NDArray[np.int32]:
    positions = {label: position for position, label in enumerate(classes)}
    new_codes = np.array([positions[label] for label in column.labels], dtype=np.int32)
    return new_codes[column.codes]
