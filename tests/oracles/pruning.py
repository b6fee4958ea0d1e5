"""Committee pruning in plain Python: kappa from its table, pair by pair, every subset tried."""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations


def kappa(a: list[int], b: list[int], weights: list[float], n_classes: int) -> float:
    # Fractions are exact; with nearly all weight on one class, 1 - theta2 would be rounded away.
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
        n_free = size - len(kept)
        if len(new) == 2 and n_free == 1:
            new = [new[0] if votes[new[0]] >= votes[new[1]] else new[1]]
        kept += new[:n_free]
    return sorted(kept)


def margin(
    predictions: list[list[int]],
    votes: list[float],
    kept: tuple[int, ...],
    row: int,
    own: int,
    k: int,
) -> float:
    """Return the votes for the class of a row minus the most for another, as a share of all."""
    scores = [0.0] * k
    for member in kept:
        scores[predictions[member][row]] += votes[member]
    best_other = max(score for c, score in enumerate(scores) if c != own)
    return (scores[own] - best_other) / sum(votes)


def least_margin(
    predictions: list[list[int]], votes: list[float], classes: list[int], k: int, size: int
) -> float:
    """Return the largest least margin of any `size` members.

    Only rows that the whole committee predicts correctly count.
    """
    all_members = tuple(range(len(votes)))
    rows = _rows_right(predictions, votes, classes, k)
    return max(
        min(margin(predictions, votes, kept, row, classes[row], k) for row in rows)
        for kept in combinations(all_members, size)
    )


def fewest(
    predictions: list[list[int]], votes: list[float], classes: list[int], k: int, theta: float
) -> int:
    """Return the fewest members that keep a share `theta` of every margin."""
    all_members = tuple(range(len(votes)))
    full = {
        row: margin(predictions, votes, all_members, row, classes[row], k)
        for row in _rows_right(predictions, votes, classes, k)
    }
    for size in range(1, len(votes) + 1):
        for kept in combinations(all_members, size):
            if all(
                margin(predictions, votes, kept, row, classes[row], k) >= theta * full[row] - 1e-6
                for row in full
            ):
                return size
    raise AssertionError("the whole committee keeps every margin")


def _rows_right(
    predictions: list[list[int]], votes: list[float], classes: list[int], k: int
) -> list[int]:
    all_members = tuple(range(len(votes)))
    return [
        row
        for row, own in enumerate(classes)
        if margin(predictions, votes, all_members, row, own, k) > 1e-4
    ]
