"""Build graphs from nested nodes, the form of the stored trees and of ``to_dict``."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from shared import read_reference, reference_names
from weaklearn import _core
from weaklearn.models import Graph
from weaklearn.schema import Feature, Schema

#: The kinds of splits by what nested nodes call them.
SPLITS = {"<=": "threshold", "value": "multiway", "subset": "subset", "oblique": "oblique"}


def schema_of(document):
    kinds = {"continuous": "continuous", "discrete": "nominal", "ignored": "nominal"}
    return Schema(
        tuple(
            Feature(a["name"], kinds[a["type"]], tuple(a.get("values") or ()))
            for a in document["attributes"]
        ),
        tuple(document["classes"]),
    )


def graph_of(root, schema):
    """Return the graph of nested nodes; ``{"ref": id}`` stands for the node with that ``id``.

    Every node comes before its children, so a tree is in pre-order.
    """
    order = _parents_first(root)
    index_of = {id(node): index for index, node in enumerate(order)}
    named = {node["id"]: node for node in order if "id" in node}
    lists = {name: [] for name in _core.GRAPH_DTYPES}
    for node in order:
        children = [named[c["ref"]] if "ref" in c else c for c in node.get("children", [])]
        values = schema.features[node["index"]].values if "index" in node else ()
        lists["nodes"].append(
            {
                "split": _core.SPLIT_KINDS.index(SPLITS[node["test"]] if children else "leaf"),
                "column": node.get("index", -1) if children else -1,
                "label": schema.classes.index(node["class"]),
                "threshold": node.get("threshold", 0.0),
                "weight": node["n"],
                "errors": node["e"],
                "first_branch": len(lists["children"]),
                "n_branches": len(children),
                "first_value": len(lists["value_branch"]),
                "first_class": len(lists["class_index"]),
                "n_classes": len(node["dist"]),
                "first_term": len(lists["terms"]),
                "n_terms": len(node.get("terms", ())),
            }
        )
        for label, weight in node["dist"].items():
            lists["class_index"].append(schema.classes.index(label))
            lists["class_weight"].append(weight)
        if "subsets" in node:
            branch_of = {v: b for b, subset in enumerate(node["subsets"]) for v in subset}
            lists["value_branch"].extend(branch_of.get(v, -1) for v in values)
        for term in node.get("terms", ()):
            numbers = [*term.get("cuts", ()), *term.get("scores", ())] or [term["coefficient"]]
            lists["terms"].append(
                {
                    "column": term["index"],
                    "form": _core.TERM_FORMS.index(term["form"]),
                    "missing": term["unknown"],
                    "influence": term["influence"],
                    "first_number": len(lists["term_numbers"]),
                    "n_numbers": len(numbers),
                }
            )
            lists["term_numbers"].extend(numbers)
        lists["children"].extend(index_of[id(child)] for child in children)
        lists["branch_weights"].extend(node.get("flow", ()))
    return Graph.from_arrays(schema, {name: _array(name, lists[name]) for name in lists})


def _array(name, values):
    dtype = _core.GRAPH_DTYPES[name]
    if dtype.names is not None:
        values = [tuple(record[field] for field in dtype.names) for record in values]
    return np.array(values, dtype=dtype)


def _parents_first(root):
    named = {}
    stack = [root]
    while stack:
        node = stack.pop()
        if "id" in node:
            named[node["id"]] = node
        stack.extend(child for child in node.get("children", []) if "ref" not in child)
    finished, seen = [], set()
    stack = [(root, False)]
    while stack:
        node, done = stack.pop()
        node = named[node["ref"]] if "ref" in node else node
        if done:
            finished.append(node)
        elif id(node) not in seen:
            seen.add(id(node))
            stack.append((node, True))
            stack.extend((child, False) for child in node.get("children", []))
    return finished[::-1]


def leaf(label, n, e=0.0, dist=None):
    return {"class": label, "n": n, "e": e, "dist": dist or {label: n}}


def reference_trees():
    """Return pytest parameters: the name of a table and a function that yields (graph, nodes)."""
    # The largest trees would add time, not kinds of nodes.
    names = [name for name in reference_names() if name != "letter"]
    return [pytest.param(name, partial(_trees, name), id=name) for name in names]


def _trees(name):
    document = read_reference(name)
    schema = schema_of(document)
    for run in document["runs"].values():
        for kind in ("unpruned", "pruned"):
            yield graph_of(run[kind]["tree"], schema), run[kind]["tree"]
