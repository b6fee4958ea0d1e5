"""The names that users of scikit-learn type, and parameters of parts that are None by default."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.ensemble import AdaBoostClassifier, BaggingClassifier
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import accuracy_score
from sklearn.model_selection import GridSearchCV
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier

import weaklearn as wl
from contracts.classifiers import ALL, COMMITTEES, REWEIGHTED
from weaklearn.models.votes import decision_values, winners

TITANIC = wl.datasets.load("titanic")
IRIS = load_iris(return_X_y=True)
CLASSIFIERS = [getattr(wl, name) for name in wl.__all__ if name.endswith("Classifier")]


# -- parameters of parts --------------------------------------------------------------------------
NESTED: dict[str, tuple[Any, dict[str, list[Any]]]] = {
    "adaboost": (wl.AdaBoostM1Classifier(n_rounds=2), {"estimator__min_objects": [1, 400]}),
    "bagged": (wl.BaggedClassifier(n_members=2), {"estimator__max_depth": [0, 1]}),
    "pruned": (
        wl.PrunedClassifier(size=1),
        {"estimator__n_rounds": [2], "estimator__estimator__min_objects": [1, 400]},
    ),
    "g2": (wl.G2Classifier(), {"graph__n_rounds": [1, 2], "weak_learner__n_rounds": [1]}),
}


@pytest.mark.parametrize(("model", "grid"), NESTED.values(), ids=NESTED.keys())
def test_a_grid_over_the_parameters_of_a_default_part(
    model: Any, grid: dict[str, list[Any]]
) -> None:
    search = GridSearchCV(model, grid, cv=2).fit(TITANIC.X, TITANIC.y)
    for name, values in grid.items():
        assert search.best_estimator_.get_params()[name] in values
        assert model.get_params()[name] == clone(model).get_params()[name]
    part = next(iter(grid)).partition("__")[0]
    assert getattr(model, part) is None  # the template is unchanged


def test_parameters_of_a_default_part_act_on_the_fit() -> None:
    model = wl.AdaBoostM1Classifier(n_rounds=2).set_params(estimator__max_depth=1)
    assert model.estimator.max_depth == 1
    assert max(member.get_depth() for member in model.fit(*IRIS).members_) == 1
    model.set_params(estimator=None, estimator__max_depth=2)
    assert model.estimator.get_params() == wl.C45Classifier(max_depth=2).get_params()
    assert wl.AdaBoostM1Classifier().get_params(deep=False)["estimator"] is None
    with pytest.raises(ValueError, match="Invalid parameter 'min_samples_leaf'"):
        model.set_params(estimator__min_samples_leaf=3)


# -- names of every classifier --------------------------------------------------------------------
@pytest.mark.parametrize("kind", CLASSIFIERS, ids=lambda kind: kind.__name__)
def test_every_classifier_has_the_common_names(kind: Any) -> None:
    X = np.random.default_rng(0).integers(0, 9, (120, 3)).astype(np.float64)
    y = np.where(X[:, 1] > 3, "high", "low")
    model = kind(n_jobs=2)
    if "random_state" in model.get_params():
        model.set_params(random_state=0)
    proba = model.fit(X, y).predict_proba(X)
    with np.errstate(divide="ignore"):
        logarithms = np.log(proba)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.array_equal(model.predict_log_proba(X), logarithms)
    assert model.n_classes_ == 2
    assert model.n_outputs_ == 1
    importances = model.feature_importances_
    assert importances.shape == (3,)
    assert importances.sum() == pytest.approx(1)
    assert (importances >= 0).all()
    assert importances.argmax() == 1  # the only column that the class depends on
    serial = clone(model).set_params(n_jobs=None).fit(X, y)
    assert np.array_equal(serial.predict_proba(X), proba)
    for name in ("n_classes_", "n_outputs_", "feature_importances_"):
        assert not hasattr(kind(), name)


@pytest.mark.parametrize("name", [name for name in ALL if name not in ("real-adaboost",)])
def test_depth_and_leaves(name: str) -> None:
    y = TITANIC.y
    model = ALL[name]().fit(TITANIC.X, y)
    leaves = np.unique(model.apply(TITANIC.X))
    assert len(leaves) <= model.get_n_leaves() == model.graph_.n_leaves
    depths = [0] * model.graph_.n_nodes
    for node in range(model.graph_.n_nodes):
        for child in model.graph_.children(node):
            depths[child] = max(depths[child], depths[node] + 1)
    assert model.get_depth() == max(depths)


# -- names of committees --------------------------------------------------------------------------
OTHERS: dict[str, Any] = {
    "sklearn members": wl.BaggedClassifier(
        LogisticRegression(max_iter=1000), n_members=3, random_state=0
    ),
    "members without weights": wl.AdaBoostM1Classifier(
        KNeighborsClassifier(1), n_rounds=3, method="resample", random_state=0
    ),
    "table members": wl.BaggedClassifier(wl.RealAdaBoostClassifier(2), n_members=3, random_state=0),
}
MADE = {**{name: make() for name, make in COMMITTEES.items()}, **OTHERS}


@pytest.mark.parametrize("name", MADE)
@pytest.mark.parametrize("n_classes", [2, 3])
def test_decision_function_of_a_committee(name: str, n_classes: int) -> None:
    X, y = IRIS[0][::2] // 1, IRIS[1][::2]  # whole numbers: many rows are alike, and votes tie
    X, y = X[y < n_classes], y[y < n_classes]
    model = clone(MADE[name]).fit(X, y)
    values, predicted = model.decision_function(X), model.predict(X)
    proba = model.predict_proba(X)
    if n_classes == 2:
        np.testing.assert_allclose(values, proba[:, 1] - proba[:, 0], atol=1e-12)
        assert np.array_equal(values > 0, predicted == 1)
    else:
        np.testing.assert_allclose(values, proba - (1 - proba) / 2, atol=1e-12)
        assert np.array_equal(values.argmax(axis=1), predicted)
    # The predicted class has the largest probability, in ties too.
    assert np.array_equal(proba.argmax(axis=1), predicted)


@given(
    scores=st.lists(st.lists(st.integers(0, 3), min_size=3, max_size=3), min_size=1, max_size=5),
    priority=st.permutations(range(3)),
)
def test_the_winner_has_the_largest_decision_value(
    scores: list[list[int]], priority: list[int]
) -> None:
    votes = np.array(scores, dtype=np.float64) / 7
    winning = winners(votes, np.array(priority, dtype=np.uint32))
    values = decision_values(votes, winning)
    assert np.array_equal(values.argmax(axis=1), winning)
    assert (np.sort(values, axis=1)[:, -1] > np.sort(values, axis=1)[:, -2]).all()
    np.testing.assert_allclose(values.sum(axis=1), 0, atol=1e-12)


@pytest.mark.parametrize("name", [*COMMITTEES, *OTHERS])
def test_names_of_scikit_learn_on_committees(name: str) -> None:
    model = clone(MADE[name]).fit(*IRIS)
    assert model.estimators_ is model.members_
    assert np.array_equal(model.estimator_weights_, model.votes_)
    assert (
        model.estimator_.get_params()
        == type(model.members_[0])()
        .set_params(**model._member_estimator().get_params())
        .get_params()
    )
    weights = np.random.default_rng(0).random(len(IRIS[1]))
    for index, score in enumerate(model.staged_score(*IRIS, sample_weight=weights)):
        expected = accuracy_score(
            IRIS[1], model[: index + 1].predict(IRIS[0]), sample_weight=weights
        )
        assert score == expected
    assert index == len(model) - 1
    if name in REWEIGHTED:
        assert np.array_equal(model.estimator_errors_, model.errors_)
    unfitted = clone(model)
    for attribute in ("estimators_", "estimator_", "estimator_weights_", "estimator_errors_"):
        assert not hasattr(unfitted, attribute)


def test_out_of_bag_names() -> None:
    model = wl.BaggedClassifier(n_members=40, random_state=0).fit(*IRIS)
    assert np.array_equal(model.oob_decision_function_, model.oob_proba_)
    predicted = model.oob_decision_function_.argmax(axis=1)
    assert model.oob_score_ == pytest.approx((predicted == IRIS[1]).mean(), abs=0.02)
    assert model.oob_score_ == 1 - model.oob_error_
    assert not hasattr(wl.BaggedClassifier(), "oob_score_")


# -- parts of importances -------------------------------------------------------------------------
def test_importances_of_members_that_read_some_columns() -> None:
    bagged = BaggingClassifier(
        DecisionTreeClassifier(max_depth=2), max_features=0.5, random_state=0
    ).fit(*IRIS)
    expected = np.zeros(4)
    for member, columns in zip(bagged.estimators_, bagged.estimators_features_, strict=True):
        expected[columns] += member.feature_importances_ / len(bagged.estimators_)
    np.testing.assert_allclose(wl.as_committee(bagged).feature_importances_, expected)
    boosted = AdaBoostClassifier(random_state=0).fit(*IRIS)
    np.testing.assert_allclose(
        wl.as_committee(boosted).feature_importances_, boosted.feature_importances_
    )


def test_importances_of_g2_over_a_tree_of_constants_are_those_of_its_splits() -> None:
    graph = wl.TreeGraph(wl.StumpClassifier(), max_depth=1)
    model = wl.G2Classifier(wl.ConstantLearner(), graph).fit(TITANIC.X, TITANIC.y)
    stump = wl.StumpClassifier().fit(TITANIC.X, TITANIC.y)
    assert model.feature_importances_.tolist() == stump.feature_importances_.tolist()
    nothing = wl.G2Classifier(wl.ConstantLearner()).fit(TITANIC.X, TITANIC.y)
    assert not hasattr(nothing, "feature_importances_")


# -- pruning --------------------------------------------------------------------------------------
def test_a_size_beyond_the_committee_keeps_all_members_and_warns() -> None:
    X, y = [[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1]  # the first member makes no error
    model = wl.PrunedClassifier(wl.AdaBoostM1Classifier(n_rounds=20), size=10)
    with pytest.warns(UserWarning, match=r"has only 1 members.*Set a smaller size"):
        model.fit(X, y)
    assert model.size_ == len(model.estimators_) == 1
    assert model.predict(X).tolist() == y


def test_names_of_a_pruned_committee() -> None:
    model = wl.PrunedClassifier(wl.BaggedClassifier(n_members=8, random_state=0), size=3).fit(*IRIS)
    committee = model.committee_
    assert model.estimators_ == committee.members_
    assert np.array_equal(model.estimator_weights_, committee.votes_)
    assert np.array_equal(model.decision_function(IRIS[0]), committee.decision_function(IRIS[0]))
    assert np.array_equal(wl.theory.margins(model, *IRIS), committee.margins(*IRIS))
    assert model.estimator_.n_members == 8


# -- parts of committees, and programs ------------------------------------------------------------
@pytest.mark.parametrize("name", COMMITTEES)
def test_a_part_shows_how_many_members_it_has(name: str) -> None:
    model = COMMITTEES[name]().fit(*IRIS)
    counter = "n_rounds" if "adaboost" in name else "n_members"
    before = model.get_params()
    part = model[:2]
    assert part.get_params()[counter] == len(part) == 2
    assert f"{counter}=2" in repr(part)
    assert model.get_params() == before
    assert model.with_votes(np.ones(len(model))).get_params()[counter] == before[counter]


def test_a_program_merges_by_the_number_of_classes() -> None:
    three, two = IRIS, load_breast_cancer(return_X_y=True)

    def program(table: Any, **parameters: Any) -> Any:
        return wl.BranchingProgramClassifier(**parameters).fit(*table).program_.to_dict()

    assert program(three) == program(three, merge="budget")
    assert program(two) == program(two, merge="grid") != program(two, merge="budget")
