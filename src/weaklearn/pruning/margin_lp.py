"""The margin program of Tamon and Xiang: few members whose votes keep every row's margin.

z_i says whether member i is kept, m_ij what its vote adds to the margin of row j: positive if it
answers the row's class, negative if it answers the class that the row is compared with. A row of
several wrong classes has a constraint for each of them.

    given theta:  minimise sum z_i  subject to  sum m_ij z_i >= theta M_j
    given size:   maximise least    subject to  sum m_ij z_i >= least,  sum z_i = size

M_j is the margin of row j in the full committee, so that theta up to 1 can be reached. Rows that it
gets wrong have no constraint; with a price every row j may miss its margin by x_j >= 0, at price *
weight_j * x_j, and given theta rows that the full committee gets wrong are asked for a margin of 0.

Of the many constraints few matter. They are found as they are needed: a program of some constraints
is solved, the votes it gives are counted, and the wrong class that comes closest on each row says
which constraint is broken most.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.optimize import Bounds, LinearConstraint, linprog, milp

from weaklearn.pruning.committee_sample import Sample

#: By how much a solver may break a constraint; margins are shares of all votes.
TOLERANCE = 1e-6
#: A lead by fewer votes than this, as a share of all, counts as none: no solver could hold it.
_LEAST_LEAD = 1e-4
_OPTIMAL, _INFEASIBLE = 0, 2


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """Members to keep, wholly or in part.

    Parameters
    ----------
    kept : array of float64
        From 0 to 1 per member.
    cost : float
        Members, or for a given size 1 minus the least margin; and the price of misses.
    bound : float
        What no choice of members costs less than.
    """

    kept: NDArray[np.float64]
    cost: float
    bound: float


@dataclass(frozen=True, slots=True, eq=False)
class Judged:
    """What a choice of members is worth.

    Parameters
    ----------
    cost : float
        As in `Solution`; infinite where a constraint without a price is broken.
    missed : int
        How many rows do not reach their margins.
    least_margin : float
        The smallest margin of a row with a constraint, as a share of the votes that are kept.
    """

    cost: float
    missed: int
    least_margin: float


class MarginProgram:
    """The program for a committee and a sample.

    Parameters
    ----------
    sample : Sample
        The members' answers and votes.
    size : int, optional
        How many members to keep; the least margin is to be as large as can be.
    theta : float, optional
        Or which share of its margin each row is to keep; the members are to be few.
    price : float, optional
        What it costs a row of weight 1 to miss its margin by all votes; nothing may be missed where
        there is none.
    """

    def __init__(
        self,
        sample: Sample,
        size: int | None = None,
        theta: float | None = None,
        price: float | None = None,
    ) -> None:
        self._size, self._theta, self._price = size, theta, price
        self._ballots = sample.ballots
        if self._ballots.n_classes < 2:
            raise ValueError("there is one class only, so there are no margins to keep.")
        self._votes = sample.votes / sample.votes.sum()
        scores = self._ballots.tally(self._votes)
        full, _ = _closest(scores, sample.classes)
        asked = full > _LEAST_LEAD if price is None else np.ones(len(full), dtype=bool)
        self._rows = np.flatnonzero(asked & (sample.weights > 0))
        if not (full[self._rows] > _LEAST_LEAD).any():
            raise ValueError(
                "the committee gets no row of the sample right, so there is no margin to keep: "
                "prune on rows like those it was trained on."
            )
        self._classes = sample.classes[self._rows]
        # What each row is asked for, as a multiple of theta or of the least margin.
        self._asked = np.ones(len(self._rows)) if theta is None else full[self._rows].clip(min=0)
        self._weights = sample.weights[self._rows]
        # The constraints in use: positions among the rows, and the other class of each.
        self._used: dict[tuple[int, int], None] = {}
        self._cache: list[NDArray[np.float64]] = []

    # -- judging --------------------------------------------------------------------------------
    def judge(self, kept: NDArray[np.float64], share: float, slack: float = 0.0) -> Judged:
        """Judge a choice of members.

        Parameters
        ----------
        kept : array of float64
            1 for a member that is kept.
        share : float
            Theta, or the least margin, for the count of the rows that do not reach it.
        slack : float
            By which share of that a row may stay below it.
        """
        margins, _ = self._margins(kept)
        missed = int((margins < (share - slack * abs(share)) * self._asked - TOLERANCE).sum())
        votes_kept = float(self._votes @ kept)
        least = float(margins.min()) / votes_kept if votes_kept > 0 else 0.0
        return Judged(self._cost(kept, margins), missed, least)

    def _margins(self, kept: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
        scores = self._ballots.tally(self._votes * kept)[self._rows]
        return _closest(scores, self._classes)

    def _cost(self, kept: NDArray[np.float64], margins: NDArray[np.float64]) -> float:
        if self._theta is not None:
            misses = np.maximum(self._theta * self._asked - margins, 0.0)
            if self._price is not None:
                return float(kept.sum() + self._price * (self._weights @ misses))
            return float(kept.sum()) if misses.max() <= TOLERANCE else np.inf
        if self._price is None:
            return 1.0 - float(margins.min())
        # The cost is convex in the least margin: best where more misses would not pay any longer.
        order = np.argsort(margins)
        slopes = np.cumsum(self._price * self._weights[order])
        turn = int(np.searchsorted(slopes, 1.0))
        least = float(margins[order[turn]]) if turn < len(order) else 1.0
        misses = np.maximum(least - margins, 0.0)
        return 1.0 - least + float(self._price * (self._weights @ misses))

    # -- solving --------------------------------------------------------------------------------
    def relax(self) -> Solution:
        """Solve the program in which members may be kept in part."""
        while True:
            result = self._linear_program()
            if result.status == _INFEASIBLE:
                raise ValueError(
                    f"theta={self._theta:g} cannot be reached: no votes of these members keep that "
                    "share of every margin. The full committee keeps 1; ask for less, e.g. "
                    "theta=0.5, or set a price on misses, e.g. price=1."
                )
            if result.status != _OPTIMAL:
                raise RuntimeError(f"the solver of linear programs failed: {result.message}")
            kept = np.clip(result.x[: len(self._votes)], 0.0, 1.0)
            if not self._add_broken(kept, result.x):
                cost = float(result.fun) + self._offset
                return Solution(kept, cost, cost)

    def solve(self, start: NDArray[np.float64], bound: float, time_limit: float) -> Solution:
        """Solve the program with whole members, within some time.

        Parameters
        ----------
        start : array of float64
            A choice of members to improve on; the full committee is tried besides.
        bound : float
            A bound that is known, as `relax` gives it.
        time_limit : float
            Seconds; when they are over the best choice so far is given.
        """
        end = time.monotonic() + time_limit
        best, cost = start, self.judge(start, 0.0).cost
        if self._theta is not None:
            everyone = np.ones_like(start)
            whole = self.judge(everyone, 0.0).cost
            if whole < cost:
                best, cost = everyone, whole
        while (left := end - time.monotonic()) > 0 and cost > bound + TOLERANCE:
            result = self._whole_program(left)
            if result.mip_dual_bound is not None and np.isfinite(result.mip_dual_bound):
                bound = max(bound, float(result.mip_dual_bound) + self._offset)
            if self._theta is not None and self._price is None:
                bound = float(np.ceil(bound - TOLERANCE))  # members are whole
            if result.x is None:
                break
            kept = np.round(result.x[: len(self._votes)])
            tried = self.judge(kept, 0.0).cost
            if kept.any() and tried < cost:
                best, cost = kept, tried
            if not self._add_broken(kept, result.x):
                break
        return Solution(best, cost, min(bound, cost))

    @property
    def _offset(self) -> float:
        """What the objective leaves out: given a size, it is minus the least margin."""
        return 0.0 if self._size is None else 1.0

    def _add_broken(self, kept: NDArray[np.float64], x: NDArray[np.float64]) -> bool:
        """Take the most broken constraints into use; False if none is broken."""
        margins, others = self._margins(kept)
        share = self._theta if self._theta is not None else x[len(self._votes)]
        missing = share * self._asked - margins
        if self._price is not None:
            allowed = np.zeros(len(self._rows))
            allowed[self._rows_used()] = x[len(x) - len(self._rows_used()) :]
            missing -= allowed
        # At a time as many as there are unknowns; all of them would mostly be idle.
        most = max(200, len(self._votes))
        added = 0
        for position in np.argsort(-missing, kind="stable"):
            if missing[position] <= TOLERANCE or added == most:
                break
            constraint = (int(position), int(others[position]))
            if constraint not in self._used:
                self._used[constraint] = None
                added += 1
        return added > 0

    def _rows_used(self) -> NDArray[np.intp]:
        return np.unique(np.array([position for position, _ in self._used], dtype=np.intp))

    def _constraints(self) -> tuple[Any, NDArray[np.float64]]:
        """Give the constraints in use, as a matrix and what it times x must reach."""
        new = list(self._used)[sum(map(len, self._cache)) :]
        if new:
            positions, others = np.array(new).T
            rows, classes = self._rows[positions], self._classes[positions]
            self._cache.append(
                self._ballots.margin_matrix(rows, classes, others.astype(np.int32)) * self._votes
            )
        positions = np.array([position for position, _ in self._used], dtype=np.intp)
        asked = self._asked[positions]
        blocks = [sparse.csr_array(block) for block in self._cache]
        parts: list[Any] = [
            sparse.vstack(blocks) if blocks else sparse.csr_array((0, len(self._votes)))
        ]
        if self._size is not None:
            parts.append(sparse.csr_array(-asked[:, None]))
        if self._price is not None:
            rows_used = self._rows_used()
            place = np.searchsorted(rows_used, positions)
            entries = (np.ones(len(positions)), (np.arange(len(positions)), place))
            parts.append(sparse.csr_array(entries, shape=(len(positions), len(rows_used))))
        target = np.zeros(len(positions)) if self._theta is None else self._theta * asked
        return sparse.hstack(parts, format="csr"), target

    def _objective(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Give the costs, the lower and the upper bounds of the unknowns: z, least, misses."""
        n_members = len(self._votes)
        cost = [np.ones(n_members) if self._size is None else np.zeros(n_members)]
        low, high = [np.zeros(n_members)], [np.ones(n_members)]
        if self._size is not None:
            cost.append(np.array([-1.0]))
            low.append(np.array([-np.inf]))
            high.append(np.array([1.0]))
        if self._price is not None:
            weights = self._weights[self._rows_used()]
            cost.append(self._price * weights)
            low.append(np.zeros(len(weights)))
            high.append(np.full(len(weights), np.inf))
        return np.concatenate(cost), np.concatenate(low), np.concatenate(high)

    def _linear_program(self) -> Any:
        cost, low, high = self._objective()
        matrix, target = self._constraints()
        counted = {}
        if self._size is not None:
            counted = {"A_eq": self._count_row(len(cost)), "b_eq": [float(self._size)]}
        return linprog(
            cost,
            A_ub=-matrix if len(target) else None,
            b_ub=-target if len(target) else None,
            bounds=np.column_stack([low, high]),
            method="highs",
            **counted,
        )

    def _whole_program(self, time_limit: float) -> Any:
        cost, low, high = self._objective()
        matrix, target = self._constraints()
        # An empty committee answers nothing.
        least, most = (1, len(self._votes)) if self._size is None else (self._size, self._size)
        constraints = [LinearConstraint(self._count_row(len(cost)), least, most)]
        if len(target):
            constraints.append(LinearConstraint(matrix, target, np.inf))
        whole = np.zeros(len(cost))
        whole[: len(self._votes)] = 1
        return milp(
            cost,
            integrality=whole,
            bounds=Bounds(low, high),
            constraints=constraints,
            # Its presolving prints to stdout, silent or not (HiGHS issue 2783).
            options={"time_limit": time_limit, "mip_rel_gap": 0.0, "presolve": False},
        )

    def _count_row(self, n_unknowns: int) -> Any:
        row = np.zeros((1, n_unknowns))
        row[0, : len(self._votes)] = 1.0
        return sparse.csr_array(row)


def _closest(
    scores: NDArray[np.float64], classes: NDArray[np.int32]
) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """Give by how much each row's class leads, and the other class that comes closest."""
    rows = np.arange(len(scores))
    own = scores[rows, classes]
    others = scores.copy()
    others[rows, classes] = -np.inf
    closest = others.argmax(axis=1).astype(np.int32)
    return own - others[rows, closest], closest
