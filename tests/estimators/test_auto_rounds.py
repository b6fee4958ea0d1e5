"""n_rounds="auto" and n_members="auto": rows held back, out of bag or given decide on the size."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.tree import DecisionTreeClassifier

import weaklearn as wl
from weaklearn.boosting.automatic_size import PATIENCE

chance = np.random.default_rng(8)
X = chance.normal(size=(300, 4))
y = np.where((X.sum(axis=1) > 0.3) ^ (chance.random(300) < 0.05), "yes", "no")


def automatic(**parameters: Any) -> Any:
    small = wl.C45Classifier(max_depth=2, prune=False)
    given = {"estimator": small, "n_rounds": "auto", "random_state": 1, **parameters}
    return wl.AdaBoostM1Classifier(**given).fit(X, y)


@pytest.mark.parametrize("metric", ["error", "log_loss"])
@pytest.mark.parametrize("vote", ["error", "confidence", "shares"])
def test_rows_are_held_back(vote: str, metric: str, weights_seen: list[Any]) -> None:
    model = automatic(vote=vote, metric=metric)
    held_back = np.flatnonzero(weights_seen[0] == 0)
    assert abs(len(held_back) - 60) <= 1
    assert all((weights[held_back] == 0).all() for weights in weights_seen)
    # Stratified: a fifth of each class.
    assert abs(np.mean(y[held_back] == "yes") - np.mean(y == "yes")) < 0.02

    n_tried = len(model.validation_losses_)
    best = int(np.argmin(model.validation_losses_)) + 1
    assert best <= len(model) <= n_tried
    assert n_tried <= best + PATIENCE
    stages = [np.mean(p != y[held_back]) for p in model.staged_predict(X[held_back])]
    np.testing.assert_allclose(stages, model.validation_errors_[: len(model)], rtol=1e-12)
    assert len(model) > 1  # otherwise the test means little


def test_a_lucky_first_round_does_not_end_boosting() -> None:
    """A stump is right on all test rows, which are few; boosting is right on the others too."""
    easy = np.flatnonzero((np.abs(X[:, 0]) > 1) & ((X[:, 0] > 0) == (y == "yes")))[:6]
    others = np.setdiff1d(np.arange(300), easy)
    stump = wl.C45Classifier(max_depth=1, prune=False)
    for metric in ("error", "log_loss"):
        model = wl.AdaBoostM1Classifier(stump, n_rounds="auto", metric=metric)
        model.fit(X[others], y[others], eval_set=(X[easy], y[easy]))
        assert len(model) >= 10
        assert model.score(X, y) > model[:1].score(X, y) + 0.1


def most_rounds_not_clearly_worse(losses: list[Any]) -> int:
    """Return the number of rounds by the documented rule, for rows of weight 1."""
    best = int(np.argmin([of_rows.mean() for of_rows in losses]))
    for t in reversed(range(best, len(losses))):
        difference = losses[t] - losses[best]
        if difference.mean() <= difference.std() / np.sqrt(len(difference)):
            return t + 1
    raise AssertionError


@pytest.mark.parametrize("vote", ["error", "confidence", "shares"])
def test_the_most_rounds_that_are_not_clearly_worse_than_the_best_are_kept(vote: str) -> None:
    small = wl.C45Classifier(max_depth=2, prune=False)
    for seed in range(6):
        order = np.random.default_rng(seed).permutation(300)
        training, test = order[:200], order[200:]
        model = wl.AdaBoostM1Classifier(small, n_rounds="auto", metric="error", vote=vote)
        model.fit(X[training], y[training], eval_set=(X[test], y[test]))
        n_tried = len(model.validation_losses_)
        fixed = wl.AdaBoostM1Classifier(small, n_rounds=n_tried, vote=vote)
        fixed.fit(X[training], y[training])
        wrong = [(p != y[test]).astype(float) for p in fixed.staged_predict(X[test])]
        np.testing.assert_allclose([w.mean() for w in wrong], model.validation_losses_, atol=1e-12)
        assert len(model) == most_rounds_not_clearly_worse(wrong)


def test_the_log_loss_is_that_of_the_probabilities() -> None:
    small = wl.C45Classifier(max_depth=2, prune=False)
    model = wl.AdaBoostM1Classifier(small, n_rounds="auto")
    model.fit(X[:200], y[:200], eval_set=(X[200:], y[200:]))
    own = np.searchsorted(model.classes_, y[200:])
    losses = [
        -np.log(probabilities[np.arange(100), own]).mean()
        for probabilities in model.staged_predict_proba(X[200:])
    ]
    # Where votes and class shares prefer different classes, probabilities follow the votes.
    np.testing.assert_allclose(losses, model.validation_losses_[: len(model)], rtol=0.03)


@pytest.mark.parametrize("metric", ["error", "log_loss"])
def test_an_eval_set_is_not_learned_from(metric: str, weights_seen: list[Any]) -> None:
    model = wl.AdaBoostM1Classifier(
        wl.C45Classifier(max_depth=2, prune=False), n_rounds="auto", metric=metric
    )
    model.fit(X[:200], y[:200], eval_set=(X[200:], y[200:]))
    assert all(len(weights) == 200 and (weights > 0).all() for weights in weights_seen)
    errors = [np.mean(p != y[200:]) for p in model.staged_predict(X[200:])]
    np.testing.assert_allclose(errors, model.validation_errors_[: len(model)], rtol=1e-12)
    assert not hasattr(model, "_eval_set")
    twice = wl.AdaBoostM1Classifier(model.estimator, n_rounds="auto", metric=metric)
    twice.fit(X[:200], y[:200], eval_set=(X[200:], y[200:], np.full(100, 2.0)))
    assert np.allclose(twice.validation_losses_, model.validation_losses_)


BAD_SETS: dict[str, tuple[Any, str]] = {
    "one part": ((X,), r"eval_set must be \(X, y\) or \(X, y, sample_weight\), got 1 parts"),
    "an array": (X, "eval_set must be .*, got ndarray"),
    "another class": ((X[:2], ["yes", "perhaps"]), "perhaps"),
    "too few classes": ((X[:3], ["yes"]), "3"),
    "other columns": ((X[:, :2], y), "features"),
}


@pytest.mark.parametrize(("eval_set", "message"), BAD_SETS.values(), ids=BAD_SETS.keys())
def test_bad_eval_sets(eval_set: Any, message: str) -> None:
    for model in (
        wl.AdaBoostM1Classifier(n_rounds="auto"),
        wl.BoostedForestClassifier(n_members="auto"),
        wl.BaggedClassifier(n_members="auto"),
    ):
        with pytest.raises(ValueError, match=message):
            model.fit(X, y, eval_set=eval_set)
        assert not hasattr(model, "_eval_set")


def test_an_eval_set_needs_an_automatic_size() -> None:
    with pytest.raises(ValueError, match="n_rounds=10 sets it: use n_rounds='auto'"):
        wl.AdaBoostM1Classifier().fit(X, y, eval_set=(X, y))
    with pytest.raises(ValueError, match="n_members=100 sets it: use n_members='auto'"):
        wl.BoostedForestClassifier().fit(X, y, eval_set=(X, y))
    with pytest.raises(ValueError, match="n_members=10 sets it: use n_members='auto'"):
        wl.BaggedClassifier().fit(X, y, eval_set=(X, y))


def settled_after(losses: Any) -> int:
    """Return after how many steps no step of the last five was better by half a percent."""
    for t in range(10, len(losses) + 1):
        if min(losses[t - 5 : t]) >= min(losses[: t - 5]) * 0.995:
            return t
    return 0


def bagging_losses(model: Any, metric: str, steps: range) -> list[float]:
    """Compute the out-of-bag loss of the first members, for several numbers of them."""
    n_rows, n_classes = len(X), len(model.classes_)
    own = np.searchsorted(model.classes_, y)
    base_rates = np.bincount(own) / n_rows
    heaviest = np.argmax(base_rates)
    votes, class_shares = np.zeros((n_rows, n_classes)), np.zeros((n_rows, n_classes))
    losses = []
    pairs = zip(model.members_, model.estimators_samples_, strict=True)
    for index, (member, rows) in enumerate(pairs):
        absent = np.setdiff1d(np.arange(n_rows), rows)
        votes[absent, np.searchsorted(model.classes_, member.predict(X[absent]))] += 1
        class_shares[absent] += member.predict_proba(X[absent])
        if index + 1 not in steps:
            continue
        voted = votes.any(axis=1)
        if metric == "error":
            tied = votes[:, heaviest] == votes.max(axis=1)
            losses.append(
                np.mean(np.where(tied, heaviest, votes.argmax(axis=1))[voted] != own[voted])
            )
        else:
            shares = class_shares[voted] / class_shares[voted].sum(axis=1, keepdims=True)
            mixed = (n_rows * shares + base_rates) / (n_rows + 1)
            losses.append(-np.log(mixed[np.arange(len(mixed)), own[voted]]).mean())
    return losses


@pytest.mark.parametrize("metric", ["error", "log_loss"])
@pytest.mark.parametrize("vote", ["equal", "shares"])
def test_bagging_adds_members_until_the_loss_settles(vote: str, metric: str) -> None:
    parameters = {"vote": vote, "max_features": 3, "metric": metric, "random_state": 4}
    model = wl.BaggedClassifier(n_members="auto", **parameters).fit(X, y)
    losses = model.validation_losses_
    assert len(model) == 20 * len(losses)
    assert settled_after(losses) == len(losses)
    if vote == "equal":  # with shares, errors are those of the mean shares
        steps = range(20, len(model) + 1, 20)
        np.testing.assert_allclose(losses, bagging_losses(model, metric, steps), rtol=1e-12)
    if metric == "error":
        assert losses[-1] == pytest.approx(model.oob_error_, rel=1e-12)
    fixed = wl.BaggedClassifier(n_members=len(model), n_jobs=2, **parameters).fit(X, y)
    assert np.array_equal(fixed.predict_proba(X), model.predict_proba(X))
    assert np.array_equal(fixed.oob_proba_, model.oob_proba_, equal_nan=True)
    threads = wl.BaggedClassifier(n_members="auto", n_jobs=2, **parameters).fit(X, y)
    assert np.array_equal(threads.validation_losses_, losses)
    assert not hasattr(model[:3], "validation_losses_")
    assert not hasattr(model.set_params(n_members=5).fit(X, y), "validation_losses_")


def test_an_automatic_size_needs_rows_that_samples_lack() -> None:
    model = wl.BaggedClassifier(n_members="auto", bootstrap=False)
    with pytest.raises(ValueError, match="takes all of them"):
        model.fit(X, y)
    assert len(model.fit(X[:200], y[:200], eval_set=(X[200:], y[200:]))) >= 20
    assert len(model.set_params(max_samples=0.5).fit(X, y)) >= 20


def test_bagging_without_errors_ends_as_soon_as_it_may() -> None:
    model = wl.BaggedClassifier(n_members="auto", metric="error", random_state=0)
    model.fit(np.where(y == "yes", 1.0, -1.0)[:, None], y)
    assert model.validation_losses_.tolist() == [0.0] * 10


@pytest.mark.parametrize("member", [None, DecisionTreeClassifier(random_state=0)])
@pytest.mark.parametrize("metric", ["error", "log_loss"])
def test_bagging_of_automatic_size_with_an_eval_set(metric: str, member: Any) -> None:
    model = wl.BaggedClassifier(member, n_members="auto", max_features=3, metric=metric)
    model.set_params(random_state=0).fit(X[:200], y[:200], eval_set=(X[200:], y[200:]))
    held, own = X[200:], np.searchsorted(model.classes_, y[200:])
    if metric == "error":
        losses = [np.mean(p != y[200:]) for p in model.staged_predict(held)]
    else:
        base_rates = np.bincount(np.searchsorted(model.classes_, y[:200])) / 200
        pairs = zip(model.members_, model.estimators_features_, strict=True)
        # Members of scikit-learn know their own columns only.
        of_members = [m.predict_proba(held if member is None else held[:, c]) for m, c in pairs]
        counts = np.arange(1, len(model) + 1)[:, None, None]
        mixed = (200 * np.cumsum(of_members, axis=0) / counts + base_rates) / 201
        losses = [-np.log(p[np.arange(len(p)), own]).mean() for p in mixed]
    np.testing.assert_allclose(losses[19::20], model.validation_losses_, rtol=1e-9)
    with pytest.raises(ValueError, match="warm_start=True needs a number of members"):
        model.set_params(warm_start=True).fit(X, y)


@pytest.mark.parametrize("metric", ["error", "log_loss"])
def test_a_forest_adds_runs_until_the_loss_settles(metric: str) -> None:
    parameters = {"run_length": 4, "metric": metric, "random_state": 0}
    model = wl.BoostedForestClassifier(n_members="auto", **parameters).fit(X, y)
    losses = model.validation_losses_
    # A run has four boosted and four random trees. The loss is looked at after 20 members or more.
    assert len(model) == 24 * len(losses)
    assert 10 <= len(losses) <= 41
    assert settled_after(losses) == len(losses)
    # The same forest as with a fixed size, for any number of threads.
    fixed = wl.BoostedForestClassifier(n_members=len(model), n_jobs=2, **parameters).fit(X, y)
    assert np.array_equal(fixed.predict_proba(X), model.predict_proba(X))
    threads = wl.BoostedForestClassifier(n_members="auto", n_jobs=2, **parameters).fit(X, y)
    assert np.array_equal(threads.validation_losses_, losses)
    assert np.array_equal(threads.predict_proba(X), model.predict_proba(X))
    if metric == "error":
        assert losses[-1] == pytest.approx(model.oob_error_)
    assert not hasattr(model[:3], "validation_losses_")
    assert not hasattr(model.set_params(n_members=5).fit(X, y), "validation_losses_")


def test_a_forest_of_automatic_size_with_an_eval_set() -> None:
    model = wl.BoostedForestClassifier(n_members="auto", run_length=4, metric="error")
    model.set_params(random_state=0).fit(X[:200], y[:200], eval_set=(X[200:], y[200:]))
    wrong = [np.mean(p != y[200:]) for p in model.staged_predict(X[200:])]
    np.testing.assert_allclose(wrong[23::24], model.validation_losses_, rtol=1e-12)
    with pytest.raises(ValueError, match="warm_start=True needs a number of members"):
        model.set_params(warm_start=True).fit(X, y)


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
    for name in ("validation_errors_", "validation_losses_"):
        assert hasattr(model, name)
        assert not hasattr(model[:1], name)
    model.set_params(n_rounds=2).fit(X, y)
    assert not hasattr(model, "validation_errors_")
    assert not hasattr(model, "validation_losses_")


def test_too_few_rows_to_hold_any_back() -> None:
    model = wl.AdaBoostM1Classifier(n_rounds="auto")
    with pytest.raises(
        ValueError, match=r"validation_share=0\.2 would hold back no row: there are"
    ):
        model.fit(X[:3], ["a", "b", "b"])
