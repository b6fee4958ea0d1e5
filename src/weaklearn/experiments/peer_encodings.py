"""Encode the training and test rows of a trial as the users of other libraries would.

Nothing is learned from test rows: medians and values come from the training rows.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    import pandas as pd

#: What a missing nominal value becomes where a library takes texts only.
_MISSING_TEXT = "(missing)"


@dataclass(frozen=True, slots=True, eq=False)
class EncodedTrial:
    """The rows of a trial in the form that a model takes.

    Parameters
    ----------
    train, test : frame or array
        The features of the training rows and of the test rows.
    nominal : tuple of int
        The positions of nominal columns in them.
    train_seconds, test_seconds : float
        How long the encoding took.
    """

    train: Any
    test: Any
    nominal: tuple[int, ...]
    train_seconds: float
    test_seconds: float

    def __repr__(self) -> str:
        return f"EncodedTrial({len(self.train):,} rows to train on, {len(self.test):,} to test on)"


@dataclass(frozen=True, slots=True)
class Encoding:
    """A way to encode the features of a table.

    Parameters
    ----------
    description : str
        What it does, for a report.
    fit : callable
        Takes the training rows, and returns them encoded and a function that encodes other rows.
    keeps_nominal : bool
        Whether nominal columns stay single columns.
    """

    description: str
    fit: Callable[[pd.DataFrame], tuple[Any, Callable[[pd.DataFrame], Any]]]
    keeps_nominal: bool = True


def encode_trial(name: str, train: pd.DataFrame, test: pd.DataFrame) -> EncodedTrial:
    """Encode the rows of a trial.

    Parameters
    ----------
    name : str
        One of `ENCODINGS`.
    train, test : DataFrame
        Rows of a `Table`: nominal columns are pandas categories.

    Returns
    -------
    EncodedTrial
        Both parts, with the times.

    Examples
    --------
    >>> import pandas as pd
    >>> rows = pd.DataFrame({"size": [1.0, None, 4.0], "colour": pd.Categorical(["a", "b", "a"])})
    >>> encode_trial("one-hot", rows, rows[:1]).train.tolist()
    [[1.0, 1.0, 0.0], [2.5, 0.0, 1.0], [4.0, 1.0, 0.0]]
    """
    encoding = ENCODINGS[name]
    start = time.perf_counter()
    encoded_train, encode = encoding.fit(train)
    middle = time.perf_counter()
    encoded_test = encode(test)
    end = time.perf_counter()
    nominal = tuple(_nominal_positions(train)) if encoding.keeps_nominal else ()
    return EncodedTrial(encoded_train, encoded_test, nominal, middle - start, end - middle)


def _nominal_positions(rows: pd.DataFrame) -> list[int]:
    return [i for i, dtype in enumerate(rows.dtypes) if str(dtype) == "category"]


def _without_fit(
    encode: Callable[[pd.DataFrame], Any],
) -> Callable[[pd.DataFrame], tuple[Any, Callable[[pd.DataFrame], Any]]]:
    """Make an encoding that learns nothing from training rows."""
    return lambda train: (encode(train), encode)


def _native(train: pd.DataFrame) -> tuple[Any, Callable[[pd.DataFrame], Any]]:
    """Keep the categories and the missing values."""
    # HistGradientBoosting fails on a column without any known value, which says nothing anyway.
    empty = [i for i, name in enumerate(train.columns) if train[name].isna().all()]

    def encode(rows: pd.DataFrame) -> pd.DataFrame:
        frame = _renamed(rows)
        for position in empty:
            frame[f"x{position}"] = 0.0
        return frame

    return encode(train), encode


def _renamed(rows: pd.DataFrame) -> pd.DataFrame:
    """Name the columns x0, x1, ...: LightGBM and XGBoost refuse names with brackets."""
    renamed = _dates_as_numbers(rows)
    renamed.columns = [f"x{i}" for i in range(renamed.shape[1])]
    return renamed


def _texts(rows: pd.DataFrame) -> pd.DataFrame:
    """Turn nominal columns into texts, in which a missing value is a text of its own."""
    frame = _renamed(rows)
    for position in _nominal_positions(rows):
        name = f"x{position}"
        frame[name] = frame[name].astype(object).where(frame[name].notna(), _MISSING_TEXT)
        frame[name] = frame[name].astype(str)
    return frame


def _one_hot(train: pd.DataFrame) -> tuple[Any, Callable[[pd.DataFrame], Any]]:
    """One column for each value of a nominal column, medians in place of missing numbers."""
    from sklearn.compose import ColumnTransformer
    from sklearn.impute import SimpleImputer
    from sklearn.preprocessing import OneHotEncoder

    nominal = _nominal_positions(train)
    continuous = [i for i in range(train.shape[1]) if i not in set(nominal)]
    # Values of one column may be of several types, which scikit-learn cannot sort. Their codes can
    # be; -1 stands for a missing value, which becomes a column of its own if it occurs.
    one_hot = OneHotEncoder(handle_unknown="ignore", sparse_output=False, dtype=np.float32)
    medians = SimpleImputer(strategy="median", keep_empty_features=True)
    transformer = ColumnTransformer(
        [("continuous", medians, continuous), ("nominal", one_hot, nominal)]
    )

    def as_numbers(rows: pd.DataFrame) -> Any:
        numbers = _dates_as_numbers(rows)
        for position in nominal:
            name = numbers.columns[position]
            numbers[name] = numbers[name].cat.codes
        return numbers.to_numpy(dtype=np.float64)

    encoded = transformer.fit_transform(as_numbers(train))
    return encoded, lambda rows: transformer.transform(as_numbers(rows))


def _dates_as_numbers(rows: pd.DataFrame) -> pd.DataFrame:
    """Return a copy with dates as days; a missing date is NaN."""
    import pandas as pd

    copy = rows.copy()
    for name in copy.columns:
        if pd.api.types.is_datetime64_any_dtype(copy[name]):
            copy[name] = (copy[name] - pd.Timestamp(0, tz=copy[name].dt.tz)) / pd.Timedelta("1D")
    return copy


#: The encodings, by the names that recipes and reports use.
ENCODINGS: dict[str, Encoding] = {
    "frame": Encoding(
        "the table as it is: nominal columns and missing values", _without_fit(lambda r: r)
    ),
    "native": Encoding(
        "nominal columns as pandas categories, which the library splits itself; missing values "
        "stay, but a column without any known value becomes 0",
        _native,
    ),
    "text": Encoding(
        "nominal columns as texts declared as cat_features, a missing value as a text of its own; "
        "missing numbers stay",
        _without_fit(_texts),
    ),
    "one-hot": Encoding(
        "one column for each value of a nominal column, also for the missing value; missing "
        "numbers replaced by the median of the training rows",
        _one_hot,
        keeps_nominal=False,
    ),
}
