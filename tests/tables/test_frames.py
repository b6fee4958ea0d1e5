"""Any frame in memory becomes the same columns; anything else is an error with advice."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta, timezone
from decimal import Decimal

import numpy as np
import pandas as pd
import pytest
from scipy import sparse

from weaklearn.tables import Table
from weaklearn.tables.column import MISSING_CODE, CategoryColumn, DateColumn
from weaklearn.tables.frames import as_columns

pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")


def only_column(X: object):
    columns = as_columns(X)
    assert columns.n_columns == 1
    return columns.data[0]


def values_of(X: object) -> list[object]:
    """The values of a one-column frame as Python objects, None where missing."""
    column = only_column(X)
    if isinstance(column, CategoryColumn):
        return [None if code == MISSING_CODE else column.labels[code] for code in column.codes]
    return [None if value != value else value for value in column.tolist()]


TEXT = ["a", None, "b", "?"]
TEXT_COLUMNS = {
    "pandas str": pd.Series(TEXT),
    "pandas string": pd.Series(TEXT, dtype="string"),
    "pandas object": pd.Series(TEXT, dtype=object),
    "pandas category": pd.Series(TEXT, dtype="category"),
    "pandas arrow string": pd.Series(TEXT, dtype=pd.ArrowDtype(pa.string())),
    "pandas arrow dictionary": pd.Series(
        TEXT, dtype=pd.ArrowDtype(pa.dictionary(pa.int32(), pa.string()))
    ),
    "polars String": pl.Series(TEXT),
    "polars Categorical": pl.Series(TEXT, dtype=pl.Categorical),
    "polars Enum": pl.Series(TEXT, dtype=pl.Enum(["?", "a", "b"])),
    "pyarrow string": pa.array(TEXT),
    "pyarrow large_string": pa.array(TEXT, pa.large_string()),
    "pyarrow dictionary": pa.array(TEXT).dictionary_encode(),
    "pyarrow dictionary of polars": pl.Series(TEXT, dtype=pl.Categorical).to_arrow(),
    "pyarrow dictionary with unsigned indices": pa.DictionaryArray.from_arrays(
        pa.array([0, None, 1, 2], pa.uint8()), ["a", "b", "?"]
    ),
    "numpy object": np.array(TEXT, dtype=object),
}
NUMBERS = [1, None, 3]
NUMBER_COLUMNS = {
    "pandas float64": pd.Series(NUMBERS, dtype="float64"),
    "pandas float32": pd.Series(NUMBERS, dtype="float32"),
    "pandas Int64": pd.Series(NUMBERS, dtype="Int64"),
    "pandas Float64": pd.Series(NUMBERS, dtype="Float64"),
    "pandas object": pd.Series(NUMBERS, dtype=object),
    "pandas object with ?": pd.Series([1, "?", 3.0], dtype=object),
    "pandas Decimal objects": pd.Series([Decimal(1), None, Decimal(3)], dtype=object),
    "pandas arrow int": pd.Series(NUMBERS, dtype="int64[pyarrow]"),
    "polars Int64": pl.Series(NUMBERS),
    "polars Int128": pl.Series(NUMBERS, dtype=pl.Int128),
    "polars Float32": pl.Series(NUMBERS, dtype=pl.Float32),
    "polars Decimal": pl.Series([Decimal(1), None, Decimal(3)]),
    "pyarrow int64": pa.array(NUMBERS),
    "pyarrow float": pa.array(NUMBERS, pa.float32()),
    "pyarrow decimal": pa.array([Decimal(1), None, Decimal(3)]),
    "numpy float16": np.array([1, np.nan, 3], dtype=np.float16),
    "numpy longdouble": np.array([1, np.nan, 3], dtype=np.longdouble),
    "numpy object": np.array([np.float32(1), pd.NA, np.int8(3)], dtype=object),
}
BOOLS = [True, None, False]
BOOL_COLUMNS = {
    "pandas boolean": pd.Series(BOOLS, dtype="boolean"),
    "pandas object": pd.Series(BOOLS, dtype=object),
    "pandas arrow bool": pd.Series(BOOLS, dtype="bool[pyarrow]"),
    "polars Boolean": pl.Series(BOOLS),
    "pyarrow bool": pa.array(BOOLS),
    "numpy object": np.array(BOOLS, dtype=object),
}


def frame_of(column: object) -> object:
    if isinstance(column, pl.Series):
        return pl.DataFrame({"a": column})
    if isinstance(column, pa.Array | pa.ChunkedArray):
        return pa.table({"a": column})
    if isinstance(column, np.ndarray):
        return column.reshape(-1, 1)
    return pd.DataFrame({"a": column})


@pytest.mark.parametrize("column", TEXT_COLUMNS.values(), ids=TEXT_COLUMNS)
def test_strings_keep_their_values(column):
    X = frame_of(column)
    assert isinstance(only_column(X), CategoryColumn)
    assert values_of(X) == ["a", None, "b", None]


@pytest.mark.parametrize("column", NUMBER_COLUMNS.values(), ids=NUMBER_COLUMNS)
def test_numbers_keep_their_values(column):
    X = frame_of(column)
    assert not isinstance(only_column(X), CategoryColumn)
    assert values_of(X) == [1, None, 3]


@pytest.mark.parametrize("column", BOOL_COLUMNS.values(), ids=BOOL_COLUMNS)
def test_bools_stay_bools(column):
    got = values_of(frame_of(column))
    assert got == [True, None, False]
    assert [type(value) for value in got] == [bool, type(None), bool]


def test_arrays_of_other_types():
    assert values_of(np.array([["a"], ["?"]])) == ["a", None]
    assert values_of(np.array([[b"a"], [b"?"]])) == ["a", None]
    assert values_of(np.array([[True], [False]])) == [True, False]
    assert values_of(np.ma.masked_array([[1.5], [2.5]], mask=[[False], [True]])) == [1.5, None]


def test_a_float64_array_is_not_copied():
    X = np.arange(12.0).reshape(4, 3)
    assert all(np.shares_memory(column, X) for column in as_columns(X).data)


def test_large_integers_stay_exact():
    X = np.array([[2**53 + 1], [2**53]])
    assert values_of(X) == [2**53 + 1, 2**53]


def test_structured_array_and_rows():
    structured = np.array([(1.5, "x"), (2.5, "?")], dtype=[("n", "f8"), ("s", "U3")])
    columns = as_columns(structured)
    assert columns.names == ["n", "s"]
    assert columns.data[0].tolist() == [1.5, 2.5]
    assert columns.data[1].labels == ("x",)
    rows = as_columns([[1, "x", True], [None, "1", False]])
    assert rows.names is None
    assert [isinstance(column, CategoryColumn) for column in rows.data] == [False, True, True]


def test_declared_values_keep_their_order():
    column = only_column(pd.DataFrame({"a": pd.Categorical(["x"], categories=["z", "?", "x"])}))
    assert column.labels == ("z", "x")
    assert column.declared
    chunks = pa.chunked_array(
        [pa.array(["b", "a"]).dictionary_encode(), pa.array(["c", "a"]).dictionary_encode()]
    )
    assert values_of(pa.table({"a": chunks})) == ["b", "a", "c", "a"]


def test_objects_are_judged_by_all_their_rows():
    X = pd.DataFrame({"a": pd.Series(["?"] * 200 + [7], dtype=object)})
    assert not isinstance(only_column(X), CategoryColumn)
    assert values_of(X) == [None] * 200 + [7]


def test_a_polars_categorical_declares_nothing():
    pl.Series(["from elsewhere"], dtype=pl.Categorical)
    column = only_column(pl.DataFrame({"a": pl.Series(["b", "a"], dtype=pl.Categorical)}))
    assert sorted(column.labels) == ["a", "b"]
    assert not column.declared


@pytest.mark.parametrize(
    ("rows", "labels"),
    [
        ([1, True, "x"], {1, "x"}),
        ([True, 1.0, "x"], {1, "x"}),
        ([1.0, "x", 1], {1, "x"}),
        ([True, "x"], {True, "x"}),
        ([2.5, False, 0], {2.5, 0}),
    ],
)
def test_equal_values_are_one_label_in_any_row_order(rows, labels):
    for order in (rows, rows[::-1]):
        column = only_column([[value] for value in order])
        assert isinstance(column, CategoryColumn)
        assert {(type(label), label) for label in column.labels} == {(type(v), v) for v in labels}


def test_all_missing_columns():
    numeric = [pd.DataFrame({"a": [np.nan] * 2}), np.full((2, 1), np.nan)]
    nominal = [
        pd.DataFrame({"a": pd.Series([None] * 2, dtype=object)}),
        pl.DataFrame({"a": [None, None]}),
        pa.table({"a": pa.nulls(2)}),
        [[None], [None]],
    ]
    for X in numeric:
        assert np.isnan(only_column(X)).all()
    for X in nominal:
        assert isinstance(only_column(X), CategoryColumn)
        assert values_of(X) == [None, None]


ZONE = timezone(timedelta(hours=2))
MOMENT = [datetime(2020, 1, 1, 12, tzinfo=ZONE), None]
NOON = datetime(2020, 1, 1, 10, tzinfo=UTC).timestamp()
DAY = [date(2020, 1, 1), None]
MIDNIGHT = datetime(2020, 1, 1, tzinfo=UTC).timestamp()
TEMPORAL = {
    "pandas with a zone": (
        pd.to_datetime(pd.Series(MOMENT), utc=True).dt.tz_convert("America/New_York"), NOON, True),
    "pandas objects": (pd.Series(MOMENT, dtype=object), NOON, True),
    "pandas arrow date": (pd.Series(DAY, dtype=pd.ArrowDtype(pa.date32())), MIDNIGHT, True),
    "pandas NaT object": (pd.Series([pd.Timestamp(DAY[0]), pd.NaT], dtype=object), MIDNIGHT, True),
    "polars with a zone": (
        pl.Series(MOMENT, dtype=pl.Datetime("ms", "Europe/Berlin")), NOON, True),
    "arrow with a zone": (pa.array(MOMENT, pa.timestamp("us", "Europe/Berlin")), NOON, True),
    "arrow date64": (pa.array(DAY, pa.date64()), MIDNIGHT, True),
    "numpy days": (np.array(["2020-01-01", "NaT"], dtype="M8[D]"), MIDNIGHT, True),
    "pandas duration": (pd.Series(pd.to_timedelta(["1h", None])), 3600, False),
    "polars duration": (pl.Series([timedelta(hours=1), None]), 3600, False),
    "arrow duration": (pa.array([timedelta(hours=1), None]), 3600, False),
    "duration objects": (pd.Series([timedelta(hours=1), None], dtype=object), 3600, False),
    "polars time": (pl.Series([time(1, 0, 5), None]), 3605, False),
    "arrow time": (pa.array([time(1, 0, 5), None]), 3605, False),
}  # fmt: skip


@pytest.mark.parametrize("name", TEMPORAL)
def test_dates_and_durations_are_seconds(name):
    series, seconds, is_date = TEMPORAL[name]
    column = only_column(frame_of(series))
    assert isinstance(column, DateColumn) == is_date
    np.testing.assert_array_equal(column.seconds if is_date else column, [seconds, np.nan])


def test_names_follow_scikit_learn():
    assert as_columns(pd.DataFrame([[1.0, 2.0]])).names is None
    with pytest.raises(TypeError, match="Feature names are only supported"):
        as_columns(pd.DataFrame([[1.0, 2.0]], columns=[0, "a"]))


def test_a_table_is_its_frame():
    table = Table("t", pd.DataFrame({"X": [1.0, 2.0]}))
    assert as_columns(table).names == ["X"]
    assert as_columns(table.X).names == ["X"]


@pytest.mark.parametrize(
    "X",
    [
        np.array([[1.0, 2.0], [3.0, np.inf]]),
        np.array([[1.0, 2.0], [3.0, -np.inf]], dtype=np.float32),
        np.array([[np.inf, np.nan], [-np.inf, np.inf]])[:, ::-1],
        [[1.0, 2.0], [3.0, float("inf")]],
        [[1.0, "a"], [3.0, float("inf")]],
        [[1, 2], [3, 10**400]],
    ],
)
def test_infinity_names_the_column(X):
    with pytest.raises(ValueError, match=r"Input X contains infinity .* in column 'x[01]'"):
        as_columns(X)


def test_infinity_names_the_column_of_a_frame():
    for frame in (pd.DataFrame, pl.DataFrame, pa.table):
        with pytest.raises(ValueError, match=r"Input X contains infinity .* column 'size'"):
            as_columns(frame({"a": [1.0, 2.0], "size": [np.inf, 1.0]}))


def test_large_finite_numbers_beside_nan_are_fine():
    X = np.array([[1e308, 1e308], [1e308, np.nan]])
    assert as_columns(X).n_columns == 2


@pytest.mark.parametrize(
    ("X", "error", "message"),
    [
        (np.arange(3.0), ValueError, "Expected 2D array, got 1D array instead.*Reshape your data"),
        ([1.0, 2.0], ValueError, "Expected 2D array, got 1D array instead"),
        (np.float64(3), ValueError, "Expected 2D array, got scalar array"),
        (np.zeros((2, 2, 2)), ValueError, "Found array with dim 3, while dim <= 2"),
        (pd.Series([1.0]), ValueError, "Expected a 2-dimensional container.*Reshape your data"),
        (pl.Series([1.0]), ValueError, "Expected a 2-dimensional container"),
        (np.empty((0, 3)), ValueError, r"0 sample\(s\) \(shape=\(0, 3\)\) while a minimum of 1"),
        (np.empty((12, 0)), ValueError, r"0 feature\(s\) \(shape=\(12, 0\)\) while a minimum of 1"),
        (pd.DataFrame({"a": []}), ValueError, r"0 sample\(s\)"),
        (sparse.csr_matrix(np.eye(2)), TypeError, "sparse.*toarray"),
        (sparse.csr_matrix((10**6, 10**3)), TypeError, r"toarray.*takes 7\.5 GiB for 1,000,000"),
        (sparse.csr_array(np.eye(2)), TypeError, "sparse.*toarray"),
        (pd.DataFrame({"a": pd.arrays.SparseArray([0.0, 1])}), TypeError, "'a' is sparse"),
        (np.ones((2, 2)) + 1j, ValueError, "Complex data not supported"),
        ([[1 + 1j]], ValueError, "Complex data not supported"),
        (pd.DataFrame({"a": [1j]}), ValueError, "Complex data not supported.*'a'"),
        (pd.DataFrame([[1, 2]], columns=["a", "a"]), ValueError, "'a' occur more than once"),
        (pa.table([[1], [2]], names=["a", "a"]), ValueError, "'a' occur more than once"),
        ([[1, 2], [3]], ValueError, "rows of one length, got rows of lengths 1, 2"),
        ({"a": [1], "b": [1, 2]}, ValueError, r"columns of one length.*\(1,\), \(2,\)"),
        ({"a": [[1]]}, ValueError, r"columns of one length and one dimension"),
        ({}, ValueError, r"0 sample"),
        (object(), TypeError, r"type object.*a dict of columns"),
        ("text", ValueError, "Expected 2D array"),
        (None, TypeError, "type NoneType"),
        ([[{"a": 1}]], TypeError, "argument must be a string, a bool or a number"),
        ([[[1, 2]], [[3]]], TypeError, "type list"),
        (pl.DataFrame({"a": [1]}).lazy(), TypeError, r"LazyFrame.*X\.collect\(\)"),
        (pa.table({"a": [[1], [2]]}), TypeError, "'a' holds a value of type"),
        (pd.DataFrame({"a": pd.cut([1, 2], 2)}), TypeError, "rename_categories"),
        (np.zeros(2, dtype=[("a", "f8", (2,))]), ValueError, "one value per row"),
    ],
)
def test_what_is_not_a_frame_is_an_error_with_advice(X, error, message):
    with pytest.raises(error, match=f"(?s){message}"):
        as_columns(X)
