"""The documentation site is built from the tree without a warning, and its links have targets.

The pages are built in a temporary folder, so that files of an earlier build do not hide an error.
The code blocks of the pages are run by test_docs_code.py; here only the gallery is executed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import weaklearn as wl

ROOT = Path(__file__).parents[1]
NEEDED = ("sphinx", "myst_parser", "numpydoc", "pydata_sphinx_theme", "sphinx_copybutton")

for package in (*NEEDED, "sphinx_design", "sphinx_gallery", "matplotlib"):
    pytest.importorskip(package, reason=f"the site needs {package}: pip install weaklearn[docs]")

#: Pages of every kind: tables, formulas, pictures, code, the reference, the form.
PAGES_TO_LOOK_AT = (
    *("index.html", "tutorial.html", "try.html", "choosing.html", "migration/scikit_learn.html"),
    *("algorithms/tree_pruning.html", "algorithms/rules.html", "papers/quinlan96.html"),
    *("auto_examples/index.html", "auto_examples/plot_tree.html", "reference/index.html"),
    "reference/generated/weaklearn.C45Classifier.html",
)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    tree = tmp_path_factory.mktemp("tree")
    ignored = shutil.ignore_patterns("auto_examples", "generated", "__pycache__")
    shutil.copytree(ROOT / "docs", tree / "docs", ignore=ignored)
    shutil.copytree(ROOT / "examples", tree / "examples", ignore=ignored)
    shutil.copy(ROOT / "pyproject.toml", tree)
    environment = {**os.environ, "MPLBACKEND": "agg"}
    environment.pop("WEAKLEARN_DATA", None)  # the gallery shows what every user sees
    command = [sys.executable, "-m", "sphinx", "-W", "-n", "-q", "docs", "site"]
    done = subprocess.run(command, cwd=tree, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-4000:]
    return tree / "site"


def test_links_have_targets_and_nothing_comes_from_elsewhere(site: Path) -> None:
    command = [sys.executable, str(ROOT / "docs/check_links.py"), str(site)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_every_public_name_has_a_page(site: Path) -> None:
    pages = {path.stem for path in (site / "reference/generated").glob("*.html")}
    modules = {"costs", "datasets", "experiments", "explain", "export", "pruning", "rules"}
    names = {f"weaklearn.{name}" for name in wl.__all__ if name not in {*modules, "theory"}}
    for module in (*modules, "theory"):
        names |= {f"weaklearn.{module}.{name}" for name in getattr(wl, module).__all__}
    assert names - {"weaklearn.rules.FiredRules"} <= pages  # it is shown as weaklearn.explain's


def test_broken_links_are_found(tmp_path: Path) -> None:
    page = '<h1 id="a"></h1><a href="#a"></a><a href="#b"></a><a href="no.html"></a>'
    loaded = '<script src="https://example.org/x.js"></script><a href="https://example.org"></a>'
    (tmp_path / "index.html").write_text(page + loaded)
    command = [sys.executable, str(ROOT / "docs/check_links.py"), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 1
    assert done.stdout.splitlines() == [
        "index.html: no target for #b",
        "index.html: no file for no.html",
        "index.html: loads https://example.org/x.js",
        "1 pages, 3 problems",
    ]


def test_the_exported_model_predicts_in_the_page_what_python_predicts(
    browser: Any, site: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.syspath_prepend(str(ROOT / "docs/_ext"))
    from try_page import fit_model, possible_rows  # type: ignore[import-not-found]

    model, rows = fit_model(), possible_rows()
    page = browser.new_page()
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.goto((site / "try.html").as_uri())
    page.wait_for_function("window.weaklearn")
    records = rows.astype(object).where(rows.notna(), None).to_dict("records")
    found = page.evaluate("rows => rows.map(r => [...weaklearn.predictProba(r)])", records)
    assert found == model.predict_proba(rows).tolist()
    assert page.evaluate("rows => rows.map(weaklearn.predict)", records) == [*model.predict(rows)]

    page.select_option("select[name=sex]", "female")
    page.select_option("select[name=class]", "1st")
    page.wait_for_function(
        "document.getElementById('wl-prediction').textContent.startsWith('Survived: yes')"
    )
    assert page.locator("#wl-bars div").count() == 3
    assert errors == []
    page.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1100])
def test_pages_fit_the_window(browser: Any, site: Path, width: int, scheme: str) -> None:
    page = browser.new_page(viewport={"width": width, "height": 900}, color_scheme=scheme)
    for name in PAGES_TO_LOOK_AT:
        page.goto((site / name).as_uri())
        assert page.evaluate("document.documentElement.dataset.theme") == scheme, name
        assert page.evaluate("document.documentElement.scrollWidth") <= width, name
    page.close()
