"""``weaklearn explain``: the rules that fire, the path in a tree, the votes of a committee."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import weaklearn as wl
from command_line import run, run_json, run_well


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    path = tmp_path / "tree.json"
    run_well("fit", "titanic", "-o", path)
    return path


def test_a_row_of_a_tree(tree: Path) -> None:
    text = run_well("explain", tree, "titanic", "--rows", "1000").stdout
    assert text == (
        "row 1000: no, probability 82.7%\n"
        "  because sex = male and class = 3rd (422 of 510 training rows)\n"
    )


def test_predictions_are_those_of_the_classifier(tree: Path) -> None:
    table, model = wl.datasets.load("titanic"), wl.load(tree)
    rows = run_json("explain", tree, "titanic")["rows"]
    assert [row["prediction"] for row in rows] == model.predict(table.X).tolist()
    assert [row["probability"] for row in rows] == model.predict_proba(table.X).max(axis=1).tolist()
    assert [row["class"] for row in rows] == table.y.tolist()
    assert [row["row"] for row in rows] == list(range(1, len(table.X) + 1))


def test_a_missing_value_takes_several_paths(tree: Path, tmp_path: Path) -> None:
    (tmp_path / "new.csv").write_text("class,age,sex\n3rd,adult,\n")
    row = run_json("explain", tree, tmp_path / "new.csv")["rows"][0]
    assert "class" not in row
    assert len(row["paths"]) > 1
    assert sum(path["share"] for path in row["paths"]) == pytest.approx(1)
    text = run_well("explain", tree, tmp_path / "new.csv").stdout
    assert "values are missing, so that the row takes" in text


def test_ten_rows_are_printed_unless_others_are_chosen(tree: Path) -> None:
    result = run_well("explain", tree, "titanic")
    assert result.stdout.count("row ") == 10
    assert "10 of 2,201 rows. Others: --rows 11-20. All: --rows all" in result.stderr
    chosen = run_json("explain", tree, "titanic", "--rows", "3-4,9")["rows"]
    assert [row["row"] for row in chosen] == [3, 4, 9]
    assert len(run_json("explain", tree, "titanic", "--rows", "all")["rows"]) == 2201


def test_rules_that_fire(tmp_path: Path) -> None:
    path = tmp_path / "rules.json"
    run_well("fit", "titanic", "--model", "rules", "-o", path)
    table, model = wl.datasets.load("titanic"), wl.load(path)
    rows = run_json("explain", path, "titanic")["rows"]
    for row, fired in zip(rows, model.explain(table.X), strict=True):
        expected = [rule.number for rule in (fired.rule, *fired.others) if rule is not None]
        assert [rule["rule"] for rule in row["rules"]] == expected
        assert row["default"] is (fired.rule is None)
    text = run_well("explain", path, "titanic", "--rows", "1").stdout
    assert text.startswith("row 1: yes, probability")
    assert "\n  because class = 1st and age = child (rule 1, certainty 79.4%)\n" in text
    model.ruleset_.save(tmp_path / "alone.json")
    assert run_well("explain", tmp_path / "alone.json", "titanic", "--rows", "1").stdout == text


def test_votes_of_a_committee_and_paths_of_its_members(tmp_path: Path) -> None:
    path = tmp_path / "boosted.json"
    run_well("fit", "iris", "--model", "boost", "--n-rounds", "3", "-o", path)
    table, model = wl.datasets.load("iris"), wl.load(path)
    rows = run_json("explain", path, "iris")["rows"]
    members = [member.predict(table.X).tolist() for member in model.members_]
    assert [row["members"] for row in rows] == [
        list(of_row) for of_row in zip(*members, strict=True)
    ]
    assert all(sum(row["votes"].values()) == pytest.approx(1) for row in rows)
    assert "of 3 members, " in run_well("explain", path, "iris", "--rows", "71").stdout
    of_second = run_json("explain", path, "iris", "--member", "2")["rows"]
    assert [row["prediction"] for row in of_second] == members[1]
    assert all(len(row["paths"]) == 1 for row in of_second)


def test_boosted_rules_have_rules_of_members(tmp_path: Path) -> None:
    path = tmp_path / "boosted.json"
    run_well("fit", "iris", "--model", "boost-rules", "--n-rounds", "2", "-o", path)
    row = run_json("explain", path, "iris", "--member", "1", "--rows", "1")["rows"][0]
    assert row["rules"][0]["class"] == row["prediction"]


def test_a_class_that_costs_less_is_named(tmp_path: Path) -> None:
    path = tmp_path / "tree.json"
    run_well("fit", "titanic", "--cost", "yes:no=1", "--cost", "no:yes=1", "-o", path)
    assert "least expected cost" not in run_well("explain", path, "titanic").stdout
    model = wl.load(path)
    model._cost_rule = replace(model._cost_rule, costs=np.array([[0.0, 1.0], [1000.0, 0.0]]))
    model.save(path)
    assert "has the least expected cost" in run_well("explain", path, "titanic").stdout


def test_lines_fit_into_80_columns(tree: Path) -> None:
    text = run_well("explain", tree, "titanic", "--rows", "all").stdout
    assert max(map(len, text.splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--rows", "five"), "--rows five: expected a list such as 1-5,12, or all"),
        (("--rows", "0"), "--rows 0: the table has rows 1 to 2,201"),
        (("--rows", "5-4"), "--rows 5-4: the table has rows 1 to 2,201"),
        (("--rows", "2202"), "--rows 2202: the table has rows 1 to 2,201"),
        (("--member", "1"), "is a single model, not a committee: leave out --member"),
    ],
)
def test_what_explain_refuses(tree: Path, arguments: tuple[str, ...], message: str) -> None:
    result = run("explain", tree, "titanic", *arguments)
    assert result.exit_code != 0
    assert message in " ".join(result.stderr.split())


def test_a_member_that_does_not_exist(tmp_path: Path) -> None:
    path = tmp_path / "boosted.json"
    run_well("fit", "iris", "--model", "boost", "--n-rounds", "2", "-o", path)
    result = run("explain", path, "iris", "--member", "3")
    assert "--member 3: the committee has members 1 to 2" in result.stderr
