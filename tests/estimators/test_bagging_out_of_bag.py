"""Out-of-bag votes of bagging: whose they are, when they are computed, and what they keep."""

from __future__ import annotations

import gc
import pickle
import warnings
import weakref

import numpy as np
import pytest
from sklearn.datasets import load_iris

import weaklearn as wl

IRIS = load_iris(return_X_y=True)


def test_a_warning_if_rows_have_no_out_of_bag_votes() -> None:
    X, y = IRIS
    model = wl.BaggedClassifier(n_members=3, random_state=0).fit(X, y)
    lacking = model._oob.n_lacking
    assert lacking > 0
    with pytest.warns(UserWarning, match=f"{lacking} of 150 rows have no out-of-bag vote.*n_memb"):
        model.oob_error_  # noqa: B018
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.oob_error_  # noqa: B018
        model.oob_proba_  # noqa: B018
        for n_members in (10, 60):
            enough = wl.BaggedClassifier(n_members=n_members, random_state=0).fit(X, y)
            assert enough.oob_score_ > 0.9
    everything = wl.BaggedClassifier(n_members=2, bootstrap=False).fit(X, y)
    with pytest.warns(UserWarning, match=r"150 of 150 rows.*Use bootstrap=True, or a smaller max"):
        assert np.isnan(everything.oob_score_)
    assert not hasattr(model[:2], "oob_error_")
    assert not hasattr(wl.BaggedClassifier(), "oob_proba_")
    assert pickle.loads(pickle.dumps(model)).oob_error_ == model.oob_error_


@pytest.mark.parametrize("max_bins", [None, 20])
@pytest.mark.parametrize("missing", [0.0, 0.2])
def test_out_of_bag_probabilities_are_those_of_the_rows_that_samples_lack(
    max_bins: int | None, missing: float
) -> None:
    random = np.random.default_rng(0)
    X = random.normal(size=(400, 4))
    y = (X[:, 0] + random.normal(size=400) > 0).astype(int)
    X[random.random(X.shape) < missing] = np.nan
    weights = random.integers(0, 3, 400)
    tree = wl.C45Classifier(max_bins=max_bins)
    model = wl.BaggedClassifier(tree, n_members=10, random_state=0).fit(X, y, weights)
    sums, votes = np.zeros((400, 2)), np.zeros((400, 2))
    for member, sample in zip(model.members_, model.estimators_samples_, strict=True):
        absent = np.setdiff1d(np.flatnonzero(weights), sample)
        sums[absent] += member.predict_proba(X[absent])
        votes[absent, member.predict(X[absent])] += 1
    sums, votes = sums[weights > 0], votes[weights > 0]
    lacking = votes.sum(axis=1) == 0
    assert np.array_equal(np.isnan(model.oob_proba_[:, 0]), lacking)
    # Where the mean is larger for a class with fewer votes, probabilities are changed.
    clear = (votes[:, 0] != votes[:, 1]) & (sums.argmax(axis=1) == votes.argmax(axis=1)) & ~lacking
    expected = sums[clear] / votes[clear].sum(axis=1, keepdims=True)
    assert clear.sum() > 100
    np.testing.assert_allclose(model.oob_proba_[clear], expected, rtol=1e-12)


def test_out_of_bag_probabilities_are_computed_when_they_are_read() -> None:
    X, y = IRIS[0].copy(), IRIS[1]
    model = wl.BaggedClassifier(n_members=5, random_state=0).fit(X, y)
    assert model._later_oob_proba._compute is not None
    copied = pickle.loads(pickle.dumps(model))
    X[:] = 0.0  # the codes of the rows are kept, not the table of the user
    assert np.array_equal(model.oob_proba_, copied.oob_proba_, equal_nan=True)
    assert model._later_oob_proba._compute is None
    wrong = model.oob_proba_.argmax(axis=1) != y
    voted = ~np.isnan(model.oob_proba_[:, 0])
    assert wrong[voted].mean() == pytest.approx(model.oob_error_, abs=0.02)
    # Votes for shares, and costs, need the shares for the error as well.
    for options in ({"vote": "shares"}, {"costs": {(0, 1): 5.0}}):
        eager = wl.BaggedClassifier(n_members=5, random_state=0, **options).fit(*IRIS)
        assert not hasattr(eager, "_later_oob_proba")
        assert eager.oob_proba_.shape == (150, 3)


def test_out_of_bag_probabilities_do_not_keep_earlier_fits_or_other_rows() -> None:
    model = wl.BaggedClassifier(n_members=20, random_state=0).fit(*IRIS)
    member = weakref.ref(model.members_[0])
    model.fit(*IRIS)
    gc.collect()
    assert member() is None
    held = np.array(IRIS[0])
    row_of_eval_set = weakref.ref(held)
    model.set_params(n_members="auto", metric="error").fit(*IRIS, eval_set=(held, IRIS[1]))
    del held
    gc.collect()
    assert row_of_eval_set() is None


def test_weights_that_change_after_the_fit_change_nothing() -> None:
    weights = np.arange(1.0, 151.0)
    model = wl.BaggedClassifier(n_members=20, random_state=0).fit(*IRIS, weights)
    expected = wl.BaggedClassifier(n_members=20, random_state=0).fit(*IRIS, weights.copy())
    weights[:] = 0.0
    assert np.array_equal(model.oob_proba_, expected.oob_proba_, equal_nan=True)
    pairs = zip(model.estimators_samples_, expected.estimators_samples_, strict=True)
    assert all(np.array_equal(one, other) for one, other in pairs)


def test_rows_outside_the_sample_are_out_of_bag() -> None:
    X, y = IRIS
    model = wl.BaggedClassifier(n_members=3, random_state=0).fit(X, y)
    absent = sum(~np.isin(np.arange(len(y)), rows) for rows in model.estimators_samples_)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)
        assert np.array_equal(np.isnan(model.oob_proba_[:, 0]), absent == 0)
