"""Which members to keep, by kappa, and what becomes of the votes of the others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray


def choose_by_kappa(
    kappas: NDArray[np.float64], votes: NDArray[np.float64], size: int
) -> NDArray[np.intp]:
    """Choose the members of the pairs that agree least.

    Parameters
    ----------
    kappas : array of float64, (n_members, n_members)
        The kappa of each two members.
    votes : array of float64
        The members' votes.
    size : int
        How many to keep.

    Returns
    -------
    array of int
        Numbers of members, ascending. Pairs are taken by ascending kappa, of equal ones the
        earlier members first; a pair of which only one has room adds the one of larger vote.

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
    return np.array(sorted(kept) or [0], dtype=np.intp)  # the only member is in no pair


def shift_votes(
    kappas: NDArray[np.float64], votes: NDArray[np.float64], kept: NDArray[np.intp]
) -> NDArray[np.float64]:
    """Hand the votes of the members left out to those that are kept (Tamon and Xiang 2000).

    Parameters
    ----------
    kappas : array of float64, (n_members, n_members)
        The kappa of each two members.
    votes : array of float64
        The members' votes.
    kept : array of int
        The members that are kept.

    Returns
    -------
    array of float64
        The votes of those kept. Each of the others gives its vote to them in proportion to its
        kappa with them where that is positive, or else equally; the sum of all votes stays.

    Examples
    --------
    >>> kappas = np.array([[1.0, 0.0, 0.3], [0.0, 1.0, 0.1], [0.3, 0.1, 1.0]])
    >>> shift_votes(kappas, np.array([1.0, 1.0, 2.0]), np.array([0, 1])).tolist()
    [2.5, 1.5]
    """
    dropped = np.setdiff1d(np.arange(len(votes)), kept)
    likeness = np.maximum(kappas[np.ix_(dropped, kept)], 0.0)
    likeness[~likeness.any(axis=1)] = 1.0
    shares = likeness / likeness.sum(axis=1, keepdims=True)
    shifted: NDArray[np.float64] = votes[kept] + votes[dropped] @ shares
    return shifted
