"""AdaBoost.M1 over the C4.5 oracle, rule by rule and without optimisation.

Weights are updated as fractions, so that very small and very large weights stay exact.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

import numpy as np

from weaklearn.boosting.sampling import draw_counts, draw_factors, sample_size

from .c45 import Node, Options, Table, grow, predict_proba, prune
from .c45_table import Cell, branch_of, is_leaf, largest_class, stored_cell

TIE = 1e-9

Prediction = tuple[int, float]  # class index and confidence


@dataclass(frozen=True)
class Choices:
    n_rounds: int = 5
    step: float = 1.0
    confident: bool = False
    resample: bool = False
    restart: bool = False
    stop_at_zero_error: bool = False
    keep_class_weights: bool = False
    pruned: bool = True


@dataclass(frozen=True)
class Round:
    tree: Node
    error: float
    vote: float
    bound: float
    alone: bool = False  # true for a member without error: only it votes
    start: int = 0  # how often boosting had restarted


class Guide:
    """See the weights of each round and replace them, to run beside another implementation."""

    def distribution(self, round_index: int, own: list[float]) -> list[float]:
        """Return the weights that a round computes its error with; they sum to one."""
        return own

    def counts(self, round_index: int, own: list[float]) -> list[float]:
        """Return the weights that the tree of a round is grown with."""
        return own


def boost(
    table: Table, options: Options, choices: Choices, seed: int, guide: Guide | None = None
) -> tuple[list[Round], str]:
    """Return the rounds and the reason for stopping; the table has no row of weight 0."""
    guide = guide or Guide()
    n = sum(table.weights)
    truth = [table.classes.index(label) for label in table.y]
    rows = [table.row(i) for i in range(len(truth))]
    class_weights = in_classes(truth, table.weights, len(table.classes))
    # Without class weights to keep, all rows are in one group.
    group = truth if choices.keep_class_weights else [0] * len(truth)
    w = [weight / n for weight in table.weights]
    initial: list[Fraction] = []
    excess: list[float] = []  # per group: log of the product of its divisors / sqrt(beta)
    rounds: list[Round] = []
    bad: list[Round] = []  # dropped since the last round
    start = learned = 0
    first: list[float] = []

    def random_weights() -> list[float]:
        factors = draw_factors(len(first), seed, start).tolist()
        drawn = [Fraction(x) * Fraction(f) for x, f in zip(first, factors, strict=True)]
        now = in_classes(group, drawn, len(initial))
        return [
            float(x * initial[k] / now[k]) if now[k] > 0 else 0.0
            for x, k in zip(drawn, group, strict=True)
        ]

    while len(rounds) < choices.n_rounds:
        w = guide.distribution(learned, w)
        first = first or w
        initial = initial or in_classes(group, list(map(Fraction, w)), max(group) + 1)
        excess = excess or [0.0] * len(initial)
        counts = [n * x for x in w]
        if choices.resample:
            draws = sample_size(
                np.array(table.weights)
            )  # a sum that ends in a half may round either way
            counts = draw_counts(np.array(counts), draws, seed, len(rounds)).tolist()
        counts = guide.counts(learned, counts)
        learned += 1
        tree = member(table, counts, options, choices.pruned)
        right = [c == k for (c, _), k in zip(predict(tree, rows, table), truth, strict=True)]
        exact = sum(Fraction(x) for x, is_right in zip(w, right, strict=True) if not is_right)
        error = float(exact)
        if error >= 0.5 - TIE:
            bad.append(Round(tree, error, vote=1.0, bound=1.0, start=start))
            if not choices.restart or len(bad) == 25:
                return rounds or bad[:1], "error"
            start += 1
            w = random_weights()
            continue
        bad = []
        if error == 0 and not choices.restart:
            return [*rounds, Round(tree, 0.0, vote=1.0, bound=0.0, alone=True)], "perfect"
        if error < 1e-10 and choices.restart:
            vote = 1.0 if choices.confident else math.log(1 - 1e-10) - math.log(1e-10)
            rounds.append(Round(tree, error, vote, bound=1.0, start=start))
            start += 1
            w = random_weights()
        else:
            goal = exact + Fraction(choices.step) * (Fraction(1, 2) - exact)
            beta = (exact / goal) * ((1 - goal) / (1 - exact))
            w, divisors = updated(w, right, group, beta, initial)
            excess = [
                e + logarithm(d) - logarithm(beta) / 2 if d > 0 else e
                for e, d in zip(excess, divisors, strict=True)
            ]
            parts = [e + logarithm(x) for e, x in zip(excess, initial, strict=True) if x > 0]
            vote = 1.0 if choices.confident else -logarithm(beta)
            bound = sum_of_exponentials(parts) if start == 0 else 1.0
            rounds.append(Round(tree, error, vote, bound, start=start))
        if choices.stop_at_zero_error:
            order = priority(class_weights)
            sums = tallies(rounds, choices.confident, rows, table)
            wrong = [winner(votes, order) != k for votes, k in zip(sums, truth, strict=True)]
            if not any(wrong):
                return rounds, "zero_error"
    return rounds, "rounds"


def in_classes(truth: Sequence[int], weights: Sequence[Any], n_classes: int) -> list[Any]:
    return [sum(w for w, t in zip(weights, truth, strict=True) if t == k) for k in range(n_classes)]


def updated(
    w: list[float], right: list[bool], truth: list[int], beta: Fraction, initial: list[Fraction]
) -> tuple[list[float], list[Fraction]]:
    """Multiply correct rows by beta, then scale each group to its initial weight.

    Return the new weights and the divisor of each group.
    """
    scaled = [Fraction(x) * (beta if r else 1) for x, r in zip(w, right, strict=True)]
    now = in_classes(truth, scaled, len(initial))
    divisors = [a / b if b > 0 else Fraction(1) for a, b in zip(now, initial, strict=True)]
    return [float(x / divisors[k]) for x, k in zip(scaled, truth, strict=True)], divisors


def logarithm(x: Fraction) -> float:
    return math.log(x.numerator) - math.log(x.denominator)


def sum_of_exponentials(logarithms: Sequence[float]) -> float:
    """Return the sum, but at most 1: a larger bound has no meaning."""
    return 1.0 if max(logarithms) > 0 else min(1.0, sum(map(math.exp, logarithms)))


def member(table: Table, counts: list[float], options: Options, pruned: bool) -> Node:
    weighted = replace(table, weights=counts)
    tree = grow(weighted, options)
    return prune(tree, weighted, options) if pruned else tree


def predict(tree: Node, rows: Sequence[Sequence[Cell]], table: Table) -> list[Prediction]:
    """Return C4.5's class of each row and the Laplace ratio at the leaves that it reaches."""
    result = []
    for row, shares in zip(rows, predict_proba(tree, rows, table), strict=True):
        label = largest_class(shares)
        name = table.classes[label]
        ends = list(leaves(tree, [stored_cell(table, a, cell) for a, cell in enumerate(row)], 1.0))
        of_class = sum(share * leaf["dist"].get(name, 0.0) for leaf, share in ends if leaf["n"] > 0)
        everything = sum(share * leaf["n"] for leaf, share in ends)
        result.append((label, (of_class + 1) / (everything + 2)))
    return result


def leaves(node: Node, row: Sequence[Cell], share: float) -> Iterator[tuple[Node, float]]:
    """Yield the leaves that a row reaches and the share of the row at each."""
    if is_leaf(node):
        yield node, share
        return
    taken = branch_of(node, row[node["index"]])
    for b, child in enumerate(node["children"]):
        if b == taken:
            yield from leaves(child, row, share)
        elif taken is None and child["n"] > 0:
            yield from leaves(child, row, share * child["n"] / node["n"])


def tallies(
    rounds: Sequence[Round], confident: bool, rows: Sequence[Sequence[Cell]], table: Table
) -> list[list[float]]:
    """Return the votes for each class, row by row."""
    deciding = [r for r in rounds if r.alone] or rounds
    sums = [[0.0] * len(table.classes) for _ in rows]
    for r in deciding:
        for votes, (label, confidence) in zip(sums, predict(r.tree, rows, table), strict=True):
            votes[label] += r.vote * confidence if confident else r.vote
    return sums


def priority(class_weights: Sequence[float]) -> list[int]:
    """Return the classes in the order in which they win ties: by weight, then by index."""
    order: list[int] = []
    while len(order) < len(class_weights):
        remaining = [k for k in range(len(class_weights)) if k not in order]
        most = max(class_weights[k] for k in remaining)
        order.append(next(k for k in remaining if class_weights[k] >= most * (1 - TIE)))
    return order


def winner(votes: Sequence[float], order: Sequence[int]) -> int:
    most = max(votes)
    return next(k for k in order if votes[k] >= most * (1 - TIE))
