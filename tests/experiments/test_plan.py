"""The plans of the papers agree with the papers, and mistakes in a plan are explained."""

from __future__ import annotations

import csv
import json

import pytest

from shared import SHARED
from small_plan import TEXT, small_plan
from weaklearn.experiments.load_problem import load_problem
from weaklearn.experiments.plan import PlanError, papers, parse_plan, read_plan

#: The file with the values of a paper's table, and the column with the names of its rows.
PUBLISHED = {
    ("dietterich96", "table1"): ("dietterich96_table1.csv", "problem"),
    ("dietterich96", "table2"): ("dietterich96_table2.csv", "problem"),
    ("henry07", "table1"): ("henry07_table1.csv", "domain"),
    ("quinlan96", "table1"): ("quinlan96_table1.csv", "dataset"),
    ("tamon00", "table2"): ("tamon00_table2.csv", "dataset"),
}


@pytest.mark.parametrize(("paper", "table"), PUBLISHED)
def test_the_published_values_are_the_papers(paper: str, table: str) -> None:
    name, first = PUBLISHED[paper, table]
    path = SHARED / "papers" / "tables" / name
    if not path.is_file():
        pytest.skip(f"{name} (../shared/papers/tables) is absent")
    with path.open() as lines:
        rows = {row[first]: row for row in csv.DictReader(lines) if row[first] != "average"}
    published = read_plan(paper).published[table]
    assert published.keys() == rows.keys()
    for row, values in published.items():
        assert values == {column: float(rows[row][column]) for column in values}


@pytest.mark.parametrize("paper", papers())
def test_every_published_row_is_a_problem_of_its_table(paper: str) -> None:
    plan = read_plan(paper)
    for table in plan.tables:
        if "published" in table:
            rows = plan.published[table["published"]]
            assert set(rows) == set(plan.experiments[table["experiment"]].problems)
            for column in table["columns"]:
                assert "published" not in column or column["published"] in next(iter(rows.values()))


@pytest.mark.parametrize("paper", papers())
def test_the_units_of_a_quick_run_are_units_of_the_whole_plan(paper: str) -> None:
    plan = read_plan(paper)
    quick = plan.quick()
    assert set(quick.units()) < set(plan.units()) or set(quick.units()) == set(plan.units())
    assert quick.is_quick
    assert not plan.is_quick


def test_the_averages_of_quinlan96_are_those_that_the_paper_prints() -> None:
    rows = read_plan("quinlan96").published["table1"].values()
    means = [sum(row[name] for row in rows) / 27 for name in ("c45_err", "bag_err", "boost_err")]
    assert [round(mean, 2) for mean in means] == [15.66, 14.11, 13.36]


def test_dietterich96_has_38_training_sets() -> None:
    experiment = read_plan("dietterich96").experiments["criteria"]
    assert sum(map(experiment.n_trials, experiment.problems)) == 38


@pytest.mark.parametrize(
    ("problem", "n_test"),
    [("letter-H", 4000), ("isolet-P", 1559), ("annealing-3", 298), ("pima", 256)],
)
def test_the_printed_errors_fit_the_sizes_of_the_test_sets(problem: str, n_test: int) -> None:
    """Every printed error is a whole number of wrong predictions."""
    plan = read_plan("dietterich96")
    n_predicted = plan.experiments["criteria"].n_trials(problem) * n_test
    for name in ("err_G", "err_H"):
        error = plan.published["table1"][problem][name]
        n_wrong = round(error / 100 * n_predicted)
        assert abs(100 * n_wrong / n_predicted - error) <= 0.005 + 1e-9


@pytest.mark.parametrize("problem", ["led-even", "led-even-17", "parity", "xd6", "yellow-small"])
def test_the_printed_errors_fit_the_sizes_of_henrys_tables(problem: str) -> None:
    """Every printed error is a whole number of rows."""
    plan = read_plan("henry07")
    n_rows = load_problem(plan.experiments["oblique"].table_of(problem)).n_rows
    for error in plan.published["table1"][problem].values():
        assert abs(100 * round(error / 100 * n_rows) / n_rows - error) < 0.00501


def test_the_number_of_trials_is_not_part_of_a_recipe() -> None:
    plan = small_plan()
    recipe = json.loads(plan.units()[-1].recipe)
    assert recipe["splits"] == {"kind": "whole"}
    for unit in plan.units():
        assert "n_used" not in json.loads(unit.recipe)["splits"]
    assert plan.experiments["stages"].n_trials("titanic") == 2


@pytest.mark.parametrize(
    ("before", "after", "message"),
    [
        ('title = "A small study"', "title = ", "is not TOML"),
        ('source = "nobody, nowhere"', "", "lacks the key 'source'"),
        (
            'kind = "errors" }\nn_repeats',
            'kind = "luck" }\nn_repeats',
            "'folds' has the measure 'luck'; expected one of errors",
        ),
        ('kind = "whole"', 'kind = "hole"', "splits of kind 'hole'; expected one of folds, sets"),
        ('load = "no-such-table"', 'lode = "x"', "has the key 'lode'; expected some of load, make"),
        ('iris = { load = "iris" }', "iris = { fill_missing = true }", "one of the keys load"),
        ('make = "xd6"', 'make = "xd7"', "no generator make_xd7"),
        ("n_samples = 60", "n_rows = 60", "'xd6' has wrong arguments for make_xd6: got an"),
        ('["iris", "lost"]', '["rose"]', "names the problem 'rose' for quick runs, but lacks it"),
        ('first = "bag"', 'first = "box"', "'folds' has no learner 'box'; expected one of tree"),
        ('experiment = "stages"', 'experiment = "x"', "expected an experiment that is one of fold"),
        (
            'published = "errors"',
            'published = "e"',
            "no published values 'e'; expected one of",
        ),
        ("iris = [5.0, 80.0, 0.0, 0.9]", "iris = [5.0]", "the plan 'small'"),
    ],
)
def test_mistakes_in_a_plan_are_explained(before: str, after: str, message: str) -> None:
    assert before in TEXT
    with pytest.raises(PlanError, match=message):
        parse_plan("small", TEXT.replace(before, after, 1))


def test_a_paper_without_a_plan_is_refused() -> None:
    with pytest.raises(PlanError, match="no plan for 'breiman01'; expected one of dietterich96"):
        read_plan("breiman01")


@pytest.mark.parametrize("key", ["learner", "columns", "title", "experiments"])
def test_a_plan_without_a_key_is_explained(key: str) -> None:
    text = TEXT.replace(f"{key} =", "other =").replace(f"[[{key}]]", "[[other]]")
    if text != TEXT:
        with pytest.raises(PlanError):
            parse_plan("small", text)
