"""Limits on the size of C4.5's tree: against an oracle, scikit-learn, and laws."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.tree import DecisionTreeClassifier

import weaklearn as wl
from oracles.c45 import Options, Table, grow, prune
from oracles.c45_limits import limit, pruning_path
from strategies import options, tables

from .oracle_table import classifier_of, difference, frame_of, labels_of, of_present_rows

EXAMPLES = int(os.environ.get("WEAKLEARN_EXAMPLES", "200"))
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
LIMITS = st.fixed_dictionaries(
    {
        "max_leaves": st.sampled_from([None, 1, 2, 3, 4, 5, 9]),
        "min_impurity_decrease": st.sampled_from([0.0, 0.01, 0.05, 0.1, 0.25]),
        "ccp_alpha": st.sampled_from([0.0, 0.001, 0.02, 0.05, 0.1, 0.3]),
    }
)


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(tables(), options(), LIMITS, st.booleans(), st.sampled_from([1, 2]))
def test_the_tree_equals_the_oracles(
    table: Table, options: Options, limits: dict[str, Any], pruned: bool, n_jobs: int
) -> None:
    table = of_present_rows(table)
    model = classifier_of(options, prune=pruned, n_jobs=n_jobs, **limits)
    model.fit(frame_of(table), labels_of(table), table.weights)
    tree = limit(grow(table, replace(options, collapse=False)), table, options, **limits)
    if pruned:
        tree = prune(tree, table, options)
    text = difference(model.tree_.to_dict(), tree)
    assert text is None, text


@settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
@given(tables(), options(), LIMITS)
def test_the_pruning_path_equals_the_oracles(
    table: Table, options: Options, limits: dict[str, Any]
) -> None:
    table = of_present_rows(table)
    model = classifier_of(options, **limits)
    path = model.cost_complexity_pruning_path(frame_of(table), labels_of(table), table.weights)
    del limits["ccp_alpha"]
    tree = grow(table, replace(options, collapse=False))
    expected = np.array(pruning_path(tree, table, options, **limits))
    np.testing.assert_allclose(path.ccp_alphas, expected[:, 0], atol=1e-9)
    np.testing.assert_allclose(path.impurities, expected[:, 1], atol=1e-9)


# -- scikit-learn's trees -------------------------------------------------------------------------
def sizes_after_collapsing(tree: Any) -> tuple[int, Any]:
    """Return the leaves of a tree of scikit-learn once C4.5 has collapsed it, and their labels."""
    t = tree.tree_
    weights = t.value[:, 0, :] * t.weighted_n_node_samples[:, None]
    leaf_of = np.arange(t.node_count)

    def visit(node: int) -> tuple[float, list[int]]:
        as_leaf = weights[node].sum() - weights[node].max()
        if t.children_left[node] < 0:
            return as_leaf, [node]
        left, right = visit(t.children_left[node]), visit(t.children_right[node])
        if left[0] + right[0] >= as_leaf - 1e-3:
            for below in left[1] + right[1]:
                leaf_of[leaf_of == below] = node
            return left[0] + right[0], [node]
        return left[0] + right[0], left[1] + right[1]

    return len(visit(0)[1]), weights[leaf_of].argmax(axis=1)


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("seed", range(60))
def test_the_tree_is_scikit_learns(criterion: str, seed: int) -> None:
    """Tables so small that C4.5 allows every cut, with weights that make ties unlikely."""
    chance = np.random.default_rng(seed)
    n_rows, n_classes = 16, 2
    X = chance.permuted(np.tile(np.arange(n_rows, dtype=float), (3, 1)), axis=1).T
    y = chance.integers(0, n_classes, n_rows)
    weights = chance.uniform(0.85, 1.15, n_rows)
    limits: dict[str, Any] = [
        {"max_leaves": int(chance.integers(2, 7))},
        {"min_impurity_decrease": float(chance.uniform(0.01, 0.15))},
        {"ccp_alpha": float(chance.uniform(0.005, 0.15))},
    ][seed % 3]
    ours = wl.C45Classifier(
        "gain" if criterion == "entropy" else "gini",
        min_objects=0.1,
        prune=False,
        threshold_penalty=False,
        **limits,
    ).fit(X, y, weights)
    theirs = DecisionTreeClassifier(
        criterion=criterion,
        random_state=0,
        **{"max_leaf_nodes" if k == "max_leaves" else k: v for k, v in limits.items()},
    ).fit(X, y, weights)
    n_leaves, labels = sizes_after_collapsing(theirs)
    assert ours.get_n_leaves() == n_leaves
    assert ours.predict(X).tolist() == labels[theirs.apply(X)].tolist()


@pytest.mark.parametrize("criterion", ["gini", "entropy"])
@pytest.mark.parametrize("seed", range(20))
def test_the_pruning_path_is_scikit_learns(criterion: str, seed: int) -> None:
    chance = np.random.default_rng(seed)
    X = chance.permuted(np.tile(np.arange(16.0), (3, 1)), axis=1).T
    y = chance.integers(0, 2, 16)
    weights = chance.uniform(0.85, 1.15, 16)
    ours = wl.C45Classifier(
        "gain" if criterion == "entropy" else "gini", min_objects=0.1, threshold_penalty=False
    ).cost_complexity_pruning_path(X, y, weights)
    theirs = DecisionTreeClassifier(criterion=criterion, random_state=0)
    path = theirs.cost_complexity_pruning_path(X, y, weights)
    # scikit-learn has several steps at the same cost, or at costs that differ by rounding.
    is_last = np.append(np.diff(path.ccp_alphas) > 1e-9, True)
    is_first = np.append(True, np.diff(path.ccp_alphas) > 1e-9)
    np.testing.assert_allclose(ours.ccp_alphas, path.ccp_alphas[is_first], atol=1e-9)
    np.testing.assert_allclose(ours.impurities, path.impurities[is_last], atol=1e-9)


# -- laws -----------------------------------------------------------------------------------------
@pytest.mark.parametrize("load", [load_iris, load_breast_cancer])
@pytest.mark.parametrize("criterion", ["gain_ratio", "gini", "km"])
def test_limits_shrink_the_tree(load: Any, criterion: str) -> None:
    X, y = load(return_X_y=True)

    def leaves(**limits: Any) -> int:
        return wl.C45Classifier(criterion, prune=False, **limits).fit(X, y).get_n_leaves()

    everything = leaves()
    assert [leaves(max_leaves=n) <= n for n in range(1, 9)] == [True] * 8
    assert leaves(max_leaves=10**30) == everything
    for name in ("min_impurity_decrease", "ccp_alpha"):
        sizes = [leaves(**{name: value}) for value in (0.0, 1e-4, 1e-3, 1e-2, 0.1, 2.0)]
        assert sizes == sorted(sizes, reverse=True)
        assert sizes[0] == everything
        assert sizes[-1] == 1


@pytest.mark.parametrize("criterion", ["gain_ratio", "gini", "km"])
def test_the_tree_changes_only_at_the_costs_of_the_path(criterion: str) -> None:
    X, y = load_breast_cancer(return_X_y=True)
    path = wl.C45Classifier(criterion).cost_complexity_pruning_path(X, y)
    assert path.ccp_alphas[0] == 0
    assert (np.diff(path.ccp_alphas) > 0).all()
    assert (np.diff(path.impurities) > 0).all()
    ends = np.append(path.ccp_alphas[1:], 2 * path.ccp_alphas[-1])
    sizes = []
    for start, end in zip(path.ccp_alphas, ends, strict=True):
        trees = [
            wl.C45Classifier(criterion, prune=False, ccp_alpha=alpha).fit(X, y)
            for alpha in (0.9 * start + 0.1 * end, 0.1 * start + 0.9 * end)
        ]
        assert trees[0].tree_.to_dict() == trees[1].tree_.to_dict()
        sizes.append(trees[0].get_n_leaves())
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[-1] == 1


def test_threads_change_nothing() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    for limits in ({"max_leaves": 5}, {"min_impurity_decrease": 0.01}, {"ccp_alpha": 0.005}):
        trees = [
            wl.C45Classifier(n_jobs=n_jobs, **limits).fit(X, y).tree_.to_dict() for n_jobs in (1, 3)
        ]
        assert trees[0] == trees[1]


@pytest.mark.parametrize(
    "limits", [{"max_leaves": 3}, {"min_impurity_decrease": 0.1}, {"ccp_alpha": 0.1}]
)
def test_the_original_program_has_no_such_limits(limits: dict[str, Any]) -> None:
    model = wl.C45Classifier(arithmetic="release8", **limits)
    with pytest.raises(ValueError, match=f"which has no {next(iter(limits))}: leave"):
        model.fit([[1.0], [2.0], [3.0], [4.0]], [0, 0, 1, 1])


@pytest.mark.parametrize("n_rounds", [None, 3, 50])
def test_topdown_splits_no_deeper_than_asked(n_rounds: int | None) -> None:
    X, y = load_breast_cancer(return_X_y=True)
    for max_depth in (0, 1, 2, 4):
        for n_jobs in (1, 2):
            model = wl.TopDownClassifier(n_rounds=n_rounds, max_depth=max_depth, n_jobs=n_jobs)
            assert model.fit(X, y).get_depth() == min(max_depth, 3 if n_rounds == 3 else max_depth)
    free = wl.TopDownClassifier(n_rounds=n_rounds).fit(X, y)
    limited = wl.TopDownClassifier(n_rounds=n_rounds, max_depth=free.get_depth()).fit(X, y)
    assert limited.tree_.to_dict() == free.tree_.to_dict()


def test_the_rounds_of_topdown_go_to_leaves_that_are_not_too_deep() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    model = wl.TopDownClassifier(n_rounds=3, max_depth=2).fit(X, y)
    assert model.get_depth() == 2
    assert model.get_n_leaves() == 4  # both children of the root are split


def test_the_original_program_has_no_pruning_path() -> None:
    model = wl.C45Classifier(arithmetic="release8")
    with pytest.raises(ValueError, match="has no cost-complexity pruning: use arithmetic='double'"):
        model.cost_complexity_pruning_path([[1.0], [2.0]], [0, 1])


def test_the_pruning_path_is_that_of_the_columns_that_winnowing_keeps() -> None:
    X, y = load_breast_cancer(return_X_y=True)
    model = wl.C45Classifier(winnow=True).fit(X, y)
    assert 0 < len(model.features_kept_) < X.shape[1]
    kept = [int(name[1:]) for name in model.features_kept_]
    path = model.cost_complexity_pruning_path(X, y)
    alone = wl.C45Classifier().cost_complexity_pruning_path(X[:, kept], y)
    assert np.array_equal(path.ccp_alphas, alone.ccp_alphas)
    assert np.array_equal(path.impurities, alone.impurities)
