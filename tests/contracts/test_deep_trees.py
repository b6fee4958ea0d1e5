"""Trees deeper than any stack."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import weaklearn as wl

DEPTH = 20_050


def chain(n_rows: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Make alternating classes: the best cut is at the edge, with the least weight of 25."""
    X = np.arange(n_rows, dtype=float).reshape(-1, 1)
    return X, np.arange(n_rows) % 2, np.full(n_rows, 25.0)


def test_a_very_deep_tree(tmp_path: Path) -> None:
    X, y, weights = chain(DEPTH + 1)
    model = wl.C45Classifier(criterion="gini", min_objects=1, confidence=1.0)
    tree = model.fit(X, y, weights).tree_  # grown and pruned
    assert tree.depth == DEPTH
    assert tree.n_leaves == DEPTH + 1

    some = X[:: DEPTH // 40]
    assert np.array_equal(model.predict(some), y[:: DEPTH // 40])
    np.testing.assert_allclose(
        model.predict_proba([[np.nan]]).sum(), 1
    )  # a missing value takes every branch
    assert tree.to_text().count("(25.0)") == DEPTH + 1
    node, depth = tree.to_dict(), 0
    while "children" in node:
        node, depth = max(node["children"], key=lambda child: "children" in child), depth + 1
    assert depth == DEPTH

    path = tmp_path / "deep.json.gz"
    model.save(path)
    assert wl.load(path).tree_ == tree


def test_release8_refuses_a_tree_that_is_too_deep() -> None:
    X, y, weights = chain(5_100)
    model = wl.C45Classifier(arithmetic="release8", criterion="gain", min_objects=1)
    model.set_params(threshold_penalty=False)
    with pytest.raises(ValueError, match=r"deeper than 1000 splits.*set max_depth"):
        model.fit(X, y, weights)
    # The last split is collapsed if it corrects no error.
    assert 49 <= model.set_params(max_depth=50, prune=False).fit(X, y, weights).tree_.depth <= 50
