"""Graphs in SQL: the leaf of a row, or its share at each leaf if values are missing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from weaklearn.export import description as d
from weaklearn.export.sql_query import (
    INFINITY,
    MOST_LEVELS,
    NEVER,
    SqlQuery,
    case,
    number,
    one_of,
)
from weaklearn.export.sql_terms import sum_of_terms

#: The most leaves whose shares are columns at a time.
_MOST_LEAVES = 400

#: The leaf of a row that is mixed.
_MIXED = -1


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class GraphInSql:
    """What a graph predicts for each row, as columns.

    Parameters
    ----------
    shares : list of str
        Per class its share; empty unless asked for.
    label : str
        The class index; empty unless asked for.
    confidence : str
        The confidence; empty unless asked for.
    """

    shares: list[str]
    label: str
    confidence: str


class _Graph:
    """Writes one graph."""

    def __init__(
        self, query: SqlQuery, inputs: Sequence[str], graph: d.DescribedGraph, n_classes: int
    ) -> None:
        self.query, self.inputs, self.graph, self.n_classes = query, inputs, graph, n_classes
        self.leaves = np.flatnonzero(graph.kind == d.LEAF).tolist()
        self._taken: dict[int, list[str | None]] = {}
        self._others: dict[int, list[str | None]] = {}
        for node in np.flatnonzero(graph.kind != d.LEAF).tolist():
            self._describe_split(node)

    def children(self, node: int) -> list[int]:
        first = int(self.graph.first_branch[node])
        children: list[int] = self.graph.child[
            first : first + int(self.graph.n_branches[node])
        ].tolist()
        return children

    def _describe_split(self, node: int) -> None:
        """Note on which condition a row takes each branch, or one of the other branches.

        None stands for otherwise. The branch for missing values is taken otherwise. If there is
        none, rows are mixed otherwise.
        """
        graph, missing = self.graph, int(self.graph.missing_branch[node])
        if graph.kind[node] == d.OBLIQUE:
            first, n_terms = int(graph.first_term[node]), int(graph.n_terms[node])
            total = sum_of_terms(self.query, self.inputs, graph.terms, first, n_terms)
            above = f"{total} > {number(float(graph.threshold[node]))} AND {total} <= {INFINITY}"
            self._taken[node], self._others[node] = [None, above], [above, None]
            return
        x = self.inputs[graph.feature[node]]
        if graph.kind[node] == d.THRESHOLD:
            threshold = number(float(graph.threshold[node]))
            taken: list[str | None] = [f"{x} <= {threshold}", f"{x} > {threshold}"]
            others = taken[::-1]
        else:
            first = int(graph.first_value[node])
            is_last = node + 1 == graph.n_nodes
            end = len(graph.branch_of_value) if is_last else int(graph.first_value[node + 1])
            branch_of = graph.branch_of_value[first:end]
            taken, others = [], []
            for branch in range(int(graph.n_branches[node])):
                own = branch_of == branch
                taken.append(one_of(x, np.flatnonzero(own).tolist()))
                others.append(one_of(x, np.flatnonzero(~own & (branch_of >= 0)).tolist()))
        if missing >= 0:
            taken[missing] = None
        self._taken[node], self._others[node] = taken, others

    # -- whole rows -----------------------------------------------------------------------------
    def leaf(self) -> str:
        """Return the leaf of each row, or `_MIXED`."""
        if self.graph.kind[0] == d.LEAF:
            return self.query.let("0")
        further: list[int] = []
        leaf = self.query.let(self._descend(0, MOST_LEVELS, further))
        while further:
            starts, further = sorted(set(further)), []
            cases = [
                (f"{leaf} = {node}", self._descend(node, MOST_LEVELS, further)) for node in starts
            ]
            leaf = self.query.let(case(cases, leaf))
        return leaf

    def _descend(self, node: int, n_levels: int, further: list[int]) -> str:
        """Return the leaf below a node, or a node at which to go on, which is noted."""
        if self.graph.kind[node] == d.LEAF:
            return str(node)
        if n_levels == 0:
            further.append(node)
            return str(node)
        cases, otherwise = [], str(_MIXED)
        for condition, child in zip(self._taken[node], self.children(node), strict=True):
            if condition is None:
                otherwise = self._descend(child, n_levels - 1, further)
            elif condition != NEVER:
                cases.append((condition, self._descend(child, n_levels - 1, further)))
        return case(cases, otherwise)

    def of_leaf(self, leaf: str, numbers: dict[int, str], default: str) -> str:
        """Return what belongs to the leaf of a row, without those leaves that have the default."""
        leaves_of: dict[str, list[int]] = {}
        for node, x in numbers.items():
            if x != default:
                leaves_of.setdefault(x, []).append(node)
        return case([(one_of(leaf, nodes), x) for x, nodes in leaves_of.items()], default)

    # -- mixed rows -----------------------------------------------------------------------------
    def can_mix(self) -> bool:
        """Return whether a row can be mixed at some split."""
        return any(None not in taken for taken in self._taken.values())

    def reach(self, leaf: str) -> Iterator[tuple[int, str]]:
        """Yield each leaf and the share of a mixed row there; NULL for other rows."""
        graph = self.graph
        arriving: dict[int, list[str]] = {0: [case([(f"{leaf} = {_MIXED}", "1e0")])]}
        levels = dict.fromkeys(range(graph.n_nodes), 0)
        for node in range(graph.n_nodes):
            terms = arriving.pop(node, [])
            if not terms:
                continue
            is_leaf = graph.kind[node] == d.LEAF
            share = self.query.sum(terms) if len(terms) > 1 else terms[0]
            if is_leaf or len(terms) > 1 or levels[node] % MOST_LEVELS == 0:
                share = self.query.let(share)
            if is_leaf:
                yield node, share
                continue
            first = int(graph.first_branch[node])
            for branch, child in enumerate(self.children(node)):
                factor = self._factor(node, branch, float(graph.branch_share[first + branch]))
                arriving.setdefault(child, []).append(f"{share} * {factor}")
                levels[child] = levels[node] + 1

    def _factor(self, node: int, branch: int, share: float) -> str:
        """Return the part of a row that takes a branch."""
        own, others = self._taken[node][branch], self._others[node][branch]
        cases = [(others, "0e0")] if others not in (None, NEVER) else []
        if own is None:
            return case(cases, "1e0")
        taken = [(own, "1e0")] if own != NEVER else []
        if None in self._taken[node]:  # the branch for missing values
            return case(taken, "0e0")
        return case([*taken, *cases], number(share))


def write_graph(
    query: SqlQuery,
    inputs: Sequence[str],
    graph: d.DescribedGraph,
    n_classes: int,
    wanted: frozenset[str],
) -> GraphInSql:
    """Add columns for what a graph predicts.

    Parameters
    ----------
    query : SqlQuery
        Where columns are added.
    inputs : sequence of str
        The column of each input.
    graph : DescribedGraph
        The graph.
    n_classes : int
        The number of classes.
    wanted : set of {"shares", "label", "confidence"}
        What is needed.
    """
    writer = _Graph(query, inputs, graph, n_classes)
    leaf = writer.leaf()
    mixture = _mix(writer, leaf, "confidence" in wanted) if writer.can_mix() else None

    def chosen(numbers: dict[int, str], default: str, of_mixture: str) -> str:
        of_leaf = writer.of_leaf(leaf, numbers, default)
        if mixture is not None:
            of_leaf = case([(f"{leaf} >= 0", of_leaf)], of_mixture)
        return query.let(of_leaf)

    shares, label, confidence = [], "", ""
    if "shares" in wanted:
        for k in range(n_classes):
            numbers = {node: number(_share(graph, node, k)) for node in writer.leaves}
            shares.append(chosen(numbers, "0e0", mixture.shares[k] if mixture else ""))
    if "label" in wanted:
        numbers = {node: str(graph.label[node]) for node in writer.leaves}
        labels = list(numbers.values())
        most_frequent = max(dict.fromkeys(labels), key=labels.count)
        label = chosen(numbers, most_frequent, mixture.label if mixture else "")
    if "confidence" in wanted:
        numbers = {node: number(float(graph.confidence[node])) for node in writer.leaves}
        confidence = chosen(numbers, "NULL", mixture.confidence if mixture else "")
    return GraphInSql(shares, label, confidence)


def _share(graph: d.DescribedGraph, leaf: int, k: int) -> float:
    first, n = int(graph.first_class[leaf]), int(graph.n_classes[leaf])
    place = np.flatnonzero(graph.class_index[first : first + n] == k)
    return float(graph.class_share[first + place[0]]) if len(place) else 0.0


class _Sums:
    """Sums over leaves, added in parts so that few columns are needed at a time."""

    def __init__(self, query: SqlQuery) -> None:
        self._query = query
        self._sums: dict[str, str] = {}
        self._terms: dict[str, list[str]] = {}

    def add(self, name: str, share: str, x: float) -> None:
        """Add a share times a number to a sum."""
        if x != 0.0:
            self._terms.setdefault(name, []).append(f"{share} * {number(x)}")

    def flush(self) -> None:
        """Add the terms so far to the sums."""
        for name, terms in self._terms.items():
            so_far = [self._sums[name]] if name in self._sums else []
            self._sums[name] = self._query.sum([*so_far, *terms])
        self._terms = {}

    def get(self, name: str) -> str:
        """Return a sum."""
        return self._sums.get(name, number(0.0))


def _mix(writer: _Graph, leaf: str, with_confidence: bool) -> GraphInSql:
    """Return what a graph predicts for mixed rows."""
    query, graph, n_classes = writer.query, writer.graph, writer.n_classes
    added = _Sums(query)
    for i, (node, share) in enumerate(writer.reach(leaf), start=1):
        added.add("weight", share, float(graph.leaf_weight[node]) if with_confidence else 0.0)
        first, n = int(graph.first_class[node]), int(graph.n_classes[node])
        for c in range(first, first + n):
            k = int(graph.class_index[c])
            added.add(f"share {k}", share, float(graph.class_share[c]))
            if with_confidence:
                added.add(f"weight {k}", share, float(graph.class_weight[c]))
        if i % _MOST_LEAVES == 0:
            added.flush()
            query.start_anew()
    added.flush()
    sums = [added.get(f"share {k}") for k in range(n_classes)]
    total = query.sum(sums)
    root_label = int(graph.label[0])
    shares = [
        query.let(case([(f"{total} > 0e0", f"{x} / {total}")], number(float(k == root_label))))
        for k, x in enumerate(sums)
    ]
    label, best = "0", shares[0]
    for k, share in enumerate(shares[1:], start=1):
        slack = f"{number(d.TIE)} * {case([(f'{best} > 1e0', best)], '1e0')}"
        condition = f"{share} > {best} + {slack}"
        is_last = k == len(shares) - 1
        label = query.let(case([(condition, str(k))], label))
        best = best if is_last else query.let(case([(condition, share)], best))
    if not with_confidence:
        return GraphInSql(shares, label, "")
    weights = [added.get(f"weight {k}") for k in range(n_classes)]
    of_label = case([(f"{label} = {k}", w) for k, w in enumerate(weights)])
    weight = added.get("weight")
    confidence = query.let(f"({of_label} + 1e0) / ({weight} + 2e0)")
    return GraphInSql(shares, label, confidence)
