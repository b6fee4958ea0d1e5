"""Graphs with branches for missing values: files, damaged arrays, committees, refusals."""

from __future__ import annotations

import json
import pickle
import re

import numpy as np
import pandas as pd
import pytest

import weaklearn as wl
from weaklearn import _core
from weaklearn.models.graph import Graph

CELLS = pd.DataFrame(
    {
        "n": [1.0, 2.0, np.nan, 4.0, 5.0, np.nan, 7.0, 8.0] * 3,
        "c": ["r", None, "g", "r", "g", None, "b", "b"] * 3,
    }
)
CLASSES = list("abcaabcb") * 3


def model(**parameters):
    parameters = {"min_objects": 1, "prune": False, "missing": "branch", **parameters}
    return wl.C45Classifier(**parameters).fit(CELLS, CLASSES)


def tree(**parameters):
    graph = model(**parameters).tree_
    kinds = {graph.split_kind(node) for node in range(graph.n_nodes)}
    assert {"threshold", "multiway"} <= kinds
    return graph


def test_files_and_pickles_keep_the_branches(tmp_path):
    graph, estimator = tree(), model()
    graph.save(tmp_path / "tree.json")
    assert wl.load(tmp_path / "tree.json") == graph
    assert pickle.loads(pickle.dumps(graph)) == graph
    estimator.save(tmp_path / "model.json.gz")
    loaded = wl.load(tmp_path / "model.json.gz")
    assert loaded.missing == "branch"
    assert loaded.tree_ == estimator.tree_
    assert np.array_equal(loaded.predict_proba(CELLS), estimator.predict_proba(CELLS))


def test_a_file_of_fractions_is_as_before(tmp_path):
    graph = model(missing="fraction").tree_
    graph.save(tmp_path / "tree.json")
    assert "missing_branch" not in (tmp_path / "tree.json").read_text()
    assert wl.load(tmp_path / "tree.json") == graph
    # An empty list means the same.
    document = json.loads((tmp_path / "tree.json").read_text())
    document["graph"]["missing_branch"] = []
    (tmp_path / "other.json").write_text(json.dumps(document))
    assert wl.load(tmp_path / "other.json") == graph


def damaged(change):
    graph = tree()
    arrays = {name: array.copy() for name, array in graph.arrays.items()}
    change(graph, arrays)
    with pytest.raises(ValueError, match=r"\w") as caught:
        Graph.from_arrays(graph.schema, arrays)
    return str(caught.value)


def first(graph, kind):
    return next(node for node in range(graph.n_nodes) if graph.split_kind(node) == kind)


def set_branch(kind, branch):
    def change(graph, arrays):
        arrays["missing_branch"][first(graph, kind)] = branch

    return change


@pytest.mark.parametrize("branch", [-2, -1, 2, 2**31 - 1, -(2**31)])
def test_a_branch_that_does_not_exist(branch):
    assert "its missing branch does not exist" in damaged(set_branch("threshold", branch))


@pytest.mark.parametrize("branch", [0, -2])
def test_a_leaf_with_a_branch(branch):
    assert "has no missing branch" in damaged(set_branch("leaf", branch))


def test_too_few_branches():
    def drop_last(graph, arrays):
        arrays["missing_branch"] = arrays["missing_branch"][:-1]

    assert re.search(r"\d+ nodes, but \d+ missing branches", damaged(drop_last))


def test_a_multiway_split_with_a_branch_that_nothing_takes():
    graph = tree()
    node = next(
        node
        for node in range(graph.n_nodes)
        if graph.split_kind(node) == "multiway"
        and len(graph.children(node)) > len(graph.feature_of(node).values)
    )

    def redirect(_, arrays):
        arrays["missing_branch"][node] = 0

    def forget(_, arrays):
        arrays["missing_branch"] = arrays["missing_branch"][:0]

    for change in (redirect, forget):
        assert "a multiway split needs one branch per value" in damaged(change)


def test_a_list_that_holds_no_numbers(tmp_path):
    tree().save(tmp_path / "tree.json")
    document = json.loads((tmp_path / "tree.json").read_text())
    for wrong in (None, 7, "abc", ["1"], [1.5]):
        document["graph"]["missing_branch"] = wrong
        (tmp_path / "tree.json").write_text(json.dumps(document))
        with pytest.raises(ValueError, match='its "missing_branch" is'):
            wl.load(tmp_path / "tree.json")


def test_members_of_a_committee_may_differ():
    """A forest holds trees of both kinds, each with its own rule."""
    trees = [model(missing=missing).tree_ for missing in ("fraction", "branch", "fraction")]
    rows = trees[0].encode(CELLS)
    together = _core.Forest([graph.core for graph in trees])
    classes = together.predict_members(rows.arrays, rows.n_rows)[0]
    classes = np.asarray(classes).reshape(3, -1)
    for graph, predicted in zip(trees, classes, strict=True):
        assert np.array_equal(graph.predict_class_indices(rows), predicted)


def test_committees_of_such_trees():
    committee = wl.AdaBoostM1Classifier(wl.C45Classifier(missing="branch"), n_rounds=3)
    committee.fit(CELLS, CLASSES)
    assert all(m.tree_.has_missing_branches for m in committee.members_)
    paths, _ = committee.decision_path(CELLS)
    assert set(paths.data) == {1.0}


def test_release8_refuses():
    with pytest.raises(ValueError, match=r"has no missing='branch': use missing='fraction'"):
        wl.C45Classifier(missing="branch", arithmetic="release8").fit(CELLS, CLASSES)


@pytest.mark.parametrize(
    "estimator",
    [
        wl.C45Classifier(missing="branch"),
        wl.TopDownClassifier(missing="branch"),
        wl.BaggedClassifier(wl.C45Classifier(missing="branch"), n_members=2),
    ],
)
def test_rules_refuse(estimator):
    with pytest.raises(ValueError, match="must have missing='fraction'"):
        wl.RulesClassifier(estimator=estimator).fit(CELLS, CLASSES)
    estimator.fit(CELLS, CLASSES)
    with pytest.raises(ValueError, match="fit the model with missing='fraction'"):
        wl.rules.simplify(estimator, CELLS, CLASSES)


def test_columns_of_one_value_are_not_suspicious_if_cells_are_missing():
    frame = pd.DataFrame({"x": ["y", None] * 20, "n": [np.nan, 1.0] * 20, "same": ["z"] * 40})
    classes = ["a", "b"] * 20
    with pytest.warns(UserWarning, match="column 'same' has no two different values"):
        tree = wl.C45Classifier(missing="branch").fit(frame, classes).tree_
    assert tree.to_text().splitlines()[0].startswith("x = y: a")
    with pytest.warns(UserWarning, match="columns 'n', 'x', 'same' have no two different values"):
        wl.C45Classifier().fit(frame, classes)


def test_what_is_said_of_a_table_that_taught_nothing():
    frame = pd.DataFrame({"x": [1.0, np.nan] * 4})
    for missing, cause in (("fraction", "no column has two"), ("branch", "no split tells")):
        with pytest.warns(UserWarning, match=cause):
            wl.C45Classifier(missing=missing, prune=False).fit(frame, list("aabbaabb"))
