"""Build graphs from nested nodes, the form of the stored trees and of ``to_dict``."""

from __future__ import annotations

from functools import partial

import numpy as np
import pytest

from shared import read_reference, reference_names
from weaklearn.models import Graph
from weaklearn.schema import Feature, Schema

TESTS = {"<=": 1, "value": 2, "subset": 3, "oblique": 4}
FORMS = {"linear": 0, "steps": 1, "values": 2}
DTYPES = {
    "test": np.uint8,
    "attribute": np.int32,
    "label": np.int32,
    "threshold": np.float64,
    "weight": np.float64,
    "errors": np.float64,
    "first_branch": np.uint32,
    "n_branches": np.uint32,
    "first_value": np.uint32,
    "n_values": np.uint32,
    "first_class": np.uint32,
    "n_classes": np.uint32,
    "branches": np.uint32,
    "flow": np.float64,
    "value_branch": np.int32,
    "class_index": np.int32,
    "class_weight": np.float64,
    "first_term": np.uint32,
    "n_terms": np.uint32,
    "term_attribute": np.int32,
    "term_form": np.uint8,
    "term_unknown": np.float64,
    "term_influence": np.float64,
    "term_first_number": np.uint32,
    "term_n_numbers": np.uint32,
    "term_numbers": np.float64,
}


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
    columns = {name: [] for name in DTYPES}
    for node in order:
        children = [named[c["ref"]] if "ref" in c else c for c in node.get("children", [])]
        values = schema.features[node["index"]].values if "index" in node else ()
        row = {
            "test": TESTS[node["test"]] if children else 0,
            "attribute": node.get("index", -1) if children else -1,
            "label": schema.classes.index(node["class"]),
            "threshold": node.get("threshold", 0.0),
            "weight": node["n"],
            "errors": node["e"],
            "first_branch": len(columns["branches"]),
            "n_branches": len(children),
            "first_value": len(columns["value_branch"]),
            "n_values": len(values) if "subsets" in node else 0,
            "first_class": len(columns["class_index"]),
            "n_classes": len(node["dist"]),
            "first_term": len(columns["term_form"]),
            "n_terms": len(node.get("terms", ())),
        }
        for name, value in row.items():
            columns[name].append(value)
        for label, weight in node["dist"].items():
            columns["class_index"].append(schema.classes.index(label))
            columns["class_weight"].append(weight)
        if "subsets" in node:
            branch_of = {v: b for b, subset in enumerate(node["subsets"]) for v in subset}
            columns["value_branch"].extend(branch_of.get(v, -1) for v in values)
        for term in node.get("terms", ()):
            numbers = [*term.get("cuts", ()), *term.get("scores", ())] or [term["coefficient"]]
            columns["term_attribute"].append(term["index"])
            columns["term_form"].append(FORMS[term["form"]])
            columns["term_unknown"].append(term["unknown"])
            columns["term_influence"].append(term["influence"])
            columns["term_first_number"].append(len(columns["term_numbers"]))
            columns["term_n_numbers"].append(len(numbers))
            columns["term_numbers"].extend(numbers)
        columns["branches"].extend(index_of[id(child)] for child in children)
        columns["flow"].extend(node.get("flow", ()))
    arrays = {name: np.array(column, dtype=DTYPES[name]) for name, column in columns.items()}
    return Graph.from_arrays(schema, arrays)


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
