"""Randomised rounding: from members kept in part to members kept or not."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from weaklearn.pruning.margin_lp import Judged, MarginProgram


def round_at_random(
    program: MarginProgram,
    parts: NDArray[np.float64],
    share: float,
    *,
    size: int | None,
    priced: bool,
    slack: float,
    n_draws: int,
    seed: int,
) -> tuple[NDArray[np.float64], Judged]:
    """Draw choices of members and keep the best.

    Parameters
    ----------
    program : MarginProgram
        What judges a choice.
    parts : array of float64
        From 0 to 1 per member. With a size that many members are drawn, each time one in proportion
        to these; without, each member is kept with this probability.
    share : float
        The share of its margin that a row is to reach, or the least margin.
    size : int or None
        How many members to keep, if that is given.
    priced : bool
        Whether misses have a price: then the choice of least cost is the best. Otherwise it is the
        one that leaves fewest rows below their margins, then the smallest, then the one of the
        largest margin.
    slack : float
        By which share of its margin a row may stay below it.
    n_draws : int
        How many choices to draw.
    seed : int
        What they are drawn with.

    Returns
    -------
    array of float64, Judged
        The best choice, 1 for a member that is kept, and what it is worth.
    """
    generator = np.random.default_rng(seed)
    seen: set[bytes] = set()
    best: tuple[tuple[float, ...], NDArray[np.float64], Judged] | None = None
    for _ in range(n_draws):
        kept = _draw(parts, size, generator)
        if kept.tobytes() in seen:
            continue
        seen.add(kept.tobytes())
        judged = program.judge(kept, share, slack)
        rank = (
            (judged.cost, -judged.least_margin)
            if priced
            else (judged.missed, float(kept.sum()), -judged.least_margin)
        )
        if best is None or rank < best[0]:
            best = rank, kept, judged
    assert best is not None, "n_draws is at least 1"
    return best[1], best[2]


def _draw(
    parts: NDArray[np.float64], size: int | None, generator: np.random.Generator
) -> NDArray[np.float64]:
    chance = generator.random(len(parts))
    if size is None:
        kept = (chance < parts).astype(np.float64)
        if not kept.any():
            kept[np.argmax(parts)] = 1.0
        return kept
    # The first to come, if member i waits for an exponential time of rate parts[i]: a draw in
    # proportion to the parts, without replacement. Members of no part come last, in any order.
    waits = np.where(parts > 0, -np.log1p(-chance) / np.maximum(parts, 1e-12), np.inf)
    order = np.lexsort((chance, waits))
    kept = np.zeros(len(parts))
    kept[order[:size]] = 1.0
    return kept
