"""Units: what they measure is what the experiments measure, and a failure is an outcome."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

import weaklearn as wl
from small_plan import small_plan
from weaklearn.experiments import cross_validate, delve, equal_rounds, split_folds
from weaklearn.experiments.plan import Plan
from weaklearn.experiments.work_units import Unit, canonical_json, run_unit


def results_of(plan: Plan, experiment: str, problem: str, learner: str) -> list[dict[str, Any]]:
    found = []
    for unit in plan.units():
        if (unit.experiment, unit.problem, unit.learner) == (experiment, problem, learner):
            outcome = run_unit(unit)
            assert outcome.error is None
            assert outcome.result is not None
            found.append(json.loads(outcome.result))
    return found


@pytest.mark.parametrize("learner", ["tree", "bag"])
def test_folds_are_those_of_cross_validate(learner: str) -> None:
    table = wl.datasets.load("iris")
    model = {"tree": wl.C45Classifier(), "bag": wl.BaggedClassifier(n_members=3)}[learner]
    theirs = cross_validate(model, table.X, table.y, n_folds=4, n_repeats=2)
    ours = results_of(small_plan(), "folds", "iris", learner)
    assert len(ours) == 8
    for found, fold in zip(ours, theirs.folds, strict=True):
        assert found["n_test"] == fold.n_test
        assert found["figures"]["error"] == fold.test_errors / fold.n_test
        assert found["figures"]["train error"] == fold.train_errors / fold.n_train
        assert found["figures"]["size"] == fold.size


def test_sets_are_those_of_delve() -> None:
    table = wl.datasets.make_monks(1)
    learner = {"G": wl.C45Classifier("km")}
    ours = results_of(small_plan(), "sets", "monks", "G")
    for draw in range(2):
        theirs = delve(learner, table.X, table.y, n_sets=3, test=60, seed=draw)
        wrong = [np.flatnonzero(row).tolist() for row in theirs.wrong["G"]]
        assert [found["details"]["wrong"] for found in ours[3 * draw : 3 * draw + 3]] == wrong
        assert [found["figures"]["size"] for found in ours[3 * draw : 3 * draw + 3]] == (
            theirs.sizes("G")
        )


def test_rounds_are_those_of_equal_rounds() -> None:
    table = wl.datasets.make_xd6(60, random_state=0)
    learners = {
        "TopDown": lambda n: wl.TopDownClassifier("entropy", n_rounds=n),
        "AdaBoost": lambda n: wl.AdaBoostM1Classifier(wl.StumpClassifier(), n_rounds=n),
    }
    theirs = equal_rounds(learners, table.X, table.y, split_folds(table.y, 3), "TopDown")
    ours = results_of(small_plan(), "rounds", "xd6", "both")
    for name in learners:
        for found, run in zip(ours, theirs.of(name), strict=True):
            assert found["figures"][f"{name}, rounds"] == run.n_rounds
            assert found["details"][name]["gamma"] == run.advantages.gamma.tolist()


def test_stages_end_at_the_committee_and_pruning_at_its_error() -> None:
    plan = small_plan()
    for staged in results_of(plan, "stages", "titanic", "boosted"):
        assert staged["details"]["errors"][-1] == staged["figures"]["error"]
    (sizes,) = results_of(plan, "sizes", "titanic", "boosted")
    assert sizes["details"]["sizes"] == [1, 2, 3, 4, 5]
    for errors in sizes["details"]["errors"].values():
        assert errors[-1] == sizes["figures"]["error"]
    pruned = results_of(plan, "pruned", "titanic", "boosted")[0]
    kept = sizes["details"]["errors"]["kappa"]
    assert pruned["figures"]["kappa 0.8"] == kept[3]
    assert pruned["figures"]["kappa 0.5"] == kept[1]


def test_a_failure_is_an_outcome() -> None:
    unit = next(u for u in small_plan().units() if u.learner == "oracle")
    outcome = run_unit(unit)
    assert outcome.result is None
    assert "ValueError: this version of weaklearn has no OracleClassifier" in str(outcome.error)
    broken = Unit("p", "e", "x", "l", 0, 0, "no JSON")
    assert "JSONDecodeError" in str(run_unit(broken).error)


def test_a_recipe_has_one_form() -> None:
    assert canonical_json({"b": float("nan"), "a": (1, 2.5)}) == '{"a":[1,2.5],"b":null}'
    numbers = [0.1, 1 / 3, 5e-324, 1e22]
    assert json.loads(canonical_json(numbers)) == numbers
