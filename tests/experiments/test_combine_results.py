"""The combined results of units equal the results of the experiments themselves."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import weaklearn as wl
from small_plan import small_plan
from weaklearn.experiments import (
    PlanResults,
    Store,
    StoredResult,
    WorkUnit,
    compare_on_disjoint_sets,
    corrected_t_test,
    cross_validate,
    prepare,
    run_units,
)


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> dict[WorkUnit, StoredResult]:
    with Store(Path(tmp_path_factory.mktemp("store") / "r.sqlite"), "1") as store:
        return run_units(prepare(small_plan()).units, store)


@pytest.fixture(scope="module")
def results(stored: dict[WorkUnit, StoredResult]) -> PlanResults:
    return PlanResults(prepare(small_plan()), stored)


def test_means_and_standard_errors_are_those_of_cross_validate(results: PlanResults) -> None:
    table = wl.datasets.load("iris")
    direct = cross_validate(wl.C45Classifier(), table.X, table.y, n_folds=4, n_repeats=2)
    for quantity, expected in {"error": direct.error, "size": direct.size}.items():
        values = results.values("folds", "iris", "tree", quantity)
        assert values is not None
        assert expected is not None
        assert values.estimate.mean == pytest.approx(expected.mean)
        assert values.estimate.standard_error == pytest.approx(expected.standard_error)
        assert values.n_repeats == 2


def test_folds_are_compared_by_the_corrected_t_test(results: PlanResults) -> None:
    comparison = results.compare("folds", "iris", "bag", "tree", "error")
    bag, tree = (results.values("folds", "iris", name, "error") for name in ("bag", "tree"))
    assert comparison is not None
    assert bag is not None
    assert tree is not None
    test = corrected_t_test(bag.values, tree.values, 4)
    assert comparison.p == test.p
    assert comparison.interval is not None
    assert comparison.interval.difference == test.difference
    assert comparison.interval.significant == (test.p < 0.05)
    assert comparison.ratio == pytest.approx(comparison.first / comparison.second)
    repeats = comparison.repeats
    assert repeats.wins + repeats.ties + repeats.losses == 2


def test_disjoint_sets_are_compared_as_by_compare_on_disjoint_sets(results: PlanResults) -> None:
    table = wl.datasets.make_monks(1)
    learners = {name: wl.C45Classifier(c) for name, c in (("G", "km"), ("H", "gain"))}
    draws = [
        compare_on_disjoint_sets(learners, table.X, table.y, n_sets=3, test=60, seed=seed)
        for seed in range(2)
    ]
    errors = results.compare("sets", "monks", "G", "H", "error")
    assert errors is not None
    intervals = [draw.error_interval("G", "H") for draw in draws]
    assert errors.interval == intervals[0]
    assert errors.for_first == sum(i.significant and i.difference > 0 for i in intervals)
    assert errors.for_second == sum(i.significant and i.difference < 0 for i in intervals)
    sizes = results.compare("sets", "monks", "G", "H", "size")
    assert sizes is not None
    assert sizes.p == draws[0].size_test("G", "H").p


def test_shared_test_rows_add_to_the_standard_error(results: PlanResults) -> None:
    values = results.values("sets", "monks", "G", "error")
    assert values is not None
    between_trials = values.values.var(ddof=1) / 3
    assert values.row_variance > 0
    expected = np.sqrt(between_trials + values.row_variance)
    assert values.estimate.standard_error == pytest.approx(expected)


def test_a_failed_unit_is_listed_and_its_learner_is_not_compared(
    stored: dict[WorkUnit, StoredResult],
) -> None:
    unit = next(u for u in stored if (u.problem, u.learner, u.fold) == ("iris", "bag", 1))
    with_failure = {**stored, unit: StoredResult(None, "out of memory", 0.1)}
    results = PlanResults(prepare(small_plan()), with_failure)
    assert results.failures == {unit: "out of memory"}
    values = results.values("folds", "iris", "bag", "error")
    assert values is not None
    assert len(values.values) == 7
    assert results.compare("folds", "iris", "bag", "tree", "error") is None


def test_results_for_other_tables_are_ignored(stored: dict[WorkUnit, StoredResult]) -> None:
    others = {replace(unit, checksum="other"): result for unit, result in stored.items()}
    results = PlanResults(prepare(small_plan()), others)
    assert results.values("folds", "iris", "tree", "error") is None
    assert results.compare("folds", "iris", "bag", "tree", "error") is None


def test_reprs_are_one_short_line(
    results: PlanResults, stored: dict[WorkUnit, StoredResult]
) -> None:
    assert repr(results) == "PlanResults(small: 54 of 54 units done, 0 failed)"
    plan = results.plan
    assert repr(plan) == (
        "Plan(small: experiments folds, sets, rounds, stages, pruned, sizes, drawn; 94 units)"
    )
    assert repr(plan.experiments["folds"]) == (
        "Experiment(folds: 3 learners on 3 problems, measures errors)"
    )
    assert repr(results.prepared) == (
        "PreparedPlan(small: 54 units can run; 1 tables and 1 learners are absent)"
    )
    unit = results.prepared.units[0]
    assert repr(unit) == "WorkUnit(small, folds: iris, tree, repeat 0, trial 0)"
    assert repr(stored[unit]).startswith("StoredResult(done, ")
    values = results.values("folds", "iris", "tree", "error")
    assert repr(values) == "TrialValues(8 of 2 x 4 trials, mean 0.05667)"
