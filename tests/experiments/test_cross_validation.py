import json
import math
from dataclasses import replace
from typing import ClassVar

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

import weaklearn as wl
from weaklearn.estimators.graph_classifier import GraphClassifier
from weaklearn.experiments import Estimate, Fold, Results, cross_validate, deal_folds


@pytest.fixture(scope="module")
def table():
    generator = np.random.default_rng(5)
    n = 120
    X = pd.DataFrame(
        {
            "a": generator.normal(size=n).round(1),
            "b": pd.Categorical(generator.choice(["x", "y", "z"], n), categories=list("xyzw")),
        }
    )
    X.loc[generator.random(n) < 0.1, "a"] = np.nan
    y = np.where((X["a"].fillna(0) > 0) ^ (generator.random(n) < 0.2), "yes", "no")
    return X, y


@given(
    sizes=st.lists(st.integers(0, 12), min_size=1, max_size=5).filter(any),
    n_folds=st.integers(2, 6),
    seed=st.integers(0, 5),
)
def test_dealt_folds_and_the_classes_in_them_differ_by_at_most_one_row(sizes, n_folds, seed):
    classes = np.repeat(np.arange(len(sizes), dtype=np.int32), sizes)
    folds = deal_folds(classes, n_folds, np.random.default_rng(seed))
    assert np.ptp(np.bincount(folds, minlength=n_folds)) <= 1
    for index in range(len(sizes)):
        assert np.ptp(np.bincount(folds[classes == index], minlength=n_folds)) <= 1


@pytest.mark.parametrize("arithmetic", ["double", "release8"])
def test_a_fold_is_a_fit_to_the_other_rows(table, arithmetic):
    X, y = table
    # All folds know all values and classes, because they are declared, as in a .names file.
    y = pd.Series(pd.Categorical(y))
    folds = np.arange(len(y)) % 4
    model = wl.C45Classifier(arithmetic=arithmetic)
    results = cross_validate(model, X, y, fold_of_row=folds)
    for fold in results.folds:
        train = folds != fold.fold
        fitted = wl.C45Classifier(arithmetic=arithmetic).fit(X[train], y[train])
        wrong = fitted.predict(X) != y.to_numpy()
        assert fold.train_errors == wrong[train].sum()
        assert fold.test_errors == wrong[~train].sum()
        tree = fitted.tree_
        assert (fold.size, fold.n_leaves, fold.depth) == (tree.size, tree.n_leaves, tree.depth)


def test_every_row_is_held_back_once_per_repeat(table):
    X, y = table
    results = cross_validate(wl.C45Classifier(), X, y, n_folds=7, n_repeats=3)
    assert [(f.repeat, f.fold) for f in results.folds] == [
        (r, f) for r in range(3) for f in range(7)
    ]
    for repeat in range(3):
        assert sum(f.n_test for f in results.folds if f.repeat == repeat) == len(y)
    assert all(fold.n_train + fold.n_test == len(y) for fold in results.folds)


def test_threads_change_nothing_and_more_repeats_keep_the_first(table):
    X, y = table
    once = cross_validate(wl.C45Classifier(), X, y, n_repeats=2, seed=3)
    twice = cross_validate(wl.C45Classifier(), X, y, n_repeats=2, seed=3, n_jobs=2)
    assert once == twice
    assert np.array_equal(once.predictions.shares, twice.predictions.shares)
    more = cross_validate(wl.C45Classifier(), X, y, n_repeats=3, seed=3)
    assert more.folds[:20] == once.folds
    assert once.folds[:10] != tuple(replace(fold, repeat=0) for fold in once.folds[10:])
    assert once.folds != cross_validate(wl.C45Classifier(), X, y, n_repeats=2, seed=4).folds


def test_progress_is_called_after_each_fold(table):
    calls = []
    cross_validate(
        wl.C45Classifier(), *table, n_folds=3, n_repeats=2, progress=lambda: calls.append(1)
    )
    assert len(calls) == 6


class SeededClassifier(GraphClassifier):
    _parameters: ClassVar = {}
    seen: ClassVar[list] = []

    def __init__(self, random_state=None, nominal=None, continuous=None, n_jobs=None):
        self.random_state = random_state
        self.nominal = nominal
        self.continuous = continuous
        self.n_jobs = n_jobs

    def fit_dataset(self, dataset, weights, n_threads=1):
        self.seen.append(self.random_state)
        tree = wl.C45Classifier()
        tree.fit_dataset(dataset, weights)
        self.tree_ = tree.tree_


def test_each_fold_has_its_own_seed_unless_one_is_given(table):
    SeededClassifier.seen.clear()
    cross_validate(SeededClassifier(), *table, n_folds=3, n_repeats=3)
    first = list(SeededClassifier.seen)
    assert len(set(first)) == 9
    assert all(isinstance(seed, int) for seed in first)
    SeededClassifier.seen.clear()
    cross_validate(SeededClassifier(), *table, n_folds=3, n_repeats=3)
    assert SeededClassifier.seen == first
    SeededClassifier.seen.clear()
    cross_validate(SeededClassifier(random_state=7), *table, n_folds=3)
    assert SeededClassifier.seen == [7, 7, 7]


def test_means_and_standard_errors():
    folds = (
        Fold(0, 0, 3, 1, 0, 1, 5, 3, 2),
        Fold(0, 1, 1, 3, 1, 0, 3, 2, 1),
    )
    results = Results(folds, n_rows=4, n_folds=2, n_repeats=1, seed=0)
    assert results.error == Estimate(0.25, math.sqrt(0.5) / math.sqrt(2))
    assert results.train_error == Estimate(0.25, math.sqrt(0.5) / math.sqrt(2))
    assert results.size == Estimate(4.0, 1.0)
    again = Results(folds * 2, n_rows=4, n_folds=2, n_repeats=2, seed=0)
    # A second repeat of the same folds does not shrink the standard error.
    assert again.size.mean == 4.0
    assert again.size.standard_error == pytest.approx(math.sqrt(4 / 3) / math.sqrt(2))


def test_a_model_without_a_graph_has_no_size():
    results = Results((Fold(0, 0, 1, 1, 0, 0), Fold(0, 1, 1, 1, 0, 0)), 2, 2, 1, None)
    assert results.size is None
    assert results.to_dict()["size"] is None


def test_the_repr_is_one_short_line(table):
    results = cross_validate(wl.C45Classifier(), *table, n_folds=10, n_repeats=20)
    assert repr(results) == (
        f"Results(20 times 10 folds, test error {100 * results.error.mean:.2f} ± "
        f"{100 * results.error.standard_error:.2f} %)"
    )


def test_to_dict_is_json(table):
    document = cross_validate(wl.C45Classifier(), *table, n_folds=3).to_dict()
    assert json.loads(json.dumps(document)) == document
    assert len(document["folds"]) == 3


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"n_folds": 1}, "n_folds must be a whole number of at least 2, got 1"),
        ({"n_folds": 121}, "n_folds must be at most 120, the number of rows, got 121"),
        ({"n_folds": 2.5}, "n_folds must be a whole number of at least 2, got 2.5"),
        ({"n_repeats": 0}, "n_repeats must be a whole number of at least 1, got 0"),
        ({"seed": -1}, "seed must be a whole number of at least 0, got -1"),
        ({"fold_of_row": [0, 1]}, r"fold_of_row has shape \(2,\)"),
        ({"fold_of_row": [0.5] * 120}, "type float64"),
        ({"fold_of_row": [0] * 120}, "all rows into one fold"),
        ({"fold_of_row": [0, 1] * 60, "n_repeats": 2}, "the folds of one repeat, but n_repeats is"),
        ({"n_jobs": 0}, "n_jobs"),
    ],
)
def test_bad_options_are_explained(table, options, message):
    with pytest.raises(ValueError, match=message):
        cross_validate(wl.C45Classifier(), *table, **options)


def test_other_estimators_are_refused(table):
    from sklearn.tree import DecisionTreeClassifier

    with pytest.raises(TypeError, match="DecisionTreeClassifier, expected a classifier of"):
        cross_validate(DecisionTreeClassifier(), *table)


def test_parameters_outside_their_domain_are_refused(table):
    with pytest.raises(ValueError, match="confidence"):
        cross_validate(wl.C45Classifier(confidence=2), *table)


def test_rows_without_a_class_are_left_out_with_a_warning(table):
    X, y = table
    is_known = np.arange(len(y)) % 10 != 3
    labels = pd.Series(np.where(is_known, y, None), dtype=object)
    folds = np.arange(len(y)) % 4
    with pytest.warns(UserWarning, match="12 of 120 rows have no class and are left out"):
        results = cross_validate(wl.C45Classifier(), X, labels, fold_of_row=folds)
    assert results.n_rows == 108
    expected = cross_validate(
        wl.C45Classifier(), X[is_known], y[is_known], fold_of_row=folds[is_known]
    )
    assert results == expected
    with pytest.warns(UserWarning, match="rows have no class"):
        assert cross_validate(wl.C45Classifier(), X, labels, seed=3).n_rows == 108
    with pytest.raises(ValueError, match="Expected a class for at least half of the rows"):
        cross_validate(wl.C45Classifier(), X, [None] * 61 + ["yes"] * 59)
