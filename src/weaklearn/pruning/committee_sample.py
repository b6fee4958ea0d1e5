"""A committee and the rows that it is pruned on."""

from __future__ import annotations

import math
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_random_state

from weaklearn.encoding import check_sample_weight
from weaklearn.models.count_votes import margins, winners
from weaklearn.models.member_predictions import Ballots
from weaklearn.pruning.agreement import kappas_of
from weaklearn.schema import number_classes


@dataclass(frozen=True, slots=True, eq=False)
class Sample:
    """What a committee says of rows whose classes are known.

    Parameters
    ----------
    ballots : Ballots
        The members' answers.
    votes : array of float64
        The members' votes.
    classes : array of int32
        The class of each row.
    weights : array of float64
        The weight of each row.
    """

    ballots: Ballots
    votes: NDArray[np.float64]
    classes: NDArray[np.int32]
    weights: NDArray[np.float64]

    @property
    def n_members(self) -> int:
        """How many members there are."""
        return len(self.votes)

    def kappas(self) -> NDArray[np.float64]:
        """Give the kappa of each two members on these rows."""
        return kappas_of(self.ballots.answers, self.ballots.n_classes, self.weights)

    def member_errors(self) -> NDArray[np.float64]:
        """Give the share of the weight that each member alone gets wrong."""
        wrong = self.ballots.answers != self.classes
        errors: NDArray[np.float64] = wrong @ (self.weights / self.weights.sum())
        return errors

    def error(self, votes: NDArray[np.float64]) -> float:
        """Give the share of the weight that the committee gets wrong with these votes."""
        wrong = winners(self.ballots.tally(votes), self.ballots.priority) != self.classes
        return float(self.weights[wrong].sum() / self.weights.sum())

    def margins(self, votes: NDArray[np.float64]) -> NDArray[np.float64]:
        """Give the margin of each row of positive weight with these votes."""
        present = self.weights > 0
        return margins(self.ballots.tally(votes)[present], self.classes[present])


def sample_of(committee: Any, X: Any, y: Any, sample_weight: Any = None) -> Sample:
    """Let all members of a fitted committee answer rows.

    Parameters
    ----------
    committee : classifier
        A committee of ours, or one of scikit-learn's that `as_committee` has wrapped.
    X : frame
        Rows, as for ``predict``.
    y : Series, array or list
        Their classes.
    sample_weight : array, optional
        A weight per row.
    """
    check_committee(committee)
    if X is None or y is None:
        missing = "X" if X is None else "y"
        raise ValueError(f"{missing} is missing: give the rows to prune on, X and y.")
    ballots: Ballots = committee.ballots(X)
    return Sample(
        ballots,
        committee.votes_,
        number_classes(y, committee._schema.classes, ballots.n_rows),
        check_sample_weight(sample_weight, ballots.n_rows),
    )


def check_committee(committee: Any) -> None:
    """Raise a TypeError for what is no fitted committee, and say how to make one of it."""
    if hasattr(committee, "ballots") and hasattr(committee, "members_"):
        return
    kind = type(committee).__name__
    if hasattr(committee, "estimators_") or hasattr(committee, "hypotheses_"):
        raise TypeError(f"got a {kind}: wrap it first, wl.as_committee(model), and prune that.")
    if hasattr(committee, "separators_"):
        raise TypeError(
            f"got a {kind}, which keeps no members: fit it as a composition, "
            "wl.as_committee(model.as_g2().fit(X, y)), and prune that."
        )
    if hasattr(committee, "ballots"):
        raise TypeError(f"this {kind} is not fitted: call fit(X, y) first.")
    raise TypeError(
        f"got {kind}, expected a fitted committee such as AdaBoostM1Classifier().fit(X, y)."
    )


def size_of(n_members: int, size: Any, rate: Any) -> int:
    """Give how many members to keep.

    Parameters
    ----------
    n_members : int
        How many there are.
    size : int or None
        How many to keep.
    rate : float or None
        Or the share to keep, rounded down to whole members, at least one.

    Examples
    --------
    >>> size_of(30, None, 0.9), size_of(30, 5, None)
    (27, 5)
    """
    if (size is None) == (rate is None):
        got = "neither" if size is None else "both"
        raise ValueError(
            f"got {got} of size and rate: say how many members to keep (size=10), or which share "
            "of them (rate=0.5)."
        )
    if rate is not None:
        if isinstance(rate, bool) or not isinstance(rate, Real) or not 0.0 < float(rate) <= 1.0:
            raise ValueError(
                f"got rate={rate!r}, expected a share above 0 and up to 1: rate=0.5 keeps half."
            )
        # 0.29 times 100 is 29, whatever the last bit says.
        return max(1, math.floor(float(rate) * n_members + 1e-9))
    if isinstance(size, bool) or not isinstance(size, Integral) or int(size) < 1:
        raise ValueError(f"got size={size!r}, expected a whole number from 1 to {n_members}.")
    if int(size) > n_members:
        raise ValueError(
            f"got size={size}, and the committee has {n_members} members: ask for at most that, or "
            "for a share of them, rate=0.5."
        )
    return int(size)


def seed_of(random_state: Any) -> int:
    """Give a seed drawn by what scikit-learn takes as ``random_state``."""
    return int(check_random_state(random_state).randint(2**31 - 1))
