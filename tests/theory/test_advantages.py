"""Advantages and gains of splits and rounds: formulas, bounds and sums."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from sklearn.tree import DecisionTreeClassifier

import weaklearn as wl
from contracts.oracle_table import frame_of, labels_of
from contracts.test_adaboost_against_oracle import noisy_tables
from oracles.c45 import Table
from random_graphs import doubling_program
from strategies import CRITERIA, tables
from weaklearn import theory
from weaklearn.models.graph_splits import ClassWeights, node_class_weights, stored_class_weights
from weaklearn.models.impurity import IMPURITIES

pytestmark = pytest.mark.filterwarnings("ignore:.* does not separate values:UserWarning")
quick = settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])

#: Without weights that differ so much that rounding loses some of them.
tables_of_similar_weights = tables().filter(
    lambda table: max(table.weights) < 1e6 and min(filter(None, table.weights)) > 1e-6
)


def one_split(branches: np.ndarray) -> ClassWeights:
    owner = np.zeros(len(branches), dtype=np.intp)
    return ClassWeights(owner, np.vstack([branches.sum(axis=0), branches]), branches)


@st.composite
def branch_tables(draw: st.DrawFn, most_classes: int = 4) -> np.ndarray:
    shape = draw(st.integers(1, 4)), draw(st.integers(2, most_classes))
    weight = st.sampled_from([0.0, 0.0, 1.0, 2.0, 0.3, 17.0])
    cells = draw(st.lists(weight, min_size=math.prod(shape), max_size=math.prod(shape)))
    return np.array(cells).reshape(shape)


# -- one split ------------------------------------------------------------------------------------


@settings(deadline=None)
@given(st.lists(st.floats(0.01, 100.0), min_size=4, max_size=4))
def test_the_advantage_of_two_branches_follows_the_formula_of_the_paper(cells: list[float]) -> None:
    branches = np.array(cells).reshape(2, 2)
    (p_weight, r_weight), positive = branches.sum(axis=1), branches[:, 1]
    q = positive.sum() / branches.sum()
    r = positive[1] / r_weight
    tau = r_weight / (p_weight + r_weight)
    expected = abs(tau / 2 * (r / q - (1 - r) / (1 - q)))
    assert one_split(branches).advantages()[0] == pytest.approx(expected, abs=1e-12)


@settings(deadline=None)
@given(branch_tables())
def test_the_advantage_is_that_of_the_best_labels_for_branches(branches: np.ndarray) -> None:
    present = np.flatnonzero(branches.sum(axis=0))
    gamma = one_split(branches).advantages()
    assert np.isnan(gamma[1:]).all()
    if len(present) < 2:
        assert np.isnan(gamma[0])
        return
    balanced = branches / np.where(branches.sum(axis=0) > 0, branches.sum(axis=0), 1)
    balanced /= len(present)
    right = max(
        sum(balanced[j, k] for j, k in enumerate(labels))
        for labels in itertools.product(present, repeat=len(branches))
    )
    assert gamma[0] == pytest.approx(right - 1 / len(present), abs=1e-12)
    if branches.shape[1] == 2:
        distance = np.abs(balanced[:, 0] - balanced[:, 1]).sum() / 2
        assert gamma[0] == pytest.approx(distance, abs=1e-12)


@given(branch_tables(most_classes=2))
@settings(max_examples=100, deadline=None)
def test_a_split_with_an_advantage_has_at_least_this_gain(branches: np.ndarray) -> None:
    """The constants of the bounds for TopDown follow from these inequalities."""
    class_weights = one_split(branches)
    gamma = class_weights.advantages()[0]
    assume(not np.isnan(gamma))
    at_node = {
        name: impurity.of(class_weights.nodes[:1])[0] for name, impurity in IMPURITIES.items()
    }
    least = {
        "km": at_node["km"] * (1 - math.sqrt(max(1 - 4 * gamma**2, 0))),
        "gini": 4 * gamma**2 * at_node["gini"] ** 2,
        "entropy": 2 * gamma**2 / math.log(2) * at_node["gini"],
    }
    for name, gain in least.items():
        assert class_weights.gains(IMPURITIES[name])[0] >= gain - 1e-12


# -- trees ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("grown_by", ["gain", "gini", "km"])
@quick
@given(table=tables_of_similar_weights)
def test_the_weighted_impurity_bounds_the_error_and_gains_add_up(
    grown_by: str, table: Table
) -> None:
    model = wl.C45Classifier(grown_by, min_objects=1, prune=False)
    X, y, weights = frame_of(table), labels_of(table), np.array(table.weights)
    tree = model.fit(X, y, weights).tree_
    n_classes = len(tree.schema.classes)
    leaves = node_class_weights(tree)[[tree.is_leaf(node) for node in range(tree.n_nodes)]]
    error = (leaves.sum(axis=1) - leaves.max(axis=1)).sum() / leaves.sum()
    for impurity in IMPURITIES.values():
        leaf_impurity = theory.weighted_impurity(model, criterion=impurity)
        assert error <= impurity.error_factor(n_classes) * leaf_impurity + 1e-12
        if n_classes == 2:
            assert error <= leaf_impurity + 1e-12
        result = theory.advantages(model, criterion=impurity)
        at_root = impurity.of(node_class_weights(tree)[:1])[0]
        assert result.gain.sum() == pytest.approx(at_root - leaf_impurity, abs=1e-9)
        assert (result.gain >= -1e-12).all()
        assert (result.gamma >= 0).all()
        assert sorted(result.node) == [n for n in range(tree.n_nodes) if not tree.is_leaf(n)]
    if not any(cell is None for column in table.columns for cell in column):
        wrong = model.predict(X) != y.to_numpy()
        assert weights[wrong].sum() / weights.sum() == pytest.approx(error, abs=1e-12)


@pytest.mark.parametrize("criterion", CRITERIA)
@quick
@given(table=tables_of_similar_weights)
def test_passing_the_training_rows_changes_nothing(criterion: str, table: Table) -> None:
    model = wl.C45Classifier(criterion, min_objects=1, prune=False)
    X, y, weights = frame_of(table), labels_of(table), np.array(table.weights)
    model.fit(X, y, weights)
    stored, again = theory.advantages(model), theory.advantages(model, X, y, weights)
    assert np.array_equal(stored.node, again.node)
    for name in ("gamma", "weight", "gain"):
        np.testing.assert_allclose(
            getattr(again, name), getattr(stored, name), rtol=1e-6, atol=1e-9
        )
    assert theory.weighted_impurity(model, X, y, weights) == pytest.approx(
        theory.weighted_impurity(model), abs=1e-9
    )


def test_rounds_are_ordered_by_gain() -> None:
    table = wl.datasets.load("breast-cancer-wisconsin-diagnostic")
    model = wl.C45Classifier("km", min_objects=1, prune=False).fit(table.X, table.y)
    result = theory.advantages(model)
    gains = stored_class_weights(model.tree_).gains(theory.km)
    open_nodes = {0}
    for node, gain in zip(result.node.tolist(), result.gain, strict=True):
        assert gain == max(gains[n] for n in open_nodes)
        open_nodes.remove(node)
        open_nodes.update(c for c in model.tree_.children(node) if not model.tree_.is_leaf(c))
    assert not open_nodes
    assert result.weight[0] == 1.0
    assert np.array_equal(theory.advantages(model.tree_, criterion="km").node, result.node)


def test_a_single_leaf_has_no_rounds() -> None:
    model = wl.C45Classifier(max_depth=0).fit([[1.0], [2.0]], ["a", "b"])
    assert len(theory.advantages(model)) == 0
    assert theory.advantages(model).to_frame().columns.tolist() == [
        *("round", "gamma", "weight", "gain", "node")
    ]


def test_new_rows_of_one_class_have_no_advantage() -> None:
    X, y = [[1.0], [2.0], [3.0], [4.0]], ["a", "a", "b", "b"]
    model = wl.StumpClassifier().fit(X, y)
    assert theory.advantages(model, X, y).gamma.tolist() == [0.5]
    one_class = theory.advantages(model, X[:1], y[:1])
    assert np.isnan(one_class.gamma).all()
    assert one_class.gain.tolist() == [0.0]
    assert theory.advantages(model, X, ["a", "b", "a", "b"]).gamma.tolist() == [0.0]


def test_a_program_needs_rows() -> None:
    program = doubling_program(4)
    with pytest.raises(ValueError, match=r"shares nodes.*X and y"):
        theory.advantages(program)
    X, y = np.array([[-1.0], [0.5], [1.5], [9.0]]), ["no", "yes", "no", "yes"]
    result = theory.advantages(program, X, y)
    assert sorted(result.node) == [n for n in range(program.n_nodes) if not program.is_leaf(n)]
    assert result.gamma[0] == pytest.approx(0.25)  # the root splits at x <= 3
    assert theory.weighted_impurity(program, X, y, criterion="gini") <= 1.0


# -- committees -----------------------------------------------------------------------------------


@pytest.mark.parametrize("method", ["reweight", "resample"])
@pytest.mark.parametrize("keep", [False, True], ids=["rows", "classes"])
@quick
@given(table=noisy_tables())
def test_boosting_on_the_training_rows(method: str, keep: bool, table: Table) -> None:
    model = wl.AdaBoostM1Classifier(
        wl.StumpClassifier(), 5, method=method, keep_class_weights=keep, random_state=0
    )
    X, y = frame_of(table), labels_of(table)
    model.fit(X, y, table.weights)
    stored, again = theory.advantages(model), theory.advantages(model, X, y, table.weights)
    assert np.array_equal(stored.gamma, model.advantages_)
    np.testing.assert_allclose(again.gamma, stored.gamma, rtol=1e-6, atol=1e-9)
    np.testing.assert_allclose(again.gain, stored.gain, rtol=1e-6, atol=1e-6)
    bound = theory.training_bound(np.minimum(model.errors_, 0.5)).product
    if model.errors_.max() <= 0.5:
        assert 1 - stored.gain.sum() == pytest.approx(bound[-1], abs=1e-12)


def test_members_of_scikit_learn() -> None:
    table = wl.datasets.load("breast-cancer-wisconsin-diagnostic")
    stump = DecisionTreeClassifier(max_depth=1, random_state=0)
    model = wl.AdaBoostM1Classifier(stump, 20).fit(table.X, table.y)
    again = theory.advantages(model, table.X, table.y)
    np.testing.assert_allclose(again.gamma, model.advantages_, rtol=1e-9)


def test_after_a_member_without_error_no_weight_remains() -> None:
    X, y = [[1.0], [2.0], [3.0], [4.0], [5.0]], ["a", "a", "b", "b", "a"]
    model = wl.AdaBoostM1Classifier(wl.StumpClassifier(), 2).fit(X, y)
    perfect = wl.C45Classifier(min_objects=1, prune=False).fit(X, y)
    model.members_[0] = perfect
    model.errors_ = np.array([0.0, 0.2])
    gamma = theory.advantages(model, X, y).gamma
    assert gamma[0] == 0.5
    assert np.isnan(gamma[1])


def test_bagging_needs_rows() -> None:
    table = wl.datasets.load("iris")
    model = wl.BaggedClassifier(n_members=3, random_state=0).fit(table.X, table.y)
    with pytest.raises(ValueError, match=r"stores no errors of its members: pass the rows"):
        theory.advantages(model)
    result = theory.advantages(model, table.X, table.y)
    right = [member.score(table.X, table.y) for member in model.members_]
    np.testing.assert_allclose(result.gamma, np.array(right) - 0.5, rtol=1e-12)
    assert np.isnan(result.gain).all()


# -- margins and bad input ------------------------------------------------------------------------


def test_margins() -> None:
    table = wl.datasets.load("titanic")
    model = wl.AdaBoostM1Classifier(n_rounds=3).fit(table.X, table.y)
    assert np.array_equal(theory.margins(model), model.margins_)
    assert np.array_equal(theory.margins(model, table.X, table.y), model.margins_)
    tree = model.members_[0]
    votes = tree.predict_proba(table.X)
    own = (table.y.to_numpy()[:, None] == tree.classes_).argmax(axis=1)
    expected = votes[np.arange(len(own)), own] - votes[np.arange(len(own)), 1 - own]
    for tree_or_graph in (tree, tree.tree_):
        np.testing.assert_allclose(theory.margins(tree_or_graph, table.X, table.y), expected)
    with pytest.raises(ValueError, match=r"stores no margins: pass the rows, X and y"):
        theory.margins(tree)


def test_bad_input_is_an_error() -> None:
    X, y = [[1.0], [2.0]], ["a", "b"]
    model = wl.StumpClassifier().fit(X, y)
    for function in (theory.advantages, theory.weighted_impurity, theory.margins):
        with pytest.raises(ValueError, match=r"y is missing: pass both X and y, or neither"):
            function(model, X)
        with pytest.raises(TypeError, match=r"this StumpClassifier is not fitted.*call fit"):
            function(wl.StumpClassifier(), X, y)
        with pytest.raises(TypeError, match=r"got list, expected a graph or a fitted classifier"):
            function([model], X, y)
        with pytest.raises(ValueError, match=r"y holds 'c', which is not a class"):
            function(model, X, ["a", "c"])
    with pytest.raises(ValueError, match=r"sample_weight has a negative weight in row 1"):
        theory.advantages(model, X, y, [1.0, -1.0])
    with pytest.raises(TypeError, match=r"a committee; expected a tree or a program"):
        theory.weighted_impurity(wl.BaggedClassifier(n_members=1).fit(X, y))


def test_reprs_fit_on_a_screen() -> None:
    table = wl.datasets.load("breast-cancer-wisconsin-diagnostic")
    model = wl.AdaBoostM1Classifier(wl.StumpClassifier(), 100).fit(table.X, table.y)
    n_rounds = len(model)
    start = f"Advantages({n_rounds} rounds, gamma=[{model.advantages_[0]:.3f}, "
    assert repr(theory.advantages(model)).startswith(start)
    bound = theory.training_bound(model)
    start = f"TrainingBound({n_rounds} rounds, after the last at most {bound.product[-1]:.3g}; "
    assert repr(bound).startswith(start)
    assert len(repr(theory.advantages(model))) + len(repr(bound)) < 300
    assert repr(theory.training_bound([])).startswith("TrainingBound(0 rounds; ")
