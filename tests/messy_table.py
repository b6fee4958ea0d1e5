"""A messy table, as a new user might bring it."""

from __future__ import annotations

import numpy as np
import pandas as pd


def messy_table(n_rows: int = 5000, seed: int = 7) -> tuple[pd.DataFrame, pd.Series[str]]:
    """Make a table of numbers, dates as text, 288 cities, an id and missing values.

    Its three classes are unbalanced: about 80, 16 and 4 percent.
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
