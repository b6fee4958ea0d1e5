"""Bad calls of the compiled module itself raise an exception and never crash."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import weaklearn as wl
from weaklearn import _core
from weaklearn.encoding import Dataset, EncodedRows
from weaklearn.schema import Feature, Schema

NUMBERS = np.arange(4.0)
CODES = np.array([0, 1, -1, 0], dtype=np.int32)
CLASSES = np.array([0, 0, 1, 1], dtype=np.int32)
ONES = np.ones(4)
ANY_ERROR = (ValueError, TypeError, RuntimeError)

BAD_DATASETS: dict[str, tuple[Any, ...]] = {
    "single floats": ([NUMBERS.astype(np.float32)], [0], CLASSES, 2),
    "long codes": ([CODES.astype(np.int64)], [2], CLASSES, 2),
    "two dimensions": ([NUMBERS.reshape(2, 2)], [0], CLASSES, 2),
    "objects": ([NUMBERS.astype(object)], [0], CLASSES, 2),
    "other byte order": ([NUMBERS.astype(">f8")], [0], CLASSES, 2),
    "no array": ([None], [0], CLASSES, 2),
    "short column": ([NUMBERS[:3]], [0], CLASSES, 2),
    "short codes": ([CODES[:3]], [2], CLASSES, 2),
    "more values than columns": ([NUMBERS], [0, 2], CLASSES, 2),
    "fewer values than columns": ([NUMBERS, CODES], [0], CLASSES, 2),
    "negative number of values": ([CODES], [-1], CLASSES, 2),
    "infinity": ([np.array([0.0, np.inf, 1.0, 2.0])], [0], CLASSES, 2),
    "negative class": ([NUMBERS], [0], -CLASSES, 2),
    "class out of range": ([NUMBERS], [0], CLASSES, 1),
    "no class": ([NUMBERS], [0], CLASSES, 0),
    "classes in two dimensions": ([NUMBERS], [0], CLASSES.reshape(2, 2), 2),
    "beyond single precision": ([NUMBERS * 1e300], [0], CLASSES, 2, True),
}


@pytest.mark.parametrize("arguments", BAD_DATASETS.values(), ids=BAD_DATASETS.keys())
def test_bad_datasets(arguments: tuple[Any, ...]) -> None:
    with pytest.raises(ANY_ERROR):
        _core.Dataset(*arguments)


def dataset() -> _core.Dataset:
    return _core.Dataset([NUMBERS, CODES], [0, 2], CLASSES, 2)


BAD_GROWTH: dict[str, tuple[Any, dict[str, Any]]] = {
    "few weights": (ONES[:3], {}),
    "negative weights": (-ONES, {}),
    "nan weights": (ONES * np.nan, {}),
    "infinite weights": (ONES * np.inf, {}),
    "zero weights": (ONES * 0, {}),
    "two dimensions": (ONES.reshape(2, 2), {}),
    "criterion": (ONES, {"criterion": "gain_ratio"}),
    "min_objects": (ONES, {"min_objects": np.nan}),
    "negative min_objects": (ONES, {"min_objects": -1.0}),
    "confidence 0": (ONES, {"confidence": 0.0}),
    "confidence nan": (ONES, {"confidence": np.nan}),
    "confidence above 1": (ONES, {"confidence": 1.01}),
    "negative depth": (ONES, {"max_depth": -1}),
    "release8 with gini": (ONES, {"criterion": "gini", "release8": True}),
}


@pytest.mark.parametrize(("weights", "options"), BAD_GROWTH.values(), ids=BAD_GROWTH.keys())
def test_bad_growth(weights: Any, options: dict[str, Any]) -> None:
    with pytest.raises(ANY_ERROR):
        _core.fit_c45(dataset(), weights, **options)


@pytest.mark.parametrize("weights", [w for w, options in BAD_GROWTH.values() if not options])
def test_bad_weights_of_a_stump(weights: Any) -> None:
    with pytest.raises(ANY_ERROR):
        _core.fit_stump(dataset(), weights)


def test_unusual_but_valid_input() -> None:
    none = np.zeros(0, dtype=np.int32)
    with pytest.raises(ValueError, match="sum to more than 0"):
        _core.fit_c45(_core.Dataset([NUMBERS[:0]], [0], none, 1), ONES[:0])
    assert _core.fit_c45(_core.Dataset([], [], CLASSES, 2), ONES).depth == 0
    assert _core.fit_c45(_core.Dataset([CODES], [0], CLASSES, 2), ONES).depth == 0
    assert _core.fit_stump(_core.Dataset([], [], CLASSES, 2), ONES).depth == 0
    assert _core.fit_stump(_core.Dataset([CODES], [0], CLASSES, 2), ONES).depth == 0
    assert _core.fit_stump(dataset(), ONES, n_threads=0).depth == 1
    # Codes beyond the declared values are missing.
    beyond = _core.Dataset([CODES + 1000], [2], CLASSES, 2)
    assert _core.fit_c45(beyond, ONES, min_objects=1.0).depth == 0
    with pytest.raises(ValueError, match="too many values"):
        _core.fit_c45(_core.Dataset([CODES], [1001], CLASSES, 2), ONES, subset=True, release8=True)
    assert _core.fit_c45(dataset(), ONES, min_objects=0.0, prune=False, n_threads=0).depth == 1


BAD_ROWS: dict[str, tuple[Any, int]] = {
    "few columns": ([NUMBERS], 4),
    "more columns": ([NUMBERS, CODES, CODES], 4),
    "swapped": ([CODES, NUMBERS], 4),
    "single floats": ([NUMBERS.astype(np.float32), CODES], 4),
    "more rows than there are": ([NUMBERS, CODES], 5),
    "short codes": ([NUMBERS, CODES[:2]], 4),
    "negative": ([NUMBERS, CODES], -1),
    "beyond 32 bits": ([NUMBERS, CODES], 2**32),
    "nothing": ([None, None], 4),
}


@pytest.mark.parametrize(("columns", "n_rows"), BAD_ROWS.values(), ids=BAD_ROWS.keys())
@pytest.mark.parametrize("method", ["predict_members", "class_shares", "apply", "decision_path"])
def test_bad_rows(method: str, columns: Any, n_rows: int) -> None:
    tree = _core.fit_c45(dataset(), ONES, min_objects=1.0, prune=False)
    assert tree.depth == 1
    with pytest.raises(ANY_ERROR):
        getattr(_core.Forest([tree]), method)(columns, n_rows)


@pytest.mark.parametrize(("columns", "n_rows"), BAD_ROWS.values(), ids=BAD_ROWS.keys())
def test_bad_rows_of_shap_values(columns: Any, n_rows: int) -> None:
    tree = _core.fit_c45(dataset(), ONES, min_objects=1.0, prune=False)
    with pytest.raises(ANY_ERROR):
        _core.shap_values([tree], ONES[:1], columns, n_rows)


@pytest.mark.parametrize("votes", [ONES[:0], ONES[:2], ONES[:1] * np.nan, ONES[:1] * np.inf])
def test_bad_votes_of_shap_values(votes: Any) -> None:
    tree = _core.fit_c45(dataset(), ONES, min_objects=1.0, prune=False)
    with pytest.raises(ValueError, match="votes"):
        _core.shap_values([tree], votes, [NUMBERS, CODES], 4)
    with pytest.raises(ValueError, match="got no graph"):
        _core.shap_values([], ONES[:0], [NUMBERS, CODES], 4)


def test_codes_out_of_range_are_missing_in_prediction() -> None:
    nominal = np.array([0, 0, 1, 1], dtype=np.int32)
    tree = _core.fit_c45(_core.Dataset([nominal], [2], CLASSES, 2), ONES, prune=False)
    assert tree.depth == 1
    wild = np.array([0, 1, -1, 2, 2**31 - 1, -(2**31)], dtype=np.int32)
    shares = _core.Forest([tree]).class_shares([wild], len(wild)).reshape(-1, 2)
    assert shares.tolist() == [[1, 0], [0, 1], *[[0.5, 0.5]] * 4]


def test_two_to_the_31_rows_are_refused_before_copying() -> None:
    resource = pytest.importorskip("resource", reason="memory is measured as on POSIX systems")
    n_rows = 2**31  # a single number with stride 0, so no memory of that size is needed
    numbers = np.broadcast_to(np.float64(0), n_rows)
    classes = np.broadcast_to(np.int32(0), n_rows)
    schema = Schema((Feature("a", "continuous"),), ("no", "yes"))
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    message = "got 2,147,483,648 rows; expected at most 2,147,483,647. Train on a sample."
    with pytest.raises(ValueError, match=re.escape(message)):
        Dataset(EncodedRows([numbers], n_rows), schema, classes)
    after = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert after - before < 2**18, "the rows were copied before they were refused"  # in KiB


def test_more_threads_than_the_system_has() -> None:
    X, y = np.arange(4.0).reshape(-1, 1), [0, 0, 1, 1]
    one = wl.C45Classifier(min_objects=1).fit(X, y)
    many = wl.C45Classifier(min_objects=1, n_jobs=5000).fit(X, y)
    assert one.tree_ == many.tree_
    assert (many.predict(X) == y).all()


def test_a_depth_beyond_any_tree_is_no_limit() -> None:
    X, y = np.arange(4.0).reshape(-1, 1), [0, 0, 1, 1]
    assert wl.C45Classifier(max_depth=2**40).fit(X, y).tree_ == wl.C45Classifier().fit(X, y).tree_


def test_confidences_beyond_all_percent_are_refused() -> None:
    assert _core.extra_errors_release8(100, 10, 2) == 0.5
    for percent, n, e in (
        (-1, 10, 2),
        (100.5, 10, 2),
        (float("nan"), 10, 2),
        (25, 0, 0),
        (25, 2, 3),
    ):
        with pytest.raises(ValueError, match="expected percent in"):
            _core.extra_errors_release8(percent, n, e)
