"""scikit-learn's own checks of every estimator, and its tools that estimators must work with."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import sklearn
from sklearn.base import clone
from sklearn.ensemble import RandomForestClassifier, VotingClassifier
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GridSearchCV, cross_val_predict, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import parametrize_with_checks
from sklearn.utils.fixes import parse_version

import weaklearn as wl
from weaklearn.estimators import EnsembleCommittee

ESTIMATORS = [
    wl.C45Classifier(),
    wl.C45Classifier(criterion="km", subset=True, prune=False, n_jobs=2),
    wl.C45Classifier(arithmetic="release8"),
    wl.RulesClassifier(),
    wl.RulesClassifier(arithmetic="release8", annealing=True, n_jobs=2),
    wl.StumpClassifier(),
    wl.TopDownClassifier(),
    wl.TopDownClassifier("entropy", grouping=True, prune=True, n_jobs=2),
    wl.BranchingProgramClassifier(),
    wl.BranchingProgramClassifier(merge="budget", split_without_gain=True, n_jobs=2),
    wl.BranchingProgramClassifier(criterion="entropy", merge="width", max_width=8, prune=True),
    wl.OC1Classifier(n_restarts=3, random_state=0),
    wl.OC1Classifier("gini", n_restarts=3, validation_share=0, random_state=0, n_jobs=2),
    wl.SADTClassifier(patience=300, random_state=0),
    wl.AdaBoostM1Classifier(n_rounds=3),
    wl.AdaBoostM1Classifier(n_rounds=3, vote="confidence"),
    wl.AdaBoostM1Classifier(DecisionTreeClassifier(max_depth=2, random_state=0), n_rounds=3),
    wl.BaggedClassifier(n_members=3, random_state=0),
    wl.BoostedForestClassifier(n_members=6, run_length=3, random_state=0),
    wl.BoostedForestClassifier(
        DecisionTreeClassifier(max_depth=3), n_members=6, run_length=3, random_state=0, n_jobs=2
    ),
    wl.PrunedClassifier(wl.AdaBoostM1Classifier(n_rounds=4), random_state=0),
    EnsembleCommittee(RandomForestClassifier(5, random_state=0)),
    wl.RealAdaBoostClassifier(n_rounds=20),
    wl.BoostODTClassifier(n_stumps=10, max_depth=2, n_jobs=2),
    wl.G2Classifier(),
    wl.G2Classifier(wl.ConstantLearner(), wl.TreeGraph(wl.StumpClassifier(), max_depth=3)),
]
#: Checks that an estimator fails for a good reason.
EXPECTED: dict[str, dict[str, str]] = {
    "StumpClassifier": {
        "check_classifiers_train": "expects a single split to separate three classes"
    },
    "OC1Classifier": {
        "check_sample_weight_equivalence_on_dense_data": "which rows are held out depends on their "
        "number, and a row twice is another number of rows than a weight of two"
    },
    "SADTClassifier": {"check_sample_weight_equivalence_on_dense_data": "as for OC1Classifier"},
    "EnsembleCommittee": {
        "check_sample_weight_equivalence_on_dense_data": "a forest draws rows by their number"
    },
    "BaggedClassifier": {
        "check_sample_weight_equivalence_on_dense_data": "which rows a sample holds depends on "
        "their number, and a row twice is another number of rows than a weight of two"
    },
    "BoostedForestClassifier": {
        "check_sample_weight_equivalence_on_dense_data": "as for BaggedClassifier"
    },
}


#: Learners that leave pure leaves, or correct light errors as well. scikit-learn's own trees pass
#: the check only because it sets their min_weight_fraction_leaf.
_PREDICT_LIGHT_CLASSES = (
    *("StumpClassifier", "TopDownClassifier", "BranchingProgramClassifier", "OC1Classifier"),
    *("SADTClassifier", "AdaBoostM1Classifier", "RealAdaBoostClassifier", "BoostODTClassifier"),
    *("G2Classifier", "BoostedForestClassifier"),
)


def expected_failures(estimator: Any) -> dict[str, str]:
    name, parameters = type(estimator).__name__, estimator.get_params()
    holds_out = parameters.get("validation_share") != 0
    failures = dict(EXPECTED.get(name, {})) if holds_out else {}
    if parameters.get("arithmetic") == "release8":
        failures["check_class_weight_classifiers"] = "the original program has no class weights"
    elif name in _PREDICT_LIGHT_CLASSES and not _prunes_trees(name, parameters):
        failures["check_class_weight_classifiers"] = "expects a light class not to be predicted"
    if name == "G2Classifier" and parse_version(sklearn.__version__) < parse_version("1.7"):
        failures["check_sample_weight_equivalence_on_dense_data"] = (
            "the check of scikit-learn 1.6 gives weighted rows other classes than repeated rows if "
            "a classifier takes only two classes"
        )
    return failures


def _prunes_trees(name: str, parameters: dict[str, Any]) -> bool:
    """Return whether the learner, or the default member of the committee, prunes trees."""
    if name in ("AdaBoostM1Classifier", "BoostedForestClassifier"):
        return parameters["estimator"] is None
    return name == "TopDownClassifier" and parameters["prune"]


@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected_failures)
def test_scikit_learn_checks(estimator: Any, check: Any) -> None:
    check(estimator)


def mixed_table(n_rows: int = 200) -> tuple[pd.DataFrame, pd.Series[Any]]:
    """Make a table with numbers, names and missing values; its classes are not declared sorted."""
    chance = np.random.default_rng(3)
    size = chance.normal(size=n_rows)
    colour = chance.choice(["red", "green", "blue"], n_rows)
    sick = (size + (colour == "red") + chance.normal(scale=0.4, size=n_rows)) > 0.5
    frame = pd.DataFrame({"size": size, "colour": colour})
    frame.loc[chance.random(n_rows) < 0.1, "size"] = np.nan
    frame.loc[chance.random(n_rows) < 0.1, "colour"] = None
    labels = pd.Series(np.where(sick, "sick", "healthy"))
    return frame, labels.astype(pd.CategoricalDtype(["sick", "healthy"]))


def test_in_a_pipeline_and_a_grid() -> None:
    X, y = mixed_table()
    pipeline = make_pipeline(FunctionTransformer(), wl.C45Classifier())
    grid = {"c45classifier__criterion": ["gain_ratio", "gini"], "c45classifier__prune": [True]}
    search = GridSearchCV(pipeline, grid, cv=3).fit(X, y)
    assert search.best_score_ > 0.75
    assert search.best_params_["c45classifier__criterion"] in ("gain_ratio", "gini")
    assert search.predict(X[:3]).shape == (3,)


def test_in_a_voting_classifier() -> None:
    X, y = mixed_table()
    members = [("a", wl.C45Classifier()), ("b", wl.C45Classifier(criterion="gini"))]
    vote = VotingClassifier(members, voting="soft").fit(X, y)
    assert np.mean(vote.predict(X) == y) > 0.75


def test_classes_are_sorted_even_if_declared_in_another_order() -> None:
    X, y = mixed_table()
    model = wl.C45Classifier().fit(X, y)
    assert model.tree_.schema.classes == ("sick", "healthy")
    assert model.classes_.tolist() == ["healthy", "sick"]
    proba = model.predict_proba(X)
    assert np.array_equal(model.classes_[proba.argmax(axis=1)], model.predict(X))
    assert np.mean(model.predict(X) == y) > 0.8

    # Scores take the last of the sorted classes as the positive class.
    scores = cross_val_score(wl.C45Classifier(), X, y, scoring="roc_auc", cv=4)
    assert scores.min() > 0.7
    held_out = cross_val_predict(wl.C45Classifier(), X, y, method="predict_proba", cv=4)
    assert roc_auc_score(y == "sick", held_out[:, 1]) > 0.7


def test_a_declared_class_that_never_occurs_is_not_predicted() -> None:
    X, y = mixed_table()
    with_more = y.cat.set_categories(["dead", "sick", "healthy"])
    model = wl.C45Classifier().fit(X, with_more)
    assert model.classes_.tolist() == ["healthy", "sick"]
    assert model.tree_.schema.classes == ("dead", "sick", "healthy")
    proba = model.predict_proba(X)
    assert proba.shape == (len(X), 2)
    np.testing.assert_allclose(proba.sum(axis=1), 1)
    assert set(model.predict(X)) == {"healthy", "sick"}


def test_clone_and_set_params() -> None:
    model = wl.C45Classifier(confidence=0.1, nominal=["a"], max_depth=3)
    assert clone(model).get_params() == model.get_params()
    assert not hasattr(clone(model.set_params(nominal=None).fit([[1], [2]], [0, 1])), "tree_")
    X, y = mixed_table()
    changed = wl.C45Classifier().set_params(max_depth=1, prune=False).fit(X, y)
    assert changed.tree_.depth == 1
    with pytest.raises(ValueError, match="Invalid parameter 'min_samples_leaf'"):
        model.set_params(min_samples_leaf=2)


def test_feature_names() -> None:
    X, y = mixed_table()
    model = wl.C45Classifier().fit(X, y)
    assert model.feature_names_in_.tolist() == ["size", "colour"]
    assert model.n_features_in_ == 2
    shuffled = model.predict_proba(X[["colour", "size"]])
    assert np.array_equal(shuffled, model.predict_proba(X))
    nameless = wl.C45Classifier().fit(X.to_numpy(), y)
    assert not hasattr(nameless, "feature_names_in_")
    assert nameless.tree_.schema.names == ["x0", "x1"]


LABELS = {
    "strings": (["b", "a"], "U"),
    "bools": ([True, False], "b"),
    "integers": ([7, -3], "i"),
    "whole floats": ([2.0, 1.0], "f"),
    "mixed": (["b", 1], "O"),
}


@pytest.mark.parametrize(("labels", "kind"), LABELS.values(), ids=LABELS.keys())
@pytest.mark.parametrize("as_array", [True, False], ids=["array", "list"])
def test_predicted_labels_have_the_type_of_y(labels: list[Any], kind: str, as_array: bool) -> None:
    X = np.arange(20.0).reshape(-1, 1)
    y: Any = [labels[0]] * 10 + [labels[1]] * 10
    if as_array:
        y = np.array(y, dtype=object if kind == "O" else None)
    model = wl.C45Classifier().fit(X, y)
    predicted = model.predict(X)
    assert predicted.tolist() == list(y)
    if as_array:
        assert predicted.dtype == y.dtype
        assert predicted.dtype.kind == kind
    in_order = sorted(labels, key=lambda label: (isinstance(label, str), label))
    assert model.classes_.tolist() == in_order
    proba = model.predict_proba(X)
    assert proba[0, in_order.index(labels[0])] == 1


@pytest.mark.parametrize("dtype", [object, "string", "category", None])
def test_classes_do_not_depend_on_how_texts_are_kept(dtype: Any, tmp_path: Path) -> None:
    X = np.arange(20.0).reshape(-1, 1)
    texts = ["red", "green"] * 10
    of_list = wl.C45Classifier().fit(X, texts)
    model = wl.C45Classifier().fit(X, pd.Series(texts, dtype=dtype))
    assert model.classes_.dtype == model.predict(X).dtype == of_list.classes_.dtype
    for fitted, name in ((of_list, "list.json"), (model, "series.json")):
        fitted.save(tmp_path / name)
    assert (tmp_path / "series.json").read_bytes() == (tmp_path / "list.json").read_bytes()


def test_long_labels_are_objects() -> None:
    model = wl.C45Classifier().fit(np.arange(20.0).reshape(-1, 1), ["a" * 1000, "b" * 1001] * 10)
    assert model.classes_.dtype == model.predict([[0.0]]).dtype == object
