"""Classes that users derive from classifiers, also in a notebook cell that is run twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_iris
from sklearn.model_selection import cross_val_score

import weaklearn as wl

IRIS = load_iris(return_X_y=True)


def run_cell() -> tuple[Any, Any]:
    """Define the classes anew, as running a notebook cell does."""

    class MyTree(wl.C45Classifier):
        pass

    class MyBoosting(wl.AdaBoostM1Classifier):
        pass

    return MyTree, MyBoosting


def test_a_class_defined_twice_works_in_processes() -> None:
    run_cell()
    tree, boosting = run_cell()
    for model in (tree(), boosting(tree(max_depth=1), n_rounds=3)):
        scores = cross_val_score(model, *IRIS, n_jobs=2, cv=3)
        assert np.array_equal(scores, cross_val_score(model, *IRIS, cv=3))


def test_models_of_such_classes_can_be_saved(tmp_path: Path) -> None:
    run_cell()
    tree, boosting = run_cell()
    members = tree(max_depth=1)
    for model in (
        tree(),
        wl.BaggedClassifier(members, 3, random_state=0),
        boosting(members, n_rounds=3),
        boosting(n_rounds=3),
    ):
        model.fit(*IRIS).save(tmp_path / "model.json")
        loaded = wl.load(tmp_path / "model.json")
        assert type(loaded) is type(model)
        assert np.array_equal(loaded.predict_proba(IRIS[0]), model.predict_proba(IRIS[0]))
        if hasattr(model, "members_"):
            assert type(loaded.members_[0]) is type(model.members_[0])
            assert loaded.estimator_.get_params() == model.estimator_.get_params()


def test_a_member_of_an_unknown_class_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    wl.BaggedClassifier(n_members=2).fit(*IRIS).save(path)
    path.write_text(path.read_text().replace('"kind":"C45Classifier"', '"kind":"Nobody"'))
    with pytest.raises(ValueError, match="its estimator is 'Nobody'; known are C45Classifier"):
        wl.load(path)
