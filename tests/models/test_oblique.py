"""Oblique splits: sums over features, made by hand, in files, and as text."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any, Literal

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weaklearn as wl
from models.test_rows_in_graphs import encoded, rows_for
from models.version_1 import version_1_document
from oracles.graph_walk import branch_of, sum_of
from random_graphs import SCHEMA, graphs
from weaklearn.models import Graph
from weaklearn.models.graph_committee import GraphCommittee
from weaklearn.schema import Feature

FEATURES = {"x": "continuous", "y": "continuous", "hue": ["red", "green", "blue"]}


def by_hand() -> Graph:
    """2 x, plus a score by y, plus a score by hue, above 1."""
    builder = wl.GraphBuilder(FEATURES, ["no", "yes"])
    no, yes = builder.leaf({"no": 3, "yes": 1}), builder.leaf({"yes": 4})
    terms = {"x": 2.0, "y": ([0.0, 5.0], [-1.0, 0.0, 1.0]), "hue": {"red": 0.5, "blue": -0.5}}
    return builder.build(builder.oblique(terms, 1.0, no, yes, missing={"x": 1.0, "hue": 0.25}))


def test_a_sum_by_hand() -> None:
    frame = pd.DataFrame(
        {
            "x": [0.5, 0.5, 0.5, 1.0, math.nan, math.nan, 0.0],
            "y": [0.0, 5.0, 5.1, math.nan, 3.0, 3.0, 6.0],
            "hue": ["red", "red", "green", "blue", "green", None, "green"],
        }
    )
    # Sums: 0.5, 1.5, 2, 1.5, 1, 1.25, 1. A sum equal to the threshold takes the first branch.
    expected = ["no", "yes", "yes", "yes", "no", "yes", "no"]
    graph = by_hand()
    assert graph.predict(frame).tolist() == expected
    shares = graph.predict_proba(frame)
    assert shares.tolist() == [[0.75, 0.25] if label == "no" else [0, 1] for label in expected]
    rule_counts = [(rule.weight, rule.errors) for rule in graph.rules(frame, expected)]
    assert rule_counts == [(3.0, 0.0), (4.0, 0.0)]


@pytest.mark.parametrize("precision", ["single", "double"])
def test_a_cut_belongs_to_the_interval_below_it(precision: Literal["single", "double"]) -> None:
    x = Feature("x", "continuous", precision=precision)
    builder = wl.GraphBuilder([x], ["no", "yes"])
    no, yes = builder.leaf("no"), builder.leaf("yes")
    graph = builder.build(builder.oblique({"x": ([0.1, 0.2], [-1.0, 1.0, -1.0])}, 0.0, no, yes))
    step = np.nextafter(np.float32(0.1), np.float32(1.0)) - np.float32(0.1)
    little = float(step) / 4  # lost in single precision
    frame = pd.DataFrame({"x": [0.1, 0.1 + little, 0.1 + float(step), 0.2, 0.2 + little, 0.3]})
    above = "no" if precision == "single" else "yes"
    below = "yes" if precision == "single" else "no"
    assert graph.predict(frame).tolist() == ["no", above, "yes", "yes", below, "no"]


def test_a_row_is_not_divided_if_all_values_are_missing() -> None:
    frame = pd.DataFrame({"x": [math.nan], "y": [math.nan], "hue": [None]})
    graph = by_hand()  # the sum is 1 + 0 + 0.25
    assert graph.predict_proba(frame).tolist() == [[0.0, 1.0]]


def test_terms_are_shown_by_influence() -> None:
    graph = by_hand()
    assert graph.to_text() == (
        "[C1] <= 1 : no (4.0/1.0)\n"
        "[C1] > 1 : yes (4.0)\n\n\n"
        "Sum [C1]\n\n"
        "x: 2 times its value; 1 if missing\n"
        "y: -1 up to 0, 0 up to 5, 1 above\n"
        "hue: -0.5 = blue, 0 = green, 0.5 = red; 0.25 if missing"
    )
    assert str(graph.rules()[1]) == "if score of x, y, hue > 1 then yes (n=4.0, e=0.0)"
    assert 'label="score of x, y, hue"' in graph.to_dot()
    assert 'n0 -> n2 [label="> 1"]' in graph.to_dot()
    # The gain of an oblique split is divided by influence: 2, 1 and 0.5.
    assert graph.importances() == pytest.approx([2 / 3.5, 1 / 3.5, 0.5 / 3.5])


def test_a_linear_sum_is_written_in_the_tree() -> None:
    names = [f"x{i}" for i in range(5)]
    builder = wl.GraphBuilder(dict.fromkeys(names, "continuous"), ["no", "yes"])
    no, yes = builder.leaf("no"), builder.leaf("yes")
    terms = {"x0": 0.1, "x1": -3.0, "x2": 2.0, "x3": -0.25, "x4": 0.0}
    graph = builder.build(builder.oblique(terms, -0.5, no, yes))
    head = "-3 x1 + 2 x2 - 0.25 x3 ... and 2 more"
    assert graph.to_text() == f"{head} <= -0.5 : no (1.0)\n{head} > -0.5 : yes (1.0)"
    assert [term["coefficient"] for term in graph.to_dict()["terms"]] == [0.1, -3.0, 2.0, -0.25, 0]


def _leaf_of(graph: Graph, row: list[float]) -> int | None:
    """Return the leaf that a row reaches; None if it is shared out because of a missing value."""
    node = 0
    while not graph.is_leaf(node):
        branch = branch_of(graph, node, row)
        if branch is None:
            return None
        node = graph.children(node)[branch]
    return node


@settings(max_examples=100, deadline=None)
@given(graph=graphs(max_splits=6), data=st.data())
def test_rows_reach_the_same_leaf_as_in_the_oracle(graph: Graph, data: st.DataObject) -> None:
    rows = data.draw(rows_for(graph))
    got = graph.predict_class_shares(encoded(rows))
    for row, shares in zip(rows, got, strict=True):
        leaf = _leaf_of(graph, row)
        if leaf is None:
            continue
        expected = np.zeros(len(graph.schema.classes))
        if graph.weight[leaf] > 0:
            for k, weight in graph.class_weights(leaf):
                expected[k] = weight / graph.weight[leaf]
        else:
            expected[graph.label[leaf]] = 1.0
        assert shares.tolist() == expected.tolist()


@settings(max_examples=100, deadline=None)
@given(graph=graphs(max_splits=6), data=st.data())
def test_terms_add_the_same_as_the_oracle(graph: Graph, data: st.DataObject) -> None:
    rows = data.draw(rows_for(graph))
    columns = encoded(rows).arrays
    for node in range(graph.n_nodes):
        total = np.zeros(len(rows))
        for term in graph.terms(node):
            feature = graph.schema.features[term.feature]
            total += term.added(columns[term.feature], feature)
        assert total.tolist() == [sum_of(graph, node, row) for row in rows]


@settings(max_examples=40, deadline=None)
@given(members=st.lists(graphs(max_splits=4), min_size=2, max_size=4), data=st.data())
def test_members_of_a_committee_predict_as_they_do_alone(
    members: list[Graph], data: st.DataObject
) -> None:
    rows = encoded([row for graph in members for row in data.draw(rows_for(graph))])
    priority = np.arange(len(SCHEMA.classes), dtype=np.uint32)
    committee = GraphCommittee(members, np.ones(len(members)), "label", priority)
    classes, _ = committee.predict_members(rows)
    for graph, of_member in zip(members, classes, strict=True):
        assert of_member.tolist() == graph.predict_class_indices(rows).tolist()


def _stored() -> Any:
    return version_1_document(by_hand())


def test_save_and_load(tmp_path: Path) -> None:
    graph = by_hand()
    graph.save(tmp_path / "g.json")
    again = wl.load(tmp_path / "g.json")
    assert again == graph
    assert again.to_dict() == graph.to_dict()


def test_a_file_without_oblique_splits_has_no_terms(tmp_path: Path) -> None:
    builder = wl.GraphBuilder(FEATURES, ["no", "yes"])
    tree = builder.build(builder.threshold("x", 1.0, builder.leaf("no"), builder.leaf("yes")))
    tree.save(tmp_path / "g.json")
    document = json.loads((tmp_path / "g.json").read_text())
    assert not [name for name in document["graph"] if "term" in name]
    assert wl.load(tmp_path / "g.json") == tree


@pytest.mark.parametrize(
    ("name", "place", "value", "reason"),
    [
        ("terms.column", 0, 3, "term 0: its column does not exist"),
        ("terms.column", 1, -1, "term 1: its column does not exist"),
        ("terms.column", 0, 2, "term 0: its form does not suit its column"),
        ("terms.form", 2, 1, "term 2: its form does not suit its column"),
        ("terms.form", 1, 9, "term 1: an unknown form of term"),
        ("terms.form", 1, 0, "term 1: it has too many numbers, or too few"),
        ("terms.n_numbers", 2, 2, "term 2: it has too many numbers, or too few"),
        ("terms.n_numbers", 1, 4, "term 1: it has too many numbers, or too few"),
        ("terms.first_number", 2, 7, "term 2: its numbers do not exist"),
        ("terms.influence", 0, -1.0, "term 0: its influence is not a number >= 0"),
        ("term_numbers", 2, -1.0, "term 1: its cuts do not ascend"),
        ("nodes.n_terms", 0, 0, "node 0: its terms do not exist"),
        ("nodes.n_terms", 0, 4, "node 0: its terms do not exist"),
        ("nodes.first_term", 0, 4294967295, "node 0: its terms do not exist"),
        ("nodes.column", 0, 0, "node 0: an oblique split has its columns in its terms"),
        ("nodes.split", 0, 5, "node 0: an unknown kind of split"),
        ("nodes.split", 0, 3, "node 0: its column does not exist"),
    ],
)
def test_a_file_with_bad_terms_is_refused(
    tmp_path: Path, name: str, place: int, value: float, reason: str
) -> None:
    document = _stored()
    *record, field = name.split(".")
    holder = document["graph"][record[0]] if record else document["graph"]
    holder[field][place] = value
    (tmp_path / "g.json").write_text(json.dumps(document))
    with pytest.raises(wl.models.LoadError) as caught:
        wl.load(tmp_path / "g.json")
    assert reason in str(caught.value)


@pytest.mark.parametrize(
    ("terms", "missing", "reason"),
    [
        ({}, {}, "without terms"),
        ({"z": 1.0}, {}, "there is no feature 'z'"),
        ({"hue": 1.0}, {}, "'hue' is not continuous"),
        ({"x": {"red": 1.0}}, {}, "'x' is not nominal"),
        ({"hue": {"pink": 1.0}}, {}, "no value 'pink'"),
        ({"x": math.inf}, {}, "expected finite numbers"),
        ({"x": "2"}, {}, "expected finite numbers"),
        ({"x": 1.0}, {"x": math.nan}, "expected finite numbers"),
        ({"x": 1.0}, {"y": 0.0}, "the sum has no term of 'y'"),
        ({"x": ([2.0, 1.0], [0.0, 1.0, 2.0])}, {}, "expected ascending cuts"),
        ({"x": ([1.0], [0.0])}, {}, "one score more than cuts"),
    ],
)
def test_bad_terms_by_hand_are_named(
    terms: dict[str, Any], missing: dict[str, float], reason: str
) -> None:
    builder = wl.GraphBuilder(FEATURES, ["no", "yes"])
    no, yes = builder.leaf("no"), builder.leaf("yes")
    with pytest.raises(ValueError, match=reason):
        builder.oblique(terms, 0.0, no, yes, missing=missing)
