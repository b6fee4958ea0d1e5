"""Which members of a committee are kept, and what a pruning method is."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.pruning.check_arguments import check_numbers, size_of
from weaklearn.pruning.sample_with_votes import Sample, sample_of


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Selection:
    """The members that a method keeps, with their votes.

    Parameters
    ----------
    method : str
        The method that selected them.
    kept : array of int
        Their indices in the committee before pruning, ascending.
    votes : array of float64
        Their votes after pruning.
    cost : float or None
        The objective of the margin LP and of exact selection; None for other methods. It is the
        number of members or, if a size was given, 1 minus the least margin, where margins are
        shares of all votes before pruning. The price of missed margins is added. It is infinite if
        a row misses a margin that has no price.
    relaxed_cost : float or None
        The cost of the linear program, in which members can be kept in part. No selection costs
        less.
    gap : float or None
        By how much the cost may exceed the lowest possible cost; 0 if it is proven to be the
        lowest.
    missed : int or None
        How many rows are below their required margins.
    """

    method: str
    kept: NDArray[np.intp]
    votes: NDArray[np.float64]
    cost: float | None = None
    relaxed_cost: float | None = None
    gap: float | None = None
    missed: int | None = None

    def __repr__(self) -> str:
        shown = ", ".join(map(str, self.kept[:10].tolist())) + (", ..." * (len(self.kept) > 10))
        numbers = {name: getattr(self, name) for name in ("cost", "relaxed_cost", "gap", "missed")}
        known = "".join(f", {name}={v:.6g}" for name, v in numbers.items() if v is not None)
        return f"Selection(method={self.method!r}, {len(self.kept)} kept: [{shown}]{known})"


@dataclass(frozen=True, slots=True)
class Method:
    """A pruning method, as `weaklearn.pruning.registry` lists it.

    Parameters
    ----------
    name : str
        The name that `curve`, `PrunedClassifier` and the command line know it by.
    label : str
        The name that plots and reports show.
    summary : str
        Which members it keeps, in a few words, for the help of the command line.
    choose : callable
        ``choose(sample, size, seed, time_limit)`` returns a `Selection` of ``size`` members. A
        method without randomness ignores the seed, a fast one the time limit (in seconds).
    colour : int
        The index of its colour in plots. Related methods share a colour.
    dashed : bool
        Whether its line is dashed.
    has_time_limit : bool
        Whether it is slow and may stop at the time limit. `curve` runs it only on request.
    """

    name: str
    label: str
    summary: str
    choose: Callable[[Sample, int, int, float], Selection]
    colour: int
    dashed: bool = False
    has_time_limit: bool = False

    def prune(
        self,
        committee: Any,
        X: Any,
        y: Any,
        *,
        size: int | None = None,
        rate: float | None = None,
        seed: int = 0,
        time_limit: float = 60.0,
        sample_weight: Any = None,
    ) -> Any:
        """Return a smaller committee of the members that this method chooses on rows."""
        check_numbers({"time_limit": time_limit})
        sample = sample_of(committee, X, y, sample_weight)
        n_kept = size_of(len(committee), size, rate)
        return keep(committee, self.choose(sample, n_kept, seed, float(time_limit)))


def keep(committee: Any, selection: Selection) -> Any:
    """Return the committee of the selected members with their votes."""
    smaller = committee[selection.kept.tolist()]
    if not (selection.votes == smaller.votes_).all():
        smaller = smaller.with_votes(selection.votes)
    smaller.pruning_ = selection
    return smaller
