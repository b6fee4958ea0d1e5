"""Keep the best members for the margins: the integer program that `margin_lp` relaxes."""

from __future__ import annotations

from typing import Any

import numpy as np

from weaklearn.boosting.sampling import draw_seed
from weaklearn.pruning.check_arguments import Target, check_numbers, check_target
from weaklearn.pruning.randomized_rounding import solve_and_round
from weaklearn.pruning.sample_with_votes import Sample, sample_of
from weaklearn.pruning.selection import Method, Selection, keep


def exact(
    committee: Any,
    X: Any,
    y: Any,
    *,
    size: int | None = None,
    rate: float | None = None,
    theta: float | None = None,
    price: float | None = None,
    time_limit: float = 60.0,
    sample_weight: Any = None,
    random_state: Any = None,
) -> Any:
    """Keep the best members for the margins: the problem of `margin_lp` with whole members.

    The search is slow for more than a few dozen members. At the time limit the best selection so
    far is kept, and ``pruning_.gap`` bounds its distance from the best.

    Parameters
    ----------
    committee, X, y, size, rate, theta, price, sample_weight
        As for `margin_lp`.
    time_limit : float
        Seconds.
    random_state : int, RandomState or None
        Seed of the draws for the selection that the search starts from.

    Returns
    -------
    classifier
        A fitted committee of the same kind. Its ``pruning_`` holds the members that were kept,
        their cost and the gap. The gap is 0 if no selection is better.

    Examples
    --------
    >>> import weaklearn as wl
    >>> table = wl.datasets.load("titanic")
    >>> model = wl.AdaBoostM1Classifier(n_rounds=10).fit(table.X, table.y)
    >>> small = wl.pruning.exact(model, table.X, table.y, size=3, random_state=0)
    >>> len(small), small.pruning_.gap < 1e-6
    (3, True)
    """
    target = check_target(committee, size, rate, theta, price)
    sample = sample_of(committee, X, y, sample_weight)
    check_numbers({"time_limit": time_limit})
    seed = draw_seed(random_state)
    return keep(committee, choose_exactly(sample, target, float(time_limit), seed=seed))


def choose_exactly(
    sample: Sample, target: Target, time_limit: float, *, n_draws: int = 100, seed: int = 0
) -> Selection:
    """Choose members by the integer program, starting from the rounded margin LP."""
    if target.size == sample.n_members:
        return Selection("exact", np.arange(target.size), sample.votes)
    start = solve_and_round(sample, target, slack=0.0, n_draws=n_draws, seed=seed)
    solution = start.problem.solve(start.kept, start.relaxed.cost, time_limit)
    kept = np.flatnonzero(solution.kept)
    return Selection(
        "exact",
        kept,
        sample.votes[kept],
        cost=solution.cost,
        relaxed_cost=start.relaxed.cost,
        gap=solution.cost - solution.bound,
        missed=start.problem.assess(solution.kept, start.share).missed,
    )


def _choose(sample: Sample, size: int, seed: int, time_limit: float) -> Selection:
    return choose_exactly(sample, Target(size), time_limit, seed=seed)


EXACT = Method(
    "exact",
    "exact selection",
    "the largest least margin, by an integer program",
    _choose,
    colour=1,
    dashed=True,
    has_time_limit=True,
)
