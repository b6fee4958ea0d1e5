"""The example that does the experiments of Dietterich, Kearns and Mansour again."""

from __future__ import annotations

import csv
import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import weaklearn as wl
from shared import SHARED
from weaklearn.experiments import delve

EXAMPLE = Path(__file__).parents[1] / "examples" / "dietterich96.py"
TABLES = SHARED / "papers" / "tables"


@pytest.fixture(scope="module")
def example() -> ModuleType:
    spec = importlib.util.spec_from_file_location("dietterich96", EXAMPLE)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules["dietterich96"] = module  # its dataclasses look themselves up there
    spec.loader.exec_module(module)
    return module


def published(name: str) -> dict[str, dict[str, str]]:
    path = TABLES / name
    if not path.is_file():
        pytest.skip(f"{name} (../shared/papers/tables) is absent")
    with path.open() as lines:
        return {row["problem"]: row for row in csv.DictReader(lines)}


def test_the_figures_are_the_papers(example: ModuleType) -> None:
    rows = published("dietterich96_table1.csv")
    assert rows.keys() == example.PROBLEMS.keys()
    names = ("err_G", "err_H", "ci_low", "ci_high", "size_G", "size_H", "t", "p_t")
    for name, problem in example.PROBLEMS.items():
        figures = problem.published
        ours = [*figures.errors, *figures.interval, *figures.sizes, figures.t, figures.p]
        assert ours == [float(rows[name][column]) for column in names]
    second = published("dietterich96_table2.csv")
    for name, figures in example.PUBLISHED_2.items():
        assert list(figures) == [float(cell) for cell in list(second[name].values())[1:]]


def test_the_sets_are_as_many_as_the_papers_trials(example: ModuleType) -> None:
    assert sum(problem.n_sets for problem in example.PROBLEMS.values()) == 38


@pytest.mark.parametrize(
    "name", ["letter-H", "isolet-P", "annealing-3", "kr-vs-kp", "segmentation-4", "pima"]
)
def test_the_printed_errors_fit_the_sizes_of_the_test_sets(example: ModuleType, name: str) -> None:
    problem = example.PROBLEMS[name]
    n_test = {"part": 1559, None: 256}.get(problem.test, problem.test)
    answers = problem.n_sets * abs(n_test)
    for error in problem.published.errors:
        wrong = round(error / 100 * answers)
        assert abs(100 * wrong / answers - error) <= 0.005 + 1e-9


def test_a_problem_in_two_parts_is_tested_on_the_second(
    example: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WEAKLEARN_DATA", str(tmp_path))
    head = "@relation r\n@attribute a real\n@attribute class {1,2,3}\n@data\n"
    (tmp_path / "two.arff").write_text(head + "1,1\n2,2\n3,3\n4,1\n")
    (tmp_path / "two.test.arff").write_text(head + "5,3\n6,1\n")
    figures = example.PROBLEMS["pima"].published
    table, test = example.Problem("two", "1", 2, "part", figures).load()
    assert test.tolist() == [False] * 4 + [True] * 2
    assert table.y.tolist() == ["1", "rest", "rest", "1", "rest", "1"]
    _, last = example.Problem("two", None, 2, -1, figures).load()
    assert last.tolist() == [False, False, False, True]


def test_the_rows_show_what_the_designs_found(example: ModuleType) -> None:
    table = wl.datasets.make_monks(1)
    results = {"pima": delve(example.TABLE_1, table.X, table.y, n_sets=2, test=100)}
    errors = [results["pima"].results[name].error.mean for name in ("G", "H")]
    (row,) = example.error_rows(results)
    assert row[:2] == ["pima", "2 x 166 / 100"]
    assert row[2:4] == [f"{100 * error:.2f}" for error in errors]
    assert row[5:] == ["28.91", "30.66", "[-2.40, 5.87]"]
    (row,) = example.size_rows(results)
    sizes = [np.mean(results["pima"].sizes(name)) for name in ("G full", "H full")]
    assert row[1:3] == [f"{size:.2f}" for size in sizes]
    assert row[5:] == ["98.00", "95.00", "-3.000", "0.205"]
    assert len(example.draw_rows([results, results])) == 1
    assert len(example.draws_verdict([results, results])) == 2


def test_full_trees_make_no_training_error(example: ModuleType) -> None:
    """-m 1 grows to pure leaves."""
    table = wl.datasets.make_monks(2)
    results = delve(example.TABLE_1, table.X, table.y)
    assert results.results["G full"].train_error.mean == 0
    assert results.results["H full"].train_error.mean == 0


def test_it_runs_on_what_is_here_and_prints_markdown(
    example: ModuleType,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    generator = np.random.default_rng(0)
    head = "@relation r\n@attribute a real\n@attribute b real\n@attribute class {1,2,3,4}\n@data\n"
    rows = generator.normal(size=(90, 2)).round(2)
    classes = 1 + (rows[:, 0] > 0) + 2 * (rows[:, 1] > rows[:, 0])
    lines = [f"{a},{b},{c}" for (a, b), c in zip(rows, classes, strict=True)]
    (tmp_path / "satellite.arff").write_text(head + "\n".join(lines[:60]) + "\n")
    (tmp_path / "satellite.test.arff").write_text(head + "\n".join(lines[60:]) + "\n")
    monkeypatch.setenv("WEAKLEARN_DATA", str(tmp_path))
    monkeypatch.setattr(example, "TRIALS", 2)
    monkeypatch.setattr(example, "LIST_ROWS", 60)
    names = ["satellite-4", "shuttle-1", "decision-list"]
    monkeypatch.setattr(sys, "argv", ["dietterich96.py", *names, "--draws", "2"])
    example.main()
    printed = capsys.readouterr()
    assert "not here: shuttle-1" in printed.err
    assert printed.out.count("| satellite-4 | ") == 3
    assert "| satellite-4 | 4 x 15 / 30 | " in printed.out
    assert "all 4 pairs of trees in one t-test" in printed.out
    assert printed.out.count("| decision-list | ") == 1


def test_a_problem_that_the_paper_has_not_is_refused(
    example: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["dietterich96.py", "iris"])
    with pytest.raises(SystemExit, match="no problem 'iris' in the paper: letter-H, isolet-E"):
        example.main()
