"""C4.5rules in plain Python: every step as docs/algorithms/rules.md describes it, row by row.

`learn` starts from an unpruned tree in the form of `Graph.to_dict` and returns the result of each
step in the form of the stored outputs of the original program (tests/references/c45rules).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import numpy as np

from weaklearn import _core

from .c45_prune import extra_errors
from .c45_table import Node, Table, at_least, at_most, more, prepare
from .rules_cost import branch_bits, log2_factorial, rule_bits
from .rules_search import Problem, glibc_uniform, search

Condition = dict[str, Any]  # index, operator, value, type (1, 2, 3), node
TYPES = {"=": 1, "<=": 2, ">": 2, "in": 3}


@dataclass(frozen=True)
class RuleOptions:
    confidence: float = 0.25
    fisher: float | None = None
    redundancy: float = 1.0
    annealing: bool = False
    release8: bool = False
    #: Per class the weight of a row that counts once; the weights of the table contain them.
    factors: tuple[float, ...] = ()

    @property
    def number(self) -> Any:
        """The type that numbers are rounded to."""
        return np.float32 if self.release8 else float

    def at_most(self, a: float, b: float) -> bool:
        return a <= b if self.release8 else at_most(a, b)

    def is_heavier(self, a: Any, b: Any) -> bool:
        """Return whether a weight is larger; factors are rounded numbers, other sums are exact."""
        return more(a, b) if self.factors else bool(a > b)


@dataclass
class Rule:
    label: str
    error: Any
    conditions: list[Condition]
    rows: set[int] = field(default_factory=set)

    def matched(self) -> set[int]:
        """Return the rows that the rule matches: none if its error is too high."""
        return set() if self.error > 0.7 else self.rows


def learn(tree: Node, table: Table, options: RuleOptions) -> dict[str, Any]:
    """Return the rules before selection, the selected ones, their order and the final ruleset."""
    table = _prepared(table, options)
    rules = collect_rules(tree, table, options)
    selected = select(rules, table, options)
    order = order_classes(rules, selected, table, options)
    default_class = choose_default(rules, order, table, options)
    final = remove_harmful(rules, order, default_class, table, options)
    others = set(range(len(table.y))).difference(*(rules[i].matched() for i in final))
    return {
        "rules": rules,
        "selected": selected,
        "order": order,
        "final": final,
        "default_class": default_class,
        "uncovered": scaled_class_weights(others, table, options),
    }


def _prepared(table: Table, options: RuleOptions) -> Table:
    if options.release8:
        table = replace(table, precision=["single"] * len(table.columns))
    table = prepare(table)
    if options.release8:  # the original marks missing values by -999
        columns = [
            [None if cell == -999 and kind == "continuous" else cell for cell in column]
            for kind, column in zip(table.kinds, table.columns, strict=True)
        ]
        table = replace(table, columns=columns)
    # Exact sums; whole numbers are faster than fractions.
    exact = [int(w) if w == int(w) else Fraction(w) for w in table.weights]
    return replace(table, weights=exact)


def weight_of(rows: set[int], table: Table) -> float:
    return float(sum(table.weights[row] for row in rows))


def effective_rows(rows: set[int], table: Table, options: RuleOptions) -> float:
    """Return the effective number of rows, (sum of w)^2 / (sum of w^2): their weight if w is 1."""
    weight = weight_of(rows, table)
    if not options.factors or not rows:
        return weight
    factor = dict(zip(table.classes, options.factors, strict=True))
    return weight**2 / sum(float(table.weights[row]) * factor[table.y[row]] for row in rows)


def scaled_class_weights(rows: set[int], table: Table, options: RuleOptions) -> list[float]:
    """Return the weight of each class, scaled so that they sum to the effective number of rows."""
    scale = effective_rows(rows, table, options) / weight_of(rows, table) if rows else 1.0
    return [scale * weight_of(rows & of_class(label, table), table) for label in table.classes]


def evidence_per_weight(table: Table, options: RuleOptions) -> float:
    every_row = set(range(len(table.y)))
    return effective_rows(every_row, table, options) / weight_of(every_row, table)


def of_class(label: str, table: Table) -> set[int]:
    return {row for row, y in enumerate(table.y) if y == label}


# ---- rules from paths


def collect_rules(tree: Node, table: Table, options: RuleOptions) -> list[Rule]:
    rules: list[Rule] = []
    for label, path in paths(tree, options, table.classes):
        rule = prune(label, path, table, options)
        if rule is None:
            continue
        same = [r for r in rules if is_duplicate(r, rule, options)]
        if same:
            same[0].error = max(same[0].error, rule.error)
        else:
            rules.append(rule)
    return rules


def paths(
    tree: Node, options: RuleOptions, classes: list[str] | None = None
) -> list[tuple[str, list[Condition]]]:
    """Return class and conditions of each leaf of 1 effective row or more, depth first."""
    result: list[tuple[str, list[Condition]]] = []

    def walk(node: Node, path: list[Condition]) -> None:
        if "children" not in node:
            n = node["n"]
            if options.factors and node["dist"]:
                factor = dict(zip(classes or [], options.factors, strict=True))
                n = n**2 / sum(weight * factor[label] for label, weight in node["dist"].items())
            if np.float32(n) >= 1 if options.release8 else at_least(n, 1):
                result.append((node["class"], path))
            return
        for branch, child in enumerate(node["children"]):
            walk(child, [*path, condition_of(node, branch)])

    walk(tree, [])
    return result


def condition_of(node: Node, branch: int) -> Condition:
    if node["test"] == "<=":
        operator, value = ("<=", ">")[branch], node["threshold"]
    elif node["test"] == "value":
        operator, value = "=", node["values"][branch]
    else:
        operator, value = "in", node["subsets"][branch]
    kind = TYPES[operator]
    return {
        "index": node["index"],
        "operator": operator,
        "value": value,
        "type": kind,
        "node": id(node),
    }


def satisfies(cell: Any, condition: Condition) -> bool:
    if cell is None:
        return False
    value = condition["value"]
    if condition["operator"] == "<=":
        return bool(cell <= value)
    if condition["operator"] == ">":
        return bool(cell > value)
    return bool(cell == value if condition["operator"] == "=" else cell in value)


def rows_satisfying(conditions: list[Condition], table: Table) -> set[int]:
    return {
        row
        for row in range(len(table.y))
        if all(satisfies(table.columns[c["index"]][row], c) for c in conditions)
    }


# ---- dropping conditions


def prune(label: str, path: list[Condition], table: Table, options: RuleOptions) -> Rule | None:
    """Drop conditions; return None if no useful rule remains."""
    f = options.number
    own = of_class(label, table)
    every_row = set(range(len(table.y)))
    n = effective_rows(every_row, table, options)
    n_own = weight_of(own, table) * evidence_per_weight(table, options)
    default_error = f(1 - (n_own + 1) / (n + 2))
    satisfied = {id(condition): rows_satisfying([condition], table) for condition in path}
    remaining = list(path)
    while remaining:
        counts, effective = [], []
        for leave_out in [None, *remaining]:
            others = (satisfied[id(c)] for c in remaining if c is not leave_out)
            rows = every_row.intersection(*others)
            counts.append((weight_of(rows, table), weight_of(rows - own, table)))
            effective.append(effective_rows(rows, table, options))
        observed = [f(f(e) / f(t)) if t > 0 else f(0) for t, e in counts]
        pessimistic = [
            _pessimistic(
                rows, rows * (e / t) if options.factors and t else e, default_error, options
            )
            for rows, (t, e) in zip(effective, counts, strict=True)
        ]
        candidate = 1
        for d in range(2, len(counts)):
            if options.at_most(pessimistic[d], pessimistic[candidate]):
                candidate = d
        wanted = any(
            options.at_most(pessimistic[d], pessimistic[0])
            or options.at_most(observed[d], observed[0])
            or _has_no_influence(counts[0], counts[d], options)
            for d in range(1, len(counts))
        )
        if not wanted:
            break
        del remaining[candidate - 1]
    if not remaining or counts[0][0] == 0 or options.at_most(default_error, pessimistic[0]):
        return None
    dropped = [c for c in path if not any(c is r for r in remaining)]
    conditions = sort_conditions(path, dropped)
    return Rule(label, pessimistic[0], conditions, rows_satisfying(remaining, table))


def _pessimistic(t: float, e: float, default_error: Any, options: RuleOptions) -> Any:
    if t == 0:
        return default_error
    if options.release8:  # its extra errors are compared with stored ones by another test
        extra = np.float32(_core.extra_errors_release8(options.confidence * 100, t, e))
        return np.float32(np.float32(np.float32(e) + extra) / np.float32(t))
    return (e + extra_errors(t, e, options.confidence)) / t


def _has_no_influence(
    with_it: tuple[float, float], without: tuple[float, float], options: RuleOptions
) -> bool:
    if options.fisher is None:
        return False
    (t0, e0), (td, ed) = with_it, without
    wrong, right = (e0, ed - e0), (t0 - e0, (td - t0) - (ed - e0))
    a, b = (wrong, right) if sum(wrong) > sum(right) else (right, wrong)
    if a[0] * sum(b) > b[0] * sum(a):
        first, n = a[0], a[0] + b[0]
    else:
        first, n = a[1], a[1] + b[1]
    large, small = int(sum(a)), int(sum(b))

    def log_factorial(x: float) -> float:
        return log2_factorial(int(x), options.number)

    level = 0.0
    for x in range(int(first), int(min(n, large)) + 1):
        bits = (
            (log_factorial(large) + log_factorial(small))
            + log_factorial(n)
            + log_factorial(large + small - n)
        ) - (
            log_factorial(x)
            + log_factorial(n - x)
            + log_factorial(large - x)
            + log_factorial(small - (n - x))
            + log_factorial(large + small)
        )
        level += math.exp(bits) if options.release8 else 2**bits
    threshold = options.number(options.fisher)
    return bool(options.number(level) > threshold)


def sort_conditions(path: list[Condition], dropped: list[Condition]) -> list[Condition]:
    """Sort the remaining conditions by the selection sort of the original."""

    def is_before(x: Condition, y: Condition) -> bool:
        cuts = [c["value"] if c["type"] == 2 else 0 for c in (x, y)]
        same = x["index"] == y["index"] and cuts[0] < cuts[1]
        return x["index"] < y["index"] or x["type"] < y["type"] or same

    def is_dropped(condition: Condition) -> bool:
        return any(condition is other for other in dropped)

    array = list(path)
    size = len(path) - len(dropped)
    for d in range(size):
        pick = None
        for i in range(d, len(array)):
            if not is_dropped(array[i]) and (pick is None or is_before(array[i], array[pick])):
                pick = i
        assert pick is not None
        array[d], array[pick] = array[pick], array[d]
    return array[:size]


def is_duplicate(a: Rule, b: Rule, options: RuleOptions) -> bool:
    if a.label != b.label or len(a.conditions) != len(b.conditions):
        return False
    for x, y in zip(a.conditions, b.conditions, strict=True):
        if x["index"] != y["index"] or x["type"] != y["type"]:
            return False
        if options.release8 and x["type"] == 3:
            if x["node"] != y["node"]:
                return False
        elif x["value"] != y["value"] or (not options.release8 and x["operator"] != y["operator"]):
            return False
    return True


# ---- selection and order


def select(rules: list[Rule], table: Table, options: RuleOptions) -> dict[str, list[int]]:
    """Return the selected rules of each class, by their positions."""
    stream = glibc_uniform()
    branches = branch_bits(table, options.number)
    scale = evidence_per_weight(table, options)
    selected = {}
    for label in table.classes:
        own = [i for i, rule in enumerate(rules) if rule.label == label]
        if not own:
            continue
        problem = Problem(
            matches=[rules[i].matched() for i in own],
            bits=[
                rule_bits(rules[i].conditions, table, branches, options.redundancy, options.number)
                for i in own
            ],
            errors=[float(rules[i].error) for i in own],
            of_class=of_class(label, table),
            weights=[w * scale for w in table.weights] if options.factors else table.weights,
            number=options.number,
            tolerant=bool(options.factors),
            exact=options.release8,
        )
        search(problem, options.annealing, options.release8, lambda: next(stream))
        selected[label] = [i for i, taken in zip(own, problem.best, strict=True) if taken]
    return selected


def order_classes(
    rules: list[Rule], selected: dict[str, list[int]], table: Table, options: RuleOptions
) -> list[int]:
    covered: set[int] = set()
    order: list[int] = []
    remaining = list(table.classes)
    while remaining:
        false_positives = []
        for label in remaining:
            matched = set().union(*(rules[i].matched() for i in selected.get(label, [])))
            false_positives.append(weight_of(matched - covered - of_class(label, table), table))
        fewest = 0
        for i, weight in enumerate(false_positives):
            if options.is_heavier(false_positives[fewest], weight):
                fewest = i
        label = remaining.pop(fewest)
        own = sorted(selected.get(label, []), key=lambda i: (rules[i].error, i))
        order += own
        covered = covered.union(*(rules[i].matched() for i in own))
    return order


def choose_default(rules: list[Rule], order: list[int], table: Table, options: RuleOptions) -> str:
    covered: set[int] = set().union(*(rules[i].matched() for i in order))
    best = table.classes[0]
    for label in table.classes[1:]:
        own, others = of_class(label, table), of_class(best, table)
        for a, b in [(own - covered, others - covered), (own, others)]:
            weights = weight_of(a, table), weight_of(b, table)
            if options.is_heavier(*weights):
                best = label
            if options.is_heavier(*weights) or options.is_heavier(*reversed(weights)):
                break
    return best


def remove_harmful(
    rules: list[Rule], order: list[int], default_class: str, table: Table, options: RuleOptions
) -> list[int]:
    order = list(order)
    while True:
        better = dict.fromkeys(order, Fraction(0))
        worse = dict.fromkeys(order, Fraction(0))
        for row, label in enumerate(table.y):
            matching = [i for i in order if row in rules[i].matched()]
            if not matching:
                continue
            given = rules[matching[0]].label
            following = rules[matching[1]].label if len(matching) > 1 else default_class
            if given != following and given == label:
                better[matching[0]] += table.weights[row]
            elif given != following and following == label:
                worse[matching[0]] += table.weights[row]
        harmful = [i for i in order if options.is_heavier(worse[i], better[i])]
        if not harmful:
            return order
        order.remove(harmful[0])
