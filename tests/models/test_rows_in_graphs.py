"""Rows that go through a graph, compared with a slow walk and with the stored class weights."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import weaklearn as wl
from contracts.oracle_table import frame_of, labels_of
from oracles.c45 import Table
from oracles.graph_walk import best_first, branch_class_weights, decision_path
from random_graphs import SCHEMA, doubling_program, graphs
from strategies import CRITERIA, tables
from weaklearn.encoding import EncodedRows, encode_rows
from weaklearn.models import Graph
from weaklearn.models.graph_committee import GraphCommittee
from weaklearn.models.graph_splits import class_weights_of_rows, rounds, stored_class_weights

pytestmark = pytest.mark.filterwarnings("ignore:.* does not separate values:UserWarning")
quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def rows_for(draw: st.DrawFn, graph: Graph) -> list[list[float]]:
    """Draw rows with values at and around the thresholds of a graph, and missing values."""
    cuts = [cut for n in range(graph.n_nodes) for term in graph.terms(n) for cut in term.cuts]
    near = sorted({x for t in [*graph.threshold.tolist(), *cuts] for x in (t - 1, t, t + 1)})
    cells = [
        st.sampled_from([*near, math.nan])
        if feature.kind == "continuous"
        else st.integers(-1, len(feature.values) - 1).map(float)
        for feature in SCHEMA.features
    ]
    return draw(st.lists(st.tuples(*cells).map(list), min_size=1, max_size=8))


def encoded(rows: list[list[float]]) -> EncodedRows:
    columns = list(zip(*rows, strict=True))
    kinds = [feature.kind for feature in SCHEMA.features]
    return EncodedRows(
        [
            np.array(column, dtype=np.float64 if kind == "continuous" else np.int32)
            for column, kind in zip(columns, kinds, strict=True)
        ],
        len(rows),
    )


@quick
@given(graph=graphs(max_splits=6), data=st.data())
def test_branch_class_weights_are_those_of_the_oracle(graph: Graph, data: st.DataObject) -> None:
    # The shares of the branches of a split without weight are not defined.
    assume(all(graph.weight[n] > 0 or graph.is_leaf(n) for n in range(graph.n_nodes)))
    rows = data.draw(rows_for(graph))
    n_classes = len(SCHEMA.classes)
    classes = data.draw(
        st.lists(st.integers(0, n_classes - 1), min_size=len(rows), max_size=len(rows))
    )
    weights = data.draw(
        st.lists(st.sampled_from([0.0, 0.3, 1.0, 2.0]), min_size=len(rows), max_size=len(rows))
    )
    got = class_weights_of_rows(
        graph, encoded(rows), np.array(classes, np.int32), np.array(weights)
    )
    expected = np.array(branch_class_weights(graph, rows, classes, weights))
    np.testing.assert_allclose(got.branches, expected.reshape(-1, n_classes), rtol=1e-12, atol=0)


@quick
@given(graph=graphs(max_splits=6), data=st.data())
def test_decision_paths_and_leaves_are_those_of_the_oracle(
    graph: Graph, data: st.DataObject
) -> None:
    assume(all(graph.weight[n] > 0 or graph.is_leaf(n) for n in range(graph.n_nodes)))
    rows = data.draw(rows_for(graph))
    paths, leaves = graph.decision_path(encoded(rows)), graph.apply(encoded(rows))
    assert paths.shape == (len(rows), graph.n_nodes)
    assert paths.has_canonical_format  # sorted, without duplicates
    is_leaf = np.array([graph.is_leaf(node) for node in range(graph.n_nodes)])
    for row, got, leaf in zip(rows, paths.toarray(), leaves, strict=True):
        expected = np.array(decision_path(graph, row))
        np.testing.assert_allclose(got, expected, rtol=1e-12, atol=0)
        at_leaves = np.where(is_leaf, got, 0.0)
        if at_leaves.any():
            assert leaf == np.argmax(at_leaves)  # the first of equal shares
        else:
            assert leaf == -1


@quick
@given(members=st.lists(graphs(max_splits=4), min_size=1, max_size=4), data=st.data())
def test_a_committee_has_the_paths_of_its_members(
    members: list[Graph], data: st.DataObject
) -> None:
    rows = encoded([row for graph in members for row in data.draw(rows_for(graph))])
    priority = np.arange(len(SCHEMA.classes), dtype=np.uint32)
    committee = GraphCommittee(members, np.ones(len(members)), False, priority)
    leaves = committee.apply(rows)
    assert leaves.shape == (rows.n_rows, len(members))
    paths, n_nodes_ptr = committee.decision_path(rows)
    assert n_nodes_ptr.tolist() == np.cumsum([0, *(g.n_nodes for g in members)]).tolist()
    for i, graph in enumerate(members):
        assert leaves[:, i].tolist() == graph.apply(rows).tolist()
        part = paths[:, n_nodes_ptr[i] : n_nodes_ptr[i + 1]]
        assert (part != graph.decision_path(rows)).nnz == 0


def test_paths_of_many_rows_on_several_threads() -> None:
    graph = doubling_program(20)
    values = np.random.default_rng(0).uniform(-1, 21, 50_000)
    values[::7] = math.nan
    rows = EncodedRows([values], len(values))
    paths, again = graph.decision_path(rows), graph.decision_path(rows, n_threads=3)
    assert (paths != again).nnz == 0
    assert paths.indices.tolist() == again.indices.tolist()
    assert np.array_equal(graph.apply(rows), graph.apply(rows, n_threads=3))
    assert paths[1].nnz == graph.depth + 1


def test_ties_between_leaves_go_to_the_lowest_index() -> None:
    builder = wl.GraphBuilder({"x": "continuous"}, ["no", "yes"])
    no, yes = builder.leaf({"no": 2}), builder.leaf({"yes": 2})
    graph = builder.build(builder.threshold("x", 0.0, no, yes))
    rows = EncodedRows([np.array([math.nan, 1.0, -1.0])], 3)
    assert graph.apply(rows).tolist() == [1, 2, 1]
    assert graph.decision_path(rows).toarray().tolist() == [[1, 0.5, 0.5], [1, 0, 1], [1, 1, 0]]
    no_rows = EncodedRows([np.zeros(0)], 0)
    assert graph.apply(no_rows).shape == (0,)
    assert graph.decision_path(no_rows).shape == (0, 3)


@quick
@given(
    table=tables().filter(lambda table: min(filter(None, table.weights)) > 1e-300),
    criterion=st.sampled_from(CRITERIA),
    subset=st.booleans(),
)
def test_training_rows_have_the_stored_class_weights(
    table: Table, criterion: str, subset: bool
) -> None:
    X, y, weights = frame_of(table), labels_of(table), np.array(table.weights)
    model = wl.C45Classifier(criterion, min_objects=1, prune=False, subset=subset)
    graph = model.fit(X, y, weights).tree_
    present = weights > 0
    rows = encode_rows(X[present], graph.schema)
    classes = y.cat.codes.to_numpy()[present].astype(np.int32)
    computed = class_weights_of_rows(graph, rows, classes, weights[present])
    stored = stored_class_weights(graph)
    noise = 1e-12 * weights.sum()
    np.testing.assert_allclose(computed.nodes, stored.nodes, rtol=1e-9, atol=noise)
    np.testing.assert_allclose(computed.branches, stored.branches, rtol=1e-9, atol=noise)
    np.testing.assert_allclose(stored.nodes.sum(axis=1), graph.weight, rtol=1e-9, atol=noise)


@pytest.mark.parametrize("shared", [False, True], ids=["tree", "program"])
@settings(quick, max_examples=100)
@given(data=st.data())
def test_rounds_are_those_of_the_oracle(shared: bool, data: st.DataObject) -> None:
    graph = data.draw(graphs(shared=shared))
    few = st.sampled_from([0.0, 0.5, 1.0, 2.0])  # so that gains tie
    gains = data.draw(st.lists(few, min_size=graph.n_nodes, max_size=graph.n_nodes))
    assert rounds(graph, np.array(gains)).tolist() == best_first(graph, gains)


def test_a_program_needs_rows() -> None:
    with pytest.raises(ValueError, match=r"shares nodes.*pass the rows as well, X and y"):
        stored_class_weights(doubling_program(3))


def test_shared_nodes_are_visited_once() -> None:
    """A missing value takes 2^200 paths, too many to follow one by one."""
    graph = doubling_program(200)
    rows = EncodedRows([np.array([math.nan, 5.0])], 2)
    taken = class_weights_of_rows(graph, rows, np.array([0, 1], np.int32), np.ones(2)).branches
    assert np.isfinite(taken[:2]).all()
    assert taken[:, 1].max() == 1.0


@pytest.mark.parametrize(
    ("classes", "weights", "problem"),
    [
        ([0, 1], [1.0], "one weight per row is needed"),
        ([0], [1.0, 1.0], "one class per row is needed"),
        ([0, 2], [1.0, 1.0], "row 1: its class does not exist"),
        ([-1, 0], [1.0, 1.0], "row 0: its class does not exist"),
    ],
)
def test_the_core_checks_classes_and_weights(
    classes: list[int], weights: list[float], problem: str
) -> None:
    rows = EncodedRows([np.zeros(2)], 2)
    with pytest.raises(ValueError, match=problem):
        doubling_program(2).forest.branch_class_weights(
            rows.arrays, 2, np.array(classes, np.int32), np.array(weights)
        )


def test_a_child_of_two_branches_is_added_at_the_first() -> None:
    """Ties go to the node added first, also if a later branch leads to the same node."""
    builder = wl.GraphBuilder({"a": ["x", "y", "z"], "b": [0, 1]}, ["no", "yes"])
    leaves = [builder.leaf({"no": 1, "yes": 1}) for _ in range(4)]
    first = builder.values("b", {0: leaves[0], 1: leaves[1]})
    second = builder.values("b", {0: leaves[2], 1: leaves[3]})
    graph = builder.build(builder.values("a", {"x": first, "y": second, "z": first}))
    shared, single, again = graph.children(0)
    assert shared == again != single
    assert rounds(graph, np.zeros(graph.n_nodes)).tolist() == [0, shared, single]
