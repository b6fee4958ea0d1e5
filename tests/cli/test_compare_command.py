"""``weaklearn compare``."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from command_line import run, run_json, run_well
from weaklearn import RulesClassifier
from weaklearn.cli.model_kinds import MODELS
from weaklearn.experiments import PEERS, peer_models


def test_one_table_in_80_columns(golf: Path) -> None:
    printed = run_well(
        *("compare", golf, "--target", "play", "--folds", "3", "--members", "3"),
        *("--models", "c45,boost,sk-hist-boosting,sk-random-forest"),
    ).stdout
    assert all(len(line) <= 80 for line in printed.splitlines())
    lines = printed.splitlines()
    assert lines[0].startswith("golf: 14 rows, 2 continuous + 2 nominal")
    assert lines[1] == "3-fold cross-validation, seed 0"
    assert lines[5].startswith("majority class")
    names = {line.split("  ")[0].removesuffix(" *") for line in lines[6:10]}
    assert names == {"c45", "boost", "sk-hist-boosting", "sk-random-forest"}
    assert "the lowest error" in " ".join(printed.split())


def test_several_tables_have_ranks(golf: Path) -> None:
    printed = run_well(
        *("compare", "iris", golf, "titanic", "--folds", "2", "--models", "c45,rules,topdown")
    ).stdout
    assert all(len(line) <= 80 for line in printed.splitlines())
    assert printed.startswith("3 tables, 2,365 rows")
    assert "has the best mean rank by error" in printed
    assert "Friedman's test" in printed


def test_a_model_that_fails_is_named_and_the_others_go_on(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fit = RulesClassifier.fit

    def refuse_three_classes(self: Any, X: Any, y: Any) -> Any:
        if len(set(y)) > 2:
            raise ValueError("more than two classes")
        return fit(self, X, y)

    monkeypatch.setattr(RulesClassifier, "fit", refuse_three_classes)
    done = run_well("compare", "iris", "titanic", "--folds", "2", "--models", "c45,rules,topdown")
    line = next(line for line in done.stdout.splitlines() if line.startswith("rules"))
    assert "failed" in line
    assert "warning: rules has no result on iris: more than two classes" in done.stderr
    assert "Not ranked, because they failed on a table: rules." in " ".join(done.stdout.split())


def test_it_fails_if_no_model_has_a_result(golf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Any, X: Any, y: Any) -> Any:
        raise ValueError("not today")

    monkeypatch.setattr(RulesClassifier, "fit", refuse)
    done = run("compare", golf, "--folds", "2", "--models", "rules")
    assert done.exit_code == 1
    assert "rules has no result on golf: not today" in done.stderr


def test_json(golf: Path) -> None:
    document = run_json("compare", golf, "--folds", "2", "--models", "c45,rules")
    assert list(document["models"]) == ["majority class", "c45", "rules"]
    assert document["models"]["c45"]["library"] == "weaklearn"
    assert len(document["results"]) == 3
    assert document["conclusion"]["best"] in ("c45", "rules")
    assert document["rank_tests"]["error"] is None  # one table


def test_the_folder_gets_a_page_and_is_used_again(
    golf: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("plotly")
    out = tmp_path / "out"
    arguments = ("compare", golf, "iris", "--folds", "2", "--models", "c45,rules", "--out", out)
    printed = run_well(*arguments).stdout
    assert printed.splitlines()[-1] == f"report: {out / 'report.html'}"
    assert "rules" in (out / "report.html").read_text()
    first = run_json(*arguments)
    assert first["report"] == str(out / "report.html")
    assert (
        json.loads((out / "report.json").read_text())["results_digest"] == (first["results_digest"])
    )

    def fail(self: Any, X: Any, y: Any) -> Any:
        raise ValueError("a fit was run again")

    monkeypatch.setattr(RulesClassifier, "fit", fail)
    assert "a fit was run again" not in run_well(*arguments).stderr
    assert "a fit was run again" in run_well(*arguments, "--no-resume").stderr


def test_a_file_that_is_not_a_store_is_not_removed(golf: Path, tmp_path: Path) -> None:
    pytest.importorskip("plotly")
    (tmp_path / "results.sqlite").write_text("some text")
    done = run("compare", golf, "--folds", "2", "--models", "c45", "--out", tmp_path, "--no-resume")
    assert done.exit_code == 1
    assert "cannot be used as a store of results" in done.stderr
    assert (tmp_path / "results.sqlite").read_text() == "some text"
    done = run("compare", golf, "--out", tmp_path / "results.sqlite")
    assert "expected a folder, got a file" in done.stderr


def test_the_list_has_every_model(monkeypatch: pytest.MonkeyPatch) -> None:
    real: Callable[[str], Any] = peer_models.find_spec
    monkeypatch.setattr(peer_models, "find_spec", lambda n: None if n == "xgboost" else real(n))
    printed = run_well("compare", "--list-models").stdout
    listed = [line.split()[0] for line in printed.splitlines() if line]
    assert set(MODELS) | set(PEERS) <= set(listed)
    assert "xgboost (not installed)" in printed
    assert 'pip install "weaklearn[compare]"' in printed
    assert all(len(line) <= 80 for line in printed.splitlines())


def test_it_works_without_the_other_libraries(golf: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    absent = ("lightgbm", "xgboost", "catboost")
    real: Callable[[str], Any] = peer_models.find_spec
    monkeypatch.setattr(peer_models, "find_spec", lambda n: None if n in absent else real(n))
    done = run_well("compare", golf, "--folds", "2", "--members", "2")
    for name in absent:
        assert f"note: {name} is left out: {name} is not installed" in done.stderr
        assert name not in done.stdout
    assert "sk-extra-trees" in done.stdout


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([], 2, "missing DATA: a file or the name of a table"),
        (["iris", "--models", "c45,c46"], 2, "got 'c46', expected one of c45"),
        (["iris", "--target", "class", "--folds", "1"], 1, "--folds must be a whole number"),
        (["no-such-table"], 1, "'weaklearn data list' lists the names"),
        (["iris", "--seeds", "0", "--models", "c45"], 1, "--seeds must be a whole number"),
    ],
)
def test_errors(arguments: list[str], code: int, message: str) -> None:
    done = run("compare", *arguments)
    assert done.exit_code == code
    assert message in done.stderr
    assert done.stdout == ""
