"""Laws of class weights and costs, over every classifier."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from benchmarks.data import messy_table
from sklearn.metrics import recall_score

import weaklearn as wl

from .classifiers import COMMITTEES, EXACT, OBLIQUE, Factory, trees_of

RULES: dict[str, Factory] = {
    "rules": lambda **given: wl.RulesClassifier(**given),
    "rules-topdown": lambda **given: wl.RulesClassifier(estimator=wl.TopDownClassifier(), **given),
}
LEARNERS: dict[str, Factory] = {**EXACT, **OBLIQUE, **COMMITTEES, **RULES}
for_learners = pytest.mark.parametrize("make", LEARNERS.values(), ids=LEARNERS.keys())
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def table(n_rows: int = 240, n_classes: int = 3) -> tuple[pd.DataFrame, pd.Series[Any]]:
    """Make a small noisy table of unbalanced classes "a", "b", ... with missing values."""
    chance = np.random.default_rng(5)
    x, z = chance.normal(size=(2, n_rows)).round(2)
    colour = chance.choice(["red", "green", "blue"], n_rows)
    score = x + 0.8 * (colour == "red") + chance.normal(scale=0.7, size=n_rows)
    cuts = [0.9, 1.6][: n_classes - 1]
    frame = pd.DataFrame({"x": x, "z": z, "colour": colour})
    frame.loc[chance.random(n_rows) < 0.05, "x"] = np.nan
    return frame, pd.Series(np.array(["a", "b", "c"])[np.digitize(score, cuts)])


X, Y = table()
X2, Y2 = table(n_classes=2)
COSTS = {("c", "a"): 9.0, ("b", "a"): 3.0, ("a", "c"): 2.0}


def same_model(one: Any, other: Any) -> bool:
    return trees_of(one) == trees_of(other) and np.array_equal(
        one.predict_proba(X), other.predict_proba(X)
    )


@for_learners
def test_equal_factors_change_nothing(make: Factory) -> None:
    plain = make().fit(X, Y)
    for class_weight in ({"a": 3, "b": 3, "c": 3}, {}):
        assert same_model(make(class_weight=class_weight).fit(X, Y), plain)
    ones = 1 - np.eye(3)
    uniform = make(costs=5 * ones).fit(X, Y)
    assert trees_of(uniform) == trees_of(plain)
    np.testing.assert_allclose(uniform.predict_proba(X), plain.predict_proba(X), atol=1e-12)


@for_learners
def test_balanced_classes_need_no_weights(make: Factory) -> None:
    same = Y.groupby(Y).head(Y.value_counts().min()).index.sort_values()
    rows, labels = X.loc[same].reset_index(drop=True), Y.loc[same].reset_index(drop=True)
    plain, balanced = make().fit(rows, labels), make(class_weight="balanced").fit(rows, labels)
    assert same_model(plain, balanced)


@for_learners
def test_the_scale_does_not_matter(make: Factory) -> None:
    small = make(class_weight={"a": 0.5, "b": 1, "c": 4}).fit(X, Y)
    large = make(class_weight={"a": 4, "b": 8, "c": 32}).fit(X, Y)
    assert same_model(small, large)


@for_learners
def test_a_heavier_class_is_predicted_more_often(make: Factory) -> None:
    plain = make().fit(X, Y)
    heavy = make(class_weight={"c": 20}).fit(X, Y)
    costly = make(costs={("c", "a"): 20, ("c", "b"): 20}).fit(X, Y)
    n_plain = (plain.predict(X) == "c").sum()
    assert (heavy.predict(X) == "c").sum() > n_plain
    assert (costly.predict(X) == "c").sum() > n_plain


@for_learners
def test_a_class_of_weight_0_is_absent(make: Factory) -> None:
    y = Y.astype("category")  # C4.5 counts declared classes, whether they occur or not
    model = make(class_weight={"b": 0}).fit(X, y)
    assert model.classes_.tolist() == ["a", "b", "c"]
    assert not model.predict_proba(X)[:, 1].any()
    assert "b" not in set(model.predict(X))
    without = make().fit(X, y, (Y != "b") * 1.0)
    assert np.array_equal(model.predict(X), without.predict(X))
    np.testing.assert_allclose(model.predict_proba(X), without.predict_proba(X), atol=1e-9)


@for_learners
def test_all_classes_of_weight_0(make: Factory) -> None:
    with pytest.raises(ValueError, match="class_weight is 0 for every class"):
        make(class_weight={"a": 0, "b": 0, "c": 0}).fit(X, Y)


@for_learners
def test_a_class_that_is_too_light_to_be_balanced(make: Factory) -> None:
    weights = np.where(Y == "b", 5e-324, 1.0)
    message = "the rows of class 'b' weigh .*e-32., all rows .*; expected weights"
    with pytest.raises(ValueError, match=message):
        make(class_weight="balanced").fit(X, Y, weights)


@pytest.mark.parametrize("make", [*EXACT.values(), *RULES.values()], ids=[*EXACT, *RULES])
def test_sample_weights_still_count_rows(make: Factory) -> None:
    counts = np.random.default_rng(0).integers(1, 4, len(Y))
    rows = np.repeat(np.arange(len(Y)), counts)
    weighted = make(class_weight="balanced").fit(X, Y, counts)
    repeated = make(class_weight="balanced").fit(X.iloc[rows], Y.iloc[rows])
    np.testing.assert_allclose(weighted.predict_proba(X), repeated.predict_proba(X), atol=1e-6)


def test_class_weights_shift_the_shares_of_a_leaf() -> None:
    counts = Y.value_counts().sort_index().to_numpy()
    model = wl.C45Classifier(max_depth=0, class_weight={"b": 2}).fit(X, Y)
    expected = counts * [1, 2, 1] / (counts * [1, 2, 1]).sum()
    np.testing.assert_allclose(model.predict_proba(X[:1])[0], expected)
    assert model.tree_.to_dict()["n"] == pytest.approx(len(Y))
    # Costs leave probabilities as they are.
    costly = wl.C45Classifier(max_depth=0, costs=COSTS).fit(X, Y)
    np.testing.assert_allclose(costly.predict_proba(X[:1])[0], counts / counts.sum())


@pytest.mark.parametrize("min_objects", [2, 8])
def test_minimum_objects_count_rows_not_weight(min_objects: int) -> None:
    """With plain weights, two rows of a heavy class would be enough for a branch."""
    class_weight = {"a": 1, "b": 1, "c": 50}
    model = wl.C45Classifier(
        min_objects=min_objects,
        prune=False,
        threshold_penalty=False,
        class_weight=class_weight,
    )
    known = X.dropna()
    tree = model.fit(known, Y[known.index]).tree_
    leaves = pd.Series(model.apply(known)).value_counts()
    # A threshold has min_objects effective rows, hence at least as many rows, on both sides.
    thresholds = [i for i in range(tree.n_nodes) if tree.split_kind(i) == "threshold"]
    assert thresholds
    paths = model.decision_path(known).tocsc()
    rows_at = np.asarray((paths > 0).sum(axis=0)).ravel()
    for node in thresholds:
        assert all(rows_at[child] >= min_objects for child in tree.children(node))
    assert leaves.sum() == len(known)


@for_learners
@pytest.mark.parametrize("given", [{"class_weight": {"c": 5}}, {"costs": COSTS}], ids=["w", "c"])
def test_a_saved_model_predicts_the_same(make: Factory, given: Any, tmp_path: Path) -> None:
    model = make(**given).fit(X, Y)
    model.save(tmp_path / "model.json")
    loaded = wl.load(tmp_path / "model.json")
    name, value = next(iter(given.items()))
    assert getattr(loaded, name) == value
    assert np.array_equal(loaded.predict_proba(X), model.predict_proba(X))
    assert np.array_equal(loaded.predict(X), model.predict(X))


def test_a_saved_matrix_of_costs(tmp_path: Path) -> None:
    matrix = np.array([[0.0, 1.0, 5.0], [2.0, 0.0, 1.0], [9.0, 1.0, 0.0]])
    model = wl.C45Classifier(costs=matrix).fit(X, Y)
    model.save(tmp_path / "model.json")
    loaded = wl.load(tmp_path / "model.json")
    assert loaded.costs == matrix.tolist()
    assert np.array_equal(loaded.predict(X), model.predict(X))


@for_learners
def test_costs_of_two_classes_are_class_weights(make: Factory) -> None:
    """Elkan (2001): both grow the same model, and predict the same."""
    by_costs = make(costs={("b", "a"): 6, ("a", "b"): 1}).fit(X2, Y2)
    by_weight = make(class_weight={"b": 6, "a": 1}).fit(X2, Y2)
    assert trees_of(by_costs) == trees_of(by_weight)
    q = by_weight.predict_proba(X2)
    restored = q / [1, 6]
    restored /= restored.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(by_costs.predict_proba(X2), restored, atol=1e-12)
    clear = abs(q[:, 0] - q[:, 1]) > 1e-9
    assert np.array_equal(by_costs.predict(X2)[clear], by_weight.predict(X2)[clear])


@for_learners
def test_the_prediction_has_the_least_expected_cost(make: Factory) -> None:
    model = make(costs=COSTS).fit(X, Y)
    matrix = wl.costs.cost_matrix(COSTS, ["a", "b", "c"])
    expected = model.predict_proba(X) @ matrix
    chosen = np.searchsorted(["a", "b", "c"], model.predict(X))
    np.testing.assert_allclose(expected[np.arange(len(Y)), chosen], expected.min(axis=1))


@pytest.mark.parametrize(
    "learner",
    [
        wl.G2Classifier(graph=wl.SeparatorGraph(5)),
        wl.PrunedClassifier(wl.AdaBoostM1Classifier(n_rounds=5), rate=0.6),
        wl.AdaBoostM1Classifier(wl.G2Classifier(graph=wl.SeparatorGraph(2)), n_rounds=2),
    ],
    ids=["g2", "pruned", "foreign"],
)
def test_composed_classifiers(learner: Any) -> None:
    plain = learner.fit(X2, Y2).predict(X2)
    heavy = learner.set_params(class_weight={"b": 30}).fit(X2, Y2).predict(X2)
    costly = learner.set_params(class_weight=None, costs={("b", "a"): 30}).fit(X2, Y2).predict(X2)
    learner.set_params(costs=None)
    assert (heavy == "b").sum() > (plain == "b").sum()
    assert np.array_equal(heavy, costly)


@pytest.mark.parametrize("seed", [7, 8])
def test_balanced_weights_keep_the_tree_small(seed: int) -> None:
    """Balanced weights are not evidence: taken as counts, they grow thousands of nodes."""
    frame, labels = messy_table(seed=seed)
    plain = wl.C45Classifier().fit(frame, labels)
    balanced = wl.C45Classifier(class_weight="balanced").fit(frame, labels)
    weights = (len(labels) / 3 / labels.value_counts())[labels].to_numpy()
    counted = wl.C45Classifier().fit(frame, labels, weights)
    assert balanced.tree_.n_nodes <= 3 * plain.tree_.n_nodes
    assert counted.tree_.n_nodes > 10 * balanced.tree_.n_nodes
    other_frame, other_labels = messy_table(seed=seed + 100)
    recalls = [
        recall_score(other_labels, model.predict(other_frame), average="macro", zero_division=0)
        for model in (plain, balanced, counted)
    ]
    assert recalls[1] > recalls[0] + 0.1
    assert recalls[1] > recalls[2]


@pytest.mark.parametrize("seed", [7, 8])
def test_balanced_weights_keep_rulesets_small(seed: int) -> None:
    frame, labels = messy_table(seed=seed)
    plain = wl.RulesClassifier().fit(frame, labels)
    balanced = wl.RulesClassifier(class_weight="balanced").fit(frame, labels)
    assert len(balanced.ruleset_) <= 3 * len(plain.ruleset_)
    other_frame, other_labels = messy_table(seed=seed + 100)
    recalls = [
        recall_score(other_labels, model.predict(other_frame), average="macro", zero_division=0)
        for model in (plain, balanced)
    ]
    assert recalls[1] > recalls[0] + 0.1


def test_the_certainty_of_a_rule_does_not_grow_with_its_class_weight() -> None:
    """Ten rows of one class are ten rows, however much the class weighs."""
    frame = pd.DataFrame({"x": [0.0] * 90 + [1.0] * 10})
    labels = ["a"] * 90 + ["b"] * 10
    plain = wl.RulesClassifier().fit(frame, labels)
    heavy = wl.RulesClassifier(class_weight={"b": 50}).fit(frame, labels)
    by_class = [{rule.label: rule.error for rule in m.ruleset_} for m in (plain, heavy)]
    assert by_class[1] == pytest.approx(by_class[0])
    assert set(by_class[1]) == {"a", "b"}


def test_weights_do_not_pay_for_the_choice_of_a_threshold() -> None:
    """Two percent of noise: heavier errors must not look like a pattern."""
    chance = np.random.default_rng(0)
    rows = chance.normal(size=(8000, 6))
    noise = chance.random(8000) < 0.02
    labels = (rows[:, 0] > 1) ^ (rows[:, 1] > 1.3) ^ noise
    plain = wl.C45Classifier().fit(rows, labels).tree_.n_nodes
    assert plain < 20
    assert wl.C45Classifier(class_weight="balanced").fit(rows, labels).tree_.n_nodes <= 2 * plain
    assert wl.C45Classifier(costs={(True, False): 5}).fit(rows, labels).tree_.n_nodes <= 2 * plain


BAD: dict[str, tuple[dict[str, Any], str]] = {
    "word": ({"class_weight": "balance"}, "class_weight must be None, 'balanced' or a dict"),
    "negative": ({"class_weight": {"a": -1}}, "of a number >= 0 for each class"),
    "not a class": ({"class_weight": {"d": 2}}, "names 'd', which is not a class; expected 'a', "),
    "diagonal": ({"costs": np.ones((3, 3))}, "a square matrix with zeros on its diagonal"),
    "shape": ({"costs": [[0, 1], [1, 0]]}, "a matrix of 2 rows; expected a row and a column for"),
    "pairs": ({"costs": {"a": 1}}, "for pairs (true class, predicted class)"),
    "unknown pair": ({"costs": {("d", "a"): 1}}, "names 'd', which is not a class"),
    "free": ({"costs": {("a", "b"): 0, ("a", "c"): 0}}, "another class for 'a' costs nothing"),
}


@pytest.mark.parametrize(("given", "message"), BAD.values(), ids=BAD.keys())
def test_messages(given: dict[str, Any], message: str) -> None:
    for kind in (wl.C45Classifier, wl.AdaBoostM1Classifier):
        with pytest.raises(ValueError, match=re.escape(message)):
            kind(**given).fit(X, Y)


def test_where_they_do_not_belong() -> None:
    with pytest.raises(ValueError, match="has neither class_weight nor costs"):
        wl.C45Classifier(arithmetic="release8", class_weight="balanced").fit(X, Y)
    with pytest.raises(ValueError, match="class weights or costs make rows weigh more or less"):
        wl.RulesClassifier(fisher=0.05, class_weight="balanced").fit(X, Y)
    with pytest.raises(ValueError, match="set them on the committee, BaggedClassifier"):
        wl.BaggedClassifier(wl.C45Classifier(costs=COSTS)).fit(X, Y)


@pytest.mark.parametrize("criterion", ["gain", "gain_ratio", "gini"])
def test_a_row_of_almost_no_weight_is_not_a_side_of_a_cut(criterion: str) -> None:
    # The last row is below another cut of "x". If that cut counted, "x" would gain less than "z".
    frame = pd.DataFrame({"x": [1.0] * 3 + [2.0] * 3 + [0.0], "z": [1.0] * 3 + [2.0] * 4})
    weights = [1.0] * 6 + [1e-323]
    model = wl.C45Classifier(
        criterion, min_objects=1, prune=False, class_weight={"a": 0.4, "b": 1.6}
    ).fit(frame, ["a"] * 3 + ["b"] * 3 + ["a"], weights)
    assert model.tree_.to_dict()["attr"] == "x"
