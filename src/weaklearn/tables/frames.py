"""From any frame in memory to columns: pandas, polars, Arrow, NumPy, lists of rows, tables."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from weaklearn.tables.array_to_column import (
    Coded,
    Column,
    as_float64,
    coded,
    column_of_array,
    holds_infinity,
    temporal_error,
)


@dataclass(frozen=True, slots=True, eq=False)
class Columns:
    """The columns of a frame, each as numbers or as coded labels.

    Parameters
    ----------
    names : list of str or None
        The columns' names; None if the frame has none (a plain array, or a pandas frame whose
        column names are not strings).
    n_rows : int
        Number of rows.
    data : list of columns
        One entry per column: a NumPy array of numbers, or a `Coded` column.
    """

    names: list[str] | None
    n_rows: int
    data: list[Column]

    @property
    def n_columns(self) -> int:
        """The number of columns."""
        return len(self.data)

    def take(self, order: Sequence[int]) -> Columns:
        """Give the columns at these positions, in this order."""
        names = self.names and [self.names[position] for position in order]
        return Columns(names, self.n_rows, [self.data[position] for position in order])

    def take_rows(self, rows: NDArray[np.intp]) -> Columns:
        """Give the columns at these rows."""
        data = [c.take(rows) if isinstance(c, Coded) else c[rows] for c in self.data]
        return Columns(self.names, len(rows), data)


def default_name(position: int) -> str:
    """Name a column that has no name, as scikit-learn does."""
    return f"x{position}"


def as_columns(X: Any) -> Columns:
    """Read the columns of a frame.

    Parameters
    ----------
    X : frame
        A pandas or polars DataFrame, a pyarrow Table, a two-dimensional NumPy array of numbers,
        bools, strings or objects, a structured NumPy array, a list of rows, or what `wl.read`
        gives.

    Returns
    -------
    Columns
        The columns. None of their numbers is infinite.

    Examples
    --------
    >>> columns = as_columns([[5.1, "red"], [4.9, None]])
    >>> columns.names, columns.n_rows, columns.n_columns
    (None, 2, 2)
    >>> columns.data[0]
    array([5.1, 4.9])
    >>> columns.data[1].labels, columns.data[1].codes
    (('red',), array([ 0, -1]))
    """
    if isinstance(X, np.ndarray):
        return _columns_of_array(X)
    if nw.dependencies.is_into_dataframe(X):
        return _columns_of_frame(X)
    if isinstance(X, list | tuple):
        return _columns_of_array(_array_of_rows(X))
    if nw.dependencies.is_into_series(X):
        raise ValueError(
            f"Expected a 2-dimensional container but got {type(X).__name__} instead. Reshape your "
            "data: pass a frame with one column (a single feature) or with one row (a single "
            "instance)."
        )
    if nw.dependencies.is_into_dataframe(getattr(X, "X", None)):  # a Table
        return _columns_of_frame(X.X)
    return _columns_of_array(_array_of_unknown(X))


def as_column(values: Any, source: str) -> Column:
    """Read one column, such as the classes of a table.

    Parameters
    ----------
    values : Series or array
        A pandas, polars or Arrow series, or a one-dimensional NumPy array.
    source : str
        What messages call it.
    """
    if isinstance(values, np.ndarray):
        return column_of_array(values, source)
    if nw.dependencies.is_into_series(values):
        return _column_of_series(nw.from_native(values, series_only=True), source)
    raise TypeError(f"{source} is of type {type(values).__name__}; expected a series or an array.")


def _columns_of_array(X: NDArray[Any]) -> Columns:
    if X.dtype.names is not None:
        return _columns_of_structured_array(X)
    if isinstance(X, np.ma.MaskedArray):
        X = np.ma.filled(X.astype(object), None)
    X = np.asarray(X)
    _require_two_dimensions(X)
    n_rows, n_columns = X.shape
    _require_content(n_rows, n_columns)
    if X.dtype.kind == "f" or (X.dtype.kind in "iu" and _fits_float(X)):
        X = as_float64(X)  # all columns in one go
        if not holds_infinity(X):
            return Columns(None, n_rows, list(X.T))
    columns = [column_of_array(X[:, i], _source(default_name(i))) for i in range(n_columns)]
    return Columns(None, n_rows, columns)


def _fits_float(X: NDArray[np.integer[Any]]) -> bool:
    limit = 2**53
    return X.dtype.itemsize <= 4 or bool(X.min() >= -limit and X.max() <= limit)


def _columns_of_structured_array(X: NDArray[Any]) -> Columns:
    names = list(X.dtype.names or ())
    if X.ndim != 1:
        raise ValueError(
            f"Expected a structured array with one dimension, got shape {X.shape}. Reshape your "
            "data with array.ravel()."
        )
    _require_content(len(X), len(names))
    for name in names:
        if X[name].ndim != 1:
            raise ValueError(
                f"{_source(name)} holds an array of shape {X[name].shape[1:]} in every row; "
                "expected one value per row. Make each of its entries a field of its own."
            )
    return Columns(names, len(X), [column_of_array(X[name], _source(name)) for name in names])


def _columns_of_frame(native: Any) -> Columns:
    raw_names = list(native.column_names if hasattr(native, "column_names") else native.columns)
    _require_distinct(raw_names)
    frame = nw.from_native(native, eager_only=True)
    n_rows, n_columns = frame.shape
    _require_content(n_rows, n_columns)
    columns = [
        _column_of_series(series, _source(name))
        for name, series in zip(raw_names, frame.iter_columns(), strict=True)
    ]
    return Columns(_string_names(raw_names), n_rows, columns)


def _column_of_series(series: nw.Series[Any], source: str) -> Column:
    dtype = series.dtype
    if isinstance(dtype, nw.Categorical | nw.Enum):
        return _column_of_categories(series, source)
    if isinstance(dtype, nw.String) and not _holds_objects(series):
        return _column_of_strings(series, source)
    if dtype.is_temporal():
        raise temporal_error(source, str(dtype))
    if isinstance(dtype, nw.Decimal | nw.Int128 | nw.UInt128):
        series = series.cast(nw.Float64)  # NumPy has no such type
    if isinstance(dtype, nw.Unknown):
        if "Sparse" in str(getattr(series.to_native(), "dtype", "")):
            raise _sparse_error(source)
        if series.null_count() == len(series):
            return coded(np.full(len(series), -1), (), source)
    return column_of_array(series.to_numpy(), source)


def _column_of_categories(series: nw.Series[Any], source: str) -> Column:
    native = series.to_native()
    if series.implementation.is_polars():
        if not isinstance(series.dtype, nw.Enum):
            # A polars Categorical shares one list of categories with the whole process, in the
            # order in which strings happened to come by: it declares nothing.
            return _column_of_strings(series.cast(nw.String), source)
        return coded(_enum_codes(native), series.dtype.categories, source, declared=True)
    if hasattr(getattr(native, "dtype", None), "categories"):
        categories = native.cat.categories
        return coded(native.cat.codes.to_numpy(), categories, source, declared=True)
    return _column_of_dictionary(series.to_arrow(), source, declared=True)


def _column_of_strings(series: nw.Series[Any], source: str) -> Column:
    """Code strings with the frame's own library, which is faster than by way of Python objects."""
    native = series.to_native()
    if series.implementation.is_polars():
        import polars as pl

        labels = native.drop_nulls().unique()
        return coded(_enum_codes(native.cast(pl.Enum(labels))), labels, source)
    if series.implementation.is_pandas_like():
        import pandas as pd

        codes, uniques = pd.factorize(native)
        return coded(codes, uniques, source)
    return _column_of_dictionary(native.combine_chunks().dictionary_encode(), source)


def _holds_objects(series: nw.Series[Any]) -> bool:
    # narwhals calls a pandas column of objects a String after a look at its first rows only.
    return str(getattr(series.to_native(), "dtype", "")) == "object"


def _enum_codes(native: Any) -> NDArray[np.int64]:
    codes: NDArray[np.int64] = native.to_physical().cast(int).fill_null(-1).to_numpy()
    return codes


def _column_of_dictionary(array: Any, source: str, declared: bool = False) -> Column:
    """Code an Arrow dictionary array."""
    codes = array.indices.fill_null(-1).to_numpy(zero_copy_only=False)
    return coded(codes, array.dictionary.to_pylist(), source, declared)


def _array_of_rows(rows: Sequence[Any]) -> NDArray[np.object_]:
    # As objects, so that a number stays a number beside a string.
    array = np.array(rows, dtype=object)
    if array.ndim == 1 and any(isinstance(row, list | tuple | np.ndarray) for row in rows):
        lengths = sorted({len(row) if hasattr(row, "__len__") else 1 for row in rows})
        raise ValueError(
            f"Expected rows of one length, got rows of lengths {lengths}. Write None where a "
            "value is missing."
        )
    return array


def _array_of_unknown(X: Any) -> NDArray[Any]:
    if hasattr(X, "toarray"):
        raise _sparse_error("X")
    array = np.asarray(X)
    if array.ndim == 0 and array.dtype == object:
        raise TypeError(
            f"X is of type {type(X).__name__}, but expected a pandas or polars DataFrame, a "
            "pyarrow Table, a 2D NumPy array or a list of rows. Columns in a dict become a frame "
            "with pandas.DataFrame(X)."
        )
    return array


def _source(name: object) -> str:
    return f"X column {name!r}"


def _string_names(raw_names: list[Any]) -> list[str] | None:
    are_strings = [isinstance(name, str) for name in raw_names]
    if all(are_strings):
        return raw_names
    if any(are_strings):
        types = sorted({type(name).__name__ for name in raw_names})
        raise TypeError(
            "Feature names are only supported if all input features have string names, but the "
            f"column names of X are of types {types}. Make them all strings: "
            "X.columns = X.columns.astype(str)."
        )
    return None


def _require_distinct(names: list[Any]) -> None:
    repeated = [name for name, count in Counter(names).items() if count > 1]
    if repeated:
        raise ValueError(
            f"Expected every column of X to have a name of its own, but {repeated} occur more "
            "than once. Rename or drop the repeated columns."
        )


def _require_two_dimensions(X: NDArray[Any]) -> None:
    if X.ndim > 2:
        raise ValueError(f"Found array with dim {X.ndim}, while dim <= 2 is required.")
    if X.ndim < 2:
        got = "1D array" if X.ndim == 1 else "scalar array"
        raise ValueError(
            f"Expected 2D array, got {got} instead, with shape {X.shape}. Reshape your data with "
            "array.reshape(-1, 1) if it is a single feature, or with array.reshape(1, -1) if it "
            "is a single instance."
        )


def _require_content(n_rows: int, n_columns: int) -> None:
    for count, what in ((n_rows, "sample"), (n_columns, "feature")):
        if count == 0:
            raise ValueError(
                f"Found array with 0 {what}(s) (shape=({n_rows}, {n_columns})) while a minimum of "
                "1 is required."
            )


def _sparse_error(source: str) -> TypeError:
    return TypeError(
        f"{source} is sparse, but dense data is required. Use X.toarray() for a sparse matrix, "
        "X.sparse.to_dense() for a pandas frame with sparse columns."
    )
