"""Graphs that tests save, their files of version 1, and the comparison of graphs."""

import json

import numpy as np
import pytest

from models.version_1 import version_1_document
from reference_nodes import graph_of, leaf
from weaklearn.models import LoadError, load
from weaklearn.schema import Feature, Schema

_SCHEMA = Schema(
    (Feature("x", "continuous"), Feature("v", "nominal", ("a", "b", "c"))), ("no", "yes")
)
_BELOW = {
    **{"attr": "v", "index": 1, "test": "subset", "subsets": [["a", "c"], ["b"]]},
    **leaf("no", 5, 1.5, {"no": 4.0, "yes": 1.0}),
    "children": [leaf("no", 3, 0.5), leaf("yes", 2, 1.0)],
    "flow": [3.0, 2.0],
}


def assert_same(one, other):
    assert one.schema == other.schema
    arrays, others = one.arrays, other.arrays
    assert arrays.keys() == others.keys()
    for name in arrays:
        assert arrays[name].dtype == others[name].dtype, name
        np.testing.assert_array_equal(arrays[name], others[name], err_msg=name)


def small():
    root = {"attr": "x", "index": 0, "test": "<=", "threshold": 0.1, **leaf("no", 9, 2.5)}
    return graph_of({**root, "children": [_BELOW, leaf("yes", 4)], "flow": [5.0, 4.0]}, _SCHEMA)


def oblique():
    """An oblique split with one term, and branch weights."""
    term = {"attr": "x", "index": 0, "form": "linear", "unknown": 0.5, "influence": 1.0}
    root = {"test": "oblique", "terms": [{**term, "coefficient": 2.0}], "threshold": 0.1}
    children = [_BELOW, leaf("yes", 4)]
    return graph_of({**root, **leaf("no", 9, 2.5), "children": children, "flow": [5, 4]}, _SCHEMA)


def document(graph=None):
    return version_1_document(graph or small())


def write_text(folder, text, name="model.json"):
    path = folder / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def refused(folder, changed):
    text = changed if isinstance(changed, str | bytes) else json.dumps(changed)
    path = write_text(folder, text)
    with pytest.raises(LoadError) as caught:
        load(path)
    assert str(path) in str(caught.value)
    return str(caught.value)
