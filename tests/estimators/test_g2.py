"""Edge cases of G2Classifier, RealAdaBoostClassifier and BoostODTClassifier."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.multiclass import OneVsRestClassifier
from sklearn.tree import DecisionTreeClassifier

import weaklearn as wl
from weaklearn.models.file_content import plain
from weaklearn.models.graph_content import graphs_content

X = np.array([[0.0], [1.0], [2.0], [3.0], [4.0], [5.0]])
Y = np.array(["no", "no", "yes", "no", "yes", "yes"])


# -- G2 with other learners and graphs ------------------------------------------------------------


class Halves:
    """A user's decision graph: rows with small values visit a second hypothesis."""

    def grow(self, X: Any, y: Any, weights: Any) -> Iterator[Any]:
        self.sent = []
        self.cut = float(np.median(np.asarray(X)[:, 0]))
        for rows in self.visited(X):
            self.sent.append((yield rows))

    def visited(self, X: Any) -> list[Any]:
        low = np.asarray(X)[:, 0] < self.cut
        return [np.arange(len(low)), np.flatnonzero(low)]


def test_a_graph_and_a_learner_of_the_user() -> None:
    model = wl.G2Classifier(DecisionTreeClassifier(max_depth=1), Halves()).fit(X, Y)
    assert model.graph_.sent == model.mu_.tolist()
    assert len(model.hypotheses_) == 2
    low = X[:, 0] < 2.5
    first = model.alphas_[0] * model.hypotheses_[0].predict(X)
    second = model.alphas_[1] * model.hypotheses_[1].predict(X)
    wanted = first + np.where(low, second, 0.0)
    assert model.decision_function(X).tolist() == wanted.tolist()
    assert (model.predict(X) == np.where(wanted > 0, "yes", "no")).all()


def test_real_valued_hypotheses_of_scikit_learn() -> None:
    model = wl.G2Classifier(LogisticRegression(), wl.SeparatorGraph(4)).fit(X, Y)
    outputs = [hypothesis.decision_function(X) for hypothesis in model.hypotheses_]
    assert np.allclose(model.decision_function(X), model.alphas_ @ np.array(outputs))
    # A coefficient is relative to the size of the outputs: tanh(alpha h*) is mu.
    largest = [np.abs(output).max() for output in outputs]
    assert np.allclose(np.tanh(model.alphas_ * largest), model.mu_)


def test_frames_with_nominal_and_missing_values() -> None:
    frame = pd.DataFrame({"hue": ["a", "b", None, "a", "b", "b"], "x": X[:, 0]})
    for graph in (wl.SeparatorGraph(3), wl.TreeGraph(wl.StumpClassifier(), 2)):
        model = wl.G2Classifier(graph=graph).fit(frame, Y)
        assert model.feature_names_in_.tolist() == ["hue", "x"]
        assert model.predict_proba(frame).sum(axis=1) == pytest.approx(1.0)


def test_several_classes_one_by_one() -> None:
    several = np.repeat(["a", "b", "c"], 2)
    with pytest.raises(ValueError, match="y holds 3 classes: use BoostODTClassifier"):
        wl.G2Classifier().fit(X, several)
    wrapped = OneVsRestClassifier(wl.G2Classifier(graph=wl.SeparatorGraph(5))).fit(X, several)
    assert (wrapped.predict(X) == several).all()


@pytest.mark.parametrize(
    ("parts", "reason"),
    [
        ({"weak_learner": 3}, "weak_learner=3 has no fit to call"),
        ({"weak_learner": wl.StumpClassifier}, "has no fit to call"),
        ({"graph": "tree"}, "graph='tree' has no grow to call"),
        ({"graph": wl.StumpClassifier()}, "has no grow to call"),
    ],
)
def test_bad_learners_and_graphs_are_named(parts: dict[str, Any], reason: str) -> None:
    with pytest.raises(TypeError, match=reason):
        wl.G2Classifier(**parts).fit(X, Y)


def test_g2_does_not_prune() -> None:
    with pytest.raises(ValueError, match="which does not prune: set prune=False"):
        wl.BoostODTClassifier(prune=True).as_g2()


def test_outputs_must_be_one_number_per_row() -> None:
    class Wide(wl.ConstantLearner):
        def decision_function(self, X: Any) -> Any:
            return np.ones((len(X), 2))

    with pytest.raises(ValueError, match=r"shape \(6, 2\); expected one number per row"):
        wl.G2Classifier(Wide()).fit(X, Y)


def test_g2_cannot_be_saved_as_json(tmp_path: Path) -> None:
    with pytest.raises(TypeError, match=r"use joblib\.dump"):
        wl.G2Classifier().fit(X, Y).save(tmp_path / "model.json")


# -- the compiled classifiers ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("model", "reason"),
    [
        (wl.RealAdaBoostClassifier(0), "n_rounds must be a whole number >= 1"),
        (wl.RealAdaBoostClassifier(2.5), "n_rounds must be a whole number"),
        (wl.BoostODTClassifier(n_stumps=0), "n_stumps must be a whole number >= 1"),
        (wl.BoostODTClassifier(max_depth=-1), "max_depth must be a whole number >= 0"),
        (wl.BoostODTClassifier(max_leaves=0), "max_leaves must be a whole number >= 1 or None"),
    ],
)
def test_parameters_have_their_ranges(model: Any, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        model.fit(X, Y)


def test_a_single_class_is_predicted() -> None:
    for model in (wl.RealAdaBoostClassifier(), wl.BoostODTClassifier(), wl.G2Classifier()):
        model.fit(X, ["a"] * 6)
        assert model.predict(X).tolist() == ["a"] * 6
        assert model.predict_proba(X).tolist() == [[1.0]] * 6


def test_boosting_ends_with_a_stump_without_error() -> None:
    model = wl.RealAdaBoostClassifier(50).fit(X, ["a"] * 3 + ["b"] * 3)
    assert len(model.mu_) == 1
    assert model.alphas_[0] == pytest.approx(11.86, abs=0.01)
    assert model.separator_.terms(0)[0].cuts == (2.5,)


def test_a_leaf_if_no_split_helps() -> None:
    model = wl.RealAdaBoostClassifier().fit(np.zeros((4, 1)), ["a", "b", "b", "b"])
    assert model.separator_.n_nodes == 1
    assert model.decision_function(np.zeros((1, 1)))[0] == pytest.approx(0.5 * np.log(3))
    assert wl.BoostODTClassifier().fit(np.zeros((4, 1)), ["a", "b", "b", "b"]).tree_.n_nodes == 1


def test_stumps_abstain_on_missing_values() -> None:
    frame = pd.DataFrame({"x": [0.0, 1.0, 4.0, 5.0, np.nan]})
    model = wl.RealAdaBoostClassifier(1).fit(frame[:4], ["a", "a", "b", "b"])
    assert model.decision_function(frame)[4] == 0.0
    assert model.predict_proba(frame)[4].tolist() == [0.5, 0.5]


def test_each_of_several_classes_has_a_separator() -> None:
    several = np.repeat(["a", "b", "c"], 2)
    model = wl.RealAdaBoostClassifier(5).fit(X, several)
    assert (model.predict(X) == several).all()
    assert [separator.positive for separator in model.separators_.each] == [0, 1, 2]
    assert len(model.mu_) == len(model.alphas_) == 3
    assert model.decision_function(X).shape == (6, 3)
    with pytest.raises(AttributeError, match="there is a separator for each class"):
        _ = model.separator_


def test_max_leaves_and_max_depth_limit_the_tree() -> None:
    chance = np.random.default_rng(0)
    points = chance.normal(size=(300, 3))
    labels = (points[:, 0] * points[:, 1] > 0).astype(int)
    whole = wl.BoostODTClassifier(5, 3).fit(points, labels).tree_
    assert whole.depth == 3
    for max_leaves in range(1, whole.n_leaves + 1):
        tree = wl.BoostODTClassifier(5, 3, max_leaves).fit(points, labels).tree_
        assert tree.n_leaves == max_leaves
        assert tree.n_nodes - tree.n_leaves == max_leaves - 1
    assert wl.BoostODTClassifier(5, 0).fit(points, labels).tree_.n_nodes == 1


def test_committees_of_oblique_trees_predict_save_and_load(tmp_path: Path) -> None:
    table = wl.datasets.load("titanic")
    model = wl.AdaBoostM1Classifier(wl.BoostODTClassifier(4, 2), n_rounds=3)
    model.fit(table.X, table.y).save(tmp_path / "model.json")
    again = wl.load(tmp_path / "model.json")
    assert (again.predict(table.X) == model.predict(table.X)).all()
    assert [member.tree_ for member in again.members_] == [m.tree_ for m in model.members_]


def _broken(document: dict[str, Any], how: str) -> None:
    if how == "present":
        document["present"] = [1, 0]
    elif how == "one too few":
        document["separators"].pop()
    elif how == "lengths":
        document["separators"][0]["mu"].append(0.5)
    elif how == "words":
        document["separators"][0]["mu"][0] = "x"
    elif how == "no graph":
        document["separators"][0] = 7
    elif how == "terms":
        document["graphs"]["term_column"][0] = 9
    else:
        tree = wl.C45Classifier(min_objects=1).fit(X, np.repeat(["a", "b", "c"], 2)).tree_
        document["graphs"] = plain(graphs_content([tree] * 3))


@pytest.mark.parametrize(
    ("how", "reason"),
    [
        ("present", "not an ascending list of class indices"),
        ("one too few", "it has 2 separators for 3 classes"),
        ("lengths", r"a separator has \d+ alphas for \d+ margins"),
        ("words", 'its "mu" is not a list of numbers'),
        ("no graph", "a separator is not a graph"),
        ("terms", "term 0: its column does not exist"),
        ("a tree", "more than one oblique split"),
    ],
)
def test_a_file_with_bad_separators_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str, reason: str
) -> None:
    monkeypatch.chdir(tmp_path)
    wl.RealAdaBoostClassifier(3).fit(X, np.repeat(["a", "b", "c"], 2)).save("model.json")
    document = json.loads(Path("model.json").read_text())
    _broken(document, how)
    Path("model.json").write_text(json.dumps(document))
    with pytest.raises(ValueError, match=reason):
        wl.load("model.json")
