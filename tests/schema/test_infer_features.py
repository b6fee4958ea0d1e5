"""The rule of weaklearn.schema.infer, and the options that overrule it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from weaklearn.schema import ColumnOptions, Feature, infer_features
from weaklearn.tables.dates import DateForm
from weaklearn.tables.frames import as_columns


def infer(X, **options):
    return infer_features(as_columns(X), ColumnOptions(**options))


def test_each_type_has_its_kind():
    X = pd.DataFrame(
        {
            "int": [1, 2, 3],
            "float": [1.0, None, 2.0],
            "bool": [True, False, True],
            "text": ["b", None, "a"],
            "digits": ["2", " 1e1 ", "n.a."],
            "some digits": ["2", "10", "x"],
            "flags": ["true", "FALSE", None],
            "days": ["31.1.2020", "", "1.2.2020"],
            "moments": pd.to_datetime(["2020-01-01 10:30", None, "2020-01-01 00:00"]),
            "durations": pd.to_timedelta(["1h", None, "2h"]),
            "declared": pd.Categorical(["a", "b", None], categories=["b", "z", "a"]),
            "codes": pd.Categorical([2, 1, 2]),
            "object": pd.Series([1, 2.5, None], dtype=object),
            "mixed": pd.Series(["b", 10, 9.5], dtype=object),
            "missing numbers": [np.nan] * 3,
            "missing objects": pd.Series([None] * 3, dtype=object),
        }
    )
    assert infer(X) == (
        Feature("int", "continuous"),
        Feature("float", "continuous"),
        Feature("bool", "nominal", (False, True)),
        Feature("text", "nominal", ("a", "b")),
        Feature("digits", "continuous"),
        Feature("some digits", "nominal", ("10", "2", "x")),
        Feature("flags", "nominal", (False, True)),
        Feature("days", "continuous", date=DateForm("day first", "day")),
        Feature("moments", "continuous", date=DateForm("year first", "minute")),
        Feature("durations", "continuous"),
        Feature("declared", "nominal", ("b", "z", "a")),
        Feature("codes", "nominal", (1, 2)),
        Feature("object", "continuous"),
        Feature("mixed", "nominal", (9.5, 10, "b")),
        Feature("missing numbers", "continuous"),
        Feature("missing objects", "nominal", ()),
    )


def test_kinds_can_be_given_by_name_or_position():
    X = pd.DataFrame({"a": [2.0, 1.0, np.nan], "b": ["1", "2.5", "?"], "c": ["x", "y", "z"]})
    expected = (
        Feature("a", "nominal", (1, 2)),
        Feature("b", "nominal", ("1", "2.5")),
        Feature("c", "continuous", ignored=True),
    )
    assert infer(X, nominal=["a", "b"], ignore=["c"]) == expected
    assert infer(X, nominal=[np.int64(0), 1], ignore=(2,)) == expected
    assert infer(X.astype("category"), continuous=["b"])[1] == Feature("b", "continuous")
    assert [type(value) for value in expected[0].values] == [int, int]
    assert infer(X.to_numpy(), nominal=["x0"])[0].kind == "nominal"


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"nominal": ["colr"]}, ValueError, "nominal=.*'colr'.*; did you mean 'color'"),
        ({"continuous": ["zzz"]}, ValueError, "'zzz'.*The columns are 'color', 'size'"),
        ({"nominal": [2]}, ValueError, "the position 2; expected positions from 0 to 1"),
        ({"nominal": [-1]}, ValueError, "the position -1"),
        ({"nominal": "size"}, TypeError, r"expected a list: nominal=\['size'\]"),
        ({"ignore": ["colr"]}, ValueError, "ignore=.*'colr'.*; did you mean 'color'"),
        ({"ignore": [0, 1]}, ValueError, "leaves out every column"),
        ({"nominal": [True]}, TypeError, "expected names or positions"),
        ({"nominal": ["size"], "continuous": [1]}, ValueError, "Columns 'size' are in nominal"),
    ],
)
def test_wrong_options(options, error, message):
    X = pd.DataFrame({"color": ["a"], "size": [1.0]})
    with pytest.raises(error, match=message):
        infer(X, **options)
