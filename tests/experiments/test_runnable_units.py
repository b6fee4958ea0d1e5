"""What can run of a plan, and what to do about absent tables and learners."""

from __future__ import annotations

from pathlib import Path

import pytest

from small_plan import small_plan
from weaklearn.experiments import prepare
from weaklearn.experiments.runnable_units import how_to_get


def test_absent_tables_and_learners_are_listed_and_have_no_units() -> None:
    prepared = prepare(small_plan())
    assert prepared.absent_tables["folds", "lost"].startswith("put no-such-table.arff")
    reason = prepared.absent_learners["folds", "oracle"]
    assert reason == "this version of weaklearn has no OracleClassifier"
    assert not [u for u in prepared.units if u.problem == "lost" or u.learner == "oracle"]
    assert prepared.n_rows["folds", "iris"] == 150
    assert all(len(unit.checksum) == 64 for unit in prepared.units)


def test_an_absent_table_comes_with_instructions(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEAKLEARN_DATA", str(tmp_path))
    assert how_to_get({"load": "iris"}) is None
    assert how_to_get({"make": "xd6"}) is None
    assert "weaklearn data fetch credit-g, or put credit-g.arff" in str(
        how_to_get({"load": "credit-g"})
    )
    assert "put chess.arff" in str(how_to_get({"load": "chess"}))
