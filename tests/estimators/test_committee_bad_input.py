"""Error messages of committees say what was got, what was expected and what to do."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.exceptions import NotFittedError
from sklearn.naive_bayes import GaussianNB
from sklearn.neighbors import KNeighborsClassifier
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

import weaklearn as wl

chance = np.random.default_rng(4)
X = pd.DataFrame(chance.normal(size=(60, 3)), columns=["a", "b", "c"])
y = np.where((X["a"] + X["b"] > 0) ^ (chance.random(60) < 0.1), "yes", "no")
STUMP = wl.C45Classifier(max_depth=1, prune=False)
KINDS = [wl.AdaBoostM1Classifier, wl.BaggedClassifier]

for_both = pytest.mark.parametrize("kind", KINDS)


def fails(message: str, kind: type[Exception] = ValueError) -> Any:
    """Expect an error whose message contains these words."""
    return pytest.raises(kind, match=re.escape(message))


def boosted(**parameters: Any) -> Any:
    return wl.AdaBoostM1Classifier(STUMP, **{"n_rounds": 4, **parameters}).fit(X, y)


# -- parameters -----------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [0, -3, 2.5, "many", None, True])
def test_bad_n_rounds(value: Any) -> None:
    with fails(
        f"AdaBoostM1Classifier(n_rounds={value!r}): n_rounds must be a whole number >= 1 or 'auto'"
    ):
        wl.AdaBoostM1Classifier(n_rounds=value).fit(X, y)


@pytest.mark.parametrize("value", [0, -3, 2.5, "all"])
def test_bad_n_members(value: Any) -> None:
    with fails(
        f"BaggedClassifier(n_members={value!r}): n_members must be a whole number >= 1 or 'auto';"
    ):
        wl.BaggedClassifier(n_members=value).fit(X, y)


OTHERS: dict[str, tuple[list[Any], str]] = {
    "vote": (["equal", None], "must be one of 'error', 'confidence'"),
    "method": (["sample", 1], "must be one of 'reweight', 'resample'"),
    "restart": (["yes", 2], "must be True or False"),
    "stop_at_zero_error": ([1, None], "must be True or False"),
    "keep_class_weights": (["no"], "must be True or False"),
    "validation_share": ([0, 1, "half"], "must be a number > 0 and <= 0.9"),
}


@pytest.mark.parametrize("name", OTHERS)
def test_bad_parameters(name: str) -> None:
    values, expected = OTHERS[name]
    for value in values:
        with fails(f"AdaBoostM1Classifier({name}={value!r}): {name} {expected}"):
            wl.AdaBoostM1Classifier(**{name: value}).fit(X, y)


class WithoutPredict(BaseEstimator):
    def fit(self, X: Any, y: Any) -> WithoutPredict:
        return self


class NotOfSklearn:
    def fit(self, X: Any, y: Any) -> None: ...

    def predict(self, X: Any) -> None: ...


BAD_ESTIMATORS: dict[str, tuple[Any, str]] = {
    "no predict": (WithoutPredict(), "estimator is WithoutPredict(), which has no predict to call"),
    "class": (wl.C45Classifier, "estimator is the class C45Classifier, which has no fit to call"),
    "text": ("c45", "estimator is 'c45', which has no fit to call; expected a classifier such as"),
    "regressor": (DecisionTreeRegressor(), "estimator=DecisionTreeRegressor() is not a classifier"),
    "not of scikit-learn": (
        NotOfSklearn(),
        "which has no get_params to call; expected a classifier such as",
    ),
}


@for_both
@pytest.mark.parametrize(("member", "message"), BAD_ESTIMATORS.values(), ids=BAD_ESTIMATORS.keys())
def test_bad_estimators(kind: Any, member: Any, message: str) -> None:
    with fails(message, TypeError):
        kind(member).fit(X, y)


@for_both
def test_the_members_own_parameters_are_checked(kind: Any) -> None:
    with fails("C45Classifier(min_objects=0): min_objects must be a number > 0"):
        kind(wl.C45Classifier(min_objects=0)).fit(X, y)


@for_both
def test_confidence_of_members_without_leaves(kind: Any) -> None:
    with fails("which GaussianNB does not have: leave vote at its default."):
        kind(GaussianNB(), vote="confidence").fit(X, y)


def test_members_that_take_no_weights() -> None:
    with fails("KNeighborsClassifier takes no sample_weight, so it cannot learn from weighted"):
        wl.AdaBoostM1Classifier(KNeighborsClassifier()).fit(X, y)
    model = wl.AdaBoostM1Classifier(KNeighborsClassifier(), method="resample", random_state=0)
    assert model.fit(X, y).score(X, y) > 0.8


# -- weights and classes --------------------------------------------------------------------------


@for_both
@pytest.mark.parametrize("member", [None, DecisionTreeClassifier()], ids=["own", "foreign"])
def test_bad_weights(kind: Any, member: Any) -> None:
    with fails("sample_weight is zero in every row: at least one must be positive"):
        kind(member).fit(X, y, np.zeros(60))
    with fails("a negative weight in row 0"):
        kind(member).fit(X, y, -np.ones(60))


def test_more_rows_than_can_be_drawn() -> None:
    message = "sample_weight counts 6e+13 rows, too many to draw a sample of (at most 100,000,000)"
    with fails(message):
        wl.BaggedClassifier().fit(X, y, np.full(60, 1e12))
    with fails(message):
        wl.AdaBoostM1Classifier(method="resample").fit(X, y, np.full(60, 1e12))
    assert wl.AdaBoostM1Classifier().fit(X, y, np.full(60, 1e12)).score(X, y) > 0.8


@pytest.mark.parametrize("member", [STUMP, DecisionTreeClassifier()], ids=["own", "foreign"])
def test_a_class_that_some_samples_lack(member: Any) -> None:
    labels = np.where(np.arange(60) == 7, "rare", y)
    for model in (
        wl.BaggedClassifier(member, 6, random_state=0),
        wl.AdaBoostM1Classifier(member, 6, method="resample", random_state=0),
    ):
        model.fit(X, labels)
        assert model.classes_.tolist() == ["no", "rare", "yes"]
        proba = model.predict_proba(X)
        assert proba.shape == (60, 3)
        np.testing.assert_allclose(proba.sum(axis=1), 1)
        places = np.searchsorted(model.classes_, model.predict(X))
        np.testing.assert_allclose(proba[np.arange(60), places], proba.max(axis=1))
        assert model.score(X, labels) > 0.6
    lacking = wl.BaggedClassifier(DecisionTreeClassifier(), 6, random_state=0).fit(X, labels)
    # Otherwise the test would mean little.
    assert any(len(member.classes_) == 2 for member in lacking.members_)


@for_both
def test_labels_of_mixed_types(kind: Any) -> None:
    labels = [1 if label == "yes" else "a" for label in y]
    model = kind(random_state=0).fit(X, labels)
    assert model.classes_.tolist() == [1, "a"]
    predicted = model.predict(X).tolist()
    assert set(map(type, predicted)) == {int, str}
    assert np.mean([a == b for a, b in zip(predicted, labels, strict=True)]) > 0.8
    assert next(model.staged_predict(X)).dtype == object


@pytest.mark.parametrize("member", [None, GaussianNB()], ids=["own", "foreign"])
def test_rows_of_weight_zero_are_absent(member: Any) -> None:
    labels = np.where(np.arange(60) < 5, "ghost", y)
    weights = np.r_[np.zeros(10), np.ones(50)]
    model = wl.AdaBoostM1Classifier(member, 3).fit(X, labels, weights)
    without = wl.AdaBoostM1Classifier(member, 3).fit(X[10:], labels[10:])
    assert model.classes_.tolist() == ["ghost", "no", "yes"]
    proba = model.predict_proba(X)
    assert not proba[:, 0].any()
    assert np.array_equal(proba[:, 1:], without.predict_proba(X))
    assert np.array_equal(model.margins_, without.margins_)
    assert len(model.margins_) == 50


# -- predicting -----------------------------------------------------------------------------------


@for_both
def test_predicting_before_fit(kind: Any, tmp_path: Path) -> None:
    model = kind()
    for ask in (
        lambda: model.predict(X),
        lambda: model.predict_proba(X),
        lambda: next(model.staged_predict(X)),
        lambda: next(model.staged_predict_proba(X)),
        lambda: model.margins(X, y),
        lambda: model[:2],
        lambda: len(model),
        lambda: model.with_votes([1.0]),
        lambda: model.feature_importances_,
        lambda: model.save(tmp_path / "model.json"),
    ):
        with fails("not fitted yet. Call 'fit'", NotFittedError):
            ask()
    assert model  # it is not an empty list


def test_a_failed_fit_changes_nothing() -> None:
    for member in (None, GaussianNB()):
        model = wl.AdaBoostM1Classifier(member, n_rounds="auto", validation_share=0.01)
        with pytest.raises(ValueError, match="would hold back no row"):
            model.fit(X[:9], y[:9])
        with pytest.raises(NotFittedError):
            model.predict(X)
        model.set_params(n_rounds=3).fit(X, y)
        before = model.predict_proba(X)
        with pytest.raises(ValueError, match="would hold back no row"):
            model.set_params(n_rounds="auto").fit(X[["a", "b"]][:9], ["x", "z", "z"] * 3)
        assert np.array_equal(model.predict_proba(X), before)


def test_margins_of_unseen_labels() -> None:
    with fails("y holds 'maybe', which is not a class of the training table;"):
        boosted().margins(X[:1], ["maybe"])


def test_bad_selections_and_votes() -> None:
    model = boosted()
    for nothing in ([], slice(0, 0), [False] * len(model)):
        with fails("this selects no member; a committee needs at least one."):
            model[nothing]
    with pytest.raises(IndexError):
        model[len(model)]
    with fails(f"got votes of shape (2,), expected one for each of {len(model)} members."):
        model.with_votes([1.0, 2.0])
    for bad in (-1.0, np.nan, np.inf):
        with fails("votes must be finite numbers >= 0, not all zero."):
            model.with_votes([bad, *[1.0] * (len(model) - 1)])
    with fails("votes must be finite numbers >= 0, not all zero."):
        model.with_votes(np.zeros(len(model)))
    with fails("votes must be numbers, one per member: could not convert"):
        model.with_votes(["many"] * len(model))


def test_importances_are_means_weighted_by_votes() -> None:
    model = boosted()
    single = [member.feature_importances_ for member in model.members_]
    expected = np.average(single, axis=0, weights=model.votes_)
    np.testing.assert_allclose(model.feature_importances_, expected)
    assert wl.C45Classifier().fit(X, ["no"] * 60).feature_importances_.tolist() == [0, 0, 0]
    assert wl.C45Classifier(max_depth=1).fit(X[["a"]], X["a"] > 0).feature_importances_ == [1]


def test_members_of_members_predict() -> None:
    model = wl.BaggedClassifier(wl.AdaBoostM1Classifier(STUMP, 2), 2, random_state=0).fit(X, y)
    assert set(model[0][0].predict(X)) <= {"no", "yes"}


# -- warm starts ----------------------------------------------------------------------------------


def test_bad_warm_starts() -> None:
    model = boosted(warm_start=True)
    with fails(f"n_rounds=1 with warm_start=True: there are {len(model)} already; ask for"):
        model.set_params(n_rounds=1).fit(X, y)
    with fails("warm_start=True continues with the same table, and this one has other columns"):
        model.set_params(n_rounds=9).fit(X.rename(columns={"a": "other"}), y)
    with fails("warm_start=True needs a number of rounds, not n_rounds='auto'."):
        model.set_params(n_rounds="auto").fit(X, y)


def test_saving_members_that_are_not_graphs(tmp_path: Path) -> None:
    model = wl.BaggedClassifier(GaussianNB(), 3, random_state=0).fit(X, y)
    with fails(
        "members of the kind GaussianNB cannot be saved as JSON; use joblib.dump", TypeError
    ):
        model.save(tmp_path / "model.json")
    assert not list(tmp_path.iterdir())


# -- stopping -------------------------------------------------------------------------------------


def interrupt_at(round_number: int) -> Any:
    def callback(progress: Any) -> None:
        if progress.done == round_number:
            raise KeyboardInterrupt

    return callback


STUMPS: dict[str, Any] = {
    "adaboost": lambda **p: wl.AdaBoostM1Classifier(STUMP, 6, random_state=0, **p),
    "bagged": lambda **p: wl.BaggedClassifier(STUMP, 6, random_state=0, **p),
    "bagged-jobs": lambda **p: wl.BaggedClassifier(STUMP, 6, random_state=0, n_jobs=2, **p),
}


@pytest.mark.parametrize("make", STUMPS.values(), ids=STUMPS.keys())
def test_interrupted_after_three(make: Any) -> None:
    whole = make().fit(X, y)
    assert len(whole) > 3
    assert not whole.interrupted_
    with pytest.warns(UserWarning, match=r"interrupted after 3 of 6 (rounds|members): the commit"):
        model = make(callback=interrupt_at(3)).fit(X, y)
    assert len(model) == 3
    assert model.interrupted_
    assert np.array_equal(model.predict_proba(X), whole[:3].predict_proba(X))


class Interrupted(ClassifierMixin, BaseEstimator):
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> None:
        raise KeyboardInterrupt

    def predict(self, X: Any) -> None: ...


@for_both
def test_interrupted_before_the_first_member(kind: Any) -> None:
    model = kind(Interrupted())
    with pytest.raises(KeyboardInterrupt):
        model.fit(X, y)
    with pytest.raises(NotFittedError):
        model.predict(X)


@pytest.mark.parametrize("make", STUMPS.values(), ids=STUMPS.keys())
def test_a_callback_receives_progress_and_stops_the_fit(make: Any) -> None:
    seen: list[Any] = []
    model = make(callback=lambda progress: seen.append(progress) or progress.done == 2).fit(X, y)
    assert len(model) == 2
    assert not model.interrupted_
    assert [(p.done, p.planned) for p in seen] == [(1, 6), (2, 6)]
    assert all(p.seconds_left >= 0 for p in seen)
    if hasattr(model, "errors_"):
        assert [p.error for p in seen] == model.errors_.tolist()
        assert model.stopped_ == "callback"


@pytest.mark.parametrize("make", STUMPS.values(), ids=STUMPS.keys())
def test_the_bar_is_on_stderr_only(make: Any, capfd: pytest.CaptureFixture[str]) -> None:
    make().fit(X, y)
    assert capfd.readouterr() == ("", "")
    model = make(verbose=1).fit(X, y)
    out, err = capfd.readouterr()
    assert out == ""
    assert f"{len(model)}/6" in err
