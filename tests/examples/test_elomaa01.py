"""The examples that extend the experiment of Elomaa and Kaariainen."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import weaklearn as wl
from weaklearn.experiments import cross_validate

EXAMPLES = Path(__file__).parents[2] / "examples"


@pytest.fixture(scope="module")
def examples() -> dict[str, ModuleType]:
    names = ("elomaa01_settings", "elomaa01_xor", "elomaa01_boosted")
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(EXAMPLES))  # the examples import each other
        return {name: importlib.import_module(name) for name in names}


@pytest.fixture(scope="module")
def example(examples: dict[str, ModuleType]) -> ModuleType:
    return examples["elomaa01_settings"]


@pytest.fixture
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("WEAKLEARN_DATA", str(tmp_path))
    return tmp_path


def test_the_unmerged_program_is_the_tree(example: ModuleType) -> None:
    """Without merging, growing by levels makes the splits of growing best first."""
    for table in (wl.datasets.load("titanic"), wl.datasets.make_majority(7, 150, random_state=0)):
        tree = cross_validate(wl.TopDownClassifier("km", grouping=True), table.X, table.y)
        unmerged = cross_validate(example.program(merge="none"), table.X, table.y)
        assert [example.n_internal(f) for f in tree.folds] == [
            example.n_internal(f) for f in unmerged.folds
        ]
        assert [f.test_errors for f in tree.folds] == [f.test_errors for f in unmerged.folds]


def test_shared_nodes_are_counted(examples: dict[str, ModuleType]) -> None:
    """The smallest program of exclusive-or shares all internal nodes but the first three."""
    for n_bits in range(2, 6):
        graph = examples["elomaa01_xor"].exclusive_or(n_bits)
        assert graph.size - graph.n_leaves == 2 * n_bits - 1
        assert examples["elomaa01_settings"].shared_nodes(graph) == 2 * n_bits - 1 - 3


def test_exclusive_or_grows_only_if_splits_without_gain_are_allowed(
    examples: dict[str, ModuleType],
) -> None:
    for row in examples["elomaa01_xor"].truth_rows(range(2, 6)):
        n_bits = int(row[0])
        assert row[2] == "0"
        assert row[3:5] == [f"{2**n_bits - 1}, 100"] * 2


def test_committees_are_limited_to_a_total_size(examples: dict[str, ModuleType]) -> None:
    boosted = examples["elomaa01_boosted"]
    table = wl.datasets.make_majority(9, 300, random_state=0)
    member = wl.TopDownClassifier("km", grouping=True, n_rounds=3)
    model = wl.AdaBoostM1Classifier(member, n_rounds=10).fit(table.X, table.y)
    y = np.asarray(table.y)
    errors = boosted.errors_at(model, (1, 3, 8, 9, 1000), table.X, y)
    expected = [np.mean(model[:k].predict(table.X) != y) for k in (1, 1, 2, 3, len(model.members_))]
    assert errors == pytest.approx(expected)


def test_the_totals_of_equal_errors_do_not_depend_on_the_order(
    examples: dict[str, ModuleType],
) -> None:
    boosted = examples["elomaa01_boosted"]
    falling = np.linspace(0.5, 0.1, len(boosted.TOTALS))
    late = np.append(np.full(len(boosted.TOTALS) - 1, 0.9), 0.1)
    last = boosted.TOTALS[-1]
    outcomes = {"t": {"trees": falling, "early": falling - 0.4, "late": late}}
    rows = list(boosted.needed_rows(outcomes))
    assert rows[0] == ["t", f"{boosted.TOTALS[0]} : {last}", f"{last} : {last}"]
    assert [cell.split()[0] for cell in rows[1]] == ["fewer-more", "1-0", "0-0"]
    swapped = {"t": {"trees": falling - 0.4, "early": falling}}
    assert next(iter(boosted.needed_rows(swapped))) == ["t", f"{last} : {boosted.TOTALS[0]}"]


def test_tables_of_more_classes_get_two_as_the_plan_describes(
    example: ModuleType, data_folder: Path
) -> None:
    head = "@relation r\n@attribute a real\n"
    kinds = "{'build wind float','vehic wind float','build wind non-float',headlamps}"
    (data_folder / "glass.arff").write_text(
        f"{head}@attribute class {kinds}\n@data\n1,'build wind float'\n2,headlamps\n"
        "3,'vehic wind float'\n4,'build wind non-float'\n"
    )
    (data_folder / "connect-4.arff").write_text(
        f"{head}@attribute class {{win,loss,draw}}\n@data\n1,win\n2,loss\n3,draw\n"
    )
    glass, connect = example.load_table("glass"), example.load_table("connect-4")
    assert glass.X["a"].tolist() == [1, 3, 4]
    assert glass.y.tolist() == ["float", "float", "not float"]
    assert connect.y.tolist() == ["win", "rest", "rest"]
    assert example.load_table("sonar") is None


def test_the_rows_show_the_results(example: ModuleType) -> None:
    table = wl.datasets.make_majority(7, 120, random_state=0)
    models = {**example.PRUNED_TREES, "grid": example.program()}
    outcome = example.run("m", table, models, 2)
    rows = example.setting_rows([outcome], models)
    assert [row[0] for row in rows] == list(models)
    assert rows[2][1] == f"{outcome.error('grid'):.2f}"
    assert rows[0][2:5] == ["1.00", "0", "0-0"]  # C4.5 against itself
    assert outcome.is_better("grid", "C4.5") == -outcome.is_better("C4.5", "grid")
    assert outcome.size("grid") == pytest.approx(
        np.mean([example.n_internal(fold) for fold in outcome.results["grid"].folds])
    )


@pytest.fixture
def small(examples: dict[str, ModuleType], monkeypatch: pytest.MonkeyPatch) -> None:
    table = wl.datasets.make_majority(5, 60, random_state=0)
    monkeypatch.setattr(
        examples["elomaa01_settings"], "load_table", {"xor-7": table, "sonar": None}.get
    )


@pytest.mark.usefixtures("small")
def test_the_examples_run_on_the_tables_that_are_here(
    examples: dict[str, ModuleType],
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    main = examples["elomaa01_settings"].main
    monkeypatch.setattr(sys, "argv", ["elomaa01_settings.py", "sonar", "xor-7", "--levels"])
    main()
    printed = capsys.readouterr()
    assert "not here and are left out: sonar" in printed.err
    assert printed.out.count("| xor-7 | ") == 1
    monkeypatch.setattr(sys, "argv", ["elomaa01_settings.py", "xor-7", "--repeats", "1"])
    main()
    printed = capsys.readouterr()
    assert "| width 4, pruned | " in printed.out
    assert "| C4.5 | " in printed.out
    monkeypatch.setattr(examples["elomaa01_boosted"], "N_ROUNDS", 3)
    monkeypatch.setattr(sys, "argv", ["elomaa01_boosted.py", "xor-7", "--repeats", "1"])
    examples["elomaa01_boosted"].main()
    assert capsys.readouterr().out.count("| xor-7 | ") == 2


def test_tables_outside_the_experiment_are_refused(
    example: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "argv", ["elomaa01_settings.py", "iris"])
    with pytest.raises(SystemExit, match="no table iris in the experiment; expected one of adult"):
        example.main()
