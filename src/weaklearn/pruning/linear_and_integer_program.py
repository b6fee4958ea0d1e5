"""The optimisation problem of Tamon and Xiang: few members whose votes keep every row's margin.

z_i is 1 if member i is kept and 0 if not. m_ij is what its vote adds to the margin of row j:
positive if it predicts the row's class, negative if it predicts the class that the row is compared
with. A row has one constraint for each wrong class.

    given theta:  minimise sum z_i  subject to  sum m_ij z_i >= theta M_j
    given size:   maximise least    subject to  sum m_ij z_i >= least,  sum z_i = size

M_j is the margin of row j in the full committee, so theta up to 1 is feasible. Rows that the full
committee gets wrong have no constraint. With a price every row j may miss its margin by x_j >= 0,
which costs price * weight_j * x_j; given theta, rows that the full committee gets wrong must then
reach a margin of 0.

`MarginProblem.relax` solves the linear program, in which z_i may be any number from 0 to 1 (the
margin LP). `MarginProblem.solve` solves the integer program (exact selection).

Few of the many constraints matter, so they are added when they are needed: the problem with some
constraints is solved, the votes of the solution are counted, and on each row the wrong class with
the most votes shows which constraint is violated most.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.pruning.sample_with_votes import Sample

# SciPy is imported in the functions that call it, because the command line reads the registry of
# methods at every start.

#: By how much a solver may violate a constraint; margins are shares of all votes.
TOLERANCE = 1e-6
#: A margin below this share of all votes counts as none, because no solver could guarantee it.
_LEAST_MARGIN = 1e-4
_OPTIMAL, _INFEASIBLE = 0, 2


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """A solution of the linear or the integer program.

    Parameters
    ----------
    kept : array of float64
        z_i of each member, from 0 to 1.
    cost : float
        The number of members or, given a size, 1 minus the least margin; plus the price of missed
        margins.
    bound : float
        A lower bound on the cost of every selection.
    """

    kept: NDArray[np.float64] = field(repr=False)
    cost: float
    bound: float


@dataclass(frozen=True, slots=True, eq=False)
class Assessment:
    """Cost and margins of a selection of whole members.

    Parameters
    ----------
    cost : float
        As in `Solution`; infinite if a constraint without a price is violated.
    missed : int
        How many rows do not reach their margins.
    least_margin : float
        The smallest margin of a row with a constraint, as a share of the votes that are kept.
    """

    cost: float
    missed: int
    least_margin: float


class MarginProblem:
    """The problem for one sample, with the constraints that were needed so far.

    Parameters
    ----------
    sample : Sample
        The members' predictions and votes.
    size : int, optional
        How many members to keep; the least margin is maximised.
    theta : float, optional
        Or the share of its margin that each row must keep; the number of members is minimised.
    price : float, optional
        The cost for a row of weight 1 that misses its margin by the sum of all votes. Without a
        price no row may miss its margin.
    """

    def __init__(
        self,
        sample: Sample,
        size: int | None = None,
        theta: float | None = None,
        price: float | None = None,
    ) -> None:
        self._size, self._theta, self._price = size, theta, price
        self._predictions = sample.predictions
        if self._predictions.n_classes < 2:
            raise ValueError("the committee knows one class only, so rows have no margins to keep.")
        self._votes = sample.votes / sample.votes.sum()
        scores = self._predictions.count_votes(self._votes)
        full, _ = _margins_of(scores, sample.classes)
        constrained = full > _LEAST_MARGIN if price is None else np.ones(len(full), dtype=bool)
        self._rows = np.flatnonzero(constrained & (sample.weights > 0))
        if not (full[self._rows] > _LEAST_MARGIN).any():
            raise ValueError(
                "the committee gets no row of the sample right, so there is no margin to keep: "
                "prune on rows like those it was trained on."
            )
        self._classes = sample.classes[self._rows]
        # The margin that each row must reach, in multiples of theta or of the least margin.
        self._required = np.ones(len(self._rows)) if theta is None else full[self._rows].clip(min=0)
        self._weights = sample.weights[self._rows]
        # The constraints in use, in the order of their addition: position in _rows, wrong class.
        self._used: dict[tuple[int, int], None] = {}
        # Their coefficients, in blocks.
        self._blocks: list[NDArray[np.float64]] = []

    # -- assessing selections -------------------------------------------------------------------
    def assess(self, kept: NDArray[np.float64], share: float, slack: float = 0.0) -> Assessment:
        """Compute the cost and the margins of a selection of whole members.

        Parameters
        ----------
        kept : array of float64
            1 for a member that is kept, 0 for others.
        share : float
            Theta, or the least margin. Rows below it are counted as missed.
        slack : float
            The share of that margin that a row may lack.
        """
        margins, _ = self._margins(kept)
        missed = int((margins < (share - slack * abs(share)) * self._required - TOLERANCE).sum())
        votes_kept = float(self._votes @ kept)
        least = float(margins.min()) / votes_kept if votes_kept > 0 else 0.0
        return Assessment(self._cost(kept, margins), missed, least)

    def _margins(self, kept: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
        scores = self._predictions.count_votes(self._votes * kept)[self._rows]
        return _margins_of(scores, self._classes)

    def _cost(self, kept: NDArray[np.float64], margins: NDArray[np.float64]) -> float:
        if self._theta is not None:
            misses = np.maximum(self._theta * self._required - margins, 0.0)
            if self._price is not None:
                return float(kept.sum() + self._price * (self._weights @ misses))
            return float(kept.sum()) if misses.max() <= TOLERANCE else np.inf
        if self._price is None:
            return 1.0 - float(margins.min())
        # The cost is convex in the least margin. Raising the margin by d saves d and costs d times
        # the price of the rows below it, so the best margin is where that price reaches 1.
        order = np.argsort(margins)
        slopes = np.cumsum(self._price * self._weights[order])
        best = int(np.searchsorted(slopes, 1.0))
        least = float(margins[order[best]]) if best < len(order) else 1.0
        misses = np.maximum(least - margins, 0.0)
        return 1.0 - least + float(self._price * (self._weights @ misses))

    # -- solving --------------------------------------------------------------------------------
    def relax(self) -> Solution:
        """Solve the linear program, in which members may be kept in part."""
        while True:
            result = self._solve_linear_program()
            if result.status == _INFEASIBLE:
                raise ValueError(
                    f"theta={self._theta:g} cannot be reached: no votes of these members keep that "
                    "share of every margin. The full committee keeps 1; ask for less, e.g. "
                    "theta=0.5, or set a price on missed margins, e.g. price=1."
                )
            if result.status != _OPTIMAL:
                raise RuntimeError(f"the solver failed on the margin LP: {result.message}")
            kept = np.clip(result.x[: len(self._votes)], 0.0, 1.0)
            if not self._add_violated(kept, result.x):
                cost = float(result.fun) + self._offset
                return Solution(kept, cost, cost)

    def solve(self, start: NDArray[np.float64], bound: float, time_limit: float) -> Solution:
        """Solve the integer program, in which members are kept or not, within a time limit.

        Parameters
        ----------
        start : array of float64
            A selection to improve on. Given theta, the full committee is tried, too.
        bound : float
            A known lower bound on the cost, from `relax`.
        time_limit : float
            Seconds. When they are over, the best selection so far is returned.
        """
        end = time.monotonic() + time_limit
        best, cost = start, self.assess(start, 0.0).cost
        if self._theta is not None:
            all_members = np.ones_like(start)
            full_cost = self.assess(all_members, 0.0).cost
            if full_cost < cost:
                best, cost = all_members, full_cost
        while (remaining := end - time.monotonic()) > 0 and cost > bound + TOLERANCE:
            result = self._solve_integer_program(remaining)
            if result.mip_dual_bound is not None and np.isfinite(result.mip_dual_bound):
                bound = max(bound, float(result.mip_dual_bound) + self._offset)
            if self._theta is not None and self._price is None:
                bound = float(np.ceil(bound - TOLERANCE))  # the cost is a whole number of members
            if result.x is None:
                break
            kept = np.round(result.x[: len(self._votes)])
            new_cost = self.assess(kept, 0.0).cost
            if kept.any() and new_cost < cost:
                best, cost = kept, new_cost
            if not self._add_violated(kept, result.x):
                break
        return Solution(best, cost, min(bound, cost))

    @property
    def _offset(self) -> float:
        """The constant part of the cost: the solver's objective, given a size, is minus t."""
        return 0.0 if self._size is None else 1.0

    def _add_violated(self, kept: NDArray[np.float64], x: NDArray[np.float64]) -> bool:
        """Add the most violated constraints; return whether there were any."""
        margins, others = self._margins(kept)
        share = self._theta if self._theta is not None else x[len(self._votes)]
        violation = share * self._required - margins
        if self._price is not None:
            allowed = np.zeros(len(self._rows))
            allowed[self._rows_used()] = x[len(x) - len(self._rows_used()) :]
            violation -= allowed
        # About as many at a time as there are unknowns: most of the others would be inactive.
        most = max(200, len(self._votes))
        added = 0
        for position in np.argsort(-violation, kind="stable"):
            if violation[position] <= TOLERANCE or added == most:
                break
            constraint = (int(position), int(others[position]))
            if constraint not in self._used:
                self._used[constraint] = None
                added += 1
        return added > 0

    def _rows_used(self) -> NDArray[np.intp]:
        return np.unique(np.array([position for position, _ in self._used], dtype=np.intp))

    def _constraints(self) -> tuple[Any, NDArray[np.float64]]:
        """Return the constraints in use: a matrix A and a vector b with A x >= b."""
        from scipy import sparse

        new = list(self._used)[sum(map(len, self._blocks)) :]
        if new:
            positions, others = np.array(new).T
            rows, classes = self._rows[positions], self._classes[positions]
            self._blocks.append(
                self._predictions.margin_matrix(rows, classes, others.astype(np.int32))
                * self._votes
            )
        positions = np.array([position for position, _ in self._used], dtype=np.intp)
        required = self._required[positions]
        blocks = [sparse.csr_array(block) for block in self._blocks]
        columns: list[Any] = [
            sparse.vstack(blocks) if blocks else sparse.csr_array((0, len(self._votes)))
        ]
        if self._size is not None:
            columns.append(sparse.csr_array(-required[:, None]))
        if self._price is not None:
            rows_used = self._rows_used()
            column = np.searchsorted(rows_used, positions)
            entries = (np.ones(len(positions)), (np.arange(len(positions)), column))
            columns.append(sparse.csr_array(entries, shape=(len(positions), len(rows_used))))
        target = np.zeros(len(positions)) if self._theta is None else self._theta * required
        return sparse.hstack(columns, format="csr"), target

    def _objective(self) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
        """Return costs, lower and upper bounds of the unknowns: z, the least margin, misses."""
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

    def _solve_linear_program(self) -> Any:
        from scipy.optimize import linprog

        cost, low, high = self._objective()
        matrix, target = self._constraints()
        size_constraint = {}
        if self._size is not None:
            size_constraint = {"A_eq": self._count_row(len(cost)), "b_eq": [float(self._size)]}
        return linprog(
            cost,
            A_ub=-matrix if len(target) else None,
            b_ub=-target if len(target) else None,
            bounds=np.column_stack([low, high]),
            method="highs",
            **size_constraint,
        )

    def _solve_integer_program(self, time_limit: float) -> Any:
        from scipy.optimize import Bounds, LinearConstraint, milp

        cost, low, high = self._objective()
        matrix, target = self._constraints()
        # An empty committee cannot predict.
        least, most = (1, len(self._votes)) if self._size is None else (self._size, self._size)
        constraints = [LinearConstraint(self._count_row(len(cost)), least, most)]
        if len(target):
            constraints.append(LinearConstraint(matrix, target, np.inf))
        integrality = np.zeros(len(cost))
        integrality[: len(self._votes)] = 1
        return milp(
            cost,
            integrality=integrality,
            bounds=Bounds(low, high),
            constraints=constraints,
            # Presolving prints to stdout even if output is turned off (HiGHS issue 2783).
            options={"time_limit": time_limit, "mip_rel_gap": 0.0, "presolve": False},
        )

    def _count_row(self, n_unknowns: int) -> Any:
        row = np.zeros((1, n_unknowns))
        row[0, : len(self._votes)] = 1.0
        return row


def _margins_of(
    scores: NDArray[np.float64], classes: NDArray[np.int32]
) -> tuple[NDArray[np.float64], NDArray[np.int32]]:
    """Return the margin of each row, and the wrong class with the most votes."""
    rows = np.arange(len(scores))
    wrong = scores.copy()
    wrong[rows, classes] = -np.inf
    strongest = wrong.argmax(axis=1).astype(np.int32)
    return scores[rows, classes] - wrong[rows, strongest], strongest
