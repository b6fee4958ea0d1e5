"""OC1 and SADT in plain Python: every quantity is computed anew wherever it is needed."""

from __future__ import annotations

import math
from dataclasses import dataclass

from .c45_table import Node, Table, less, prepared, to_single

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


class Chance:
    """SplitMix64."""

    def __init__(self, seed: int) -> None:
        self.state = seed

    def next(self) -> int:
        self.state = (self.state + _STEP) & _MASK
        return _mixed(self.state)

    def coin(self) -> bool:
        return self.next() >> 63 == 1

    def share(self) -> float:
        return (self.next() >> 11) * 2.0**-53

    def between(self, low: float, high: float) -> float:
        return low + (high - low) * self.share()


def _mixed(z: int) -> int:
    z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
    z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
    return z ^ (z >> 31)


def seed_of(seed: int, number: int) -> int:
    return _mixed((_mixed((seed + _STEP) & _MASK) + (number + 1) * _STEP) & _MASK)


def lower(a: float, b: float) -> bool:
    return a < b if b == INFINITE else less(a, b)


# Impurities, from the weight of each class on either side.
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
    """A table as numbers: rows of features, classes by number, weights."""

    def __init__(self, table: Table, options: Options | SadtOptions) -> None:
        self.table = table = prepared(table)
        self.options = options
        self.y = [table.classes.index(label) for label in table.y]
        self.w = table.weights
        self.features: list[tuple[int, str | None]] = []  # attribute, and a nominal one's value
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
        total = sum(self.w[i] for i in known)
        return sum(self.w[i] * self._as_number(column[i], value) for i in known) / total

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
        return numbers[0] - 0.0001
    if n_left == len(numbers):
        return numbers[-1]
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
        while True:
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
    """As the finished tree adds up: attribute by attribute."""
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
    plane = [1.0] * d + [-((below + min(above)) / 2 if above else mean)]
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


def hold_out(n: int, options: Options | SadtOptions) -> tuple[list[int], list[int]]:
    rows, n_held_out = list(range(n)), int(options.validation_share * n)
    chance = Chance(seed_of(options.seed, 0))
    for i in range(n, n - n_held_out, -1):
        j = int(chance.share() * i)
        rows[i - 1], rows[j] = rows[j], rows[i - 1]
    return sorted(rows[: n - n_held_out]), rows[n - n_held_out :]


def grow(table: Table, options: Options | SadtOptions) -> Node:
    problem = Problem(table, options)
    rows, held_out = hold_out(len(problem.y), options)
    root = _grow(problem, rows, held_out, 0, seed_of(options.seed, 1))
    return _finish(prune(root) if held_out else root)


def _grow(problem: Problem, rows: list[int], held_out: list[int], depth: int, seed: int) -> Node:
    total = problem.weights(rows)
    label = next(k for k, x in enumerate(total) if not less(x, max(total)))
    classes = problem.table.classes
    node: Node = {
        "class": classes[label],
        "n": sum(total),
        "e": sum(x for k, x in enumerate(total) if k != label),
        "dist": {classes[k]: x for k, x in enumerate(total) if x},
        "held_out": sum(problem.w[i] for i in held_out if problem.y[i] != label),
    }
    if node["e"] == 0 or depth == problem.options.max_depth or not problem.features:
        return node
    plane, constant, found = find(problem, rows, seed)
    if not lower(found, problem.impurity_of([], rows)):
        return node
    sides: list[Node] = []
    for number, wanted in enumerate((True, False)):
        own, other = (
            [i for i in some if is_left(problem, plane, constant, i) == wanted]
            for some in (rows, held_out)
        )
        if not own:
            return node
        seed_below = seed_of(seed, 1000000 + number)
        sides.append(_grow(problem, own, other, depth + 1, seed_below))
    return {**node, "plane": plane, "constant": constant, "children": sides}


def leaves(node: Node) -> list[Node]:
    return (
        [leaf for child in node["children"] for leaf in leaves(child)]
        if "children" in node
        else [node]
    )


def strength(node: Node) -> float:
    below = leaves(node)
    own: float = node["e"]
    return (own - sum(leaf["e"] for leaf in below)) / (len(below) - 1)


def prune(root: Node) -> Node:
    """Of all trees of the cost-complexity sequence the best, of equals the smallest."""
    best, fewest = root, sum(leaf["held_out"] for leaf in leaves(root))
    tree = root
    while len(leaves(tree)) > 2:
        inner = _inner(tree)[1:]
        if not inner:
            break
        least = min(strength(node) for node in inner)
        tree = _cut(tree, [node for node in inner if not less(least, strength(node))])
        errors = sum(leaf["held_out"] for leaf in leaves(tree))
        if not less(fewest, errors):
            best, fewest = tree, errors
    return best


def _inner(node: Node) -> list[Node]:
    if "children" not in node:
        return []
    return [node, *(below for child in node["children"] for below in _inner(child))]


def _cut(node: Node, weak: list[Node]) -> Node:
    if any(node is one for one in weak) or "children" not in node:
        return {key: node[key] for key in ("class", "n", "e", "dist", "held_out")}
    return {**node, "children": [_cut(child, weak) for child in node["children"]]}


def _finish(node: Node) -> Node:
    """An inner node's errors are those of its leaves."""
    if "children" not in node:
        return node
    children = [_finish(child) for child in node["children"]]
    return {**node, "children": children, "e": sum(child["e"] for child in children)}
