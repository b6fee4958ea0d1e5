"""Many rows are predicted bit by bit: the same results as a few rows, and as a slow walk."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

import weaklearn as wl
from oracles.graph_walk import decision_path
from random_graphs import SCHEMA, graphs
from weaklearn.encoding import EncodedRows
from weaklearn.models import Graph
from weaklearn.models.graph_committee import GraphCommittee
from weaklearn.models.votes import VoteForm

FORMS: tuple[VoteForm, ...] = ("label", "confidence", "shares")
FEW, MANY = 100, 700  # rows that go down the nodes one by one, and rows of more than one block
ODD = (0.0, -0.0, math.inf, -math.inf, 5e-324, 1.7976931348623157e308, math.nan)


@st.composite
def rows_near(draw: st.DrawFn, members: list[Graph], missing: bool) -> list[list[float]]:
    """Draw rows with values at and around the thresholds, and odd ones."""
    cuts = [float(t) for graph in members for t in graph.threshold]
    near = {x for t in cuts for x in (t, np.nextafter(t, -math.inf), np.nextafter(t, math.inf))}
    near |= {float(np.nextafter(np.float32(t), np.float32(math.inf))) for t in cuts}
    numbers = [x for x in (*sorted(near), *ODD) if missing or not math.isnan(x)]
    lowest = -1 if missing else 0
    cells = [
        st.sampled_from(numbers)
        if feature.kind == "continuous"
        else st.integers(lowest, len(feature.values) - 1).map(float)
        for feature in SCHEMA.features
    ]
    return draw(st.lists(st.tuples(*cells).map(list), min_size=1, max_size=12))


def repeated(rows: list[list[float]], n_rows: int) -> EncodedRows:
    table = np.array([rows[i % len(rows)] for i in range(n_rows)])
    kinds = [feature.kind for feature in SCHEMA.features]
    arrays: list[NDArray[np.float64] | NDArray[np.int32]] = [
        column.copy() if kind == "continuous" else column.astype(np.int32)
        for column, kind in zip(table.T, kinds, strict=True)
    ]
    return EncodedRows(arrays, n_rows)


def outputs(
    committee: GraphCommittee, rows: EncodedRows, n_threads: int
) -> list[NDArray[np.float64]]:
    """Return all that a committee computes for rows, the rows along the first axis."""
    classes, strengths = committee.predict_members(rows, n_threads)
    result = [classes.T, committee.count_votes(rows, n_threads)]
    if strengths is not None:
        result.append(np.swapaxes(strengths, 0, 1))
    result.append(committee.predict_class_indices(rows, n_threads))
    result.append(committee.apply(rows, n_threads))
    result.append(committee.margins(rows, np.zeros(rows.n_rows, np.int32), n_threads))
    return result


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    members=st.lists(graphs(shared=False, oblique=False), min_size=1, max_size=3),
    form=st.sampled_from(FORMS),
    missing=st.booleans(),
    data=st.data(),
)
def test_many_rows_as_few_rows_and_as_the_oracle(
    members: list[Graph], form: VoteForm, missing: bool, data: st.DataObject
) -> None:
    rows = data.draw(rows_near(members, missing))
    n_members = 40  # enough to be predicted bit by bit
    voters = [members[i % len(members)] for i in range(n_members)]
    votes = np.linspace(0.1, 3.0, n_members)
    priority = np.arange(len(SCHEMA.classes), dtype=np.uint32)
    committee = GraphCommittee(voters, votes, form, priority)
    few = outputs(committee, repeated(rows, FEW), 1)
    for n_rows in (1, 3):
        for got, expected in zip(outputs(committee, repeated(rows, n_rows), 1), few, strict=True):
            assert got.tobytes() == expected[:n_rows].tobytes()
    for n_threads in (1, 3):
        for got, expected in zip(
            outputs(committee, repeated(rows, MANY), n_threads), few, strict=True
        ):
            for i in range(0, MANY, len(rows)):
                part = got[i : i + len(rows)]
                assert part.tobytes() == expected[: len(part)].tobytes()
    leaves = committee.apply(repeated(rows, MANY))
    for member, graph in enumerate(members):
        is_leaf = np.array([graph.is_leaf(node) for node in range(graph.n_nodes)])
        if (graph.weight[~is_leaf] == 0).any():
            continue  # the shares of the branches of a split without weight are not defined
        for i, row in enumerate(rows):
            at_leaves = np.where(is_leaf, decision_path(graph, row), 0.0)
            if np.count_nonzero(at_leaves) == 1 and at_leaves.max() == 1.0:
                assert leaves[i, member] == np.argmax(at_leaves)


@pytest.mark.parametrize("n_members", [1, 7, 8, 9, 20])
@pytest.mark.parametrize("shares_nodes", [False, True])
def test_one_row_goes_down_several_members_as_many_rows_do(
    n_members: int, shares_nodes: bool
) -> None:
    rng = np.random.default_rng(n_members)
    X = rng.integers(0, 9, size=(200, 5)).astype(float)
    y = (X[:, 0] * X[:, 1] + X[:, 2] > 20).astype(int) + (X[:, 3] > 6)
    member = wl.BranchingProgramClassifier() if shares_nodes else wl.C45Classifier()
    model = wl.BaggedClassifier(member, n_members, random_state=0).fit(X, y)
    rows = np.vstack([X, np.where(rng.random(X.shape) < 0.5, -1e308, X), rng.normal(4, 4, X.shape)])
    encoded = model._encode(rows)
    for form in FORMS:
        committee = model._voters.compiled(model.votes_, form)
        together = outputs(committee, encoded, 1)
        for size in (1, 3, 4, 5):
            for i in (0, 200, 400, len(rows) - size):
                part = outputs(committee, model._encode(rows[i : i + size]), 1)
                for got, expected in zip(part, together, strict=True):
                    assert got.tobytes() == expected[i : i + size].tobytes()


def test_the_layout_for_many_rows_is_made_when_it_pays() -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 16, size=(2_000, 8)).astype(float)
    y = (X[:, 0] * X[:, 1] + X[:, 2] * X[:, 3] > 100).astype(int)
    committee = wl.BaggedClassifier(n_members=20, random_state=0).fit(X, y)
    forest = committee._voters.compiled(committee.votes_).forest
    before = forest.nbytes
    committee.predict(X[:100])
    assert forest.nbytes == before
    together = committee.predict_proba(X)
    assert forest.nbytes > before
    in_parts = [committee.predict_proba(X[i : i + 100]) for i in range(0, len(X), 100)]
    assert together.tobytes() == np.concatenate(in_parts).tobytes()


@pytest.mark.parametrize("n_classes", [255, 256, 300])
def test_many_classes(n_classes: int) -> None:
    rng = np.random.default_rng(1)
    y = np.repeat(np.arange(n_classes), 4)
    X = np.column_stack([y + rng.uniform(-0.4, 0.4, len(y)), rng.permutation(y)])
    committee = wl.BaggedClassifier(n_members=15, random_state=0).fit(X, y)
    together = committee.predict(X)
    in_parts = [committee.predict(X[i : i + 100]) for i in range(0, len(X), 100)]
    assert np.array_equal(together, np.concatenate(in_parts))


@settings(max_examples=30, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    member=graphs(shared=False, oblique=False),
    form=st.sampled_from(FORMS),
    missing=st.booleans(),
    data=st.data(),
)
def test_chosen_rows_are_predicted_as_among_all_rows(
    member: Graph, form: VoteForm, missing: bool, data: st.DataObject
) -> None:
    rows = repeated(data.draw(rows_near([member], missing)), 30)
    positions = np.array(data.draw(st.lists(st.integers(0, 29), max_size=40)), dtype=np.intp)
    priority = np.arange(len(SCHEMA.classes), dtype=np.uint32)
    committee = GraphCommittee([member], np.ones(1), form, priority)
    classes, strengths = committee.predict_members(rows)
    chosen, chosen_strengths = committee.predict_members(rows, 1, positions)
    assert chosen.tolist() == classes[:, positions].tolist()
    if strengths is None:
        assert chosen_strengths is None
    else:
        assert chosen_strengths is not None
        # as bits: the strength below a split without weight is not a number
        assert chosen_strengths.tobytes() == strengths[:, positions].tobytes()


def test_a_position_beyond_the_last_row_is_an_error() -> None:
    rows = EncodedRows([np.zeros(3)], 3)
    model = wl.C45Classifier().fit(np.zeros((2, 1)), [0, 1])
    committee = GraphCommittee([model.graph_], np.ones(1), "label", np.arange(2, dtype=np.uint32))
    with pytest.raises(ValueError, match="beyond the last row"):
        committee.predict_members(rows, 1, np.array([3]))
