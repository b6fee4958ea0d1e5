"""Rows sent through a graph: against the slow walk, and against what training stored."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import weaklearn as wl
from contracts.oracle_table import frame_of, labels_of
from oracles.c45 import Table
from oracles.flow import best_first, flow
from random_graphs import SCHEMA, doubling_program, graphs
from strategies import CRITERIA, tables
from weaklearn.encoding import EncodedRows, encode_rows
from weaklearn.models import Graph
from weaklearn.models.graph_splits import flow_of, rounds, stored_flow
from weaklearn.models.node_class_weights import class_flow

pytestmark = pytest.mark.filterwarnings("ignore:column .* varies by less than:UserWarning")
quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@st.composite
def rows_for(draw: st.DrawFn, graph: Graph) -> list[list[float]]:
    """Rows at and around the graph's thresholds, and unknown values."""
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
@given(graph=graphs(max_tests=6), data=st.data())
def test_flow_is_that_of_the_slow_walk(graph: Graph, data: st.DataObject) -> None:
    # A node without weight has no shares to give.
    assume(all(graph.weight[n] > 0 or graph.is_leaf(n) for n in range(graph.n_nodes)))
    rows = data.draw(rows_for(graph))
    n_classes = len(SCHEMA.classes)
    classes = data.draw(
        st.lists(st.integers(0, n_classes - 1), min_size=len(rows), max_size=len(rows))
    )
    weights = data.draw(
        st.lists(st.sampled_from([0.0, 0.3, 1.0, 2.0]), min_size=len(rows), max_size=len(rows))
    )
    got = class_flow(graph, encoded(rows), np.array(classes, np.int32), np.array(weights))
    expected = np.array(flow(graph, rows, classes, weights)).reshape(-1, n_classes)
    np.testing.assert_allclose(got, expected, rtol=1e-12, atol=0)


@quick
@given(
    table=tables().filter(lambda table: min(filter(None, table.weights)) > 1e-300),
    criterion=st.sampled_from(CRITERIA),
    subset=st.booleans(),
)
def test_training_rows_give_what_training_stored(
    table: Table, criterion: str, subset: bool
) -> None:
    X, y, weights = frame_of(table), labels_of(table), np.array(table.weights)
    model = wl.C45Classifier(criterion, min_objects=1, prune=False, subset=subset)
    graph = model.fit(X, y, weights).tree_
    present = weights > 0
    rows = encode_rows(X[present], graph.schema)
    classes = y.cat.codes.to_numpy()[present].astype(np.int32)
    found, stored = flow_of(graph, rows, classes, weights[present]), stored_flow(graph)
    noise = 1e-12 * weights.sum()
    np.testing.assert_allclose(found.nodes, stored.nodes, rtol=1e-9, atol=noise)
    np.testing.assert_allclose(found.branches, stored.branches, rtol=1e-9, atol=noise)
    np.testing.assert_allclose(stored.nodes.sum(axis=1), graph.weight, rtol=1e-9, atol=noise)


@pytest.mark.parametrize("shared", [False, True], ids=["tree", "program"])
@settings(quick, max_examples=100)
@given(data=st.data())
def test_rounds_are_those_of_the_slow_search(shared: bool, data: st.DataObject) -> None:
    graph = data.draw(graphs(shared=shared))
    few = st.sampled_from([0.0, 0.5, 1.0, 2.0])  # so that gains tie
    gains = data.draw(st.lists(few, min_size=graph.n_nodes, max_size=graph.n_nodes))
    assert rounds(graph, np.array(gains)).tolist() == best_first(graph, gains)


def test_a_program_needs_rows() -> None:
    with pytest.raises(ValueError, match=r"shares nodes.*give the rows as well, X and y"):
        stored_flow(doubling_program(3))


def test_paths_that_meet_are_walked_once() -> None:
    """2^200 paths, in which an unknown value would go down one by one."""
    graph = doubling_program(200)
    rows = EncodedRows([np.array([math.nan, 5.0])], 2)
    taken = class_flow(graph, rows, np.array([0, 1], np.int32), np.ones(2))
    assert np.isfinite(taken[:2]).all()
    assert taken[:, 1].max() == 1.0


@pytest.mark.parametrize(
    ("classes", "weights", "problem"),
    [
        ([0, 1], [1.0], "one class and one weight per row"),
        ([0], [1.0], "one class and one weight per row"),
        ([0, 2], [1.0, 1.0], "row 1: its class does not exist"),
        ([-1, 0], [1.0, 1.0], "row 0: its class does not exist"),
    ],
)
def test_the_core_guards_itself(classes: list[int], weights: list[float], problem: str) -> None:
    rows = EncodedRows([np.zeros(2)], 2)
    with pytest.raises(ValueError, match=problem):
        class_flow(doubling_program(2), rows, np.array(classes, np.int32), np.array(weights))
