"""The example of compositions, on small tables."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

EXAMPLE = runpy.run_path(str(Path(__file__).parents[1] / "examples" / "g2_compositions.py"))


def test_every_composition_learns_and_keeps_its_bound(capsys: pytest.CaptureFixture[str]) -> None:
    EXAMPLE["main"](["--rows", "250", "--folds", "2"])
    rows = [line.strip("| ").split(" | ") for line in capsys.readouterr().out.splitlines()[2:]]
    assert len(rows) == 3 * len(EXAMPLE["COMPOSITIONS"])
    for _, table, *numbers in rows:
        error, training, bound = map(float, numbers)
        assert training <= bound + 0.1
        assert error < 50
        if table == "titanic":
            assert error < 25
