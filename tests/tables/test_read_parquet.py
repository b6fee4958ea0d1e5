"""Parquet files: kinds, dictionaries, the pandas index, errors."""

import gzip
from datetime import date, datetime
from pathlib import Path

import pandas as pd
import pytest

from weaklearn.tables import ReadError
from weaklearn.tables.read import read

pa = pytest.importorskip("pyarrow")
pq = pytest.importorskip("pyarrow.parquet")


def write(tmp_path: Path, columns, **options) -> Path:
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table(columns), path, **options)
    return path


def test_kinds(tmp_path: Path) -> None:
    path = write(
        tmp_path,
        {
            "int": pa.array([1, None, 3]),
            "float": pa.array([0.5, float("nan"), None]),
            "bool": pa.array([True, None, False]),
            "text": pa.array(["b", "a", None]),
            "day": pa.array([date(1970, 1, 2), None, date(1969, 12, 31)]),
            "time": pa.array(
                [datetime(1970, 1, 1, 0, 0, 1, 500000)] * 3, pa.timestamp("ns", "UTC")
            ),
            "nothing": pa.nulls(3),
            "class": pa.array([2, 1, 2]),
        },
    )
    table = read(path)
    assert table.X["int"].fillna(-1).tolist() == [1, -1, 3]
    assert table.X["float"].fillna(-1).tolist() == [0.5, -1, -1]
    assert table.X["bool"].cat.codes.tolist() == [1, -1, 0]
    assert list(table.X["bool"].cat.categories) == [False, True]
    assert list(table.X["text"].cat.categories) == ["a", "b"]
    assert table.X["day"].dt.date.tolist()[::2] == [date(1970, 1, 2), date(1969, 12, 31)]
    assert table.X["day"].isna().tolist() == [False, True, False]
    assert table.X["time"].tolist() == [pd.Timestamp("1970-01-01 00:00:01.5", tz="UTC")] * 3
    assert table.X["nothing"].isna().all()
    assert table.y.cat.categories.tolist() == [1, 2]
    assert table.notes == ()
    assert read(path, nominal="int").X["int"].tolist()[::2] == ["1", "3"]


@pytest.mark.parametrize("row_group_size", [1, 2, 10])
def test_dictionaries_keep_their_declared_order(tmp_path: Path, row_group_size: int) -> None:
    codes = pa.array([1, None, 0, 1], pa.int8())
    column = pa.DictionaryArray.from_arrays(codes, ["z", "a", "never"])
    path = write(tmp_path, {"a": [1, 2, 3, 4], "c": column, "y": list("nyny")},
                 row_group_size=row_group_size)  # fmt: skip
    table = read(path)
    assert list(table.X["c"].cat.categories) == ["z", "a", "never"]
    assert table.X["c"].cat.codes.tolist() == [1, -1, 0, 1]


def test_a_pandas_frame_is_read_back(tmp_path: Path) -> None:
    frame = pd.DataFrame(
        {
            "size": [1.5, None],
            "colour": pd.Categorical(["red", None], categories=["red", "blue"]),
            "class": pd.Categorical(["no", "yes"], categories=["yes", "no"]),
        }
    )
    frame.to_parquet(tmp_path / "t.parquet")
    (tmp_path / "u.parquet.gz").write_bytes(gzip.compress((tmp_path / "t.parquet").read_bytes()))
    for name in ("t.parquet", "u.parquet.gz"):
        table = read(tmp_path / name)
        pd.testing.assert_frame_equal(table.X, frame[["size", "colour"]])
        pd.testing.assert_series_equal(table.y, frame["class"])


def test_a_saved_pandas_index_is_not_a_column(tmp_path: Path) -> None:
    frame = pd.DataFrame({"a": [1.0, 2.0], "c": ["y", "n"]}, index=["row 1", "row 2"])
    frame.to_parquet(tmp_path / "t.parquet")
    table = read(tmp_path / "t.parquet")
    assert (list(table.X.columns), table.y.name) == (["a"], "c")
    assert "pandas index" in table.notes[0]


@pytest.mark.parametrize(
    ("columns", "parts"),
    [
        ({"a": [1.0, float("inf")], "c": ["y", "n"]}, ["row 2", "'a'", "finite"]),
        ({"a": [[1], [2]], "c": ["y", "n"]}, ["'a'", "list", "expected numbers"]),
        ({"a": [1, 2, 3], "c": ["y", None, None]}, ["row 2", "'c'", "class is missing"]),
        ({"c": ["y", "n"]}, ["at least one feature"]),
        ({"a": pa.array([], pa.float64()), "c": pa.array([], pa.string())}, ["no rows"]),
    ],
)
def test_bad_files_are_errors(tmp_path: Path, columns, parts: list[str]) -> None:
    path = write(tmp_path, columns)
    with pytest.raises(ReadError) as caught:
        read(path)
    for part in ("t.parquet", *parts):
        assert part in str(caught.value)
