"""The example that compares criteria of boosted trees, on small embedded tables."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

EXAMPLE = runpy.run_path(str(Path(__file__).parents[1] / "examples" / "boosted_criteria.py"))


def test_prints_errors_and_sign_tests(capsys: pytest.CaptureFixture[str]) -> None:
    EXAMPLE["main"](["iris", "wine", "--folds", "3"])
    lines = capsys.readouterr().out.splitlines()
    iris = next(line for line in lines if line.startswith("| iris |"))
    errors = [float(cell) for cell in iris.strip("| ").split("|")[1:]]
    assert len(errors) == 9
    assert all(0 < error < 15 for error in errors)
    tests = [line for line in lines if line.endswith("|") and "p = " in line]
    assert len(tests) == 6
    for line in tests:
        lower, higher, equal = (int(cell) for cell in line.strip("| ").split("|")[2:5])
        assert lower + higher + equal == 2
