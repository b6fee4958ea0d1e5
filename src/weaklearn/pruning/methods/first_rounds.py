"""Keep the first members: the committee that fewer rounds would have produced."""

from __future__ import annotations

from typing import Any

import numpy as np

from weaklearn.pruning.check_arguments import check_committee, size_of
from weaklearn.pruning.sample_with_votes import Sample
from weaklearn.pruning.selection import Method, Selection, keep


def first_rounds(
    committee: Any,
    X: Any = None,
    y: Any = None,
    *,
    size: int | None = None,
    rate: float | None = None,
) -> Any:
    """Keep the first members: the committee that fewer rounds would have produced.

    Parameters
    ----------
    committee : classifier
        A fitted committee.
    X, y : optional
        Not used. They are accepted so that all methods can be called the same way.
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
    n_kept = size_of(len(committee), size, rate)
    return keep(committee, _select_first(committee.votes_, n_kept))


def _select_first(votes: Any, size: int) -> Selection:
    return Selection("first_rounds", np.arange(size), votes[:size])


def _choose(sample: Sample, size: int, seed: int, time_limit: float) -> Selection:
    return _select_first(sample.votes, size)


FIRST_ROUNDS = Method("first_rounds", "first rounds", "the first members", _choose, colour=2)
