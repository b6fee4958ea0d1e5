"""The page is one file, escapes every name, and works in a browser."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Any

import pytest

from small_plan import small_plan
from weaklearn.experiments import PlanResults, Store, prepare, run_units
from weaklearn.report import make_report_data, to_html, write_report


@pytest.fixture(scope="module")
def report(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    prepared = prepare(small_plan())
    with Store(Path(tmp_path_factory.mktemp("store") / "r.sqlite"), "1") as store:
        results = PlanResults(prepared, run_units(prepared.units, store))
    return make_report_data([results], code="1", digest="d", seconds=3.0)


@pytest.fixture(scope="module")
def folder(report: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("report")
    write_report(report, path)
    return path


def test_every_table_and_figure_has_its_files(report: dict[str, Any], folder: Path) -> None:
    (paper,) = report["papers"]
    tables = {f"{table['name']}.csv" for table in (*paper["tables"], *paper["comparisons"])}
    assert {path.name for path in (folder / "tables").iterdir()} == tables
    figures = {f"{f['name']}.{suffix}" for f in paper["figures"] for suffix in ("png", "svg")}
    assert {path.name for path in (folder / "figures").iterdir()} == figures
    for path in (folder / "figures").glob("*.png"):
        assert path.read_bytes().startswith(b"\x89PNG")
    for path in (folder / "figures").glob("*.svg"):
        assert b"</svg>" in path.read_bytes()
    assert (folder / "report.md").is_file()


def test_the_page_needs_no_other_file(folder: Path) -> None:
    text = (folder / "report.html").read_text()
    without_plotly = re.sub(r"<script>.*?</script>", "", text, flags=re.DOTALL)
    assert not re.findall(r'(?:src|href)="(?!#|data:)[^"]*"', without_plotly)
    assert text.count("plotly.js v") == 1
    assert "not here: put no-such-table.arff" in text


def test_names_are_escaped(report: dict[str, Any]) -> None:
    changed = copy.deepcopy(report)
    bad = "</script><script>alert(1)</script>"
    paper = changed["papers"][0]
    paper["tables"][0]["rows"][0]["problem"] = bad
    paper["notes"].append(bad)
    paper["failures"].append({"unit": bad, "experiment": "", "error": bad})
    for figure in paper["figures"]:
        for panel in figure["panels"]:
            panel["title"] = bad
            for series in panel["series"]:
                series["name"] = bad
    assert "<script>alert" not in to_html(changed)


@pytest.mark.parametrize(
    ("width", "scheme"), [(1280, "light"), (390, "dark")], ids=["desktop", "phone"]
)
def test_it_works_in_a_browser(browser: Any, folder: Path, width: int, scheme: str) -> None:
    size = {"width": width, "height": 900}
    page = browser.new_page(viewport=size, color_scheme=scheme)
    errors: list[str] = []
    page.on("console", lambda line: errors.append(line.text) if line.type == "error" else None)
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on("request", lambda r: errors.append(r.url) if r.url.startswith("http") else None)
    page.goto((folder / "report.html").as_uri())
    page.wait_for_function(
        "[...document.querySelectorAll('.plot')].every(p => p.querySelector('.main-svg'))"
    )
    assert page.locator(".plot").count() == 8
    assert page.locator(".drawing svg").count() == 2
    assert page.evaluate("document.documentElement.scrollWidth") <= width

    _check_that_tables_sort(page)
    _check_that_the_slider_works(page)
    assert errors == []
    page.close()


def _check_that_tables_sort(page: Any) -> None:
    table = page.locator("table.sortable").first
    button = table.locator("thead button", has_text="tree")

    def problems() -> list[str]:
        names: list[str] = table.locator("tbody th").all_inner_texts()
        return names

    button.click()
    ascending = problems()
    button.click()
    descending = problems()
    assert ascending[-1] == descending[-1] == "lost"  # absent tables stay at the end
    assert ascending[:-1] == descending[:-1][::-1]
    assert len(set(ascending)) == 3


def _check_that_the_slider_works(page: Any) -> None:
    block = page.locator(".pruning").first
    slider, reading = block.locator("input"), block.locator("tbody")
    before = reading.inner_text()
    slider.evaluate("s => { s.value = 0; s.dispatchEvent(new Event('input')); }")
    assert block.locator("output").inner_text() == "1 of 5 members"
    assert reading.inner_text() != before
    line = "p => p.layout.shapes[p.layout.shapes.length - 1].x0"
    assert block.locator(".plot").first.evaluate(line) == 1
