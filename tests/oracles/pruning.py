"""Pruning in plain Python: kappa by its contingency table, pairs one by one, every subset tried."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations


def kappa(a: list[int], b: list[int], weights: list[float], n_classes: int) -> float:
    # Exactly: where nearly all weight is on one class, 1 - theta2 is lost in rounding.
    total = sum(map(Fraction, weights))
    table = [[Fraction(0)] * n_classes for _ in range(n_classes)]
    for i, j, weight in zip(a, b, weights, strict=True):
        table[i][j] += Fraction(weight) / total
    theta1 = sum(table[k][k] for k in range(n_classes))
    theta2 = sum(
        sum(table[k]) * sum(table[i][k] for i in range(n_classes)) for k in range(n_classes)
    )
    return 1.0 if theta2 == 1 else float((theta1 - theta2) / (1 - theta2))


def choose_by_kappa(kappas: list[list[float]], votes: list[float], size: int) -> list[int]:
    n_members = len(votes)
    if size == n_members:
        return list(range(n_members))
    pairs = sorted(combinations(range(n_members), 2), key=lambda pair: kappas[pair[0]][pair[1]])
    kept: list[int] = []
    for pair in pairs:
        new = [member for member in pair if member not in kept]
        room = size - len(kept)
        if len(new) == 2 and room == 1:
            new = [new[0] if votes[new[0]] >= votes[new[1]] else new[1]]
        kept += new[:room]
    return sorted(kept)


def margin(
    answers: list[list[int]], votes: list[float], kept: tuple[int, ...], row: int, own: int, k: int
) -> float:
    """The votes of some members for a row's class minus the most for another, of all votes."""
    scores = [0.0] * k
    for member in kept:
        scores[answers[member][row]] += votes[member]
    best_other = max(score for number, score in enumerate(scores) if number != own)
    return (scores[own] - best_other) / sum(votes)


def least_margin(
    answers: list[list[int]], votes: list[float], classes: list[int], k: int, size: int
) -> float:
    """The largest that the least margin of the rows that all get right can be made by `size`."""
    everyone = tuple(range(len(votes)))
    rows = _rows_right(answers, votes, classes, k)
    return max(
        min(margin(answers, votes, kept, row, classes[row], k) for row in rows)
        for kept in combinations(everyone, size)
    )


def fewest(
    answers: list[list[int]], votes: list[float], classes: list[int], k: int, theta: float
) -> int:
    """How few members keep a share of every margin."""
    everyone = tuple(range(len(votes)))
    full = {
        row: margin(answers, votes, everyone, row, classes[row], k)
        for row in _rows_right(answers, votes, classes, k)
    }
    for size in range(1, len(votes) + 1):
        for kept in combinations(everyone, size):
            if all(
                margin(answers, votes, kept, row, classes[row], k) >= theta * full[row] - 1e-6
                for row in full
            ):
                return size
    raise AssertionError("all members keep everything")


def _rows_right(
    answers: list[list[int]], votes: list[float], classes: list[int], k: int
) -> list[int]:
    everyone = tuple(range(len(votes)))
    return [
        row
        for row, own in enumerate(classes)
        if margin(answers, votes, everyone, row, own, k) > 1e-4
    ]
