"""The example that does Tamon and Xiang's experiments again."""

from __future__ import annotations

import csv
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

from shared import SHARED

EXAMPLE = Path(__file__).parents[1] / "examples" / "tamon00.py"


@pytest.fixture(scope="module")
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("tamon00", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_figures_are_those_of_the_paper(example: ModuleType) -> None:
    path = SHARED / "papers" / "tables" / "tamon00_table2.csv"
    if not path.is_file():
        pytest.skip(f"{path.name} (../shared/papers/tables) is absent")
    with path.open() as file:
        rows = {row[0]: tuple(map(float, row[1:])) for row in list(csv.reader(file))[1:]}
    assert rows == example.PUBLISHED


def test_the_study_takes_sizes_that_all_splits_have(example: ModuleType) -> None:
    def split(n_members: int, error: float) -> dict[str, object]:
        sizes = [1, 2, n_members]
        errors = {method: [0.5, error, 0.1] for method in example.METHODS}
        return {"n_members": n_members, "sizes": sizes, "errors": errors, "full_error": 0.1}

    found = example.mean_curve([split(9, 0.1), split(9, 0.108)])
    assert found.sizes == (1, 2, 9)
    assert found.errors["kappa"][1] == pytest.approx(0.104)
    assert "| iris | 2 | 9 | 10.00 | 2 | 2 | 2 | 2 |" in example.write_study(
        {"iris": [split(9, 0.1), split(9, 0.108)]}
    )


def test_it_runs_and_prints_markdown(
    example: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    if not (SHARED / "data" / "monks-1.arff").is_file():
        pytest.skip("monks-1.arff (../shared/data) is absent")
    monkeypatch.setattr(sys, "argv", ["tamon00.py", "table2", "monk1", "--folds", "1"])
    example.main()
    printed = capsys.readouterr().out
    assert "| monk1 | 1 | " in printed
    assert "| monk1 | 0.5 | " in printed
    monkeypatch.setattr(sys, "argv", ["tamon00.py", "table2", "iris"])
    with pytest.raises(SystemExit, match="no table 'iris' here: auto"):
        example.main()
