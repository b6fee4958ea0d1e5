"""Columns are matched by name if there are names, by position otherwise."""

from __future__ import annotations

import warnings

import numpy as np
import pandas as pd
import pytest

from weaklearn.encoding import match_columns
from weaklearn.schema import Feature, Schema
from weaklearn.tables.frames import as_columns


def schema_of(*names: str) -> Schema:
    return Schema(tuple(Feature(name, "continuous") for name in names))


def frame(*names: str) -> pd.DataFrame:
    return pd.DataFrame([range(len(names))], columns=list(names), dtype=float)


def test_names_are_matched_in_any_order_without_a_warning():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        matched = match_columns(as_columns(frame("c", "a", "b")), schema_of("a", "b", "c"))
    assert matched.names == ["a", "b", "c"]
    assert [column.tolist() for column in matched.data] == [[1.0], [2.0], [0.0]]


@pytest.mark.parametrize(
    ("got", "expected", "lines"),
    [
        (
            ["a", "Size"],
            ["a", "size"],
            [
                "Feature names unseen at fit time:",
                "- Size",
                "Feature names seen at fit time, yet now missing:",
                "- size (X has 'Size': is it the same feature?)",
            ],
        ),
        (["a", "b", "c"], ["a", "b"], ["Feature names unseen at fit time:", "- c"]),
        (["a"], ["a", "b"], ["Feature names seen at fit time, yet now missing:", "- b"]),
        (
            list("abcdefg"),
            ["a"],
            ["Feature names unseen at fit time:", *(f"- {n}" for n in "bcdef"), "- ..."],
        ),
    ],
)
def test_a_mismatch_shows_the_difference(got, expected, lines):
    with pytest.raises(ValueError, match="feature names") as caught:
        match_columns(as_columns(frame(*got)), schema_of(*expected))
    assert str(caught.value).split("\n") == [
        "The feature names should match those that were passed during fit.",
        *lines,
        f"Expected columns: {', '.join(map(repr, expected))}.",
    ]


def test_arrays_are_matched_by_position():
    X = as_columns(np.ones((2, 3)))
    message = "X has 3 features, but C45Classifier is expecting 2 features as input."
    with pytest.raises(ValueError, match=message):
        match_columns(X, schema_of("a", "b"), "C45Classifier")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert match_columns(X, schema_of("x0", "x1", "x2"), fitted_with_names=False) is X


def test_names_on_one_side_only_warn_as_scikit_learn_does():
    array, named = as_columns(np.ones((1, 2))), as_columns(frame("p", "q"))
    with pytest.warns(UserWarning, match="X does not have valid feature names, but C45 was fitted"):
        assert match_columns(array, schema_of("a", "b"), "C45") is array
    with pytest.warns(UserWarning, match="X has feature names, but C45 was fitted without"):
        assert match_columns(named, schema_of("x0", "x1"), "C45", False) is named
