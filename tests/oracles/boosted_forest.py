"""The boosted forest over the C4.5 oracle, rule by rule and without optimisation."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from weaklearn.boosting.sampling import draw_counts, sample_size

from .c45 import Node, Options, Table, predict_proba
from .c45_table import Cell, largest_class
from .committee import TIE, member

CAP = math.log(1000)
LEAST = 1e-9
BAGGED = 0.1


@dataclass(frozen=True)
class Member:
    tree: Node
    error: float
    vote: float
    sample: int
    absent: list[int]


class Guide:
    """See the weights of each tree and replace them, to run beside another implementation."""

    def weights(self, own: list[float]) -> list[float]:
        """Return the weights that the next tree is grown with."""
        return own


def grow_forest(
    table: Table,
    options: Options,
    pruned: bool,
    n_members: int,
    run_length: int,
    seed: int,
    guide: Guide,
) -> list[Member]:
    """Return the members; the table has no row of weight 0."""
    members: list[Member] = []
    run = 0
    while len(members) < n_members:
        n_of_run = min(run_length, n_members - len(members))
        members += boost_run(table, options, pruned, n_of_run, run, seed, guide)
        run += 1
    return members


def boost_run(
    table: Table, options: Options, pruned: bool, length: int, run: int, seed: int, guide: Guide
) -> list[Member]:
    truth = [table.classes.index(label) for label in table.y]
    rows = [table.row(i) for i in range(len(truth))]
    counts = np.array(table.weights)
    members: list[Member] = []
    sample = -1
    w: list[float] = []  # empty: draw a sample
    while len(members) < length:
        from_sample = not w
        if from_sample:
            sample += 1
            w = draw_counts(counts, sample_size(counts), seed, run, sample, 3).tolist()
            absent = [i for i, x in enumerate(w) if x == 0]
        w = guide.weights(w)
        tree = member(table, w, options, pruned)
        right = [
            largest_class(shares) == k
            for shares, k in zip(predict_proba(tree, rows, table), truth, strict=True)
        ]
        total = sum(map(Fraction, w))
        wrong = sum(Fraction(x) for x, is_right in zip(w, right, strict=True) if not is_right)
        exact = wrong / total
        error = float(exact)
        if error >= 0.5 - TIE:
            if from_sample:
                members.append(Member(tree, error, BAGGED, sample, absent))
            w = []
        elif error <= 1e-9:
            members.append(Member(tree, error, CAP, sample, absent))
            w = []
        else:
            vote = min(CAP, math.log((1 - error) / error))
            members.append(Member(tree, error, vote, sample, absent))
            # Correct rows are multiplied by error / (1 - error), and all are scaled to the total.
            beta = exact / (1 - exact)
            raw = [Fraction(x) * (beta if r else 1) for x, r in zip(w, right, strict=True)]
            scaled = [x * total / sum(raw) for x in raw]
            floored = [max(x, Fraction(LEAST) * total) if x > 0 else x for x in scaled]
            w = [float(x * total / sum(floored)) for x in floored]
    return members


def votes_for(
    members: Sequence[Member], rows: Sequence[Sequence[Cell]], table: Table, out_of_bag: bool
) -> list[list[float]]:
    """Return the votes for each class, row by row; out of bag, only of members without the row."""
    sums = [[0.0] * len(table.classes) for _ in rows]
    for m in members:
        for i, shares in enumerate(predict_proba(m.tree, rows, table)):
            if not out_of_bag or i in m.absent:
                for k, share in enumerate(shares):
                    sums[i][k] += m.vote * share
    return sums
