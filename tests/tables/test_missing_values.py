"""Which cells are missing, in files and in frames."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

import weaklearn as wl
from weaklearn.tables import MISSING_TEXTS, ReadError
from weaklearn.tables.frames import as_columns
from weaklearn.tables.missing_values import as_missing_values
from weaklearn.tables.read import read

pl = pytest.importorskip("polars")


def test_every_text_that_pandas_reads_as_missing_is_missing():
    from pandas._libs.parsers import STR_NA_VALUES

    assert set(STR_NA_VALUES) <= set(MISSING_TEXTS)


@pytest.mark.parametrize("text", [*MISSING_TEXTS, " NA ", "\t?"])
def test_default_texts_are_missing_in_frames(text):
    for X in (pd.DataFrame({"a": ["x", text]}), pl.DataFrame({"a": ["x", text]}), [["x"], [text]]):
        assert as_columns(X).data[0].codes.tolist() == [0, -1]


def test_declared_values_are_values():
    X = pd.DataFrame({"a": pd.Categorical(["NA", "none", "?"])})
    assert as_columns(X).data[0].labels == ("NA", "none")


@pytest.mark.parametrize(
    ("given", "cells", "missing"),
    [
        (["-"], ["-", "NA", "", "x"], [True, False, True, False]),
        ([], ["-", "NA", "", "x"], [False, False, True, False]),
        ([-999], ["-999", "NA", "-999.0", "x"], [True, True, True, False]),
        (["-999"], ["-999", "NA", "-999.0", "x"], [True, True, True, False]),
        ([np.int64(5), "u"], ["5", "NA", "u", "x"], [True, False, True, False]),
    ],
)
def test_texts_replace_the_default_and_numbers_are_added(given, cells, missing):
    rule = as_missing_values(given)
    for X in (pd.DataFrame({"a": cells}), pl.DataFrame({"a": cells})):
        assert (as_columns(X, rule).data[0].codes == -1).tolist() == missing


def test_numbers_are_missing_in_columns_of_numbers():
    rule = as_missing_values([-999, 7])
    for X in (
        np.array([[1, -999], [7, 3]]),
        pd.DataFrame({"a": [1, 7], "b": [-999.0, 3]}),
        pl.DataFrame({"a": [1, 7], "b": [-999.0, 3]}),
        [[1, -999], [7, 3]],
    ):
        a, b = as_columns(X, rule).data
        np.testing.assert_array_equal(a, [1, np.nan])
        np.testing.assert_array_equal(b, [np.nan, 3])


@pytest.mark.parametrize("given", ["NA", 5, [object()]])
def test_wrong_lists_are_errors(given):
    with pytest.raises(TypeError, match=r"missing_values=.*expected"):
        as_missing_values(given)
    with pytest.raises(TypeError, match=r"missing_values=.*expected"):
        wl.C45Classifier(missing_values=given).fit([[1.0], [2.0]], ["a", "b"])


def test_declared_formats_have_their_own_mark_unless_others_are_given(tmp_path):
    path = tmp_path / "t.arff"
    path.write_text(
        "@relation r\n@attribute a {NA,x}\n@attribute b numeric\n@attribute c {y,n}\n@data\n"
        "NA,-9,y\nx,?,n\n?,1,y\n"
    )
    table = read(path)
    assert table.X["a"].isna().tolist() == [False, False, True]
    assert table.X["b"].tolist()[0] == -9
    table = read(path, missing_values=["NA", -9])
    assert table.X["a"].isna().tolist() == [True, False, True]
    assert table.X["b"].isna().tolist() == [True, True, False]
    assert table.X["a"].cat.categories.tolist() == ["NA", "x"]


def test_read_leaves_out_ignored_columns(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("id,a,c\n1,2,y\n2,3,n\n")
    assert read(path, ignore="id").X.columns.tolist() == ["a"]
    for options, message in (
        ({"ignore": ["iid"]}, "no column 'iid'; did you mean 'id'"),
        ({"ignore": ["c"]}, "the target 'c' is in ignore="),
        ({"ignore": ["id", "a"]}, "leaves out every feature"),
    ):
        with pytest.raises(ReadError, match=message):
            read(path, **options)


def test_rows_without_a_class_are_left_out_with_a_note(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("a,d,c\n1,2020-01-01,y\n2,2020-01-02,\n3,2020-01-03,n\n4,,NA\n")
    table = read(path)
    assert table.X["a"].tolist() == [1, 3]
    assert table.y.tolist() == ["y", "n"]
    assert table.notes == ("2 of 4 rows have no class and are left out",)
    path.write_text("a,c\nred,y\nblue,\ngreen,n\n")
    assert read(path).X["a"].cat.categories.tolist() == ["green", "red"]
    path.write_text("a,c\n1,y\n2,\n3,?\n")
    with pytest.raises(ReadError, match=r"line 3.*'c'.*class is missing.*2 of 3 rows"):
        read(path)


def test_numbers_of_features_may_be_classes(tmp_path):
    model = wl.C45Classifier(missing_values=[-1]).fit(
        [[-1.0], [0.0], [1.0], [2.0]] * 5, [-1, 1] * 10
    )
    assert model.classes_.tolist() == [-1, 1]
    path = tmp_path / "t.csv"
    path.write_text("a,c\n-1,-1\n1,1\n")
    table = read(path, missing_values=[-1])
    assert table.y.tolist() == [-1, 1]
    assert table.X["a"].isna().tolist() == [True, False]
