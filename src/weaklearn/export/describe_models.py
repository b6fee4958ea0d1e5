"""Describe graphs, rulesets and separators, without the classifiers around them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.export import description as d
from weaklearn.models.graph import Graph
from weaklearn.models.graph_nodes import LEAF, MULTIWAY, OBLIQUE, SUBSET, THRESHOLD
from weaklearn.models.graph_splits import ranges
from weaklearn.models.oblique_terms import TERM_FORMS
from weaklearn.models.rule import OPERATOR_OF_KIND
from weaklearn.models.ruleset import HIGHEST_ERROR, Ruleset
from weaklearn.models.separators import Separators, leaf_outputs
from weaklearn.schema import Feature, Schema

_KINDS = {
    LEAF: d.LEAF,
    THRESHOLD: d.THRESHOLD,
    MULTIWAY: d.VALUES,
    SUBSET: d.VALUES,
    OBLIQUE: d.OBLIQUE,
}
_FORMS = [{"linear": d.LINEAR, "steps": d.STEPS, "values": d.SCORES}[name] for name in TERM_FORMS]
_CONDITIONS = {"<=": d.AT_MOST, ">": d.ABOVE, "=": d.ONE_OF, "in": d.ONE_OF}


def describe_input(feature: Feature) -> d.Input:
    """Return the input of a feature."""
    if feature.ignored:
        return d.Input(feature.name, "ignored")
    if feature.kind == "nominal":
        return d.Input(feature.name, "nominal", feature.values)
    return d.Input(feature.name, "number" if feature.date is None else "date")


def describe_graph(graph: Graph, columns: Sequence[int] | None = None) -> d.DescribedGraph:
    """Return the tables of a graph.

    Parameters
    ----------
    graph : Graph
        A tree or a program.
    columns : sequence of int, optional
        The index of the input of each feature of the graph; by default the same.
    """
    nodes, arrays = graph.nodes, graph.arrays
    n_nodes = graph.n_nodes
    kind = np.array([_KINDS[k] for k in range(len(_KINDS))])[nodes["split"]]
    is_leaf = kind == d.LEAF

    owner, place = ranges(nodes["first_branch"], nodes["n_branches"])
    child = arrays["children"][place]
    weight = arrays["branch_weights"][place] if graph.has_branch_weights else graph.weight[child]
    branch_share = np.zeros(len(child))
    with np.errstate(divide="ignore"):
        np.divide(weight, graph.weight[owner], out=branch_share, where=weight > 0)

    first_value, branch_of_value = _values(graph)
    missing = arrays["missing_branch"] if graph.has_missing_branches else np.full(n_nodes, -1)
    threshold = graph.threshold.copy()
    moved = (kind == d.THRESHOLD) & _is_single(graph.schema)[nodes["column"]]
    threshold[moved] = greatest_rounding_to(threshold[moved])
    return d.DescribedGraph(
        kind=_ints(kind),
        feature=_mapped(np.where(is_leaf, -1, nodes["column"]), columns),
        threshold=np.where(is_leaf, 0.0, threshold),
        missing_branch=_ints(missing),
        first_branch=_starts(nodes["n_branches"]),
        n_branches=_ints(nodes["n_branches"]),
        child=_ints(child),
        branch_share=branch_share,
        first_value=first_value,
        branch_of_value=branch_of_value,
        first_term=_ints(nodes["first_term"]),
        n_terms=_ints(nodes["n_terms"]),
        terms=_terms(graph, columns),
        **_leaves(graph, is_leaf),
    )


def _values(graph: Graph) -> tuple[d.Ints, d.Ints]:
    """Return where the values of each node start, and the branch of each value."""
    n_values = np.array([len(feature.values) for feature in graph.schema.features])
    split, column = graph.nodes["split"], graph.nodes["column"]
    by_value = (split == MULTIWAY) | (split == SUBSET)
    count = np.where(by_value, n_values[column], 0).astype(np.uint32)
    owner, code = ranges(np.zeros(graph.n_nodes, np.uint32), count)
    of_subset = graph.arrays["value_branch"]
    branch = code.copy()  # of a multiway split
    from_subset = split[owner] == SUBSET
    stored = graph.nodes["first_value"][owner].astype(np.intp) + code
    branch[from_subset] = of_subset[stored[from_subset]]
    return _starts(count), _ints(branch)


def _leaves(graph: Graph, is_leaf: NDArray[np.bool_]) -> dict[str, Any]:
    """Return what the leaves predict."""
    nodes, n_classes = graph.nodes, len(graph.schema.classes)
    leaves = np.flatnonzero(is_leaf)
    weight = graph.weight[leaves]
    filled = weight > 0
    weight_of_shares = np.where(filled, weight, 1.0)
    if len(graph.arrays["shrinkage"]):
        table = graph.predicted_shares()[leaves] * weight_of_shares[:, None]
        owner, index = np.nonzero(table)
        class_weight = table[owner, index]
    else:
        count = np.where(filled, nodes["n_classes"][leaves], 1).astype(np.uint32)
        first = np.where(filled, nodes["first_class"][leaves], 0).astype(np.uint32)
        owner, place = ranges(first, count)
        # An empty leaf predicts its label, whatever its classes are.
        index = np.append(graph.arrays["class_index"], 0)[place].astype(np.intp)
        class_weight = np.append(graph.arrays["class_weight"], 1.0)[place]
        empty = ~filled[owner]
        index[empty], class_weight[empty] = graph.label[leaves[owner[empty]]], 1.0
    class_share = class_weight / weight_of_shares[owner]
    class_weight = np.where(filled[owner], class_weight, 0.0)

    shares = np.zeros((len(leaves), n_classes))
    np.add.at(shares, (owner, index), class_share)
    best = _largest(shares)
    of_best = np.zeros(len(leaves))
    is_best = index == best[owner]
    of_best[owner[is_best]] = class_weight[is_best]
    label, confidence = nodes["label"].copy(), np.zeros(graph.n_nodes)
    label[leaves], confidence[leaves] = best, (of_best + 1.0) / (weight + 2.0)
    n_of_node = np.zeros(graph.n_nodes, np.int64)
    n_of_node[leaves] = np.bincount(owner, minlength=len(leaves))
    return {
        "label": _ints(label),
        "confidence": confidence,
        "leaf_weight": np.where(is_leaf, np.maximum(graph.weight, 0.0), 0.0),
        "first_class": _starts(n_of_node),
        "n_classes": _ints(n_of_node),
        "class_index": _ints(index),
        "class_share": class_share,
        "class_weight": class_weight,
    }


def _largest(shares: d.Floats) -> NDArray[np.intp]:
    """Return the class of the largest share in each row; ties go to the lowest index."""
    rows = np.arange(len(shares))
    best = np.zeros(len(shares), np.intp)
    for k in range(1, shares.shape[1]):
        bound = shares[rows, best]
        best[shares[:, k] > bound + d.TIE * np.maximum(1.0, bound)] = k
    return best


def _terms(graph: Graph, columns: Sequence[int] | None) -> d.Terms:
    terms, numbers = graph.arrays["terms"], graph.arrays["term_numbers"].copy()
    is_single = _is_single(graph.schema)[terms["column"]]
    form = np.array(_FORMS)[terms["form"]]
    form[(form == d.LINEAR) & is_single] = d.SINGLE
    n_cuts = np.where(form == d.STEPS, terms["n_numbers"] // 2, 0).astype(np.uint32)
    owner, place = ranges(terms["first_number"], n_cuts)
    moved = place[is_single[owner]]
    numbers[moved] = greatest_rounding_to(numbers[moved])
    return d.Terms(
        _mapped(terms["column"], columns),
        _ints(form),
        terms["missing"].copy(),
        _ints(terms["first_number"]),
        _ints(n_cuts),
        numbers,
    )


def describe_rules(ruleset: Ruleset, columns: Sequence[int] | None = None) -> d.DescribedRules:
    """Return the tables of a ruleset.

    Parameters
    ----------
    ruleset : Ruleset
        The rules.
    columns : sequence of int, optional
        The index of the input of each of its features; by default the same.
    """
    # A rule of a higher error never fires.
    kept = [r for r, rule in enumerate(ruleset.core.rules) if rule.error <= HIGHEST_ERROR]
    rules = [ruleset.core.rules[r] for r in kept]
    conditions = [condition for rule in rules for condition in rule.conditions]
    feature = np.array([condition.column for condition in conditions], np.intp)
    threshold = np.array([condition.threshold for condition in conditions], np.float64)
    moved = _is_single(ruleset.schema)[feature]
    threshold[moved] = greatest_rounding_to(threshold[moved])
    return d.DescribedRules(
        _ints(np.cumsum([0, *(len(rule.conditions) for rule in rules)])),
        _mapped(feature, columns),
        _ints([_CONDITIONS[OPERATOR_OF_KIND[condition.kind]] for condition in conditions]),
        threshold,
        tuple(tuple(condition.values) for condition in conditions),
        _ints(ruleset.rule_labels[[*kept, -1]]),
        ruleset.rule_shares[[*kept, -1]],
    )


def describe_separators(
    separators: Separators, columns: Sequence[int] | None = None
) -> d.DescribedSeparators:
    """Return the tables of separators.

    Parameters
    ----------
    separators : Separators
        The sums.
    columns : sequence of int, optional
        The index of the input of each of their features; by default the same.
    """
    n_classes, present = len(separators.schema.classes), separators.present
    output = leaf_outputs(np.eye(1, n_classes, present[0]))[0]
    sums = [s for s in separators.each if s.graph.split_kind(0) == "oblique"]
    for separator in separators.each:
        if separator not in sums:  # a single leaf, whose output is the same for every row
            shares = separator.graph.predicted_shares()[:1]
            output[separator.positive] = leaf_outputs(shares)[0, separator.positive]
    if len(present) == 2:
        output[present[0]] = -output[present[1]]
    terms = [_terms(s.graph, columns) for s in sums]
    n_terms = [len(t.feature) for t in terms]
    return d.DescribedSeparators(
        output,
        float(leaf_outputs(np.eye(1, 2))[0, 1]),
        present,
        _ints([s.positive for s in sums]),
        np.array([s.graph.threshold[0] for s in sums], np.float64),
        _starts(n_terms),
        _ints(n_terms),
        join_terms(terms),
    )


def join_terms(parts: Sequence[d.Terms]) -> d.Terms:
    """Return the terms of several sums, one after the other."""
    n_numbers = _starts([len(t.numbers) for t in parts])
    return d.Terms(
        _ints(_joined([t.feature for t in parts])),
        _ints(_joined([t.form for t in parts])),
        _joined([t.missing for t in parts]),
        _ints(_joined([t.first + n for t, n in zip(parts, n_numbers, strict=True)])),
        _ints(_joined([t.n_cuts for t in parts])),
        _joined([t.numbers for t in parts]),
    )


def greatest_rounding_to(bounds: d.Floats) -> d.Floats:
    """Return for each bound the greatest float64 that is at most the bound, rounded to float32.

    A number is compared with this as its float32 is compared with that of the bound.

    Examples
    --------
    >>> greatest_rounding_to(np.array([1.0, np.inf])).tolist()
    [1.0000000596046448, inf]
    """
    with np.errstate(over="ignore"):
        single = bounds.astype(np.float32)
        above = np.nextafter(single, np.float32(np.inf)).astype(np.float64)
    most = np.finfo(np.float32).max
    # Beyond the greatest float the next step would be as wide as the last one.
    above = np.where(single == most, float(most) + 2.0**104, above)
    halfway = (np.where(np.isinf(single), 0.0, single).astype(np.float64) + above) / 2
    with np.errstate(over="ignore"):
        is_above = halfway.astype(np.float32) > single
    result = np.where(is_above, np.nextafter(halfway, -np.inf), halfway)
    beyond_most = -(float(most) + 2.0**103)
    result = np.where(single == np.inf, np.inf, result)
    return np.where(single == -np.inf, beyond_most, result)


def _is_single(schema: Schema) -> NDArray[np.bool_]:
    """Return per feature whether its numbers are compared in float32."""
    return np.array([f.kind != "nominal" and f.precision == "single" for f in schema.features])


def _mapped(features: NDArray[np.integer], columns: Sequence[int] | None) -> d.Ints:
    if columns is None:
        return _ints(features)
    return _ints(np.array([*columns, -1])[features])


def _starts(counts: Sequence[int] | NDArray[np.integer]) -> d.Ints:
    """Return where each of consecutive ranges starts."""
    ends = np.cumsum(counts, dtype=np.int64)
    return _ints(ends - np.asarray(counts, np.int64))


def _joined(parts: Sequence[NDArray[np.generic]]) -> NDArray[np.float64]:
    return np.concatenate(parts) if parts else np.zeros(0)


def _ints(numbers: object) -> d.Ints:
    return np.asarray(numbers, np.int64).astype(np.int32)
