"""Kappa of pairs of members, the members that it chooses, and shifted votes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from oracles import pruning as oracle
from weaklearn import _core
from weaklearn.pruning.agreement import kappas_of
from weaklearn.pruning.methods.kappa import choose_by_kappa, shift_votes_to

quick = settings(max_examples=60, deadline=None)


@st.composite
def predictions(draw: st.DrawFn, n_classes: int = 3) -> Any:
    n_members, n_rows = draw(st.integers(1, 6)), draw(st.integers(1, 40))
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    common = rng.integers(0, n_classes, n_rows)
    noise = rng.integers(0, n_classes, (n_members, n_rows))
    strength = rng.choice([0.0, 0.2, 0.7, 1.0], (n_members, 1))
    return np.where(rng.random((n_members, n_rows)) < strength, noise, common).astype(np.int32)


@st.composite
def weighted_predictions(draw: st.DrawFn) -> Any:
    given_predictions = draw(predictions())
    choices = draw(st.sampled_from([[1.0], [0.0, 1.0, 2.0], [0.1, 0.3, 7.5], [1e-9, 1.0, 1e9]]))
    n_rows = given_predictions.shape[1]
    weights = draw(st.lists(st.sampled_from(choices), min_size=n_rows, max_size=n_rows).filter(any))
    return given_predictions, np.array(weights)


def noise(given_predictions: Any, weights: Any) -> Any:
    """Return how far kappas may be off: if nearly all rows have one class, digits are lost."""
    counts = np.array([np.bincount(row, weights, 3) for row in given_predictions])
    shares = counts / weights.sum()
    return 1e-12 / np.maximum(1.0 - shares @ shares.T, 1e-12)


@quick
@given(weighted=weighted_predictions())
def test_kappa_equals_that_of_the_contingency_table(weighted: Any) -> None:
    given_predictions, weights = weighted
    kappas = kappas_of(given_predictions, 3, weights)
    for i, a in enumerate(given_predictions.tolist()):
        for j, b in enumerate(given_predictions.tolist()):
            expected = oracle.kappa(a, b, weights.tolist(), 3)
            assert abs(kappas[i, j] - expected) <= noise(given_predictions, weights)[i, j]


@quick
@given(weighted=weighted_predictions())
def test_properties_of_kappa(weighted: Any) -> None:
    given_predictions, weights = weighted
    kappas = kappas_of(given_predictions, 3, weights)
    assert np.array_equal(kappas, kappas.T)
    assert (kappas >= -1).all()
    assert (kappas <= 1).all()
    twice = kappas_of(np.concatenate([given_predictions, given_predictions]), 3, weights)
    n_members = len(given_predictions)
    assert (np.diag(twice) == 1).all()
    assert (np.diag(twice, n_members) == 1).all()  # each member and its copy
    assert np.array_equal(
        twice, kappas_of(np.tile(given_predictions, (2, 1)), 3, weights, n_threads=3)
    )
    # Kappa does not depend on the names of the classes.
    renamed = kappas_of(np.array([2, 0, 1], np.int32)[given_predictions], 3, weights)
    assert (abs(renamed - kappas) <= noise(given_predictions, weights)).all()


def test_kappa_equals_that_of_scikit_learn() -> None:
    rng = np.random.default_rng(0)
    for n_classes in (2, 26, 300):  # codes above 256 do not fit into a byte
        given_predictions = rng.integers(0, n_classes, (4, 1000)).astype(np.int32)
        given_predictions[1, :700] = given_predictions[0, :700]
        weights = rng.random(1000)
        for row_weights in (None, weights):
            kappas = kappas_of(given_predictions, n_classes, row_weights)
            for i in range(4):
                for j in range(4):
                    a, b = given_predictions[i], given_predictions[j]
                    expected = cohen_kappa_score(a, b, sample_weight=row_weights)
                    assert kappas[i, j] == pytest.approx(expected, abs=1e-12)


def test_kappa_of_constant_members() -> None:
    same = np.zeros((2, 5), np.int32)
    assert (kappas_of(same, 2) == 1).all()
    other = np.array([[0] * 5, [1] * 5], np.int32)
    assert kappas_of(other, 2)[0, 1] == 0


def test_the_core_checks_its_input() -> None:
    no_weights = np.zeros(0)
    with pytest.raises(ValueError, match="a class for each row"):
        _core.count_agreements(np.zeros(5, np.int32), 2, no_weights)
    with pytest.raises(ValueError, match="a class for each row"):
        _core.count_agreements(np.zeros(5, np.int32), 0, no_weights)
    with pytest.raises(ValueError, match="out of range"):
        _core.count_agreements(np.array([0, -1], np.int32), 2, no_weights)
    with pytest.raises(ValueError, match="one weight per row"):
        _core.count_agreements(np.zeros(6, np.int32), 2, np.ones(2))


@quick
@given(given_predictions=predictions(), data=st.data())
def test_members_are_chosen_like_the_oracle_does_pair_by_pair(
    given_predictions: Any, data: Any
) -> None:
    n_members = len(given_predictions)
    size = data.draw(st.integers(1, n_members))
    votes = np.array(data.draw(st.lists(st.sampled_from([0.5, 1.0, 2.0]), min_size=6, max_size=6)))[
        :n_members
    ]
    kappas = kappas_of(given_predictions, 3)
    kept = choose_by_kappa(kappas, votes, size)
    assert kept.tolist() == oracle.choose_by_kappa(kappas.tolist(), votes.tolist(), size)
    assert len(kept) == size


@quick
@given(given_predictions=predictions(), data=st.data())
def test_shifting_votes_keeps_their_sum(given_predictions: Any, data: Any) -> None:
    n_members = len(given_predictions)
    kept = np.array(
        sorted(data.draw(st.sets(st.integers(0, n_members - 1), min_size=1))), dtype=np.intp
    )
    rng = np.random.default_rng(data.draw(st.integers(0, 1000)))
    votes = rng.random(n_members)
    kappas = kappas_of(given_predictions, 3)
    shifted = shift_votes_to(kept, kappas, votes)
    assert shifted.sum() == pytest.approx(votes.sum(), rel=1e-12)
    assert (shifted >= votes[kept]).all()
    expected = votes[kept].copy()
    for p in set(range(n_members)) - set(kept.tolist()):
        likeness = [max(kappas[p, q], 0.0) for q in kept]
        if not any(likeness):
            likeness = [1.0] * len(kept)
        expected += votes[p] * np.array(likeness) / sum(likeness)
    assert shifted == pytest.approx(expected, rel=1e-12)
