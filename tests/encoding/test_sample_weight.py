"""Weights count rows: scalars, distributions, and the warning about an unusual total."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer
from sklearn.ensemble import VotingClassifier
from sklearn.metrics import log_loss
from sklearn.tree import DecisionTreeClassifier

import weaklearn as wl
from weaklearn.encoding import check_sample_weight, counts_of_rows

X, Y = load_breast_cancer(return_X_y=True)
#: Learners that a total weight below 1 turned into a single leaf.
LEARNERS: list[Any] = [
    wl.C45Classifier(),
    wl.TopDownClassifier(n_rounds=5),
    wl.BranchingProgramClassifier(max_levels=3),
    wl.AdaBoostM1Classifier(n_rounds=2),
    wl.BaggedClassifier(n_members=2, random_state=0),
    wl.PrunedClassifier(wl.AdaBoostM1Classifier(n_rounds=3), size=2),
    wl.G2Classifier(wl.C45Classifier(max_depth=2), wl.SeparatorGraph(2)),
]
for_learners = pytest.mark.parametrize("learner", LEARNERS, ids=lambda model: type(model).__name__)


@for_learners
def test_a_distribution_is_scaled_to_the_number_of_rows(learner: Any) -> None:
    expected = learner.fit(X, Y).predict_proba(X)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        uniform = learner.fit(X, Y, np.full(len(Y), 1 / len(Y))).predict_proba(X)
        one_number = learner.fit(X, Y, 1.0).predict_proba(X)
    np.testing.assert_allclose(uniform, expected, rtol=0, atol=1e-9)
    assert np.array_equal(one_number, expected)


@for_learners
def test_weights_passed_on_to_members_do_not_warn(learner: Any) -> None:
    weights = np.random.default_rng(0).choice([0.1, 1.0, 4.0], len(Y), p=[0.3, 0.5, 0.2])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        learner.fit(X, Y, weights)


def test_rows_of_weight_0_are_not_counted() -> None:
    assert counts_of_rows(np.array([0.0, 0.5, 0.0, 0.25])).tolist() == [0.0, 4 / 3, 0.0, 2 / 3]
    assert counts_of_rows(np.array([0.0, 0.5, 0.0])).tolist() == [0.0, 0.5, 0.0]  # one row


def test_sums_of_exactly_one_up_to_rounding_are_distributions() -> None:
    tenths = np.full(10, 0.1) * (1 + 1e-12)
    np.testing.assert_allclose(counts_of_rows(tenths), 1.0)
    tiny = np.array([5e-324, 5e-324])
    assert counts_of_rows(tiny).tolist() == [1.0, 1.0]


@pytest.mark.parametrize("mean", [0.49, 2.01])
def test_an_unusual_total_warns_once_with_the_line_to_type(mean: float) -> None:
    sample_weight = np.full(len(Y), mean)
    with pytest.warns(UserWarning, match="sums to .* for 569 rows") as caught:
        wl.AdaBoostM1Classifier(n_rounds=3).fit(X, Y, sample_weight)
    assert len(caught) == 1
    assert caught[0].filename == __file__
    remedy = str(caught[0].message).split("pass ")[1].rstrip(".")
    assert remedy == "sample_weight * len(sample_weight) / sample_weight.sum()"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        remedied = wl.C45Classifier().fit(X, Y, eval(remedy))
    assert remedied.tree_.n_nodes == wl.C45Classifier().fit(X, Y).tree_.n_nodes


@pytest.mark.parametrize("weights", [[3.0, 0.0, 9.0], [0.5, 0.5], [2.0, 2.0], [0.6, 1.9]])
def test_whole_numbers_and_usual_totals_do_not_warn(weights: list[float]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        counts_of_rows(np.array(weights))


def test_a_number_is_the_weight_of_every_row() -> None:
    assert check_sample_weight(2, 3).tolist() == [2.0, 2.0, 2.0]
    with pytest.raises(ValueError, match="negative weight in row 0"):
        check_sample_weight(-1.0, 3)


@pytest.mark.parametrize(
    "learner",
    [
        *LEARNERS[:6],
        wl.StumpClassifier(),
        wl.RealAdaBoostClassifier(5),
        wl.BoostODTClassifier(3, 2),
        wl.OC1Classifier(n_restarts=1, random_state=0),
    ],
    ids=lambda model: type(model).__name__,
)
def test_a_class_of_weight_0_has_the_probability_0(learner: Any) -> None:
    y = np.where(np.arange(len(Y)) % 7 == 0, "rare", np.where(Y == 1, "benign", "malignant"))
    weights = np.where(y == "rare", 0.0, 1.0)
    model = learner.fit(X, y, weights)
    assert model.classes_.tolist() == ["benign", "malignant", "rare"]
    proba = model.predict_proba(X)
    assert proba.shape == (len(y), 3)
    assert not proba[:, 2].any()
    assert "rare" not in model.predict(X)
    assert np.isfinite(log_loss(y, proba, sample_weight=weights, labels=model.classes_))
    if hasattr(model, "decision_function"):
        outputs = model.decision_function(X)
        assert outputs.shape == (len(y), 3)
        assert (outputs.argmax(axis=1) != 2).all()


def test_g2_knows_a_class_of_weight_0() -> None:
    y = np.where(np.arange(len(Y)) % 7 == 0, 2, Y)
    model = wl.G2Classifier().fit(X, y, y != 2)
    assert model.classes_.tolist() == [0, 1, 2]
    assert not model.predict_proba(X)[:, 2].any()
    assert set(model.predict(X)) == {0, 1}
    committee = wl.as_committee(model)
    assert np.array_equal(committee.predict(X), model.predict(X))


def test_a_class_of_weight_0_in_a_saved_model(tmp_path: Any) -> None:
    y = np.where(np.arange(len(Y)) % 7 == 0, 2, Y)
    model = wl.AdaBoostM1Classifier(n_rounds=2).fit(X, y, y != 2)
    model.save(tmp_path / "model.json")
    loaded = wl.load(tmp_path / "model.json")
    assert loaded.classes_.tolist() == [0, 1, 2]
    assert np.array_equal(loaded.predict_proba(X), model.predict_proba(X))


def test_soft_voting_beside_a_tree_of_scikit_learn() -> None:
    y = np.where(np.arange(len(Y)) % 7 == 0, 2, Y)
    members = [("ours", wl.C45Classifier()), ("theirs", DecisionTreeClassifier(random_state=0))]
    voting = VotingClassifier(members, voting="soft").fit(X, y, sample_weight=(y != 2) * 1.0)
    assert voting.predict_proba(X).shape == (len(y), 3)


def test_pruning_with_a_class_of_weight_0_in_a_fold() -> None:
    y = np.where(np.arange(len(Y)) % 7 == 0, 2, Y)
    weights = np.where(y == 2, 0.0, 1.0)
    weights[np.flatnonzero(y == 2)[0]] = 1.0  # the class has weight in one fold only
    model = wl.PrunedClassifier(wl.AdaBoostM1Classifier(n_rounds=4), random_state=0)
    assert model.fit(X, y, weights).predict_proba(X).shape == (len(y), 3)

    committee = wl.AdaBoostM1Classifier(n_rounds=4).fit(X, y, y != 2)
    small = wl.pruning.kappa(committee, X, y, size=2, sample_weight=(y != 2) * 1.0)
    same = wl.pruning.kappa(committee, X[y != 2], y[y != 2], size=2)
    assert np.array_equal(small.predict(X), same.predict(X))
