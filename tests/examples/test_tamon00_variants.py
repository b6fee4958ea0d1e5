"""The example that compares ways to boost with Table 2 of Tamon and Xiang, on one small table."""

from __future__ import annotations

import sys
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import Any

import pytest

from weaklearn.experiments import prepare, read_plan

PATH = Path(__file__).parents[2] / "examples" / "tamon00_variants.py"


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> Any:
    spec = spec_from_file_location("tamon00_variants", PATH)
    assert spec is not None
    assert spec.loader is not None
    module = module_from_spec(spec)
    monkeypatch.setitem(sys.modules, "tamon00_variants", module)  # its dataclass looks it up
    spec.loader.exec_module(module)
    return module


def test_a_committee_that_is_pruned_to_none(
    example: Any,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    plan = read_plan("tamon00").only(["monk1"])
    if prepare(plan).absent_tables:
        pytest.skip("the table monks-1 is absent")
    kept = {name: example.LEARNERS[name] for name in ("as published", "restart")}
    monkeypatch.setattr(example, "LEARNERS", kept)
    monkeypatch.setattr(example, "ON_SMALL_TABLES", {})
    monkeypatch.setattr(example, "FROM_HALF", {})
    monkeypatch.setattr(example, "VARIANTS", (*kept, "as published, none kept"))
    example.main([str(tmp_path / "results.sqlite"), "--tables", "monk1"])
    lines = [line.strip("| ").split(" | ") for line in capsys.readouterr().out.splitlines()]
    counts = {row[0]: row for row in lines if len(row) == 6}
    assert counts["variant"] == [
        "variant",
        "agree",
        "too noisy",
        "differ",
        "mean distance",
        "monk1",
    ]
    for name in ("as published", "restart", "as published, none kept"):
        assert sum(map(int, counts[name][1:4])) == 12
    cells = {row[0]: row[1:] for row in lines if len(row) == 13}
    published = plan.published["table2"]["monk1"].values()
    assert cells["paper"] == [f"{value:.1f}" for value in published]
    # In half of the folds the first tree makes no training error, and is the only member.
    assert all(float(cell.split()[0]) < 5 for cell in cells["as published"])
    assert all(20 < float(cell.split()[0]) < 40 for cell in cells["as published, none kept"][2:])
    assert cells["as published, none kept"][:2] == cells["as published"][:2]
