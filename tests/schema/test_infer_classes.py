"""Labels of every type become classes and codes; values that cannot be classes are errors."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.exceptions import DataConversionWarning

from weaklearn.schema import infer_classes
from weaklearn.tables.missing_values import MISSING_TEXTS

pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

TEXT = ["b", "a", "b"]


@pytest.mark.parametrize(
    "y",
    [
        TEXT,
        tuple(TEXT),
        np.array(TEXT),
        np.array(TEXT, dtype=object),
        np.array(TEXT, dtype="S1"),
        pd.Series(TEXT),
        pd.Series(TEXT, dtype="string"),
        pd.Series(TEXT, dtype=object),
        pd.Index(TEXT),
        pd.Categorical(TEXT),
        pl.Series(TEXT),
        pl.Series(TEXT, dtype=pl.Categorical),
        pa.array(TEXT),
        pa.chunked_array([TEXT]),
    ],
)
def test_strings_in_any_container(y):
    classes, codes = infer_classes(y, n_rows=3)
    assert classes == ("a", "b")
    assert codes.tolist() == [1, 0, 1]
    assert codes.dtype == np.int32


@pytest.mark.parametrize(
    ("y", "classes", "kind"),
    [
        (np.array([3, 1, 3]), (1, 3), int),
        ([3, 1, 3], (1, 3), int),
        (pd.Series([3, 1, 3], dtype="Int64"), (1, 3), int),
        (np.array([3.0, 1.0, 3.0]), (1.0, 3.0), float),
        (np.array([True, False, True]), (False, True), bool),
        (pl.Series([True, False, True]), (False, True), bool),
        (pa.array([True, False, True]), (False, True), bool),
        (np.array([7, 2**60, 2**60 + 1]), (7, 2**60, 2**60 + 1), int),
    ],
)
def test_labels_are_python_scalars(y, classes, kind):
    got, codes = infer_classes(y)
    assert got == classes
    assert {type(label) for label in got} == {kind}
    assert [got[code] for code in codes] == list(y.to_pylist() if isinstance(y, pa.Array) else y)


@pytest.mark.parametrize(
    "y",
    [
        pd.Series(pd.Categorical(TEXT, categories=["b", "z", "a"])),
        pd.Categorical(TEXT, categories=["b", "z", "a"]),
        pl.Series(TEXT, dtype=pl.Enum(["b", "z", "a"])),
        pa.DictionaryArray.from_arrays(pa.array([0, 2, 0]), ["b", "z", "a"]),
    ],
)
def test_declared_classes_keep_their_order(y):
    classes, codes = infer_classes(y)
    assert classes == ("b", "z", "a")
    assert codes.tolist() == [0, 2, 0]


@pytest.mark.parametrize("y", [np.array([[1], [0]]), [[1], [0]], pd.DataFrame({"y": [1, 0]})])
def test_a_column_vector_is_accepted_with_a_warning(y):
    with pytest.warns(DataConversionWarning, match="A column-vector y was passed"):
        classes, codes = infer_classes(y)
    assert classes == (0, 1)
    assert codes.tolist() == [1, 0]


@pytest.mark.parametrize(
    ("y", "message"),
    [
        (None, "requires y to be passed, but the target y is None"),
        ([], r"0 sample\(s\)"),
        ([0, 1], r"inconsistent numbers of samples: \[3, 2\]"),
        (np.array([0.5, 1, 2]), "Unknown label type: continuous"),
        (np.array([0, 1, np.nan]), "Input y contains NaN: 1 .* row 2"),
        ([0, None, 1], "Input y contains NaN: 1 .* row 1"),
        (["a", "?", "b"], "Input y contains NaN: 1 .* row 1"),
        (pd.Series(["a", None, "b"], dtype="category"), "Input y contains NaN"),
        (pd.Series([1, None, 0], dtype="Int64"), "Input y contains NaN"),
        (pl.Series(["a", None, "b"]), "Input y contains NaN"),
        (np.array([0, 1, np.inf]), "Input y contains infinity"),
        (np.ones((3, 2)), r"y should be a 1d array, got an array of shape \(3, 2\)"),
        (pd.DataFrame({"a": [1], "b": [2]}), r"y should be a 1d array.*\(1, 2\)"),
        (5, r"y should be a 1d array, got an array of shape \(\)"),
        (np.array([1j, 2, 3]), "Complex data not supported"),
        ([{}, {}, {}], "Unknown label type"),
        (pd.Series(pd.to_datetime(["2020"] * 3)), "Unknown label type"),
    ],
)
def test_values_that_cannot_be_classes_are_errors(y, message):
    with pytest.raises(ValueError, match=message):
        infer_classes(y, n_rows=3)


@given(
    st.lists(
        st.one_of(st.integers(), st.text().filter(lambda t: t.strip() not in MISSING_TEXTS)),
        min_size=1,
    )
)
def test_codes_lead_back_to_the_labels(labels):
    classes, codes = infer_classes(labels)
    assert [classes[code] for code in codes] == labels
    assert set(classes) == set(labels)
    assert len(classes) == len(set(labels))
