"""A tree whose rows are counted in parts is the tree of the whole table, to the bit."""

from __future__ import annotations

from unittest import mock

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import weaklearn as wl
from contracts.oracle_table import frame_of, labels_of
from strategies import tables as mixed_tables
from strategies import tables_of_many_values
from weaklearn import _core

LEARNERS = {
    "c45": lambda **options: wl.C45Classifier(**options),
    "c45-branch": lambda **options: wl.C45Classifier(missing="branch", subset=True, **options),
    "c45-subset": lambda **options: wl.C45Classifier(subset=True, **options),
    "c45-unpruned": lambda **options: wl.C45Classifier(prune=False, subset=True, **options),
    "c45-leaves": lambda **options: wl.C45Classifier(prune=False, max_leaves=4, **options),
    "c45-balanced": lambda **options: wl.C45Classifier(class_weight="balanced", **options),
    "c45-costs": lambda **options: wl.C45Classifier(costs={("c0", "c1"): 3.0}, **options),
    "c45-random": lambda **options: wl.C45Classifier(
        "gini", prune=False, splits="random", max_features=0.5, random_state=3, **options
    ),
    "topdown": lambda **options: wl.TopDownClassifier(n_rounds=5, **options),
    "topdown-full": lambda **options: wl.TopDownClassifier("gini", **options),
    "topdown-grouping": lambda **options: wl.TopDownClassifier(
        "entropy", n_rounds=9, grouping=True, max_features=1, random_state=4, **options
    ),
    "topdown-pruned": lambda **options: wl.TopDownClassifier(prune=True, **options),
    "topdown-pruned-branch": lambda **options: wl.TopDownClassifier(
        prune=True, missing="branch", **options
    ),
}


SEEDS = st.integers(0, 99)


class Parts:
    """Adds up the sums of several parts of a dataset."""

    n_counted = 0  # how many tables of nodes were counted for the last tree
    n_raised = 0  # how many nodes were replaced by a child

    def __init__(self, dataset, weights, part_of, unit):
        self.parts = [
            _core.PartOfRows(dataset, np.where(part_of == part, weights, 0.0), unit)
            for part in range(3)
        ]
        Parts.n_counted = Parts.n_raised = 0

    def tables(self, tree, nodes):
        Parts.n_counted += len(nodes)
        return sum(part.tables(tree, 7, nodes) for part in self.parts)

    def node_sums(self, tree, requests):
        Parts.n_raised += int((requests[::2] == requests[1::2]).sum())
        return sum(part.node_sums(tree, requests) for part in self.parts)


def counted(fit, part_of):
    """Return the fit function of the core with rows that are counted in parts."""

    def fit_counted(dataset, weights, **options):
        present = weights[weights > 0]
        first = _core.WeightUnit.first_unit(present.max(), len(present))
        total = sum(_core.WeightUnit.sum_in(first, weights[part_of == part]) for part in range(3))
        unit = _core.WeightUnit.from_sum(first, total)
        rounded = np.maximum(np.rint(present / unit.value), 1) * unit.value
        parts = Parts(dataset, weights, part_of, unit)
        rows = _core.CountedRows(parts, unit, bool((rounded == 1).all()))
        return fit(dataset, np.zeros(0), **{**options, "counted": rows})

    return fit_counted


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", LEARNERS)
@given(table=mixed_tables(max_rows=60), max_bins=st.integers(2, 12), seed=SEEDS)
@settings(max_examples=25, deadline=None)
def test_parts_of_rows_give_the_same_tree(name, table, max_bins, seed):
    X, y = frame_of(table), labels_of(table)
    weights = np.array(table.weights) if len(table.weights) else None
    model = LEARNERS[name](max_bins=max_bins)
    if weights is not None and name in ("c45-balanced", "c45-costs"):
        assume(weights[weights > 0].min() > 1e-300)  # lighter classes cannot be balanced
    whole = model.fit(X, y, weights).tree_
    n_kept = len(y) if weights is None else int((weights > 0).sum())
    part_of = np.random.default_rng(seed).integers(0, 3, n_kept)
    with (
        mock.patch.object(_core, "fit_c45", counted(_core.fit_c45, part_of)),
        mock.patch.object(_core, "fit_topdown", counted(_core.fit_topdown, part_of)),
    ):
        in_parts = model.fit(X, y, weights).tree_
    assert in_parts == whole
    assert in_parts.to_dict() == whole.to_dict()


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("splits", ["best", "random"])
@pytest.mark.parametrize("missing", ["fraction", "branch"])
@given(table=tables_of_many_values(), class_weight=st.sampled_from([None, {"c0": 2.0}]), seed=SEEDS)
@settings(max_examples=30, deadline=None)
def test_rows_of_keys_are_counted_in_parts(missing, splits, table, class_weight, seed):
    model = wl.C45Classifier(
        prune=False,
        subset=True,
        missing=missing,
        max_features=1,
        splits=splits,
        class_weight=class_weight,
        random_state=seed,
        max_bins=3,
    )
    X, y = frame_of(table), labels_of(table)
    weights = np.array(table.weights) if len(table.weights) else None
    whole = model.fit(X, y, weights).tree_
    part_of = np.random.default_rng(seed).integers(0, 3, len(y))
    with mock.patch.object(_core, "fit_c45", counted(_core.fit_c45, part_of)):
        assert model.fit(X, y, weights).tree_ == whole


def test_large_trees_are_the_same():
    random = np.random.default_rng(0)
    X = random.normal(size=(5000, 5)).round(2)
    y = (X[:, 0] + X[:, 1] * X[:, 2] + random.normal(size=5000) > 0).astype(int)
    for model in (wl.C45Classifier(max_bins=255), wl.TopDownClassifier(n_rounds=60, max_bins=50)):
        whole = model.fit(X, y).tree_
        part_of = random.integers(0, 3, len(y))
        with (
            mock.patch.object(_core, "fit_c45", counted(_core.fit_c45, part_of)),
            mock.patch.object(_core, "fit_topdown", counted(_core.fit_topdown, part_of)),
        ):
            assert model.fit(X, y).tree_ == whole
        assert whole.n_nodes > 40


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("costs", [None, {("yes", "no"): 3.0}])
def test_pruning_shares_out_missing_values_in_parts(weighted, costs):
    random = np.random.default_rng(1)
    X = pd.DataFrame(random.normal(size=(3000, 5)).round(1)).add_prefix("x")
    X["colour"] = random.choice(list("abcdefgh"), 3000)
    y = np.where(X.x0 + X.x1 * X.x2 + random.normal(size=3000) > 0, "yes", "no")
    X = X.mask(random.random(X.shape) < 0.1)
    weights = random.choice([0.3, 1.0, 2.7], 3000) if weighted else None
    n_raised = 0
    for parameters in ({"subset": True}, {"confidence": 0.1}, {"class_weight": "balanced"}):
        model = wl.C45Classifier(max_bins=40, costs=costs, **parameters)
        whole = model.fit(X, y, weights).tree_
        part_of = random.integers(0, 3, len(y))
        with mock.patch.object(_core, "fit_c45", counted(_core.fit_c45, part_of)):
            in_parts = model.fit(X, y, weights).tree_
        assert in_parts == whole
        assert in_parts.to_dict() == whole.to_dict()
        n_raised += Parts.n_raised
    assert n_raised > 20


def test_one_child_of_two_is_counted():
    random = np.random.default_rng(0)
    X = random.normal(size=(2000, 3))
    y = (X[:, 0] * X[:, 1] + random.normal(size=2000) > 0).astype(int)
    model = wl.TopDownClassifier("entropy", max_bins=30, min_objects=5)
    part_of = random.integers(0, 3, len(y))
    with mock.patch.object(_core, "fit_topdown", counted(_core.fit_topdown, part_of)):
        n_splits = model.fit(X, y).tree_.n_leaves - 1
    assert n_splits > 50
    assert Parts.n_counted <= 2 + n_splits  # the root is counted twice


def test_damaged_trees_are_refused():
    dataset = _core.Dataset([np.arange(4.0)], [0], np.array([0, 1, 0, 1], np.int32), 2, max_bins=4)
    unit = _core.WeightUnit.from_sum(_core.WeightUnit.first_unit(1.0, 4), 4)
    part = _core.PartOfRows(dataset, np.ones(4), unit)
    nodes = np.zeros(1, np.uint32)
    for damaged in (b"", b"x" * 7, b"\x01" + bytes(23), bytes(24), b"\xff" * 64):
        with pytest.raises(ValueError, match="damaged"):
            part.tables(damaged, 1, nodes)


def test_errors_of_the_counter_reach_the_caller():
    class Failing:
        def tables(self, tree, nodes):
            raise RuntimeError("the cluster is gone")

    dataset = _core.Dataset([np.arange(4.0)], [0], np.array([0, 1, 0, 1], np.int32), 2, max_bins=4)
    unit = _core.WeightUnit.from_sum(_core.WeightUnit.first_unit(1.0, 4), 4)
    rows = _core.CountedRows(Failing(), unit, True)
    with pytest.raises(RuntimeError, match="the cluster is gone"):
        _core.fit_c45(dataset, np.zeros(0), counted=rows)
