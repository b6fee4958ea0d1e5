"""From a pandas, polars or Arrow series to a column."""

from __future__ import annotations

from typing import Any

import narwhals as nw
import numpy as np
from numpy.typing import NDArray

from weaklearn.tables.array_to_column import (
    array_to_column,
    date_column,
    durations_to_seconds,
    keeps_texts_apart,
)
from weaklearn.tables.column import MISSING_CODE, Column, category_column
from weaklearn.tables.messages import describe_bytes
from weaklearn.tables.missing_values import DEFAULT_MISSING, MissingValues


def series_to_column(
    series: nw.Series[Any], where: str, missing: MissingValues = DEFAULT_MISSING
) -> Column:
    """Convert a series to a column.

    Parameters
    ----------
    series : narwhals Series
        A series of pandas, polars or Arrow.
    where : str
        What messages call the column.
    missing : MissingValues
        The cells that are missing.
    """
    dtype = series.dtype
    if isinstance(dtype, nw.Categorical | nw.Enum):
        return _categories_to_column(series, where, missing)
    if isinstance(dtype, nw.String) and not _holds_objects(series):
        return _strings_to_column(series, where, missing)
    if dtype.is_temporal():
        return _temporal_to_column(series, where)
    if isinstance(dtype, nw.Decimal | nw.Int128 | nw.UInt128):
        series = series.cast(nw.Float64)  # NumPy does not have these types
    if isinstance(dtype, nw.Unknown):
        native = series.to_native()
        if "Sparse" in str(getattr(native, "dtype", "")):
            raise sparse_error(where, len(native), 1)
        if series.null_count() == len(series):
            return category_column(np.full(len(series), MISSING_CODE), (), where, undecided=True)
    return array_to_column(series.to_numpy(), where, missing)


def sparse_error(where: str, n_rows: int, n_columns: int) -> TypeError:
    """Return the error for sparse data, with the memory that it would take as a dense array."""
    memory = describe_bytes(8 * n_rows * n_columns)
    return TypeError(
        f"{where} is sparse, but dense data is required. Use X.toarray() for a sparse matrix, or "
        "X.sparse.to_dense() for a pandas frame with sparse columns; that takes "
        f"{memory} for {n_rows:,} rows and {n_columns:,} columns."
    )


def _temporal_to_column(series: nw.Series[Any], where: str) -> Column:
    """Convert dates to a column of dates, durations and times of day to seconds."""
    dtype = series.dtype
    if isinstance(dtype, nw.Date):
        series = series.cast(nw.Datetime("us"))
    elif isinstance(dtype, nw.Time):
        return _times_of_day_to_seconds(series)
    values = series.to_numpy()
    if isinstance(dtype, nw.Duration):
        return durations_to_seconds(values.astype("timedelta64[us]"))
    has_zone = isinstance(dtype, nw.Datetime) and dtype.time_zone is not None
    if values.dtype.kind != "M":
        return array_to_column(values, where)
    return date_column(values, has_zone)


def _times_of_day_to_seconds(series: nw.Series[Any]) -> NDArray[np.float64]:
    times = series.to_list()
    return np.array(
        [
            np.nan
            if time is None
            else time.hour * 3600 + time.minute * 60 + time.second + time.microsecond / 1e6
            for time in times
        ],
        dtype=np.float64,
    )


def _categories_to_column(series: nw.Series[Any], where: str, missing: MissingValues) -> Column:
    native = series.to_native()
    if series.implementation.is_polars():
        if not isinstance(series.dtype, nw.Enum):
            # All polars Categoricals of a process share one list of categories, in the order in
            # which the strings were first used. So the column declares no values.
            return _strings_to_column(series.cast(nw.String), where, missing, undecided=False)
        codes = _enum_codes(native)
        return category_column(codes, series.dtype.categories, where, missing, declared=True)
    if hasattr(getattr(native, "dtype", None), "categories"):
        codes, categories = native.cat.codes.to_numpy(), native.cat.categories
        return category_column(codes, categories, where, missing, declared=True)
    return _dictionary_to_column(series.to_arrow(), where, missing, declared=True)


def _strings_to_column(
    series: nw.Series[Any], where: str, missing: MissingValues, undecided: bool = True
) -> Column:
    """Encode strings with the frame's own library, which is faster than through Python objects."""
    native = series.to_native()
    if series.implementation.is_polars():
        import polars as pl

        labels = native.drop_nulls().unique()
        codes = _enum_codes(native.cast(pl.Enum(labels)))
        return category_column(codes, labels, where, missing, undecided=undecided)
    if series.implementation.is_pandas_like():
        import pandas as pd

        codes, uniques = pd.factorize(native)
        if getattr(native.dtype, "storage", None) == "python":
            texts = native.to_numpy(dtype=object)
            if not keeps_texts_apart(codes, uniques, texts):
                return array_to_column(texts, where, missing)
        return category_column(codes, uniques, where, missing, undecided=undecided)
    encoded = native.combine_chunks().dictionary_encode()
    return _dictionary_to_column(encoded, where, missing, undecided=undecided)


def _holds_objects(series: nw.Series[Any]) -> bool:
    # narwhals looks only at the first rows of a pandas object column before it reports String.
    return str(getattr(series.to_native(), "dtype", "")) == "object"


def _enum_codes(native: Any) -> NDArray[np.int64]:
    codes: NDArray[np.int64] = native.to_physical().cast(int).fill_null(MISSING_CODE).to_numpy()
    return codes


def _dictionary_to_column(
    array: Any,
    where: str,
    missing: MissingValues,
    *,
    declared: bool = False,
    undecided: bool = False,
) -> Column:
    """Convert an Arrow dictionary array."""
    # Indices may be unsigned, as polars writes them.
    codes = array.indices.cast("int64").fill_null(MISSING_CODE).to_numpy(zero_copy_only=False)
    values = array.dictionary.to_pylist()
    return category_column(codes, values, where, missing, declared=declared, undecided=undecided)
