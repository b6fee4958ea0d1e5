"""Keep members whose votes keep the margins: a linear program, rounded at random."""

from __future__ import annotations

from typing import Any

import numpy as np

from weaklearn.boosting.sampling import draw_seed
from weaklearn.pruning.check_arguments import Target, check_numbers, check_target
from weaklearn.pruning.randomized_rounding import solve_and_round
from weaklearn.pruning.sample_with_votes import Sample, sample_of
from weaklearn.pruning.selection import Method, Selection, keep

_DEFAULT_DRAWS = 100


def margin_lp(
    committee: Any,
    X: Any,
    y: Any,
    *,
    size: int | None = None,
    rate: float | None = None,
    theta: float | None = None,
    price: float | None = None,
    slack: float = 0.0,
    n_draws: int = _DEFAULT_DRAWS,
    sample_weight: Any = None,
    random_state: Any = None,
) -> Any:
    """Keep members whose votes keep the margins: a linear program, rounded at random.

    Tamon and Xiang (2000) propose it. Given `size` or `rate`, it maximises the least margin of a
    row. Given `theta`, it minimises the number of members such that each row keeps that share of
    its margin. Rows that the committee gets wrong count only if there is a price.

    Parameters
    ----------
    committee : classifier
        A fitted committee.
    X : frame
        Rows whose margins are to be kept, usually the training rows.
    y : Series, array or list
        Their classes.
    size : int, optional
        How many members to keep.
    rate : float, optional
        Or the share of them to keep, rounded down.
    theta : float, optional
        Or the share of its margin that each row must keep.
    price : float, optional
        The cost of missed margins: a row of weight 1 that misses its margin by the sum of all votes
        costs this much. Members cost 1 each or, given a size, 1 minus the least margin is the
        remaining cost. Without a price the linear program lets no row miss its margin.
    slack : float
        The share of its margin that a row may lack after rounding.
    n_draws : int
        How many selections to draw. The best has the fewest rows below their margins, then the
        fewest members, then the largest least margin.
    sample_weight : array, optional
        A weight per row. Rows of weight 0 are left out; other weights multiply the price.
    random_state : int, RandomState or None
        Seed of the draws.

    Returns
    -------
    classifier
        A fitted committee of the same kind. Its ``pruning_`` holds the members that were kept,
        their cost, the cost of the linear program and the number of rows below their margins.

    Examples
    --------
    >>> import weaklearn as wl
    >>> table = wl.datasets.load("titanic")
    >>> model = wl.AdaBoostM1Classifier(n_rounds=10).fit(table.X, table.y)
    >>> small = wl.pruning.margin_lp(model, table.X, table.y, theta=0.2, random_state=0)
    >>> small.pruning_.relaxed_cost <= small.pruning_.cost
    True
    """
    target = check_target(committee, size, rate, theta, price)
    sample = sample_of(committee, X, y, sample_weight)
    check_numbers({"slack": slack, "n_draws": n_draws})
    seed = draw_seed(random_state)
    return keep(committee, choose_by_lp(sample, target, slack=slack, n_draws=n_draws, seed=seed))


def choose_by_lp(
    sample: Sample,
    target: Target,
    *,
    slack: float = 0.0,
    n_draws: int = _DEFAULT_DRAWS,
    seed: int = 0,
) -> Selection:
    """Choose members by the margin LP and random rounding."""
    if target.size == sample.n_members:
        return Selection("margin_lp", np.arange(target.size), sample.votes)
    rounded = solve_and_round(sample, target, slack=slack, n_draws=n_draws, seed=seed)
    kept = np.flatnonzero(rounded.kept)
    return Selection(
        "margin_lp",
        kept,
        sample.votes[kept],
        cost=rounded.assessment.cost,
        relaxed_cost=rounded.relaxed.cost,
        missed=rounded.assessment.missed,
    )


def _choose(sample: Sample, size: int, seed: int, time_limit: float) -> Selection:
    return choose_by_lp(sample, Target(size), seed=seed)


MARGIN_LP = Method(
    "margin_lp",
    "margin LP",
    "large margins, by a linear program rounded at random",
    _choose,
    colour=1,
)
