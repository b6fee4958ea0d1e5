"""The methods, from a fitted committee to a smaller one of the same kind."""

from __future__ import annotations

from typing import Any

from weaklearn.pruning.choice import Chooser, Selection, check_numbers, first_members
from weaklearn.pruning.committee_sample import check_committee, sample_of, seed_of, size_of


def kappa(
    committee: Any,
    X: Any,
    y: Any,
    *,
    size: int | None = None,
    rate: float | None = None,
    shift_votes: bool = False,
    sample_weight: Any = None,
) -> Any:
    """Keep the members that agree least, pair by pair (Margineantu and Dietterich 1997).

    Parameters
    ----------
    committee : classifier
        A fitted committee, such as `AdaBoostM1Classifier`.
    X : frame
        Rows to compare members on, usually those of training.
    y : Series, array or list
        Their classes.
    size : int, optional
        How many members to keep.
    rate : float, optional
        Or the share of them to keep, rounded down.
    shift_votes : bool
        Whether each member left out hands its vote to those kept, in proportion to its kappa with
        them (Tamon and Xiang 2000); the sum of all votes stays.
    sample_weight : array, optional
        A weight per row.

    Returns
    -------
    classifier
        A fitted committee of the same kind; ``pruning_`` says which members it kept.

    Examples
    --------
    >>> import weaklearn as wl
    >>> table = wl.datasets.load("titanic")
    >>> model = wl.AdaBoostM1Classifier(n_rounds=10).fit(table.X, table.y)
    >>> small = wl.pruning.kappa(model, table.X, table.y, size=3, shift_votes=True)
    >>> len(small), bool(abs(small.votes_.sum() - model.votes_.sum()) < 1e-9)
    (3, True)
    """
    chooser = Chooser(sample_of(committee, X, y, sample_weight))
    return keep(committee, chooser.kappa(size_of(len(committee), size, rate), shift_votes))


def first_rounds(
    committee: Any,
    X: Any = None,
    y: Any = None,
    *,
    size: int | None = None,
    rate: float | None = None,
) -> Any:
    """Keep the first members: what fewer rounds would have given.

    Parameters
    ----------
    committee : classifier
        A fitted committee.
    X, y : optional
        Not needed; taken so that methods can stand for each other.
    size : int, optional
        How many members to keep.
    rate : float, optional
        Or the share of them to keep, rounded down.

    Returns
    -------
    classifier
        A fitted committee of the same kind: ``committee[:size]``.

    Examples
    --------
    >>> import weaklearn as wl
    >>> table = wl.datasets.load("titanic")
    >>> model = wl.AdaBoostM1Classifier(n_rounds=10).fit(table.X, table.y)
    >>> len(wl.pruning.first_rounds(model, rate=0.5))
    5
    """
    check_committee(committee)
    return keep(committee, first_members(committee.votes_, size_of(len(committee), size, rate)))


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
    n_draws: int = 100,
    sample_weight: Any = None,
    random_state: Any = None,
) -> Any:
    """Keep members whose votes keep the margins: a linear program, rounded at random.

    Tamon and Xiang (2000) propose it. Given `size` or `rate`, the least margin of a row is to be as
    large as can be. Given `theta`, the members are to be as few as can be such that each row keeps
    that share of its margin. Rows that the committee gets wrong count only where misses have a
    price.

    Parameters
    ----------
    committee : classifier
        A fitted committee.
    X : frame
        Rows whose margins are to be kept, usually those of training.
    y : Series, array or list
        Their classes.
    size : int, optional
        How many members to keep.
    rate : float, optional
        Or the share of them to keep, rounded down.
    theta : float, optional
        Or the share of its margin that each row is to keep.
    price : float, optional
        What it costs a row of weight 1 to miss its margin by all votes, beside members that cost 1
        each or, given a size, 1 minus the least margin. Without a price the linear program misses
        none.
    slack : float
        By which share of its margin a row may stay below it in the rounded choice.
    n_draws : int
        How many choices to draw; kept is the one that leaves fewest rows below their margins, then
        the smallest, then the one of the largest margin.
    sample_weight : array, optional
        A weight per row: 0 leaves it out, others count for the price.
    random_state : int, RandomState or None
        What choices are drawn with.

    Returns
    -------
    classifier
        A fitted committee of the same kind; ``pruning_`` says which members it kept, their cost,
        the cost of the linear program and how many rows are below their margins.

    Examples
    --------
    >>> import weaklearn as wl
    >>> table = wl.datasets.load("titanic")
    >>> model = wl.AdaBoostM1Classifier(n_rounds=10).fit(table.X, table.y)
    >>> small = wl.pruning.margin_lp(model, table.X, table.y, theta=0.2, random_state=0)
    >>> small.pruning_.relaxed_cost <= small.pruning_.cost
    True
    """
    sample, wanted = _asked(committee, X, y, sample_weight, size, rate, theta)
    check_numbers({"slack": slack, "n_draws": n_draws, **_given(price=price)})
    choice = Chooser(sample).by_margins(
        **wanted, price=price, slack=slack, n_draws=n_draws, seed=seed_of(random_state)
    )
    return keep(committee, choice)


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
    """Keep the best members for the margins there are: the program of `margin_lp`, solved whole.

    It takes long for more than some dozens of members; when the time is over, the best choice so
    far is kept, and ``pruning_.gap`` says how far from the best it may be.

    Parameters
    ----------
    committee : classifier
        A fitted committee.
    X : frame
        Rows whose margins are to be kept, usually those of training.
    y : Series, array or list
        Their classes.
    size : int, optional
        How many members to keep.
    rate : float, optional
        Or the share of them to keep, rounded down.
    theta : float, optional
        Or the share of its margin that each row is to keep.
    price : float, optional
        What it costs a row of weight 1 to miss its margin by all votes.
    time_limit : float
        Seconds.
    sample_weight : array, optional
        A weight per row: 0 leaves it out, others count for the price.
    random_state : int, RandomState or None
        What the choice is drawn with that the search starts from.

    Returns
    -------
    classifier
        A fitted committee of the same kind; ``pruning_`` says which members it kept, their cost and
        the gap, 0 if no choice is better.

    Examples
    --------
    >>> import weaklearn as wl
    >>> table = wl.datasets.load("titanic")
    >>> model = wl.AdaBoostM1Classifier(n_rounds=10).fit(table.X, table.y)
    >>> small = wl.pruning.exact(model, table.X, table.y, size=3, random_state=0)
    >>> len(small), small.pruning_.gap < 1e-6
    (3, True)
    """
    sample, wanted = _asked(committee, X, y, sample_weight, size, rate, theta)
    check_numbers({"time_limit": time_limit, **_given(price=price)})
    choice = Chooser(sample).by_margins(
        **wanted, price=price, seed=seed_of(random_state), time_limit=float(time_limit)
    )
    return keep(committee, choice)


def keep(committee: Any, choice: Selection) -> Any:
    """Give the committee of the members chosen, with their votes."""
    part = committee[choice.kept.tolist()]
    if not (choice.votes == part.votes_).all():
        part = part.with_votes(choice.votes)
    part.pruning_ = choice
    return part


def _asked(
    committee: Any, X: Any, y: Any, sample_weight: Any, size: Any, rate: Any, theta: Any
) -> tuple[Any, dict[str, Any]]:
    """Give the sample, and what was asked of it: a size, or a share of the margins."""
    check_committee(committee)
    if theta is None:
        wanted: dict[str, Any] = {"size": size_of(len(committee), size, rate)}
    elif size is not None or rate is not None:
        raise ValueError(
            "got theta with size or rate: say how many members to keep, or which share of the "
            "margins, not both."
        )
    else:
        check_numbers({"theta": theta})
        wanted = {"theta": float(theta)}
    return sample_of(committee, X, y, sample_weight), wanted


def _given(**options: Any) -> dict[str, Any]:
    return {name: value for name, value in options.items() if value is not None}
