"""Nested nodes, as the reference and ``to_dict`` write them, made into a graph."""

from __future__ import annotations

import gzip
import json
from functools import partial
from pathlib import Path

import numpy as np
import pytest

from weaklearn.models import Graph
from weaklearn.schema import Attribute, Schema

REFERENCE = Path(__file__).resolve().parents[2] / "shared" / "reference" / "c45r8"
TESTS = {"<=": 1, "value": 2, "subset": 3}
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
    "value_branch": np.int32,
    "class_index": np.int32,
    "class_weight": np.float64,
}


def schema_of(document):
    kinds = {"continuous": "continuous", "discrete": "nominal", "ignored": "nominal"}
    return Schema(
        tuple(
            Attribute(a["name"], kinds[a["type"]], tuple(a.get("values") or ()))
            for a in document["attributes"]
        ),
        tuple(document["classes"]),
    )


def graph_of(root, schema):
    """Lay out nested nodes in pre-order, ``{"ref": id}`` being the node with that ``id``."""
    columns = {name: [] for name in DTYPES}
    number_of_id = {}
    waiting_refs = []
    stack = [(root, None)]
    while stack:
        node, slot = stack.pop()
        if "ref" in node:
            waiting_refs.append((slot, node["ref"]))
            continue
        number = len(columns["test"])
        if "id" in node:
            number_of_id[node["id"]] = number
        if slot is not None:
            columns["branches"][slot] = number
        children = node.get("children", [])
        values = schema.attributes[node["index"]].values if children else ()
        row = {
            "test": TESTS[node["test"]] if children else 0,
            "attribute": node["index"] if children else -1,
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
        }
        for name, value in row.items():
            columns[name].append(value)
        for label, weight in node["dist"].items():
            columns["class_index"].append(schema.classes.index(label))
            columns["class_weight"].append(weight)
        if "subsets" in node:
            branch_of = {v: b for b, subset in enumerate(node["subsets"]) for v in subset}
            columns["value_branch"].extend(branch_of.get(v, -1) for v in values)
        first = len(columns["branches"])
        columns["branches"].extend([0] * len(children))
        stack.extend((child, first + b) for b, child in reversed(list(enumerate(children))))
    for slot, name in waiting_refs:
        columns["branches"][slot] = number_of_id[name]
    arrays = {name: np.array(column, dtype=DTYPES[name]) for name, column in columns.items()}
    return Graph.from_arrays(schema, arrays)


def leaf(label, n, e=0.0, dist=None):
    return {"class": label, "n": n, "e": e, "dist": dist or {label: n}}


def reference_trees():
    """Return pytest parameters: a data set's name, and a function giving (graph, its nodes)."""
    names = sorted(p.name for p in REFERENCE.glob("*.json*"))
    if not names:
        skip = pytest.mark.skip(reason=f"no reference trees in {REFERENCE}")
        return [pytest.param("none", None, marks=skip)]
    # The largest trees add time, not kinds of nodes.
    return [pytest.param(n, partial(_trees_of, n), id=n) for n in names if "letter" not in n]


def _trees_of(name):
    data = (REFERENCE / name).read_bytes()
    document = json.loads(gzip.decompress(data) if name.endswith(".gz") else data)
    schema = schema_of(document)
    for run in document["runs"].values():
        for kind in ("unpruned", "pruned"):
            yield graph_of(run[kind]["tree"], schema), run[kind]["tree"]
