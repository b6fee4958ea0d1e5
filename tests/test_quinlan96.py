"""The example that does Quinlan's comparison again."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from weaklearn.experiments import Fold, Results

EXAMPLE = Path(__file__).parents[1] / "examples" / "quinlan96.py"


@pytest.fixture(scope="module")
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("quinlan96", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["quinlan96"] = module  # its dataclasses look themselves up there
    spec.loader.exec_module(module)
    return module


def test_the_figures_have_the_averages_that_the_paper_prints(example: ModuleType) -> None:
    errors = np.array(list(example.PUBLISHED.values()))
    assert errors.shape == (27, 3)
    assert errors.mean(axis=0).round(2).tolist() == [15.66, 14.11, 13.36]
    c45, bagged, boosted = errors.T
    ratios = [(bagged / c45).mean(), (boosted / c45).mean(), (boosted / bagged).mean()]
    assert np.allclose(ratios, [0.905, 0.847, 0.930], atol=0.001)


def test_a_ratio_divides_means_and_wins_are_counted_by_repeats(example: ModuleType) -> None:
    def results(*errors: int) -> Results:
        # Two repeats of two folds of ten rows.
        folds = tuple(Fold(i // 2, i % 2, 10, 10, 0, wrong) for i, wrong in enumerate(errors))
        return Results(folds, 20, 2, 2, 0)

    of_model = {"C4.5": results(2, 2, 4, 0), "bagged": results(1, 2, 3, 1)}
    outcome = example.Outcome("iris", of_model)
    assert outcome.ratio("bagged", "C4.5") == 7 / 8
    assert outcome.wins_and_losses("bagged", "C4.5") == (1, 0)
    assert outcome.published_ratio("bagged", "C4.5") == 5.13 / 4.80


def test_it_runs_on_what_is_here_and_writes_markdown(
    example: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.setenv("WEAKLEARN_DATA", str(tmp_path))
    monkeypatch.setenv("COLUMNS", "80")
    out = tmp_path / "table.md"
    monkeypatch.setattr(sys, "argv", ["quinlan96.py", "iris", "chess", "-o", str(out)])
    example.main()
    printed = capsys.readouterr().out
    assert "not here: chess" in printed
    assert max(map(len, printed.splitlines())) <= 80
    assert "| iris | 1 | " in out.read_text()
