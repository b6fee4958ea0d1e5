"""The page: one file that needs no other, safe for any name, and alive in a browser."""

from __future__ import annotations

import copy
import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from small_plan import small_plan
from weaklearn.experiments import Findings, Store, prepare, run_units
from weaklearn.report import make_content, to_html, write_report

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


@pytest.fixture(scope="module")
def content(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    ready = prepare(small_plan())
    with Store(Path(tmp_path_factory.mktemp("store") / "r.sqlite"), "1") as store:
        findings = Findings(ready, run_units(ready.units, store))
    return make_content([findings], code="1", digest="d", seconds=3.0)


@pytest.fixture(scope="module")
def folder(content: dict[str, Any], tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("report")
    write_report(content, place)
    return place


def test_all_files_are_there(content: dict[str, Any], folder: Path) -> None:
    (paper,) = content["papers"]
    tables = {f"{part['name']}.csv" for part in (*paper["tables"], *paper["comparisons"])}
    assert {path.name for path in (folder / "tables").iterdir()} == tables
    figures = {f"{f['name']}.{ending}" for f in paper["figures"] for ending in ("png", "svg")}
    assert {path.name for path in (folder / "figures").iterdir()} == figures
    for path in (folder / "figures").glob("*.png"):
        assert path.read_bytes().startswith(b"\x89PNG")
    for path in (folder / "figures").glob("*.svg"):
        assert b"</svg>" in path.read_bytes()
    assert (folder / "report.md").is_file()


def test_the_page_needs_nothing_else(folder: Path) -> None:
    text = (folder / "report.html").read_text()
    without_plotly = re.sub(r"<script>.*?</script>", "", text, flags=re.DOTALL)
    assert not re.findall(r'(?:src|href)="(?!#|data:)[^"]*"', without_plotly)
    assert text.count("plotly.js v") == 1
    assert "not here: put no-such-table.arff" in text


def test_names_cannot_become_code(content: dict[str, Any]) -> None:
    evil = copy.deepcopy(content)
    bad = "</script><script>alert(1)</script>"
    paper = evil["papers"][0]
    paper["tables"][0]["rows"][0]["problem"] = bad
    paper["notes"].append(bad)
    paper["failures"].append({"unit": bad, "experiment": "", "error": bad})
    for figure in paper["figures"]:
        for panel in figure["panels"]:
            panel["title"] = bad
            for series in panel["series"]:
                series["name"] = bad
    assert "<script>alert" not in to_html(evil)


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    if CHROMIUM is None:
        pytest.skip("chromium is absent")
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is absent")
    with playwright.sync_playwright() as started:
        program = started.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield program
        program.close()


@pytest.mark.parametrize(
    ("width", "scheme"), [(1280, "light"), (390, "dark")], ids=["desktop", "phone"]
)
def test_it_works_in_a_browser(browser: Any, folder: Path, width: int, scheme: str) -> None:
    size = {"width": width, "height": 900}
    page = browser.new_page(viewport=size, color_scheme=scheme)
    complaints: list[str] = []
    page.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda r: complaints.append(r.url) if r.url.startswith("http") else None)
    page.goto((folder / "report.html").as_uri())
    page.wait_for_function(
        "[...document.querySelectorAll('.plot')].every(p => p.querySelector('.main-svg'))"
    )
    assert page.locator(".plot").count() == 8
    assert page.locator(".drawing svg").count() == 2
    assert page.evaluate("document.documentElement.scrollWidth") <= width

    _tables_sort(page)
    _slider_moves(page)
    assert complaints == []
    page.close()


def _tables_sort(page: Any) -> None:
    table = page.locator("table.sortable").first
    button = table.locator("thead button", has_text="tree")

    def problems() -> list[str]:
        names: list[str] = table.locator("tbody th").all_inner_texts()
        return names

    button.click()
    rising = problems()
    button.click()
    falling = problems()
    assert rising[-1] == falling[-1] == "lost"  # what is absent stays at the end
    assert rising[:-1] == falling[:-1][::-1]
    assert len(set(rising)) == 3


def _slider_moves(page: Any) -> None:
    part = page.locator(".pruning").first
    slider, reading = part.locator("input"), part.locator("tbody")
    before = reading.inner_text()
    slider.evaluate("s => { s.value = 0; s.dispatchEvent(new Event('input')); }")
    assert part.locator("output").inner_text() == "1 of 5 members"
    assert reading.inner_text() != before
    line = "p => p.layout.shapes[p.layout.shapes.length - 1].x0"
    assert part.locator(".plot").first.evaluate(line) == 1
