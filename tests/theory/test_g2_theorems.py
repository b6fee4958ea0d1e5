"""The theorems of Henry, Nock and Nielsen, checked on fitted models."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from sklearn.base import clone

import weaklearn as wl
from contracts.oracle_table import frame_of, labels_of
from oracles.c45 import Table
from strategies import tables
from weaklearn.boosting.g2_loop import LARGEST_MU, BoostedHypotheses, boost

quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
pytestmark = pytest.mark.filterwarnings("ignore:.* does not separate values:UserWarning")
Numbers = NDArray[np.float64]
two_classes = tables(max_rows=25, max_columns=3).filter(
    lambda table: len(set(table.y)) == 2 and all(0.01 < w < 100 for w in table.weights)
)


class Path:
    """Random data on random paths: each node has given rows, and given outputs for them."""

    def __init__(self, rng: np.random.Generator, hypothesis: str) -> None:
        n_rows, n_nodes = int(rng.integers(2, 30)), int(rng.integers(1, 12))
        self.signs = rng.choice([-1.0, 1.0], n_rows)
        self.weights = rng.uniform(0.1, 3.0, n_rows)
        self.nodes = []
        for _ in range(n_nodes):
            rows = np.flatnonzero(rng.random(n_rows) < rng.uniform(0.2, 1.0))
            if len(rows) == 0:
                continue
            outputs = (
                rng.choice([-1.0, 1.0], len(rows))
                if hypothesis == "signs"
                else rng.normal(size=len(rows)) * rng.choice([1e-3, 1.0, 1e3])
            )
            self.nodes.append((rows, outputs))

    def boost(self) -> BoostedHypotheses:
        remaining = iter(self.nodes)

        def learn(rows: Any, weights: Numbers) -> tuple[Any, Numbers]:
            return None, next(remaining)[1]

        def nodes() -> Iterator[Any]:
            for rows, _ in self.nodes:
                yield rows

        return boost(nodes(), learn, self.signs, self.weights)

    def outputs(self, alphas: Numbers) -> Numbers:
        total = np.zeros(len(self.signs))
        for (rows, outputs), alpha in zip(self.nodes, alphas, strict=True):
            total[rows] += alpha * outputs
        return total


@quick
@given(st.integers(0, 2**32))
def test_boosting_signs_on_one_path_is_discrete_adaboost(seed: int) -> None:
    path = Path(np.random.default_rng(seed), "signs")
    all_rows = np.arange(len(path.signs))
    rng = np.random.default_rng(seed + 1)
    path.nodes = [(all_rows, rng.choice([-1.0, 1.0], len(all_rows))) for _ in range(5)]
    boosted = path.boost()
    weights = path.weights / path.weights.sum()
    for (_, outputs), mu, alpha in zip(path.nodes, boosted.mu, boosted.alphas, strict=True):
        wrong = outputs != path.signs
        error = weights[wrong].sum()
        if min(error, 1 - error) < 1e-9:  # discrete AdaBoost has no coefficient for it
            assert abs(mu) == pytest.approx(LARGEST_MU)
            return
        assert mu == pytest.approx(1 - 2 * error, abs=1e-12)
        assert alpha == pytest.approx(0.5 * np.log((1 - error) / error), abs=1e-9)
        weights = weights * np.exp(-alpha * path.signs * outputs)
        weights /= weights.sum()


@quick
@given(seed=st.integers(0, 2**32), theta=st.floats(-1.0, 0.999999))
def test_theorem_1_bounds_the_margin_error_on_any_paths(seed: int, theta: float) -> None:
    path = Path(np.random.default_rng(seed), "real")
    boosted = path.boost()
    margins = np.tanh(path.signs * path.outputs(boosted.alphas) / 2)
    error = path.weights[margins <= theta].sum() / path.weights.sum()
    assert error <= (1 + theta) / (1 - theta) * boosted.bound * (1 + 1e-9) + 1e-12


@quick
@given(seed=st.integers(0, 2**32))
def test_theorem_2_the_output_of_a_leaf_is_half_the_log_ratio_for_any_constants(seed: int) -> None:
    rng = np.random.default_rng(seed)
    path = Path(rng, "real")
    path.nodes = []
    leaves, open_nodes = [], [np.arange(len(path.signs))]
    while open_nodes:
        rows = open_nodes.pop(0)
        constant = rng.choice([-2.0, -1.0, 0.5, 1.0, 100.0])
        path.nodes.append((rows, np.full(len(rows), constant)))
        is_second = rng.random(len(rows)) < 0.5
        has_both = len(set(path.signs[rows].tolist())) == 2
        if has_both and 0 < is_second.sum() < len(rows) and rng.random() < 0.7:
            open_nodes += [rows[~is_second], rows[is_second]]
        else:
            leaves.append(rows)
    boosted = path.boost()
    outputs = path.outputs(boosted.alphas)
    loss = impurity = 0.0
    for rows in leaves:
        positive = path.weights[rows][path.signs[rows] > 0].sum()
        negative = path.weights[rows][path.signs[rows] < 0].sum()
        if positive > 0 and negative > 0:
            ratio = 0.5 * np.log(positive / negative)
            np.testing.assert_allclose(outputs[rows], ratio, rtol=1e-9, atol=1e-9)
            loss += (path.weights[rows] * np.exp(-path.signs[rows] * outputs[rows])).sum()
            share = positive / (positive + negative)
            impurity += (positive + negative) * float(wl.theory.km(share))
        else:
            assert (np.sign(outputs[rows]) == path.signs[rows]).all()
    assert loss == pytest.approx(impurity, rel=1e-9, abs=1e-12)


@quick
@given(seed=st.integers(0, 2**32))
def test_a_step_keeps_the_weight_of_its_rows_and_balances_the_hypothesis(seed: int) -> None:
    rng = np.random.default_rng(seed)
    signed = rng.choice([-1.0, 1.0], 12) * rng.uniform(0.1, 1.0, 12)
    outputs = rng.normal(size=12)
    mu, alpha, after = wl._core.g2_step(signed, outputs)
    assert np.abs(after).sum() == pytest.approx(np.abs(signed).sum())
    assert (np.sign(after) == np.sign(signed)).all()
    largest = np.abs(outputs).max()
    assert mu == pytest.approx((signed @ outputs) / (largest * np.abs(signed).sum()))
    assert np.tanh(alpha * largest) == pytest.approx(mu)


# -- the classifiers ------------------------------------------------------------------------------


def fitted(model: Any, table: Table) -> tuple[Any, pd.DataFrame, Any, Numbers]:
    X, y, weights = frame_of(table), labels_of(table), np.array(table.weights)
    return clone(model).fit(X, y, weights), X, y, weights


COMPOSED = {
    "separator": wl.RealAdaBoostClassifier(5),
    "tree": wl.BoostODTClassifier(3, 2),
    "default": wl.G2Classifier(graph=wl.SeparatorGraph(3)),
    "boosted trees": wl.G2Classifier(wl.BoostODTClassifier(2, 2), wl.SeparatorGraph(3)),
    "lists": wl.G2Classifier(
        wl.ConstantLearner(),
        wl.TreeGraph(wl.G2Classifier(wl.ConstantLearner(), wl.ListGraph(wl.StumpClassifier(), 3))),
    ),
    "program": wl.G2Classifier(
        wl.ConstantLearner(-0.5), wl.ProgramGraph(wl.RealAdaBoostClassifier(3), 3, max_width=2)
    ),
    "stumps in a tree": wl.G2Classifier(
        wl.RealAdaBoostClassifier(1), wl.TreeGraph(wl.StumpClassifier(), 2)
    ),
}


@pytest.mark.parametrize("name", COMPOSED)
@settings(quick, max_examples=25)
@given(table=two_classes, theta=st.floats(-1.0, 0.9999))
def test_theorem_1_holds_for_every_composition(name: str, table: Table, theta: float) -> None:
    model, X, y, weights = fitted(COMPOSED[name], table)
    error = wl.theory.margin_error(model, X, y, theta, sample_weight=weights)
    assert error <= wl.theory.margin_bound(model, theta) * (1 + 1e-9) + 1e-12
    wrong = weights[model.predict(X) != np.asarray(y)].sum() / weights.sum()
    assert wrong <= wl.theory.margin_error(model, X, y, 0.0, sample_weight=weights) + 1e-12


@settings(quick, max_examples=40)
@given(table=two_classes, n_rounds=st.sampled_from([1, 2, 6]))
def test_real_adaboost_is_a_composition(table: Table, n_rounds: int) -> None:
    model, X, y, weights = fitted(wl.RealAdaBoostClassifier(n_rounds), table)
    composed = model.as_g2().fit(X, y, weights)
    n = len(model.mu_)
    np.testing.assert_allclose(composed.mu_[:n], model.mu_, rtol=0, atol=1e-8)
    assert np.abs(composed.mu_[n:]).max(initial=0.0) < 1e-8  # no error remains to learn from
    ours, theirs = model.decision_function(X), composed.decision_function(X)
    np.testing.assert_allclose(theirs, ours, rtol=0, atol=1e-5)


@settings(quick, max_examples=40)
@given(table=two_classes, n_stumps=st.sampled_from([1, 3]), max_depth=st.sampled_from([1, 2, 3]))
def test_boost_odt_is_a_composition(table: Table, n_stumps: int, max_depth: int) -> None:
    model, X, y, weights = fitted(wl.BoostODTClassifier(n_stumps, max_depth), table)
    composed = model.as_g2().fit(X, y, weights)
    ours, theirs = model.decision_function(X), composed.decision_function(X)
    assert len(composed.graph_.nodes_) == model.tree_.n_nodes
    mixed = model.predict_proba(X).min(axis=1) > 0
    np.testing.assert_allclose(theirs[mixed], ours[mixed], rtol=0, atol=1e-8)
    # At pure leaves both outputs are limited, the composition starting from its parent's output.
    assert (np.sign(theirs[~mixed]) == np.sign(ours[~mixed])).all()


@quick
@given(table=two_classes)
def test_the_loss_of_an_oblique_tree_equals_its_impurity(table: Table) -> None:
    model, X, y, weights = fitted(wl.BoostODTClassifier(3, 2), table)
    signs = np.where(np.asarray(y) == model.classes_[-1], 1.0, -1.0)
    outputs = model.decision_function(X)
    loss = (weights * np.exp(-signs * outputs)).sum() / weights.sum()
    assert loss == pytest.approx(model.margin_bound_)
    cut_off = np.exp(-np.abs(outputs).max(initial=0.0))  # at pure leaves
    impurity = weights @ wl.theory.km(model.predict_proba(X)[:, 1]) / weights.sum()
    assert loss == pytest.approx(impurity, abs=2 * cut_off + 1e-9)


@quick
@given(table=two_classes)
def test_swapping_the_classes_changes_the_sign_of_the_output(table: Table) -> None:
    model, X, y, weights = fitted(wl.RealAdaBoostClassifier(4), table)
    other = {label: f"{9 - i}" for i, label in enumerate(table.classes)}
    mirrored = wl.RealAdaBoostClassifier(4).fit(X, [other[label] for label in y], weights)
    ours, theirs = model.decision_function(X), mirrored.decision_function(X)
    np.testing.assert_allclose(theirs, -ours, rtol=0, atol=1e-6)


@quick
@given(seed=st.integers(0, 2**32))
def test_only_the_order_of_values_matters(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(60, 3)).round(2)
    y = X[:, 0] + X[:, 1] ** 2 + rng.normal(scale=0.3, size=60) > 0.5
    if len(set(y)) < 2:
        return
    stretched = np.exp(X)
    for model in (wl.RealAdaBoostClassifier(8), wl.BoostODTClassifier(4, 2)):
        ours = model.fit(X, y).decision_function(X)
        assert model.fit(stretched, y).decision_function(stretched).tolist() == ours.tolist()


# -- margins --------------------------------------------------------------------------------------


def test_margins_of_a_decision_function_of_scikit_learn() -> None:
    from sklearn.linear_model import LogisticRegression

    X, y = np.array([[0.0], [1.0], [2.0], [3.0]]), np.array(["a", "b", "a", "b"])
    model = LogisticRegression().fit(X, y)
    probabilities = model.predict_proba(X)
    # If H is the log odds, the margin is the difference of the probabilities.
    expected = np.where(y == "b", 1, -1) * (probabilities[:, 1] - probabilities[:, 0])
    np.testing.assert_allclose(wl.theory.margins(model, X, y), expected)
    assert wl.theory.margin_error(model, X, y, 1.0) == 1.0
    assert wl.theory.margin_error(model, X, y, -1.0) == 0.0


def test_margins_of_more_than_two_classes_use_the_output_of_the_own_class() -> None:
    X, y = np.arange(9.0).reshape(-1, 1), np.repeat(["a", "b", "c"], 3)
    for model in (wl.RealAdaBoostClassifier(9), wl.BoostODTClassifier(9)):
        outputs = model.fit(X, y).decision_function(X)
        own = outputs[np.arange(9), np.repeat([0, 1, 2], 3)]
        assert wl.theory.margins(model, X, y).tolist() == np.tanh(own / 2).tolist()
        assert model.margins(X, y).tolist() == np.tanh(own / 2).tolist()
        with pytest.raises(TypeError, match="expected a fitted G2Classifier"):
            wl.theory.margin_bound(model)


def test_models_without_a_margin_bound_are_errors() -> None:
    X, y = [[0.0], [1.0]], ["a", "b"]
    with pytest.raises(TypeError, match="got C45Classifier, which has no margin bound"):
        wl.theory.margin_bound(wl.C45Classifier().fit(X, y))
    with pytest.raises(ValueError, match="expected numbers from -1 to below 1"):
        wl.theory.margin_bound(wl.RealAdaBoostClassifier().fit(X, y), 1.0)
