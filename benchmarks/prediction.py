"""Prediction with 100 trees on one thread, compared with other libraries and a compiled forest."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.ensemble import RandomForestClassifier
from threadpoolctl import threadpool_limits

from benchmarks import data
from benchmarks.registry import Result, benchmark
from benchmarks.timing import alternate
from weaklearn import AdaBoostM1Classifier, BaggedClassifier, C45Classifier

_N_TREES, _N_LEAVES = 100, 31
_TRAINING_ROWS = 20_000

_Predict = Callable[[NDArray[np.float64]], object]


def _rate(n_rows: int, seconds: float) -> str:
    return f"{n_rows / seconds / 1e6:.3g} million rows per second"


@benchmark("prediction-letter")
def predict_letter() -> Iterator[Result]:
    """Predict the rows of letter with 100 boosted trees, also one row; in processor time."""
    table = data.letter()
    model = AdaBoostM1Classifier(n_rounds=_N_TREES).fit(table.X, table.y)
    row = table.X[:1]
    (one_row,) = alternate(lambda: model.predict(row))
    labels, probabilities = alternate(
        lambda: model.predict(table.X), lambda: model.predict_proba(table.X)
    )
    n_rows = len(table.X)
    million_per_second = n_rows / 1e6
    yield Result(
        f"predict {table.name}, {_N_TREES} boosted trees, {n_rows:,} rows",
        labels.cpu,
        target=million_per_second,
        note=_rate(n_rows, labels.cpu),
    )
    yield Result("  predict_proba", probabilities.cpu, note=_rate(n_rows, probabilities.cpu))
    yield Result("  predict one row of an array", one_row.cpu, target=30e-6)


def _lightgbm_and_lleaves(X: NDArray[np.float64], y: Any) -> Iterator[tuple[str, _Predict | None]]:
    """Yield LightGBM, and the same model compiled by lleaves."""
    try:
        lightgbm = import_module("lightgbm")
    except ImportError:
        yield "LightGBM", None
        return
    model = lightgbm.LGBMClassifier(
        n_estimators=_N_TREES, num_leaves=_N_LEAVES, n_jobs=1, verbose=-1
    ).fit(X, y)
    yield "LightGBM", lambda rows: model.booster_.predict(rows, raw_score=True, num_threads=1)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "model.txt"
        model.booster_.save_model(path)
        try:
            compiled = import_module("lleaves").Model(model_file=path)
            compiled.compile()
        except (ImportError, AttributeError):  # lleaves 1.3 does not know llvmlite from 0.44 on
            yield "lleaves", None
        else:
            yield "lleaves", lambda rows: compiled.predict(rows, n_jobs=1)


def _peers(X: NDArray[np.float64], y: Any) -> Iterator[tuple[str, _Predict | None]]:
    """Yield each peer's name and how it predicts on one thread; None if it is not installed."""
    yield from _lightgbm_and_lleaves(X, y)
    try:
        catboost = import_module("catboost")
    except ImportError:
        yield "CatBoost", None
    else:
        symmetric = catboost.CatBoostClassifier(
            n_estimators=_N_TREES, depth=5, thread_count=1, verbose=0, allow_writing_files=False
        ).fit(X, y)
        yield (
            "CatBoost",
            lambda rows: symmetric.predict(rows, prediction_type="RawFormulaVal", thread_count=1),
        )
    try:
        xgboost = import_module("xgboost")
    except ImportError:
        yield "XGBoost", None
    else:
        boosted = xgboost.XGBClassifier(n_estimators=_N_TREES, max_depth=6, n_jobs=1).fit(X, y)
        yield "XGBoost", lambda rows: boosted.predict(rows, output_margin=True)
    forest = RandomForestClassifier(_N_TREES, max_leaf_nodes=_N_LEAVES, n_jobs=1).fit(X, y)
    yield "RandomForestClassifier", forest.predict


@benchmark("prediction-peers")
def compare_prediction() -> Iterator[Result]:
    """Compare 100 trees of 31 leaves on 20 numbers; CatBoost has 32 leaves, XGBoost depth 6."""
    X, y = data.noisy_numbers(100_000)
    training = X[:_TRAINING_ROWS], y[:_TRAINING_ROWS]
    model = BaggedClassifier(C45Classifier(max_leaves=_N_LEAVES), _N_TREES, random_state=0)
    model.fit(*training)
    work = f"predict {len(X):,} x 20, {_N_TREES} trees of {_N_LEAVES} leaves"
    (ours,) = alternate(lambda: model.predict_proba(X))
    yield Result(f"{work}, predict_proba", ours.wall, note=_rate(len(X), ours.wall))
    for name, predict in _peers(*training):
        if predict is None:
            (ours,) = alternate(lambda: model.predict(X))
            note = f"{name} is not installed: pip install .[bench]"
            if name == "lleaves":
                note += ' "llvmlite<0.44"'
            yield Result(f"{work}, compared with {name}", ours.wall, note=note)
            continue
        with threadpool_limits(1):
            ours, peer = alternate(lambda: model.predict(X), lambda p=predict: p(X))
        yield Result(
            f"{work}, compared with {name}",
            ours.wall,
            peer.wall,
            target=1,
            note=f"{_rate(len(X), ours.wall)}, {name} {_rate(len(X), peer.wall)}",
        )
