"""SHAP values compared with shap's C extension, on the same trees and rows, with one thread."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks import data
from benchmarks.registry import Result, benchmark
from benchmarks.timing import alternate
from weaklearn import BaggedClassifier, C45Classifier, explain


@benchmark("shap")
def explain_rows() -> Iterator[Result]:
    """Measure SHAP values of 100 unpruned trees on letter and on 20 columns of numbers."""
    letter = data.letter()
    yield from _compare(letter.name, letter.X, letter.y, n_rows=32)
    X, y = data.noisy_numbers(5_000)
    yield from _compare("20 numbers", X, y, n_rows=128)


def _compare(name: str, X: Any, y: Any, n_rows: int) -> Iterator[Result]:
    tree = C45Classifier(min_objects=1, prune=False, max_features="sqrt")
    model = BaggedClassifier(tree, n_members=100, random_state=0, n_jobs=-1).fit(X, y)
    model.n_jobs = 1
    rows = X[:n_rows]
    n_leaves = np.mean([member.tree_.n_leaves for member in model.members_])
    work = f"SHAP values, {name}, 100 trees, {n_rows} rows"
    try:
        import shap
    except ImportError as error:
        score = model.additive_score()
        (ours,) = alternate(lambda: score.shap_values(score.encode(rows)), least_runs=2)
        yield Result(work, ours.wall, note=f"no shap: {error}")
        return
    explainer = shap.TreeExplainer(explain.to_shap(model))
    ours, peer = alternate(
        lambda: explain.shap_values(model, rows),
        lambda: explainer.shap_values(rows, check_additivity=False),
        least_runs=2,
    )
    difference = np.abs(
        explain.shap_values(model, rows).values
        - explainer.shap_values(rows, check_additivity=False)
    ).max()
    note = f"{n_leaves:,.0f} leaves per tree, values differ by {difference:.1g}"
    yield Result(work, ours.cpu, peer.cpu, target=1, note=note)
