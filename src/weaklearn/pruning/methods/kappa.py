"""Keep the members that agree least, by Cohen's kappa, with or without shifted votes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.pruning.sample_with_votes import Sample
from weaklearn.pruning.selection import Method, Selection


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
        Rows to compare members on, usually the training rows.
    y : Series, array or list
        Their classes.
    size : int, optional
        How many members to keep.
    rate : float, optional
        Or the share of them to keep, rounded down.
    shift_votes : bool
        Whether each dropped member passes its vote on to the kept members, in proportion to its
        kappa with them (Tamon and Xiang 2000). The sum of all votes does not change.
    sample_weight : array, optional
        A weight per row.

    Returns
    -------
    classifier
        A fitted committee of the same kind. Its ``pruning_`` lists the members that were kept.

    Examples
    --------
    >>> import weaklearn as wl
    >>> table = wl.datasets.load("titanic")
    >>> model = wl.AdaBoostM1Classifier(n_rounds=10).fit(table.X, table.y)
    >>> small = wl.pruning.kappa(model, table.X, table.y, size=3, shift_votes=True)
    >>> len(small), bool(abs(small.votes_.sum() - model.votes_.sum()) < 1e-9)
    (3, True)
    """
    method = KAPPA_SHIFT if shift_votes else KAPPA
    return method.prune(committee, X, y, size=size, rate=rate, sample_weight=sample_weight)


def choose_by_kappa(
    kappas: NDArray[np.float64], votes: NDArray[np.float64], size: int
) -> NDArray[np.intp]:
    """Choose the members of the pairs that agree least.

    Parameters
    ----------
    kappas : array of float64, (n_members, n_members)
        The kappa of each pair of members.
    votes : array of float64
        The members' votes.
    size : int
        How many to keep.

    Returns
    -------
    array of int
        Indices of members, ascending. Pairs are added by ascending kappa. Ties go to the pair
        whose members come first. If there is room for one member of a pair only, the one with the
        larger vote is added.

    Examples
    --------
    >>> kappas = np.array([[1.0, 0.2, 0.9], [0.2, 1.0, 0.1], [0.9, 0.1, 1.0]])
    >>> choose_by_kappa(kappas, np.ones(3), 2).tolist()
    [1, 2]
    """
    first, second = np.triu_indices(len(votes), 1)
    kept: set[int] = set()
    for pair in np.argsort(kappas[first, second], kind="stable"):
        new = {int(first[pair]), int(second[pair])} - kept
        if len(kept) + len(new) > size:
            new = {max(sorted(new), key=lambda member: votes[member])}
        kept |= new
        if len(kept) == size:
            break
    return np.array(sorted(kept) or [0], dtype=np.intp)  # a single member is in no pair


def shift_votes_to(
    kept: NDArray[np.intp], kappas: NDArray[np.float64], votes: NDArray[np.float64]
) -> NDArray[np.float64]:
    """Pass the votes of dropped members on to the kept members (Tamon and Xiang 2000).

    Parameters
    ----------
    kept : array of int
        The members that are kept.
    kappas : array of float64, (n_members, n_members)
        The kappa of each pair of members.
    votes : array of float64
        The members' votes.

    Returns
    -------
    array of float64
        The new votes of the kept members. Each dropped member divides its vote among them in
        proportion to its positive kappas with them, or equally if it has none. The sum of all
        votes does not change.

    Examples
    --------
    >>> kappas = np.array([[1.0, 0.0, 0.3], [0.0, 1.0, 0.1], [0.3, 0.1, 1.0]])
    >>> shift_votes_to(np.array([0, 1]), kappas, np.array([1.0, 1.0, 2.0])).tolist()
    [2.5, 1.5]
    """
    dropped = np.setdiff1d(np.arange(len(votes)), kept)
    likeness = np.maximum(kappas[np.ix_(dropped, kept)], 0.0)
    likeness[~likeness.any(axis=1)] = 1.0
    shares = likeness / likeness.sum(axis=1, keepdims=True)
    shifted: NDArray[np.float64] = votes[kept] + votes[dropped] @ shares
    return shifted


def _kept_members(sample: Sample, size: int) -> NDArray[np.intp]:
    if size == sample.n_members:
        return np.arange(size)
    return choose_by_kappa(sample.kappas, sample.votes, size)


def _choose(sample: Sample, size: int, seed: int, time_limit: float) -> Selection:
    kept = _kept_members(sample, size)
    return Selection("kappa", kept, sample.votes[kept])


def _choose_and_shift(sample: Sample, size: int, seed: int, time_limit: float) -> Selection:
    kept = _kept_members(sample, size)
    return Selection("kappa", kept, shift_votes_to(kept, sample.kappas, sample.votes))


KAPPA = Method("kappa", "kappa", "the pairs that agree least", _choose, colour=0)
KAPPA_SHIFT = Method(
    "kappa_shift",
    "kappa, votes shifted",
    "the same, with the votes of the others passed on to them",
    _choose_and_shift,
    colour=0,
    dashed=True,
)
