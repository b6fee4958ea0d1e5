"""Bins of columns that are read in parts, and datasets of codes that were made elsewhere."""

import pickle
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from weaklearn import _core

numbers_of_rows = st.lists(
    st.one_of(
        st.integers(-3, 3).map(float),
        st.just(-0.0),
        st.just(float("nan")),
        st.floats(allow_infinity=False, allow_nan=False),
    ),
    min_size=1,
    max_size=60,
)


def summarize(
    numbers: np.ndarray, max_bins: int, cuts: list[int], n_known: int = 0
) -> _core.BinSummary:
    """Add the parts between the cuts to summaries of their own, and merge these backwards."""
    edges = [0, *sorted(min(cut, len(numbers)) for cut in cuts), len(numbers)]
    parts = []
    for first, end in pairwise(edges):
        part = _core.BinSummary(max_bins, n_known)
        part.add(numbers[first:end], first)
        parts.append(pickle.loads(pickle.dumps(part)))
    total = parts.pop()
    for part in reversed(parts):
        total.merge(part)
    return total


@settings(max_examples=150, deadline=None)
@given(
    numbers_of_rows,
    st.integers(2, 8),
    st.lists(st.integers(0, 60), max_size=4),
    st.booleans(),
    st.booleans(),
)
def test_datasets_of_codes_are_those_of_numbers(rows, max_bins, cuts, exact, is_known):
    numbers = np.array(rows)
    classes = np.arange(len(rows), dtype=np.int32) % 3
    kinds = (np.arange(len(rows)) // 2 % 4).astype(np.int32)
    in_memory = _core.Dataset(
        [numbers, kinds], [0, 3], classes, 3, exact=[0] if exact else [], max_bins=max_bins
    )
    n_known = int(np.count_nonzero(~np.isnan(numbers))) if is_known else 0
    summary = summarize(numbers, max_bins, cuts, n_known)
    assert (summary.n_rows, summary.n_missing) == (len(rows), np.isnan(numbers).sum())
    bins = pickle.loads(pickle.dumps(summary.bins(exact)))
    codes = bins.codes(numbers)
    codes_of_kinds = np.minimum(kinds, 3).astype(np.uint8)
    from_codes = _core.Dataset.from_codes([codes, codes_of_kinds], [bins, None], [0, 3], classes, 3)

    assert from_codes.nbytes == in_memory.nbytes
    assert (
        from_codes.single_precision == in_memory.single_precision == [bins.single_precision, True]
    )
    weights = np.ones(len(rows))
    options = {"prune": False, "min_objects": 1.0}
    first, second = (_core.fit_c45(d, weights, **options).arrays() for d in (in_memory, from_codes))
    assert {name: array.tobytes() for name, array in first.items()} == {
        name: array.tobytes() for name, array in second.items()
    }

    known = numbers[~np.isnan(numbers)]
    with np.errstate(over="ignore"):
        seen = known.astype(np.float32).astype(float) if bins.single_precision else known
    distinct = np.unique(seen)
    assert np.array_equal(bins.codes(known), np.searchsorted(bins.tops, seen))
    assert set(bins.tops) <= set(distinct)
    if len(np.unique(known)) <= max_bins:
        assert np.array_equal(bins.tops, distinct)


@settings(max_examples=50, deadline=None)
@given(st.lists(numbers_of_rows, min_size=1, max_size=4), st.integers(2, 8))
def test_columns_that_are_read_together_are_those_that_are_read_one_by_one(table, max_bins):
    n_rows = min(map(len, table))
    rows = np.array([column[:n_rows] for column in table]).T.copy()  # row by row
    columns = list(rows.T)
    together = [_core.BinSummary(max_bins) for _ in columns]
    _core.add_to_summaries(together, columns, 7)
    with_ranges = [_core.BinSummary(max_bins) for _ in columns]
    _core.add_to_summaries(with_ranges, columns, 7, _core.ranges_of_columns(columns))
    assert pickle.dumps(with_ranges) == pickle.dumps(together)
    bins = []
    for summary, column in zip(together, columns, strict=True):
        alone = _core.BinSummary(max_bins)
        alone.add(column, 7)
        assert pickle.dumps(alone) == pickle.dumps(summary)
        bins.append(alone.bins())
    exact = [position % 2 == 1 for position in range(len(columns))]
    alone_as_asked = [summary.bins(own) for summary, own in zip(together, exact, strict=True)]
    for n_threads in (1, 3):
        made = _core.bins_of_columns([[summary] for summary in together], exact, n_threads)
        assert pickle.dumps(made) == pickle.dumps(alone_as_asked)
    for codes, own, column in zip(
        _core.codes_of_columns(bins, columns), bins, columns, strict=True
    ):
        assert codes.dtype == np.uint8
        assert np.array_equal(codes, own.codes(column))
    for (lowest, highest, n_known), column in zip(
        _core.ranges_of_columns(columns), columns, strict=True
    ):
        known = column[~np.isnan(column)]
        assert n_known == len(known)
        assert lowest == min(known, default=np.inf)
        assert highest == max(known, default=-np.inf)


def test_a_known_number_of_rows_keeps_summaries_small():
    random = np.random.default_rng(0)
    numbers = random.normal(size=400_000)
    numbers[random.random(len(numbers)) < 0.2] = np.nan
    n_known = int(np.count_nonzero(~np.isnan(numbers)))
    cuts = [50_000, 51_000, 200_000, 300_000]
    whole = _core.BinSummary(255)
    whole.add(numbers, 0)
    expected = whole.bins().tops
    for known in (0, n_known):
        assert np.array_equal(summarize(numbers, 255, cuts, known).bins().tops, expected)
    with pytest.raises(ValueError, match="another number of rows"):
        summarize(numbers, 255, cuts, n_known + 1).bins()
    parts = [_core.BinSummary(255, n_known) for _ in range(4)]
    for part, first in zip(parts, range(0, 400_000, 100_000), strict=True):
        part.add(numbers[first : first + 100_000], first)
    assert np.array_equal(_core.BinSummary.merged(parts).bins().tops, expected)
    n_bytes = [len(pickle.dumps(part)) for part in parts]
    assert sum(n_bytes) < 1.1 * 65_536 * 8  # all together have the rows of one summary


def test_columns_of_different_lengths_are_an_error():
    with pytest.raises(ValueError, match="different lengths"):
        _core.ranges_of_columns([np.zeros(2), np.zeros(3)])
    with pytest.raises(ValueError, match="one summary"):
        _core.add_to_summaries([], [np.zeros(2)], 0)
    with pytest.raises(ValueError, match="one summary"):
        _core.add_to_summaries([_core.BinSummary(2)], [np.zeros(2)], 0, [(0.0, 0.0, 2)] * 2)
    with pytest.raises(ValueError, match="bins are needed"):
        _core.codes_of_columns([], [np.zeros(2)])


def test_wide_codes():
    numbers = np.random.default_rng(0).random(5000)
    summary = _core.BinSummary(1000)
    summary.add(numbers, 0)
    bins = summary.bins()
    codes = bins.codes(numbers)
    assert bins.n_codes == 1000
    assert codes.dtype == np.uint16
    classes = (numbers > 0.3).astype(np.int32)
    from_codes = _core.Dataset.from_codes([codes], [bins], [0], classes, 2)
    assert from_codes.nbytes == _core.Dataset([numbers], [0], classes, 2, max_bins=1000).nbytes


def test_wrong_summaries():
    summary = _core.BinSummary(4)
    with pytest.raises(ValueError, match="infinite"):
        summary.add(np.array([np.inf]), 0)
    with pytest.raises(ValueError, match="different max_bins"):
        summary.merge(_core.BinSummary(5))
    with pytest.raises(ValueError, match="no summary"):
        _core.BinSummary.merged([])
    with pytest.raises(ValueError, match="with itself"):
        summary.merge(summary)
    with pytest.raises(ValueError, match="2 or more"):
        _core.BinSummary(1)
    empty = _core.BinSummary(4).bins()
    assert empty.codes(np.array([np.nan])).tolist() == [0]


def test_codes_that_no_encoding_gives():
    classes = np.zeros(2, dtype=np.int32)

    def make(codes: np.ndarray, n_values: int) -> None:
        _core.Dataset.from_codes([codes], [None], [n_values], classes, 1)

    make(np.array([0, 2], dtype=np.uint8), 2)
    with pytest.raises(ValueError, match="column 0: a code is out of range"):
        make(np.array([0, 3], dtype=np.uint8), 2)
    with pytest.raises(ValueError, match="wrong width"):
        make(np.array([0, 1], dtype=np.uint16), 2)
    with pytest.raises(ValueError, match="wrong width"):
        make(np.array([0, 1], dtype=np.uint8), 256)
    with pytest.raises(ValueError, match="has 3 rows, the classes 2"):
        make(np.array([0, 1, 0], dtype=np.uint8), 2)
    with pytest.raises(ValueError, match="uint8, uint16 or uint32"):
        make(np.array([0.0, 1.0]), 2)


@pytest.mark.parametrize("kind", ["normal", "skewed", "huge", "two", "one", "integers"])
def test_codes_of_many_numbers_are_found_as_those_of_few(kind):
    # Many numbers are looked up in a grid, few by a binary search.
    random = np.random.default_rng(0)
    numbers = {
        "normal": random.normal(size=40_000),
        "skewed": np.exp(random.normal(0, 4, size=40_000)),
        "huge": random.choice([-1.7e308, -1.0, 0.0, 1e-300, 1.0, 1.7e308], 40_000),
        "two": random.choice([-3.0, 5.0], 40_000),
        "one": np.full(40_000, 2.5),
        "integers": random.integers(0, 2000, 40_000).astype(float),
    }[kind]
    numbers[random.random(len(numbers)) < 0.1] = np.nan
    summary = _core.BinSummary(200)
    summary.add(numbers, 0)
    bins = summary.bins()
    tops = np.array(bins.tops)
    asked = np.concatenate([numbers, tops, np.nextafter(tops, np.inf), np.nextafter(tops, -np.inf)])
    codes = bins.codes(asked)
    parts = [bins.codes(part) for part in np.array_split(asked, 50)]
    assert (codes == np.concatenate(parts)).all()
    compared = asked.astype(np.float32).astype(float) if bins.single_precision else asked
    expected = np.minimum(np.searchsorted(tops, compared), len(tops) - 1)
    assert (codes == np.where(np.isnan(asked), len(tops), expected)).all()
