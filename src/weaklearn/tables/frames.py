"""From a frame in memory to columns: pandas, polars, Arrow, NumPy, lists, dicts, tables."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.tables.array_to_column import array_to_column
from weaklearn.tables.blocks_to_columns import array_columns, pandas_columns
from weaklearn.tables.column import Column
from weaklearn.tables.few_rows import MAX_FEW_ROWS, arrow_columns, polars_columns
from weaklearn.tables.messages import describe_column, quote_list
from weaklearn.tables.missing_values import DEFAULT_MISSING, MissingValues


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Columns:
    """The columns of a frame, each as numbers, as dates, or as labels with codes.

    Parameters
    ----------
    names : list of str or None
        The columns' names; None if the frame has no names (a plain array, or a pandas frame
        whose column names are not strings).
    n_rows : int
        The number of rows.
    data : list of columns
        One entry per column: a NumPy array of numbers, a `CategoryColumn` or a `DateColumn`.
    """

    names: list[str] | None
    n_rows: int
    data: list[Column]

    @property
    def n_columns(self) -> int:
        """The number of columns."""
        return len(self.data)

    def take(self, order: Sequence[int]) -> Columns:
        """Return the columns at these positions, in this order."""
        names = self.names and [self.names[position] for position in order]
        return Columns(names, self.n_rows, [self.data[position] for position in order])

    def take_rows(self, rows: NDArray[np.intp]) -> Columns:
        """Return the columns at these rows."""
        data = [
            column[rows] if isinstance(column, np.ndarray) else column.take(rows)
            for column in self.data
        ]
        return Columns(self.names, len(rows), data)

    def __repr__(self) -> str:
        names = "without names" if self.names is None else quote_list(self.names, 8, 30)
        return f"Columns: {self.n_rows} rows, {self.n_columns} columns: {names}"


def default_name(position: int) -> str:
    """Return the name of a column that has none, as scikit-learn does."""
    return f"x{position}"


def as_columns(X: Any, missing: MissingValues = DEFAULT_MISSING) -> Columns:
    """Read the columns of a frame.

    Parameters
    ----------
    X : frame
        A pandas or polars DataFrame, a pyarrow Table, a two-dimensional NumPy array of numbers,
        bools, strings or objects, a structured NumPy array, a list of rows, a dict of columns, or a
        `Table`.
    missing : MissingValues
        The cells that are missing.

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
        return _array_to_columns(X, missing)
    if isinstance(X, list | tuple):
        return _array_to_columns(_rows_to_array(X), missing)
    if type(X) is dict:  # a sparse matrix of scipy may be a subclass
        return _dict_to_columns(X, missing)
    pandas = sys.modules.get("pandas")
    if pandas is not None and isinstance(X, pandas.DataFrame):
        return _frame_to_columns(X, missing, is_pandas=True)
    import narwhals as nw  # takes long to import, and arrays and lists do not need it

    if nw.dependencies.is_into_dataframe(X):
        return _frame_to_columns(X, missing, is_pandas=False)
    if nw.dependencies.is_into_series(X):
        raise ValueError(
            f"Expected a 2-dimensional container but got {type(X).__name__} instead. Reshape your "
            "data: pass a frame with one column (a single feature) or with one row (a single "
            "sample)."
        )
    if nw.dependencies.is_into_dataframe(getattr(X, "X", None)):  # a Table
        return as_columns(X.X, missing)
    return _array_to_columns(_other_to_array(X), missing)


def as_column(values: Any, where: str, missing: MissingValues = DEFAULT_MISSING) -> Column:
    """Read one column, such as the classes of a table.

    Parameters
    ----------
    values : Series or array
        A pandas, polars or Arrow series, or a one-dimensional NumPy array.
    where : str
        What messages call the column.
    missing : MissingValues
        The cells that are missing.
    """
    if isinstance(values, np.ndarray):
        return array_to_column(values, where, missing)
    import narwhals as nw

    from weaklearn.tables.series_to_column import series_to_column

    if nw.dependencies.is_into_series(values):
        return series_to_column(nw.from_native(values, series_only=True), where, missing)
    raise TypeError(
        f"{where} is of type {type(values).__name__}; expected a pandas, polars or Arrow series or "
        "a NumPy array. Convert it with numpy.asarray."
    )


def _array_to_columns(X: NDArray[Any], missing: MissingValues) -> Columns:
    if X.dtype.names is not None:
        return _structured_array_to_columns(X, missing)
    if isinstance(X, np.ma.MaskedArray):
        X = np.ma.filled(X.astype(object), None)
    X = np.asarray(X)
    _require_two_dimensions(X)
    n_rows, n_columns = X.shape
    _require_content(n_rows, n_columns)
    names = [default_name(position) for position in range(n_columns)]
    return Columns(None, n_rows, array_columns(X, names, missing))


def _structured_array_to_columns(X: NDArray[Any], missing: MissingValues) -> Columns:
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
                f"{describe_column(name)} holds an array of shape {X[name].shape[1:]} in every "
                "row; expected one value per row. Make a separate field of each entry."
            )
    data = [array_to_column(X[name], describe_column(name), missing) for name in names]
    return Columns(names, len(X), data)


def _dict_to_columns(X: dict[Any, Any], missing: MissingValues) -> Columns:
    """Convert columns by name, each an array or a list."""
    names = list(X)
    arrays = [
        column if isinstance(column, np.ndarray) else np.array(column, dtype=object)
        for column in X.values()
    ]
    shapes = sorted({array.shape for array in arrays})
    if len(shapes) > 1 or (shapes and len(shapes[0]) != 1):
        raise ValueError(
            f"Expected columns of one length and one dimension, got shapes {quote_list(shapes)}."
            " Pass a list or an array of one value per row for each name."
        )
    _require_content(len(arrays[0]) if arrays else 0, len(names))
    data = [
        array_to_column(array, describe_column(name), missing)
        for name, array in zip(names, arrays, strict=True)
    ]
    return Columns(_string_names(names), len(arrays[0]), data)


def _frame_to_columns(native: Any, missing: MissingValues, is_pandas: bool) -> Columns:
    raw_names = list(native.column_names if hasattr(native, "column_names") else native.columns)
    _require_distinct(raw_names)
    _require_content(*native.shape)
    if is_pandas:
        data = pandas_columns(native, raw_names, missing)
    else:
        data = _other_columns(native, raw_names, missing)
    return Columns(_string_names(raw_names), native.shape[0], data)


def _other_columns(native: Any, names: Sequence[str], missing: MissingValues) -> list[Column]:
    """Convert the columns of a polars frame, an Arrow table or another frame."""
    import narwhals as nw

    from weaklearn.tables.series_to_column import series_to_column

    column_at: dict[int, Column] = {}
    if native.shape[0] <= MAX_FEW_ROWS:
        if nw.dependencies.is_polars_dataframe(native):
            column_at = polars_columns(native, names, missing)
        elif nw.dependencies.is_pyarrow_table(native):
            column_at = arrow_columns(native, names, missing)
            if sys.modules.get("pandas") is not None:
                column_at.update(_arrow_other_columns(native, names, missing))
    rest = [position for position in range(len(names)) if position not in column_at]
    if rest:
        frame = nw.from_native(native, eager_only=True)
        if column_at:
            frame = frame.select([names[position] for position in rest])
        for position, series in zip(rest, frame.iter_columns(), strict=True):
            where = describe_column(names[position])
            column_at[position] = series_to_column(series, where, missing)
    return [column_at[position] for position in range(len(names))]


def _arrow_other_columns(
    table: Any, names: Sequence[str], missing: MissingValues
) -> dict[int, Column]:
    """Return the columns of numbers and dates by their position; pandas converts them at once."""
    import pyarrow.types as is_type

    kinds = (is_type.is_floating, is_type.is_integer, is_type.is_timestamp, is_type.is_date32)
    positions = [
        position
        for position, dtype in enumerate(table.schema.types)
        if any(is_kind(dtype) for is_kind in kinds)
    ]
    if not positions:
        return {}
    frame = table.select(positions).to_pandas(ignore_metadata=True, date_as_object=False)
    own_names = [names[position] for position in positions]
    return dict(zip(positions, pandas_columns(frame, own_names, missing), strict=True))


def _rows_to_array(rows: Sequence[Any]) -> NDArray[np.object_]:
    # With dtype object a number stays a number even if there are strings in the same row.
    array = np.array(rows, dtype=object)
    if array.ndim == 1 and any(isinstance(row, list | tuple | np.ndarray) for row in rows):
        lengths = sorted({len(row) if hasattr(row, "__len__") else 1 for row in rows})
        raise ValueError(
            f"Expected rows of one length, got rows of lengths {quote_list(lengths)}. Write None "
            "where a value is missing."
        )
    return array


def _other_to_array(X: Any) -> NDArray[Any]:
    if hasattr(X, "toarray"):
        from weaklearn.tables.series_to_column import sparse_error

        raise sparse_error("X", *X.shape)
    if hasattr(X, "collect"):
        raise TypeError(
            f"X is a {type(X).__name__}, whose rows are not computed yet; expected a frame with "
            "rows. Compute them first: X.collect()."
        )
    array = np.asarray(X)
    if array.ndim == 0 and array.dtype == object:
        raise TypeError(
            f"X is of type {type(X).__name__}; expected a pandas or polars DataFrame, a pyarrow "
            "Table, a 2D NumPy array, a list of rows or a dict of columns."
        )
    return array


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
            f"Expected distinct column names in X, but {quote_list(repeated)} occur more than "
            "once. Rename or drop the repeated columns."
        )


def _require_two_dimensions(X: NDArray[Any]) -> None:
    if X.ndim > 2:
        raise ValueError(f"Found array with dim {X.ndim}, while dim <= 2 is required.")
    if X.ndim < 2:
        got = "1D array" if X.ndim == 1 else "scalar array"
        raise ValueError(
            f"Expected 2D array, got {got} instead, with shape {X.shape}. Reshape your data with "
            "array.reshape(-1, 1) if it is a single feature, or with array.reshape(1, -1) if it "
            "is a single sample."
        )


def _require_content(n_rows: int, n_columns: int) -> None:
    for count, what in ((n_rows, "sample"), (n_columns, "feature")):
        if count == 0:
            raise ValueError(
                f"Found array with 0 {what}(s) (shape=({n_rows}, {n_columns})) while a minimum of "
                "1 is required."
            )
