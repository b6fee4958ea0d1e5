"""n_rounds="auto": the error on rows held back decides how many rounds are kept."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

import weaklearn as wl
from weaklearn.boosting import adaboost_m1_loop as boosting

chance = np.random.default_rng(8)
X = chance.normal(size=(300, 4))
y = np.where((X.sum(axis=1) > 0.3) ^ (chance.random(300) < 0.05), "yes", "no")


def automatic(**parameters: Any) -> Any:
    small = wl.C45Classifier(max_depth=2, prune=False)
    given = {"estimator": small, "n_rounds": "auto", "random_state": 1, **parameters}
    return wl.AdaBoostM1Classifier(**given).fit(X, y)


@pytest.fixture
def weights_seen(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """Return a list that receives the weights of each round."""
    seen: list[Any] = []
    error = boosting.Distribution.error

    def record(distribution: Any, wrong: Any) -> float:
        seen.append(distribution.weights)
        return error(distribution, wrong)

    monkeypatch.setattr(boosting.Distribution, "error", record)
    return seen


@pytest.mark.parametrize("vote", ["error", "confidence"])
def test_the_round_with_the_smallest_error_is_kept(vote: str, weights_seen: list[Any]) -> None:
    model = automatic(vote=vote)
    held_back = np.flatnonzero(weights_seen[0] == 0)
    assert abs(len(held_back) - 60) <= 1
    assert all((weights[held_back] == 0).all() for weights in weights_seen)
    # Stratified: a fifth of each class.
    assert abs(np.mean(y[held_back] == "yes") - np.mean(y == "yes")) < 0.02

    errors = model.validation_errors_
    assert len(model) == np.argmin(errors) + 1
    stages = [np.mean(p != y[held_back]) for p in model.staged_predict(X[held_back])]
    np.testing.assert_allclose(stages, errors[: len(model)], rtol=1e-12)
    assert model.stopped_ == "validation"  # rounds after the best one were dropped
    assert len(model) < len(errors) <= len(model) + boosting.PATIENCE
    assert len(model) > 1  # otherwise the test means little


@pytest.mark.parametrize("member", [None, DecisionTreeClassifier(max_depth=1, random_state=0)])
def test_no_member_saw_the_rows_held_back(member: Any, weights_seen: list[Any]) -> None:
    model = automatic(estimator=member)
    trained_on = weights_seen[0] > 0
    once = wl.AdaBoostM1Classifier(member, n_rounds=1).fit(X[trained_on], y[trained_on])
    assert np.array_equal(model[0].predict(X), once[0].predict(X))


def test_the_same_seed_makes_the_same_committee() -> None:
    a, b, other = automatic(), automatic(), automatic(random_state=2)
    assert [m.tree_ for m in a.members_] == [m.tree_ for m in b.members_]
    assert np.array_equal(a.validation_errors_, b.validation_errors_)
    assert not np.array_equal(a.validation_errors_, other.validation_errors_)


def test_validation_errors_are_dropped_with_members_and_by_the_next_fit() -> None:
    model = automatic()
    assert not hasattr(model[:1], "validation_errors_")
    model.set_params(n_rounds=2).fit(X, y)
    assert not hasattr(model, "validation_errors_")


def test_too_few_rows_to_hold_any_back() -> None:
    model = wl.AdaBoostM1Classifier(n_rounds="auto")
    with pytest.raises(
        ValueError, match=r"validation_share=0\.2 would hold back no row: there are"
    ):
        model.fit(X[:3], ["a", "b", "b"])
