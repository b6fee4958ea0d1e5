"""Results do not depend on the number of threads or on the library of the frame."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pandas as pd
import pytest

import weaklearn as wl
from weaklearn.estimators import c45

from .classifiers import ALL, COMMITTEES, Factory, trees_of

for_all = pytest.mark.parametrize("make", ALL.values(), ids=ALL.keys())
EVERY = {**ALL, **COMMITTEES}
for_committees = pytest.mark.parametrize("make", COMMITTEES.values(), ids=COMMITTEES.keys())


def large_table(n_rows: int, missing: bool) -> tuple[pd.DataFrame, Any]:
    """Make a table with continuous and nominal columns and noise, large enough for threads."""
    chance = np.random.default_rng(11)
    frame = pd.DataFrame({f"x{i}": chance.normal(size=n_rows) for i in range(3)})
    frame["few"] = chance.integers(0, 9, n_rows).astype(float)
    frame["name"] = chance.choice(list("abcdef"), n_rows)
    score = frame["x0"] + frame["few"].gt(4) * frame["x1"] + frame["name"].eq("a")
    labels = np.digitize(score + chance.normal(scale=0.7, size=n_rows), [-0.5, 1.0])
    if missing:
        frame = frame.mask(chance.random(frame.shape) < 0.05)
    return frame, labels


def least_nodes(model: Any, most: int) -> int:
    """Return the number of nodes that a model must exceed for the test to mean something."""
    small = ("Stump", "max_width", "BoostODT", "RealAdaBoost", "SADT")
    return 1 if any(kind in str(model) for kind in small) else most


@for_all
@pytest.mark.parametrize("weighted", [False, True], ids=["unweighted", "weighted"])
@pytest.mark.parametrize("missing", [False, True], ids=["complete", "missing"])
def test_threads_change_no_bit(make: Factory, missing: bool, weighted: bool) -> None:
    # release8 uses one thread, and programs share columns among threads from 4,096 rows on.
    n_rows = {"release8": 3_000, "Program": 6_000}.get(
        next((kind for kind in ("release8", "Program") if kind in str(make())), ""), 24_000
    )
    X, y = large_table(n_rows, missing)
    weights = np.random.default_rng(2).choice([0.4, 1.0, 1.7], len(X)) if weighted else None
    one = make(n_jobs=1).fit(X, y, weights)
    assert trees_of(one)[0].n_nodes > least_nodes(one, 20)
    for n_jobs in (2, 5):
        many = make(n_jobs=n_jobs).fit(X, y, weights)
        assert trees_of(many) == trees_of(one)
        assert np.array_equal(many.predict_proba(X), one.predict_proba(X))
        assert np.array_equal(many.predict(X), one.predict(X))


@for_committees
def test_threads_change_no_bit_of_a_committee(make: Factory) -> None:
    X, y = large_table(3_000, missing=True)
    weights = np.random.default_rng(2).choice([0.4, 1.0, 1.7], len(X))
    one = make(n_jobs=1).fit(X, y, weights)
    assert len(one) >= 2
    for n_jobs in (2, 5):
        many = make(n_jobs=n_jobs).fit(X, y, weights)
        assert trees_of(many) == trees_of(one)
        noted = [name for name in vars(one) if isinstance(vars(one)[name], np.ndarray | float)]
        assert "votes_" in noted
        for name in [*noted, "margins_"]:  # votes, errors, bounds, out-of-bag shares
            np.testing.assert_array_equal(getattr(many, name), getattr(one, name), strict=True)
        assert np.array_equal(many.predict_proba(X), one.predict_proba(X))
        assert np.array_equal(many.predict(X), one.predict(X))


def test_n_jobs_reaches_the_core(monkeypatch: pytest.MonkeyPatch) -> None:
    core, threads = c45._core, []

    def fit(*given: Any, **options: Any) -> Any:
        threads.append(options["n_threads"])
        return core.fit_c45(*given, **options)

    monkeypatch.setattr(c45, "_core", SimpleNamespace(fit_c45=fit))
    for n_jobs in (None, 1, 3):
        wl.C45Classifier(n_jobs=n_jobs).fit([[0.0], [1.0]], [0, 1])
    assert threads == [1, 1, 3]


def columns() -> dict[str, list[Any]]:
    X, _ = large_table(300, missing=True)
    return {
        name: [None if pd.isna(cell) else cell for cell in column] for name, column in X.items()
    }


def as_structured(data: dict[str, list[Any]]) -> Any:
    rows = list(zip(*data.values(), strict=True))
    return np.array(rows, dtype=[(name, object) for name in data])


def as_polars(data: dict[str, list[Any]]) -> Any:
    return pytest.importorskip("polars").DataFrame(data)


def as_arrow(data: dict[str, list[Any]]) -> Any:
    return pytest.importorskip("pyarrow").table(data)


FRAMES = {
    "pandas objects": lambda data: pd.DataFrame(data, dtype=object),
    "pandas nullable": lambda data: pd.DataFrame(data).convert_dtypes(),
    "polars": as_polars,
    "pyarrow": as_arrow,
    "structured array": as_structured,
}


@pytest.mark.parametrize("make", EVERY.values(), ids=EVERY.keys())
@pytest.mark.parametrize("convert", FRAMES.values(), ids=FRAMES.keys())
def test_frames_of_any_library(make: Factory, convert: Any) -> None:
    data, (_, y) = columns(), large_table(300, missing=True)
    plain = make().fit(pd.DataFrame(data), y)
    other = make().fit(convert(data), y.tolist())
    assert trees_of(plain)[0].n_nodes > least_nodes(plain, 3)
    assert trees_of(other) == trees_of(plain)
    assert np.array_equal(other.predict_proba(convert(data)), plain.predict_proba(convert(data)))
    assert np.array_equal(other.predict(pd.DataFrame(data)), plain.predict(pd.DataFrame(data)))


@for_all
def test_unaligned_numbers(make: Factory) -> None:
    X, y = large_table(300, missing=False)
    numbers = X.select_dtypes("float").to_numpy()
    frame = pd.DataFrame(numbers, columns=[f"x{c}" for c in range(numbers.shape[1])])
    packed = np.zeros(len(frame), dtype=[(name, "f8") for name in frame] + [("flag", "i1")])
    for name in frame:
        packed[name] = frame[name]
    frame["flag"] = packed["flag"]
    shifted = np.frombuffer(b"-" + numbers.tobytes(), offset=1).reshape(numbers.shape)
    assert not packed["x0"].flags.aligned
    assert not shifted.flags.aligned
    plain, other = make().fit(frame, y), make().fit(packed, y)
    assert trees_of(other) == trees_of(plain)
    assert np.array_equal(other.predict_proba(packed), plain.predict_proba(frame))
    assert trees_of(make().fit(shifted, y)) == trees_of(make().fit(numbers, y))


@for_all
def test_arrays_and_rows_without_names(make: Factory) -> None:
    data, (_, y) = columns(), large_table(300, missing=True)
    rows = [list(row) for row in zip(*data.values(), strict=True)]
    named = make().fit(pd.DataFrame(data), y)
    for X in (rows, np.array(rows, dtype=object)):
        nameless = make().fit(X, y)
        for ours, theirs in zip(trees_of(named), trees_of(nameless), strict=True):
            for name, array in ours.arrays.items():
                assert np.array_equal(array, theirs.arrays[name])
        assert np.array_equal(nameless.predict(X), named.predict(pd.DataFrame(data)))
