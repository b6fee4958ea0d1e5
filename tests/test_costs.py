"""The matrix of costs and the mean cost of predictions."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import weaklearn as wl
from weaklearn.costs import cost_matrix, mean_cost
from weaklearn.models.cost_rule import CostRule

COSTS = {("a", "b"): 2.0, ("b", "a"): 5.0, ("a", "c"): 0.0}
labels = st.lists(st.sampled_from("abc"), min_size=1, max_size=12)


def test_pairs_that_are_not_listed_cost_1() -> None:
    expected = [[0, 2, 0], [5, 0, 1], [1, 1, 0]]
    assert cost_matrix(COSTS, ["a", "b", "c"]).tolist() == expected
    # The order of the classes is that of the result.
    assert cost_matrix(COSTS, ["c", "b", "a"]).tolist() == [[0, 1, 1], [1, 0, 5], [0, 2, 0]]


def test_a_matrix_is_in_the_order_of_the_sorted_classes() -> None:
    given = [[0.0, 2.0], [5.0, 0.0]]
    assert cost_matrix(given, ["b", "a"]).tolist() == [[0, 5], [2, 0]]
    # Declared classes that do not occur need no row.
    with_absent = cost_matrix(given, ["z", "b", "a"], ["b", "a"])
    assert with_absent.tolist() == [[0, 1, 1], [1, 0, 5], [1, 2, 0]]


@given(labels, labels, st.data())
def test_the_mean_cost_is_a_weighted_mean_over_rows(
    true: list[str], predicted: list[str], data: st.DataObject
) -> None:
    n = min(len(true), len(predicted))
    true, predicted = true[:n], predicted[:n]
    weights = data.draw(st.lists(st.integers(1, 5), min_size=n, max_size=n))
    each = [0.0 if t == p else COSTS.get((t, p), 1.0) for t, p in zip(true, predicted, strict=True)]
    expected = sum(w * c for w, c in zip(weights, each, strict=True)) / sum(weights)
    costs = {**COSTS, ("c", "a"): 1.0}  # names every class
    assert mean_cost(true, predicted, costs, weights) == pytest.approx(expected)
    assert mean_cost(true, true, costs) == 0


def test_the_mean_cost_takes_series_and_categories() -> None:
    true = pd.Series(["well", "sick"], dtype=pd.CategoricalDtype(["sick", "well"]))
    assert mean_cost(true, np.array(["well", "well"]), {("sick", "well"): 8}) == 4.0


def test_wrong_costs_are_refused() -> None:
    with pytest.raises(ValueError, match=r"mean_cost\(costs=.*a square matrix with zeros"):
        mean_cost(["a"], ["b"], [[1, 2], [3, 4]])
    with pytest.raises(ValueError, match="names 'd', which is not a class"):
        mean_cost(["a", "c"], ["b", "a"], {("d", "a"): 2})


def test_ties_of_expected_cost_go_to_the_lower_index() -> None:
    rule = CostRule(1 - np.eye(3), np.ones(3))
    shares = np.array([[0.2, 0.4, 0.4], [0.4, 0.4, 0.2], [0.1 + 0.2, 0.3, 0.4]])
    assert rule.cheapest(shares).tolist() == [1, 0, 2]


def test_a_class_without_training_rows_is_not_predicted() -> None:
    """Even if its errors are free: class 2 costs nothing whatever the row is."""
    costs = np.array([[0.0, 3.0, 0.0], [3.0, 0.0, 0.0], [1.0, 1.0, 0.0]])
    rule = CostRule(costs, np.array([3.0, 3.0, 0.0]))
    assert rule.cheapest(np.array([[0.4, 0.6, 0.0]])).tolist() == [1]


def test_declared_classes_in_another_order() -> None:
    X = np.random.default_rng(0).normal(size=(200, 2))
    sick = X[:, 0] + np.random.default_rng(1).normal(size=200) > 0.8
    y = pd.Series(np.where(sick, "sick", "healthy"))
    declared = y.astype(pd.CategoricalDtype(["sick", "dead", "healthy"]))
    matrix = [[0, 1], [9, 0]]  # healthy, sick: the order of classes_
    plain = wl.C45Classifier(costs={("sick", "healthy"): 9}).fit(X, y)
    by_matrix = wl.C45Classifier(costs=matrix).fit(X, y)
    in_order = wl.C45Classifier(costs=matrix).fit(X, declared)
    assert np.array_equal(by_matrix.predict_proba(X), plain.predict_proba(X))
    assert np.array_equal(by_matrix.predict(X), plain.predict(X))
    assert set(in_order.predict(X)) == {"sick", "healthy"}
    assert (in_order.predict(X) == "sick").sum() > sick.sum()


def test_mean_cost_falls_with_costs() -> None:
    chance = np.random.default_rng(3)
    X = chance.normal(size=(1500, 3))
    y = np.digitize(X[:, 0] + X[:, 1] + chance.normal(size=1500), [0.5, 2.0])
    costs = {(2, 0): 10.0, (2, 1): 4.0, (1, 0): 2.0}
    train, test = slice(0, 800), slice(800, None)
    for learner in (wl.C45Classifier(), wl.BaggedClassifier(random_state=0)):
        plain = learner.fit(X[train], y[train]).predict(X[test])
        cheap = learner.set_params(costs=costs).fit(X[train], y[train]).predict(X[test])
        learner.set_params(costs=None)
        assert mean_cost(y[test], cheap, costs) < mean_cost(y[test], plain, costs)
