"""Solve the margin LP, and round members kept in part to members that are kept or not."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from weaklearn.pruning.check_arguments import Target
from weaklearn.pruning.linear_and_integer_program import Assessment, MarginProblem, Solution
from weaklearn.pruning.sample_with_votes import Sample


@dataclass(frozen=True, slots=True, eq=False)
class RoundedLP:
    """The margin LP of a sample, solved and rounded to whole members.

    Parameters
    ----------
    problem : MarginProblem
        The problem, with the constraints that were needed.
    relaxed : Solution
        The solution of the linear program.
    share : float
        The share of its margin that each row must keep or, given a size, the least margin.
    kept : array of float64
        The rounded selection: 1 for a member that is kept.
    assessment : Assessment
        Cost and missed margins of the rounded selection.
    """

    problem: MarginProblem
    relaxed: Solution
    share: float
    kept: NDArray[np.float64]
    assessment: Assessment


def solve_and_round(
    sample: Sample, target: Target, *, slack: float, n_draws: int, seed: int
) -> RoundedLP:
    """Solve the margin LP and round its solution at random."""
    problem = MarginProblem(sample, target.size, target.theta, target.price)
    relaxed = problem.relax()
    share = target.theta if target.theta is not None else 1.0 - relaxed.cost
    kept, assessment = round_at_random(
        problem,
        relaxed.kept,
        share,
        size=target.size,
        has_price=target.price is not None,
        slack=slack,
        n_draws=n_draws,
        seed=seed,
    )
    return RoundedLP(problem, relaxed, share, kept, assessment)


def round_at_random(
    problem: MarginProblem,
    relaxed: NDArray[np.float64],
    share: float,
    *,
    size: int | None,
    has_price: bool,
    slack: float,
    n_draws: int,
    seed: int,
) -> tuple[NDArray[np.float64], Assessment]:
    """Draw selections of members and return the best.

    Parameters
    ----------
    problem : MarginProblem
        The problem that assesses selections.
    relaxed : array of float64
        The solution of the linear program: from 0 to 1 per member. Given a size, that many members
        are drawn without replacement, in proportion to these. Without a size each member is kept
        with this probability.
    share : float
        The share of its margin that a row must reach, or the least margin.
    size : int or None
        How many members to keep, if that is given.
    has_price : bool
        Whether missed margins have a price: then the selection of lowest cost is the best.
        Otherwise the best has the fewest rows below their margins, then the fewest members, then
        the largest least margin.
    slack : float
        The share of its margin that a row may lack.
    n_draws : int
        How many selections to draw.
    seed : int
        Seed of the draws.

    Returns
    -------
    array of float64, Assessment
        The best selection, 1 for a member that is kept, with its cost and margins.
    """
    generator = np.random.default_rng(seed)
    seen: set[bytes] = set()
    best: tuple[tuple[float, ...], NDArray[np.float64], Assessment] | None = None
    for _ in range(n_draws):
        kept = _draw(relaxed, size, generator)
        if kept.tobytes() in seen:
            continue
        seen.add(kept.tobytes())
        assessment = problem.assess(kept, share, slack)
        rank = (
            (assessment.cost, -assessment.least_margin)
            if has_price
            else (assessment.missed, float(kept.sum()), -assessment.least_margin)
        )
        if best is None or rank < best[0]:
            best = rank, kept, assessment
    assert best is not None, "n_draws is at least 1"
    return best[1], best[2]


def _draw(
    relaxed: NDArray[np.float64], size: int | None, generator: np.random.Generator
) -> NDArray[np.float64]:
    uniform = generator.random(len(relaxed))
    if size is None:
        kept = (uniform < relaxed).astype(np.float64)
        if not kept.any():
            kept[np.argmax(relaxed)] = 1.0
        return kept
    # Member i arrives after an exponential time of rate relaxed[i], and the first to arrive are
    # kept. This draws without replacement in proportion to the rates. Members of rate 0 come last,
    # in random order.
    times = np.where(relaxed > 0, -np.log1p(-uniform) / np.maximum(relaxed, 1e-12), np.inf)
    order = np.lexsort((uniform, times))
    kept = np.zeros(len(relaxed))
    kept[order[:size]] = 1.0
    return kept
