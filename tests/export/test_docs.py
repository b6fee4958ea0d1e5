"""The C and JavaScript of the page on exports compile, run, and predict what the library does."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pandas as pd
import pytest

import weaklearn as wl
from export.run_c import COMPILERS, FLAGS
from export.run_js import node

PAGE = Path(__file__).parents[2] / "docs" / "guides" / "export.md"


def _block(language: str) -> str:
    found = re.search(rf"^```{language}\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)
    assert found is not None
    return found.group(1)


def _expected(tmp_path: Path) -> tuple[str, list[float]]:
    """Write the model of the page, and return what it predicts for the row of the page."""
    table = wl.datasets.load("titanic")
    model = wl.BoostedForestClassifier(n_members=10, random_state=1).fit(table.X, table.y)
    wl.export.c(model, tmp_path / "titanic")
    wl.export.js(model, tmp_path / "titanic")
    row = pd.DataFrame({"class": ["3rd"], "age": ["adult"], "sex": [None]})[list(table.X.columns)]
    return model.predict(row)[0], model.predict_proba(row)[0].tolist()


@pytest.mark.skipif(not COMPILERS, reason="no C compiler")
def test_the_c_program(tmp_path: Path) -> None:
    label, probabilities = _expected(tmp_path)
    (tmp_path / "main.c").write_text(_block("c"))
    command = [COMPILERS[0], *FLAGS[:6], "main.c", "titanic.c", "-lm", "-o", "main"]
    subprocess.run(command, cwd=tmp_path, check=True)
    printed = subprocess.run([tmp_path / "main"], capture_output=True, text=True, check=True).stdout
    assert printed == f"{label}, with probability {max(probabilities):.3f}\n"


def test_the_javascript_program(tmp_path: Path) -> None:
    label, probabilities = _expected(tmp_path)
    (tmp_path / "main.mjs").write_text(_block("js"))
    command = [node(), str(tmp_path / "main.mjs")]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    first, rest = printed.split(" ", 1)
    assert first == label
    numbers = [float(text) for text in re.findall(r"\d\.\d+(?:e-?\d+)?", rest)]
    assert numbers == probabilities
