"""The page of a comparison: its numbers are those of the results, and names are escaped."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.base import BaseEstimator, ClassifierMixin

import weaklearn as wl
from weaklearn.experiments import ComparedModel, Comparison, compare
from weaklearn.report import make_comparison_data, to_html, write_comparison
from weaklearn.report.comparison_report import conclusions
from weaklearn.report.markdown_file import comparison_to_markdown

pytest.importorskip("plotly")
BAD = "</script><script>alert(1)</script>"


class Refuses(ClassifierMixin, BaseEstimator):
    """A classifier that cannot handle more than two classes."""

    def fit(self, X: Any, y: Any) -> Refuses:
        if len(np.unique(y)) > 2:
            raise ValueError(f"more than two classes {BAD}")
        self.classes_ = np.unique(y)
        return self

    def predict(self, X: Any) -> Any:
        return np.zeros(len(X), dtype=int)


@pytest.fixture(scope="module")
def comparison() -> Comparison:
    models = {
        "tree": wl.C45Classifier(),
        "rules": wl.RulesClassifier(),
        "bag": wl.BaggedClassifier(n_members=3),
        "forest": "sk-random-forest",
        BAD: ComparedModel(Refuses()),
    }
    return compare(
        {"iris": "iris", "titanic": "titanic", "wine": "wine"}, models, n_folds=2, n_members=3
    )


@pytest.fixture(scope="module")
def report(comparison: Comparison) -> dict[str, Any]:
    return make_comparison_data(comparison, "1")


def test_the_data_can_be_written_as_json(report: dict[str, Any]) -> None:
    assert json.loads(json.dumps(report, allow_nan=False))["title"] == "5 models on 3 tables"


def test_tables_show_the_results(comparison: Comparison, report: dict[str, Any]) -> None:
    tables = {table["name"]: table for table in report["tables"]}
    assert list(tables) == [
        *("error", "log-loss", "auc", "conditions", "leaves", "fit-seconds", "predict-seconds")
    ]
    values = comparison.values("error")
    for row in tables["error"]["rows"]:
        for model, cell in zip(tables["error"]["headings"], row["cells"], strict=True):
            expected = values.loc[row["problem"], model]
            if np.isnan(expected):
                assert cell["ours"] is None
                assert cell["failure"].startswith("more than two classes")
            else:
                assert cell["ours"] == pytest.approx(100 * expected)
        shown = [cell["ours"] for cell in row["cells"] if cell["ours"] is not None]
        best = {cell["ours"] for cell in row["cells"] if cell["is_best"]}
        assert best == {min(shown)}
    assert tables["conditions"]["headings"] == ["tree", "rules", "bag", "forest"]


def test_the_overview_marks_the_best(comparison: Comparison, report: dict[str, Any]) -> None:
    overview = report["overview"]
    column = overview["headings"].index("rank by AUC")
    best = [row[0]["text"] for row in overview["rows"] if row[column]["is_best"]]
    ranks = comparison.ranks("auc").mean()
    assert best == list(ranks.index[ranks == ranks.min()])


def test_wins_of_the_best(comparison: Comparison, report: dict[str, Any]) -> None:
    for table, measure in zip(report["wins"], ("error", "log_loss", "auc"), strict=True):
        test = comparison.rank_test(measure)
        assert test is not None
        values = comparison.values(measure)
        for first, second, wins, losses, ties, *_, difference in table["rows"]:
            assert first["text"] == test.models[0]
            both = values[[first["text"], second["text"]]].dropna()
            gap = both[second["text"]] - both[first["text"]]
            better, worse = (gap > 0).sum(), (gap < 0).sum()
            expected = (worse, better) if measure == "auc" else (better, worse)
            assert (wins["value"], losses["value"]) == expected
            assert ties["value"] == (gap == 0).sum()
            assert difference["value"] == pytest.approx(gap.mean())


def test_names_are_escaped(report: dict[str, Any]) -> None:
    assert "<script>alert" not in to_html(report)


def test_failures_are_in_every_format(report: dict[str, Any]) -> None:
    assert [failure["table"] for failure in report["failures"]] == ["iris", "wine"]
    assert "more than two classes" in to_html(report)
    assert f"* Failed: {BAD} on iris: more than two classes" in comparison_to_markdown(report)


def test_files(comparison: Comparison, report: dict[str, Any], tmp_path: Path) -> None:
    page = write_comparison(report, tmp_path)
    text = page.read_text()
    assert not re.findall(
        r'(?:src|href)="(?!#|data:)[^"]*"',
        re.sub(r"<script>.*?</script>", "", text, flags=re.DOTALL),
    )
    assert text.count('<div class="scroll drawing"') == 3
    figures = {path.name for path in (tmp_path / "figures").iterdir()}
    names = ("ranks-by-error", "ranks-by-log-loss", "ranks-by-auc", "error-and-time")
    assert figures == {f"{name}.{suffix}" for name in names for suffix in ("png", "svg")}
    rows = list(csv.DictReader(io.StringIO((tmp_path / "tables" / "results.csv").read_text())))
    assert [row["table"] for row in rows] == comparison.to_frame()["table"].tolist()
    assert float(rows[0]["error"]) == comparison.to_frame()["error"][0]
    assert json.loads((tmp_path / "report.json").read_text())["results_digest"] == comparison.digest
    assert (tmp_path / "report.md").read_text().startswith("# 5 models on 3 tables")


def test_one_table_has_no_ranks(tmp_path: Path) -> None:
    result = compare("iris", [wl.C45Classifier(), wl.RulesClassifier()], n_folds=2)
    report = make_comparison_data(result, "1")
    assert report["figures"] == report["wins"] == report["all_wins"] == []
    assert not any("rank" in heading for heading in report["overview"]["headings"])
    assert "on 1 table" in report["title"]
    assert to_html(report)


def test_conclusions(comparison: Comparison) -> None:
    first, second, *_, last = conclusions(comparison)
    assert re.match(r"\w+ has the best mean rank by error, \d\.\d\d of 4, with a mean", first)
    assert second.startswith("Friedman's test")
    assert last == f"Not ranked, because they failed on a table: {BAD}."


def test_models_with_equal_errors_share_the_first_place() -> None:
    models = {"a": wl.C45Classifier(), "b": wl.C45Classifier(), "c": wl.StumpClassifier()}
    first, *others = conclusions(compare("iris", models, n_folds=5))
    assert re.match(r"a and b have the lowest error, \d\.\d\d %\.", first)
    assert others == ["Their lead counts against c (corrected t-test with Holm's correction)."]


def test_it_works_in_a_browser(browser: Any, report: dict[str, Any], tmp_path: Path) -> None:
    path = write_comparison(report, tmp_path)
    for width in (1280, 390):
        page = browser.new_page(viewport={"width": width, "height": 900})
        errors: list[str] = []
        page.on("pageerror", lambda error: errors.append(str(error)))  # noqa: B023
        page.goto(path.as_uri())
        page.wait_for_function("document.querySelector('.plot .main-svg')")
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert errors == []
