"""The figures of the pages agree with the result files in docs/data that commands write."""

from __future__ import annotations

import importlib.util
import json
import re
import sqlite3
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

ROOT = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def numbers() -> ModuleType:
    spec = importlib.util.spec_from_file_location("numbers_of_docs", ROOT / "docs/numbers.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_pages_agree_with_their_files(numbers: ModuleType) -> None:
    for page in numbers.list_pages():
        text = page.read_text(encoding="utf-8")
        assert numbers.fill(text) == text, f"{page.name}: run make docs-numbers"
        starts_line = re.search(r"^ *<!-- from [^\n]*<!-- end -->", text, re.MULTILINE)
        assert starts_line is None, f"{page.name}: Markdown takes such a line for HTML"
        n_marks = text.count("<!-- from docs/data/")
        assert len(numbers.REGION.findall(text)) == n_marks, f"{page.name}: a mark has no end"


def test_files_are_used_and_name_their_command(numbers: ModuleType) -> None:
    used = {
        (region["file"], region["name"])
        for page in numbers.list_pages()
        for region in numbers.REGION.finditer(page.read_text(encoding="utf-8"))
    }
    for path in sorted((ROOT / "docs/data").glob("*.json")):
        document = json.loads(path.read_text(encoding="utf-8"))
        assert document["command"], path.name
        assert document["date"], path.name
        name = f"docs/data/{path.name}"
        for part in (*document.get("tables", {}), *document.get("figures", {})):
            assert (name, part) in used, f"{name}: no page shows {part}"


def test_a_page_is_filled(numbers: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "docs/data").mkdir(parents=True)
    table = {"headings": ["", "error %"], "rows": [["tree", "1.25"], ["", 3]]}
    document = {"tables": {"a-b": table}, "figures": {"n": "7"}}
    (tmp_path / "docs/data/x.json").write_text(json.dumps(document))
    mark = "<!-- from docs/data/x.json: {} -->"
    page = f"{mark.format('a-b')}old<!-- end -->\nOf {mark.format('n')}8<!-- end --> tables\n"
    filled = numbers.fill(page, tmp_path)
    assert filled == (
        f"{mark.format('a-b')}\n| | error % |\n|---|---:|\n| tree | 1.25 |\n| | 3 |\n<!-- end -->\n"
        f"Of {mark.format('n')}7<!-- end --> tables\n"
    )
    assert numbers.fill(filled, tmp_path) == filled
    with pytest.raises(SystemExit, match=r"x\.json has no 'c'; expected one of a-b, n"):
        numbers.fill(f"{mark.format('c')}<!-- end -->", tmp_path)


def test_a_sentence_shows_a_cell_of_a_table(numbers: ModuleType, tmp_path: Path) -> None:
    (tmp_path / "docs/data").mkdir(parents=True)
    headings = ["", "C4.5", "paper", "tree, pruned", "paper"]
    rows = [
        ["mean", 1, 2, "**3***", 4],
        ["vote", "0.5", "5.0 ± 0.2**", "6 ~", "7 = 7"],
        ["vote", "0.9, by kappa", "8 x", "9.1x", "p = 0.02"],
        ["mean, rounded", 10, 11, 12, 13],
    ]
    table = {"headings": headings, "rows": rows}
    (tmp_path / "docs/data/x.json").write_text(json.dumps({"tables": {"a": table}}))
    for cell, expected in (
        ("mean, C4.5", "1"),
        ("mean, tree, pruned", "3"),
        ("mean, paper", "2"),
        ("mean, rounded, paper", "11"),
        ("vote, 0.5, paper", "5.0"),
        ("vote, 0.5, tree, pruned", "6"),
        ("vote, 0.9, by kappa, paper", "8"),
        ("vote, 0.9, by kappa, tree, pruned", "9.1x"),
    ):
        mark = f"Of <!-- from docs/data/x.json: a[{cell}] -->"
        assert numbers.fill(f"{mark}?<!-- end -->", tmp_path) == f"{mark}{expected}<!-- end -->"
    for cell, n_found in (("sum, paper", 0), ("mean, boost", 0), ("vote, paper", 2), ("mean", 0)):
        with pytest.raises(
            SystemExit,
            match=rf"{n_found} cells of a table have the name '{cell}'; expected a row of mean, "
            "vote, vote, mean, rounded and a heading of , C4.5, paper, tree, pruned, paper",
        ):
            numbers.fill(f"<!-- from docs/data/x.json: a[{cell}] --><!-- end -->", tmp_path)


def write_store(folder: Path, trials: list[tuple[str, str, int, int, Any]]) -> Path:
    folder.mkdir()
    with sqlite3.connect(folder / "results.sqlite") as store:
        store.execute("CREATE TABLE outcomes (number, learner, problem, repeat, fold, result)")
        for number, (*unit, result) in enumerate(trials):
            row = (number, *unit, None if result is None else json.dumps(result))
            store.execute("INSERT INTO outcomes VALUES (?, ?, ?, ?, ?, ?)", row)
    return folder


def test_a_comparison_is_summarised(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(ROOT))
    from benchmarks import comparison

    def result(errors: int, log_loss: float, n_test: int = 10) -> dict[str, Any]:
        return {"errors": errors, "n_test": n_test, "log_loss": log_loss}

    def counts(text: str) -> str:
        return text.replace(" ", "\N{NO-BREAK SPACE}")

    tables = ["iris", "wine", "zoo"]
    folds = [(seed, fold) for seed in range(2) for fold in range(2)]
    trials = [("boosted-forest", t, *f, result(1, 0.5)) for t in tables for f in folds]
    trials += [("xgboost", t, *f, result(2, 0.25)) for t in tables for f in folds]
    trials += [("boosted-forest", "isolet", 0, 0, result(1, 0.5))]  # has just begun
    trials += [("catboost", "iris", 0, fold, result(0, 0.1)) for fold in range(2)]
    trials += [("catboost", "wine", 0, 0, None), ("catboost", "wine", 0, 1, result(9, 9.0))]
    first = write_store(tmp_path / "first", trials)
    # A later result replaces an earlier one; the fold of 30 rows counts three times.
    later = write_store(tmp_path / "later", [("xgboost", "zoo", 0, 0, result(0, 0.0, 30))])
    out = tmp_path / "comparison.json"
    monkeypatch.setattr(
        sys, "argv", ["", str(first), str(later), "--out", str(out), "--seeds", "2"]
    )
    comparison.main()
    tables_of = {
        name: table["rows"] for name, table in json.loads(out.read_text())["tables"].items()
    }
    mean = np.mean([20, 20, 100 * 6 / 60])
    assert tables_of["all-seeds"] == [
        ["`BoostedForestClassifier`", "10.00", "1.17", "0.500", "2.00", "", ""],
        [
            "XGBoost",
            f"{mean:.2f}",
            "1.83",
            "0.208",
            "1.00",
            counts("0, 2 (p = 0.500)"),
            counts("3, 0 (p = 0.250)"),
        ],
    ]
    better, worse = counts("1, 0 (p = 1.000)"), counts("0, 1 (p = 1.000)")
    assert tables_of["shared-tables"] == [
        ["CatBoost", "0.00", "1.00", "0.100", "1.00", better, better],
        ["`BoostedForestClassifier`", "10.00", "2.00", "0.500", "3.00", "", ""],
        ["XGBoost", "20.00", "3.00", "0.250", "2.00", worse, better],
    ]
    assert tables_of["tables"] == [
        ["zoo", "20", "**10.0**", "**10.0**"],
        ["iris", "20", "**10.0**", "20.0"],
        ["wine", "20", "**10.0**", "20.0"],
    ]
    # CatBoost has no errors on iris, and is taken to be just better than all others on the rest.
    numbers = json.loads(out.read_text())["figures"]
    assert numbers["best-case-error"] == "5.00"
    assert numbers["best-case-rank"] == "1.00"
    assert numbers["best-case-first-error"] == "10.00"
    assert numbers["best-case-first-rank"] == "2.33"

    # A comparison that is done in parts: each part adds its results to a file.
    kept, in_parts = tmp_path / "results.csv.gz", tmp_path / "in_parts.json"
    for arguments in ([first], [later], ["--out", in_parts, "--seeds", 2]):
        monkeypatch.setattr(sys, "argv", ["", *map(str, arguments), "--results", str(kept)])
        comparison.main()
    assert json.loads(in_parts.read_text()) == json.loads(out.read_text())
