"""Ensembles of scikit-learn as committees, and PrunedClassifier."""

from __future__ import annotations

import pickle
import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.ensemble import (
    AdaBoostClassifier,
    BaggingClassifier,
    ExtraTreesClassifier,
    GradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import GridSearchCV
from sklearn.svm import LinearSVC
from sklearn.tree import DecisionTreeClassifier

import weaklearn as wl
from weaklearn.estimators import EnsembleCommittee

chance = np.random.default_rng(2)
X = chance.normal(size=(240, 5))
y = np.array(["one", "three", "two"])[
    np.digitize(X[:, 0] + X[:, 1] ** 2 + chance.normal(scale=0.4, size=240), [0.2, 1.4])
]
STUMP = DecisionTreeClassifier(max_depth=2, random_state=0)
ENSEMBLES = {
    "adaboost": AdaBoostClassifier(STUMP, n_estimators=15, random_state=0),
    "bagging": BaggingClassifier(n_estimators=15, random_state=0),
    "bagging-columns": BaggingClassifier(
        n_estimators=15, max_features=3, max_samples=0.1, random_state=0
    ),
    "bagging-votes": BaggingClassifier(LinearSVC(random_state=0), 5, random_state=0),
    "forest": RandomForestClassifier(15, random_state=0),
    "extra": ExtraTreesClassifier(15, max_depth=3, random_state=0),
}
for_each = pytest.mark.parametrize("ensemble", ENSEMBLES.values(), ids=ENSEMBLES.keys())


def fails(message: str, kind: type[Exception] = ValueError) -> Any:
    return pytest.raises(kind, match=re.escape(message))


@for_each
def test_a_wrapped_ensemble_predicts_as_the_ensemble(ensemble: Any) -> None:
    model = clone(ensemble).fit(X, y)
    committee = wl.as_committee(model)
    assert np.array_equal(committee.predict(X), model.predict(X))
    assert len(committee) == len(model.estimators_)
    if not isinstance(model, AdaBoostClassifier):  # its probabilities are not shares of votes
        assert np.allclose(committee.predict_proba(X), model.predict_proba(X))
    stages = list(committee.staged_predict(X))
    assert np.array_equal(stages[-1], model.predict(X))
    assert np.array_equal(stages[2], committee[:3].predict(X))
    if isinstance(model, AdaBoostClassifier):
        assert np.array_equal(stages[2], list(model.staged_predict(X))[2])
    assert np.array_equal(EnsembleCommittee(ensemble).fit(X, y).predict(X), stages[-1])


@for_each
@pytest.mark.parametrize("method", ["kappa", "kappa_shift", "margin_lp", "first_rounds"])
def test_a_wrapped_ensemble_can_be_pruned(ensemble: Any, method: str) -> None:
    committee = wl.as_committee(clone(ensemble).fit(X, y))
    curve = wl.pruning.curve(committee, X, y, sizes=[3, len(committee)], methods=[method])
    assert curve.errors[method][-1] == np.mean(committee.predict(X) != y)
    small = wl.pruning.kappa(committee, X, y, size=3)
    assert np.array_equal(small.predict(X), committee[small.pruning_.kept.tolist()].predict(X))
    assert len(wl.pruning.kappa(small, X, y, size=2)) == 2
    assert np.array_equal(pickle.loads(pickle.dumps(small)).predict(X), small.predict(X))


def test_a_separator_is_a_committee_of_its_hypotheses() -> None:
    labels = y == "two"
    holes = np.where(chance.random(X.shape) < 0.2, np.nan, X)  # where stumps abstain
    for weak_learner in (None, wl.BoostODTClassifier(n_stumps=2, max_depth=1)):
        model = wl.G2Classifier(weak_learner, wl.SeparatorGraph(12)).fit(holes, labels)
        committee = wl.as_committee(model)
        assert np.array_equal(committee.predict(holes), model.predict(holes))
        tally = committee.member_predictions(holes).count_votes(committee.votes_)
        assert np.allclose(tally[:, 1] - tally[:, 0], model.decision_function(holes))
        assert committee.member_predictions(X).outputs.max() <= 1 + 1e-12
        assert np.allclose(committee.votes_, np.arctanh(np.abs(model.mu_)))
        for prune in (wl.pruning.kappa, wl.pruning.margin_lp, wl.pruning.first_rounds):
            small = prune(committee, holes, labels, size=4)
            assert len(small) == 4
            assert len(wl.pruning.kappa(small, holes, labels, size=2)) == 2
        whole = wl.pruning.kappa(committee, holes, labels, size=len(committee))
        assert np.array_equal(whole.predict(X), model.predict(X))
    pruned = wl.PrunedClassifier(wl.G2Classifier(graph=wl.SeparatorGraph(12)), "kappa", size=3)
    assert len(pruned.fit(holes, labels).committee_) == 3


def test_bagged_columns_stay_with_their_members() -> None:
    committee = wl.as_committee(clone(ENSEMBLES["bagging-columns"]).fit(X, y))
    alone = committee[[4]]
    columns = committee._voters.ensemble.estimators_features_[4]
    expected = committee.classes_[committee.members_[4].predict(X[:, columns])]
    assert np.array_equal(alone.predict(X), expected)


def test_frames_are_matched_by_the_ensemble() -> None:
    frame = pd.DataFrame(X, columns=list("abcde"))
    committee = wl.as_committee(RandomForestClassifier(5, random_state=0).fit(frame, y))
    small = wl.pruning.kappa(committee, frame, y, size=2)
    assert small.predict(frame).shape == y.shape
    with fails("Feature names seen at fit time, yet now missing"):
        wl.pruning.kappa(committee, frame.drop(columns="a"), y, size=2)
    with fails("y holds 'four', which is not a class of the training table"):
        wl.pruning.kappa(committee, frame, np.where(y == "one", "four", y), size=2)


def test_models_that_cannot_be_wrapped(tmp_path: Path) -> None:
    with fails("got GradientBoostingClassifier, expected a fitted AdaBoostClassifier", TypeError):
        wl.as_committee(GradientBoostingClassifier().fit(X, y))
    with pytest.raises(NotFittedError):
        wl.as_committee(RandomForestClassifier())
    with fails("as_committee(model.as_g2().fit(X, y))", TypeError):
        wl.as_committee(wl.RealAdaBoostClassifier(3).fit(X, y))
    grown = wl.G2Classifier(graph=wl.TreeGraph(wl.StumpClassifier())).fit(X, y == "two")
    with fails("has grown a TreeGraph: only on a SeparatorGraph", TypeError):
        wl.as_committee(grown)
    with fails("has 2 outputs, and a committee votes on one class"):
        wl.as_committee(RandomForestClassifier(3).fit(X, np.column_stack([y, y])))
    with fails("cannot be saved as JSON; use joblib.dump", TypeError):
        wl.as_committee(RandomForestClassifier(3).fit(X, y)).save(tmp_path / "forest.json")
    with fails("expected one of AdaBoostClassifier", TypeError):
        EnsembleCommittee(STUMP).fit(X, y)


# -- PrunedClassifier -----------------------------------------------------------------------------

BOOSTED = wl.AdaBoostM1Classifier(wl.C45Classifier(max_depth=3), n_rounds=8)


@pytest.mark.parametrize("method", wl.pruning.METHODS)
def test_pruned_classifier_fits_and_prunes(method: str) -> None:
    model = wl.PrunedClassifier(BOOSTED, method, size=4, random_state=0).fit(X, y)
    assert model.size_ == len(model.committee_) == 4
    assert np.array_equal(model.predict(X), model.committee_.predict(X))
    assert np.array_equal(model.predict_proba(X), model.committee_.predict_proba(X))
    assert wl.PrunedClassifier(BOOSTED, method, rate=0.4, random_state=0).fit(X, y).size_ == 3
    full = clone(BOOSTED).fit(X, y)
    if method == "kappa_shift":
        expected = wl.pruning.kappa(full, X, y, size=4, shift_votes=True)
        assert np.array_equal(model.predict_proba(X), expected.predict_proba(X))


@pytest.mark.parametrize("estimator", [BOOSTED, ENSEMBLES["forest"]], ids=["ours", "forest"])
def test_auto_takes_the_smallest_within_one_standard_error(estimator: Any) -> None:
    model = wl.PrunedClassifier(estimator, "first_rounds", random_state=3).fit(X, y)
    errors = model.validation_errors_
    assert model.sizes_[0] == 1
    assert len(errors) == len(model.sizes_)
    place = model.sizes_.tolist().index(model.size_)
    assert errors[place] <= errors.min() + 0.1
    assert place <= errors.argmin()
    assert (errors[:place] > errors[place:].min()).all()
    again = wl.PrunedClassifier(estimator, "first_rounds", random_state=3).fit(X, y)
    assert np.array_equal(again.validation_errors_, errors)
    assert model.set_params(size=2).fit(X, y).size_ == 2
    assert not hasattr(model, "validation_errors_")


def test_auto_handles_a_class_of_one_row() -> None:
    labels = np.append(y[:-1], "rare")
    model = wl.PrunedClassifier(BOOSTED, random_state=0).fit(X, labels)
    assert 1 <= model.size_ <= 8
    assert "rare" in model.classes_


def test_in_a_search() -> None:
    search = GridSearchCV(wl.PrunedClassifier(BOOSTED), {"size": [1, 6]}, cv=3).fit(X, y)
    assert search.best_params_ == {"size": 6}


def test_bad_parameters() -> None:
    cases: list[tuple[dict[str, Any], str]] = [
        ({"method": "magic"}, "method must be one of 'kappa'"),
        ({"size": 0}, "size must be a whole number >= 1 or 'auto'"),
        ({"rate": 1.5}, "rate must be a number > 0 and <= 1 or None"),
        ({"size": 3, "rate": 0.5}, "set one of size and rate, not both"),
        ({"n_folds": 1}, "n_folds must be a whole number >= 2"),
    ]
    for parameters, message in cases:
        with fails(message):
            wl.PrunedClassifier(BOOSTED, **parameters).fit(X, y)
    with fails("is not a committee; expected one of this package", TypeError):
        wl.PrunedClassifier(wl.C45Classifier()).fit(X, y)
    with fails("no class has two of the 3 samples"):
        wl.PrunedClassifier(BOOSTED).fit(X[:3], ["a", "b", "c"])
