"""Winnowing: features that do not help on the rows held back are removed before the fit."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import weaklearn as wl
from contracts.oracle_table import frame_of, labels_of
from oracles.c45 import Table
from strategies import longer_tables
from weaklearn.boosting.sampling import deal_folds, draw_seed

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
MODELS = [wl.C45Classifier(), wl.TopDownClassifier(max_depth=4), wl.RulesClassifier()]


def noisy_table(n_rows: int = 300, seed: int = 0) -> tuple[pd.DataFrame, pd.Series]:
    """Return a class that depends on two features, and ten features without information."""
    random = np.random.default_rng(seed)
    X = pd.DataFrame({f"noise {i}": random.normal(size=n_rows) for i in range(10)})
    X["first"] = random.normal(size=n_rows)
    X["second"] = random.choice(["a", "b", "c"], n_rows)
    y = np.where((X["first"] > 0.3) & (X["second"] != "b"), "yes", "no")
    flipped = random.random(n_rows) < 0.1
    return X, pd.Series(np.where(flipped, "perhaps", y), name="class")


def oracle(model: Any, X: pd.DataFrame, y: Any, seed: int | None) -> list[str]:
    """Winnow a table by its definition, with frames and labels."""
    labels = list(model.fit(X, y)._schema.classes)
    codes = np.array([labels.index(label) for label in y], dtype=np.int32)
    generator = np.random.default_rng(0 if seed is None else draw_seed(seed))
    halves = deal_folds(codes, 2, generator)
    kept = {name for half in (0, 1) for name in chosen_by(model, X, y, halves != half)}
    return [name for name in X.columns if name in kept]


def chosen_by(model: Any, X: pd.DataFrame, y: Any, first: Any) -> list[str]:
    def errors(names: list[str]) -> tuple[int, list[str]]:
        fitted = model.fit(X.loc[first, names], y[first])
        wrong = fitted.predict(X.loc[~first, names]) != y[~first].to_numpy()
        if hasattr(fitted, "ruleset_"):
            used = {c.feature for rule in fitted.ruleset_ for c in rule.conditions}
        else:
            used = {int(feature) for feature in fitted.tree_.feature if feature >= 0}
        return int(wrong.sum()), [names[i] for i in sorted(used)]

    every = list(X.columns)
    error, used = errors(every)
    without = {name: errors([n for n in every if n != name])[0] for name in used}
    kept = [name for name in used if without[name] >= error]
    order = {name: index for index, name in enumerate(every)}
    returning = sorted((n for n in used if n not in kept), key=lambda n: (-without[n], order[n]))
    for name in [None, *returning]:
        kept += [] if name is None else [name]
        if kept and errors(sorted(kept, key=order.__getitem__))[0] <= error:
            return sorted(kept, key=order.__getitem__)
    return every


@pytest.mark.parametrize("seed", [None, 0, 3])
@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_the_features_kept_are_those_of_the_definition(model: Any, seed: int | None) -> None:
    X, y = noisy_table()
    winnowed = wl_clone(model, winnow=True, random_state=seed).fit(X, y)
    assert list(winnowed.features_kept_) == oracle(wl_clone(model), X, y, seed)
    assert {*winnowed.features_kept_, *winnowed.winnowed_} == set(X.columns)
    assert "first" in winnowed.features_kept_


def wl_clone(model: Any, **parameters: Any) -> Any:
    from sklearn.base import clone

    return clone(model).set_params(**parameters)


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_the_model_is_that_of_the_features_kept(model: Any) -> None:
    X, y = noisy_table()
    winnowed = wl_clone(model, winnow=True).fit(X, y)
    kept = list(winnowed.features_kept_)
    assert 0 < len(kept) < X.shape[1]
    alone = wl_clone(model).fit(X[kept], y)
    np.testing.assert_array_equal(winnowed.predict_proba(X), alone.predict_proba(X[kept]))
    assert winnowed.n_features_in_ == X.shape[1]
    assert list(np.flatnonzero(winnowed.feature_importances_)) == [
        i
        for i, name in enumerate(X.columns)
        if name in kept and alone.feature_importances_[kept.index(name)] > 0
    ]


@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_files_keep_what_was_winnowed(model: Any, tmp_path: Any) -> None:
    X, y = noisy_table()
    winnowed = wl_clone(model, winnow=True, random_state=5).fit(X, y)
    winnowed.save(tmp_path / "model.json")
    loaded = wl.load(tmp_path / "model.json")
    assert list(loaded.features_kept_) == list(winnowed.features_kept_)
    assert list(loaded.winnowed_) == list(winnowed.winnowed_)
    np.testing.assert_array_equal(loaded.predict_proba(X), winnowed.predict_proba(X))


def test_a_later_fit_without_winnow_forgets_the_features() -> None:
    X, y = noisy_table()
    model = wl.C45Classifier(winnow=True).fit(X, y)
    model.set_params(winnow=False).fit(X, y)
    assert not hasattr(model, "features_kept_")
    assert model.tree_ == wl.C45Classifier().fit(X, y).tree_


def test_threads_do_not_change_it_and_the_seed_does() -> None:
    X, y = noisy_table()
    kept = [
        list(wl.C45Classifier(winnow=True, n_jobs=n, random_state=1).fit(X, y).features_kept_)
        for n in (1, 2)
    ]
    assert kept[0] == kept[1]
    seeds = {
        tuple(wl.C45Classifier(winnow=True, random_state=seed).fit(X, y).features_kept_)
        for seed in range(5)
    }
    assert len(seeds) > 1


def test_members_of_a_committee_can_be_winnowed() -> None:
    X, y = noisy_table()
    model = wl.AdaBoostM1Classifier(wl.C45Classifier(winnow=True), n_rounds=3, random_state=0)
    model.fit(X, y)
    assert all(0 < len(member.features_kept_) <= X.shape[1] for member in model.members_)
    again = wl.AdaBoostM1Classifier(wl.C45Classifier(winnow=True), n_rounds=3, random_state=0)
    np.testing.assert_array_equal(again.fit(X, y).predict(X), model.predict(X))


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(longer_tables(most_values=4), st.sampled_from(MODELS))
def test_any_table_can_be_winnowed(table: Table, model: Any) -> None:
    X, y = frame_of(table), labels_of(table)
    winnowed = wl_clone(model, winnow=True).fit(X, y, table.weights or None)
    assert len(winnowed.features_kept_) >= 1
    assert len(winnowed.predict(X)) == len(X)


@pytest.mark.parametrize("n_rows", [1, 2, 3])
def test_few_rows_keep_all_features(n_rows: int) -> None:
    X = pd.DataFrame({"a": [1.0, 2.0, 3.0][:n_rows], "b": ["x", "y", "x"][:n_rows]})
    model = wl.C45Classifier(winnow=True).fit(X, ["no", "yes", "no"][:n_rows])
    assert list(model.features_kept_) == ["a", "b"]
    assert len(model.winnowed_) == 0
