"""Models exported to JavaScript predict the same bits as the library."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import weaklearn as wl
from export.models import FACTORIES, encoded, fitted, predictions, rows_of
from export.run_js import run
from oracles import exported

N_ROWS = 150


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[dict[str, Any]]]:
    """Return what every exported model predicts, from one process."""
    folder = tmp_path_factory.mktemp("js")
    rows_of_modules = {}
    for name in FACTORIES:
        model = fitted(name)
        [module] = wl.export.js(model, folder / name)
        X = rows_of(np.random.default_rng(3), N_ROWS)
        arrays = encoded(model, X).arrays
        columns = [
            [value if isinstance(value, str) else None for value in X[given.name].tolist()]
            if given.kind == "nominal"
            else arrays[index].tolist()
            for index, given in enumerate(wl.export.describe(model).inputs)
        ]
        rows_of_modules[module] = [list(row) for row in zip(*columns, strict=True)]
    outputs = run(rows_of_modules)
    return {name: a["results"] for name, a in zip(FACTORIES, outputs, strict=True)}


@pytest.mark.parametrize("name", FACTORIES)
def test_the_same_bits(name: str, results: dict[str, list[dict[str, Any]]]) -> None:
    model = fitted(name)
    described = wl.export.describe(model)
    rows = encoded(model, rows_of(np.random.default_rng(3), N_ROWS))
    labels, probabilities = predictions(model, rows)
    assert [result["label"] for result in results[name]] == labels
    assert [result["proba"] for result in results[name]] == probabilities
    oracle_rows = list(zip(*(array.tolist() for array in rows.arrays), strict=True))[:30]
    wanted = [exported.scores(described, row) for row in oracle_rows]
    order = described.class_of_label
    ours = [result["scores"] for result in results[name][:30]]
    assert ours == [[scores[k] for k in order] for scores in wanted]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> tuple[Any, Path]:
    """Return a model of a number, a date, a nominal number and a nominal bool, and its module."""
    frame = pd.DataFrame(
        {
            "size": [1.0, 2.0, 3.0, 4.0] * 6,
            "day": pd.to_datetime(["2020-01-01", "2020-06-01", "2021-01-01", "2021-06-01"] * 6),
            "code": pd.Categorical([7, 8, 9, 9] * 6),
            "flag": [True, False, True, True] * 6,
        }
    )
    y = [f"{size > 2}{day.year}{code}{flag}" for size, day, code, flag in frame.to_numpy(object)]
    model = wl.BaggedClassifier(
        wl.C45Classifier(min_objects=1, prune=False), n_members=9, max_features=1, random_state=1
    ).fit(frame, y)
    [module] = wl.export.js(model, tmp_path_factory.mktemp("small") / "small")
    return model, module


def test_kinds_of_values(small: tuple[Any, Path]) -> None:
    model, module = small
    frame = pd.DataFrame(
        {
            "size": [1.0, 4.0, np.nan],
            "day": pd.to_datetime(["2020-03-01", "2021-03-01", None]),
            "code": [7, 9, None],
            "flag": [True, False, None],
        }
    )
    rows: list[Any] = [
        {"size": 1, "day": {"date": "2020-03-01"}, "code": 7, "flag": True, "more": "x"},
        {"size": 4.0, "day": 1614556800, "code": "9.0", "flag": "FALSE"},
        {"size": None, "day": {"special": "$undefined"}, "code": float("nan"), "flag": None},
        [1, {"date": "2020-03-01"}, "7", "true"],
        [1, {"date": "2020-03-01T00:00Z"}, " 7e0 ", "True"],
    ]
    results = run({module: rows})[0]["results"]
    wanted = model.predict_proba(frame).tolist()
    assert [result["proba"] for result in results] == [*wanted, wanted[0], wanted[0]]
    assert len({tuple(p) for p in wanted}) == 3


def test_bad_rows(small: tuple[Any, Path]) -> None:
    _, module = small
    good = {"size": 1, "day": None, "code": 7, "flag": True}
    rows: list[Any] = [
        {**good, "size": "1"},
        {**good, "size": [1]},
        {**good, "day": "2020-01-01"},
        {**good, "code": [7]},
        {name: value for name, value in good.items() if name != "flag"},
        [1, None, 7],
    ]
    results = run({module: rows})[0]["results"]
    assert [result["error"] for result in results] == [
        'TypeError: input "size" is of type string; expected a number or null',
        'TypeError: input "size" is of type array; expected a number or null',
        'TypeError: input "day" is of type string; expected a Date, a number or null',
        'TypeError: input "code" is of type array; expected a string, a number, a boolean or null',
        'TypeError: the row has no "flag"; write null where a value is missing',
        "TypeError: the row has 3 values; expected 4",
    ]
