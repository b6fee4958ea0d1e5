"""Samples of rows that are on workers, the same as a local fit draws.

Every worker runs the generator of the whole sample, a block at a time, and keeps the draws that hit
its own rows. So it needs memory for its own rows only.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.boosting.sampling import rounded_to_unit
from weaklearn.dask.encode_parts import EncodedPart
from weaklearn.dask.fit_over_rows import find_unit
from weaklearn.dask.rows_on_workers import OfParts, RowsOnWorkers, join_lists

_BLOCK = 1 << 18

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


def _ends_of_rows(
    part: EncodedPart, weights: NDArray[np.float64], unit: float
) -> list[NDArray[np.float64]]:
    """Return the sums of the rounded weights up to each row, piece by piece."""
    rounded = np.where(weights > 0, rounded_to_unit(weights, unit), 0.0)
    return [np.cumsum(piece) for piece in part.split_by_piece(rounded)]


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


def draw_factors_of_part(part: EncodedPart, seed: int, number: int) -> NDArray[np.float64]:
    """Return the random factors of the rows of a part: see `weaklearn.boosting.draw_factors`."""
    factors = np.empty(len(part.classes))
    generator = np.random.default_rng([seed, number, 3])
    position = 0  # in the whole table
    places = np.cumsum([0, *(length for _, length in part.pieces)])
    last_row = max((first + length for first, length in part.pieces), default=0)
    for block in _blocks(generator.standard_exponential, last_row):
        for (first, length), place in zip(part.pieces, places[:-1], strict=True):
            low, high = max(first, position), min(first + length, position + len(block))
            if low < high:
                here = int(place) + low - first
                factors[here : here + high - low] = block[low - position : high - position]
        position += len(block)
    return factors


def _blocks(generate: Any, n_numbers: int) -> Iterator[NDArray[np.float64]]:
    """Yield the numbers of a generator, some at a time."""
    for first in range(0, n_numbers, _BLOCK):
        yield generate(min(_BLOCK, n_numbers - first))
