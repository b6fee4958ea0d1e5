"""Rulesets on the command line: fit, show, evaluate, predict."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import weaklearn as wl
from command_line import run


def run_well(*arguments: Any) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.stderr
    text: str = result.stdout
    return text


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "rules.json"
    run_well("fit", "iris", "--model", "rules", "-o", path)
    return path


def test_fit_saves_the_ruleset_of_the_classifier(model: Path) -> None:
    table = wl.datasets.load("iris")
    assert wl.load(model).ruleset_ == wl.RulesClassifier().fit(table.X, table.y).ruleset_


def test_fit_describes_the_ruleset(tmp_path: Path) -> None:
    path = tmp_path / "rules.json"
    arguments = ("fit", "iris", "--model", "rules", "--redundancy", "4", "-o", path)
    assert "4 rules, 6 conditions" in run_well(*arguments)
    document = json.loads(run_well(*arguments, "--json"))
    assert (document["rules"], document["conditions"]) == (4, 6)
    assert wl.load(path).redundancy == 4


def test_show_prints_rules_in_every_format(model: Path, tmp_path: Path) -> None:
    ruleset = wl.load(model).ruleset_
    assert run_well("show", model) == ruleset.to_text() + "\n"
    assert run_well("show", model, "--format", "rules").splitlines() == ruleset.to_sentences()
    assert json.loads(run_well("show", model, "--json")) == ruleset.to_dict()
    page = tmp_path / "page.html"
    run_well("show", model, "--format", "html", "-o", page)
    assert " &lt;= 0.6" in page.read_text()
    ruleset.save(tmp_path / "alone.json")
    assert run_well("show", tmp_path / "alone.json") == ruleset.to_text() + "\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--format", "dot"), "this is a ruleset; expected one of text, rules, json, html"),
        (("--format", "plot"), "this is a ruleset; expected one of text, rules, json, html"),
        (("--depth", "2"), "a ruleset has no levels; leave it out"),
        (("--member", "1"), "is a single model, not a committee: leave out --member"),
    ],
)
def test_what_show_cannot_do(model: Path, arguments: tuple[str, ...], message: str) -> None:
    result = run("show", model, *arguments)
    assert result.exit_code != 0
    assert message in " ".join(result.stderr.split())


def test_boosted_rulesets(tmp_path: Path) -> None:
    path = tmp_path / "boosted.json"
    arguments = ("fit", "iris", "--model", "boost-rules", "--n-rounds", "3", "-o", path)
    assert "rules," in run_well(*arguments)
    assert len(wl.load(path).members_) == 3
    assert "Default class:" in run_well("show", path, "--member", "2")
    assert "member 1 of 3" in run_well("show", path)


def test_evaluate_compares_rules_with_trees() -> None:
    text = run_well("evaluate", "iris", "--models", "c45,rules,boost-rules", "--folds", "3")
    for name in ("c45", "rules", "boost-rules"):
        assert f"\n{name} " in text
