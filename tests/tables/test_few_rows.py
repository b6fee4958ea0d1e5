"""Columns that are read all at once, in few rows, are those that are read one by one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weaklearn.tables import series_to_column
from weaklearn.tables.column import MISSING_CODE, CategoryColumn, Column, DateColumn
from weaklearn.tables.few_rows import MAX_FEW_ROWS
from weaklearn.tables.frames import as_column, as_columns
from weaklearn.tables.missing_values import as_missing_values

pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

TEXTS = ["red", " red", "blue ", "?", "", "NA", "1", "1.0", "-999", "true", "2020-01-31", "-"]
OBJECTS = [*TEXTS, 1, 2.5, True, float("nan"), pd.NA, 2**70]
MISSING = [None, [-999], ["-"], ["red", -999]]

Cells = list[list[Any]]


def columns_of_cells(values: list[Any]) -> st.SearchStrategy[Cells]:
    """One to four columns with one to five rows."""
    cells = st.sampled_from([*values, None])
    return st.integers(1, 5).flatmap(
        lambda n_rows: st.lists(
            st.lists(cells, min_size=n_rows, max_size=n_rows), min_size=1, max_size=4
        )
    )


def as_pandas(dtype: Any) -> Callable[[Cells], tuple[Any, list[Any]]]:
    def build(cells: Cells) -> tuple[Any, list[Any]]:
        frame = pd.DataFrame({str(i): pd.Series(own, dtype=dtype) for i, own in enumerate(cells)})
        return frame, [frame[name] for name in frame]

    return build


def as_polars(dtype: Any) -> Callable[[Cells], tuple[Any, list[Any]]]:
    def build(cells: Cells) -> tuple[Any, list[Any]]:
        frame = pl.DataFrame({str(i): pl.Series(own, dtype=dtype) for i, own in enumerate(cells)})
        return frame, frame.get_columns()

    return build


def as_arrow(
    dictionary: bool = False, dtype: Any = None
) -> Callable[[Cells], tuple[Any, list[Any]]]:
    def build(cells: Cells) -> tuple[Any, list[Any]]:
        arrays = [pa.array(own, dtype or pa.string()) for own in cells]
        if dictionary:
            arrays = [array.dictionary_encode() for array in arrays]
        table = pa.table({str(i): array for i, array in enumerate(arrays)})
        return table, table.columns

    return build


def as_objects(cells: Cells) -> tuple[Any, list[Any]]:
    array = np.empty((len(cells[0]), len(cells)), dtype=object)
    for position, own in enumerate(cells):
        array[:, position] = own
    return array, list(array.T)


def as_strings(cells: Cells) -> tuple[Any, list[Any]]:
    array = np.array([[cell or "" for cell in own] for own in cells]).T
    return array, list(array.T)


FRAMES = {
    "pandas str": as_pandas("str" if pd.__version__ >= "3" else object),
    "pandas string": as_pandas("string"),
    "pandas arrow string": as_pandas(pd.ArrowDtype(pa.string())),
    "pandas category": as_pandas("category"),
    "pandas category with declared order": as_pandas(pd.CategoricalDtype([*TEXTS, "unused"])),
    "polars String": as_polars(pl.String),
    "polars Categorical": as_polars(pl.Categorical),
    "polars Enum": as_polars(pl.Enum(TEXTS)),
    "arrow string": as_arrow(),
    "arrow dictionary": as_arrow(dictionary=True),
    "numpy string": as_strings,
}

INTEGERS = [0, 1, -7, -999, 2**53, 2**53 + 1, -(2**63) + 1, 2**63 - 1]
FLOATS = [0.0, -0.0, 1.5, -999.0, float("nan"), 1e-320, -1e308]
SINGLES = [0.0, 0.1, -999.0, float("nan"), 3e38]
DAYS = [0, 18262, -1, -719162, 2932896]  # 1970, 2020, years 1 and 9999
MOMENTS = [0, 1, -1, 1_580_464_801_000_001, -62_135_596_800_000_000, 2**62]


def as_dates(dtype: Any) -> Callable[[Cells], tuple[Any, list[Any]]]:
    def build(cells: Cells) -> tuple[Any, list[Any]]:
        whole = pl.Int32 if dtype == pl.Date else pl.Int64
        frame = pl.DataFrame({str(i): pl.Series(own, dtype=whole) for i, own in enumerate(cells)})
        frame = frame.cast(dtype)
        return frame, frame.get_columns()

    return build


NUMBERS: dict[str, tuple[Callable[[Cells], tuple[Any, list[Any]]], list[Any]]] = {
    "pandas Int64": (as_pandas("Int64"), INTEGERS),
    "pandas UInt64": (as_pandas("UInt64"), [0, 1, 2**53 + 1, 2**64 - 1]),
    "pandas Int8": (as_pandas("Int8"), [0, 1, -128]),
    "pandas Float64": (as_pandas("Float64"), FLOATS),
    "pandas Float32": (as_pandas("Float32"), SINGLES),
    "pandas boolean": (as_pandas("boolean"), [True, False]),
    "polars Date": (as_dates(pl.Date), DAYS),
    "polars Datetime": (as_dates(pl.Datetime("us")), MOMENTS),
    "polars Datetime in ns": (as_dates(pl.Datetime("ns")), MOMENTS),
    "polars Datetime in ms with a zone": (as_dates(pl.Datetime("ms", "Asia/Tokyo")), MOMENTS[:4]),
    "polars Int64": (as_polars(pl.Int64), INTEGERS),
    "arrow double": (as_arrow(dtype=pa.float64()), FLOATS),
    "arrow float": (as_arrow(dtype=pa.float32()), SINGLES),
    "arrow int64": (as_arrow(dtype=pa.int64()), INTEGERS),
    "arrow uint8": (as_arrow(dtype=pa.uint8()), [0, 1, 255]),
    "arrow bool": (as_arrow(dtype=pa.bool_()), [True, False]),
    "arrow date": (as_arrow(dtype=pa.date32()), DAYS),
    "arrow timestamp": (as_arrow(dtype=pa.timestamp("us")), MOMENTS),
    "arrow timestamp in s": (as_arrow(dtype=pa.timestamp("s")), MOMENTS[:3]),
    "arrow timestamp with a zone": (as_arrow(dtype=pa.timestamp("ms", "Asia/Tokyo")), MOMENTS[:4]),
    "pandas dates": (as_pandas("datetime64[us]"), MOMENTS[:5]),
    "pandas dates with a zone": (as_pandas("datetime64[ns, Asia/Tokyo]"), MOMENTS),
}
#: Kinds of columns that are read one by one.
SLOW = ("polars Int64", "arrow bool")


def same(left: Column, right: Column) -> None:
    """Require the same column; only the order of labels that are not declared may differ."""
    assert type(left) is type(right)
    if isinstance(left, CategoryColumn):
        assert isinstance(right, CategoryColumn)
        assert (left.declared, left.undecided) == (right.declared, right.undecided)
        assert left.codes.dtype == right.codes.dtype
        if left.declared:
            assert left.labels == right.labels
        assert set(map(repr, left.labels)) == set(map(repr, right.labels))
        assert labels_of_rows(left) == labels_of_rows(right)
    elif isinstance(left, DateColumn):
        assert isinstance(right, DateColumn)
        np.testing.assert_array_equal(left.seconds, right.seconds)
        assert left.form == right.form
    else:
        assert left.dtype == right.dtype
        np.testing.assert_array_equal(left, right)


def labels_of_rows(column: CategoryColumn) -> list[str | None]:
    return [None if code == MISSING_CODE else repr(column.labels[code]) for code in column.codes]


@pytest.mark.parametrize("kind", FRAMES)
@given(cells=columns_of_cells(TEXTS), missing=st.sampled_from(MISSING))
@settings(deadline=None, max_examples=40)
def test_texts_and_categories_are_the_same_together_and_one_by_one(kind, cells, missing):
    frame, series = FRAMES[kind](cells)
    values = as_missing_values(missing)
    together = as_columns(frame, values)
    for column, single in zip(together.data, series, strict=True):
        same(column, as_column(single, "x", values))


@pytest.mark.parametrize("kind", NUMBERS)
@given(data=st.data(), missing=st.sampled_from(MISSING))
@settings(deadline=None, max_examples=40)
def test_numbers_and_dates_are_the_same_together_and_one_by_one(kind, data, missing):
    build, cells = NUMBERS[kind]
    frame, series = build(data.draw(columns_of_cells(cells)))
    values = as_missing_values(missing)
    for column, single in zip(as_columns(frame, values).data, series, strict=True):
        alone = as_column(single, "x", values)
        if isinstance(alone, np.ndarray) and alone.dtype.kind in "iu" and column.dtype.kind == "f":
            assert alone.tolist() == column.tolist()  # Python compares them exactly
        elif isinstance(alone, np.ndarray) and alone.dtype.kind == "f":
            np.testing.assert_array_equal(column, alone.astype(np.float64))
            assert (np.signbit(column) == np.signbit(alone))[~np.isnan(alone)].all()
        else:
            same(column, alone)


@pytest.mark.parametrize("kind", [kind for kind in NUMBERS if kind not in SLOW])
def test_no_series_is_made_of_every_column(kind, monkeypatch):
    """A series of each of 10,000 columns takes longer than all the rest."""

    def refuse(*_: Any) -> None:
        pytest.fail("a column was read on its own")

    build, cells = NUMBERS[kind]
    frame, _ = build([cells[:2], [cells[0], None]])
    monkeypatch.setattr(series_to_column, "series_to_column", refuse)
    monkeypatch.setattr(pd.DataFrame, "items", refuse)
    assert as_columns(frame).n_columns == 2
    assert as_columns(pd.DataFrame({"x": ["a", None]}, dtype="category")).n_columns == 1


@pytest.mark.parametrize("kind", ["pandas Float64", "arrow double", "arrow float"])
def test_infinity_is_an_error_that_names_the_column(kind):
    frame, _ = NUMBERS[kind][0]([[1.0, 2.0], [float("inf"), 1.0]])
    with pytest.raises(ValueError, match=r"contains infinity .* in column '1'"):
        as_columns(frame)


@pytest.mark.parametrize("n_rows", [3, MAX_FEW_ROWS + 1])
def test_category_columns_without_the_fast_way_to_their_arrays(monkeypatch, n_rows):
    cells = [["red", "?", None] * 7, ["1", "", "1"] * 7]
    frame, _ = as_pandas("category")([own[:n_rows] for own in cells])
    fast = as_columns(frame).data
    assert hasattr(pd.DataFrame, "_iter_column_arrays")
    monkeypatch.delattr(pd.DataFrame, "_iter_column_arrays")
    for one, other in zip(fast, as_columns(frame).data, strict=True):
        same(one, other)


@pytest.mark.parametrize("build", [as_pandas(object), as_objects], ids=["pandas", "numpy"])
@given(cells=columns_of_cells(OBJECTS), missing=st.sampled_from(MISSING))
@settings(deadline=None, max_examples=80)
def test_objects_are_the_same_together_and_one_by_one(build, cells, missing):
    frame, series = build(cells)
    values = as_missing_values(missing)
    for column, single in zip(as_columns(frame, values).data, series, strict=True):
        same(column, as_column(single, "x", values))


@pytest.mark.parametrize("kind", FRAMES)
def test_the_number_of_rows_does_not_change_a_column(kind):
    cells = [["red", "blue ", None], ["1", "1.0", "NA"], ["2020-01-31", "-999", " red"]]
    few, _ = FRAMES[kind](cells)
    many, _ = FRAMES[kind]([own * MAX_FEW_ROWS for own in cells])
    for short, long in zip(as_columns(few).data, as_columns(many).data, strict=True):
        same(short, long.take(np.arange(3)))


def test_dates_of_a_pandas_frame_are_the_same_together_and_one_by_one():
    frame = pd.DataFrame(
        {
            "days": pd.to_datetime(["2020-01-31", None]),
            "seconds": pd.to_datetime(["2020-01-31 10:00:01", "1969-12-31 23:59:59"]),
        }
    )
    for name, column in zip(frame, as_columns(frame).data, strict=True):
        same(column, as_column(frame[name], "x"))


def test_a_value_that_is_no_label_is_an_error_that_names_the_column():
    values = pd.Series([pd.Interval(0, 1)], dtype="category")
    with pytest.raises(TypeError, match="X column 'b' holds a value of type Interval"):
        as_columns(pd.DataFrame({"a": pd.Series(["x"], dtype="category"), "b": values}))
    with pytest.raises(TypeError, match="X column 'b' holds a value of type"):
        as_columns(pd.DataFrame({"a": ["x"], "b": pd.Series([("t",)], dtype=object)}))


@pytest.mark.parametrize("library", ["pandas", "polars", "arrow"])
def test_columns_of_different_types_keep_their_places(library):
    frame = pl.DataFrame(
        {
            "number": [1.5, None],
            "text": ["red", None],
            "day": pl.Series(["2020-01-31", None]).str.to_date(),
            "grade": pl.Series(["b", "a"], dtype=pl.Enum(["b", "a", "c"])),
            "other": [3.0, 4.0],
            "city": pl.Series(["Rome", "Oslo"], dtype=pl.Categorical),
        }
    )
    if library == "polars":
        X, series = frame, frame.get_columns()
    elif library == "arrow":
        X = frame.to_arrow()
        series = X.columns
    else:
        X = frame.to_pandas()
        series = [X[name] for name in X]
    columns = as_columns(X)
    assert columns.names == frame.columns
    for column, single in zip(columns.data, series, strict=True):
        same(column, as_column(single, "x"))
