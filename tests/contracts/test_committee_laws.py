"""Laws of committees: stages, samples, votes, margins, bounds."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin

import weaklearn as wl
from oracles.c45 import Table
from strategies import tables
from weaklearn.boosting.adaboost_m1_loop import LearnedMember, boost
from weaklearn.boosting.distribution import Distribution, WeightedRows
from weaklearn.boosting.sampling import draw_counts, sample_size
from weaklearn.models.votes import priority_of, winners

from .classifiers import COMMITTEES, REWEIGHTED, Factory, trees_of
from .oracle_table import difference, frame_of, labels_of
from .test_adaboost_against_oracle import noisy_tables
from .test_c45_against_oracle import of_present_rows

quick = settings(max_examples=12, deadline=None, suppress_health_check=[HealthCheck.too_slow])
pytestmark = pytest.mark.filterwarnings("ignore:.* does not separate values:UserWarning")

for_all = pytest.mark.parametrize("make", COMMITTEES.values(), ids=COMMITTEES.keys())
# A sample has as many rows as the weights count, so they must not count too many.
drawable_tables = tables().filter(lambda table: sum(table.weights) < 1e6)
any_tables = st.one_of(drawable_tables, noisy_tables())


def fitted(make: Factory, table: Table) -> Any:
    return make().fit(frame_of(table), labels_of(table), table.weights)


def scores_of(model: Any, X: Any) -> Any:
    """Return the votes per row and class of the schema."""
    return model._voters.scores(model._encode(X), model.votes_, 1)


# -- parts of a committee -------------------------------------------------------------------------


@for_all
@quick
@given(table=any_tables)
def test_stages_are_the_first_members(make: Factory, table: Table) -> None:
    model, X = fitted(make, table), frame_of(table)
    classes, shares = list(model.staged_predict(X)), list(model.staged_predict_proba(X))
    assert len(classes) == len(shares) == len(model)
    for t in range(1, len(model) + 1):
        assert np.array_equal(classes[t - 1], model[:t].predict(X))
        assert np.array_equal(shares[t - 1], model[:t].predict_proba(X))
    assert classes[-1].dtype == model.predict(X).dtype


@for_all
@quick
@given(table=any_tables)
def test_a_committee_of_one_member_predicts_as_the_member(make: Factory, table: Table) -> None:
    model, X = fitted(make, table), frame_of(table)
    for i, member in enumerate(model.members_):
        assert model[i] is member
        one = model[[i]]
        # A member's tie goes to its first class, a tie of class shares in votes to the heavier one.
        votes = np.sort(scores_of(one, X), axis=1)
        clear = np.full(len(X), True)
        if len(table.classes) > 1:
            clear = votes[:, -1] > 1.0001 * votes[:, -2]
        assert np.array_equal(one.predict(X)[clear], member.predict(X)[clear])
        assert clear.all() or model.vote == "shares"


def without_subnormals(numbers: NDArray[np.float64]) -> NDArray[np.float64]:
    return np.where(numbers < np.finfo(np.float64).tiny, 0.0, numbers)


@for_all
@quick
@given(table=any_tables)
def test_votes_matter_only_relative_to_each_other(make: Factory, table: Table) -> None:
    model, X = fitted(make, table), frame_of(table)
    same = model.with_votes(model.votes_)
    assert np.array_equal(same.predict_proba(X), model.predict_proba(X))
    assert np.array_equal(same.predict(X), model.predict(X))
    for factor in (2.0**-60, 2.0**60):  # exact factors: not a bit may change
        scaled = model.with_votes(model.votes_ * factor)
        assert np.array_equal(scaled.predict(X), model.predict(X))
        assert np.array_equal(list(scaled.staged_predict(X)), list(model.staged_predict(X)))
        # A factor is not exact below the least normal number: the share of a class of weight
        # 5e-324 loses its bits there.
        probabilities = [without_subnormals(m.predict_proba(X)) for m in (scaled, model)]
        assert np.array_equal(*probabilities)
    assert np.array_equal(same.votes_, model.votes_)


@for_all
@quick
@given(table=any_tables)
def test_the_winner_has_most_votes_and_a_positive_margin(make: Factory, table: Table) -> None:
    model, X, y = fitted(make, table), frame_of(table), labels_of(table)
    scores = scores_of(model, X)
    classes = np.array(table.classes)
    assert np.array_equal(classes[winners(scores, model._priority)], model.predict(X))
    margins = model.margins(X, y)
    assert (np.abs(margins) <= 1 + 1e-12).all()
    clear = np.abs(margins) > 1e-8
    assert np.array_equal(margins[clear] > 0, (model.predict(X) == y.to_numpy())[clear])
    # A tie goes to the class with the larger weight.
    counted = np.array(table.weights) > 0
    assert np.array_equal(model.margins_, margins[counted])
    weights = np.bincount(y.cat.codes, table.weights, len(classes))
    assert np.array_equal(model._priority, priority_of(weights))


def test_a_tie_goes_to_the_class_with_the_larger_weight() -> None:
    X = np.array([[0.0], [1.0], [2.0]] * 10)
    stumps = wl.C45Classifier(max_depth=1, min_objects=1)
    for heavy, wanted in ((0, "a"), (1, "b")):
        labels = np.where(np.arange(30) % 3 <= 1 - heavy, "a", "b")
        model = wl.BaggedClassifier(stumps, 2, random_state=0).fit(X, labels)
        # One member is made to predict each class.
        for member, name in zip(model.members_, "ab", strict=True):
            weights = np.where(labels == name, 100, 1)
            member.tree_ = wl.C45Classifier(max_depth=0).fit(X, labels, weights).tree_
        assert [m.predict(X[:1])[0] for m in model.members_] == ["a", "b"]
        assert set(model.predict(X)) == {wanted}
        assert set(model.with_votes([1.0, 1.0 + 1e-8]).predict(X)) == {"b"}
        assert set(model.with_votes([1.0, 1.0 + 1e-11]).predict(X)) == {wanted}


# -- bounds ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["reweight", "resample"])
@pytest.mark.parametrize("keep", [False, True], ids=["rows", "classes"])
@settings(quick, max_examples=25)
@given(
    table=any_tables,
    depth=st.sampled_from([1, 2, None]),
    step=st.sampled_from([1.0, 0.5, 0.2]),
)
def test_training_error_is_within_the_bound(
    method: str, keep: bool, table: Table, depth: int | None, step: float
) -> None:
    model = wl.AdaBoostM1Classifier(
        wl.C45Classifier(max_depth=depth, prune=False),
        n_rounds=8,
        method=method,
        step=step,
        keep_class_weights=keep,
        random_state=0,
    )
    X, y, weights = frame_of(table), labels_of(table), np.array(table.weights)
    model.fit(X, y, weights)
    for part in (
        model,
        model[: max(1, len(model) // 2)],
    ):  # the first members have a bound of their own
        wrong = part.predict(X) != y.to_numpy()
        # Shares that are too small for a float are 0 on both sides.
        assert (weights / weights.sum())[wrong].sum() <= part.training_bound_ * (1 + 1e-9)
    other = model[::-1] if len(model) > 1 else model.with_votes([2.0])
    assert not hasattr(other, "training_bound_")


@pytest.mark.parametrize("vote", ["error", "confidence"])
@settings(quick, max_examples=25)
@given(table=any_tables)
def test_a_member_without_error_decides_alone(vote: str, table: Table) -> None:
    tree = wl.C45Classifier(prune=False, min_objects=1)
    model = wl.AdaBoostM1Classifier(tree, n_rounds=6, vote=vote)
    X = frame_of(table)
    model.fit(X, labels_of(table), table.weights)
    assume(model.stopped_ == "perfect")
    assert np.array_equal(model.predict(X), model.members_[-1].predict(X))


def test_a_member_without_error_decides_alone_at_low_confidence() -> None:
    """A mean over leaves may have a confidence far below 1 / n_classes."""
    # For a missing value, ten leaves with one row together outweigh a leaf with nine rows.
    names = [f"v{i}" for i in range(10)] + ["v10"] * 9
    frame = frame_of(Table([[*names]], ["nominal"], [sorted(set(names))], ["a", "b"], ["a"] * 19))
    perfect = wl.C45Classifier(prune=False, min_objects=1, criterion="gain")
    y = ["a"] * 10 + ["b"] * 9
    sure = [wl.C45Classifier().fit(frame, y, [1e-3] * 10 + [1e6] * 9) for _ in range(3)]
    learned = [*sure, perfect.fit(frame, y)]
    missing = frame.iloc[:1].assign(a0=None).astype(frame.dtypes.to_dict())
    assert learned[-1].predict(missing).tolist() == ["a"]
    assert learned[0].predict(missing).tolist() == ["b"]

    classes = np.array([0] * 10 + [1] * 9, dtype=np.int32)
    rounds = iter(
        [*(np.where(np.arange(19) == i, 1 - classes, classes) for i in range(3)), classes]
    )
    boosted = boost(
        lambda _, number: LearnedMember(learned[number], next(rounds), np.ones(19)),
        Distribution(WeightedRows(np.ones(19), classes, n_groups=1)),
        seed=0,
        n_rounds=9,
        confident=True,
    )
    assert boosted.stopped == "perfect"
    model = wl.AdaBoostM1Classifier(perfect, vote="confidence").fit(frame, y)
    model.members_, model.votes_ = boosted.members, boosted.votes
    assert model.predict(missing).tolist() == ["a"]


# -- samples --------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["bagged", "bagged-confidence", "adaboost-resample"])
@quick
@given(table=any_tables)
def test_a_sample_equals_repeated_rows(name: str, table: Table) -> None:
    """A member grown on counts equals one grown on each row as often as it was drawn."""
    model = fitted(COMMITTEES[name], table)
    weights = np.array(table.weights)
    present = np.flatnonzero(weights)
    drawn_from = weights[present]
    counts = draw_counts(drawn_from, sample_size(drawn_from), model._seed, 0)
    rows = np.repeat(present, counts.astype(int))
    X, y = frame_of(table), labels_of(table)
    # The precision of a column is decided for the whole table, not for each sample.
    assume("double" not in of_present_rows(table).precision)
    alone = wl.C45Classifier(**model.members_[0].get_params()).fit(X.iloc[rows], y.iloc[rows])
    text = difference(model.members_[0].tree_.to_dict(), alone.tree_.to_dict())
    assert text is None, text


@pytest.mark.parametrize("vote", ["equal", "confidence", "shares"])
@quick
@given(table=any_tables)
def test_out_of_bag_votes_are_of_members_not_trained_on_the_row(vote: str, table: Table) -> None:
    model = wl.BaggedClassifier(n_members=5, vote=vote, random_state=1)
    X, y = frame_of(table), labels_of(table)
    model.fit(X, y, table.weights)
    weights = np.array(table.weights)[np.array(table.weights) > 0]
    present = X[np.array(table.weights) > 0]
    truth = y[np.array(table.weights) > 0].cat.codes.to_numpy()
    scores = np.zeros((len(weights), len(table.classes)))
    class_shares, n_voted = np.zeros((len(weights), len(model.classes_))), np.zeros(len(weights))
    for number in range(5):
        absent = draw_counts(weights, sample_size(weights), model._seed, number) == 0
        scores[absent] += scores_of(model[[number]], present)[absent]
        class_shares[absent] += model[number].predict_proba(present)[absent]
        n_voted += absent
    voted = n_voted > 0
    expected = class_shares[voted] / n_voted[voted, None]
    own = [table.classes.index(label) for label in model.classes_]
    agree = scores[voted][:, own].argmax(axis=1) == expected.argmax(axis=1)
    clear = agree & (np.ptp(np.sort(scores[voted], axis=1)[:, -2:], axis=1) > 1e-9)
    np.testing.assert_allclose(model.oob_proba_[voted][clear], expected[clear], rtol=1e-9)
    assert np.isnan(model.oob_proba_[~voted]).all()
    wrong = winners(scores, model._priority) != truth
    if voted.any():
        error = weights[voted & wrong].sum() / weights[voted].sum()
        np.testing.assert_allclose(model.oob_error_, error, rtol=1e-12)
    else:
        assert np.isnan(model.oob_error_)


# -- more rounds ----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [name for name in COMMITTEES if "adaboost" in name])
@quick
@given(table=any_tables)
def test_a_warm_start_equals_fitting_at_once(name: str, table: Table) -> None:
    X, y, weights = frame_of(table), labels_of(table), table.weights
    make = COMMITTEES[name]
    warm = make(n_rounds=3, warm_start=True).fit(X, y, weights)
    first = list(warm.members_)
    warm.set_params(n_rounds=7).fit(X, y, weights)
    at_once = make(n_rounds=7).fit(X, y, weights)
    assert all(a is b for a, b in zip(first, warm.members_, strict=False))
    assert trees_of(warm) == trees_of(at_once)
    for name in ("votes_", "errors_", "_bounds", "margins_"):
        assert np.array_equal(getattr(warm, name), getattr(at_once, name))
    assert warm.stopped_ == at_once.stopped_
    assert np.array_equal(warm.predict_proba(X), at_once.predict_proba(X))


# -- weights --------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", REWEIGHTED.values(), ids=REWEIGHTED.keys())
@quick
@given(table=noisy_tables(), data=st.data())
def test_weight_two_is_the_row_twice(make: Factory, table: Table, data: st.DataObject) -> None:
    n = len(table.y)
    counts = data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n).filter(any))
    rows = np.repeat(np.arange(n), counts)
    X, y = frame_of(table), labels_of(table)
    weighted, repeated = make().fit(X, y, counts), make().fit(X.iloc[rows], y.iloc[rows])
    assert weighted.stopped_ == repeated.stopped_
    np.testing.assert_allclose(weighted.errors_, repeated.errors_, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(weighted._bounds, repeated._bounds, rtol=1e-9)
    assert np.array_equal(weighted.predict(X), repeated.predict(X))


# -- members of other packages --------------------------------------------------------------------


class Wrapped(ClassifierMixin, BaseEstimator):
    """C4.5 behind scikit-learn's interface: the committee can only fit it and predict."""

    def __init__(self, max_depth: int | None = None) -> None:
        self.max_depth = max_depth

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Wrapped:
        self.tree_ = wl.C45Classifier(max_depth=self.max_depth, min_objects=1, prune=False)
        self.tree_.fit(X, y, sample_weight)
        self.classes_ = self.tree_.classes_
        return self

    def predict(self, X: Any) -> Any:
        return self.tree_.predict(X)

    def predict_proba(self, X: Any) -> Any:
        return self.tree_.predict_proba(X)


FAST_AND_SLOW: dict[str, Any] = {
    "reweight": lambda member: wl.AdaBoostM1Classifier(member, 4),
    "classes": lambda member: wl.AdaBoostM1Classifier(member, 4, keep_class_weights=True),
    "resample": lambda m: wl.AdaBoostM1Classifier(m, 4, method="resample", random_state=0),
    "bagged": lambda member: wl.BaggedClassifier(member, 4, random_state=0),
}


@pytest.mark.parametrize("make", FAST_AND_SLOW.values(), ids=FAST_AND_SLOW.keys())
@quick
@given(table=noisy_tables(), depth=st.sampled_from([1, 2, None]))
def test_any_classifier_is_boosted_as_ours_are(make: Any, table: Table, depth: int | None) -> None:
    X, y = frame_of(table), labels_of(table).astype(str)
    fast = make(wl.C45Classifier(max_depth=depth, min_objects=1, prune=False))
    slow = make(Wrapped(depth))
    fast.fit(X, y, table.weights)
    slow.fit(X, y, table.weights)
    assert isinstance(slow.members_[0], Wrapped)
    # A sample may lack a class, and the least weight of a threshold depends on their number.
    assume(all(len(member.classes_) == len(fast.classes_) for member in slow.members_))
    for member, tree in zip(slow.members_, trees_of(fast), strict=True):
        text = difference(member.tree_.tree_.to_dict(), tree.to_dict())
        assert text is None, text
    for name in ("votes_", "margins_"):
        np.testing.assert_allclose(getattr(slow, name), getattr(fast, name), rtol=1e-12)
    assert np.array_equal(slow.predict(X), fast.predict(X))
    if fast._has_learned():  # what is a constant is not known of members of other packages
        np.testing.assert_allclose(slow.predict_proba(X), fast.predict_proba(X), rtol=1e-12)
    assert np.array_equal(list(slow.staged_predict(X)), list(fast.staged_predict(X)))


# -- probabilities --------------------------------------------------------------------------------


@for_all
@quick
@given(table=any_tables)
def test_the_predicted_class_has_the_largest_probability(make: Factory, table: Table) -> None:
    model, X = fitted(make, table), frame_of(table)
    for part in (model, model[:1], model[::-1]):
        probabilities = part.predict_proba(X)
        np.testing.assert_allclose(probabilities.sum(axis=1), 1.0, rtol=1e-12)
        assert np.array_equal(part.classes_[probabilities.argmax(axis=1)], part.predict(X))


@quick
@given(table=any_tables, vote=st.sampled_from(["equal", "confidence", "shares"]))
def test_bagging_has_the_mean_of_class_shares(table: Table, vote: str) -> None:
    X = frame_of(table)
    model = wl.BaggedClassifier(n_members=4, vote=vote, random_state=0)
    model.fit(X, labels_of(table), table.weights)
    mean = np.mean([member.predict_proba(X) for member in model.members_], axis=0)
    probabilities = model.predict_proba(X)
    order = np.sort(mean, axis=1)
    is_clear = order[:, -1] > order[:, -2] + 1e-9 if mean.shape[1] > 1 else np.full(len(X), True)
    agrees = is_clear & (model.classes_[mean.argmax(axis=1)] == model.predict(X))
    np.testing.assert_allclose(probabilities[agrees], mean[agrees], rtol=1e-9)
    if vote == "shares":
        assert agrees[is_clear].all()
    # Elsewhere the classes that are not predicted keep their proportions.
    for row in np.flatnonzero(~agrees):
        others = model.classes_ != model.predict(X)[row]
        product = np.outer(probabilities[row, others], mean[row, others])
        np.testing.assert_allclose(product, product.T, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("name", [*REWEIGHTED, "adaboost-resample", "boosted-forest"])
@quick
@given(table=any_tables)
def test_no_boosted_probability_is_zero_or_one(name: str, table: Table) -> None:
    model, X = fitted(COMMITTEES[name], table), frame_of(table)
    weights = np.bincount(labels_of(table).cat.codes, table.weights, len(table.classes))
    rates = np.array([weights[table.classes.index(label)] for label in model.classes_])
    occurs = rates > 1e-12 * rates.sum()
    probabilities = model.predict_proba(X)
    assert (probabilities[:, occurs] > 0).all()
    if occurs.sum() > 1 and rates.sum() < 1e9:
        assert (probabilities < 1).all()


@pytest.mark.parametrize("name", COMMITTEES)
def test_a_committee_that_learns_nothing_has_the_class_shares(name: str) -> None:
    X, y = np.zeros((40, 1)), np.array(["a"] * 28 + ["b"] * 12)
    with pytest.warns(UserWarning, match="learned nothing"):
        model = COMMITTEES[name]().fit(X, y)
    if name in REWEIGHTED:
        np.testing.assert_allclose(model.predict_proba(X), [[0.7, 0.3]] * 40, rtol=1e-12)
    else:  # the classes of samples differ from those of the table
        assert (np.abs(model.predict_proba(X)[:, 0] - 0.7) < 0.2).all()
