"""BoostedForestClassifier: unusual input, and members that are bad or perfect on their sample."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier

import weaklearn as wl
from estimators.test_boosted_forest import IRIS, forest, quiet
from weaklearn.boosting.adaboost_m1_loop import LearnedMember
from weaklearn.boosting.boosted_forest_loop import (
    EarlierMembers,
    ForestTask,
    RunRules,
    grow_forest,
)
from weaklearn.boosting.forest_rows import LocalForestVotes, LocalRunRows, start_run


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        ({"run_length": 0}, r"run_length=0\): run_length must be a whole number >= 1"),
        ({"run_length": 2.5}, r"run_length must be a whole number >= 1"),
        ({"n_members": 0}, r"n_members=0\): n_members must be a whole number >= 1"),
        ({"max_features": 0}, "max_features must be"),
        ({"max_features": "most"}, "max_features must be"),
        ({"max_features": 1.5}, "max_features must be"),
        ({"estimator": wl.C45Classifier(costs={("a", "b"): 2})}, "set them on the committee"),
        ({"estimator": KNeighborsClassifier()}, "takes no sample_weight"),
        (
            {"estimator": GaussianNB(), "random_trees": 1},
            "needs an estimator whose models are trees",
        ),
        ({"random_trees": -1}, "random_trees must be"),
        ({"estimator": LogisticRegression}, "the class LogisticRegression"),
    ],
)
def test_wrong_parameters(parameters: dict[str, Any], message: str) -> None:
    with pytest.raises((ValueError, TypeError), match=message):
        forest(**parameters).fit(*IRIS)


def test_more_features_than_there_are() -> None:
    with pytest.raises(ValueError, match="max_features=9 is more than the 4 columns"):
        forest(max_features=9).fit(*IRIS)


@quiet
def test_one_class() -> None:
    model = forest().fit([[1.0], [2.0], [3.0]], ["a"] * 3)
    assert model.predict([[1.0]]).tolist() == ["a"]
    assert model.predict_proba([[1.0]]).tolist() == [[1.0]]
    assert (model.votes_ == math.log(1000)).all()  # no member makes an error


@quiet
def test_one_row() -> None:
    model = forest().fit([[1.0]], ["a"])
    assert model.predict([[5.0]]).tolist() == ["a"]
    with pytest.warns(UserWarning, match="1 of 1 rows have no out-of-bag vote"):
        assert np.isnan(model.oob_error_)
    assert np.isnan(model.oob_proba_).all()


@quiet
def test_two_rows_of_two_classes() -> None:
    model = forest(n_members=40).fit([[1.0], [2.0]], ["a", "b"])
    assert set(model.predict([[1.0], [2.0]])) <= {"a", "b"}
    probabilities = model.predict_proba([[1.0], [2.0]])
    assert ((probabilities > 0) & (probabilities < 1)).all()


@quiet
def test_a_column_without_values_and_a_column_of_one_value() -> None:
    X = pd.DataFrame({"x": IRIS[0][:, 2], "none": np.nan, "text": None, "one": "a"})
    model = forest().fit(X, IRIS[1])
    assert model.score(X, IRIS[1]) > 0.9
    assert model.feature_importances_[1:].tolist() == [0.0, 0.0, 0.0]


@quiet
def test_a_key_with_too_many_values_to_group_is_not_used() -> None:
    chance = np.random.default_rng(0)
    X = pd.DataFrame({"key": [f"v{i}" for i in range(1500)], "x": chance.normal(size=1500)})
    y = X["x"] > 0.5
    tree = wl.C45Classifier(subset=True).fit(X, y)
    assert tree.feature_importances_.tolist() == [0.0, 1.0]
    model = forest(n_members=4).fit(X, y)
    assert model.score(X.assign(key="new"), y) > 0.99


@quiet
def test_a_key_of_a_small_table_does_little_harm() -> None:
    """Its groups would separate the rows of a node perfectly, and say nothing about others."""
    chance = np.random.default_rng(0)
    X = pd.DataFrame(chance.integers(0, 3, (300, 3)), columns=["a", "b", "c"]).astype(str)
    y = (X["a"] == X["b"]).to_numpy()
    with_key = X.assign(key=[f"k{i}" for i in range(300)])
    model = forest(n_members=20).fit(with_key[:200], y[:200])
    assert model.feature_importances_[3] < 0.1
    assert model.score(with_key[200:], y[200:]) > 0.95


@quiet
@pytest.mark.parametrize(
    "learner", [wl.AdaBoostM1Classifier, wl.BaggedClassifier, wl.BoostedForestClassifier]
)
def test_a_key_is_not_used_because_few_of_its_rows_are_heavy(learner: Any) -> None:
    """A row that is drawn three times, or boosted to a weight of 3, is one row of its value."""
    chance = np.random.default_rng(0)
    X = pd.DataFrame(chance.normal(size=(300, 3)), columns=["a", "b", "c"])
    y = X["a"] + chance.normal(size=300) > 0
    X["key"] = [f"k{i}" for i in range(300)]
    tree = wl.C45Classifier(subset=True, max_features=2, missing="branch", prune=False)
    options = {"random_trees": 0} if learner is wl.BoostedForestClassifier else {}
    model = learner(tree, 10, random_state=0, **options).fit(X, y)
    assert model.feature_importances_[3] == 0.0
    assert all(model.feature_importances_[:3] > 0.0)


@quiet
def test_a_key_takes_no_place_of_other_features() -> None:
    """Its values count as one, so it does not vary, and random trees do not read it either."""
    chance = np.random.default_rng(0)
    X = pd.DataFrame({"key": [f"k{i}" for i in range(300)], "x": chance.normal(size=300)})
    y = X["x"] > 0
    for seed in range(20):
        for splits in ("best", "random"):
            tree = wl.C45Classifier(
                min_objects=1,
                subset=True,
                max_features=1,
                splits=splits,
                prune=False,
                random_state=seed,
            )
            assert tree.fit(X, y).feature_importances_.tolist() == [0.0, 1.0]
    assert forest().fit(X, y).feature_importances_[0] == 0.0


@quiet
def test_noise_is_noticed_beside_a_key() -> None:
    chance = np.random.default_rng(0)
    X = pd.DataFrame({"x": chance.normal(size=300)})
    y = (X["x"] > 0) ^ (chance.random(300) < 0.2)
    for table in (X, X.assign(key=[f"k{i}" for i in range(300)])):
        assert forest(n_members=4, run_length="auto").fit(table, y).run_length_ == 1


@quiet
def test_a_table_of_keys_only() -> None:
    names = [f"k{i}" for i in range(60)]
    X = pd.DataFrame({"key": names, "other": names[::-1]})
    model = forest(n_members=2).fit(X, ["a", "b", "b"] * 20)
    assert model.predict(X.assign(key="new", other="new")).tolist() == ["b"] * 60


@quiet
def test_a_class_that_is_in_few_samples() -> None:
    """One row of a class is missing from about a third of the samples."""
    X = np.arange(30.0)[:, None]
    y = np.array(["a"] * 14 + ["b"] * 15 + ["rare"])
    for estimator in (None, GaussianNB()):
        model = forest(n_members=30, run_length=3, estimator=estimator).fit(X, y)
        probabilities = model.predict_proba(X)
        assert probabilities.shape == (30, 3)
        np.testing.assert_allclose(probabilities.sum(axis=1), 1.0)
        assert (probabilities[:, 2] > 0).all()


@quiet
def test_rows_of_weight_zero_are_absent() -> None:
    X, y = IRIS
    weights = np.where(np.arange(150) % 3 == 0, 0.0, 1.0)
    weighted = forest().fit(X, y, weights)
    without = forest().fit(X[weights > 0], y[weights > 0])
    assert np.array_equal(weighted.predict_proba(X), without.predict_proba(X))
    assert weighted.oob_error_ == without.oob_error_
    assert len(weighted.oob_proba_) == len(weighted.margins_) == 100


@quiet
def test_members_that_are_bad_on_their_own_sample_are_kept_with_a_small_vote() -> None:
    """With 26 classes a stump is wrong on more than half of the rows of any sample."""
    X = np.arange(260.0)[:, None] // 10
    y = X[:, 0].astype(int)
    model = forest(
        random_trees=0, estimator=wl.C45Classifier(max_depth=1, prune=False), max_features=None
    )
    model.fit(X, y)
    assert (model.errors_ >= 0.5).all()
    assert (model.votes_ == 0.1).all()
    assert model._samples.tolist() == [0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1]


@quiet
def test_a_member_without_error_has_the_greatest_vote_and_ends_its_sample() -> None:
    X = np.arange(40.0)[:, None]
    model = forest(max_features=None, random_trees=0).fit(X, X[:, 0] > 19)
    assert (model.errors_ == 0).all()
    assert (model.votes_ == math.log(1000)).all()
    assert model._samples.tolist() == [0, 1, 2, 3, 4, 0, 1, 2, 3, 4, 0, 1]


def test_a_bad_member_is_discarded_and_the_run_goes_on_from_a_new_sample() -> None:
    n_wrong = iter([1, 7, 2, 0, 6, 3])  # of ten rows; the second and the fifth attempt are bad
    attempts: list[tuple[int, list[float]]] = []

    def learn(weights: Any, index: int) -> LearnedMember[int]:
        attempts.append((index, weights.tolist()))
        predictions = (np.arange(10) < next(n_wrong)).astype(np.int32)
        return LearnedMember(len(attempts), predictions, shares=np.eye(2)[predictions])

    def draw(run: int, sample: int) -> Any:
        counts = np.ones(10)
        counts[9 - sample] = 0.0
        return start_run(counts, np.ones(10), np.ones(10), classes)

    classes = np.zeros(10, np.int32)
    task = ForestTask(
        learn,
        learn,
        draw,
        LocalRunRows(np.ones(10), classes, np.zeros(0, np.intp)),
        4,
        RunRules(run_length=4),
        EarlierMembers((), (), lambda member, index: learn(np.ones(10), index)),
    )
    out_of_bag = LocalForestVotes(classes, np.ones(10), 2)
    grown = grow_forest(task, out_of_bag)
    # 1/9 wrong; then 1/2 + 6/16 = 7/8: discarded; 2/9 and 0 of a new sample, which ends it; 6/9 of
    # a new sample: kept, since it is the first, and ends it.
    assert grown.members == [1, 3, 4, 5]
    assert grown.samples.tolist() == [0, 1, 1, 2]
    np.testing.assert_allclose(grown.errors, [1 / 9, 2 / 9, 0, 6 / 9])
    np.testing.assert_allclose(grown.votes, [math.log(8), math.log(7 / 2), math.log(1000), 0.1])
    assert [index for index, _ in attempts] == [0, 1, 1, 2, 3]
    np.testing.assert_allclose(attempts[1][1], [4.5] + [4.5 / 8] * 8 + [0.0])
    wanted = np.zeros((10, 2))
    wanted[9, 0] = grown.votes[0]
    wanted[8, 0] = grown.votes[1] + grown.votes[2]
    wanted[7, 0] = grown.votes[3]
    np.testing.assert_allclose(out_of_bag.total, wanted)


@quiet
def test_noise_only() -> None:
    chance = np.random.default_rng(0)
    X, y = chance.random((60, 3)), (chance.random(60) < 0.3).astype(int)
    with pytest.warns(UserWarning, match="the out-of-bag error is"):
        model = forest(n_members=30, estimator=wl.C45Classifier(prune=False)).fit(X, y)
    # Probabilities know that there is nothing to know.
    loss = -np.nanmean(np.log(model.oob_proba_[np.arange(60), y]))
    assert loss < 0.75


def test_weights_that_count_too_many_rows() -> None:
    with pytest.raises(ValueError, match="too many to draw a sample of"):
        forest().fit(*IRIS, np.full(150, 1e9))
