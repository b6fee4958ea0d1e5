"""Exact SHAP values of graphs and committees."""

from __future__ import annotations

import re
import sys
import warnings
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import weaklearn as wl
from oracles.shapley import coalition_shares, shapley_values
from random_graphs import SCHEMA, graphs
from reference_nodes import graph_of
from weaklearn.encoding import EncodedRows
from weaklearn.explain.shap_explanation import ShapValues, score_of
from weaklearn.models import Graph
from weaklearn.schema import Feature, Schema

# Importing shap warns, and so do we if it fails.
pytestmark = [
    pytest.mark.filterwarnings("ignore::PendingDeprecationWarning"),
    pytest.mark.filterwarnings("ignore:shap is installed, but cannot be imported"),
]

NUMBERS = [np.nan, 0.0, -0.0, 0.1, -2.5, 3.0, -7.0, 1e300, -1e5, np.inf, -np.inf]


def random_rows(chance: Random, n_rows: int) -> list[list[float]]:
    """Return rows of numbers and codes, some of them missing or not declared."""
    return [
        [
            chance.choice(NUMBERS)
            if feature.kind == "continuous"
            else chance.choice([-1, *range(len(feature.values))])
            for feature in SCHEMA.features
        ]
        for _ in range(n_rows)
    ]


def encoded(rows: list[list[float]]) -> EncodedRows:
    arrays = [
        np.array(column, np.float64 if feature.kind == "continuous" else np.int32)
        for column, feature in zip(zip(*rows, strict=True), SCHEMA.features, strict=True)
    ]
    return EncodedRows(arrays, len(rows))


def with_missing_branches(graph: Graph, chance: Random) -> Graph:
    """Return the graph with a branch for missing values at each split that is not oblique."""
    kinds = [graph.split_kind(node) for node in range(graph.n_nodes)]
    branches = [
        -1 if kind in ("leaf", "oblique") else chance.randrange(len(graph.children(node)))
        for node, kind in enumerate(kinds)
    ]
    arrays = {**graph.arrays, "missing_branch": np.array(branches, np.int32)}
    return Graph.from_arrays(graph.schema, arrays)


def assume_rows_can_be_distributed(graph: Graph) -> None:
    splits = [node for node in range(graph.n_nodes) if not graph.is_leaf(node)]
    assume(all(sum(graph.branch_weights(node)) > 0 for node in splits))


@settings(max_examples=100, deadline=None)
@given(graphs(max_splits=8), st.integers(0, 2**32), st.booleans())
def test_any_graph_against_all_coalitions(graph: Graph, seed: int, branches: bool) -> None:
    assume_rows_can_be_distributed(graph)
    chance = Random(seed)
    if branches:
        graph = with_missing_branches(graph, chance)
    rows = random_rows(chance, 10)  # a block and a part of one
    values, base_values = score_of(graph).shap_values(encoded(rows))
    for i in (0, 9):
        row = rows[i]
        game = partial(coalition_shares, graph, row)
        expected = shapley_values(game, len(row))
        np.testing.assert_allclose(values[i], expected, rtol=0, atol=1e-12)
        empty = coalition_shares(graph, row, frozenset())
        np.testing.assert_allclose(base_values[i], empty, rtol=0, atol=1e-12)


def small_table(chance: np.random.Generator, n_rows: int, missing: float) -> tuple[Any, Any]:
    frame = pd.DataFrame(
        {
            "a": chance.normal(size=n_rows).round(1),
            "b": chance.choice(list("pqrst"), n_rows),
            "c": chance.integers(0, 4, n_rows).astype(float),
            "d": chance.choice(["u", "v", "w"], n_rows),
        }
    )
    score = frame["a"] + frame["b"].isin(["p", "s"]) + 0.5 * frame["c"] * (frame["d"] == "u")
    noisy = score + chance.normal(scale=0.3, size=n_rows)
    y = np.array(["low", "middle", "high"])[np.digitize(noisy, [0.3, 1.2])]
    for name in frame:
        frame[name] = frame[name].mask(chance.random(n_rows) < missing)
    return frame, y


FRACTION_TREES = [
    wl.C45Classifier(min_objects=1, prune=False),
    wl.C45Classifier(min_objects=1, subset=True),
    wl.TopDownClassifier(),
    wl.C45Classifier(min_objects=1, shrinkage=3.0),
]


@pytest.mark.parametrize("model", FRACTION_TREES, ids=["multiway", "subset", "topdown", "shrunk"])
@settings(max_examples=6, deadline=None)
@given(st.integers(0, 2**32))
def test_our_own_prediction_of_masked_rows_is_the_oracle(model: Any, seed: int) -> None:
    chance = np.random.default_rng(seed)
    X, y = small_table(chance, 60, missing=0.1)
    model.fit(X, y)
    rows, _ = small_table(chance, 3, missing=0.2)
    rows.loc[0, "b"] = "never seen"
    score = score_of(model)
    values, _ = score.shap_values(score.encode(rows))
    for i in range(len(rows)):
        row = rows.iloc[[i]]

        def game(used: frozenset[int], row: Any = row) -> Any:
            masked = row.astype(object).copy()
            for column in set(range(masked.shape[1])) - used:
                masked.iloc[0, column] = None
            return model.predict_proba(masked)[0]

        expected = shapley_values(game, rows.shape[1])
        np.testing.assert_allclose(values[i], expected, rtol=0, atol=1e-12)
        assert not values[i][rows.iloc[i].isna().to_numpy()].any()


@settings(max_examples=15, deadline=None)
@given(st.integers(0, 2**32), st.booleans())
def test_missing_branches_do_not_change_the_shares_of_left_out_features(
    seed: int, subset: bool
) -> None:
    chance = np.random.default_rng(seed)
    X, y = small_table(chance, 60, missing=0.2)
    tree = wl.C45Classifier(missing="branch", min_objects=1, subset=subset).fit(X, y).tree_
    without = {**tree.arrays, "missing_branch": np.zeros(0, np.int32)}
    multiway = tree.nodes["split"] == 2
    n_values = [len(tree.schema.features[f].values) for f in tree.feature]
    assume(not (multiway & (tree.nodes["n_branches"] > n_values)).any())
    as_fraction = Graph.from_arrays(tree.schema, without)
    known = X.dropna()
    if known.empty:
        return
    ours, _ = score_of(tree).shap_values(tree.encode(known))
    expected, _ = score_of(as_fraction).shap_values(tree.encode(known))
    np.testing.assert_array_equal(ours, expected)


MODELS = {
    "c45": wl.C45Classifier(),
    "groups": wl.C45Classifier(subset=True),
    "branch": wl.C45Classifier(missing="branch"),
    "topdown": wl.TopDownClassifier(missing="branch"),
    "stump": wl.StumpClassifier(),
    "program": wl.BranchingProgramClassifier(max_levels=5),
    "program, branch": wl.BranchingProgramClassifier(missing="branch", max_levels=5),
    "deep program": wl.BranchingProgramClassifier(),
    "oc1": wl.OC1Classifier(random_state=0),
    "sadt": wl.SADTClassifier(random_state=0),
    "boost odt": wl.BoostODTClassifier(),
    "bagged": wl.BaggedClassifier(random_state=0),
    "bagged, some columns": wl.BaggedClassifier(max_features=0.5, random_state=0),
    "boosted": wl.AdaBoostM1Classifier(n_rounds=5, vote="shares"),
    "forest": wl.BoostedForestClassifier(n_members=8, random_state=0),
    "pruned": wl.PrunedClassifier(wl.AdaBoostM1Classifier(n_rounds=6, vote="shares"), size=3),
    "costs": wl.C45Classifier(costs={("low", "high"): 5}),
}


@pytest.mark.parametrize("model", MODELS.values(), ids=MODELS.keys())
def test_values_add_up_and_depend_neither_on_threads_nor_on_other_rows(model: Any) -> None:
    chance = np.random.default_rng(1)
    X, y = small_table(chance, 150, missing=0.1)
    model.fit(X, y)
    score = score_of(model)
    rows = score.encode(X[:21])
    values, base_values = score.shap_values(rows)
    scores = score.scores(rows)
    np.testing.assert_allclose(values.sum(axis=1) + base_values, scores, rtol=0, atol=1e-9)
    np.testing.assert_allclose(values.sum(axis=2), 0.0, atol=1e-9)  # shares sum to one
    object.__setattr__(score, "n_threads", 3)
    threaded, threaded_base = score.shap_values(rows)
    np.testing.assert_array_equal(threaded, values)
    np.testing.assert_array_equal(threaded_base, base_values)
    for i in (0, 7, 20):
        alone, alone_base = score.shap_values(rows.take_rows(np.array([i])))
        np.testing.assert_array_equal(alone[0], values[i])
        np.testing.assert_array_equal(alone_base[0], base_values[i])


def test_the_score_of_a_tree_and_of_bagging_is_the_probability() -> None:
    X, y = small_table(np.random.default_rng(2), 150, missing=0.1)
    for model in (wl.C45Classifier(), wl.BaggedClassifier(vote="shares", random_state=0)):
        model.fit(X, y)
        explained = wl.explain.shap_values(model, X)
        total = explained.base_values + explained.values.sum(axis=1)
        np.testing.assert_allclose(total, model.predict_proba(X), rtol=0, atol=1e-9)
        assert list(explained.output_names) == model.classes_.tolist()


@pytest.mark.parametrize("n_classes", [1, 2, 3])
def test_separators_against_all_coalitions(n_classes: int) -> None:
    X, y = small_table(np.random.default_rng(6), 150, missing=0.1)
    y = np.where(np.isin(y, ["low", "middle", "high"][:n_classes]), y, "low")
    weights = np.where(X["d"] == "u", 2.0, 1.0) * (y != "high" if n_classes == 3 else 1.0)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # it has nothing to learn from one class
        model = wl.RealAdaBoostClassifier(8).fit(X, y, sample_weight=weights)
    score = score_of(model)
    for i in range(6):
        row = X.iloc[[i]]

        def game(used: frozenset[int], row: Any = row) -> Any:
            masked = row.astype(object).copy()
            for column in set(range(masked.shape[1])) - used:
                masked.iloc[0, column] = None
            return score.scores(score.encode(masked))[0]

        values, base_values = score.shap_values(score.encode(row))
        np.testing.assert_allclose(values[0], shapley_values(game, 4), rtol=0, atol=1e-12)
        np.testing.assert_allclose(base_values[0], game(frozenset()), rtol=0, atol=1e-12)
    if n_classes == 2:
        total = score.scores(score.encode(X))
        np.testing.assert_allclose(total[:, 1], model.decision_function(X), rtol=0, atol=1e-12)


def test_single_precision_weights_add_up_to_single_precision() -> None:
    X, y = small_table(np.random.default_rng(2), 150, missing=0.1)
    model = wl.C45Classifier(arithmetic="release8").fit(X, y)
    explained = wl.explain.shap_values(model, X)
    total = explained.base_values + explained.values.sum(axis=1)
    np.testing.assert_allclose(total, model.predict_proba(X), rtol=0, atol=1e-5)
    known = ~X.isna().any(axis=1).to_numpy()
    np.testing.assert_allclose(total[known], model.predict_proba(X[known]), rtol=0, atol=1e-9)


def test_classes_without_weight_and_declared_order() -> None:
    X, y = small_table(np.random.default_rng(3), 90, missing=0.0)
    weights = np.where(y == "middle", 0.0, 1.0)
    model = wl.C45Classifier().fit(X, y, sample_weight=weights)
    explained = wl.explain.shap_values(model, X)
    assert explained.values.shape == (90, 4, 3)
    assert not explained.values[:, :, model.classes_.tolist().index("middle")].any()
    total = explained.base_values + explained.values.sum(axis=1)
    np.testing.assert_allclose(total, model.predict_proba(X), rtol=0, atol=1e-9)


def test_a_tree_with_one_leaf_and_no_rows() -> None:
    with pytest.warns(UserWarning, match="learned nothing"):
        model = wl.C45Classifier().fit([[1.0], [1.0]], ["a", "b"])
    explained = wl.explain.shap_values(model, [[2.0]])
    assert not explained.values.any()
    assert explained.base_values.tolist() == [[0.5, 0.5]]
    values, base_values = score_of(model).shap_values(EncodedRows([np.zeros(0)], 0))
    assert values.shape == (0, 1, 2)
    assert base_values.shape == (0, 2)


@pytest.mark.parametrize("shap_is_installed", [False, True])
def test_form_of_the_result(monkeypatch: Any, shap_is_installed: bool) -> None:
    if shap_is_installed:
        pytest.importorskip("shap", reason="needs shap", exc_type=ImportError)
    else:
        monkeypatch.setattr("weaklearn.explain.shap_explanation.find_spec", lambda name: None)
    X, y = small_table(np.random.default_rng(4), 80, missing=0.1)
    explained = wl.explain.shap_values(wl.C45Classifier().fit(X, y), X)
    assert (type(explained).__name__ == "Explanation") == shap_is_installed
    assert explained.values.shape == explained.shape == (80, 4, 3)
    assert explained.base_values.shape == (80, 3)
    assert list(explained.feature_names) == ["a", "b", "c", "d"]
    assert explained.data.dtype == np.float64
    shown, is_missing = explained.display_data[:, 1], X["b"].isna().to_numpy()
    assert (shown[~is_missing] == X["b"].to_numpy()[~is_missing]).all()
    assert all(cell is None for cell in shown[is_missing])
    if not shap_is_installed:
        assert isinstance(explained, ShapValues)
        assert repr(explained) == "ShapValues(80 rows, 4 features, 3 classes)"


def test_shap_that_cannot_be_imported(monkeypatch: Any) -> None:
    monkeypatch.setattr("weaklearn.explain.shap_explanation.find_spec", lambda name: object())
    monkeypatch.setitem(sys.modules, "shap", None)  # makes its import fail
    X, y = small_table(np.random.default_rng(4), 80, missing=0.1)
    model = wl.C45Classifier().fit(X, y)
    with pytest.warns(UserWarning, match="shap is installed, but cannot be imported"):
        assert isinstance(wl.explain.shap_values(model, X), ShapValues)


ERRORS = [
    (wl.AdaBoostM1Classifier(n_rounds=3), 'Fit it with vote="shares"'),
    (wl.AdaBoostM1Classifier(n_rounds=3, vote="confidence"), 'Fit it with vote="shares"'),
    (wl.RulesClassifier(), "RulesClassifier has no score that is a sum over trees or features"),
    (
        wl.BaggedClassifier(wl.RealAdaBoostClassifier(3), vote="shares", random_state=0),
        "has members of RealAdaBoostClassifier",
    ),
]


@pytest.mark.parametrize(("model", "message"), ERRORS)
def test_models_without_additive_scores(model: Any, message: str) -> None:
    X, y = small_table(np.random.default_rng(5), 80, missing=0.0)
    with pytest.raises(TypeError, match=re.escape(message)):
        wl.explain.shap_values(model.fit(X, y), X)


def test_things_that_are_no_models() -> None:
    from sklearn.exceptions import NotFittedError

    with pytest.raises(TypeError, match="expected a fitted classifier of this package"):
        wl.explain.shap_values("model", [[1.0]])
    with pytest.raises(NotFittedError):
        wl.explain.shap_values(wl.C45Classifier(), [[1.0]])


@pytest.mark.filterwarnings("ignore:X does not have valid feature names")
def test_weights_that_cannot_distribute_rows() -> None:
    tree = wl.C45Classifier(min_objects=1).fit([[1.0], [2.0]], ["a", "b"]).tree_
    nodes = tree.nodes.copy()
    nodes["weight"][1:] = 0.0
    empty = Graph.from_arrays(tree.schema, {**tree.arrays, "nodes": nodes})
    with pytest.raises(ValueError, match="node 0: the weights of its branches sum to 0"):
        wl.explain.shap_values(empty, [[1.0]])


def ladder(n_levels: int, feature_of: Callable[[int], int]) -> Graph:
    """Return a program with 2 nodes per level, 2**n_levels paths, and a feature for each level."""
    names = sorted({feature_of(level) for level in range(n_levels)})
    schema = Schema(tuple(Feature(f"x{name}", "continuous") for name in names), ("no", "yes"))
    below: list[dict[str, Any]] = [
        {"id": f"leaf {k}", "class": k, "n": 1.0, "e": 0.0, "dist": {k: 1.0}} for k in ("no", "yes")
    ]
    for level in range(n_levels):
        refs = [{"ref": node["id"]} for node in below]
        split = {
            **{"attr": f"x{feature_of(level)}", "index": names.index(feature_of(level))},
            **{"test": "<=", "threshold": float(level % 5)},
            **{"class": "yes", "n": 3.0, "e": 0.0, "dist": {"yes": 3.0}},
        }
        first = {**split, "id": f"{level} a", "flow": [1.0, 2.0], "children": below}
        second = {**split, "id": f"{level} b", "flow": [2.5, 0.5], "children": refs[::-1]}
        below = [first] if level == n_levels - 1 else [first, second]
    return graph_of(below[0], schema)


def test_shared_nodes_with_many_paths_and_few_features() -> None:
    program = ladder(100, lambda level: level % 7 % 5)
    rows = encoded_numbers([[0.5, 2.5, 1.5, np.nan, 4.5], [9.0, -1.0, 3.5, 0.5, 2.5]])
    values, base_values = score_of(program).shap_values(rows)
    total = base_values + values.sum(axis=1)
    np.testing.assert_allclose(total, program.predict_class_shares(rows), rtol=0, atol=1e-9)
    row = [9.0, -1.0, 3.5, 0.5, 2.5]
    small = ladder(9, lambda level: level % 4)  # listing 16 coalitions is shorter than 512 paths
    values, _ = score_of(small).shap_values(encoded_numbers([row[:4]]))
    expected = shapley_values(partial(coalition_shares, small, row[:4]), 4)
    np.testing.assert_allclose(values[0], expected, rtol=0, atol=1e-12)


def test_shared_nodes_with_many_paths_and_many_features() -> None:
    message = "has 8388608 paths and tests 23 features; SHAP values need at most 1000000 paths or"
    with pytest.raises(ValueError, match=message):
        score_of(ladder(23, int)).shap_values(encoded_numbers([[0.0] * 23]))


def oblique_chain(n_features: int) -> Graph:
    """Return a tree whose oblique splits test features 0 and 1, 1 and 2, and so on."""
    features = tuple(Feature(f"x{i}", "continuous") for i in range(n_features))
    leaf = {"class": "no", "n": 1.0, "e": 0.0, "dist": {"no": 1.0}}
    node = leaf
    for i in range(n_features - 1):
        form = {"form": "linear", "coefficient": 1.0, "unknown": 0.0, "influence": 1.0}
        terms = [{"attr": f"x{k}", "index": k, **form} for k in (i, i + 1)]
        other = {"class": "yes", "n": 1.0, "e": 0.0, "dist": {"yes": 1.0}}
        figures = {"class": "no", "n": i + 2.0, "e": 0.0, "dist": {"no": 1.0, "yes": i + 1.0}}
        split = {"test": "oblique", "threshold": 0.0, "terms": terms}
        node = {**figures, **split, "children": [node, other]}
    return graph_of(node, Schema(features, ("no", "yes")))


def test_oblique_splits_with_many_unions() -> None:
    few = oblique_chain(7)
    row = [-1.0, -2.0, 1.0, -3.0, -1.0, 5.0, -1.0]
    values, _ = score_of(few).shap_values(encoded_numbers([row]))
    expected = shapley_values(partial(coalition_shares, few, row), 7)
    np.testing.assert_allclose(values[0], expected, rtol=0, atol=1e-12)
    many = oblique_chain(19)  # by coalitions
    rows = encoded_numbers([[-1.0] * 19, [np.nan, 1.0, *[-2.0] * 17]])
    values, base_values = score_of(many).shap_values(rows)
    total = base_values + values.sum(axis=1)
    np.testing.assert_allclose(total, many.predict_class_shares(rows), rtol=0, atol=1e-9)
    with pytest.raises(ValueError, match="more than 16384 unions of their features"):
        score_of(oblique_chain(24)).shap_values(encoded_numbers([[-1.0] * 24]))


def encoded_numbers(rows: list[list[float]]) -> EncodedRows:
    return EncodedRows([np.array(column) for column in zip(*rows, strict=True)], len(rows))


def test_plots_of_shap() -> None:
    shap = pytest.importorskip("shap", reason="draws with shap", exc_type=ImportError)
    plt = pytest.importorskip("matplotlib.pyplot", reason="draws with matplotlib")
    X, y = small_table(np.random.default_rng(4), 40, missing=0.1)
    explained = wl.explain.shap_values(wl.C45Classifier(min_objects=1).fit(X, y), X)
    shap.plots.waterfall(explained[0, :, 1], show=False)
    shap.plots.beeswarm(explained[:, :, 1], show=False)
    shap.plots.bar(explained[:, :, 1], show=False)
    plt.close("all")
