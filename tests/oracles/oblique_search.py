"""The searches of OC1 and SADT in plain Python: every quantity is computed anew."""

from __future__ import annotations

import math

from .c45_table import less, to_single
from .oblique_problem import INFINITE, Chance, Options, Problem, SadtOptions, lower, seed_of


def best_cut(
    problem: Problem, places: list[tuple[float, int]], chance: Chance
) -> tuple[int, float]:
    """How many of the sorted places lie left of the best cut, and its impurity."""
    rows = [row for _, row in places]
    best = 0, problem.impurity_of([], rows)
    for n in range(1, len(places) + 1):
        if n < len(places) and places[n][0] == places[n - 1][0]:
            continue
        found = problem.impurity_of(rows[:n], rows[n:])
        if lower(found, best[1]) or (not lower(best[1], found) and chance.coin()):
            best = n, found
    return best


def cut_at(n_left: int, numbers: list[float]) -> float:
    if n_left == 0:
        return numbers[0] - 0.0001 * max(1, abs(numbers[0]))
    if n_left == len(numbers):
        return numbers[-1] + 0.0001 * max(1, abs(numbers[-1]))
    return numbers[n_left - 1] / 2 + numbers[n_left] / 2


def best_axis_cut(problem: Problem, rows: list[int], chance: Chance) -> tuple[int, float, float]:
    """The feature, the cut and the impurity of the best test of one feature."""
    best = 0, 0.0, INFINITE
    for f in range(len(problem.features)):
        places = sorted((problem.X[i][f], i) for i in rows)
        n_left, found = best_cut(problem, places, chance)
        if f == 0 or lower(found, best[2]):
            best = f, cut_at(n_left, [number for number, _ in places]), found
        if best[2] == 0:
            break
    return best


class Climb:
    """The search from one plane, among points moved so that no number is negative."""

    def __init__(self, problem: Problem, options: Options, rows: list[int], chance: Chance) -> None:
        self.problem, self.options, self.rows, self.chance = problem, options, rows, chance
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
        # Sorted stably by what they are in single precision, in which they are compared.
        order = sorted(turns, key=lambda turn: to_single(turn[0]))
        places = [(to_single(at), i) for at, i in order]
        n_left, _ = best_cut(self.problem, places, self.chance)
        return cut_at(n_left, [at for at, _ in order])

    def run(self, plane: list[float], constant: float) -> tuple[list[float], float]:
        standstill = 0
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
                found = self.impurity(moved)
                if lower(current, found):
                    continue
                noticed = found != current and current - found > 0.0001
                if not noticed and standstill > 10:
                    continue
                standstill = 0 if noticed else standstill + 1
                plane[f] += change
                value, current, changed = moved, found, True
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
            direction = [self.chance.between(-1, 1) for _ in range(self.d)]
            part = self.chance.between(-1, 1)
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
    """As the finished tree adds up: feature by feature."""
    sums: dict[int, float] = {}
    for (a, _), coefficient, number in zip(problem.features, plane, problem.X[i], strict=True):
        sums[a] = sums.get(a, 0.0) + coefficient * number
    return sum(sums.values()) < -constant


def find(problem: Problem, rows: list[int], seed: int) -> tuple[list[float], float, float]:
    """The plane of a node, and its impurity."""
    if isinstance(problem.options, SadtOptions):
        return anneal(problem, problem.options, rows, seed)
    return search(problem, problem.options, rows, seed)


def search(
    problem: Problem, options: Options, rows: list[int], seed: int
) -> tuple[list[float], float, float]:
    """OC1's plane."""
    chance = Chance(seed_of(seed, 0))
    feature, cut, on_axis = best_axis_cut(problem, rows, chance)
    d = len(problem.features)
    axis = [float(f == feature) for f in range(d)]
    enough = sum(problem.w[i] for i in rows) > 2 * d
    if on_axis == 0 or not enough:
        return axis, -cut, on_axis
    best: tuple[list[float], float, float] | None = None
    for number in range(options.n_restarts):
        own = Chance(seed_of(seed, 1 + number))
        plane, constant = list(axis), -cut
        if number > 0:
            plane = [own.between(-1, 1) for _ in range(d)]
            constant = own.between(-1, 1)
        climb = Climb(problem, options, rows, own)
        plane, constant = climb.outside(*climb.run(plane, constant))
        left = [i for i in rows if is_left(problem, plane, constant, i)]
        found = problem.impurity_of(left, [i for i in rows if i not in left])
        if best is None or lower(found, best[2]) or (not lower(best[2], found) and chance.coin()):
            best = plane, constant, found
            if found == 0:
                break
    if best is not None and lower(best[2], on_axis):
        return best
    return axis, -cut, on_axis


def anneal(
    problem: Problem, options: SadtOptions, rows: list[int], seed: int
) -> tuple[list[float], float, float]:
    """SADT's plane."""
    chance, d = Chance(seed), len(problem.features)
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
        f = int(chance.share() * (d + 1))
        change = chance.between(-0.5, 0.5)
        luck = chance.share()
        waited += 1
        moved = {i: value[i] + change * x[i][f] for i in rows}
        found = impurity(moved)
        if not lower(current, found) or (
            found < INFINITE and -math.log(luck) * temperature > found - current
        ):
            value, current = moved, found
            plane[f] += change
            if lower(current, lowest):
                best, lowest, waited = list(plane), current, 0
        temperature *= options.cooling
    coefficients = [best[f] * scale[f] for f in range(d)]
    constant = best[d]
    for f in range(d):
        constant -= coefficients[f] * origin[f]
    left = [i for i in rows if is_left(problem, coefficients, constant, i)]
    found = problem.impurity_of(left, [i for i in rows if i not in left])
    return coefficients, constant, found
