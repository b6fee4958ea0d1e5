"""The encodings for other libraries: nothing is learned from test rows."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from weaklearn.experiments.peer_encodings import ENCODINGS, encode_trial


def rows(sizes: list[float | None], colours: list[str | None]) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "size [cm]": np.array(sizes, dtype=float),
            "colour": pd.Categorical(colours, categories=["red", "blue", "green"]),
            "day": pd.to_datetime(["1970-01-03"] * len(sizes)),
        }
    )


TRAIN = rows([1.0, 3.0, None, 8.0], ["red", "blue", None, "red"])
TEST = rows([None, 100.0], ["green", None])


def test_one_hot_uses_medians_and_values_of_training_rows() -> None:
    encoded = encode_trial("one-hot", TRAIN, TEST)
    assert encoded.nominal == ()
    # size, day, then the missing value, red and blue; green does not occur in training rows
    assert encoded.train.tolist() == [
        [1, 2, 0, 1, 0],
        [3, 2, 0, 0, 1],
        [3, 2, 1, 0, 0],
        [8, 2, 0, 1, 0],
    ]
    assert encoded.test.tolist() == [[3, 2, 0, 0, 0], [100, 2, 1, 0, 0]]


def test_native_keeps_categories_and_missing_values() -> None:
    encoded = encode_trial("native", TRAIN, TEST)
    assert encoded.nominal == (1,)
    assert list(encoded.train.columns) == ["x0", "x1", "x2"]
    assert encoded.test["x1"].dtype == TRAIN["colour"].dtype
    assert encoded.test["x0"].isna().tolist() == [True, False]
    assert encoded.test["x2"].tolist() == [2.0, 2.0]


def test_text_makes_a_missing_value_a_text() -> None:
    encoded = encode_trial("text", TRAIN, TEST)
    assert encoded.nominal == (1,)
    assert encoded.test["x1"].tolist() == ["green", "(missing)"]
    assert encoded.train["x0"].isna().tolist() == [False, False, True, False]


def test_frame_is_the_table_itself() -> None:
    encoded = encode_trial("frame", TRAIN, TEST)
    assert encoded.train is TRAIN
    assert encoded.test is TEST


@pytest.mark.parametrize("name", ENCODINGS)
def test_the_table_is_not_changed(name: str) -> None:
    before = TRAIN.copy()
    encode_trial(name, TRAIN, TEST)
    pd.testing.assert_frame_equal(TRAIN, before)


def test_a_column_without_values() -> None:
    empty = pd.DataFrame({"a": [np.nan, np.nan], "b": pd.Categorical([None, None])})
    assert encode_trial("one-hot", empty, empty).train.tolist() == [[0, 1], [0, 1]]


def test_hist_boosting_fits_a_table_with_a_column_without_values() -> None:
    from weaklearn.experiments.peer_models import PEERS

    size = np.repeat([1.0, 2.0], 40)
    table = pd.DataFrame({"empty": np.full(80, np.nan), "size": size})
    other = pd.DataFrame({"empty": [5.0, np.nan], "size": [1.0, 2.0]})
    encoded = encode_trial("native", table, other)
    assert encoded.test["x0"].tolist() == [0.0, 0.0]
    model = PEERS["sk-hist-boosting"].make(5).fit(encoded.train, size)
    assert model.predict(encoded.test).tolist() == [1.0, 2.0]
