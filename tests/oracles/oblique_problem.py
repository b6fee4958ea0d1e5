"""The data of OC1 and SADT in plain Python: numeric features, impurities, random numbers."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from .c45_table import Table, less, prepare

_MASK = 2**64 - 1
_STEP = 0x9E3779B97F4A7C15
INFINITE = math.inf


@dataclass(frozen=True)
class Options:
    criterion: str = "twoing"
    n_restarts: int = 20
    n_jumps: int = 5
    validation_share: float = 0.1
    max_depth: int = 50
    seed: int = 0


@dataclass(frozen=True)
class SadtOptions:
    criterion: str = "sum_minority"
    temperature: float = 10
    cooling: float = 0.999
    patience: int = 10_000
    validation_share: float = 0.1
    max_depth: int = 50
    seed: int = 0


class Random:
    """The SplitMix64 generator."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def next(self) -> int:
        self.state = (self.state + _STEP) & _MASK
        return _mixed(self.state)

    def coin(self) -> bool:
        return self.next() >> 63 == 1

    def uniform(self) -> float:
        return (self.next() >> 11) * 2.0**-53

    def between(self, low: float, high: float) -> float:
        return low + (high - low) * self.uniform()


def _mixed(z: int) -> int:
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def seed_of(seed: int, index: int) -> int:
    return _mixed((_mixed((seed + _STEP) & _MASK) + (index + 1) * _STEP) & _MASK)


def lower(a: float, b: float) -> bool:
    return a < b if b == INFINITE else less(a, b)


# Impurities from the class weights of both sides.
def impurity(criterion: str, left: list[float], right: list[float]) -> float:
    present = [sum(x > 0 for x in side) for side in (left, right)]
    if present == [1, 1] and all(a == 0 or b == 0 for a, b in zip(left, right, strict=True)):
        return 0.0
    n_left, n_right = sum(left), sum(right)
    n = n_left + n_right
    sides = [side for side in (left, right) if sum(side) > 0]
    whole = [a + b for a, b in zip(left, right, strict=True)]
    if criterion == "max_minority":
        return max(sum(side) - max(side) for side in sides)
    if criterion == "sum_minority":
        return sum(sum(side) - max(side) for side in sides)
    if criterion == "variance":
        return sum(_variance(side) for side in sides)
    if criterion == "gini":
        return sum(sum(side) / n * (1 - sum((x / sum(side)) ** 2 for x in side)) for side in sides)
    if criterion == "gain":
        if max(whole) == n:
            return 0.0
        value = _entropy(whole) - sum(sum(side) / n * _entropy(side) for side in sides)
    else:
        apart = (
            sum(abs(a / n_left - b / n_right) for a, b in zip(left, right, strict=True))
            if n_left > 0 and n_right > 0
            else 0.0
        )
        value = n_left / n * n_right / n * apart**2 / 4
    return 1 / value if value > 1e-12 else INFINITE


def _variance(side: list[float]) -> float:
    side = sorted(side, reverse=True) if len(side) > 2 else side
    mean = sum(k * x for k, x in enumerate(side)) / sum(side)
    return sum(x * (k - mean) ** 2 for k, x in enumerate(side))


def _entropy(weights: list[float]) -> float:
    n = sum(weights)
    return -sum(x / n * math.log2(x / n) for x in weights if x > 0)


class Problem:
    """A table as numbers: rows of features, class indices, weights."""

    def __init__(self, table: Table, options: Options | SadtOptions) -> None:
        self.table = table = prepare(table)
        self.options = options
        self.y = [table.classes.index(label) for label in table.y]
        self.w = table.weights
        self.features: list[
            tuple[int, str | None]
        ] = []  # feature index, and the value of a nominal one
        for a, column in enumerate(table.columns):
            known = [cell for cell in column if cell is not None]
            if len(set(known)) < 2:
                continue
            if table.kinds[a] == "continuous":
                self.features.append((a, None))
            else:
                values = [value for value in table.values[a] if value in known]
                self.features += [(a, v) for v in (values if len(values) > 2 else values[1:])]
        self.means = [self._mean(a, value) for a, value in self.features]
        self.X = [
            [self._number(f, i) for f in range(len(self.features))] for i in range(len(self.y))
        ]

    def _mean(self, a: int, value: str | None) -> float:
        column = self.table.columns[a]
        known = [i for i, cell in enumerate(column) if cell is not None]
        weights = [Fraction(self.w[i]) for i in known]
        numbers = [Fraction(self._as_number(column[i], value)) for i in known]
        # Fractions are exact, so a mean that equals one of the values is exactly that value.
        mean = sum(w * x for w, x in zip(weights, numbers, strict=True)) / sum(weights)
        return float(mean)

    @staticmethod
    def _as_number(cell: float | str, value: str | None) -> float:
        return float(cell) if value is None else float(cell == value)

    def _number(self, f: int, i: int) -> float:
        a, value = self.features[f]
        cell = self.table.columns[a][i]
        return self.means[f] if cell is None else self._as_number(cell, value)

    def weights(self, rows: list[int]) -> list[float]:
        total = [0.0] * len(self.table.classes)
        for i in rows:
            total[self.y[i]] += self.w[i]
        return total

    def impurity_of(self, left: list[int], right: list[int]) -> float:
        return impurity(self.options.criterion, self.weights(left), self.weights(right))
