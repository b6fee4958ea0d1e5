"""Tables whose partitions are as different as partitions can be."""

from __future__ import annotations

import time
from itertools import pairwise

import numpy as np
import pandas as pd


def odd_table(n_rows=400, seed=0):
    """Return a table, classes, weights, and the places where its partitions begin."""
    random = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "number": random.normal(size=n_rows).round(2),
            "integer": random.integers(0, 9, n_rows),
            "colour": random.choice(["red", "blue", "green"], n_rows),
            "size": pd.Categorical(random.choice(["s", "m"], n_rows), categories=["s", "m", "xl"]),
            "day": pd.Timestamp("2020-01-01")
            + pd.to_timedelta(random.integers(0, 99, n_rows), "D"),
        }
    )
    X.loc[:5, "colour"] = "only in the first partition"
    X.loc[n_rows - 30 :: 3, "number"] = np.nan  # missing only in the last partition
    y = np.where(X["integer"] + random.normal(size=n_rows) > 4, "yes", "no")
    # Objects here and Arrow's texts in Dask: the file of the model must not show the difference.
    y = pd.Series(np.where(random.random(n_rows) < 0.1, "maybe", y), name="answer", dtype=object)
    weights = pd.Series(random.choice([0.0, 0.5, 1.0, 2.3], n_rows))
    starts = [0, 7, 7, n_rows // 2, n_rows - 31, n_rows]  # the second partition is empty
    return X, y, weights, starts


def in_partitions(frame, starts):
    """Return a Dask collection with these partitions."""
    import dask.dataframe as dd

    import dask

    parts = [dask.delayed(frame.iloc[i:j]) for i, j in pairwise(starts)]
    return dd.from_delayed(parts, meta=frame.iloc[:0], verify_meta=False)


def saved(model, folder):
    """Return the bytes of a model's file."""
    path = folder / "model.json"
    model.save(path)
    return path.read_bytes()


def own_keys(client):
    """Return the keys of results of fits that workers hold."""
    held = client.run(lambda dask_worker: [str(key) for key in dask_worker.data])
    return [key for keys in held.values() for key in keys if key.startswith("weaklearn")]


def wait_until(condition, seconds=60.0):
    """Wait for something that another process does; the limit only ends a test that fails."""
    end = time.monotonic() + seconds
    while not condition() and time.monotonic() < end:
        time.sleep(0.05)
    assert condition()
