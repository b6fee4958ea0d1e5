"""Where every row weighs 1 the core takes no weights, and it may round weights in place."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import weaklearn as wl
from weaklearn import _core

LEARNERS: dict[str, Any] = {
    "c45": wl.C45Classifier(),
    "bins": wl.C45Classifier(max_bins=5),
    "unpruned gini": wl.C45Classifier("gini", prune=False, max_bins=5),
    "not additive": wl.TopDownClassifier("error", n_rounds=6, max_bins=5),
    "release 8": wl.C45Classifier(arithmetic="release8"),
    "subsets": wl.C45Classifier(subset=True),
    "missing branch": wl.C45Classifier(missing="branch", max_bins=5),
    "topdown": wl.TopDownClassifier(n_rounds=6),
    "pruned topdown": wl.TopDownClassifier(n_rounds=6, prune=True, max_bins=5),
    "costs": wl.C45Classifier(costs=[[0, 1, 2], [3, 0, 1], [1, 1, 0]], max_bins=5),
}


def table_of(seed: int, n_rows: int, missing: float) -> tuple[NDArray[Any], NDArray[Any]]:
    random = np.random.default_rng(seed)
    X = np.rint(random.normal(scale=4, size=(n_rows, 3)))
    y = (X[:, 0] + random.normal(scale=2, size=n_rows) > 0).astype(int) + (X[:, 1] > 2)
    y[:3] = 0, 1, 2
    X[random.random(X.shape) < missing] = np.nan
    X[0] = 0.0
    return X, y


@pytest.mark.parametrize("name", LEARNERS)
@given(seed=st.integers(0, 10**6), n_rows=st.integers(4, 80), missing=st.sampled_from([0.0, 0.2]))
@pytest.mark.filterwarnings("ignore")
def test_a_fit_without_weights_is_that_of_weights_of_one(
    name: str, seed: int, n_rows: int, missing: float
) -> None:
    X, y = table_of(seed, n_rows, missing)
    learner = LEARNERS[name]
    without = learner.fit(X, y).tree_.to_dict()
    assert learner.fit(X, y, np.ones(n_rows)).tree_.to_dict() == without


def fit_topdown(
    dataset: _core.Dataset, weights: NDArray[np.float64], **options: Any
) -> dict[str, bytes]:
    """Return the arrays of a tree."""
    graph = _core.fit_topdown(
        dataset,
        weights,
        **{
            "criterion": "km",
            "impurities": np.zeros(0),
            "n_rounds": 6,
            "max_depth": 100,
            "min_objects": 1.0,
            "grouping": False,
            "prune": False,
            "confidence": 0.25,
            **options,
        },
    )
    return {name: array.tobytes() for name, array in graph.arrays().items()}


def dataset_of(seed: int, n_rows: int) -> _core.Dataset:
    X, y = table_of(seed, n_rows, 0.0)
    columns = [np.ascontiguousarray(column) for column in X.T]
    return _core.Dataset(columns, [0, 0, 0], y.astype(np.int32), 3, max_bins=5)


@given(seed=st.integers(0, 10**6), n_rows=st.integers(4, 80))
def test_weights_may_be_rounded_in_place(seed: int, n_rows: int) -> None:
    dataset = dataset_of(seed, n_rows)
    weights = np.random.default_rng(seed).random(n_rows) + 0.1
    changed = weights.copy()
    kept = fit_topdown(dataset, weights)
    in_place = fit_topdown(dataset, changed, rounded=changed)
    assert in_place == kept
    assert np.allclose(changed, weights, rtol=2.0**-40, atol=0)


def test_weights_are_rounded_in_place() -> None:
    weights = np.full(30, 1 / 3)
    weights[0] = 2.0**-20 / 3  # its last digits are below the unit
    changed = weights.copy()
    fit_topdown(dataset_of(0, 30), changed, rounded=changed)
    assert (changed != weights).any()


def test_weights_that_cannot_be_used() -> None:
    dataset, ones = dataset_of(0, 30), np.ones(30)
    with pytest.raises(ValueError, match="one weight per row"):
        fit_topdown(dataset, np.zeros(0))
    with pytest.raises(ValueError, match="one weight per row"):
        fit_topdown(dataset, np.broadcast_to(1.0, (29,)))
    with pytest.raises(ValueError, match="sum to more than 0"):
        fit_topdown(dataset, np.broadcast_to(0.0, (30,)))
    with pytest.raises(ValueError, match="rounded"):
        fit_topdown(dataset, ones, rounded=np.ones(29))
    with pytest.raises(ValueError, match="pruned"):
        fit_topdown(dataset, ones, rounded=np.ones(30), prune=True)


def test_weights_with_gaps_in_memory() -> None:
    dataset, random = dataset_of(1, 30), np.random.default_rng(0)
    weights = random.random(60)
    apart = fit_topdown(dataset, weights[::2])
    assert apart == fit_topdown(dataset, weights[::2].copy())
    backwards = fit_topdown(dataset, weights[:30][::-1])
    together = fit_topdown(dataset, weights[:30][::-1].copy())
    assert backwards == together
