"""The impurity of class weights by the textbook formula of each criterion."""

from __future__ import annotations

import math
from collections.abc import Sequence


def information(weights: Sequence[float]) -> float:
    """Return T log2 T - sum x log2 x, in bits times weight."""
    total = sum(weights)
    return sum(x * (math.log2(total) - math.log2(x)) for x in weights if x > 0)


def entropy(weights: Sequence[float]) -> float:
    """Return the entropy of C4.5: in bits, not normalised."""
    total = sum(weights)
    return information(weights) / total if total > 0 else 0.0


def gini(weights: Sequence[float]) -> float:
    """Return (1 - sum p^2) K / (K - 1), K the number of declared classes."""
    total, classes = sum(weights), len(weights)
    if total <= 0 or classes == 1:
        return 0.0
    return (1 - sum((x / total) ** 2 for x in weights)) * classes / (classes - 1)


def km(weights: Sequence[float]) -> float:
    """Return ((sum sqrt p)^2 - 1) / (K - 1), K the number of declared classes."""
    total, classes = sum(weights), len(weights)
    if total <= 0 or classes == 1:
        return 0.0
    return (sum(math.sqrt(x / total) for x in weights) ** 2 - 1) / (classes - 1)


def error(weights: Sequence[float]) -> float:
    """Return (1 - max p) K / (K - 1), K the number of declared classes."""
    total, classes = sum(weights), len(weights)
    if total <= 0 or classes == 1:
        return 0.0
    return sum(sorted(weights)[:-1]) / total * classes / (classes - 1)


IMPURITY = {"gain_ratio": entropy, "gain": entropy, "gini": gini, "km": km, "error": error}


def normalised_impurity(criterion: str, weights: Sequence[float]) -> float:
    """Return the impurity scaled to 0 for a pure node and 1 for equal class shares."""
    if criterion != "entropy":
        return IMPURITY[criterion](weights)
    return entropy(weights) / math.log2(len(weights)) if len(weights) > 1 else 0.0
