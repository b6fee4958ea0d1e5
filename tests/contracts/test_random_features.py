"""`max_features` of C45Classifier and TopDownClassifier: against plain Python, and its laws."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.utils import check_random_state

import weaklearn as wl
from oracles.c45 import Options, Table, grow, prune
from oracles.topdown import grow as grow_topdown
from strategies import longer_tables, options, tables, tables_of_many_values
from weaklearn.boosting.sampling import draw_seed

from .oracle_table import classifier_of, difference, frame_of, labels_of, of_present_rows

EXAMPLES = int(os.environ.get("WEAKLEARN_EXAMPLES", "200"))
patient = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
pytestmark = pytest.mark.filterwarnings("ignore:.* does not separate values:UserWarning")


def check(table: Table, options: Options, max_features: int, seed: int, pruned: bool) -> None:
    table = of_present_rows(table)
    max_features = min(max_features, len(table.columns))
    options = replace(options, max_features=max_features, seed=draw_seed(seed))
    model = classifier_of(options, prune=pruned, max_features=max_features, random_state=seed)
    model.fit(frame_of(table), labels_of(table), table.weights)
    tree = grow(table, options)
    if pruned:
        tree = prune(tree, table, options)
    text = difference(model.tree_.to_dict(), tree)
    assert text is None, text


@patient
@given(tables(), options(), st.integers(1, 4), st.integers(0, 2**31), st.booleans())
def test_the_tree_of_c45_equals_the_oracles(
    table: Table, options: Options, max_features: int, seed: int, pruned: bool
) -> None:
    check(table, options, max_features, seed, pruned)


@settings(patient, max_examples=EXAMPLES // 2)
@given(tables_of_many_values(), options(), st.integers(0, 9), st.booleans())
def test_values_that_hardly_repeat_are_put_into_two_groups(
    table: Table, options: Options, seed: int, pruned: bool
) -> None:
    check(table, replace(options, subset=True), 1, seed, pruned)


@settings(patient, max_examples=EXAMPLES // 8)
@given(st.data(), options(), st.integers(1, 3), st.integers(0, 2**31), st.booleans())
def test_longer_tables(
    data: st.DataObject, options: Options, max_features: int, seed: int, wide: bool
) -> None:
    table = data.draw(longer_tables(8 if options.subset else 300))
    if wide:  # the core keeps columns in sorted order only if many of them are drawn
        n_constant = 76
        table = replace(
            table,
            columns=[*table.columns, *([0.0] * len(table.y) for _ in range(n_constant))],
            kinds=[*table.kinds, *["continuous"] * n_constant],
            values=[*table.values, *[[]] * n_constant],
            names=[],
            precision=[],
        )
    check(table, options, max_features, seed, pruned=False)


@settings(patient, max_examples=EXAMPLES // 2)
@given(
    tables(),
    st.integers(1, 3),
    st.integers(0, 2**31),
    st.booleans(),
    st.sampled_from([None, 0, 1, 3, 8]),
)
def test_the_tree_of_topdown_equals_the_oracles(
    table: Table, max_features: int, seed: int, grouping: bool, n_rounds: int | None
) -> None:
    table = of_present_rows(table)
    max_features = min(max_features, len(table.columns))
    model = wl.TopDownClassifier(
        "gini", n_rounds, grouping, max_features=max_features, random_state=seed
    ).fit(frame_of(table), labels_of(table), table.weights)
    options = Options(
        criterion="gini",
        min_objects=1,
        grouping=grouping,
        threshold_penalty=False,
        collapse=False,
        max_features=max_features,
        seed=draw_seed(seed),
    )
    text = difference(model.tree_.to_dict(), grow_topdown(table, options, n_rounds))
    assert text is None, text


@settings(patient, max_examples=EXAMPLES // 2)
@given(tables(), options(), st.integers(0, 9))
def test_drawing_all_features_is_drawing_none(table: Table, options: Options, seed: int) -> None:
    """Features compete in the order of the table, whatever the order in which they are drawn."""
    frame, labels = frame_of(table), labels_of(table)
    every = [
        classifier_of(options, max_features=m, random_state=seed)
        .fit(frame, labels, table.weights)
        .tree_
        for m in (None, 1.0, len(table.columns))
    ]
    assert every[0] == every[1] == every[2]


def _large_table(missing: bool, n_rows: int = 9000) -> tuple[pd.DataFrame, Any]:
    chance = np.random.default_rng(7)
    X = pd.DataFrame(chance.normal(size=(n_rows, 12)), columns=[f"x{i}" for i in range(12)])
    for i in range(4, 8):
        X[f"x{i}"] = X[f"x{i}"].round(1)
    for i in range(8, 12):
        X[f"x{i}"] = pd.Categorical.from_codes(chance.integers(0, 5, n_rows), list("abcde"))
    y = (X["x0"] + X["x4"] + chance.normal(size=n_rows) > 0).astype(int) + (X["x8"] == "a")
    if missing:
        X = X.mask(chance.random(X.shape) < 0.02)
    return X, y


@pytest.mark.parametrize("missing", [False, True])
@pytest.mark.parametrize("max_features", [1, "sqrt", 8])
def test_threads_change_no_bit(missing: bool, max_features: Any) -> None:
    X, y = _large_table(missing)
    trees = [
        wl.C45Classifier(
            prune=False, max_features=max_features, random_state=1, n_jobs=n_jobs, max_depth=8
        )
        .fit(X, y)
        .tree_
        for n_jobs in (1, 2, 3)
    ]
    assert trees[0] == trees[1] == trees[2]
    assert trees[0].n_leaves > 20


def test_growing_best_first_and_depth_first_is_the_same() -> None:
    X, y = _large_table(missing=True, n_rows=70_000)  # subtrees grow depth first on copies of rows
    shape: dict[str, Any] = {"max_features": 3, "random_state": 5, "max_depth": 6}
    whole = wl.TopDownClassifier(**shape).fit(X, y).tree_
    in_rounds = wl.TopDownClassifier(n_rounds=10**6, **shape).fit(X, y).tree_
    assert in_rounds == whole


def test_the_seed_decides_and_is_used_only_for_draws() -> None:
    X, y = _large_table(missing=False)
    generator = check_random_state(0)
    plain = wl.C45Classifier(max_depth=4, random_state=generator).fit(X, y).tree_
    assert generator.randint(10**9) == check_random_state(0).randint(10**9)
    trees = [
        wl.C45Classifier(max_depth=4, max_features=2, random_state=seed).fit(X, y).tree_
        for seed in (0, 0, 1)
    ]
    assert trees[0] == trees[1] != trees[2]
    assert trees[0] != plain


@given(st.integers(1, 300), st.integers(0, 2**31))
def test_every_feature_can_be_drawn(n_features: int, seed: int) -> None:
    """Only one feature varies, so it is found wherever it is in the order of the draw."""
    column = seed % n_features
    X = np.zeros((4, n_features))
    X[:, column] = [0, 0, 1, 1]
    model = wl.C45Classifier(max_features=1, random_state=seed).fit(X, ["a", "a", "b", "b"])
    assert model.tree_.to_dict()["index"] == column


@pytest.mark.parametrize("missing", ["fraction", "branch"])
def test_missing_is_a_value_only_if_it_has_a_branch(missing: str) -> None:
    X = pd.DataFrame(
        {
            "one value": [None, None, 1.0, 1.0] * 5,
            "weak": [0.0, 0.0, 0.0, 1.0] * 5,
            "strong": [0.0, 0.0, 1.0, 1.0] * 5,
        }
    )
    y = ["a", "a", "b", "b"] * 4 + ["a", "b", "b", "a"]
    roots = {
        wl.C45Classifier("gain", missing=missing, max_features=2, random_state=seed)
        .fit(X, y)
        .tree_.to_dict()["index"]
        for seed in range(40)
    }
    assert roots == ({2} if missing == "fraction" else {0, 2})


def test_features_are_drawn_with_equal_chances() -> None:
    X = np.column_stack([np.tile([0.0, 1.0], 10)] * 5)
    y = np.tile(["a", "b"], 10)
    used = [
        wl.C45Classifier(max_features=1, random_state=seed).fit(X, y).tree_.to_dict()["index"]
        for seed in range(500)
    ]
    counts = np.bincount(used, minlength=5)
    assert ((counts - 100) ** 2 / 100).sum() < 23.5  # chi-squared, 4 degrees: 1 in 10,000


@pytest.mark.parametrize("learner", [wl.C45Classifier, wl.TopDownClassifier])
@pytest.mark.parametrize("max_features", [0, 1.5, 0.0, "all", True, -1])
def test_bad_values_are_named(learner: Any, max_features: Any) -> None:
    with pytest.raises(ValueError, match=r"max_features must be a share > 0 and <= 1\.0 or a"):
        learner(max_features=max_features).fit([[1], [2]], ["a", "b"])


def test_more_features_than_there_are() -> None:
    with pytest.raises(ValueError, match="max_features=3 is more than the 1 columns"):
        wl.C45Classifier(max_features=3).fit([[1], [2]], ["a", "b"])


def test_the_original_program_has_no_random_features() -> None:
    with pytest.raises(ValueError, match="which has no max_features: leave max_features at its"):
        wl.C45Classifier(arithmetic="release8", max_features=1).fit([[1], [2]], ["a", "b"])


def test_members_have_seeds_of_their_own(tmp_path: Any) -> None:
    X, y = _large_table(missing=False)
    tree = wl.C45Classifier(max_features="sqrt", max_depth=3, prune=False)
    forest = wl.BaggedClassifier(tree, 6, max_samples=len(X), bootstrap=False, random_state=1)
    roots = {member.tree_.to_dict()["index"] for member in forest.fit(X, y).members_}
    assert len(roots) > 1  # all members see the same rows
    one, two = (
        wl.AdaBoostM1Classifier(tree, 4, random_state=1, n_jobs=n_jobs).fit(X, y)
        for n_jobs in (1, 2)
    )
    assert [m.tree_ for m in one.members_] == [m.tree_ for m in two.members_]
    forest.save(tmp_path / "forest.json")
    loaded = wl.load(tmp_path / "forest.json")
    assert loaded.get_params()["estimator__max_features"] == "sqrt"
    assert [m.tree_ for m in loaded.members_] == [m.tree_ for m in forest.members_]
