"""Laws of encoding: the container, the row order and the column order do not matter."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weaklearn.encoding import encode_columns, match_columns
from weaklearn.schema import ColumnOptions, Feature, Schema, infer_features
from weaklearn.tables.column import MISSING_CODE
from weaklearn.tables.frames import as_columns
from weaklearn.tables.missing_values import MISSING_TEXTS, parse_number

pl = pytest.importorskip("polars")
pa = pytest.importorskip("pyarrow")

texts = st.text(alphabet="ab?é1 ", max_size=2)
cells = {
    "text": st.none() | texts,
    "number": st.none() | st.floats(allow_nan=False, allow_infinity=False),
    "flag": st.none() | st.booleans(),
}


@st.composite
def tables(draw):
    """Columns as lists of one type each, with None where missing."""
    n_rows = draw(st.integers(1, 8))
    kinds = draw(st.lists(st.sampled_from(sorted(cells)), min_size=1, max_size=4))
    return {
        f"{kind}{i}": draw(st.lists(cells[kind], min_size=n_rows, max_size=n_rows))
        for i, kind in enumerate(kinds)
    }


POLARS_TYPES = {"text": pl.String, "number": pl.Float64, "flag": pl.Boolean}
ARROW_TYPES = {"text": pa.string(), "number": pa.float64(), "flag": pa.bool_()}
PANDAS_TYPES = {"text": "str", "number": "float64", "flag": "boolean"}


def containers(table):
    kind = {name: name[:-1] for name in table}
    yield (
        "pandas",
        pd.DataFrame({n: pd.Series(v, dtype=PANDAS_TYPES[kind[n]]) for n, v in table.items()}),
    )
    yield (
        "polars",
        pl.DataFrame({n: pl.Series(v, dtype=POLARS_TYPES[kind[n]]) for n, v in table.items()}),
    )
    yield "arrow", pa.table({n: pa.array(v, ARROW_TYPES[kind[n]]) for n, v in table.items()})
    yield "objects", np.array(list(zip(*table.values(), strict=True)), dtype=object)


def encode(X, **options):
    columns = as_columns(X)
    features = infer_features(columns, ColumnOptions(**options))
    return features, encode_columns(columns, features).arrays


def decode(feature, array):
    if feature.kind == "continuous":
        return [None if value != value else value for value in array.tolist()]
    return [None if code == MISSING_CODE else feature.values[code] for code in array]


@given(tables())
def test_the_container_does_not_matter(table):
    results = {name: encode(X) for name, X in containers(table)}
    features, arrays = results["pandas"]
    for other_features, other_arrays in results.values():
        for i, values in enumerate(table.values()):
            if all(value is None for value in meaning(values)):
                continue  # without a known value, the type of the column decides its kind
            assert other_features[i].kind == features[i].kind
            assert other_features[i].values == features[i].values
            np.testing.assert_array_equal(other_arrays[i], arrays[i])
            assert other_arrays[i].dtype == arrays[i].dtype


def meaning(values):
    """What the documented rule says of the cells of one column: None where missing."""
    cells = [value.strip() if isinstance(value, str) else value for value in values]
    cells = [None if isinstance(v, str) and v in MISSING_TEXTS else v for v in cells]
    numbers = [v for v in cells if isinstance(v, int | float) and not isinstance(v, bool)]

    def is_number(value):
        if isinstance(value, str):
            return parse_number(value) == parse_number(value)
        return value is None or not isinstance(value, bool) or value in numbers

    if all(map(is_number, cells)):
        return [None if value is None else float(value) for value in cells]
    return cells


@given(tables())
def test_decoding_returns_the_values(table):
    for name, X in containers(table):
        features, arrays = encode(X)
        for feature, array, values in zip(features, arrays, table.values(), strict=True):
            assert decode(feature, array) == meaning(values), name


@given(tables(), st.randoms(use_true_random=False))
def test_permuted_rows_permute_the_codes(table, random):
    order = list(range(len(next(iter(table.values())))))
    random.shuffle(order)
    permuted = {name: [values[row] for row in order] for name, values in table.items()}
    for (_, X), (_, Y) in zip(containers(table), containers(permuted), strict=True):
        features, arrays = encode(X)
        permuted_features, permuted_arrays = encode(Y)
        assert features == permuted_features
        for array, permuted_array in zip(arrays, permuted_arrays, strict=True):
            np.testing.assert_array_equal(array[order], permuted_array)


mixed_cells = st.one_of(
    st.none(), st.booleans(), st.integers(-2, 2), st.sampled_from([1.0, 0.5, -0.0]), texts
)


@given(st.lists(mixed_cells, min_size=1), st.randoms(use_true_random=False))
def test_mixed_objects_decode_and_do_not_depend_on_row_order(values, random):
    (feature,), (array,) = encode([[value] for value in values])
    assert decode(feature, array) == meaning(values)
    shuffled = random.sample(values, len(values))
    (other,), _ = encode([[value] for value in shuffled])
    assert other == feature
    assert [type(value) for value in other.values] == [type(v) for v in feature.values]


@given(tables(), st.randoms(use_true_random=False))
@settings(max_examples=50)
def test_column_order_does_not_matter_for_named_frames(table, random):
    names = random.sample(list(table), len(table))
    for (name, X), (_, Y) in zip(
        containers(table), containers({n: table[n] for n in names}), strict=True
    ):
        if name == "objects":
            continue
        columns = as_columns(X)
        schema = Schema(infer_features(columns))
        expected = encode_columns(columns, schema.features).arrays
        matched = match_columns(as_columns(Y), schema)
        for got, array in zip(
            encode_columns(matched, schema.features).arrays, expected, strict=True
        ):
            np.testing.assert_array_equal(got, array)


COLOUR = Feature("colour", "nominal", ("red", "blue", "green"))
NEW = ["blue", None, "pink", "red", "pink"]


@pytest.mark.parametrize(
    "X",
    [
        pd.DataFrame({"colour": NEW}),
        pd.DataFrame({"colour": pd.Series(NEW, dtype=object)}),
        pd.DataFrame({"colour": pd.Categorical(NEW, categories=["pink", "blue", "red"])}),
        pl.DataFrame({"colour": NEW}),
        pl.DataFrame({"colour": pl.Series(NEW, dtype=pl.Enum(["pink", "grey", "blue", "red"]))}),
        pa.table({"colour": pa.array(NEW).dictionary_encode()}),
        np.array(NEW, dtype=object).reshape(-1, 1),
    ],
)
def test_new_values_match_by_value_and_unseen_ones_are_counted(X):
    encoded = encode_columns(as_columns(X), [COLOUR])
    assert encoded.arrays[0].tolist() == [1, -1, -1, 0, -1]
    assert encoded.arrays[0].dtype == np.int32
    assert encoded.unseen == {"colour": 2}


@pytest.mark.parametrize("values", [(False, True), (0, 1), (0.0, 1.0)])
@pytest.mark.parametrize(
    "X", [[[1], [0]], [[True], [False]], np.array([[1.0], [0.0]]), np.array([[1], [0]])]
)
def test_equal_labels_match_whatever_their_type(values, X):
    encoded = encode_columns(as_columns(X), [Feature("a", "nominal", values)])
    assert encoded.arrays[0].tolist() == [1, 0]
    assert encoded.unseen == {}


def test_continuous_reads_numbers_from_strings():
    X = pd.DataFrame({"a": ["1.5", "?", " -2e3", None], "b": [True, False, True, True]})
    _, (a, b) = encode(X, continuous=["a", "b"])
    np.testing.assert_array_equal(a, [1.5, np.nan, -2000, np.nan])
    np.testing.assert_array_equal(b, [1, 0, 1, 1])


@pytest.mark.parametrize("text", ["tall", "Nan", "1_000", "-"])
def test_the_error_names_the_text_that_is_not_a_number(text):
    X = pd.DataFrame({"a": ["1.5", text]})
    with pytest.raises(ValueError, match=f"X column 'a' is continuous.*value '{text}' is not"):
        encode(X, continuous=["a"])


def test_infinity_as_a_string_is_an_error():
    with pytest.raises(ValueError, match=r"Input X contains infinity .* column 'a'"):
        encode(pd.DataFrame({"a": ["1e999"]}), continuous=["a"])


@given(st.lists(st.floats(width=32, allow_nan=False, allow_infinity=False), min_size=1))
def test_single_precision_is_kept_exactly(values):
    _, (array,) = encode(np.array(values, dtype=np.float32).reshape(-1, 1))
    assert array.tolist() == values
    assert array.dtype == np.float64


def test_float64_is_a_view_and_is_not_written():
    X = np.arange(12.0).reshape(4, 3)
    X.setflags(write=False)
    _, arrays = encode(X)
    assert all(np.shares_memory(array, X) for array in arrays)


def test_ten_thousand_values():
    codes = np.random.default_rng(0).permutation(10_000)
    words = np.array([f"v{code:05d}" for code in codes], dtype=object)
    (feature,), (array,) = encode(words.reshape(-1, 1))
    assert len(feature.values) == 10_000
    np.testing.assert_array_equal(array, codes)


def test_there_must_be_one_feature_per_column():
    with pytest.raises(ValueError, match="Got 2 columns for 1 features"):
        encode_columns(as_columns([[1, 2]]), [COLOUR])
