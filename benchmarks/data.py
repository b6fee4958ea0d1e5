"""The tables of the benchmarks; generated ones have a fixed seed."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from weaklearn import datasets

LETTERS = np.array(list("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
_ARTIFICIAL_LETTERS_PER_CLASS = 4


@dataclass(frozen=True, slots=True, eq=False)
class Letter:
    """The letter table as arrays, or an artificial one of the same shape."""

    X: NDArray[np.float64]
    y: NDArray[np.str_]
    name: str


def letter() -> Letter:
    """Return 20,000 x 16 integers from 0 to 15 with 26 classes, without using the network."""
    if any(entry.name == "letter" and entry.here for entry in datasets.available()):
        table = datasets.load("letter")
        X = np.ascontiguousarray(table.X.to_numpy(dtype=np.float64))
        return Letter(X, np.asarray(table.y, dtype=str), "letter")
    rng = np.random.default_rng(0)
    centres = rng.uniform(2, 13, size=(26 * _ARTIFICIAL_LETTERS_PER_CLASS, 16))
    which = rng.integers(0, len(centres), size=20_000)
    X = np.clip(np.rint(rng.normal(centres[which], 2.0)), 0, 15)
    return Letter(X, LETTERS[which // _ARTIFICIAL_LETTERS_PER_CLASS], "letter (artificial)")


def adult() -> tuple[object, object, str]:
    """Return adult, or a generated table of two classes and equal length, without the network."""
    if any(entry.name == "adult" and entry.here for entry in datasets.available()):
        table = datasets.load("adult")
        return table.X, table.y, "adult"
    X, y = mixed(32_561)
    return X, y == y[0], "mixed (artificial)"


def noisy_numbers(n_rows: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return 20 columns of distinct numbers; five decide 2 classes, with 10% label noise."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n_rows, 20))
    score = X[:, 0] + X[:, 1] * X[:, 2] + np.sin(3 * X[:, 3]) + (X[:, 4] > 0.5)
    wrong = rng.random(n_rows) < 0.1
    return X, ((score > 0.3) ^ wrong).astype(np.int64)


def mixed(n_rows: int) -> tuple[pd.DataFrame, NDArray[np.str_]]:
    """Return 20 nominal columns of 4 to 12 values and 10 numeric ones, with 10% missing cells.

    There are three classes. Half of the columns of each kind influence them.
    """
    rng = np.random.default_rng(0)
    columns: dict[str, pd.Categorical[str] | NDArray[np.float64]] = {}
    scores = rng.gumbel(scale=0.6, size=(n_rows, 3))
    for i in range(20):
        values = pd.Index([f"v{k}" for k in range(4 + i % 9)])
        codes = rng.integers(0, len(values), size=n_rows)
        if i % 2 == 0:
            scores += rng.normal(scale=0.8, size=(len(values), 3))[codes]
        codes[rng.random(n_rows) < 0.1] = -1
        columns[f"nominal{i}"] = pd.Categorical.from_codes(codes, categories=values)
    for i in range(10):
        numbers = rng.standard_normal(n_rows)
        if i % 2 == 0:
            above = numbers > rng.normal(scale=0.5)
            scores += np.outer(above, rng.normal(size=3))
        numbers[rng.random(n_rows) < 0.1] = np.nan
        columns[f"number{i}"] = numbers
    return pd.DataFrame(columns), np.array(["low", "middle", "high"])[scores.argmax(axis=1)]


def messy_table(n_rows: int = 5000, seed: int = 7) -> tuple[pd.DataFrame, pd.Series[str]]:
    """Make a table of numbers, dates as text, 288 cities, an id and missing values.

    Its three classes are unbalanced: about 86, 11 and 2 percent.
    """
    chance = np.random.default_rng(seed)
    age = chance.normal(45, 15, n_rows).round(1)
    income = chance.lognormal(10, 0.6, n_rows).round(0)
    visits = chance.poisson(3, n_rows).astype(float)
    channel = chance.choice(["web", "shop", "phone"], n_rows, p=[0.5, 0.3, 0.2])
    cities = [f"city {i}" for i in range(288)]
    days = pd.to_timedelta(chance.integers(0, 1500, n_rows), unit="D")
    score = 2.0 * (age > 58) + 1.5 * (income > 35_000) + 1.0 * (visits > 5) + (channel == "phone")
    score += chance.normal(scale=0.6, size=n_rows)
    frame = pd.DataFrame(
        {
            "id": [f"c{i:05d}" for i in chance.permutation(n_rows)],
            "age": age,
            "income": income,
            "visits": visits,
            "city": chance.choice(cities, n_rows, p=chance.dirichlet(np.full(288, 0.7))),
            "since": (pd.Timestamp("2020-01-01") + days).strftime("%d.%m.%Y"),
            "channel": channel,
        }
    )
    for column in ("age", "income", "visits", "city", "channel"):
        frame.loc[chance.random(n_rows) < 0.05, column] = None
    labels = np.where(score > 3.9, "gold", np.where(score > 2.4, "silver", "none"))
    return frame, pd.Series(labels, name="class")
