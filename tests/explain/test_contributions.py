"""What features contribute, compared with the definition and with the scores they add up to."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import weaklearn as wl
from models.test_rows_in_graphs import encoded, rows_for
from oracles.graph_walk import decision_path
from oracles.path_attribution import contributions
from random_graphs import graphs
from weaklearn.explain.contributions import node_values, of_graph, of_ruleset, of_separators
from weaklearn.models import Graph
from weaklearn.models.graph_committee import GraphCommittee

quick = settings(max_examples=100, suppress_health_check=[HealthCheck.too_slow])
FORMS = st.sampled_from(["label", "confidence", "shares"])


@quick
@given(graph=graphs(max_splits=6), form=FORMS, data=st.data())
def test_they_are_those_of_the_definition(graph: Graph, form: str, data: st.DataObject) -> None:
    # The shares of the branches of a split without weight are not defined.
    assume(all(graph.weight[n] > 0 or graph.is_leaf(n) for n in range(graph.n_nodes)))
    # Weights of random graphs do not add up. A share above 1 multiplies rounding errors.
    drawn = data.draw(rows_for(graph))
    rows = [row for row in drawn if max(decision_path(graph, row)) <= 1.0]
    assume(rows)
    n_classes = len(graph.schema.classes)
    priority = np.arange(n_classes, dtype=np.uint32)
    alone = GraphCommittee([graph], np.ones(1), form, priority)
    outputs = alone.count_votes(encoded(rows))
    got = of_graph(graph, encoded(rows), form)
    np.testing.assert_allclose(got.scores, outputs, rtol=0, atol=1e-9)
    for row, values, output in zip(rows, got.values, outputs, strict=True):
        base, expected = contributions(graph, row, output, form)
        np.testing.assert_allclose(got.base, base, rtol=0, atol=1e-12)
        np.testing.assert_allclose(values, expected, rtol=0, atol=1e-9)


def test_by_hand() -> None:
    table = wl.datasets.load("titanic")
    tree = wl.C45Classifier(max_depth=1).fit(table.X, table.y).tree_
    # There were 1731 men, of whom 1364 died, and 470 women, of whom 126 died.
    frame = pd.DataFrame(
        [["1st", "male", "adult"], ["1st", None, "adult"]], columns=["class", "sex", "age"]
    )
    rows = tree.encode(frame)
    found = of_graph(tree, rows)
    assert found.base == pytest.approx([1490 / 2201, 711 / 2201])
    assert found.values[0, 1] == pytest.approx([1364 / 1731 - 1490 / 2201, 367 / 1731 - 711 / 2201])
    assert found.values[1] == pytest.approx(0.0)  # what is missing changes no share
    votes = of_graph(tree, rows, "label")
    assert votes.base == pytest.approx([1731 / 2201, 470 / 2201])
    # The whole vote goes to one class, although 21 % of the row is on a leaf of the other.
    assert votes.values[1, 1] == pytest.approx([470 / 2201, -470 / 2201])


def test_the_value_of_the_root_is_the_mean_over_the_training_rows() -> None:
    table = wl.datasets.load("iris")
    tree = wl.C45Classifier().fit(table.X, table.y).tree_
    leaves = tree.apply(tree.encode(table.X))
    for form in ("label", "confidence", "shares"):
        values = node_values(tree, form)
        assert values[0] == pytest.approx(values[leaves].mean(axis=0))


def test_a_leaf_without_training_rows() -> None:
    X = pd.DataFrame({"u": ["a", "a", "b", "b"] * 3, "v": ["x", "y", "x", "z"] * 3})
    y = [1, 0, 0, 0] * 3  # only where u is a is v of use, and there it is never z
    tree = wl.C45Classifier(prune=False, min_objects=1).fit(X, y).tree_
    rows = tree.encode(pd.DataFrame({"u": ["a"], "v": ["z"]}))
    assert tree.weight[tree.apply(rows)[0]] == 0
    found = of_graph(tree, rows, "confidence")
    assert found.scores[0].max() == pytest.approx(0.5)  # the Laplace ratio of nothing
    assert found.scores[0].min() == pytest.approx(0.0)


def test_members_that_read_some_columns() -> None:
    table = wl.datasets.load("iris")
    model = wl.BaggedClassifier(wl.RulesClassifier(), 4, max_features=1, random_state=0)
    model.fit(table.X, table.y)
    columns = [model._voters.columns_of(i) for i in range(4)]
    for index, own in enumerate(columns):
        found = model[[index]].explain(table.X).contributions
        used = np.abs(found.values).sum(axis=(0, 2)) > 0
        assert np.flatnonzero(used).tolist() == own.tolist()
    assert len({int(own[0]) for own in columns}) > 1


def test_features_of_a_rule_share_the_change() -> None:
    table = wl.datasets.load("titanic")
    model = wl.RulesClassifier().fit(table.X, table.y)
    rows = model._encode(table.X)
    found = of_ruleset(model.ruleset_, rows, "shares")
    np.testing.assert_allclose(found.scores, model.predict_class_shares(rows), rtol=0, atol=1e-12)
    fired = model.ruleset_.first_match(rows)
    for values, position in zip(found.values[::50], fired[::50], strict=True):
        conditions = model.ruleset_.rules[position].conditions if position >= 0 else ()
        used = {condition.feature for condition in conditions}
        assert all(values[j] == pytest.approx(0.0) for j in {0, 1, 2} - used)
        assert len({values[j, 0] for j in used}) <= 1
    votes = of_ruleset(model.ruleset_, rows, "label")
    assert (votes.scores.argmax(axis=1) == model.predict_class_indices(rows)).all()


@pytest.mark.parametrize("name", ["titanic", "iris"])
def test_terms_of_separators(name: str) -> None:
    table = wl.datasets.load(name)
    X = table.X.astype(object).mask(np.random.default_rng(0).random(table.X.shape) < 0.2)
    model = wl.RealAdaBoostClassifier(20).fit(X, table.y)
    rows = model._encode(X)
    found = of_separators(model.separators_, rows)
    np.testing.assert_allclose(found.scores, model.class_outputs(rows), rtol=0, atol=1e-9)
    is_missing = X.isna().to_numpy()
    assert not found.values[is_missing].any()
    assert found.values[~is_missing].any()
