"""Units measure what the experiments measure, and a failure becomes an outcome."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import weaklearn as wl
from small_plan import small_plan
from weaklearn.experiments import (
    compare_on_disjoint_sets,
    cross_validate,
    equal_rounds,
    split_folds,
)
from weaklearn.experiments.plan import Plan
from weaklearn.experiments.work_units import WorkUnit, canonical_json, run_unit


def results_of(plan: Plan, experiment: str, problem: str, learner: str) -> list[dict[str, Any]]:
    results = []
    for unit in plan.units():
        if (unit.experiment, unit.problem, unit.learner) == (experiment, problem, learner):
            outcome = run_unit(unit)
            assert outcome.error is None
            assert outcome.result is not None
            results.append(json.loads(outcome.result))
    return results


@pytest.mark.parametrize("learner", ["tree", "bag"])
def test_folds_are_those_of_cross_validate(learner: str) -> None:
    table = wl.datasets.load("iris")
    model = {"tree": wl.C45Classifier(), "bag": wl.BaggedClassifier(n_members=3)}[learner]
    direct = cross_validate(model, table.X, table.y, n_folds=4, n_repeats=2)
    results = results_of(small_plan(), "folds", "iris", learner)
    assert len(results) == 8
    for result, fold in zip(results, direct.folds, strict=True):
        assert result["n_test"] == fold.n_test
        assert result["quantities"]["error"] == fold.test_errors / fold.n_test
        assert result["quantities"]["train error"] == fold.train_errors / fold.n_train
        assert result["quantities"]["size"] == fold.size


def test_sets_are_those_of_compare_on_disjoint_sets() -> None:
    table = wl.datasets.make_monks(1)
    learner = {"G": wl.C45Classifier("km")}
    results = results_of(small_plan(), "sets", "monks", "G")
    for repeat in range(2):
        direct = compare_on_disjoint_sets(learner, table.X, table.y, n_sets=3, test=60, seed=repeat)
        wrong_rows = [np.flatnonzero(wrong).tolist() for wrong in direct.wrong["G"]]
        of_repeat = results[3 * repeat : 3 * repeat + 3]
        assert [result["details"]["wrong_rows"] for result in of_repeat] == wrong_rows
        assert [result["quantities"]["size"] for result in of_repeat] == direct.sizes("G")


def test_rounds_are_those_of_equal_rounds() -> None:
    table = wl.datasets.make_xd6(60, random_state=0)
    learners = {
        "TopDown": lambda n: wl.TopDownClassifier("entropy", n_rounds=n),
        "AdaBoost": lambda n: wl.AdaBoostM1Classifier(wl.StumpClassifier(), n_rounds=n),
    }
    direct = equal_rounds(learners, table.X, table.y, split_folds(table.y, 3), "TopDown")
    results = results_of(small_plan(), "rounds", "xd6", "both")
    for name in learners:
        for result, run in zip(results, direct.of(name), strict=True):
            assert result["quantities"][f"{name}, rounds"] == run.n_rounds
            assert result["details"][name]["gamma"] == run.advantages.gamma.tolist()


def test_the_last_stage_and_the_largest_size_have_the_error_of_the_whole_committee() -> None:
    plan = small_plan()
    for staged in results_of(plan, "stages", "titanic", "boosted"):
        assert staged["details"]["errors"][-1] == staged["quantities"]["error"]
    (sizes,) = results_of(plan, "sizes", "titanic", "boosted")
    assert sizes["details"]["sizes"] == [1, 2, 3, 4, 5]
    for errors in sizes["details"]["errors"].values():
        assert errors[-1] == sizes["quantities"]["error"]
    pruned = results_of(plan, "pruned", "titanic", "boosted")[0]
    errors_by_size = sizes["details"]["errors"]["kappa"]
    assert pruned["quantities"]["kappa 0.8"] == errors_by_size[3]
    assert pruned["quantities"]["kappa 0.5"] == errors_by_size[1]


def test_a_failure_becomes_an_outcome() -> None:
    unit = next(u for u in small_plan().units() if u.learner == "oracle")
    outcome = run_unit(unit)
    assert outcome.result is None
    error = str(outcome.error)
    assert error.startswith("this version of weaklearn has no OracleClassifier (ValueError in ")
    not_json = WorkUnit("p", "e", "x", "l", 0, 0, "no JSON")
    assert "JSONDecodeError" in str(run_unit(not_json).error)


def test_equal_data_have_the_same_canonical_json() -> None:
    assert canonical_json({"b": float("nan"), "a": (1, 2.5)}) == '{"a":[1,2.5],"b":null}'
    assert canonical_json({"a": 1, "b": 2}) == canonical_json({"b": 2, "a": 1})
    numbers = [0.1, 1 / 3, 5e-324, 1e22]
    assert json.loads(canonical_json(numbers)) == numbers
