"""The methods apply and decision_path of classifiers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.tree import DecisionTreeClassifier

import weaklearn as wl

rng = np.random.default_rng(0)
X = pd.DataFrame({"a": rng.normal(size=300), "b": rng.normal(size=300)})
X["c"] = rng.choice(["red", "green", "blue"], 300)
y = np.where((X["a"] > 0) & (X["c"] != "red"), "yes", "no")
HOLES = X.mask(rng.random(X.shape) < 0.2)

SINGLE = [
    wl.C45Classifier(),
    wl.C45Classifier(subset=True),
    wl.StumpClassifier(),
    wl.TopDownClassifier(),
    wl.BranchingProgramClassifier(),
    wl.OC1Classifier(random_state=0),
    wl.BoostODTClassifier(),
]


@pytest.mark.parametrize("model", SINGLE, ids=repr)
def test_a_row_ends_at_the_leaf_that_predicts_its_class(model: Any) -> None:
    graph = model.fit(X, y).graph_
    leaves, paths = model.apply(X), model.decision_path(X)
    assert leaves.shape == (300,)
    assert all(graph.is_leaf(leaf) for leaf in leaves)
    assert paths.shape == (300, graph.n_nodes)
    assert set(paths.data) == {1.0}
    assert np.array_equal(paths.max(axis=0).toarray()[0] > 0, graph.weight > 0)
    shares = model.predict_class_shares(model._encode(X))
    for leaf, row in zip(leaves, shares, strict=True):
        weights = np.zeros(2)
        for k, weight in graph.class_weights(leaf):
            weights[k] = weight
        np.testing.assert_allclose(row, weights / weights.sum())


@pytest.mark.parametrize("model", SINGLE, ids=repr)
def test_shares_of_rows_with_missing_values_sum_to_one(model: Any) -> None:
    graph = model.fit(HOLES, y).graph_
    paths = model.decision_path(HOLES).toarray()
    is_leaf = np.array([graph.is_leaf(node) for node in range(graph.n_nodes)])
    np.testing.assert_allclose(paths[:, is_leaf].sum(axis=1), 1.0)
    assert (paths[:, 0] == 1.0).all()
    at_leaves = np.where(is_leaf, paths, 0.0)
    assert np.array_equal(model.apply(HOLES), at_leaves.argmax(axis=1))


def test_a_committee_has_a_column_for_each_member() -> None:
    model = wl.AdaBoostM1Classifier(n_rounds=5, random_state=0).fit(HOLES, y)
    leaves = model.apply(HOLES)
    paths, n_nodes_ptr = model.decision_path(HOLES)
    assert leaves.shape == (300, len(model))
    assert paths.shape == (300, n_nodes_ptr[-1])
    for i, member in enumerate(model.members_):
        assert np.array_equal(leaves[:, i], member.apply(HOLES))
        part = paths[:, n_nodes_ptr[i] : n_nodes_ptr[i + 1]]
        assert (part != member.decision_path(HOLES)).nnz == 0


def test_members_that_are_not_graphs_have_no_nodes_here() -> None:
    model = wl.AdaBoostM1Classifier(DecisionTreeClassifier(max_depth=1), n_rounds=3)
    model.fit(X[["a", "b"]], y)
    for method in (model.apply, model.decision_path):
        with pytest.raises(TypeError, match=r"need members that are graphs, such as .*members_"):
            method(X[["a", "b"]])


def test_a_pruned_committee_has_those_of_the_members_it_keeps() -> None:
    committee = wl.AdaBoostM1Classifier(n_rounds=5)
    model = wl.PrunedClassifier(committee, "first_rounds", size=2).fit(HOLES, y)
    leaves = model.apply(HOLES)
    assert leaves.shape == (300, 2)
    paths, n_nodes_ptr = model.decision_path(HOLES)
    for i, member in enumerate(model.estimators_):
        assert leaves[:, i].tolist() == member.apply(HOLES).tolist()
        part = paths[:, n_nodes_ptr[i] : n_nodes_ptr[i + 1]]
        assert (part != member.decision_path(HOLES)).nnz == 0
