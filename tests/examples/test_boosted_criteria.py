"""The example that compares criteria of boosted trees, on two small embedded tables."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

import weaklearn as wl
from weaklearn.experiments import cross_validate, sign_test

EXAMPLE = runpy.run_path(str(Path(__file__).parents[2] / "examples" / "boosted_criteria.py"))
CRITERIA = {"gain ratio": "gain_ratio", "entropy": "gain", "km": "km"}
TABLES = ("iris", "wine")
COLUMNS = [(name, rounds) for rounds in (1, 10, 100) for name in CRITERIA]


def cross_validated_error(table_name: str, criterion: str, n_rounds: int) -> float:
    """Compute the error with the library's own cross-validation: one fit per number of rounds.

    The example fits 100 rounds and predicts with the first members only.
    """
    table = wl.datasets.load(table_name)
    member = wl.C45Classifier(CRITERIA[criterion])
    model = wl.AdaBoostM1Classifier(member, n_rounds=n_rounds) if n_rounds > 1 else member
    return cross_validate(model, table.X, table.y, n_folds=3, seed=0).error.mean


def test_the_printed_errors_and_sign_tests(capsys: pytest.CaptureFixture[str]) -> None:
    EXAMPLE["main"]([*TABLES, "--folds", "3"])
    lines = capsys.readouterr().out.splitlines()
    cells = {row[0]: row[1:] for row in (line.strip("| ").split(" | ") for line in lines)}
    errors = {
        table: {column: cross_validated_error(table, *column) for column in COLUMNS}
        for table in TABLES
    }
    for table, of_table in errors.items():
        assert cells[table] == [f"{100 * of_table[column]:.2f}" for column in COLUMNS]
    # A single tree misclassifies 8, 8 and 9 of the 150 rows.
    assert cells["iris"][:3] == ["5.33", "5.33", "6.00"]
    tests = [line.strip("| ").split(" | ") for line in lines if "p = " in line]
    assert [row[:2] for row in tests] == [
        [other, str(rounds)] for rounds in (1, 10, 100) for other in ("gain ratio", "entropy")
    ]
    for other, rounds, *counts, p in tests:
        test = sign_test(
            [errors[table]["km", int(rounds)] for table in TABLES],
            [errors[table][other, int(rounds)] for table in TABLES],
        )
        assert counts == [str(test.wins), str(test.losses), str(test.ties)]
        assert p == f"p = {test.p:.3f}"
