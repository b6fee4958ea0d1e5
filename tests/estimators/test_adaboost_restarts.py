"""AdaBoostM1Classifier(restart=True): boosting goes on after perfect and after bad members."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.dummy import DummyClassifier

import weaklearn as wl
from weaklearn.boosting import adaboost_m1_loop as boosting

chance = np.random.default_rng(5)
X = chance.integers(0, 4, (80, 3)).astype(float)
EASY = np.where(X[:, 0] > 1, "yes", "no")  # every tree is perfect
NOISE = chance.choice(["a", "b", "c"], 80)  # stumps are often worse than a half
STUMP = wl.C45Classifier(max_depth=1, prune=False)


def restarting(y: Any, n_rounds: int = 12, **parameters: Any) -> Any:
    given = {"estimator": STUMP, "restart": True, "random_state": 2, **parameters}
    return wl.AdaBoostM1Classifier(n_rounds=n_rounds, **given).fit(X, y)


@pytest.mark.parametrize("method", ["reweight", "resample"])
def test_a_member_without_error_does_not_end_boosting(method: str) -> None:
    with pytest.warns(UserWarning, match="makes no training error"):
        assert len(restarting(EASY, restart=False)) == 1
    model = restarting(EASY, method=method)
    assert (len(model), model.stopped_) == (12, "rounds")
    assert model._starts.tolist() == list(range(12))
    # The vote of an error of 1e-10, for each of them: none decides alone.
    np.testing.assert_allclose(model.votes_, np.log((1 - 1e-10) / 1e-10), rtol=1e-12)
    assert model.training_bound_ == 1.0
    assert (model.predict(X) == EASY).all()


def test_bad_members_are_dropped() -> None:
    # Without a restart only the first member remains, or a few.
    model, ended = restarting(NOISE, 10), restarting(NOISE, 10, restart=False)
    assert ended.stopped_ == "error"
    assert len(ended) < len(model) == 10
    assert (model.errors_ < 0.5).all()
    steps = np.diff(model._starts)
    assert steps.max() > 1  # the first member of a new start was bad as well
    assert (steps >= 0).all()


@pytest.mark.filterwarnings("ignore:AdaBoostM1Classifier")
def test_members_that_are_always_bad_end_boosting(weights_seen: list[Any]) -> None:
    y = np.arange(80) % 4
    constant = DummyClassifier(strategy="constant", constant=0)
    model = restarting(y, estimator=constant)
    assert len(weights_seen) == boosting.MOST_BAD_MEMBERS == 25
    assert len({weights.tobytes() for weights in weights_seen}) == 25
    # The member that learned from the rows' own weights is the one that remains.
    assert (len(model), model.stopped_) == (1, "error")
    assert model.errors_[0] == pytest.approx(0.75, rel=1e-12)


def test_without_a_reason_to_restart_nothing_changes() -> None:
    y = np.where((X.sum(axis=1) > 4) ^ (np.arange(80) % 9 == 0), "yes", "no")
    tree = wl.C45Classifier(max_depth=3, prune=False)
    for method in ("reweight", "resample"):
        model = restarting(y, 6, estimator=tree, method=method)
        plain = restarting(y, 6, estimator=tree, method=method, restart=False)
        assert not model._starts.any()
        assert plain.stopped_ == "rounds"
        assert model.votes_.tolist() == plain.votes_.tolist()
        assert model.training_bound_ == plain.training_bound_ < 1
        assert model.predict_proba(X).tolist() == plain.predict_proba(X).tolist()


@pytest.mark.parametrize("y", [EASY, NOISE], ids=["perfect", "bad"])
@pytest.mark.parametrize("method", ["reweight", "resample"])
@pytest.mark.parametrize("first", [1, 4, 7])
def test_a_warm_start_equals_fitting_at_once(
    y: Any, method: str, first: int, tmp_path: Path
) -> None:
    at_once = restarting(y, 10, method=method)
    warm = restarting(y, first, method=method, warm_start=True)
    path = tmp_path / "model.json"
    warm.save(path)
    for model in (warm, wl.load(path)):
        model.set_params(n_rounds=10).fit(X, y)
        assert model._starts.tolist() == at_once._starts.tolist()
        assert model.votes_.tolist() == at_once.votes_.tolist()
        assert model.predict_proba(X).tolist() == at_once.predict_proba(X).tolist()
    part = at_once[[2, 5]]
    assert part._starts.tolist() == at_once._starts[[2, 5]].tolist()


def test_each_class_keeps_its_weight(weights_seen: list[Any]) -> None:
    restarting(EASY, 5, keep_class_weights=True)
    restarting(EASY, 5)
    shares = [weights[EASY == "yes"].sum() for weights in weights_seen]
    np.testing.assert_allclose(shares[:5], np.mean(EASY == "yes"), rtol=1e-12)
    assert np.ptp(shares[5:]) > 0.01


def test_a_committee_without_training_error_may_stop() -> None:
    assert restarting(EASY, stop_at_zero_error=True).stopped_ == "zero_error"
