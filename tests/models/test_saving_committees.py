"""Committees in files: everything comes back, and damaged files are refused with a reason."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weaklearn as wl
from weaklearn.models import LoadError

chance = np.random.default_rng(4)
X = chance.normal(size=(80, 3))
X[chance.random(X.shape) < 0.1] = np.nan
y = np.where((np.nansum(X, axis=1) > 0) ^ (chance.random(80) < 0.1), "yes", "no")
STUMP = wl.C45Classifier(max_depth=1, prune=False)

COMMITTEES: dict[str, Any] = {
    "adaboost": lambda: wl.AdaBoostM1Classifier(STUMP, 5),
    "default": lambda: wl.AdaBoostM1Classifier(n_rounds=3),
    "confidence": lambda: wl.AdaBoostM1Classifier(STUMP, 5, vote="confidence"),
    "resample": lambda: wl.AdaBoostM1Classifier(STUMP, 5, method="resample", random_state=3),
    "bagged": lambda: wl.BaggedClassifier(n_members=5, random_state=3),
    "forest": lambda: wl.BoostedForestClassifier(n_members=5, run_length=3, random_state=3),
}
for_all = pytest.mark.parametrize("make", COMMITTEES.values(), ids=COMMITTEES.keys())


def through_file(model: Any, folder: Path) -> Any:
    model.save(folder / "model.json.gz")
    return wl.load(folder / "model.json.gz")


def assert_same(again: Any, model: Any) -> None:
    assert type(again) is type(model)
    assert [m.tree_ for m in again.members_] == [m.tree_ for m in model.members_]
    for name in (
        "votes_",
        "errors_",
        "_bounds",
        "_priority",
        "training_bound_",
        "stopped_",
        "_samples",
    ):
        assert hasattr(again, name) == hasattr(model, name)
        if hasattr(model, name):
            assert np.array_equal(getattr(again, name), getattr(model, name)), name
    assert np.array_equal(again.predict(X), model.predict(X))
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X))
    assert np.array_equal(again.margins(X, y), model.margins(X, y))
    assert np.array_equal(list(again.staged_predict(X)), list(model.staged_predict(X)))
    assert np.array_equal(again[0].predict(X), model[0].predict(X))


@for_all
def test_a_committee_comes_back(make: Any, tmp_path: Path) -> None:
    model = make().fit(X, y)
    assert len(model) > 1
    for copied in (
        through_file(model, tmp_path),
        pickle.loads(pickle.dumps(model)),
        copy.copy(model),
        copy.deepcopy(model),
    ):
        assert_same(copied, model)
        assert copied.get_params(deep=False).keys() == model.get_params(deep=False).keys()
    again = through_file(model, tmp_path)
    assert (again.estimator is None) == (model.estimator is None)
    if model.estimator is not None:
        assert again.estimator.get_params() == model.estimator.get_params()
    part = model[[1, 0]].with_votes([2.0, 1.0])
    assert_same(through_file(part, tmp_path), part)


def test_going_on_after_loading_draws_the_same_samples(tmp_path: Path) -> None:
    for seed in (3, None):
        model = wl.AdaBoostM1Classifier(
            STUMP, 2, method="resample", random_state=seed, warm_start=True
        ).fit(X, y)
        again = through_file(model, tmp_path)
        for classifier in (model, again):
            classifier.set_params(n_rounds=5).fit(X, y)
        assert len(model) > 2 or model.stopped_ == "error"
        assert_same(again, model)


def refused(folder: Path, changes: dict[str, Any], kind: str = "adaboost") -> str:
    model = COMMITTEES[kind]().fit(X, y)
    path = folder / "model.json"
    model.save(path)
    document = json.loads(path.read_text())
    for key, value in changes.items():
        assert key in document
        document[key] = value(document[key])
    path.write_text(json.dumps(document))
    with pytest.raises(LoadError) as caught:
        wl.load(path)
    assert str(path) in str(caught.value)
    return str(caught.value)


def without_last(values: list[Any]) -> list[Any]:
    return values[:-1]


DAMAGES: dict[str, tuple[str, Any, str]] = {
    "too few members": (
        "members",
        lambda m: {**m, "n_nodes": m["n_nodes"][:-1]},
        'its "kind" has',
    ),
    "too few votes": ("votes", without_last, "it has 5 members and 4 votes"),
    "no member": ("members", lambda _: [], "it has 0 members"),
    "a word for a member": ("members", lambda _: ["x"], "a member is not a graph"),
    "negative votes": ("votes", lambda v: [-1.0, *v[1:]], '"votes" are negative or all zero'),
    "no votes": ("votes", lambda v: [0] * len(v), '"votes" are negative or all zero'),
    "words": ("votes", lambda v: ["x", *v[1:]], 'its "votes" is not a list of numbers'),
    "flags": ("votes", lambda v: [True, *v[1:]], 'its "votes" is not a list of numbers'),
    "class twice": ("priority", lambda _: [0, 0], '"priority" does not list every class once'),
    "class missing": ("priority", lambda _: [0], '"priority" does not list every class once'),
    "half a class": ("priority", lambda _: [0, 1.5], '"priority" does not list every class once'),
    "too few errors": ("errors", without_last, 'its "errors" are not one per member'),
    "too few bounds": ("bounds", without_last, 'its "bounds" are not one per member'),
    "too few starts": ("starts", without_last, 'its "starts" are not one index per member'),
    "negative start": ("starts", lambda s: [-1, *s[1:]], 'its "starts" are not one index per'),
    "seed": ("seed", lambda _: -1, 'its "seed" is -1; expected 0 to'),
    "seed as word": ("seed", lambda _: "x", "its \"seed\" is 'x'; expected int"),
    "reason": ("stopped", lambda _: "tired", "its \"stopped\" is 'tired'"),
    "interrupted": ("interrupted", lambda _: 1, 'its "interrupted" is 1; expected bool'),
    "kind": (
        "estimator",
        lambda e: {**e, "kind": "Oak"},
        "its estimator is 'Oak'; known are C45Classifier",
    ),
    "parameter": (
        "estimator",
        lambda e: {**e, "parameters": {"leaves": 3}},
        "C45Classifier has no parameter 'leaves'",
    ),
    "value": ("parameters", lambda p: {**p, "n_rounds": 0}, "n_rounds must be a whole number"),
}


@pytest.mark.parametrize(("key", "change", "reason"), DAMAGES.values(), ids=DAMAGES.keys())
def test_damaged_files_are_refused(tmp_path: Path, key: str, change: Any, reason: str) -> None:
    assert reason in refused(tmp_path, {key: change})


@for_all
def test_no_entry_can_be_missing(make: Any, tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    make().fit(X, y).save(path)
    document = json.loads(path.read_text())
    in_all_files = document.keys() - {"random_trees", "min_objects"}  # of the first version too
    for key in in_all_files - {"format", "version", "kind"}:
        path.write_text(json.dumps({k: v for k, v in document.items() if k != key}))
        with pytest.raises(LoadError, match=f'its "{key}" is missing'):
            wl.load(path)
