"""Committees with scikit-learn: searches, pipelines, and its classifiers as members."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.ensemble import VotingClassifier
from sklearn.model_selection import GridSearchCV
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.tree import DecisionTreeClassifier

import weaklearn as wl

from .test_sklearn_conventions import mixed_table

KINDS: list[Any] = [wl.AdaBoostM1Classifier, wl.BaggedClassifier]
for_both = pytest.mark.parametrize("kind", KINDS)


@for_both
def test_a_search_over_the_members_parameters(kind: Any) -> None:
    X, y = mixed_table()
    model = make_pipeline(FunctionTransformer(), kind(wl.C45Classifier(), random_state=0))
    name = kind.__name__.lower()
    grid = {f"{name}__estimator__min_objects": [2, 150]}
    search = GridSearchCV(model, grid, cv=3).fit(X, y)
    assert search.best_params_ == {f"{name}__estimator__min_objects": 2}
    scores = search.cv_results_["mean_test_score"]
    assert scores[0] > 0.75 > scores[1]
    best = search.best_estimator_[-1]
    assert {member.min_objects for member in best.members_} == {2}


@for_both
def test_clone_copies_parameters_only(kind: Any) -> None:
    X, y = mixed_table()
    model = kind(wl.C45Classifier(max_depth=2), 3, random_state=0).fit(X, y)
    fresh = clone(model)
    assert not hasattr(fresh, "members_")
    assert fresh.estimator is not model.estimator
    assert fresh.get_params(deep=False).keys() == model.get_params(deep=False).keys()
    assert np.array_equal(fresh.fit(X, y).predict_proba(X), model.predict_proba(X))
    assert not hasattr(model.estimator, "tree_")  # the template is never fitted


def test_in_a_voting_classifier() -> None:
    X, y = mixed_table()
    members = [(kind.__name__, kind(random_state=0)) for kind in KINDS]
    vote = VotingClassifier(members, voting="soft").fit(X, y)
    assert np.mean(vote.predict(X) == y) > 0.75


def numbers() -> tuple[Any, Any]:
    chance = np.random.default_rng(5)
    X = chance.normal(size=(150, 3))
    return X, np.digitize(X.sum(axis=1) + chance.normal(scale=0.3, size=150), [-0.8, 0.8]) - 1


MEMBERS = {
    "tree": DecisionTreeClassifier(max_depth=2),
    "bayes": GaussianNB(),
    "neighbours": KNeighborsClassifier(),
}
COMMITTEES: dict[str, Any] = {
    "reweight": lambda member: wl.AdaBoostM1Classifier(member, 6, random_state=0),
    "resample": lambda m: wl.AdaBoostM1Classifier(m, 6, method="resample", random_state=0),
    "bagged": lambda member: wl.BaggedClassifier(member, 6, random_state=0),
}


@pytest.mark.parametrize("way", COMMITTEES)
@pytest.mark.parametrize("name", MEMBERS)
def test_classifiers_of_scikit_learn_as_members(name: str, way: str) -> None:
    X, y = numbers()
    model, again = (COMMITTEES[way](MEMBERS[name]) for _ in range(2))
    if (name, way) == ("neighbours", "reweight"):
        with pytest.raises(ValueError, match=r"takes no sample_weight.*use method='resample'"):
            model.fit(X, y)
        return
    model.fit(X, y)
    assert model.classes_.tolist() == [-1, 0, 1]
    assert {type(member) for member in model.members_} == {type(MEMBERS[name])}
    assert model.score(X, y) > np.mean(y == 0) + 0.15
    assert np.array_equal(again.fit(X, y).predict_proba(X), model.predict_proba(X))
    if name == "tree":  # each member has a seed of its own
        assert len({member.random_state for member in model.members_}) == len(model)


def test_boosted_trees_of_scikit_learn_see_the_weights() -> None:
    X, y = numbers()
    stump = DecisionTreeClassifier(max_depth=1, random_state=0)
    model = wl.AdaBoostM1Classifier(stump, 2).fit(X, y)
    first = DecisionTreeClassifier(max_depth=1, random_state=0).fit(X, y)
    right = first.predict(X) == y
    error = 1 - right.mean()
    assert model.errors_[0] == pytest.approx(error)
    weights = np.where(right, error / (1 - error), 1.0)
    second = DecisionTreeClassifier(max_depth=1, random_state=0).fit(X, y, weights)
    reweighted = weights[second.predict(X) != y].sum() / weights.sum()
    if reweighted < 0.5:
        assert model.errors_[1] == pytest.approx(reweighted)
        assert np.array_equal(model[1].predict(X), second.predict(X))
    else:
        assert model.stopped_ == "error"


@pytest.mark.parametrize(
    "committee",
    [
        wl.BaggedClassifier(DecisionTreeClassifier(), n_members=3, random_state=0),
        wl.AdaBoostM1Classifier(DecisionTreeClassifier(max_depth=1), n_rounds=3, random_state=0),
        wl.G2Classifier(DecisionTreeClassifier(max_depth=1)),
    ],
)
def test_an_object_that_is_only_an_array_can_be_learned_from(committee):
    class OnlyArray:
        def __init__(self, array):
            self.array = array

        def __array__(self, dtype=None, copy=None):
            return np.asarray(self.array, dtype=dtype)

    X = np.random.default_rng(0).normal(size=(40, 2))
    y = X[:, 0] + X[:, 1] ** 2 > 0.5
    expected = committee.fit(X, y).predict(X)
    for weights in (None, np.arange(40) % 3):
        got = committee.fit(OnlyArray(X), y, sample_weight=weights).predict(OnlyArray(X))
        assert got.shape == expected.shape
    np.testing.assert_array_equal(committee.fit(OnlyArray(X), y).predict(OnlyArray(X)), expected)


@for_both
def test_members_of_scikit_learn_take_labels_of_different_types(kind: Any) -> None:
    X = np.arange(40.0).reshape(-1, 1)
    y = np.array(["low"] * 13 + [7] * 13 + [True] * 14, dtype=object)
    model = kind(DecisionTreeClassifier(max_depth=2), 3, random_state=0).fit(X, y)
    assert (model.predict(X) == y).mean() > 0.9
    assert model.predict_proba(X).shape == (40, 3)


class PredictsThis(ClassifierMixin, BaseEstimator):
    """Predicts what it is told to, with a plain `predict` and no probabilities."""

    def __init__(self, what: Any = None) -> None:
        self.what = what

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> PredictsThis:
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: Any) -> Any:
        return self.what


WRONG: dict[str, tuple[Any, str]] = {
    "class": (np.full(60, "maybe"), "y holds 'maybe', which is not a class of the training table"),
    "length": (np.array(["a"]), "inconsistent numbers of samples"),
    "nothing": (None, ""),
    "missing": (np.array([None] * 60), ""),
}
STRANGE: dict[str, Any] = {
    "adaboost": wl.AdaBoostM1Classifier(PredictsThis()),
    "bagged": wl.BaggedClassifier(PredictsThis(), random_state=0),
    "bagged-shares": wl.BaggedClassifier(PredictsThis(), vote="shares", random_state=0),
}


@pytest.mark.parametrize("model", STRANGE.values(), ids=STRANGE)
@pytest.mark.parametrize(("what", "message"), WRONG.values(), ids=WRONG)
def test_a_member_that_predicts_something_else_than_classes_is_named(
    model: Any, what: Any, message: str
) -> None:
    """The message must not blame the y that the user passed."""
    X = np.repeat(np.arange(20.0), 3)[:, None]
    y = np.array(["a", "b"] * 30)
    expected = rf"PredictsThis\.predict of member 0 returned something else than .*{message}"
    with pytest.raises(ValueError, match=expected):
        clone(model).set_params(estimator__what=what).fit(X, y).predict(X)
