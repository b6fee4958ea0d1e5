"""The rule of weaklearn.schema.infer, and the options that overrule it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from weaklearn.schema import Feature, infer_features
from weaklearn.tables.frames import as_columns


def infer(X, **options):
    return infer_features(as_columns(X), **options)


def test_each_type_has_its_kind():
    X = pd.DataFrame(
        {
            "int": [1, 2, 3],
            "float": [1.0, None, 2.0],
            "bool": [True, False, True],
            "text": ["b", None, "a"],
            "digits": ["2", "10", "1"],
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
        Feature("digits", "nominal", ("1", "10", "2")),
        Feature("declared", "nominal", ("b", "z", "a")),
        Feature("codes", "nominal", (1, 2)),
        Feature("object", "continuous"),
        Feature("mixed", "nominal", (9.5, 10, "b")),
        Feature("missing numbers", "continuous"),
        Feature("missing objects", "nominal", ()),
    )


def test_kinds_can_be_given_by_name_or_position():
    X = pd.DataFrame({"a": [2.0, 1.0, np.nan], "b": ["1", "2.5", "?"]})
    expected = (Feature("a", "nominal", (1, 2)), Feature("b", "continuous"))
    assert infer(X, nominal=["a"], continuous=["b"]) == expected
    assert infer(X, nominal=[np.int64(0)], continuous=(1,)) == expected
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
        ({"nominal": [True]}, TypeError, "expected names or positions"),
        ({"nominal": ["size"], "continuous": [1]}, ValueError, "Columns 'size' are in nominal"),
    ],
)
def test_wrong_options(options, error, message):
    X = pd.DataFrame({"color": ["a"], "size": [1.0]})
    with pytest.raises(error, match=message):
        infer(X, **options)
