"""``weaklearn prune``."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import weaklearn as wl
from command_line import run


def run_well(*arguments: Any) -> str:
    result = run(*arguments)
    assert result.exit_code == 0, result.stderr
    assert max(map(len, result.stdout.splitlines())) <= 80
    return str(result.stdout)


@pytest.fixture(scope="module")
def boosted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("model") / "m.json"
    assert run("fit", "digits", "--model", "boost", "--n-rounds", 40, "-o", path).exit_code == 0
    return path


@pytest.fixture
def path(boosted: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.chdir(tmp_path)
    return str(boosted)


def test_it_saves_the_result_of_the_function_and_prints_the_changes(path: str) -> None:
    text = run_well("prune", path, "digits", "--size", 4, "--shift", "-o", "small.json")
    table = wl.datasets.load("digits")
    model = wl.load(path)
    expected = wl.pruning.kappa(model, table.X, table.y, size=4, shift_votes=True)
    small = wl.load("small.json")
    assert np.array_equal(small.predict_proba(table.X), expected.predict_proba(table.X))
    error = float((expected.predict(table.X) != table.y.to_numpy()).mean())
    assert f"{100 * error:.2f}%" in text
    assert f"{sum(member.tree_.size for member in expected.members_):,}" in text
    changed = int((expected.predict(table.X) != model.predict(table.X)).sum())
    assert f"predictions changed: {changed:,} of {table.n_rows:,} rows" in text
    assert "members kept: " + ", ".join(str(i + 1) for i in expected.pruning_.kept) in text
    # The list of all members is wrapped.
    run_well("prune", path, "digits", "--rate", 1, "--method", "first-rounds")


def test_other_methods_other_rows_and_json(path: str) -> None:
    pytest.importorskip("matplotlib").use("Agg")
    for method in ("kappa-shift", "margin-lp", "first-rounds", "exact"):
        limit = ["--time-limit", 1] if method == "exact" else []
        more = ["--rate", 0.2, "--test", "digits", "--json", "--diagram", "d.svg"]
        result = run("prune", path, "digits", "--method", method, *more, *limit)
        assert result.exit_code == 0, result.stderr
        report = json.loads(result.stdout)
        assert len(report["kept"]) == len(report["votes"]) == 8
        assert report["facts"]["members"] == {"before": 40, "after": 8}
        assert ("gap" in report) == (method == "exact")
        assert "<svg" in Path("d.svg").read_text()
        assert report["facts"]["error on new rows"] == report["facts"]["error on these rows"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--size", 41], "got --size 41, and the committee has 40 members"),
        ([], "got neither --size nor --rate: give the number of members to keep (--size 10)"),
        (["--size", 3, "--rate", 0.5], "got both --size and --rate"),
        (["--size", 3, "--method", "exact", "--shift"], "--shift works with --method kappa only"),
        (
            ["--size", 3, "--method", "magic"],
            "expected one of kappa, kappa-shift, margin-lp, exact, first-rounds",
        ),
        (["--rate", 2], "got --rate 2.0, expected a share above 0 and up to 1"),
    ],
)
def test_errors(arguments: list[Any], message: str, path: str) -> None:
    result = run("prune", path, "digits", *arguments)
    assert result.exit_code != 0
    assert message in " ".join(result.stderr.split())
    assert result.stdout == ""


def test_a_tree_and_rows_without_classes(path: str) -> None:
    run_well("fit", "titanic", "-o", "tree.json")
    result = run("prune", "tree.json", "titanic", "--size", 1)
    assert "tree.json is a single tree, not a committee: fit a committee" in result.stderr
    assert "weaklearn fit titanic --model boost" in result.stderr
    table = wl.datasets.load("digits")
    table.X.to_csv("rows.csv", index=False)
    result = run("prune", path, "rows.csv", "--size", 1)
    assert result.exit_code == 1
    assert "pruning needs the classes" in result.stderr
