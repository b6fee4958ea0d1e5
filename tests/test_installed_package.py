"""What an installed wheel must be able to do. Needs pytest and no extra of weaklearn."""

from __future__ import annotations

import pickle
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weaklearn as wl

CLASSIFIERS = {
    "c45": wl.C45Classifier(),
    "release8": wl.C45Classifier(arithmetic="release8"),
    "bins": wl.C45Classifier(max_bins=16, subset=True),
    "stump": wl.StumpClassifier(),
    "topdown": wl.TopDownClassifier(n_rounds=9),
    "program": wl.BranchingProgramClassifier(max_levels=6),
    "rules": wl.RulesClassifier(),
    "oc1": wl.OC1Classifier(n_restarts=2, random_state=1),
    "sadt": wl.SADTClassifier(patience=50, random_state=1),
    "real-adaboost": wl.RealAdaBoostClassifier(n_rounds=5),
    "boost-odt": wl.BoostODTClassifier(n_stumps=3, max_depth=2),
    "adaboost": wl.AdaBoostM1Classifier(n_rounds=4),
    "bagged": wl.BaggedClassifier(n_members=4, random_state=1),
    "boosted-forest": wl.BoostedForestClassifier(n_members=4, random_state=1),
}
for_all = pytest.mark.parametrize("model", CLASSIFIERS.values(), ids=CLASSIFIERS.keys())


def table() -> tuple[list[list[Any]], list[str]]:
    """Return rows with numbers, texts and missing values, and their classes."""
    chance = np.random.default_rng(1)
    rows: list[list[Any]] = [
        [float(number), str(colour), None if number > 1.5 else float(number * noise)]
        for number, colour, noise in zip(
            chance.normal(size=300),
            chance.choice(["red", "green", "blue"], 300),
            chance.normal(size=300),
            strict=True,
        )
    ]
    classes = ["yes" if (row[0] > 0) == (row[1] == "red") else "no" for row in rows]
    return rows, classes


@for_all
def test_a_classifier_learns_and_its_files_predict_the_same(model: Any, tmp_path: Path) -> None:
    rows, classes = table()
    fitted = pickle.loads(pickle.dumps(model)).fit(rows, classes)
    shares = fitted.predict_proba(rows)
    majority = max(classes.count("yes"), classes.count("no")) / len(classes)
    assert np.mean(fitted.predict(rows) == classes) >= majority
    for name in ("model.wl", "model.json"):
        fitted.save(tmp_path / name)
        assert np.array_equal(wl.load(tmp_path / name).predict_proba(rows), shares)
    assert np.array_equal(pickle.loads(pickle.dumps(fitted)).predict_proba(rows), shares)


@for_all
def test_eight_threads_fit_and_predict_the_same_bits_as_one(model: Any) -> None:
    rows, classes = table()
    alone = pickle.loads(pickle.dumps(model)).fit(rows, classes)
    shares = alone.predict_proba(rows)

    def work(_: int) -> tuple[bool, bool]:
        own = pickle.loads(pickle.dumps(model)).fit(rows, classes)
        return (
            np.array_equal(own.predict_proba(rows), shares),
            np.array_equal(alone.predict_proba(rows), shares),
        )

    with ThreadPoolExecutor(8) as threads:
        assert list(threads.map(work, range(8))) == [(True, True)] * 8


@pytest.mark.skipif(not sysconfig.get_config_var("Py_GIL_DISABLED"), reason="Python has a GIL")
def test_the_gil_stays_disabled() -> None:
    assert not sys._is_gil_enabled()  # importing a module that needs it would enable it


def test_the_version_is_that_of_the_package() -> None:
    assert wl.__version__ == version("weaklearn")
