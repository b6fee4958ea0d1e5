"""Deep trees, names in any script, long texts, odd numbers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from benchmarks.limits import deep_tree

import weaklearn as wl

NAMES = [
    "größe",
    "ひらがな",
    "עברית",
    "العربية",
    "🌲🌳",
    "e\u0301",  # the same as é to the eye
    "é",
    "a\u200bb",
    "new\nline",
    "tab\t",
    "'quoted\" \\",
    "\u202eright to left",
    "nul\x00",
    "",
    " ",
    "\U0010ffff",
]


def test_a_tree_of_100000_levels(tmp_path: Path) -> None:
    model = deep_tree(100_000)
    X = np.array([[-1.0], [0.5], [50_000.0], [99_998.5], [1e6]])
    assert model.tree_.depth == 100_000
    assert model.predict(X).tolist() == [0, 1, 0, 1, 0]
    assert model.apply(X).tolist() == [1, 3, 100_001, 199_999, 200_000]
    assert model.predict_proba([[np.nan]]).sum() == pytest.approx(1)
    for name in ("deep.wl", "deep.json"):
        model.save(tmp_path / name)
        assert wl.load(tmp_path / name).tree_ == model.tree_


def test_names_in_any_script(tmp_path: Path) -> None:
    chance = np.random.default_rng(1)
    X: dict[str, Any] = {name: chance.normal(size=64) for name in NAMES}
    X["values"] = np.array(NAMES * 4, dtype=object)
    y = np.array([name.strip(" ") or "blank" for name in NAMES] * 4, dtype=object)
    X["größe"] = np.arange(64.0) % 16
    model = wl.C45Classifier(min_objects=1, nominal=["values"], missing_values=[])
    with pytest.warns(UserWarning, match="suspicious columns"):
        model.fit(X, y)
    assert set(model.classes_) == set(y)
    expected = model.predict(X)
    assert (expected == y).mean() > 0.9
    for name in ("model.wl", "model.json"):
        model.save(tmp_path / name)
        loaded = wl.load(tmp_path / name)
        assert loaded.predict(X).tolist() == expected.tolist()
        assert loaded.tree_.to_text() == model.tree_.to_text()
    assert model.tree_.to_dot()
    assert model.tree_._repr_html_()
    with pytest.raises(ValueError, match=r"the name 'nul\\x00' cannot be written in SQL"):
        wl.export.sql(model)
    wl.export.js(model, tmp_path / "model.js")
    with pytest.raises(ValueError, match="holds the NUL character, which ends a string in C"):
        wl.export.c(model, tmp_path / "model")


def test_texts_of_a_megabyte(tmp_path: Path) -> None:
    long = [letter * 1_000_000 for letter in "ab"]
    X = {long[0]: np.array(long * 10, dtype=object)}
    model = wl.C45Classifier(min_objects=1).fit(X, np.array(long * 10, dtype=object))
    model.save(tmp_path / "model.wl")
    assert (wl.load(tmp_path / "model.wl").predict(X) == X[long[0]]).all()


def test_payloads_of_nan_change_nothing() -> None:
    chance = np.random.default_rng(2)
    X = chance.normal(size=(200, 3))
    y = (X[:, 0] + X[:, 1] > 0).astype(int)
    missing = chance.random(X.shape) < 0.2
    plain = np.where(missing, np.nan, X)
    odd = plain.copy()
    payloads = chance.integers(1, 2**51, missing.sum(), dtype=np.uint64)
    signs = chance.integers(0, 2, missing.sum(), dtype=np.uint64) << np.uint64(63)
    odd[missing] = (payloads | signs | np.uint64(0x7FF8 << 48)).view(np.float64)
    signalling = payloads | np.uint64(0x7FF0 << 48)
    odd[missing] = np.where(signs > 0, odd[missing], signalling.view(np.float64))
    assert np.isnan(odd[missing]).all()
    for model in (wl.C45Classifier(), wl.OC1Classifier(random_state=1, n_restarts=2)):
        shares = model.fit(plain, y).predict_proba(plain)
        assert np.array_equal(model.predict_proba(odd), shares)
        assert np.array_equal(model.fit(odd, y).predict_proba(odd), shares)


def test_subnormal_numbers_are_split() -> None:
    least = np.nextafter(0.0, 1.0)
    X = np.array([[0.0], [least], [2 * least], [3 * least]] * 5)
    y = np.array([0, 0, 1, 1] * 5)
    # C4.5 and TopDown do not separate values less than 1e-5 apart, and say so.
    for model in (wl.StumpClassifier(), wl.RealAdaBoostClassifier(n_rounds=2)):
        assert (model.fit(X, y).predict(X) == y).all()
