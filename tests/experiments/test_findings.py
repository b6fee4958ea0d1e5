"""Findings: what units say together is what the experiments themselves would say."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import weaklearn as wl
from small_plan import small_plan
from weaklearn.experiments import (
    Findings,
    Store,
    Stored,
    Unit,
    corrected_t_test,
    cross_validate,
    delve,
    prepare,
    run_units,
)


@pytest.fixture(scope="module")
def known(tmp_path_factory: pytest.TempPathFactory) -> dict[Unit, Stored]:
    with Store(Path(tmp_path_factory.mktemp("store") / "r.sqlite"), "1") as store:
        return run_units(prepare(small_plan()).units, store)


@pytest.fixture(scope="module")
def findings(known: dict[Unit, Stored]) -> Findings:
    return Findings(prepare(small_plan()), known)


def test_means_and_standard_errors_are_those_of_cross_validate(findings: Findings) -> None:
    table = wl.datasets.load("iris")
    theirs = cross_validate(wl.C45Classifier(), table.X, table.y, n_folds=4, n_repeats=2)
    for figure, expected in {"error": theirs.error, "size": theirs.size}.items():
        series = findings.series("folds", "iris", "tree", figure)
        assert series is not None
        assert expected is not None
        assert series.estimate.mean == pytest.approx(expected.mean)
        assert series.estimate.standard_error == pytest.approx(expected.standard_error)
        assert series.n_repeats == 2


def test_folds_are_contested_as_nadeau_and_bengio_do(findings: Findings) -> None:
    found = findings.contest("folds", "iris", "bag", "tree", "error")
    series = [findings.series("folds", "iris", name, "error") for name in ("bag", "tree")]
    assert found is not None
    assert series[0] is not None
    assert series[1] is not None
    test = corrected_t_test(series[0].values, series[1].values, 4)
    assert found.p == test.p
    assert found.interval is not None
    assert found.interval.difference == test.difference
    assert found.interval.significant == (test.p < 0.05)
    assert found.ratio == pytest.approx(found.first / found.second)
    assert found.repeats.wins + found.repeats.ties + found.repeats.losses == 2


def test_sets_are_contested_as_delve_does(findings: Findings) -> None:
    table = wl.datasets.make_monks(1)
    learners = {name: wl.C45Classifier(c) for name, c in (("G", "km"), ("H", "gain"))}
    draws = [delve(learners, table.X, table.y, n_sets=3, test=60, seed=s) for s in range(2)]
    found = findings.contest("sets", "monks", "G", "H", "error")
    assert found is not None
    assert found.interval == draws[0].error_interval("G", "H")
    clear = [d.error_interval("G", "H") for d in draws]
    assert found.for_first == sum(i.significant and i.difference > 0 for i in clear)
    assert found.for_second == sum(i.significant and i.difference < 0 for i in clear)
    sizes = findings.contest("sets", "monks", "G", "H", "size")
    assert sizes is not None
    assert sizes.p == draws[0].size_test("G", "H").p


def test_test_rows_that_are_shared_widen_the_error(findings: Findings) -> None:
    series = findings.series("sets", "monks", "G", "error")
    assert series is not None
    between = series.values.var(ddof=1) / 3
    assert series.row_variance > 0
    assert series.estimate.standard_error == pytest.approx(np.sqrt(between + series.row_variance))


def test_a_failed_unit_is_told_and_its_learner_not_compared(known: dict[Unit, Stored]) -> None:
    unit = next(u for u in known if (u.problem, u.learner, u.fold) == ("iris", "bag", 1))
    some = {**known, unit: Stored(None, "RuntimeError: no", 0.1)}
    findings = Findings(prepare(small_plan()), some)
    assert findings.failures == {unit: "RuntimeError: no"}
    series = findings.series("folds", "iris", "bag", "error")
    assert series is not None
    assert len(series.values) == 7
    assert findings.contest("folds", "iris", "bag", "tree", "error") is None


def test_what_belongs_to_others_is_passed_over(known: dict[Unit, Stored]) -> None:
    strangers = {replace(unit, data="other"): stored for unit, stored in known.items()}
    findings = Findings(prepare(small_plan()), strangers)
    assert findings.series("folds", "iris", "tree", "error") is None
    assert findings.contest("folds", "iris", "bag", "tree", "error") is None
