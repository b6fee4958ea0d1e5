"""What members predict, in ONNX: the class and the class shares of each row."""

from __future__ import annotations

import numpy as np

from weaklearn.export import description as d
from weaklearn.export.onnx_graph import OnnxGraph, Tensor
from weaklearn.export.onnx_mixing import LeafTables, Mixtures, leaf_tables, mix_leaves
from weaklearn.export.onnx_nodes import node_tables
from weaklearn.export.onnx_rows import OnnxRows, all_true, sums_of_terms
from weaklearn.export.onnx_trees import Leaves, find_leaves
from weaklearn.models.probabilities import LN2_HIGH, LN2_LOW, LOG2_E, TAYLOR

#: The exponents of two that the exponential of numbers from -700 to 700 needs.
_LARGEST_POWER = 1011


class Members:
    """Compute what members predict for rows.

    Parameters
    ----------
    graph : OnnxGraph
        Where operators are added.
    rows : OnnxRows
        The rows.
    members : tuple of described members
        The members.
    n_classes : int
        The number of classes.
    with_confidence : bool
        Whether confidences are needed.
    """

    def __init__(
        self,
        graph: OnnxGraph,
        rows: OnnxRows,
        members: tuple[d.Member, ...],
        n_classes: int,
        with_confidence: bool = False,
    ) -> None:
        self._graph, self._rows, self._members = graph, rows, members
        self._outputs: dict[int, tuple[str, str]] = {}
        trees = [member for member in members if isinstance(member, d.DescribedGraph)]
        self._position = {id(member): i for i, member in enumerate(trees)}
        if trees:
            self._forest = _Forest(graph, rows, trees, n_classes, with_confidence)

    def label(self, index: int) -> str:
        """Return the class index that a member predicts for each row, as a column."""
        member = self._members[index]
        if isinstance(member, d.DescribedGraph):
            return self._graph.column(self._forest.labels, self._position[id(member)])
        return self._label_and_shares(index)[0]

    def labels(self) -> str:
        """Return the class index that each member predicts for each row."""
        if len(self._position) == len(self._members):
            return self._forest.labels
        columns = [self.label(index) for index in range(len(self._members))]
        return self._graph("Concat", *columns, axis=1)

    def confidences(self) -> str:
        """Return the confidence of each member, all of which are graphs, for each row."""
        return self._forest.confidences

    def shares(self, index: int) -> str:
        """Return the class shares that a member predicts for each row."""
        member = self._members[index]
        if isinstance(member, d.DescribedGraph):
            return self._forest.shares(self._position[id(member)])
        return self._label_and_shares(index)[1]

    def sum_shares(self, votes: d.Floats) -> str:
        """Return the sums of vote times class share, added member by member."""
        if len(self._position) == len(self._members):
            return self._forest.sum_shares(self._rows.n_rows, votes)
        graph, result = self._graph, ""
        for index, vote in enumerate(votes.tolist()):
            counted = graph("Mul", self.shares(index), np.array(vote))
            result = graph("Add", result, counted) if result else counted
        return result

    def _label_and_shares(self, index: int) -> tuple[str, str]:
        if index not in self._outputs:
            member = self._members[index]
            if isinstance(member, d.DescribedRules):
                self._outputs[index] = _fire_rules(self._graph, self._rows, member)
            elif isinstance(member, d.DescribedSeparators):
                self._outputs[index] = _separate(self._graph, self._rows, member)
        return self._outputs[index]


class _Forest:
    """What graphs predict for rows."""

    labels: str
    confidences: str

    def __init__(
        self,
        graph: OnnxGraph,
        rows: OnnxRows,
        members: list[d.DescribedGraph],
        n_classes: int,
        with_confidence: bool,
    ) -> None:
        self._graph, self._n_classes = graph, n_classes
        nodes = node_tables(graph, rows, members)
        self._leaves: Leaves = find_leaves(graph, rows, members, nodes)
        self._tables: LeafTables = leaf_tables(graph, members, n_classes, with_confidence)
        self._entry = graph.take(self._tables.of_place, self._leaves.place)
        self._mixtures: Mixtures | None = None
        if self._leaves.is_mixed is not None:
            self._mixtures = mix_leaves(
                graph,
                members,
                nodes,
                self._tables,
                self._leaves.is_mixed,
                n_classes,
                with_confidence,
            )
        self.labels = self._looked_up("label")
        if with_confidence:
            self.confidences = self._looked_up("confidence")

    def _looked_up(self, name: str) -> str:
        """Return a number of leaves or mixtures for each row and graph."""
        of_leaf = self._graph.take(getattr(self._tables, name), self._entry)
        if self._mixtures is None or self._leaves.is_mixed is None:
            return of_leaf
        of_mixture = self._graph.take(getattr(self._mixtures, name), self._mixtures.of_row)
        return self._graph("Where", self._leaves.is_mixed, of_mixture, of_leaf)

    def shares(self, index: int) -> str:
        """Return the class shares that a graph predicts for each row."""
        return self._shares(self._graph, np.array(index), self._mixtures)

    def _shares(self, graph: OnnxGraph, index: Tensor, mixtures: Mixtures | None) -> str:
        entry = graph.take(self._entry, index, axis=1)
        of_leaf = graph.take(self._tables.shares, entry)
        if mixtures is None or self._leaves.is_mixed is None:
            return of_leaf
        of_mixture = graph.take(mixtures.shares, graph.take(mixtures.of_row, index, axis=1))
        is_mixed = graph.as_column(graph.take(self._leaves.is_mixed, index, axis=1))
        return graph("Where", is_mixed, of_mixture, of_leaf)

    def sum_shares(self, n_rows: str, votes: d.Floats) -> str:
        """Return the sums of vote times class share, added graph by graph."""
        graph = self._graph
        by_graph = graph.constant(votes)
        nothing = graph.filled([n_rows, np.array([self._n_classes])], np.array(0.0))

        def add_up(outer: OnnxGraph, mixtures: Mixtures | None) -> list[str]:
            def add_graph(body: OnnxGraph, index: str, carried: list[str]) -> list[str]:
                shares = self._shares(body, index, mixtures)
                counted = body("Mul", shares, body.take(by_graph, index))
                return [body("Add", carried[0], counted)]

            return outer.loop(np.array(len(votes)), [(nothing, np.float64)], add_graph)

        if self._mixtures is None:
            return add_up(graph, None)[0]
        # Most rows have no missing values, and need not ask for mixtures.
        return graph.choose(
            self._mixtures.any_mixed,
            [np.float64],
            lambda body: add_up(body, self._mixtures),
            lambda body: add_up(body, None),
        )[0]


def _fire_rules(graph: OnnxGraph, rows: OnnxRows, rules: d.DescribedRules) -> tuple[str, str]:
    """Return the class and the class shares of the first rule that fires for each row."""
    parts, column_of = [], np.zeros(len(rules.kind), np.int64)
    width = 0
    for kind, op in ((d.AT_MOST, "LessOrEqual"), (d.ABOVE, "Greater")):
        chosen = np.flatnonzero(rules.kind == kind)
        if len(chosen):
            values = graph.take(rows.matrix, rules.feature[chosen].astype(np.int64), axis=1)
            parts.append(graph(op, values, rules.threshold[None, chosen]))
            column_of[chosen] = width + np.arange(len(chosen))
            width += len(chosen)
    by_value = np.flatnonzero(rules.kind == d.ONE_OF)
    for feature in np.unique(rules.feature[by_value]).tolist():
        chosen = by_value[rules.feature[by_value] == feature]
        table = np.zeros((rows.n_values[feature] + 1, len(chosen)), bool)
        for i, condition in enumerate(chosen.tolist()):
            table[list(rules.codes[condition]), i] = True
        parts.append(rows.looked_up(graph, feature, table))
        column_of[chosen] = width + np.arange(len(chosen))
        width += len(chosen)
    # The last column is for rules without conditions, and for the default class.
    parts.append(graph.cast(graph.filled([rows.n_rows, np.array([1])], np.array(1.0)), np.bool_))
    first = rules.first_condition
    conditions = [
        column_of[first[r] : first[r + 1]].tolist() or [width] for r in range(rules.n_rules)
    ]
    holds = graph("Concat", *parts, axis=1)
    fires = all_true(graph, holds, [*conditions, [width]])
    rule = graph("ArgMax", graph.cast(fires, np.int32), axis=1, keepdims=0)
    label = graph.take(rules.label.astype(np.int64), rule)
    return graph.as_column(label), graph.take(rules.shares, rule)


def _separate(
    graph: OnnxGraph, rows: OnnxRows, separators: d.DescribedSeparators
) -> tuple[str, str]:
    """Return the class and the class shares that separators predict for each row."""
    n_classes, present = len(separators.output), separators.present
    zeros = graph.filled([rows.n_rows, np.array([1])], np.array(0.0))
    constant = graph("Add", zeros, separators.output[None])
    columns = [graph.column(constant, k) for k in range(n_classes)]
    if len(separators.positive):
        first, n_terms = separators.first_term, separators.n_terms
        sums = sums_of_terms(graph, rows, separators.terms, first, n_terms)
        outputs = graph("Sub", sums, separators.threshold[None])
        for s, positive in enumerate(separators.positive.tolist()):
            columns[positive] = graph.column(outputs, s)
    if len(present) == 2:
        columns[present[0]] = graph("Neg", columns[present[1]])
    outputs = graph("Concat", *columns, axis=1)
    label = graph("ArgMax", outputs, axis=1, keepdims=1)
    is_present = np.isin(np.arange(n_classes), present)
    shares = graph("Where", is_present[None], _logistic(graph, outputs), np.array(0.0))
    return label, graph("Div", shares, graph.sum_columns(shares))


def _logistic(graph: OnnxGraph, outputs: str) -> str:
    """Return 1 / (1 + exp(-2 h)), with the operations of `probabilities.exponential`."""
    x = graph("Mul", outputs, np.array(-2.0))
    x = graph("Min", graph("Max", x, np.array(-700.0)), np.array(700.0))
    k = graph("Floor", graph("Add", graph("Mul", x, np.array(LOG2_E)), np.array(0.5)))
    rest = graph("Sub", x, graph("Mul", k, np.array(LN2_HIGH)))
    rest = graph("Sub", rest, graph("Mul", k, np.array(LN2_LOW)))
    series = graph("Add", graph("Mul", rest, np.array(TAYLOR[0])), np.array(TAYLOR[1]))
    for coefficient in TAYLOR[2:]:
        series = graph("Add", graph("Mul", series, rest), np.array(coefficient))
    powers_of_two = np.ldexp(1.0, np.arange(-_LARGEST_POWER, _LARGEST_POWER + 1))
    place = graph("Add", graph.cast(k, np.int64), np.array(_LARGEST_POWER))
    power = graph("Mul", series, graph.take(powers_of_two, place))
    return graph("Div", np.array(1.0), graph("Add", power, np.array(1.0)))
