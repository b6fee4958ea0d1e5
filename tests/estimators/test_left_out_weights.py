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


def fit_c45(dataset: _core.Dataset, weights: NDArray[Any], **options: Any) -> dict[str, bytes]:
    """Return the arrays of a pruned tree."""
    graph = _core.fit_c45(dataset, weights, **options)
    return {name: array.tobytes() for name, array in graph.arrays().items()}


def dataset_of(seed: int, n_rows: int, max_bins: int = 5) -> _core.Dataset:
    X, y = table_of(seed, n_rows, 0.0)
    columns = [np.ascontiguousarray(column) for column in X.T]
    return _core.Dataset(columns, [0, 0, 0], y.astype(np.int32), 3, max_bins=max_bins)


@given(
    seed=st.integers(0, 10**6),
    n_rows=st.integers(4, 80),
    scale=st.sampled_from([1 / 3, 0.1, 2.0, 1e4]),
    max_bins=st.sampled_from([0, 5, 60]),
)
def test_products_give_the_tree_of_their_values(
    seed: int, n_rows: int, scale: float, max_bins: int
) -> None:
    dataset = dataset_of(seed, n_rows, max_bins)
    weights = np.random.default_rng(seed).random(n_rows) + 0.1
    weights[:: 2 + seed % 7] *= seed % 3  # some are 0
    assert fit_topdown(dataset, weights, scale=scale) == fit_topdown(dataset, weights * scale)
    assert fit_c45(dataset, weights, scale=scale) == fit_c45(dataset, weights * scale)


@given(
    seed=st.integers(0, 10**6),
    n_rows=st.integers(4, 80),
    max_bins=st.sampled_from([0, 5, 60]),
)
def test_counts_may_be_bytes(seed: int, n_rows: int, max_bins: int) -> None:
    dataset = dataset_of(seed, n_rows, max_bins)
    counts = np.random.default_rng(seed).integers(0, 3, n_rows).astype(np.uint8)
    counts[0] = 255 if seed % 2 else 1
    numbers = counts.astype(np.float64)
    assert fit_topdown(dataset, counts) == fit_topdown(dataset, numbers)
    assert fit_c45(dataset, counts) == fit_c45(dataset, numbers)
    assert fit_c45(dataset, counts, release8=True) == fit_c45(dataset, numbers, release8=True)


@pytest.mark.parametrize("scale", [1.0, 1 / 3])
def test_weights_and_counts_in_a_table_of_many_rows(scale: float) -> None:
    """Large nodes are counted in blocks of rows, small subtrees of C4.5 are grown on copies."""
    X, y = table_of(1, 150_000, 0.0)
    X = X + np.random.default_rng(2).random(X.shape)
    columns = [np.ascontiguousarray(column) for column in X.T]
    dataset = _core.Dataset(columns, [0, 0, 0], y.astype(np.int32), 3, max_bins=255)
    counts = np.random.default_rng(3).integers(0, 4, len(y)).astype(np.uint8)
    weights = np.random.default_rng(4).random(len(y))
    for fit in (fit_topdown, fit_c45):
        assert fit(dataset, weights, scale=scale) == fit(dataset, weights * scale)
        assert fit(dataset, counts) == fit(dataset, counts.astype(np.float64))


@given(seed=st.integers(0, 10**6), n_rows=st.integers(4, 80))
def test_leaves_may_be_bytes(seed: int, n_rows: int) -> None:
    dataset, weights = dataset_of(seed, n_rows), np.random.default_rng(seed).random(n_rows) + 0.1
    as_bytes, as_numbers = np.zeros(n_rows, np.uint8), np.zeros(n_rows, np.int32)
    fit_topdown(dataset, weights, leaves=as_bytes)
    fit_topdown(dataset, weights, leaves=as_numbers)
    assert as_bytes.tolist() == as_numbers.tolist()
    weights[0] = 0.0  # leaves are not known if a row is absent
    fit_topdown(dataset, weights, leaves=as_bytes)
    assert (as_bytes == 255).all()


def test_leaves_that_do_not_fit_in_bytes() -> None:
    dataset, ones = dataset_of(0, 30), np.ones(30)
    assert _core.leaves_fit_in_bytes(dataset, 63, grouping=False)
    assert not _core.leaves_fit_in_bytes(dataset, 64, grouping=False)
    assert not _core.leaves_fit_in_bytes(dataset, 2**64 - 1, grouping=False)
    with pytest.raises(ValueError, match="more nodes than a byte"):
        fit_topdown(dataset, ones, n_rounds=64, leaves=np.zeros(30, np.uint8))
    codes = np.array([0, 1, 2] * 5, dtype=np.int32)
    nominal = _core.Dataset([codes], [3], codes % 2, 2)
    assert _core.leaves_fit_in_bytes(nominal, 5, grouping=True)
    assert not _core.leaves_fit_in_bytes(nominal, 5, grouping=False)


def test_weights_that_cannot_be_used() -> None:
    dataset, ones = dataset_of(0, 30), np.ones(30)
    with pytest.raises(ValueError, match="one weight per row"):
        fit_topdown(dataset, np.zeros(0))
    with pytest.raises(ValueError, match="one weight per row"):
        fit_topdown(dataset, np.broadcast_to(1.0, (29,)))
    with pytest.raises(ValueError, match="sum to more than 0"):
        fit_topdown(dataset, np.broadcast_to(0.0, (30,)))
    with pytest.raises(ValueError, match="one weight per row"):
        fit_topdown(dataset, np.ones(29, np.uint8))
    with pytest.raises(ValueError, match="sum to more than 0"):
        fit_topdown(dataset, np.zeros(30, np.uint8))
    with pytest.raises(ValueError, match="sum to more than 0"):
        fit_topdown(dataset, ones, scale=0.0)
    with pytest.raises(ValueError, match="counts have no scale"):
        fit_topdown(dataset, np.ones(30, np.uint8), scale=2.0)


def test_weights_with_gaps_in_memory() -> None:
    dataset, random = dataset_of(1, 30), np.random.default_rng(0)
    weights = random.random(60)
    apart = fit_topdown(dataset, weights[::2])
    assert apart == fit_topdown(dataset, weights[::2].copy())
    backwards = fit_topdown(dataset, weights[:30][::-1])
    together = fit_topdown(dataset, weights[:30][::-1].copy())
    assert backwards == together
