"""A graph as nested dicts, and the same as JSON."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from weaklearn.show.node_text import shared_nodes

if TYPE_CHECKING:
    from weaklearn.models.graph import Graph
    from weaklearn.models.oblique_terms import Term

# What the nested form calls the kinds of splits that have another name in a graph.
_TEST_NAMES = {"threshold": "<=", "multiway": "value"}


def to_json(graph: Graph) -> str:
    """Return the dict of `to_dict` as indented JSON."""
    return json.dumps(to_dict(graph), indent=2, ensure_ascii=False)


def to_dict(graph: Graph) -> dict[str, Any]:
    """Return a graph as nested dicts. Two trees are equal if their dicts are.

    Every node has ``class`` (majority label), ``n`` (weight of the training rows), ``e`` (errors)
    and ``dist`` (class -> weight, without zeros). A node with a split adds ``attr`` (the feature's
    name), ``index`` (the feature's index), ``test``, ``children`` in branch order, and

    * ``threshold`` for ``test: "<="``: children are [value <= threshold, value > threshold]; for
      dates, ``threshold`` is in seconds since 1970, and ``date`` is the same as text;
    * nothing for ``test: "known"``: children are [value known, value missing];
    * ``values`` for ``test: "value"``: one child per declared value, and one more if missing values
      have a child of their own;
    * ``subsets`` for ``test: "subset"``: one child per list of values;
    * ``terms`` and ``threshold`` for ``test: "oblique"``, in place of ``attr`` and ``index``:
      children are [sum of terms <= threshold, sum > threshold]. A term has ``attr``, ``index``,
      ``form``, ``unknown`` (what a missing value adds), ``influence``, and what other values add:
      ``coefficient``; ``cuts`` and ``scores``, one more than cuts; or ``scores``, one per value.

    A split that has learned where missing values go adds ``missing``, the index of that child.

    A node that several branches of a program reach is written where it comes first in pre-order,
    with an ``id``; the other places hold ``{"ref": id}``. A split of a program also has ``flow``,
    the weight of the training rows that take each branch.

    Parameters
    ----------
    graph : Graph
        A fitted tree or program, of any depth.

    Returns
    -------
    dict
        The root node.
    """
    shared = shared_nodes(graph)
    written: set[int] = set()
    roots: list[dict[str, Any]] = []
    # A node and the list that its dict is appended to. Pre-order keeps the order of children.
    stack = [(0, roots)]
    while stack:
        node, siblings = stack.pop()
        if node in written and node in shared:
            siblings.append({"ref": node})
            continue
        written.add(node)
        fields = _node_fields(graph, node)
        if node in shared:
            fields["id"] = node
        siblings.append(fields)
        if not graph.is_leaf(node):
            children: list[dict[str, Any]] = []
            fields["children"] = children
            stack.extend((child, children) for child in reversed(graph.children(node)))
    return roots[0]


def _node_fields(graph: Graph, node: int) -> dict[str, Any]:
    fields: dict[str, Any] = {}
    kind = graph.split_kind(node)
    test = _TEST_NAMES.get(kind, kind)
    if test == "oblique":
        terms = [_term_fields(graph, term) for term in graph.terms(node)]
        fields |= {"test": test, "terms": terms, "threshold": float(graph.threshold[node])}
    elif test != "leaf":
        feature = graph.feature_of(node)
        fields |= {"attr": feature.name, "index": int(graph.feature[node]), "test": test}
        if graph.separates_missing(node):
            fields["test"] = "known"
        elif test == "<=":
            fields["threshold"] = float(graph.threshold[node])
            if feature.date is not None:
                fields["date"] = feature.date.to_text(fields["threshold"])
        elif test == "value":
            fields["values"] = list(feature.values)
        else:
            fields["subsets"] = graph.subsets(node)
    if graph.missing_branch(node) >= 0:
        fields["missing"] = graph.missing_branch(node)
    if test != "leaf" and graph.has_branch_weights:
        fields["flow"] = graph.branch_weights(node)
    classes = graph.schema.classes
    fields |= {
        "class": graph.label_of(node),
        "n": float(graph.weight[node]),
        "e": float(graph.errors[node]),
        "dist": {classes[k]: weight for k, weight in graph.class_weights(node) if weight != 0},
    }
    return fields


def _term_fields(graph: Graph, term: Term) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "attr": graph.schema.features[term.feature].name,
        "index": term.feature,
        "form": term.form,
        "unknown": term.missing,
        "influence": term.influence,
    }
    if term.form == "linear":
        return fields | {"coefficient": term.numbers[0]}
    if term.form == "steps":
        return fields | {"cuts": list(term.cuts), "scores": list(term.scores)}
    return fields | {"scores": list(term.scores)}
