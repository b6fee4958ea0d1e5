"""The examples that do the comparison of Henry, Nock and Nielsen again."""

from __future__ import annotations

import csv
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from shared import SHARED
from weaklearn.experiments import Fold, Results

EXAMPLES = Path(__file__).parents[1] / "examples"
TABLE = SHARED / "papers" / "tables" / "henry07_table1.csv"


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, EXAMPLES / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # its dataclasses look themselves up there
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def example() -> ModuleType:
    return load("henry07")


@pytest.mark.skipif(not TABLE.is_file(), reason="the paper's Table 1 (../shared/papers) is absent")
def test_the_figures_are_those_of_the_paper(example: ModuleType) -> None:
    with TABLE.open() as file:
        printed = {row.pop("domain"): row for row in csv.DictReader(file)}
    assert list(printed) == list(example.PUBLISHED)
    for name, row in printed.items():
        assert tuple(float(cell) for cell in row.values()) == example.PUBLISHED[name]


def test_the_tables_have_as_many_rows_as_the_errors_tell(example: ModuleType) -> None:
    """Every error that is printed is a whole number of rows, but the one that is no percentage."""
    for name in example.GENERATED:
        table = example.load_table(name)
        if table is None or name == "adult-stretch":
            continue
        for error in example.PUBLISHED[name]:
            wrong = error / 100 * table.n_rows
            assert abs(100 * round(wrong) / table.n_rows - error) < 0.00501, (name, error)


def test_wins_are_those_of_printed_errors_and_sure_ones_those_of_folds(
    example: ModuleType,
) -> None:
    def results(*errors: int) -> Results:
        folds = tuple(Fold(0, i, 90, 10, 0, wrong) for i, wrong in enumerate(errors))
        return Results(folds, 10 * len(errors), len(errors), 1, 0)

    few, many = results(1, 2, 1, 2), results(5, 6, 5, 7)
    one = {"ODT 50": few, "ODT 200": many, "OC1": many, "unpruned": few, "AdaBoost": few}
    outcome = example.Outcome("iris", one, dict.fromkeys(one, 1.0))
    assert outcome.gain("ODT 50", "OC1") == pytest.approx((23 - 6) / 40)
    assert outcome.gain("ODT 200", "AdaBoost") == pytest.approx(-(23 - 6) / 40)
    assert outcome.gain("ODT 50", "unpruned") == 0
    assert example.wins_and_losses([1.0, 2.0, 3.001], [2.0, 1.0, 3.0]) == "1-1-1, p = 1.000"


def test_it_runs_on_what_is_here_and_writes_markdown(
    example: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("WEAKLEARN_DATA", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "120")
    out = tmp_path / "table.md"
    names = ["yellow-small", "adult-stretch", "monks-1"]
    monkeypatch.setattr(sys, "argv", ["henry07.py", *names, "-o", str(out)])
    example.main()
    assert "yellow-small" in capsys.readouterr().out
    written = out.read_text()
    assert "| yellow-small | 20 | 0.00 | 0.00 | " in written
    assert "| monks-1 | not here |" in written


def test_the_margins_of_the_figure() -> None:
    """Both definitions have the same sign, and that of the output is the nearer to 0."""
    figure = load("henry07_figure")
    table = figure.wl.datasets.make_xd6(200, class_noise=0.1, random_state=0)
    by_output, by_shares = figure.fold_margins(table).values()
    output, shares = np.concatenate(by_output), np.concatenate(by_shares)
    assert len(output) == len(shares) == 200
    assert np.array_equal(np.sign(output), np.sign(shares))
    assert (np.abs(output) <= np.abs(shares) + 1e-12).all()
