"""Disjoint training sets and one test set."""

from __future__ import annotations

import json
import re
from typing import Any

import numpy as np
import pandas as pd
import pytest

import weaklearn as wl
from weaklearn.experiments import (
    DisjointSetsResults,
    Fold,
    Results,
    combined_sign_test,
    combined_t_test,
    compare_on_disjoint_sets,
    paired_t_test,
    sign_test,
    split_sets,
)
from weaklearn.tables import Table

LEARNERS = {
    "km": wl.C45Classifier("km"),
    "gain": wl.C45Classifier("gain", prune=False),
    "bag": wl.BaggedClassifier(wl.StumpClassifier(), n_members=3),
}


def make_table(seed: int, n_rows: int = 160) -> Table:
    """Make a table with missing values and a noisy class; all values and classes are declared."""
    generator = np.random.default_rng(seed)
    X = pd.DataFrame(
        {
            "a": generator.normal(size=n_rows).round(1),
            "b": pd.Categorical(generator.choice(list("xyz"), n_rows), categories=list("xyzw")),
        }
    )
    X.loc[generator.random(n_rows) < 0.1, "a"] = np.nan
    yes = (X["a"].fillna(0) > 0) ^ (X["b"] == "x") ^ (generator.random(n_rows) < 0.1)
    y = pd.Series(pd.Categorical(np.where(yes, "yes", "no"), categories=["no", "yes"]))
    return Table(f"noisy-{seed}", X, y)


@pytest.fixture(scope="module")
def table() -> Table:
    return make_table(0)


@pytest.mark.parametrize("name", ["km", "gain"])
def test_a_result_is_a_fit_to_the_rows_of_its_set(table: Table, name: str) -> None:
    results = compare_on_disjoint_sets(LEARNERS, table.X, table.y, n_sets=3, test=40, seed=2)
    splits = split_sets(table.y, 3, test=40, seed=2)
    assert results.test_rows.tolist() == np.flatnonzero(splits[0].test).tolist()
    for fold, wrong, split in zip(
        results.results[name].folds, results.wrong[name], splits, strict=True
    ):
        model = wl.C45Classifier(**LEARNERS[name].get_params())
        model.fit(table.X[split.train], table.y[split.train])
        mistakes = model.predict(table.X) != table.y.to_numpy()
        assert wrong.tolist() == mistakes[split.test].tolist()
        assert (fold.n_train, fold.n_test) == (40, 40)
        assert fold.train_errors == mistakes[split.train].sum()
        assert fold.test_errors == mistakes[split.test].sum()
        assert fold.size == model.tree_.size


def test_threads_and_other_learners_change_nothing(table: Table) -> None:
    arguments = {"n_sets": 3, "seed": 5}
    all_at_once = compare_on_disjoint_sets(LEARNERS, table.X, table.y, n_jobs=2, **arguments)
    backwards = dict(reversed(LEARNERS.items()))
    assert (
        compare_on_disjoint_sets(backwards, table.X, table.y, **arguments).results
        == all_at_once.results
    )
    alone = compare_on_disjoint_sets({"bag": LEARNERS["bag"]}, table.X, table.y, **arguments)
    assert alone.results["bag"] == all_at_once.results["bag"]
    assert (alone.wrong["bag"] == all_at_once.wrong["bag"]).all()


def test_equal_learners_do_not_differ(table: Table) -> None:
    twins = {"one": wl.C45Classifier(), "other": wl.C45Classifier()}
    results = compare_on_disjoint_sets(twins, table.X, table.y)
    interval, sizes = results.error_interval("one", "other"), results.size_test("one", "other")
    assert (interval.low, interval.high, interval.significant) == (0.0, 0.0, False)
    assert (sizes.difference, sizes.p) == (0.0, 1.0)


def test_the_difference_is_second_minus_first(table: Table) -> None:
    results = compare_on_disjoint_sets(LEARNERS, table.X, table.y)
    there, back = results.error_interval("km", "bag"), results.error_interval("bag", "km")
    errors = [results.results[name].error.mean for name in ("km", "bag")]
    assert there.difference == pytest.approx(errors[1] - errors[0], abs=1e-12)
    assert (back.low, back.high) == (-there.high, -there.low)
    sizes = results.size_test("km", "gain")
    assert sizes.difference == np.mean(results.sizes("gain")) - np.mean(results.sizes("km"))


def test_combined_tests_take_errors_by_problem_and_sizes_by_set() -> None:
    problems = [
        compare_on_disjoint_sets(LEARNERS, t.X, t.y, n_sets=n_sets)
        for t, n_sets in ((make_table(1), 2), (make_table(2), 3), (make_table(3), 4))
    ]
    means = {name: [p.results[name].error.mean for p in problems] for name in LEARNERS}
    assert combined_sign_test(problems, "km", "bag") == sign_test(means["km"], means["bag"])
    sizes = {name: [s for p in problems for s in p.sizes(name)] for name in LEARNERS}
    combined = combined_t_test(problems, "km", "gain")
    assert combined == paired_t_test(sizes["km"], sizes["gain"])
    assert combined.n_pairs == 9


def test_the_json_lists_the_misclassified_rows(table: Table) -> None:
    results = compare_on_disjoint_sets(LEARNERS, table.X, table.y, n_sets=2, test=30)
    data = json.loads(json.dumps(results.to_dict()))
    km = data["learners"]["km"]
    assert [len(rows) for rows in km["wrong"]] == [fold["test_errors"] for fold in km["folds"]]
    assert {row for rows in km["wrong"] for row in rows} <= set(data["test_rows"])


def test_the_repr_is_one_short_line(table: Table) -> None:
    results = compare_on_disjoint_sets(LEARNERS, table.X, table.y, n_sets=2, test=30)
    assert repr(results) == "DisjointSetsResults(km, gain, bag: 2 training sets, 30 test rows)"


def test_bad_input_is_explained(table: Table) -> None:
    with pytest.raises(ValueError, match="learners is empty; expected at least one"):
        compare_on_disjoint_sets({}, table.X, table.y)
    not_a_classifier: Any = "C45Classifier"
    with pytest.raises(TypeError, match="got a str, expected a classifier of weaklearn"):
        compare_on_disjoint_sets({"tree": not_a_classifier}, table.X, table.y)
    with pytest.raises(ValueError, match="criterion"):
        compare_on_disjoint_sets({"tree": wl.C45Classifier("entropi")}, table.X, table.y)
    results = compare_on_disjoint_sets(LEARNERS, table.X, table.y)
    expected = re.escape("there is no learner 'topdown'; expected one of km, gain, bag")
    for call in (results.error_interval, results.size_test):
        with pytest.raises(ValueError, match=expected):
            call("km", "topdown")
    with pytest.raises(ValueError, match=expected):
        combined_sign_test([results], "topdown", "km")


def test_models_without_graphs_have_no_size() -> None:
    rule_results = Results((Fold(0, 0, 5, 5, 0, 1), Fold(0, 1, 5, 5, 0, 2)), 15, 2, 1, 0)
    results = DisjointSetsResults(
        {"rule": rule_results}, {"rule": np.zeros((2, 5), bool)}, np.arange(5)
    )
    with pytest.raises(ValueError, match="the models of 'rule' have no size: they are not graphs"):
        results.sizes("rule")
