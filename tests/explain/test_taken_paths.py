"""The paths that rows take, compared with the rules of the graph and its decision paths."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import weaklearn as wl
from models.test_rows_in_graphs import encoded, rows_for
from random_graphs import graphs

quick = settings(max_examples=60, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def frames(draw):
    """Draw a table with two nominal and two continuous columns, and its classes."""
    n_rows = draw(st.integers(2, 25))

    def column(values):
        return draw(st.lists(st.sampled_from(values), min_size=n_rows, max_size=n_rows))

    frame = pd.DataFrame(
        {
            "u": column(["a", "b", "c", None]),
            "v": column(["x", "y", None]),
            "w": column([0.0, 1.0, 2.0, 3.5, np.nan]),
            "z": column([-1.0, 0.25, 4.0]),
        }
    )
    return frame.astype({"u": "object", "v": "object"}), column(["no", "yes", "perhaps"])


@pytest.mark.filterwarnings("ignore::UserWarning")
@given(frames(), st.sampled_from(["tree", "subset", "program"]))
def test_shares_are_those_of_the_decision_path(table, kind):
    frame, classes = table
    nominal = ["u", "v"]
    model = {
        "tree": wl.C45Classifier(min_objects=1, prune=False, nominal=nominal),
        "subset": wl.C45Classifier(min_objects=1, prune=False, subset=True, nominal=nominal),
        "program": wl.BranchingProgramClassifier(nominal=nominal),
    }[kind].fit(frame, classes)
    graph = model.graph_
    visited = model.decision_path(frame).toarray()
    leaves = [node for node in range(graph.n_nodes) if graph.is_leaf(node)]
    predicted = model.predict(frame)
    for row, explanation in enumerate(model.explain(frame)):
        reason = explanation.reason
        shares = np.zeros(graph.n_nodes)
        for path in reason.paths:
            shares[path.leaf] += path.share
        np.testing.assert_allclose(shares[leaves], visited[row, leaves], atol=1e-9)
        assert explanation.label == reason.label == predicted[row]


@quick
@given(graph=graphs(max_splits=6), data=st.data())
def test_shares_and_leaves_give_the_prediction(graph, data):
    # The shares of the branches of a split without weight are not defined.
    assume(all(graph.weight[n] > 0 or graph.is_leaf(n) for n in range(graph.n_nodes)))
    rows = encoded(data.draw(rows_for(graph)))
    predicted = graph.predict_class_shares(rows)
    at_leaf = graph.predicted_shares()
    for reason, shares in zip(graph.reasons(rows), predicted, strict=True):
        mixed = sum(path.share * at_leaf[path.leaf] for path in reason.paths)
        if reason.paths:
            np.testing.assert_allclose(mixed, shares, rtol=0, atol=1e-9)


def test_a_row_without_missing_values_takes_the_path_of_one_rule():
    table = wl.datasets.load("titanic")
    model = wl.C45Classifier().fit(table.X, table.y)
    rules = {tuple(map(str, rule.conditions)) for rule in model.tree_.rules()}
    for explanation in model.explain(table.X[::100]):
        reason = explanation.reason
        (path,) = reason.paths
        assert tuple(map(str, path.conditions)) in rules
        assert path.share == 1.0
        assert repr(reason) == f"<TakenPaths: {reason.text}>"


def test_one_leaf():
    with pytest.warns(UserWarning, match="learned nothing"):
        model = wl.C45Classifier().fit([[1.0], [1.0], [1.0]], ["a", "a", "b"])
    assert model.explain([[2.0]])[0].text == (
        "a, because every row ends in one leaf (2 of 3 training rows)"
    )


def test_a_missing_value_that_takes_a_branch_is_named():
    colours = ["red", "red", "blue", "blue", None, None] * 5
    X = pd.DataFrame({"colour": colours, "size": [1.0, 2.0, 3.0, 4.0, np.nan, 4.0] * 5})
    y = ["no" if colour == "red" else "yes" for colour in colours]
    model = wl.C45Classifier(missing="branch", subset=True).fit(X, y)
    assert str(model.tree_.rules()[0].conditions[0]) == "colour = blue or missing"
    texts = [e.reason.paths[0].conditions_text for e in model.explain(X[2:5])]
    assert texts == ["colour = blue", "colour = blue", "colour missing"]
    unseen = pd.DataFrame({"colour": ["green"], "size": [1.0]})
    assert model.explain(unseen)[0].reason.paths[0].conditions_text == "colour missing"


def test_long_sets_of_values_are_cut():
    codes = [f"v{i % 16}" for i in range(160)]
    classes = [int(code[1:]) % 2 for code in codes]
    with pytest.warns(UserWarning, match="determine the class"):
        model = wl.C45Classifier(subset=True).fit(pd.DataFrame({"code": codes}), classes)
    path = model.explain(pd.DataFrame({"code": ["v2"]}))[0].reason.paths[0]
    assert path.conditions_text == "code in {v0, v10, v12, v14, v2, v4, ... and 2 more}"
    assert "v6, v8" in path.to_dict()["conditions"][0]
