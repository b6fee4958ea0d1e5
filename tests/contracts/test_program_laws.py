"""Laws of every branching program, for all ways of merging."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import weaklearn as wl
from oracles.c45 import Table
from strategies import tables

from .oracle_table import frame_of, labels_of
from .test_program_against_oracle import of_two_classes

quick = settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
pytestmark = pytest.mark.filterwarnings("ignore:.* does not separate values:UserWarning")

MERGES: list[dict[str, Any]] = [
    {"merge": "grid"},
    {"merge": "budget"},
    {"merge": "budget", "merge_share": 1.0},
    {"merge": "width", "max_width": 2},
    {"merge": "width", "max_width": 4},
    {"merge": "none"},
]
merges = st.sampled_from(MERGES)
criteria = st.sampled_from(["km", "gini", "entropy", "error"])


def fitted(table: Table, **options: Any) -> wl.BranchingProgramClassifier:
    model = wl.BranchingProgramClassifier(**options)
    return model.fit(frame_of(table), labels_of(table), table.weights)


@quick
@given(tables(), st.sampled_from(["grid", "budget"]), criteria, st.booleans())
def test_merging_keeps_half_of_the_gain_of_a_level(
    table: Table, merge: str, criterion: str, forced: bool
) -> None:
    table = of_two_classes(table)
    model = fitted(table, merge=merge, criterion=criterion, split_without_gain=forced)
    levels = model.levels_
    gained = levels.before - levels.after
    assert (levels.before - levels.merged >= gained / 2 - 1e-11).all()
    assert (levels.merged[levels.forced] == levels.after[levels.forced]).all()


@quick
@given(tables(), merges, criteria)
def test_levels_describe_the_program(table: Table, merge: dict[str, Any], criterion: str) -> None:
    table = of_two_classes(table)
    model = fitted(table, criterion=criterion, **merge)
    levels, program = model.levels_, model.program_
    assert levels.nodes.sum() == program.n_nodes - program.n_leaves
    assert len(levels) == program.depth
    assert (levels.children == 2 * levels.nodes).all()
    assert (levels.nodes[1:] <= levels.next_nodes[:-1]).all()
    assert (levels.next_nodes <= levels.children).all()
    assert all(((gamma >= 0) & (gamma <= 0.5 + 1e-9)).all() for gamma in levels.advantages)
    if merge["merge"] == "width":
        assert (levels.next_nodes <= merge["max_width"]).all()
        assert (levels.merged < levels.before).all()
    if merge["merge"] == "none":
        assert program.n_nodes == 2 * levels.nodes.sum() + 1


@quick
@given(tables(), merges, st.sampled_from(["km", "entropy", "gini"]), st.booleans())
def test_weight_is_kept_on_the_way_down(
    table: Table, merge: dict[str, Any], criterion: str, pruned: bool
) -> None:
    table = of_two_classes(table)
    model = fitted(table, criterion=criterion, prune=pruned, **merge)
    program = model.program_
    total = sum(table.weights)
    arriving = np.zeros(program.n_nodes)
    arriving[0] = total
    for node in range(program.n_nodes):
        assert arriving[node] == pytest.approx(program.weight[node], rel=1e-9, abs=1e-9 * total)
        weights = program.branch_weights(node)
        if weights:
            assert sum(weights) == pytest.approx(program.weight[node], rel=1e-9)
        for child, weight in zip(program.children(node), weights, strict=True):
            arriving[child] += weight
    assert model.predict_proba(frame_of(table)).sum(axis=1) == pytest.approx(1.0)


@quick
@given(tables(), merges, st.sampled_from(["km", "entropy", "gini"]))
def test_training_error_is_at_most_the_impurity_of_the_leaves(
    table: Table, merge: dict[str, Any], criterion: str
) -> None:
    """A permissible impurity of two classes is at least twice the share of the smaller class."""
    assume(sum(table.weights) > 1e-3)  # the tolerance is 1e-9 of a weight of 1
    program = fitted(of_two_classes(table), criterion=criterion, **merge).program_
    leaves = [i for i in range(program.n_nodes) if not program.children(i)]
    weights = [[weight for _, weight in program.class_weights(i)] for i in leaves]
    impurity = {"km": _km, "gini": _gini, "entropy": _entropy}[criterion]
    index = sum(sum(pair) * impurity(max(pair) / sum(pair)) for pair in weights)
    assert program.errors[0] <= index / 2 + 1e-9 * sum(table.weights)


def _km(q: float) -> float:
    return 2 * float(np.sqrt(q * (1 - q)))


def _gini(q: float) -> float:
    return 4 * q * (1 - q)


def _entropy(q: float) -> float:
    return -sum(p * float(np.log2(p)) for p in (q, 1 - q) if p > 0)


@quick
@given(tables(), st.sampled_from(["km", "entropy", "gini"]))
def test_without_merging_it_is_the_tree_of_topdown(table: Table, criterion: str) -> None:
    options: dict[str, Any] = {"criterion": criterion, "min_objects": 1}
    program = fitted(table, merge="none", **options)
    tree = wl.TopDownClassifier(grouping=True, **options)
    tree.fit(frame_of(table), labels_of(table), table.weights)
    assert program.program_.to_text() == tree.tree_.to_text()
    for levels in range(3):
        first = fitted(table, merge="none", max_levels=levels, **options).program_
        assert first.depth == min(levels, tree.tree_.depth)
        assert first.n_nodes == _nodes_above(tree.tree_, levels)


def _nodes_above(tree: wl.models.Graph, depth: int) -> int:
    level = [0]
    count = 1
    for _ in range(depth):
        level = [child for node in level for child in tree.children(node)]
        count += len(level)
    return count


@quick
@given(tables(), merges, st.booleans())
def test_a_saved_program_comes_back(table: Table, merge: dict[str, Any], pruned: bool) -> None:
    model = fitted(of_two_classes(table), prune=pruned, **merge)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "model.json"
        model.save(path)
        other = wl.load(path)
    assert other.program_ == model.program_
    assert other.stopped_ == model.stopped_
    pd.testing.assert_frame_equal(other.levels_.to_frame(), model.levels_.to_frame())
    assert not hasattr(other, "tree_")


def test_exclusive_or_needs_split_without_gain() -> None:
    cells = [(a, b, c) for a in "01" for b in "01" for c in "01"] * 4
    frame = pd.DataFrame(cells, columns=list("abc"))
    labels = ["odd" if (a == "1") != (b == "1") else "even" for a, b, _ in cells]
    stuck = wl.BranchingProgramClassifier().fit(frame, labels)
    assert stuck.program_.n_nodes == 1
    through = wl.BranchingProgramClassifier(split_without_gain=True).fit(frame, labels)
    assert through.score(frame, labels) == 1.0
    assert through.levels_.forced.tolist()[0]


def test_a_program_counts_a_majority() -> None:
    """Whether most of nine bits are 1: a program counts them, a tree tracks each of them."""
    table = wl.datasets.make_majority(9)
    tree, program = (
        wl.BranchingProgramClassifier(merge=merge).fit(table.X, table.y)
        for merge in ("none", "budget")
    )
    tests = [model.program_.n_nodes - model.program_.n_leaves for model in (tree, program)]
    assert tests[1] < tests[0] / 2
    assert program.score(table.X, table.y) == tree.score(table.X, table.y) == 1.0


@pytest.mark.parametrize("merge", [{"merge": "grid"}, {"merge": "width", "max_width": 4}])
def test_programs_can_be_boosted_and_bagged(merge: dict[str, Any], tmp_path: Path) -> None:
    table = wl.datasets.load("titanic")
    member = wl.BranchingProgramClassifier(max_levels=2, **merge)
    for committee in (
        wl.AdaBoostM1Classifier(member, n_rounds=4),
        wl.BaggedClassifier(member, n_members=4, random_state=0),
    ):
        committee.fit(table.X, table.y)
        committee.save(tmp_path / "committee.json")
        other = wl.load(tmp_path / "committee.json")
        assert (other.predict(table.X) == committee.predict(table.X)).all()
        assert [m.program_ for m in other.members_] == [m.program_ for m in committee.members_]


def test_impossible_parameters_are_errors() -> None:
    table = wl.datasets.make_waveform(60, random_state=0)
    with pytest.raises(ValueError, match="there are 3 classes: use merge='budget'"):
        wl.BranchingProgramClassifier(merge="grid").fit(table.X, table.y)
    with pytest.raises(ValueError, match="max_width=None: set for example max_width=16"):
        wl.BranchingProgramClassifier(merge="width").fit(table.X, table.y)
    with pytest.raises(ValueError, match="merge must be one of 'auto', 'grid', 'budget'"):
        wl.BranchingProgramClassifier(merge="cells").fit(table.X, table.y)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_shares_that_add_up_to_rows_again_are_not_counted_as_rows():
    # Merged shares of these rows are exactly 1 each, and the class weights of their node are not
    # whole. Counting its rows read beyond the end of a table.
    frame = pd.DataFrame(
        {
            "u": ["a", "b", "a", None, "a", "c", "b", None, None],
            "v": [None, None, "x", None, None, "y", "y", "y", None],
            "w": [1.0, 3.5, 0.0, 1.0, 3.5, 3.5, 2.0, 0.0, 1.0],
            "z": [0.25, 4.0, 4.0, 0.25, -1.0, -1.0, 4.0, 0.25, 4.0],
        }
    )
    model = wl.BranchingProgramClassifier().fit(frame, list("abcabcbbb"))
    assert model.program_.n_nodes > 1
    assert model.predict_proba(frame).sum(axis=1) == pytest.approx(1.0)
