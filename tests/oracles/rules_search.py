"""The search of C4.5rules for the set of rules of least cost, of one class."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from .c45_table import less, more
from .rules_cost import exception_bits, log2, log2_factorial

N_STARTS = 11


def glibc_uniform() -> Iterator[float]:
    """Yield the numbers of glibc's random() without a seed, divided by 2^31."""
    x = [1]
    for _ in range(30):
        x.append(16807 * x[-1] % 2147483647)
    x += x[:3]
    while True:
        x.append((x[-3] + x[-31]) % 2**32)
        if len(x) > 344:
            yield (x[-1] >> 1) / 2**31


@dataclass
class Problem:
    """Rules of one class: the rows that each matches, their bits, and the rows of the class."""

    matches: list[set[int]]
    bits: list[Any]
    errors: list[float]
    of_class: set[int]
    weights: Sequence[Any]
    number: Any
    exact: bool  # compare numbers as they are, without a tolerance
    tolerant: bool  # compare weights with a tolerance as well
    best: list[bool] = field(default_factory=list)
    best_cost: Any = 1e10

    def __post_init__(self) -> None:
        self.best = [False] * len(self.bits)
        self.counts_rows = all(weight == 1 for weight in self.weights)
        self.total = float(sum(self.weights))

    def more(self, a: float, b: float) -> bool:
        return a > b if self.exact else more(a, b)

    def less(self, a: float, b: float) -> bool:
        return a < b if self.exact else less(a, b)

    def weight(self, rows: set[int]) -> float:
        if self.counts_rows:
            return float(len(rows))
        return float(sum(self.weights[row] for row in rows))

    def exceptions(self, chosen: Sequence[bool]) -> Any:
        taken = (rows for rows, is_taken in zip(self.matches, chosen, strict=True) if is_taken)
        covered: set[int] = set().union(*taken)
        return exception_bits(
            self.total,
            self.weight(covered),
            self.weight(covered - self.of_class),
            self.weight(self.of_class - covered),
            self.number,
            self.tolerant,
        )

    def theory(self, chosen: Sequence[bool]) -> Any:
        total = self.number(0)
        for bits, taken in zip(self.bits, chosen, strict=True):
            if taken:
                total = self.number(total + bits)
        return self.number(float(total) - log2_factorial(sum(chosen), self.number))

    def evaluate(self, chosen: Sequence[bool]) -> Any:
        """Return the cost of a set, and keep it if it is the best so far."""
        cost = self.number(0.5 * float(self.theory(chosen)) + float(self.exceptions(chosen)))
        if self.less(cost, self.best_cost):
            self.best, self.best_cost = list(chosen), cost
        return cost

    def gain(self, chosen: Sequence[bool], rule: int, cost: Any) -> Any:
        """Return by how much adding a rule, or removing it, lowers the cost."""
        f = self.number
        changed = [taken != (i == rule) for i, taken in enumerate(chosen)]
        exceptions, theory, k = self.exceptions(changed), self.theory(chosen), sum(chosen)
        if chosen[rule]:
            new_theory = f(f(theory - self.bits[rule]) + f(log2(k)))
            return -f(f(float(exceptions) + 0.5 * float(new_theory)) - cost)
        new_theory = f(f(theory + self.bits[rule]) - f(log2(k + 1)))
        return f(cost - f(float(exceptions) + 0.5 * float(new_theory)))


def search(problem: Problem, annealing: bool, release8: bool, draw: Callable[[], float]) -> None:
    """Set the best set of rules of a problem."""
    k = len(problem.bits)
    if k <= 10:
        for code in range(2**k):
            problem.evaluate([bool(code >> i & 1) for i in range(k)])
    elif annealing and release8:
        _anneal(problem, draw)
    elif annealing:
        _tabu_search(problem)
    else:
        for t in range(N_STARTS):
            if release8:
                share = problem.number(t) / problem.number(N_STARTS - 1)
                start = [draw() < share for _ in range(k)]
            else:
                order = sorted(range(k), key=lambda i: problem.errors[i])
                start = [i in order[: k * t // (N_STARTS - 1)] for i in range(k)]
            _climb(problem, start)


def _climb(problem: Problem, chosen: list[bool]) -> None:
    while True:
        cost = problem.evaluate(chosen)
        best, best_gain = None, problem.number(0)
        for rule in range(len(chosen)):
            gain = problem.gain(chosen, rule, cost)
            if problem.more(gain, best_gain):
                best, best_gain = rule, gain
        if best is None:
            return
        chosen[best] = not chosen[best]


def _anneal(problem: Problem, draw: Callable[[], float]) -> None:
    k = len(problem.bits)
    chosen = [False] * k
    temperature = problem.number(1000)
    accepted = True
    while accepted and temperature > 0.001:
        cost = problem.evaluate(chosen)
        accepted = False
        for _ in range(100):
            rule = int(k * draw())
            gain = problem.gain(chosen, rule, cost)
            if gain > 0 or draw() < math.exp(float(problem.number(gain / temperature))):
                chosen[rule] = not chosen[rule]
                temperature = problem.number(float(temperature) * 0.95)
                accepted = True
                break
    _climb(problem, list(problem.best))


def _tabu_search(problem: Problem) -> None:
    k = len(problem.bits)
    chosen = [False] * k
    free_at = [0] * k
    step = last_improvement = 0
    while step <= last_improvement + 10 * k:
        before = problem.best_cost
        cost = problem.evaluate(chosen)
        if problem.best_cost < before:
            last_improvement = step
        best, best_gain = None, -math.inf
        for rule in range(k):
            if free_at[rule] > step:
                continue
            gain = problem.gain(chosen, rule, cost)
            if best is None or problem.more(gain, best_gain):
                best, best_gain = rule, gain
        assert best is not None
        free_at[best] = step + 2 + k // 10
        chosen[best] = not chosen[best]
        step += 1
    _climb(problem, list(problem.best))
