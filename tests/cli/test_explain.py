"""``weaklearn explain``: the rules that fire, the path in a tree, the votes of a committee."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import weaklearn as wl
from command_line import run, run_json, run_well
from weaklearn.cli.model_kinds import MODELS


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    path = tmp_path / "tree.json"
    run_well("fit", "titanic", "-o", path)
    return path


def test_a_row_of_a_tree(tree: Path) -> None:
    text = run_well("explain", tree, "titanic", "--rows", "1000").stdout
    assert text == (
        "row 1000: no, probability 82.7%\n"
        "  because sex = male and class = 3rd\n"
        "    leaf with 510 training rows: 422 no, 88 yes\n"
        "  share of no: 67.7% if nothing is known, 82.7% for this row\n"
        "    +11.1%  sex = male\n"
        "     +3.9%  class = 3rd\n"
    )
    assert run_well("explain", tree, "titanic", "--row", "1000").stdout == text


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
        assert [rule["rule"] for rule in row["rules"]] == [r.number for r in fired.reason.rules]
        assert row["default"] is (fired.reason.rule is None)
    text = run_well("explain", path, "titanic", "--rows", "1").stdout
    assert text.startswith("row 1: yes, probability")
    assert "\n  because class = 1st and age = child (rule 1, certainty 79.4%)\n" in text
    model.ruleset_.save(tmp_path / "alone.json")
    assert run_well("explain", tmp_path / "alone.json", "titanic", "--rows", "1").stdout == text


def test_votes_of_a_committee_and_paths_of_its_members(tmp_path: Path) -> None:
    path = tmp_path / "boosted.json"
    run_well("fit", "iris", "--model", "boost", "--n-rounds", "4", "-o", path)
    table, model = wl.datasets.load("iris"), wl.load(path)
    rows = run_json("explain", path, "iris", "--all")["rows"]
    for index, member in enumerate(model.members_):
        predicted = [
            next(m["prediction"] for m in row["members"] if m["member"] == index + 1)
            for row in rows
        ]
        assert predicted == member.predict(table.X).tolist()
    assert all(sum(row["scores"].values()) == pytest.approx(1) for row in rows)
    assert all(len(row["members"]) == 4 for row in rows)
    some = run_well("explain", path, "iris", "--rows", "71")
    assert "of 4 members)" in some.stdout
    assert some.stdout.count("  member ") == 3
    assert "All members: --all; one member: --member N" in some.stderr
    everything = run_well("explain", path, "iris", "--rows", "71", "--all")
    assert everything.stdout.count("  member ") == 4
    assert not everything.stderr
    of_second = run_json("explain", path, "iris", "--member", "2")["rows"]
    assert [row["prediction"] for row in of_second] == model.members_[1].predict(table.X).tolist()
    assert all(len(row["paths"]) == 1 for row in of_second)


@pytest.mark.parametrize("kind", MODELS)
def test_every_kind_of_model(kind: str, tmp_path: Path) -> None:
    path = tmp_path / "model.json"
    run_well("fit", "iris", "--model", kind, "-o", path)
    text = run_well("explain", path, "iris", "--row", "71").stdout
    assert text.startswith("row 71: ")
    assert "if nothing is known" in text
    assert "expected cost" not in text
    assert max(map(len, text.splitlines())) <= 80
    (row,) = run_json("explain", path, "iris", "--row", "71")["rows"]
    table, model = wl.datasets.load("iris"), wl.load(path)
    assert row["prediction"] == model.predict(table.X[70:71])[0]
    contributions = [c["contribution"][row["prediction"]] for c in row["contributions"]]
    total = row["base"][row["prediction"]] + sum(contributions)
    assert total == pytest.approx(row["scores"][row["prediction"]], abs=1e-9)


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
        (("--rows", "five"), "got the rows 'five', expected a list such as 1-5,12, or all"),
        (("--rows", "0"), "got the rows '0', but the table has rows 1 to 2,201"),
        (("--row", "0"), "got the rows '0', but the table has rows 1 to 2,201"),
        (("--rows", "5-4"), "got the rows '5-4', but the table has rows 1 to 2,201"),
        (("--rows", "2202"), "got the rows '2202', but the table has rows 1 to 2,201"),
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
