"""Samples are drawn by weight; each round has its own, and the same seed draws the same."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from weaklearn.boosting.sampling import (
    MOST_DRAWS,
    as_bytes_if_small,
    draw_counts,
    draw_small_counts,
    sample_size,
)


def test_rows_are_drawn_in_proportion_to_their_weights() -> None:
    weights = np.array([1.0, 0.0, 2.0, 0.0, 5.0])
    counts = draw_counts(weights, 80_000, 1, 2)
    assert counts.sum() == 80_000
    assert counts[[1, 3]].tolist() == [0, 0]
    expected = 80_000 * weights / weights.sum()
    deviation = np.sqrt(expected * (1 - weights / weights.sum()))
    assert (np.abs(counts - expected) <= 4 * deviation).all()


def test_each_seed_and_round_has_its_own_sample() -> None:
    def sample(seed: int, number: int) -> tuple[float, ...]:
        return tuple(draw_counts(np.ones(50), 50, seed, number))

    assert sample(3, 4) == sample(3, 4)
    assert len({sample(seed, number) for seed in range(5) for number in range(5)}) == 25


def test_tiny_weights_and_weights_of_different_size() -> None:
    assert draw_counts(np.array([5e-324, 0.0]), 3, 0, 0).tolist() == [3, 0]
    assert draw_counts(np.array([1e-300, 1e300, 0.0]), 9, 0, 0).tolist() == [0, 9, 0]


def test_a_sample_has_as_many_rows_as_the_weights_count() -> None:
    assert sample_size(np.array([0.4, 0.7, 1.5])) == 3
    assert sample_size(np.array([1e-310])) == 1
    assert sample_size(np.array([MOST_DRAWS / 2] * 2)) == MOST_DRAWS


@given(
    weights=st.one_of(
        st.lists(st.sampled_from([0.0, 1.0, 0.5, 3.0, 1e-9]), min_size=1, max_size=30).filter(any),
        st.integers(1, 30).map(lambda n_rows: [1.0] * n_rows),
    ),
    n_draws=st.integers(1, 50),
)
def test_each_draw_takes_the_row_whose_part_of_the_total_it_falls_into(
    weights: list[float], n_draws: int
) -> None:
    ends = np.cumsum(weights)
    expected = np.zeros(len(weights))
    for number in np.random.default_rng([5, 6]).random(n_draws) * ends[-1]:
        row = next((i for i, end in enumerate(ends) if number < end), None)
        expected[np.flatnonzero(weights)[-1] if row is None else row] += 1
    assert draw_counts(np.array(weights), n_draws, 5, 6).tolist() == expected.tolist()


def test_small_counts_are_the_same_as_bytes() -> None:
    for weights in (np.ones(50), np.arange(50.0)):
        small = draw_small_counts(weights, 60, 3, 1)
        assert small.dtype == np.uint8
        assert small.tolist() == draw_counts(weights, 60, 3, 1).tolist()
    # 600 draws of two rows do not fit in bytes.
    for weights in (np.ones(2), np.array([1.0, 3.0])):
        large = draw_small_counts(weights, 600, 3, 1)
        assert large.dtype == np.float64
        assert large.tolist() == draw_counts(weights, 600, 3, 1).tolist()
        assert large.sum() == 600


def test_counts_that_are_not_whole_or_not_small_stay_numbers() -> None:
    for counts in ([0.5, 1.0], [256.0], [1e300]):
        assert as_bytes_if_small(np.array(counts)).tolist() == counts
    assert as_bytes_if_small(np.array([255.0, 0.0])).tolist() == [255, 0]
