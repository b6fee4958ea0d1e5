"""Make a graph by hand, node by node."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core
from weaklearn.models.graph import Graph
from weaklearn.models.oblique_terms import Addend, Term, is_number, make_term
from weaklearn.schema import Feature, Label, Schema


@dataclass(frozen=True, slots=True)
class _Node:
    split: str
    feature: int = -1
    threshold: float = 0.0
    value_branch: tuple[int, ...] = ()
    terms: tuple[Term, ...] = ()
    children: tuple[int, ...] = ()
    weights: dict[int, float] = field(default_factory=dict)  # of a leaf, by class index

    def __str__(self) -> str:
        return "a leaf" if self.split == "leaf" else f"a {self.split} split"


class GraphBuilder:
    """Make a graph by hand: leaves first, then the splits that lead to them, the root last.

    Every method adds a node and returns its index, which later splits use as a child. A node with
    several branches to it is shared: the graph is then a program, not a tree. The children of a
    split must have been added before it, so a graph has no cycles.

    Parameters
    ----------
    features : mapping, or sequence of Feature
        Per name either ``"continuous"`` or the values of a nominal feature, in order; or the
        features of an existing schema (``table.schema.features``).
    classes : sequence of labels
        The classes, in order.
    target : str, optional
        The name of the target.

    Examples
    --------
    Exclusive-or of two bits, with two splits on the second bit and two leaves:

    >>> import weaklearn as wl
    >>> builder = wl.GraphBuilder({"x1": [0, 1], "x2": [0, 1]}, classes=["even", "odd"])
    >>> even, odd = builder.leaf({"even": 2}), builder.leaf({"odd": 2})
    >>> same = builder.values("x2", {0: even, 1: odd})
    >>> swapped = builder.values("x2", {0: odd, 1: even})
    >>> graph = builder.build(builder.values("x1", {0: same, 1: swapped}))
    >>> graph
    Graph(n_nodes=5, n_leaves=2, depth=2)
    >>> import pandas as pd
    >>> graph.predict(pd.DataFrame({"x1": [0, 1], "x2": [1, 1]}))
    array(['odd', 'even'], dtype='<U4')
    """

    def __init__(
        self,
        features: Mapping[str, str | Iterable[Label]] | Sequence[Feature],
        classes: Iterable[Label],
        target: str | None = None,
    ) -> None:
        if isinstance(features, Mapping):
            features = [_feature(name, values) for name, values in features.items()]
        schema = Schema(tuple(features), tuple(classes), target)
        self.schema = Schema.from_dict(schema.to_dict())  # checks it
        self._nodes: list[_Node] = []

    def leaf(self, classes: Label | Mapping[Label, float]) -> int:
        """Add a leaf.

        Parameters
        ----------
        classes : label or mapping
            The class that it predicts, which then has the weight 1; or the weight of each class
            among the training rows, zeros left out. It predicts the class of largest weight; ties
            go to the class declared first.

        Returns
        -------
        int
            The index of the node.
        """
        given = classes.items() if isinstance(classes, Mapping) else [(classes, 1.0)]
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
            raise ValueError(f"a leaf with the weights {classes!r}: expected at least one above 0")
        return self._add(_Node("leaf", weights=weights))

    def threshold(self, feature: str, threshold: float, up_to: int, above: int) -> int:
        """Add a threshold split: it compares a continuous feature with a number.

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
            The index of the node.
        """
        index = self._index_of(feature, "continuous")
        if not is_number(threshold):
            raise ValueError(
                f"the threshold of {feature!r} is {threshold!r}; expected a finite number"
            )
        children = self._children(feature, (up_to, above))
        return self._add(_Node("threshold", index, float(threshold), children=children))

    def values(self, feature: str, children: Mapping[Label, int]) -> int:
        """Add a multiway split, with a branch for each value of a nominal feature.

        Parameters
        ----------
        feature : str
            Its name.
        children : mapping
            The node for each value; several values may have the same node.

        Returns
        -------
        int
            The index of the node.
        """
        index = self._index_of(feature, "nominal")
        values = self.schema.features[index].values
        self._check_values(feature, children)
        missing = [value for value in values if value not in children]
        if missing:
            raise ValueError(
                f"the split on {feature!r} has no branch for {', '.join(map(repr, missing))}; "
                "pass a node for each value, or group values with subsets()"
            )
        nodes = self._children(feature, [children[value] for value in values])
        return self._add(_Node("multiway", index, children=nodes))

    def subsets(self, feature: str, groups: Sequence[tuple[Sequence[Label], int]]) -> int:
        """Add a subset split, with a branch for each group of values of a nominal feature.

        Parameters
        ----------
        feature : str
            Its name.
        groups : sequence of (values, int)
            The values of each group, and its node. A value in no group counts as missing.

        Returns
        -------
        int
            The index of the node.
        """
        index = self._index_of(feature, "nominal")
        listed = [value for values, _ in groups for value in values]
        self._check_values(feature, listed)
        if not groups or not all(len(values) for values, _ in groups):
            raise ValueError(f"the split on {feature!r} has a group without values")
        twice = [value for value, count in Counter(listed).items() if count > 1]
        if twice:
            raise ValueError(f"the value {twice[0]!r} of {feature!r} is in two groups")
        branch_of = {value: b for b, (values, _) in enumerate(groups) for value in values}
        values = self.schema.features[index].values
        value_branch = tuple(branch_of.get(value, -1) for value in values)
        children = self._children(feature, [node for _, node in groups])
        return self._add(_Node("subset", index, value_branch=value_branch, children=children))

    def oblique(
        self,
        terms: Mapping[str, Addend],
        threshold: float,
        up_to: int,
        above: int,
        missing: Mapping[str, float] | None = None,
    ) -> int:
        """Add an oblique split: it compares a sum over several features with a number.

        Parameters
        ----------
        terms : mapping
            Per feature what its value adds. For a continuous one a coefficient, or a pair of
            ascending cuts and the scores of the intervals between them, one more than cuts. For a
            nominal one the score of each value, 0 where it is not listed.
        threshold : float
            The number.
        up_to, above : int
            The nodes for sums up to the threshold, and above it.
        missing : mapping, optional
            Per feature what a missing value adds; 0 where it is not listed.

        Returns
        -------
        int
            The index of the node.
        """
        if not terms:
            raise ValueError("an oblique split without terms: expected at least one")
        if not is_number(threshold):
            raise ValueError(f"the threshold of a sum is {threshold!r}; expected a finite number")
        missing = missing or {}
        for name in missing:
            if name not in terms:
                raise ValueError(f"missing={{{name!r}: ...}}: the sum has no term of {name!r}")
        made = tuple(
            self._term(name, addend, missing.get(name, 0.0)) for name, addend in terms.items()
        )
        children = self._children("an oblique split", (up_to, above))
        return self._add(
            _Node("oblique", threshold=float(threshold), terms=made, children=children)
        )

    def build(self, root: int) -> Graph:
        """Make the graph.

        The weight of a split is the sum of the weights of its branches. A branch has the weight of
        its child; several branches that lead to the same node share its weight equally.

        Parameters
        ----------
        root : int
            The root; all other nodes must be below it.

        Returns
        -------
        Graph
            It predicts, prints and saves like a fitted one.
        """
        self._children("the root", [root])
        order = self._parents_first(root)
        unreached = sorted(set(range(len(self._nodes))) - set(order))
        if unreached:
            which = ", ".join(f"{n} ({self._nodes[n]})" for n in unreached[:5])
            raise ValueError(
                f"the root {root} does not reach {len(unreached)} of {len(self._nodes)} nodes: "
                f"{which}{', ...' if len(unreached) > 5 else ''}. Add branches to them, or do not "
                "add the nodes"
            )
        return self._flatten(order)

    def _add(self, node: _Node) -> int:
        self._nodes.append(node)
        return len(self._nodes) - 1

    def _index_of(self, feature: str, kind: str) -> int:
        names = self.schema.names
        if feature not in names:
            known = ", ".join(map(repr, names))
            raise ValueError(f"there is no feature {feature!r}; there are {known}")
        index = names.index(feature)
        if self.schema.features[index].kind != kind:
            use = "values() or subsets()" if kind == "continuous" else "threshold()"
            raise ValueError(f"{feature!r} is not {kind}: split on it with {use}")
        return index

    def _term(self, name: str, addend: Addend, missing: float) -> Term:
        index = self._index_of(name, "nominal" if isinstance(addend, Mapping) else "continuous")
        if isinstance(addend, Mapping):
            self._check_values(name, addend)
        return make_term(index, self.schema.features[index], addend, missing)

    def _check_values(self, feature: str, values: Iterable[Label]) -> None:
        known = self.schema.features[self.schema.names.index(feature)].values
        for value in values:
            if value not in known:
                listed = ", ".join(map(repr, known))
                raise ValueError(f"{feature!r} has no value {value!r}; its values are {listed}")

    def _children(self, where: str, children: Iterable[int]) -> tuple[int, ...]:
        nodes = tuple(children)
        for node in nodes:
            is_integer = isinstance(node, int | np.integer) and not isinstance(node, bool)
            if not is_integer or not 0 <= node < len(self._nodes):
                raise ValueError(
                    f"{where}: got {node!r} for a node; expected an index that a method of this "
                    f"builder returned, from 0 to {len(self._nodes) - 1}"
                )
        return tuple(map(int, nodes))

    def _parents_first(self, root: int) -> list[int]:
        """Return the nodes that the root reaches, parents first; a tree in pre-order."""
        finished: list[int] = []
        seen: set[int] = set()
        stack = [(root, False)]
        while stack:
            index, done = stack.pop()
            if done:
                finished.append(index)
            elif index not in seen:
                seen.add(index)
                stack.append((index, True))
                stack.extend((child, False) for child in self._nodes[index].children)
        return finished[::-1]

    def _class_weights_and_errors(
        self, order: list[int], n_parents: Mapping[int, int]
    ) -> tuple[dict[int, dict[int, float]], dict[int, float]]:
        """Return per node the weight of each class, and the errors of the leaves below it."""
        dist: dict[int, dict[int, float]] = {}
        errors: dict[int, float] = {}
        for index in reversed(order):
            node = self._nodes[index]
            weights = {k: weight for k, weight in node.weights.items() if weight > 0}
            for child in node.children:
                for k, weight in dist[child].items():
                    weights[k] = weights.get(k, 0.0) + weight / n_parents[child]
            dist[index] = dict(sorted(weights.items()))
            wrong = (w for k, w in weights.items() if k != _largest(weights))
            below = (errors[child] / n_parents[child] for child in node.children)
            errors[index] = math.fsum(below if node.children else wrong)
        return dist, errors

    def _flatten(self, order: list[int]) -> Graph:
        n_parents = Counter(child for index in order for child in self._nodes[index].children)
        dist, errors = self._class_weights_and_errors(order, n_parents)
        is_tree = all(count == 1 for count in n_parents.values())
        new_index = {index: new for new, index in enumerate(order)}
        lists: dict[str, list[Any]] = {name: [] for name in _core.GRAPH_DTYPES}
        for index in order:
            node, weights = self._nodes[index], dist[index]
            lists["nodes"].append(
                {
                    "split": _core.SPLIT_KINDS.index(node.split),
                    "column": node.feature,
                    "label": _largest(weights),
                    "threshold": node.threshold,
                    "weight": math.fsum(weights.values()),
                    "errors": errors[index],
                    "first_branch": len(lists["children"]),
                    "n_branches": len(node.children),
                    "first_value": len(lists["value_branch"]),
                    "first_class": len(lists["class_index"]),
                    "n_classes": len(weights),
                    "first_term": len(lists["terms"]),
                    "n_terms": len(node.terms),
                }
            )
            lists["children"] += [new_index[child] for child in node.children]
            lists["value_branch"] += node.value_branch
            lists["class_index"] += weights
            lists["class_weight"] += weights.values()
            for term in node.terms:
                lists["terms"].append(
                    {
                        "column": term.feature,
                        "form": _core.TERM_FORMS.index(term.form),
                        "missing": term.missing,
                        "influence": term.influence,
                        "first_number": len(lists["term_numbers"]),
                        "n_numbers": len(term.numbers),
                    }
                )
                lists["term_numbers"] += term.numbers
            if not is_tree:
                lists["branch_weights"] += [
                    math.fsum(dist[child].values()) / n_parents[child] for child in node.children
                ]
        return Graph.from_arrays(self.schema, {name: _array(name, lists[name]) for name in lists})


def _array(name: str, values: list[Any]) -> NDArray[Any]:
    dtype = _core.GRAPH_DTYPES[name]
    if dtype.names is not None:
        values = [tuple(record[field] for field in dtype.names) for record in values]
    return np.array(values, dtype=dtype)


def _feature(name: str, values: str | Iterable[Label]) -> Feature:
    if values == "continuous":
        return Feature(name, "continuous")
    if isinstance(values, str):
        raise ValueError(
            f"the feature {name!r} is {values!r}; expected 'continuous' or a list of its values"
        )
    return Feature(name, "nominal", tuple(values))


def _largest(weights: Mapping[int, float]) -> int:
    """Return the class of largest weight; ties go to the lowest index."""
    return max(weights, key=lambda k: (weights[k], -k))
