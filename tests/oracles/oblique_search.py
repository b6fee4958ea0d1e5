"""The searches of OC1 and SADT in plain Python; every quantity is computed again each time."""

from __future__ import annotations

import math

from .c45_table import less, to_single
from .oblique_problem import INFINITE, Options, Problem, Random, SadtOptions, lower, seed_of


def best_cut(
    problem: Problem, places: list[tuple[float, int]], random: Random
) -> tuple[int, float]:
    """Return how many of the sorted places lie left of the best cut, and its impurity."""
    rows = [row for _, row in places]
    best = 0, problem.impurity_of([], rows)
    for n in range(1, len(places) + 1):
        if n < len(places) and places[n][0] == places[n - 1][0]:
            continue
        impurity_now = problem.impurity_of(rows[:n], rows[n:])
        if lower(impurity_now, best[1]) or (not lower(best[1], impurity_now) and random.coin()):
            best = n, impurity_now
    return best


def cut_at(n_left: int, numbers: list[float]) -> float:
    if n_left == 0:
        return numbers[0] - 0.0001 * max(1, abs(numbers[0]))
    if n_left == len(numbers):
        return numbers[-1] + 0.0001 * max(1, abs(numbers[-1]))
    return numbers[n_left - 1] / 2 + numbers[n_left] / 2


def best_axis_cut(problem: Problem, rows: list[int], random: Random) -> tuple[int, float, float]:
    """Return the feature, the cut and the impurity of the best split by one feature."""
    best = 0, 0.0, INFINITE
    for f in range(len(problem.features)):
        places = sorted((problem.X[i][f], i) for i in rows)
        n_left, impurity_now = best_cut(problem, places, random)
        if f == 0 or lower(impurity_now, best[2]):
            best = f, cut_at(n_left, [number for number, _ in places]), impurity_now
        if best[2] == 0:
            break
    return best


class Climb:
    """Search from one plane, with points shifted so that no coordinate is negative."""

    def __init__(self, problem: Problem, options: Options, rows: list[int], random: Random) -> None:
        self.problem, self.options, self.rows, self.random = problem, options, rows, random
        self.d = len(problem.features)
        self.origin = [min(0.0, *(problem.X[i][f] for i in rows)) for f in range(self.d)]
        self.x = {i: [problem.X[i][f] - self.origin[f] for f in range(self.d)] for i in rows}

    def impurity(self, value: dict[int, float]) -> float:
        left = [i for i in self.rows if value[i] < 0]
        return self.problem.impurity_of(left, [i for i in self.rows if value[i] >= 0])

    def values(self, plane: list[float], constant: float) -> dict[int, float]:
        value = dict.fromkeys(self.rows, constant)
        for f in range(self.d):
            for i in self.rows:
                value[i] += plane[f] * self.x[i][f]
        return value

    def best_turn(self, turns: list[tuple[float, int]]) -> float:
        # The sort is stable and compares in single precision.
        order = sorted(turns, key=lambda turn: to_single(turn[0]))
        places = [(to_single(at), i) for at, i in order]
        n_left, _ = best_cut(self.problem, places, self.random)
        return cut_at(n_left, [at for at, _ in order])

    def run(self, plane: list[float], constant: float) -> tuple[list[float], float]:
        n_stagnant = 0
        for _ in range(500):
            value = self.values(plane, constant)
            current = self.impurity(value)
            changed = False
            for f in range(self.d):
                if current == 0:
                    break
                moving = [i for i in self.rows if self.x[i][f] != 0]
                if not moving:
                    continue
                turns = [(plane[f] - value[i] / self.x[i][f], i) for i in moving]
                change = self.best_turn(turns) - plane[f]
                if not abs(change) > 0.0001:
                    continue
                moved = {i: value[i] + change * self.x[i][f] for i in self.rows}
                impurity_now = self.impurity(moved)
                if lower(current, impurity_now):
                    continue
                noticed = impurity_now != current and current - impurity_now > 0.0001
                if not noticed and n_stagnant > 10:
                    continue
                n_stagnant = 0 if noticed else n_stagnant + 1
                plane[f] += change
                value, current, changed = moved, impurity_now, True
            if current == 0:
                return plane, constant
            if changed:
                continue
            jumped = self.jump(plane, constant, value, current)
            if jumped is None:
                return plane, constant
            plane, constant = jumped
        return plane, constant

    def jump(
        self, plane: list[float], constant: float, value: dict[int, float], current: float
    ) -> tuple[list[float], float] | None:
        for _ in range(self.options.n_jumps):
            direction = [self.random.between(-1, 1) for _ in range(self.d)]
            part = self.random.between(-1, 1)
            slope = self.values(direction, part)
            turns = [(-value[i] / slope[i], i) for i in self.rows if slope[i] != 0]
            if not turns:
                continue
            way = self.best_turn(turns)
            if lower(self.impurity({i: value[i] + way * slope[i] for i in self.rows}), current):
                return [a + way * r for a, r in zip(plane, direction, strict=True)], (
                    constant + way * part
                )
        return None

    def outside(self, plane: list[float], constant: float) -> tuple[list[float], float]:
        for f in range(self.d):
            constant -= plane[f] * self.origin[f]
        return plane, constant


def is_left(problem: Problem, plane: list[float], constant: float, i: int) -> bool:
    """Return the side of a row; terms are added feature by feature, as in a finished tree."""
    sums: dict[int, float] = {}
    for (a, _), coefficient, number in zip(problem.features, plane, problem.X[i], strict=True):
        sums[a] = sums.get(a, 0.0) + coefficient * number
    return sum(sums.values()) < -constant


def find(problem: Problem, rows: list[int], seed: int) -> tuple[list[float], float, float]:
    """Return the plane of a node and its impurity."""
    if isinstance(problem.options, SadtOptions):
        return anneal(problem, problem.options, rows, seed)
    return search(problem, problem.options, rows, seed)


def search(
    problem: Problem, options: Options, rows: list[int], seed: int
) -> tuple[list[float], float, float]:
    """Return the plane that OC1 finds."""
    random = Random(seed_of(seed, 0))
    feature, cut, on_axis = best_axis_cut(problem, rows, random)
    d = len(problem.features)
    axis = [float(f == feature) for f in range(d)]
    enough = sum(problem.w[i] for i in rows) > 2 * d
    if on_axis == 0 or not enough:
        return axis, -cut, on_axis
    best: tuple[list[float], float, float] | None = None
    for position in range(options.n_restarts):
        own = Random(seed_of(seed, 1 + position))
        plane, constant = list(axis), -cut
        if position > 0:
            plane = [own.between(-1, 1) for _ in range(d)]
            constant = own.between(-1, 1)
        climb = Climb(problem, options, rows, own)
        plane, constant = climb.outside(*climb.run(plane, constant))
        left = [i for i in rows if is_left(problem, plane, constant, i)]
        impurity_now = problem.impurity_of(left, [i for i in rows if i not in left])
        if (
            best is None
            or lower(impurity_now, best[2])
            or (not lower(best[2], impurity_now) and random.coin())
        ):
            best = plane, constant, impurity_now
            if impurity_now == 0:
                break
    if best is not None and lower(best[2], on_axis):
        return best
    return axis, -cut, on_axis


def anneal(
    problem: Problem, options: SadtOptions, rows: list[int], seed: int
) -> tuple[list[float], float, float]:
    """Return the plane that SADT finds."""
    random, d = Random(seed), len(problem.features)
    columns = [[problem.X[i][f] for i in rows] for f in range(d)]
    origin = [min(column) for column in columns]
    width = [max(column) - min(column) for column in columns]
    scale = [1 / w if w else 1.0 for w in width]
    x = {i: [scale[f] * (problem.X[i][f] - origin[f]) for f in range(d)] + [1.0] for i in rows}

    def impurity(value: dict[int, float]) -> float:
        left = [i for i in rows if value[i] < 0]
        return problem.impurity_of(left, [i for i in rows if value[i] >= 0])

    mean = sum(problem.w[i] * sum(x[i][:d]) for i in rows) / sum(problem.w[i] for i in rows)
    below = max(sum(x[i][:d]) for i in rows if not less(mean, sum(x[i][:d])))
    above = [sum(x[i][:d]) for i in rows if less(mean, sum(x[i][:d]))]
    plane = [1.0] * d + [-((below + min(above)) / 2 if above else mean - 1)]
    value = {i: plane[d] for i in rows}
    for f in range(d):
        value = {i: value[i] + x[i][f] for i in rows}
    current = impurity(value)
    best, lowest = list(plane), current
    temperature, waited = options.temperature, 0
    while waited < options.patience and lowest != 0:
        f = int(random.uniform() * (d + 1))
        change = random.between(-0.5, 0.5)
        draw = random.uniform()
        waited += 1
        moved = {i: value[i] + change * x[i][f] for i in rows}
        impurity_now = impurity(moved)
        if not lower(current, impurity_now) or (
            impurity_now < INFINITE and -math.log(draw) * temperature > impurity_now - current
        ):
            value, current = moved, impurity_now
            plane[f] += change
            if lower(current, lowest):
                best, lowest, waited = list(plane), current, 0
        temperature *= options.cooling
    coefficients = [best[f] * scale[f] for f in range(d)]
    constant = best[d]
    for f in range(d):
        constant -= coefficients[f] * origin[f]
    left = [i for i in rows if is_left(problem, coefficients, constant, i)]
    impurity_now = problem.impurity_of(left, [i for i in rows if i not in left])
    return coefficients, constant, impurity_now
