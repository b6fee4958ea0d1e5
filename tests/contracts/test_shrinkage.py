"""Hierarchical shrinkage: compared with an oracle, and its laws."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import weaklearn as wl
from contracts.oracle_table import frame_of, labels_of
from oracles.c45 import Table
from oracles.shrinkage import shrunk_shares
from strategies import tables

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
TITANIC = wl.datasets.load("titanic")
LAMBDAS = st.sampled_from([0.0, 0.25, 1.0, 7.5, 100.0, 1e6])


@st.composite
def trees(draw: st.DrawFn) -> wl.C45Classifier | wl.TopDownClassifier:
    missing = draw(st.sampled_from(["fraction", "branch"]))
    prune, depth = draw(st.booleans()), draw(st.sampled_from([None, 1, 3]))
    if draw(st.booleans()):
        return wl.TopDownClassifier(prune=prune, max_depth=depth, missing=missing)
    return wl.C45Classifier(min_objects=1, prune=prune, max_depth=depth, missing=missing)


def fitted(model: Any, table: Table, shrinkage: float) -> Any:
    model = model.set_params(shrinkage=shrinkage)
    return model.fit(frame_of(table), labels_of(table), table.weights or None)


def leaves_of(graph: Any) -> list[int]:
    return [node for node, _ in graph.walk() if graph.is_leaf(node)]


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(trees(), tables(max_rows=20), LAMBDAS.filter(bool))
def test_shares_of_leaves_are_those_of_the_oracle(model: Any, table: Table, shrinkage: float):
    graph = fitted(model, table, shrinkage).tree_
    expected = shrunk_shares(graph.to_dict(), list(graph.schema.classes), shrinkage)
    shares = graph.predicted_shares()
    np.testing.assert_allclose(shares[leaves_of(graph)], expected, atol=1e-9)
    np.testing.assert_allclose(shares.sum(axis=1), 1.0)
    assert (shares >= 0).all()


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(trees(), tables(max_rows=20), LAMBDAS)
def test_rows_get_the_shares_of_their_leaves(model: Any, table: Table, shrinkage: float):
    X = frame_of(table)
    model = fitted(model, table, shrinkage)
    graph = model.tree_
    leaves, mixed = graph.predicted_shares(), model.decision_path(X).toarray()
    only_leaves = mixed[:, leaves_of(graph)]
    known = only_leaves.sum(axis=1) > 0
    expected = only_leaves @ leaves[leaves_of(graph)]
    shares = graph.predict_class_shares(graph.encode(X))
    np.testing.assert_allclose(
        shares[known], (expected / expected.sum(axis=1, keepdims=True))[known], atol=1e-9
    )
    predicted = graph.predict_class_indices(graph.encode(X))
    best = shares.max(axis=1)
    assert (shares[np.arange(len(best)), predicted] >= best * (1 - 1e-6)).all()


@settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(trees(), tables(max_rows=20), LAMBDAS)
def test_splits_and_counts_stay(model: Any, table: Table, shrinkage: float):
    plain = fitted(model, table, 0.0).tree_
    shrunk = fitted(model, table, shrinkage).tree_
    for name in ("children", "value_branch", "missing_branch", "class_index", "class_weight"):
        np.testing.assert_array_equal(plain.arrays[name], shrunk.arrays[name])
    for name in ("split", "column", "threshold", "weight"):
        np.testing.assert_array_equal(plain.nodes[name], shrunk.nodes[name])
    assert (plain == shrunk) == (shrinkage == 0.0)
    # The label of a leaf is the class that it predicts, and its errors are those of this class.
    for leaf in leaves_of(shrunk):
        weights = dict(shrunk.class_weights(leaf))
        moved = weights.get(plain.label[leaf], 0.0) - weights.get(shrunk.label[leaf], 0.0)
        if shrunk.weight[leaf] > 0:
            np.testing.assert_allclose(shrunk.errors[leaf], plain.errors[leaf] + moved, atol=1e-9)
        best = shrunk.predicted_shares()[leaf]
        assert best[shrunk.label[leaf]] >= best.max() * (1 - 1e-6)


@pytest.mark.parametrize("model", [wl.C45Classifier(), wl.TopDownClassifier()])
def test_a_large_number_gives_the_shares_of_the_root(model: Any):
    model = model.set_params(shrinkage=1e12).fit(TITANIC.X, TITANIC.y)
    root = TITANIC.y.value_counts(normalize=True)[model.classes_].to_numpy()
    np.testing.assert_allclose(model.predict_proba(TITANIC.X), np.tile(root, (2201, 1)), atol=1e-6)
    assert set(model.predict(TITANIC.X)) == {"no"}


def test_files_and_pickles_keep_it(tmp_path):
    import pickle

    model = wl.C45Classifier(shrinkage=20).fit(TITANIC.X, TITANIC.y)
    model.save(tmp_path / "model.json")
    for again in (wl.load(tmp_path / "model.json"), pickle.loads(pickle.dumps(model))):
        assert again.tree_ == model.tree_
        assert again.tree_.shrinkage == 20.0
        np.testing.assert_array_equal(
            again.predict_proba(TITANIC.X), model.predict_proba(TITANIC.X)
        )


@pytest.mark.parametrize(
    ("stored", "message"),
    [
        ([-1.0], "its shrinkage is not a number >= 0"),
        ([1.0, 2.0], "it has more than one shrinkage"),
    ],
)
def test_damaged_files_are_refused(tmp_path, stored: list[float], message: str):
    model = wl.C45Classifier(shrinkage=20).fit(TITANIC.X, TITANIC.y)
    arrays = {**model.tree_.arrays, "shrinkage": np.array(stored)}
    with pytest.raises(ValueError, match=message):
        type(model.tree_).from_arrays(model.tree_.schema, arrays)


def test_a_program_cannot_have_it():
    table = wl.datasets.load("iris")
    program = (
        wl.BranchingProgramClassifier(merge="width", max_width=2).fit(table.X, table.y).program_
    )
    arrays = {**program.arrays, "shrinkage": np.array([1.0])}
    with pytest.raises(ValueError, match="shared nodes; expected a tree"):
        type(program).from_arrays(program.schema, arrays)


@pytest.mark.parametrize("vote", ["error", "confidence"])
def test_committees_of_shrunk_trees_count_the_predictions_of_their_members(vote: str):
    table = wl.datasets.load("iris")
    trees = wl.C45Classifier(shrinkage=30)
    model = wl.AdaBoostM1Classifier(trees, n_rounds=4, vote=vote).fit(table.X, table.y)
    members = model.member_predictions(table.X)
    for index, member in enumerate(model.members_):
        np.testing.assert_array_equal(
            model.classes_[members.classes[index]], member.predict(table.X)
        )
    if vote == "confidence":
        leaf = model.members_[0].tree_
        indices = leaf.apply(leaf.encode(table.X))
        weight = leaf.weight[indices]
        shares = leaf.predicted_shares()[indices].max(axis=1)
        expected = (shares * weight + 1) / (weight + 2)
        np.testing.assert_allclose(members.strengths[0], expected)


def test_it_improves_the_log_loss_of_a_deep_tree():
    from sklearn.metrics import log_loss

    table = wl.datasets.load("wine")
    train = np.arange(len(table.X)) % 3 > 0
    losses = []
    for shrinkage in (0.0, 5.0):
        model = wl.C45Classifier(prune=False, shrinkage=shrinkage)
        model.fit(table.X[train], table.y[train])
        losses.append(log_loss(table.y[~train], model.predict_proba(table.X[~train])))
    assert losses[1] < losses[0]


def test_release8_has_none():
    model = wl.C45Classifier(arithmetic="release8", shrinkage=1)
    with pytest.raises(ValueError, match="which has no shrinkage"):
        model.fit(TITANIC.X, TITANIC.y)
    with pytest.raises(ValueError, match="shrinkage=-1"):
        wl.C45Classifier(shrinkage=-1).fit(TITANIC.X, TITANIC.y)


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        ("x", "expected list"),
        (None, "expected list"),
        ([-1.0], "is not a number >= 0"),
        ([1.0, 2.0], "has 2 numbers, expected 1"),
        (["x"], "is not a list of"),
    ],
)
def test_a_damaged_file_is_refused(tmp_path: Path, wrong: Any, reason: str) -> None:
    model = wl.C45Classifier(shrinkage=5).fit([[1.0], [2.0]], ["a", "b"])
    path = tmp_path / "tree.json"
    model.save(path)
    content = json.loads(path.read_text())
    content["graph"]["shrinkage"] = wrong
    path.write_text(json.dumps(content))
    with pytest.raises(ValueError, match=reason):
        wl.load(path)
