"""Rulesets from trees, programs and committees."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from sklearn.tree import DecisionTreeClassifier

import weaklearn as wl
from contracts.oracle_table import frame_of, labels_of
from oracles.c45 import Table
from strategies import longer_tables

IRIS = wl.datasets.load("iris")


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(longer_tables(6))
def test_the_unpruned_tree_of_c45_gives_the_rules_of_c45(table: Table) -> None:
    X, y = frame_of(table), labels_of(table)
    own = wl.RulesClassifier(redundancy=2).fit(X, y, table.weights)
    tree = wl.C45Classifier(prune=False)
    other = wl.RulesClassifier(redundancy=2, estimator=tree).fit(X, y, table.weights)
    assert other.ruleset_ == own.ruleset_
    fitted = tree.fit(X, y, table.weights)
    for model in (fitted, fitted.tree_):
        assert wl.rules.simplify(model, X, y, table.weights, redundancy=2) == own.ruleset_


@pytest.mark.parametrize(
    "estimator",
    [
        wl.TopDownClassifier(n_rounds=10),
        wl.BranchingProgramClassifier(),
        wl.AdaBoostM1Classifier(n_rounds=5),
        wl.BaggedClassifier(n_members=5, random_state=0),
        wl.AdaBoostM1Classifier(wl.TopDownClassifier(), n_rounds=3),
    ],
    ids=["topdown", "program", "boosted", "bagged", "boosted-topdown"],
)
def test_other_models_give_short_rulesets(estimator: Any) -> None:
    X, y = IRIS.X, IRIS.y
    model = wl.RulesClassifier(estimator=estimator).fit(X, y)
    assert 2 <= len(model.ruleset_) <= 12
    assert np.mean(model.predict(X) == y) > 0.95
    assert not hasattr(estimator, "classes_")  # a clone was fitted
    threads = wl.RulesClassifier(estimator=estimator, n_jobs=2).fit(X, y)
    assert threads.ruleset_ == model.ruleset_
    fitted = estimator.fit(X, y)
    assert wl.rules.simplify(fitted, X, y) == model.ruleset_


def test_what_has_no_conditions_is_refused() -> None:
    X, y = IRIS.X, IRIS.y
    oblique = wl.OC1Classifier(random_state=0).fit(X, y)
    with pytest.raises(ValueError, match="an oblique split cannot be written as a condition"):
        wl.rules.simplify(oblique, X, y)
    with pytest.raises(TypeError, match="DecisionTreeClassifier has none: pass a fitted tree"):
        wl.rules.simplify(DecisionTreeClassifier().fit(X, y), X, y)
    with pytest.raises(TypeError, match="expected a classifier of this package"):
        wl.RulesClassifier(estimator=DecisionTreeClassifier()).fit(X, y)
    with pytest.raises(ValueError, match="which starts from the tree"):
        wl.RulesClassifier(estimator=wl.TopDownClassifier(), arithmetic="release8").fit(X, y)
    with pytest.raises(ValueError, match="y holds 'tulip'"):
        wl.rules.simplify(wl.C45Classifier().fit(X, y), X[:2], ["tulip", "tulip"])


@pytest.mark.parametrize(
    "estimator",
    [
        wl.TopDownClassifier(criterion="gini", n_rounds=5, costs={("no", "yes"): 2.0}),
        wl.BaggedClassifier(wl.TopDownClassifier(max_depth=2), n_members=3, random_state=1),
        wl.AdaBoostM1Classifier(n_rounds=2),
    ],
)
def test_a_saved_classifier_keeps_its_estimator(estimator, tmp_path):
    table = wl.datasets.load("titanic")
    model = wl.RulesClassifier(estimator=estimator).fit(table.X, table.y)
    model.save(tmp_path / "rules.json")
    loaded = wl.load(tmp_path / "rules.json")
    assert repr(loaded.estimator) == repr(estimator)
    again = loaded.fit(table.X, table.y)
    assert again.ruleset_ == model.ruleset_


def test_a_saved_committee_keeps_the_estimator_of_its_rulesets(tmp_path):
    table = wl.datasets.load("iris")
    rules = wl.RulesClassifier(estimator=wl.TopDownClassifier(max_depth=2))
    model = wl.AdaBoostM1Classifier(rules, n_rounds=2).fit(table.X, table.y)
    model.save(tmp_path / "boosted.json")
    loaded = wl.load(tmp_path / "boosted.json")
    assert repr(loaded.estimator) == repr(rules)
    assert repr(loaded.members_[0].estimator) == repr(rules.estimator)


def test_a_file_cannot_hold_an_estimator_with_a_function(tmp_path):
    table = wl.datasets.load("titanic")
    estimator = wl.TopDownClassifier(criterion=wl.theory.km, max_depth=2)
    model = wl.RulesClassifier(estimator=estimator).fit(table.X, table.y)
    with pytest.raises(TypeError, match=r"save the rules alone, model\.ruleset_\.save"):
        model.save(tmp_path / "rules.json")


def test_a_file_with_an_estimator_of_another_kind_is_refused(tmp_path):
    table = wl.datasets.load("titanic")
    model = wl.RulesClassifier(estimator=wl.TopDownClassifier(max_depth=2)).fit(table.X, table.y)
    path = tmp_path / "rules.json"
    model.save(path)
    path.write_text(path.read_text().replace('"kind":"TopDownClassifier"', '"kind":"Oak"'))
    with pytest.raises(ValueError, match="its estimator is 'Oak'; known are "):
        wl.load(path)
