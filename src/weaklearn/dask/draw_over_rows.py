"""Samples of rows that are on workers, the same as a local fit draws.

Every worker runs the generator of the whole sample, a block at a time, and keeps the draws that hit
its own rows. So it needs memory for its own rows only.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.boosting.sampling import (
    END_OF_KEYS,
    HELD_BACK,
    draw_keys,
    n_held_back,
    rounded_to_unit,
    too_few_to_hold_back,
)
from weaklearn.dask.cluster_tasks import add_arrays
from weaklearn.dask.encode_parts import EncodedPart
from weaklearn.dask.fit_over_rows import find_unit
from weaklearn.dask.rows_on_workers import OfParts, RowsOnWorkers, join_lists

_BLOCK = 1 << 18
#: Digits of keys have so many bits. They start at these bits; keys have 53.
_DIGIT = 11
_SHIFTS = (44, 33, 22, 11, 0)

#: The index of the first row of a piece, with the sum of its rounded weights.
PieceSum = tuple[int, float]


class Drawing:
    """Draws rows with replacement, with probabilities in proportion to their weights.

    Parameters
    ----------
    rows : RowsOnWorkers
        The rows.
    weights : OfParts
        Their weights.
    n_draws : int
        How many rows are drawn.
    seed : int
        The fit's seed.
    """

    def __init__(self, rows: RowsOnWorkers, weights: OfParts, n_draws: int, seed: int) -> None:
        self._rows = rows
        self._n_draws = n_draws
        self._seed = seed
        unit = find_unit(rows, weights).core.value
        self._ends = rows.map(_ends_of_rows, rows.parts, weights, unit)
        sums: list[PieceSum] = sorted(rows.merge(join_lists, _piece_sums, rows.parts, self._ends))
        ends = np.cumsum([total for _, total in sums])  # exact, in any order
        starts = np.append(0.0, ends[:-1])
        self._starts = {row: float(start) for (row, _), start in zip(sums, starts, strict=True)}
        self._total = float(ends[-1])

    def __call__(self, *number: int) -> OfParts:
        """Draw the sample that these numbers identify: how often each row was drawn."""
        return self._rows.map(
            _draw,
            self._rows.parts,
            self._ends,
            self._starts,
            self._total,
            self._n_draws,
            [self._seed, *number],
        )


class DrawingWithoutReplacement:
    """Draws rows without replacement: see `weaklearn.boosting.sampling.draw_without_replacement`.

    The parameters are those of `Drawing`.
    """

    def __init__(self, rows: RowsOnWorkers, weights: OfParts, n_draws: int, seed: int) -> None:
        self._rows = rows
        self._weights = weights
        self._n_draws = n_draws
        self._seed = seed
        self._rounded = rows.map(_rounded, weights, find_unit(rows, weights).core.value)

    def __call__(self, *number: int) -> OfParts:
        """Draw the sample that these numbers identify: the weight of each drawn row."""
        rows = self._rows
        keys = draw_keys_on_workers(rows, [self._seed, *number])
        end = end_of_keys_on_workers(rows, keys, self._rounded, self._n_draws)
        return rows.map(_weights_before, keys, self._weights, end)


def draw_keys_on_workers(rows: RowsOnWorkers, seeds: list[int]) -> OfParts:
    """Draw a key for each row, as `weaklearn.boosting.sampling.draw_keys` does."""
    return rows.map(_draw_keys, rows.parts, seeds)


def end_of_keys_on_workers(
    rows: RowsOnWorkers, keys: OfParts, weights: OfParts, n_draws: int
) -> int:
    """Return the end of a sample: see `weaklearn.boosting.sampling.end_of_keys`.

    Rows of weight 0 are absent. The digits of the first key beyond the sample are found one after
    the other, the highest first.
    """
    first_beyond, weight_below = 0, 0.0
    for shift in _SHIFTS:
        sums = rows.merge(add_arrays, _weights_by_digit, keys, weights, first_beyond, shift)
        ends = weight_below + np.cumsum(sums)
        digit = int(np.searchsorted(ends, n_draws + 0.5))
        if digit == len(ends):
            return END_OF_KEYS
        weight_below = float(ends[digit - 1]) if digit else weight_below
        first_beyond += digit << shift
    return first_beyond if weight_below else first_beyond + 1


def hold_back_on_workers(rows: RowsOnWorkers, weights: OfParts, share: float, seed: int) -> OfParts:
    """Return the weights of the rows to hold back: see `weaklearn.boosting.sampling.hold_back`."""
    keys = draw_keys_on_workers(rows, [seed, HELD_BACK])
    n_classes = len(rows.encoding.schema.classes)
    n_rows = rows.merge(add_arrays, _count_classes, rows.parts, weights, n_classes)
    ends = []
    for class_index, n_of_class in enumerate(n_rows.astype(int).tolist()):
        end, n_held = 0, n_held_back(share, n_of_class)
        if n_held:
            of_class = rows.map(_is_of_class, rows.parts, weights, class_index)
            end = end_of_keys_on_workers(rows, keys, of_class, n_held)
        ends.append(end)
    if not any(ends):
        raise too_few_to_hold_back(share)
    return rows.map(_weights_before_ends, rows.parts, keys, weights, np.array(ends, np.uint64))


def _ends_of_rows(
    part: EncodedPart, weights: NDArray[np.float64], unit: float
) -> list[NDArray[np.float64]]:
    """Return the sums of the rounded weights up to each row, piece by piece."""
    return [np.cumsum(piece) for piece in part.split_by_piece(_rounded(weights, unit))]


def _piece_sums(part: EncodedPart, ends: list[NDArray[np.float64]]) -> list[PieceSum]:
    return [
        (first, float(own[-1]))
        for (first, _), own in zip(part.pieces, ends, strict=True)
        if len(own)
    ]


def _draw(
    part: EncodedPart,
    ends: list[NDArray[np.float64]],
    starts: dict[int, float],
    total: float,
    n_draws: int,
    seeds: list[int],
) -> NDArray[np.float64]:
    """Return how often each row of a part is drawn."""
    counts = np.zeros(len(part.classes))
    # The pieces are in the order of the table, so that all ends are ascending.
    pieces = [
        (starts[first], own) for (first, _), own in zip(part.pieces, ends, strict=True) if len(own)
    ]
    if not pieces:
        return counts
    ends_of_rows = np.concatenate([start + own for start, own in pieces])
    bounds = np.array([bound for start, own in pieces for bound in (start, start + own[-1])])
    # A draw that is rounded up to the total itself is one of the last row that has a weight.
    below_total = np.nextafter(total, 0.0)
    for draws in _blocks(np.random.default_rng(seeds).random, n_draws):
        draws *= total
        np.minimum(draws, below_total, out=draws)
        hits = draws[np.searchsorted(bounds, draws, side="right") % 2 == 1]
        drawn = np.searchsorted(ends_of_rows, hits, side="right")
        np.add.at(counts, drawn, 1.0)
    return counts


def _rounded(weights: NDArray[np.float64], unit: float) -> NDArray[np.float64]:
    return np.where(weights > 0, rounded_to_unit(weights, unit), 0.0)


def _draw_keys(part: EncodedPart, seeds: list[int]) -> NDArray[np.uint64]:
    generator = np.random.default_rng(seeds)
    return _own_numbers(part, partial(draw_keys, generator), np.dtype(np.uint64))


def _weights_by_digit(
    keys: NDArray[np.uint64], weights: NDArray[np.float64], key: int, shift: int
) -> NDArray[np.float64]:
    """Return the weight of the rows by a digit of their key, if those above are as in a key."""
    above = np.uint64(shift + _DIGIT)
    rows = np.flatnonzero(keys >> above == np.uint64(key) >> above)
    digits = (keys[rows] >> np.uint64(shift)) % np.uint64(1 << _DIGIT)
    sums: NDArray[Any] = np.bincount(digits.astype(np.intp), weights[rows], 1 << _DIGIT)
    return sums.astype(np.float64)  # without rows they are whole numbers


def _count_classes(
    part: EncodedPart, weights: NDArray[np.float64], n_classes: int
) -> NDArray[np.float64]:
    return np.bincount(part.classes[weights > 0], minlength=n_classes).astype(np.float64)


def _is_of_class(
    part: EncodedPart, weights: NDArray[np.float64], class_index: int
) -> NDArray[np.float64]:
    is_of_class: NDArray[np.bool_] = (part.classes == class_index) & (weights > 0)
    return is_of_class.astype(np.float64)


def _weights_before_ends(
    part: EncodedPart,
    keys: NDArray[np.uint64],
    weights: NDArray[np.float64],
    ends: NDArray[np.uint64],
) -> NDArray[np.float64]:
    return np.where(keys < ends[part.classes], weights, 0.0)


def _weights_before(
    keys: NDArray[np.uint64], weights: NDArray[np.float64], end: int
) -> NDArray[np.float64]:
    return np.where(keys < end, weights, 0.0)


def draw_factors_of_part(part: EncodedPart, seed: int, number: int) -> NDArray[np.float64]:
    """Return the random factors of the rows of a part: see `weaklearn.boosting.draw_factors`."""
    generator = np.random.default_rng([seed, number, 3])
    return _own_numbers(part, generator.standard_exponential, np.dtype(np.float64))


def _own_numbers(part: EncodedPart, generate: Any, dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return the numbers of the rows of a part, of those that are generated for the whole table."""
    numbers = np.empty(len(part.classes), dtype)
    position = 0  # in the whole table
    places = np.cumsum([0, *(length for _, length in part.pieces)])
    last_row = max((first + length for first, length in part.pieces), default=0)
    for block in _blocks(generate, last_row):
        for (first, length), place in zip(part.pieces, places[:-1], strict=True):
            low, high = max(first, position), min(first + length, position + len(block))
            if low < high:
                here = int(place) + low - first
                numbers[here : here + high - low] = block[low - position : high - position]
        position += len(block)
    return numbers


def _blocks(generate: Any, n_numbers: int) -> Iterator[NDArray[np.float64]]:
    """Yield the numbers of a generator, some at a time."""
    for first in range(0, n_numbers, _BLOCK):
        yield generate(min(_BLOCK, n_numbers - first))
