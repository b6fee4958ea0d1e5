"""Fill the page try.md with a model, exported to JavaScript, and its explanations.

The script stands in the page itself, because browsers load no modules from files on a disk.
"""

from __future__ import annotations

import itertools
import json
import tempfile
from pathlib import Path
from typing import Any

import pandas as pd
from sphinx.application import Sphinx

import weaklearn as wl


def fit_model() -> wl.BoostedForestClassifier:
    """Return the model of the page."""
    table = wl.datasets.load("titanic")
    return wl.BoostedForestClassifier(n_members=10, random_state=0).fit(table.X, table.y)


def possible_rows() -> pd.DataFrame:
    """Return every row that the form can send; None is a missing value."""
    table = wl.datasets.load("titanic")
    values = [[*table.X[name].cat.categories, None] for name in table.X]
    return pd.DataFrame(itertools.product(*values), columns=table.X.columns)


def export_to_js(model: Any) -> str:
    """Return the module that `wl.export.js` writes."""
    with tempfile.TemporaryDirectory() as folder:
        [module] = wl.export.js(model, Path(folder) / "titanic.mjs")
        return module.read_text(encoding="utf-8")


def explain_rows(model: Any) -> dict[str, dict[str, Any]]:
    """Return label and contributions of each possible row, by its values."""
    rows = possible_rows()
    explained = {}
    for values, explanation in zip(rows.itertuples(index=False), model.explain(rows), strict=True):
        contributions = {name: round(c, 4) for name, c in explanation.contributions.items()}
        explained["|".join(value if isinstance(value, str) else "" for value in values)] = {
            "label": explanation.label,
            "contributions": contributions,
        }
    return explained


def fill_page(app: Sphinx, name: str, source: list[str]) -> None:
    """Put the model and its explanations into the script of the page."""
    if name == "try":
        model = fit_model()
        source[0] = source[0].replace("/* model */", export_to_js(model))
        source[0] = source[0].replace("/* explanations */", json.dumps(explain_rows(model)))


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the step."""
    app.connect("source-read", fill_page)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
