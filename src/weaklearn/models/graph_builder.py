"""Making a graph by hand, node by node."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from weaklearn.models.graph import TESTS, Graph, Test
from weaklearn.models.oblique_terms import FORMS, Addend, Term, is_number, term_of
from weaklearn.models.saving import ARRAYS, graph_from_nodes
from weaklearn.schema import Feature, Label, Schema


@dataclass(frozen=True, slots=True)
class _Node:
    test: Test
    feature: int = -1
    threshold: float = 0.0
    value_branch: tuple[int, ...] = ()
    terms: tuple[Term, ...] = ()
    children: tuple[int, ...] = ()
    weights: dict[int, float] = field(default_factory=dict)  # of a leaf, by class number

    def __str__(self) -> str:
        return "a leaf" if self.test == "leaf" else f"a {self.test!r} test"


class GraphBuilder:
    """Make a graph by hand: leaves first, then the tests that lead to them, the root last.

    Every method adds a node and returns its number, for later tests to lead to. A node that several
    branches lead to is shared: the graph is then a program, not a tree. Since a test can only lead
    to nodes that are there already, no path comes back to where it was.

    Parameters
    ----------
    features : mapping, or sequence of Feature
        Per name either ``"continuous"`` or the values of a nominal feature, in order; or the
        features of a schema that is there already (``table.schema.features``).
    classes : sequence of labels
        The classes, in order.
    target : str, optional
        The name of the class.

    Examples
    --------
    Exclusive-or of two bits, with the second bit asked in two places and two leaves:

    >>> import weaklearn as wl
    >>> builder = wl.GraphBuilder({"x1": [0, 1], "x2": [0, 1]}, classes=["even", "odd"])
    >>> even, odd = builder.leaf({"even": 2}), builder.leaf({"odd": 2})
    >>> same = builder.values("x2", {0: even, 1: odd})
    >>> swapped = builder.values("x2", {0: odd, 1: even})
    >>> graph = builder.build(builder.values("x1", {0: same, 1: swapped}))
    >>> graph
    Graph(n_nodes=5, n_leaves=2, depth=2)
    >>> import pandas as pd
    >>> graph.answer(pd.DataFrame({"x1": [0, 1], "x2": [1, 1]}))
    array(['odd', 'even'], dtype='<U4')
    """

    def __init__(
        self,
        features: Mapping[str, str | Iterable[Label]] | Sequence[Feature],
        classes: Iterable[Label],
        target: str | None = None,
    ) -> None:
        if isinstance(features, Mapping):
            features = [_attribute(name, said) for name, said in features.items()]
        schema = Schema(tuple(features), tuple(classes), target)
        self.schema = Schema.from_dict(schema.to_dict())  # which checks it
        self._nodes: list[_Node] = []

    def leaf(self, answer: Label | Mapping[Label, float]) -> int:
        """Add a leaf.

        Parameters
        ----------
        answer : label or mapping
            The class that it answers, which then has the weight 1; or the weight of each class
            among the training instances, zeros left out. It answers the class of largest weight,
            of equals the first declared.

        Returns
        -------
        int
            The number of the node.
        """
        given = answer.items() if isinstance(answer, Mapping) else [(answer, 1.0)]
        weights: dict[int, float] = {}
        for label, weight in given:
            if label not in self.schema.classes:
                known = ", ".join(map(repr, self.schema.classes))
                raise ValueError(f"a leaf of class {label!r}: the classes are {known}")
            if not (is_number(weight) and weight >= 0):
                raise ValueError(
                    f"a leaf with the weight {weight!r} of {label!r}: expected a number >= 0"
                )
            weights[self.schema.classes.index(label)] = float(weight)
        if not any(weights.values()):
            raise ValueError(f"a leaf of the weights {answer!r}: expected one above 0 at least")
        return self._add(_Node("leaf", weights=weights))

    def threshold(self, feature: str, threshold: float, up_to: int, above: int) -> int:
        """Add a test that compares a continuous feature with a number.

        Parameters
        ----------
        feature : str
            Its name.
        threshold : float
            The number.
        up_to, above : int
            The nodes for values up to the threshold, and above it.

        Returns
        -------
        int
            The number of the node.
        """
        number = self._number_of(feature, "continuous")
        if not is_number(threshold):
            raise ValueError(
                f"the threshold of {feature!r} is {threshold!r}; expected a finite number"
            )
        children = self._children(feature, (up_to, above))
        return self._add(_Node("<=", number, float(threshold), children=children))

    def values(self, feature: str, children: Mapping[Label, int]) -> int:
        """Add a test with a branch for each value of a nominal feature.

        Parameters
        ----------
        feature : str
            Its name.
        children : mapping
            Per value the node; values may share one.

        Returns
        -------
        int
            The number of the node.
        """
        number = self._number_of(feature, "nominal")
        values = self.schema.features[number].values
        self._check_values(feature, children)
        missing = [value for value in values if value not in children]
        if missing:
            raise ValueError(
                f"the test of {feature!r} has no branch for {', '.join(map(repr, missing))}; "
                "give each value a node, or group some of them with subsets()"
            )
        nodes = self._children(feature, [children[value] for value in values])
        return self._add(_Node("value", number, children=nodes))

    def subsets(self, feature: str, groups: Sequence[tuple[Sequence[Label], int]]) -> int:
        """Add a test with a branch for each group of values of a nominal feature.

        Parameters
        ----------
        feature : str
            Its name.
        groups : sequence of (values, int)
            The values of each group, and its node. A value in no group counts as unknown.

        Returns
        -------
        int
            The number of the node.
        """
        number = self._number_of(feature, "nominal")
        listed = [value for values, _ in groups for value in values]
        self._check_values(feature, listed)
        if not groups or not all(len(values) for values, _ in groups):
            raise ValueError(f"the test of {feature!r} has a group without values")
        twice = [value for value, count in Counter(listed).items() if count > 1]
        if twice:
            raise ValueError(f"the value {twice[0]!r} of {feature!r} is in two groups")
        branch_of = {value: b for b, (values, _) in enumerate(groups) for value in values}
        values = self.schema.features[number].values
        value_branch = tuple(branch_of.get(value, -1) for value in values)
        children = self._children(feature, [node for _, node in groups])
        return self._add(_Node("subset", number, value_branch=value_branch, children=children))

    def oblique(
        self,
        terms: Mapping[str, Addend],
        threshold: float,
        up_to: int,
        above: int,
        unknown: Mapping[str, float] | None = None,
    ) -> int:
        """Add a test that compares a sum over several features with a number.

        Parameters
        ----------
        terms : mapping
            Per feature what its value adds: a coefficient of a continuous one; or a pair of its
            ascending cuts and the scores in the intervals between them, one more than cuts; the
            score of each value of a nominal one, 0 where it is not listed.
        threshold : float
            The number.
        up_to, above : int
            The nodes for sums up to the threshold, and above it.
        unknown : mapping, optional
            Per feature what an unknown value adds; 0 where it is not listed.

        Returns
        -------
        int
            The number of the node.
        """
        if not terms:
            raise ValueError("an oblique test without terms: expected what a feature adds")
        if not is_number(threshold):
            raise ValueError(f"the threshold of a sum is {threshold!r}; expected a finite number")
        unknown = unknown or {}
        for name in unknown:
            if name not in terms:
                raise ValueError(f"unknown={{{name!r}: ...}}: the sum has no term of {name!r}")
        made = tuple(self._term(name, said, unknown.get(name, 0.0)) for name, said in terms.items())
        children = self._children("an oblique test", (up_to, above))
        return self._add(
            _Node("oblique", threshold=float(threshold), terms=made, children=children)
        )

    def build(self, root: int) -> Graph:
        """Make the graph.

        The weight of a test is what its branches bring to the nodes at their ends; where several
        branches lead to a node, each brings an equal part of its weight.

        Parameters
        ----------
        root : int
            The node to begin with; it must reach all others.

        Returns
        -------
        Graph
            It answers, shows itself and saves like a fitted one.
        """
        self._children("the root", [root])
        order = self._parents_first(root)
        left_out = sorted(set(range(len(self._nodes))) - set(order))
        if left_out:
            which = ", ".join(f"{n} ({self._nodes[n]})" for n in left_out[:5])
            raise ValueError(
                f"the root {root} does not reach {len(left_out)} of {len(self._nodes)} nodes: "
                f"{which}{', ...' if len(left_out) > 5 else ''}. Lead a branch to them, or do not "
                "add them"
            )
        return self._laid_out(order)

    def _add(self, node: _Node) -> int:
        self._nodes.append(node)
        return len(self._nodes) - 1

    def _number_of(self, feature: str, kind: str) -> int:
        names = self.schema.names
        if feature not in names:
            known = ", ".join(map(repr, names))
            raise ValueError(f"there is no feature {feature!r}; there are {known}")
        number = names.index(feature)
        if self.schema.features[number].kind != kind:
            use = "values() or subsets()" if kind == "continuous" else "threshold()"
            raise ValueError(f"{feature!r} is not {kind}: test it with {use}")
        return number

    def _term(self, name: str, said: Addend, unknown: float) -> Term:
        number = self._number_of(name, "nominal" if isinstance(said, Mapping) else "continuous")
        if isinstance(said, Mapping):
            self._check_values(name, said)
        return term_of(number, self.schema.features[number], said, unknown)

    def _check_values(self, feature: str, values: Iterable[Label]) -> None:
        known = self.schema.features[self.schema.names.index(feature)].values
        for value in values:
            if value not in known:
                listed = ", ".join(map(repr, known))
                raise ValueError(f"{feature!r} has no value {value!r}; its values are {listed}")

    def _children(self, where: str, children: Iterable[int]) -> tuple[int, ...]:
        numbers = tuple(children)
        for number in numbers:
            whole = isinstance(number, int | np.integer) and not isinstance(number, bool)
            if not whole or not 0 <= number < len(self._nodes):
                raise ValueError(
                    f"{where}: got {number!r} for a node; expected a number that this builder's "
                    f"methods returned, of which there are {len(self._nodes)} so far"
                )
        return tuple(map(int, numbers))

    def _parents_first(self, root: int) -> list[int]:
        """Order the nodes that the root reaches; a tree comes in pre-order."""
        order: list[int] = []
        seen: set[int] = set()
        stack = [(root, False)]
        while stack:
            number, done = stack.pop()
            if done:
                order.append(number)
            elif number not in seen:
                seen.add(number)
                stack.append((number, True))
                stack.extend((child, False) for child in self._nodes[number].children)
        return order[::-1]

    def _counts(
        self, order: list[int], parents: Mapping[int, int]
    ) -> tuple[dict[int, dict[int, float]], dict[int, float]]:
        """Return per node the weight of each class, and the errors of the leaves below it."""
        dist: dict[int, dict[int, float]] = {}
        errors: dict[int, float] = {}
        for number in reversed(order):
            node = self._nodes[number]
            weights = {k: weight for k, weight in node.weights.items() if weight > 0}
            for child in node.children:
                for k, weight in dist[child].items():
                    weights[k] = weights.get(k, 0.0) + weight / parents[child]
            dist[number] = dict(sorted(weights.items()))
            wrong = (w for k, w in weights.items() if k != _largest(weights))
            below = (errors[child] / parents[child] for child in node.children)
            errors[number] = math.fsum(below if node.children else wrong)
        return dist, errors

    def _laid_out(self, order: list[int]) -> Graph:
        parents = Counter(child for number in order for child in self._nodes[number].children)
        dist, errors = self._counts(order, parents)
        is_tree = all(count == 1 for count in parents.values())
        place_of = {number: place for place, number in enumerate(order)}
        stored: dict[str, list[Any]] = {name: [] for name in ARRAYS}
        for number in order:
            node, weights = self._nodes[number], dist[number]
            row = {
                "test": TESTS.index(node.test),
                "attribute": node.feature,
                "label": _largest(weights),
                "threshold": node.threshold,
                "weight": math.fsum(weights.values()),
                "errors": errors[number],
                "first_branch": len(stored["branches"]),
                "n_branches": len(node.children),
                "first_value": len(stored["value_branch"]),
                "n_values": len(node.value_branch),
                "first_class": len(stored["class_index"]),
                "n_classes": len(weights),
                "first_term": len(stored["term_form"]),
                "n_terms": len(node.terms),
            }
            for name, value in row.items():
                stored[name].append(value)
            stored["branches"] += [place_of[child] for child in node.children]
            stored["value_branch"] += node.value_branch
            for term in node.terms:
                stored["term_attribute"].append(term.feature)
                stored["term_form"].append(FORMS.index(term.form))
                stored["term_unknown"].append(term.unknown)
                stored["term_influence"].append(term.influence)
                stored["term_first_number"].append(len(stored["term_numbers"]))
                stored["term_n_numbers"].append(len(term.numbers))
                stored["term_numbers"] += term.numbers
            stored["class_index"] += weights
            stored["class_weight"] += weights.values()
            if not is_tree:
                stored["flow"] += [
                    math.fsum(dist[child].values()) / parents[child] for child in node.children
                ]
        return graph_from_nodes(self.schema, stored)


def _attribute(name: str, said: str | Iterable[Label]) -> Feature:
    if said == "continuous":
        return Feature(name, "continuous")
    if isinstance(said, str):
        raise ValueError(
            f"the feature {name!r} is said to be {said!r}; expected 'continuous' or a list of "
            "its values"
        )
    return Feature(name, "nominal", tuple(said))


def _largest(weights: Mapping[int, float]) -> int:
    """Return the class of largest weight, the lowest of equals."""
    return max(weights, key=lambda k: (weights[k], -k))
