"""A graph as rules: one per path from the root to a leaf."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from weaklearn.show.label_text import number_words, values_words, words
from weaklearn.show.oblique_sum_text import sum_words

if TYPE_CHECKING:
    from weaklearn.models.graph import Graph
    from weaklearn.models.oblique_terms import Term
    from weaklearn.schema import Feature, Label
    from weaklearn.show.count_rows_on_paths import Travellers

#: A program has a rule per path, and paths can double with every level: beyond this, an error.
MAX_RULES = 100_000


@dataclass(frozen=True, slots=True)
class Interval:
    """What a rule asks of a continuous feature: ``above < value <= up_to``; None is no bound."""

    feature: Feature
    above: float | None = None
    up_to: float | None = None

    def __str__(self) -> str:
        name = words(self.feature.name)
        above, up_to = (
            None if bound is None else number_words(bound, self.feature)
            for bound in (self.above, self.up_to)
        )
        if above is None:
            return f"{name} <= {up_to}"
        if up_to is None:
            return f"{name} > {above}"
        return f"{above} < {name} <= {up_to}"


@dataclass(frozen=True, slots=True)
class ValueSet:
    """What a rule asks of a nominal feature: one of ``values``, in declared order."""

    feature: Feature
    values: tuple[Label, ...]

    def __str__(self) -> str:
        return f"{words(self.feature.name)} {values_words(self.values)}"


@dataclass(frozen=True, slots=True)
class Side:
    """What a rule asks of a sum over features: up to ``threshold``, or above it."""

    asked: str
    terms: tuple[Term, ...]
    threshold: float
    above: bool

    def __str__(self) -> str:
        return f"{self.asked} {'>' if self.above else '<='} {self.threshold:g}"


Condition = Interval | ValueSet | Side


@dataclass(frozen=True, slots=True)
class Rule:
    """One path of a graph: when all conditions hold, the answer is ``label``.

    Parameters
    ----------
    conditions : tuple of Interval, ValueSet or Side
        At most one per feature, and one per oblique test, in the order in which the path first
        asks.
    label : label
        The answer.
    weight, errors : float
        ``n`` and ``e`` of the leaf. In a program several rules can end in one leaf: each then has
        the whole leaf's figures, unless rows were given to count along each path.
    """

    conditions: tuple[Condition, ...]
    label: Label
    weight: float
    errors: float

    def __str__(self) -> str:
        asked = " and ".join(map(str, self.conditions)) or "true"
        return f"if {asked} then {words(self.label)} (n={self.weight:.1f}, e={self.errors:.1f})"


def rules(graph: Graph, travellers: Travellers | None = None) -> list[Rule]:
    """Return one rule per path from the root to a leaf, in pre-order.

    Conditions on the same feature are merged: thresholds into an interval, sets of values into
    their intersection. A path whose merged condition no value can meet gives no rule (a program
    may have such paths; missing values may still travel them).

    Parameters
    ----------
    graph : Graph
        A fitted tree or program with at most ``MAX_RULES`` (100,000) paths.
    travellers : Travellers, optional
        Rows to count along each path. Only the paths that some of them take give a rule then, with
        the weight and the errors of these rows, and only such paths count for the limit.

    Returns
    -------
    list of Rule
        ``str(rule)`` reads ``if a <= 3 and b in {x, y} then C (n=12.0, e=1.4)``.

    Raises
    ------
    ValueError
        If there are more paths.
    """
    if travellers is None:
        _check_number(_count_paths(graph))
    found: list[Rule] = []
    stack: list[tuple[int, dict[int, Condition], Travellers | None]] = [(0, {}, travellers)]
    while stack:
        node, asked, here = stack.pop()
        if graph.is_leaf(node):
            counts = (float(graph.weight[node]), float(graph.errors[node]))
            if here is not None:
                counts = here.end(graph, node)
                _check_number(len(found) + 1)
            found.append(Rule(tuple(asked.values()), graph.label_of(node), *counts))
            continue
        # Oblique tests are not merged: each has a number of its own, beside those of features.
        index = -1 - node if graph.test(node) == "oblique" else int(graph.feature[node])
        merged = _merged_conditions(graph, node, asked.get(index))
        children = graph.children(node)
        parted = [None] * len(children) if here is None else here.divide(graph, node)
        for child, condition, part in reversed(list(zip(children, merged, parted, strict=True))):
            if condition is not None and (part is None or len(part.numbers)):
                stack.append((child, asked | {index: condition}, part))
    return found


def _check_number(n_paths: int) -> None:
    if n_paths > MAX_RULES:
        found = f"{n_paths:,}" if n_paths < 10**15 else "more than 10^15"
        raise ValueError(
            f"the graph has {found} paths, and rules() writes at most {MAX_RULES:,}; give "
            "rules(X, y) rows to see the paths that these take, or use to_text() or to_dict(), "
            "which show a shared node once"
        )


def _merged_conditions(
    graph: Graph, node: int, before: Condition | None
) -> Sequence[Condition | None]:
    """Return per branch what the path asks of the node's feature; None if nothing can meet it."""
    if graph.test(node) == "oblique":
        asked = (sum_words(graph, node), tuple(graph.terms(node)), float(graph.threshold[node]))
        return [Side(*asked, above=False), Side(*asked, above=True)]
    feature = graph.feature_of(node)
    if graph.test(node) == "<=":
        bounds = before if isinstance(before, Interval) else Interval(feature)
        cut = float(graph.threshold[node])
        up_to = cut if bounds.up_to is None else min(cut, bounds.up_to)
        above = cut if bounds.above is None else max(cut, bounds.above)
        merged = [
            Interval(feature, bounds.above, up_to),
            Interval(feature, above, bounds.up_to),
        ]
        return [_unless_empty(interval) for interval in merged]
    allowed = set(before.values if isinstance(before, ValueSet) else feature.values)
    kept = [tuple(v for v in values if v in allowed) for values in graph.branch_values(node)]
    return [ValueSet(feature, values) if values else None for values in kept]


def _unless_empty(interval: Interval) -> Interval | None:
    if interval.above is None or interval.up_to is None or interval.above < interval.up_to:
        return interval
    return None


def _count_paths(graph: Graph) -> int:
    """Count the paths from the root to a leaf, children before parents."""
    paths: dict[int, int] = {}
    stack = [0]
    while stack:
        node = stack[-1]
        children = graph.children(node)
        waiting = [child for child in children if child not in paths]
        if waiting:
            stack.extend(waiting)
        else:
            stack.pop()
            paths[node] = sum(paths[child] for child in children) if children else 1
    return paths[0]
