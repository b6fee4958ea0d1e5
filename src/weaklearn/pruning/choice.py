"""A choice of members by any of the methods, with what is known of it."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from numbers import Integral, Real
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.pruning.committee_sample import Sample
from weaklearn.pruning.margin_lp import MarginProgram
from weaklearn.pruning.randomized_rounding import round_at_random
from weaklearn.pruning.selection import choose_by_kappa, shift_votes

#: Methods by name, as `curve` and `PrunedClassifier` know them; "kappa_shift" shifts votes besides.
METHODS = ("kappa", "kappa_shift", "margin_lp", "exact", "first_rounds")


@dataclass(frozen=True, slots=True, eq=False)
class Selection:
    """Which members are kept, with which votes.

    Parameters
    ----------
    method : str
        How they were chosen.
    kept : array of int
        Their numbers in the committee before, ascending.
    votes : array of float64
        Their votes now.
    cost : float or None
        Where margins were asked for: members, or for a given size 1 minus the least margin as a
        share of all votes of the committee before; and the price of misses. Infinite where a row is
        below the margin that it must have.
    relaxed_cost : float or None
        The cost if members could be kept in part: no choice costs less.
    gap : float or None
        By how much the cost may be above the least there is; 0 if it is proven to be the least.
    missed : int or None
        How many rows are below the margins asked for.
    """

    method: str
    kept: NDArray[np.intp]
    votes: NDArray[np.float64]
    cost: float | None = None
    relaxed_cost: float | None = None
    gap: float | None = None
    missed: int | None = None


class Chooser:
    """Chooses members on a sample; what all choices need is computed once.

    Parameters
    ----------
    sample : Sample
        The members' answers and votes.
    """

    def __init__(self, sample: Sample) -> None:
        self.sample = sample

    @cached_property
    def kappas(self) -> NDArray[np.float64]:
        """The kappa of each two members."""
        return self.sample.kappas()

    def kappa(self, size: int, shift: bool = False) -> Selection:
        """Choose by kappa, and shift votes if asked."""
        votes = self.sample.votes
        kept = np.arange(len(votes))
        if size < len(votes):
            kept = choose_by_kappa(self.kappas, votes, size)
        votes_kept = shift_votes(self.kappas, votes, kept) if shift else votes[kept]
        return Selection("kappa", kept, votes_kept)

    def by_margins(
        self,
        *,
        size: int | None = None,
        theta: float | None = None,
        price: float | None = None,
        slack: float = 0.0,
        n_draws: int = 100,
        seed: int = 0,
        time_limit: float | None = None,
    ) -> Selection:
        """Choose by the margin program, rounded; or whole, where there is a time limit."""
        votes = self.sample.votes
        method = "margin_lp" if time_limit is None else "exact"
        if size == len(votes):
            return Selection(method, np.arange(size), votes)
        program = MarginProgram(self.sample, size, theta, price)
        relaxed = program.relax()
        share = theta if theta is not None else 1.0 - relaxed.cost
        kept, judged = round_at_random(
            program,
            relaxed.kept,
            share,
            size=size,
            priced=price is not None,
            slack=slack,
            n_draws=n_draws,
            seed=seed,
        )
        cost, gap, missed = judged.cost, None, judged.missed
        if time_limit is not None:
            solution = program.solve(kept, relaxed.cost, time_limit)
            kept, cost, gap = solution.kept, solution.cost, solution.cost - solution.bound
            missed = program.judge(kept, share).missed
        chosen = np.flatnonzero(kept)
        return Selection(method, chosen, votes[chosen], cost, relaxed.cost, gap, missed)

    def choose(self, method: str, size: int, seed: int, time_limit: float) -> Selection:
        """Choose by the name of a method."""
        if method in ("kappa", "kappa_shift"):
            return self.kappa(size, method == "kappa_shift")
        if method == "first_rounds":
            return first_members(self.sample.votes, size)
        limit = time_limit if method == "exact" else None
        return self.by_margins(size=size, seed=seed, time_limit=limit)


def first_members(votes: NDArray[np.float64], size: int) -> Selection:
    """Choose the first members of a committee."""
    return Selection("first_rounds", np.arange(size), votes[:size])


def check_method(method: Any) -> str:
    """Return the name of a method, or raise a ValueError."""
    if method not in METHODS:
        raise ValueError(f"got method={method!r}, expected one of {', '.join(map(repr, METHODS))}.")
    return str(method)


_EXPECTED = {"slack": "a share from 0 to 1", "n_draws": "a whole number >= 1"}


def check_numbers(given: Mapping[str, Any]) -> None:
    """Raise a ValueError for the first of some numbers that is outside its domain."""
    for name, value in given.items():
        kind = Integral if name == "n_draws" else Real
        good = not isinstance(value, bool) and isinstance(value, kind) and math.isfinite(value)
        if good:
            good = 0 <= value <= 1 if name == "slack" else value > 0
        if not good:
            expected = _EXPECTED.get(name, "a number > 0")
            raise ValueError(f"got {name}={value!r}, expected {expected}.")
