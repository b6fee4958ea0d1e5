"""A graph as rules: one per path from the root to a leaf."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, SupportsIndex, overload

from weaklearn.show.node_text import (
    printable,
    sum_text,
    sum_threshold_text,
    threshold_text,
    values_text,
)

if TYPE_CHECKING:
    from weaklearn.models.graph import Graph
    from weaklearn.models.oblique_terms import Term
    from weaklearn.schema import Feature, Label
    from weaklearn.show.rows_on_paths import RowsOnPath

#: The number of paths of a program can double with every level. More rules than this are an error.
MAX_RULES = 100_000
#: How many rules a `RuleList` shows, and how many characters of each.
_RULES_SHOWN = 10
_LONGEST_LINE = 100


def _shortened(text: str) -> str:
    return text if len(text) <= _LONGEST_LINE else text[: _LONGEST_LINE - 4] + " ..."


class _ShortRepr:
    """Shows an object as its text in one line, without the features it refers to."""

    __slots__ = ()

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {_shortened(str(self))}>"


@dataclass(frozen=True, slots=True, repr=False)
class Interval(_ShortRepr):
    """A condition on a continuous feature: ``above < value <= up_to``; None means no bound.

    A missing value meets it if ``or_missing``.
    """

    feature: Feature
    above: float | None = None
    up_to: float | None = None
    or_missing: bool = False

    def __str__(self) -> str:
        name = printable(self.feature.name)
        above, up_to = (
            None if bound is None else threshold_text(bound, self.feature)
            for bound in (self.above, self.up_to)
        )
        if above is None and up_to is None:
            text = f"{name} known"
        elif above is None:
            text = f"{name} <= {up_to}"
        elif up_to is None:
            text = f"{name} > {above}"
        else:
            text = f"{above} < {name} <= {up_to}"
        return f"{text} or missing" if self.or_missing else text


@dataclass(frozen=True, slots=True, repr=False)
class ValueSet(_ShortRepr):
    """A condition on a nominal feature: its value is one of ``values``, in declared order.

    A missing value meets it if ``or_missing``.
    """

    feature: Feature
    values: tuple[Label, ...]
    or_missing: bool = False

    def __str__(self) -> str:
        text = f"{printable(self.feature.name)} {values_text(self.values)}"
        return f"{text} or missing" if self.or_missing else text


@dataclass(frozen=True, slots=True, repr=False)
class Missing(_ShortRepr):
    """A condition on any feature: its value is missing."""

    feature: Feature

    def __str__(self) -> str:
        return f"{printable(self.feature.name)} missing"


@dataclass(frozen=True, slots=True, repr=False)
class Side(_ShortRepr):
    """A condition on a sum over features: it is up to ``threshold``, or above it."""

    sum_text: str
    terms: tuple[Term, ...]
    threshold: float
    above: bool
    threshold_text: str

    def __str__(self) -> str:
        return f"{self.sum_text} {'>' if self.above else '<='} {self.threshold_text}"


Condition = Interval | ValueSet | Missing | Side


@dataclass(frozen=True, slots=True, repr=False)
class Rule(_ShortRepr):
    """One path of a graph: if all conditions hold, the class is ``label``.

    Parameters
    ----------
    conditions : tuple of Interval, ValueSet, Missing or Side
        At most one per feature and one per oblique split, in the order of their first split on the
        path.
    label : label
        The class that is predicted.
    weight, errors : float
        ``n`` and ``e`` of the leaf. In a program several rules can end in one leaf. Each of them
        has the figures of the whole leaf, unless rows were given to count on each path.
    """

    conditions: tuple[Condition, ...]
    label: Label
    weight: float
    errors: float

    def __str__(self) -> str:
        conditions = " and ".join(map(str, self.conditions)) or "true"
        figures = f"(n={self.weight:.1f}, e={self.errors:.1f})"
        return f"if {conditions} then {printable(self.label)} {figures}"


class RuleList(list[Rule]):
    """A list of rules whose ``repr`` shows the first ten, a line each."""

    def to_text(self) -> str:
        """Return all rules as text, a line each."""
        return "\n".join(map(str, self))

    def __repr__(self) -> str:
        heading = "1 rule:" if len(self) == 1 else f"{len(self):,} rules:"
        lines = [heading, *(_shortened(str(rule)) for rule in self[:_RULES_SHOWN])]
        n_more = len(self) - _RULES_SHOWN
        return "\n".join([*lines, f"... and {n_more:,} more"] if n_more > 0 else lines)

    @overload
    def __getitem__(self, index: SupportsIndex) -> Rule: ...
    @overload
    def __getitem__(self, index: slice) -> RuleList: ...
    def __getitem__(self, index: Any) -> Any:
        result = super().__getitem__(index)
        return RuleList(result) if isinstance(index, slice) else result


def rules(graph: Graph, rows: RowsOnPath | None = None) -> RuleList:
    """Return one rule per path from the root to a leaf, in pre-order.

    Conditions on the same feature are merged: thresholds into an interval, sets of values into
    their intersection. A program may have a path with conditions that no value can meet; it has no
    rule, although missing values may follow it. If splits have a branch for missing values, a
    condition says whether they meet it, too: ``x <= 3 or missing``.

    Parameters
    ----------
    graph : Graph
        A fitted tree or program with at most ``MAX_RULES`` (100,000) paths.
    rows : RowsOnPath, optional
        Rows to count on each path. Then only the paths that rows take have a rule, with the weight
        and the errors of these rows, and only these paths count for the limit.

    Returns
    -------
    RuleList
        A list of rules. ``str(rule)`` reads ``if a <= 3 and b in {x, y} then C (n=12.0, e=1.4)``.

    Raises
    ------
    ValueError
        If there are more paths.
    """
    if rows is None:
        _check_n_paths(_count_paths(graph))
    result = RuleList()
    for leaf, conditions, here in paths(graph, rows):
        figures = (float(graph.weight[leaf]), float(graph.errors[leaf]))
        if here is not None:
            figures = here.weight_and_errors(graph, leaf)
            _check_n_paths(len(result) + 1)
        result.append(Rule(conditions, graph.label_of(leaf), *figures))
    return result


def paths(
    graph: Graph, rows: RowsOnPath | None = None, *, impossible: bool = False
) -> Iterator[tuple[int, tuple[Condition, ...], RowsOnPath | None]]:
    """Yield the leaf, the merged conditions and the rows of each path, in pre-order.

    Parameters
    ----------
    graph : Graph
        A fitted tree or program.
    rows : RowsOnPath, optional
        Rows to follow. Then only the paths that rows take are yielded.
    impossible : bool
        Whether to yield paths of a program that no value can follow. Rows with missing values may
        follow them. The condition that cannot be met is left out.
    """
    stack: list[tuple[int, dict[int, Condition], RowsOnPath | None]] = [(0, {}, rows)]
    while stack:
        node, conditions, here = stack.pop()
        if graph.is_leaf(node):
            yield node, tuple(conditions.values()), here
            continue
        # Oblique splits are not merged: each has a negative key of its own.
        key = -1 - node if graph.split_kind(node) == "oblique" else int(graph.feature[node])
        merged = _merged_conditions(graph, node, conditions.get(key))
        children = graph.children(node)
        below = [None] * len(children) if here is None else here.partition(graph, node)
        for child, condition, there in reversed(list(zip(children, merged, below, strict=True))):
            if there is not None and not len(there.indices):
                continue
            if condition is not None:
                stack.append((child, conditions | {key: condition}, there))
            elif impossible:
                stack.append((child, conditions, there))


def _check_n_paths(n_paths: int) -> None:
    if n_paths > MAX_RULES:
        count = f"{n_paths:,}" if n_paths < 10**15 else "more than 10^15"
        raise ValueError(
            f"the graph has {count} paths, and rules() writes at most {MAX_RULES:,}; call "
            "rules(X, y) for the paths that some rows take, or use to_text() or to_dict(), "
            "which show a shared node once"
        )


def _merged_conditions(
    graph: Graph, node: int, before: Condition | None
) -> Sequence[Condition | None]:
    """Return for each branch the path's condition on the feature; None if no value meets it."""
    if graph.split_kind(node) == "oblique":
        split = (sum_text(graph, node), tuple(graph.terms(node)), float(graph.threshold[node]))
        text = sum_threshold_text(graph, node)
        return [Side(*split, False, text), Side(*split, True, text)]
    # Whether a missing value may come this far; without a condition it may.
    may_be_missing = not isinstance(before, Interval | ValueSet) or before.or_missing
    known: Sequence[Interval | ValueSet | None]
    if isinstance(before, Missing):
        known = [None] * len(graph.children(node))
    elif graph.split_kind(node) == "threshold":
        known = _intervals(graph, node, before if isinstance(before, Interval) else None)
    else:
        known = _value_sets(graph, node, before if isinstance(before, ValueSet) else None)
    missing_branch = graph.missing_branch(node) if may_be_missing else -1
    return [
        condition
        if branch != missing_branch
        else Missing(graph.feature_of(node))
        if condition is None
        else replace(condition, or_missing=True)
        for branch, condition in enumerate(known)
    ]


def _intervals(graph: Graph, node: int, before: Interval | None) -> list[Interval | None]:
    """Return the known values of each branch of a threshold split, within those before it."""
    bounds = Interval(graph.feature_of(node)) if before is None else before
    bounds = replace(bounds, or_missing=False)
    if graph.separates_missing(node):
        return [bounds, None]
    threshold = float(graph.threshold[node])
    up_to = threshold if bounds.up_to is None else min(threshold, bounds.up_to)
    above = threshold if bounds.above is None else max(threshold, bounds.above)
    return [
        bounds
        if bounds.above is None or bounds.up_to is None or bounds.above < bounds.up_to
        else None
        for bounds in (replace(bounds, up_to=up_to), replace(bounds, above=above))
    ]


def _value_sets(graph: Graph, node: int, before: ValueSet | None) -> list[ValueSet | None]:
    """Return the values of each branch of a nominal split, within those before it."""
    feature = graph.feature_of(node)
    allowed = set(feature.values if before is None else before.values)
    kept = [tuple(v for v in values if v in allowed) for values in graph.branch_values(node)]
    return [ValueSet(feature, values) if values else None for values in kept]


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
