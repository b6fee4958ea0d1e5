"""Samples of rows and columns in bagging, continued fits, threads of members."""

from __future__ import annotations

import pickle
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin, clone
from sklearn.datasets import load_iris
from sklearn.linear_model import LogisticRegression
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import Pipeline
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from threadpoolctl import threadpool_info

import weaklearn as wl
from weaklearn.boosting.ordered_tasks import results_in_order
from weaklearn.boosting.sampling import (
    draw_columns,
    draw_counts,
    draw_without_replacement,
    number_of_columns,
    sample_size,
)

IRIS = load_iris(return_X_y=True)
TITANIC = wl.datasets.load("titanic")
MEMBERS: dict[str, Any] = {
    "trees": wl.C45Classifier(),
    "oblique": wl.OC1Classifier(n_restarts=2, random_state=0),
    "tables": wl.RealAdaBoostClassifier(3),
    "committees": wl.AdaBoostM1Classifier(wl.C45Classifier(max_depth=2), n_rounds=2),
    "sklearn": DecisionTreeClassifier(random_state=0),
}
for_each_member = pytest.mark.parametrize("member", MEMBERS.values(), ids=MEMBERS.keys())


# -- drawing --------------------------------------------------------------------------------------
def test_rows_without_replacement_are_equally_likely_and_keep_their_weights() -> None:
    weights = np.array([1.0, 0.0, 3.0, 2.0])
    drawn = [draw_without_replacement(weights, 3, 0, number) for number in range(3000)]
    for sample in drawn:
        assert set(np.unique(sample / np.where(weights > 0, weights, 1))) <= {0.0, 1.0}
        assert 0 < sample.sum() <= 3
    assert {tuple(s) for s in drawn} == {(1, 0, 0, 2), (0, 0, 3, 0), (1, 0, 0, 0), (0, 0, 0, 2)}
    # The first row of a random order: each of three rows is first equally often.
    alone = np.mean([sample[2] > 0 for sample in drawn])
    assert abs(alone - 1 / 3) < 4 * np.sqrt(1 / 3 * 2 / 3 / 3000)


def test_all_rows_are_drawn_if_the_sample_is_as_large_as_the_table() -> None:
    for weights in (np.ones(7), np.array([0.3, 0.4, 1.2, 2.0])):
        drawn = draw_without_replacement(weights, sample_size(weights), 3, 1)
        assert np.array_equal(drawn, weights)
        assert draw_without_replacement(np.ones(7), 4, 3, 1).sum() == 4


def test_sizes_of_samples() -> None:
    weights = np.full(10, 2.0)
    assert sample_size(weights) == 20
    assert sample_size(weights, 0.5) == 10
    assert sample_size(weights, 7) == 7
    assert sample_size(weights, np.int64(20)) == 20
    assert sample_size(weights, 1e-9) == 1
    with pytest.raises(ValueError, match=r"max_samples=21 is more than the 20 rows: use at most"):
        sample_size(weights, 21)
    assert [number_of_columns(5, share) for share in (1.0, 0.5, 0.01)] == [5, 2, 1]
    assert number_of_columns(5, 5) == 5
    with pytest.raises(ValueError, match=r"max_features=6 is more than the 5 columns"):
        number_of_columns(5, 6)
    assert all(np.array_equal(draw_columns(5, 5, 0, n), np.arange(5)) for n in range(3))


# -- members --------------------------------------------------------------------------------------
def test_members_learn_from_the_drawn_rows() -> None:
    X, y = IRIS
    weights = np.random.default_rng(0).integers(0, 3, len(y)).astype(np.float64)
    for bootstrap in (True, False):
        model = wl.BaggedClassifier(
            n_members=3, max_samples=0.4, bootstrap=bootstrap, random_state=0
        ).fit(X, y, weights)
        kept, present = weights[weights > 0], weights > 0
        draw = draw_counts if bootstrap else draw_without_replacement
        for index, member in enumerate(model.members_):
            counts = draw(kept, sample_size(kept, 0.4), model._seed, index)
            expected = wl.C45Classifier().fit(X[present], y[present], counts)
            assert member.tree_.to_dict() == expected.tree_.to_dict()


@pytest.mark.parametrize("bootstrap", [True, False])
def test_members_of_scikit_learn_learn_from_the_drawn_rows(bootstrap: bool) -> None:
    X, y = IRIS
    member = DecisionTreeClassifier(random_state=0)
    model = wl.BaggedClassifier(
        member, 3, max_samples=60, max_features=2, bootstrap=bootstrap, random_state=0
    ).fit(X, y)
    draw = draw_counts if bootstrap else draw_without_replacement
    for index, fitted in enumerate(model.members_):
        counts = draw(np.ones(len(y)), 60, model._seed, index).astype(int)
        rows, columns = np.repeat(np.arange(len(y)), counts), model.estimators_features_[index]
        assert len(rows) == 60
        assert columns.tolist() == sorted(set(columns.tolist()))
        assert len(columns) == 2
        expected = clone(member).fit(X[rows][:, columns], y[rows])
        assert np.array_equal(fitted.predict(X[:, columns]), expected.predict(X[:, columns]))


def test_fractional_weights_without_replacement_need_members_that_take_weights() -> None:
    weights = np.full(len(IRIS[1]), 0.7)
    model = wl.BaggedClassifier(DecisionTreeClassifier(), 2, bootstrap=False, max_samples=0.5)
    assert model.fit(*IRIS, weights).score(*IRIS) > 0.9
    model = wl.BaggedClassifier(KNeighborsClassifier(), 2, bootstrap=False)
    with pytest.raises(ValueError, match=r"takes no sample_weight.*use bootstrap=True"):
        model.fit(*IRIS, weights)


@for_each_member
def test_members_read_their_columns_only(member: Any) -> None:
    X, y = IRIS
    model = wl.BaggedClassifier(member, 4, max_features=2, random_state=1).fit(X, y)
    assert {len(columns) for columns in model.estimators_features_} == {2}
    assert len({tuple(columns) for columns in model.estimators_features_}) > 1
    before = model.member_predictions(X).classes
    for column in range(4):
        changed = X.copy()
        changed[:, column] = changed[::-1, column]
        after = model.member_predictions(changed).classes
        for index, columns in enumerate(model.estimators_features_):
            if column not in columns:
                assert np.array_equal(before[index], after[index])
        importances = (
            [
                vote * fitted.feature_importances_.sum()
                for vote, fitted in zip(model.votes_, model.members_, strict=True)
            ]
            if hasattr(model.members_[0], "feature_importances_")
            else []
        )
        if importances:
            assert model.feature_importances_.sum() == pytest.approx(np.mean(importances))


def test_a_tree_of_some_columns_is_the_tree_of_the_table_with_these_columns() -> None:
    X, y = TITANIC.X, TITANIC.y
    model = wl.BaggedClassifier(n_members=6, max_features=2, random_state=0).fit(X, y)
    for index, member in enumerate(model.members_):
        columns = model.estimators_features_[index]
        counts = draw_counts(np.ones(len(y)), len(y), model._seed, index)
        expected = wl.C45Classifier().fit(X.iloc[:, columns], y, counts)
        assert member.tree_.to_text() == expected.tree_.to_text()
        assert np.array_equal(member.predict(X), expected.predict(X.iloc[:, columns]))
        own = expected.feature_importances_
        np.testing.assert_allclose(member.feature_importances_[columns], own)


@for_each_member
@pytest.mark.parametrize("as_frame", [True, False], ids=["frame", "list"])
def test_columns_of_frames_and_lists(member: Any, as_frame: bool) -> None:
    X, y = IRIS
    table = pd.DataFrame(X, columns=list("abcd")) if as_frame else X.tolist()
    model = wl.BaggedClassifier(member, 3, max_features=0.5, random_state=0)
    model.fit(table, y)
    expected = clone(model).fit(X, y)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert np.array_equal(model.predict_proba(table), expected.predict_proba(X))
        part = model[1:]
        assert np.array_equal(part.predict(table), expected[1:].predict(X))
    assert [c.tolist() for c in part.estimators_features_] == [
        c.tolist() for c in model.estimators_features_[1:]
    ]


@for_each_member
def test_threads_change_nothing(member: Any) -> None:
    X, y = IRIS
    make = dict(n_members=5, max_samples=0.5, max_features=0.5, random_state=3)
    serial = wl.BaggedClassifier(member, **make).fit(X, y)
    threads = wl.BaggedClassifier(member, **make, n_jobs=3).fit(X, y)
    assert np.array_equal(serial.predict_proba(X), threads.predict_proba(X))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.testing.assert_array_equal(serial.oob_proba_, threads.oob_proba_)


def test_a_committee_of_some_columns_can_be_saved(tmp_path: Path) -> None:
    X, y = TITANIC.X, TITANIC.y
    model = wl.BaggedClassifier(n_members=4, max_features=2, random_state=0).fit(X, y)
    model.save(tmp_path / "bag.json")
    loaded = wl.load(tmp_path / "bag.json")
    assert np.array_equal(loaded.predict_proba(X), model.predict_proba(X))
    assert [c.tolist() for c in loaded.estimators_features_] == [
        c.tolist() for c in model.estimators_features_
    ]
    more = loaded.set_params(n_members=6, warm_start=True).fit(X, y)
    at_once = wl.BaggedClassifier(n_members=6, max_features=2, random_state=0).fit(X, y)
    assert np.array_equal(more.predict_proba(X), at_once.predict_proba(X))
    text = (tmp_path / "bag.json").read_text()
    for broken in ('"columns":[]', '"columns":[[9],[0],[0],[0]]', '"columns":[1,2,3,4]'):
        start = text.index('"columns":')
        end = text.index("]]", start) + 2
        (tmp_path / "broken.json").write_text(text[:start] + broken + text[end:])
        with pytest.raises(ValueError, match='its "columns" are not'):
            wl.load(tmp_path / "broken.json")


# -- continued fits -------------------------------------------------------------------------------
@for_each_member
def test_a_continued_fit_is_the_fit_at_once(member: Any) -> None:
    X, y = IRIS
    make = dict(max_samples=0.5, max_features=0.5, random_state=3)
    model = wl.BaggedClassifier(member, 2, **make, warm_start=True).fit(X, y)
    first = list(model.members_)
    model.set_params(n_members=5, n_jobs=2).fit(X, y)
    at_once = wl.BaggedClassifier(member, 5, **make).fit(X, y)
    assert model.members_[:2] == first
    assert np.array_equal(model.predict_proba(X), at_once.predict_proba(X))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        np.testing.assert_array_equal(model.oob_proba_, at_once.oob_proba_)
        assert model.oob_error_ == at_once.oob_error_
    with pytest.raises(ValueError, match=r"n_members=4 with warm_start=True: there are 5 already"):
        model.set_params(n_members=4).fit(X, y)
    with pytest.raises(ValueError, match=r"warm_start=True continues with the same table"):
        model.set_params(n_members=6).fit(X[:, :3], y)
    assert len(model) == 5


def test_a_continued_fit_that_adds_nothing_warns() -> None:
    model = wl.BaggedClassifier(n_members=3, random_state=0, warm_start=True).fit(*IRIS)
    with pytest.warns(UserWarning, match=r"n_members=3 with warm_start=True: there are 3 already"):
        model.fit(*IRIS)
    assert len(model) == 3


@pytest.mark.parametrize("kind", [wl.BaggedClassifier, wl.AdaBoostM1Classifier])
def test_seeds_reach_the_parts_of_a_pipeline(kind: Any) -> None:
    X, y = IRIS
    random_tree = DecisionTreeClassifier(max_features=1, splitter="random", max_depth=2)
    member = Pipeline([("scale", StandardScaler()), ("tree", random_tree)])
    options = {"method": "resample"} if kind is wl.AdaBoostM1Classifier else {}
    models = [kind(member, 4, random_state=seed, **options).fit(X, y) for seed in (0, 0, 1)]
    seeds = [[fitted["tree"].random_state for fitted in model.members_] for model in models]
    assert seeds[0] == seeds[1] != seeds[2]
    assert len(set(seeds[0])) == len(models[0])
    assert np.array_equal(models[0].predict_proba(X), models[1].predict_proba(X))


# -- threads of members ---------------------------------------------------------------------------
class ThreadCounter(ClassifierMixin, BaseEstimator):
    """Notes how many threads the libraries may use while it is fitted."""

    def fit(self, X: Any, y: Any) -> ThreadCounter:
        self.classes_ = np.unique(y)
        self.n_threads_ = [pool["num_threads"] for pool in threadpool_info()]
        return self

    def predict(self, X: Any) -> Any:
        return np.full(len(X), self.classes_[0])


@pytest.mark.parametrize("n_jobs", [None, 2])
def test_libraries_use_one_thread_per_member(n_jobs: int | None) -> None:
    before = [pool["num_threads"] for pool in threadpool_info()]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = wl.BaggedClassifier(ThreadCounter(), 4, n_jobs=n_jobs).fit(*IRIS)
    for member in model.members_:
        assert set(member.n_threads_) == {1}
    assert [pool["num_threads"] for pool in threadpool_info()] == before


@pytest.mark.parametrize("n_jobs", [1, 2])
def test_a_callback_that_stops_the_fit_causes_no_warning(n_jobs: int) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model = wl.BaggedClassifier(
            n_members=50, n_jobs=n_jobs, callback=lambda progress: progress.done == 5
        ).fit(*IRIS)
    assert len(model) == 5


def test_tasks_after_the_generator_is_closed_never_begin() -> None:
    begun = []
    results = results_in_order(lambda index: begun.append(index) or index, range(100), 2)
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    results.close()
    assert len(begun) <= 3 + 2 + 1

    def fail(index: int) -> int:
        if index == 3:
            raise ValueError("third")
        return index

    for n_threads in (1, 2):
        values = results_in_order(fail, range(9), n_threads)
        assert [next(values) for _ in range(3)] == [0, 1, 2]
        with pytest.raises(ValueError, match="third"):
            next(values)


# -- the rows of each member ----------------------------------------------------------------------
@pytest.mark.parametrize(
    "options", [{}, {"max_samples": 0.4}, {"bootstrap": False, "max_samples": 30}]
)
def test_a_member_is_the_tree_of_its_sample(options: dict[str, Any]) -> None:
    X, y = IRIS
    model = wl.BaggedClassifier(n_members=4, random_state=1, **options).fit(X, y)
    assert len(model.estimators_samples_) == 4
    for member, rows in zip(model.members_, model.estimators_samples_, strict=True):
        alone = wl.C45Classifier().fit(X[rows], y[rows])
        assert alone.tree_.to_text() == member.tree_.to_text()


def test_samples_name_the_rows_that_were_passed() -> None:
    X, y = IRIS
    labels = np.where(np.arange(len(y)) % 7 == 0, np.nan, y)
    weights = np.where(np.arange(len(y)) % 5 == 0, 0.0, 2.0)
    model = wl.BaggedClassifier(n_members=3, random_state=0)
    with pytest.warns(UserWarning, match="have no class"):
        model.fit(X, labels, weights)
    kept = np.flatnonzero(~np.isnan(labels) & (weights > 0))
    for rows in model.estimators_samples_:
        assert set(rows) <= set(kept)
        assert len(rows) == 2 * len(kept)
    assert np.array_equal(model[1:].estimators_samples_[0], model.estimators_samples_[1])
    copied = pickle.loads(pickle.dumps(model))
    assert np.array_equal(copied.estimators_samples_[2], model.estimators_samples_[2])


def test_a_loaded_committee_does_not_know_its_rows(tmp_path: Path) -> None:
    wl.BaggedClassifier(n_members=2, random_state=0).fit(*IRIS).save(tmp_path / "m.json")
    with pytest.raises(AttributeError, match="not a loaded file"):
        _ = wl.load(tmp_path / "m.json").estimators_samples_


def test_a_sample_of_one_class_is_learned_by_members_that_refuse_one_class() -> None:
    model = wl.BaggedClassifier(LogisticRegression(), n_members=10, random_state=1)
    model.fit([[1.0, 2.0], [3.0, 4.0]], [0, 1])
    assert any(len(set(rows)) == 1 for rows in model.estimators_samples_)
    for member, rows in zip(model.members_, model.estimators_samples_, strict=True):
        if len(set(rows)) == 1:
            assert member.predict([[2.0, 3.0]]).tolist() == [rows[0]]
