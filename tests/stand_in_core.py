"""What the compiled module offers to saved graphs, in plain Python, until it is built.

Steps aside where the compiled module is there; then this file and the line of reference_nodes.py
that installs it can go.
"""

from __future__ import annotations

import sys
from importlib.util import find_spec
from types import ModuleType

import numpy as np

PER_NODE = (
    *("test", "attribute", "label", "threshold", "weight", "errors"),
    *("first_branch", "n_branches", "first_value", "first_class", "n_classes"),
)
NAMES = (*PER_NODE, "branches", "value_branch", "class_index", "class_weight")


class Graph:
    def __init__(self, arrays):
        self._arrays = arrays

    @staticmethod
    def from_arrays(n_classes, attribute_n_values, attribute_single, /, **arrays):
        problem = find_problem(n_classes, [int(n) for n in attribute_n_values], arrays)
        if problem:
            raise ValueError(problem)
        return Graph(arrays)

    def arrays(self):
        return self._arrays

    @property
    def depth(self):
        level = {0: 0}
        for node in topological_order(self._arrays):
            for child in branches_of(self._arrays, node):
                level[child] = max(level.get(child, 0), level[node] + 1)
        return max(level.values())


def branches_of(arrays, node):
    first = int(arrays["first_branch"][node])
    return [int(c) for c in arrays["branches"][first : first + int(arrays["n_branches"][node])]]


def topological_order(arrays):
    parents = np.bincount(arrays["branches"], minlength=len(arrays["test"]))
    order = [0] if parents[0] == 0 else []
    for node in order:
        for child in branches_of(arrays, node):
            parents[child] -= 1
            if parents[child] == 0:
                order.append(child)
    return order


def find_problem(n_classes, attribute_n_values, arrays):
    n_nodes = len(arrays["test"])
    if sorted(arrays) != sorted(NAMES):
        return "the wrong arrays"
    if n_classes == 0:
        return "it has no class"
    if n_nodes == 0:
        return "it has no node"
    if len(arrays["class_index"]) != len(arrays["class_weight"]):
        return "class indices and class weights differ in number"
    for node in range(n_nodes):
        row = {name: arrays[name][node].item() for name in PER_NODE}
        what = problem_of_node(n_classes, attribute_n_values, arrays, row)
        if what:
            return f"node {node}: {what}"
    if len(topological_order(arrays)) != n_nodes:
        return "its branches go round in a circle, or a node cannot be reached from the first"
    return ""


def problem_of_node(n_classes, attribute_n_values, arrays, row):
    if not 0 <= row["label"] < n_classes:
        return "its class does not exist"
    if not (np.isfinite(row["weight"]) and row["weight"] >= 0 and np.isfinite(row["errors"])):
        return "its weight or errors are not finite"
    if row["first_branch"] + row["n_branches"] > len(arrays["branches"]):
        return "its branches do not exist"
    branches = arrays["branches"][row["first_branch"] : row["first_branch"] + row["n_branches"]]
    if np.any(branches >= len(arrays["test"])):
        return "a branch leads to a node that does not exist"
    if row["first_class"] + row["n_classes"] > len(arrays["class_index"]):
        return "its class weights do not exist"
    present = slice(row["first_class"], row["first_class"] + row["n_classes"])
    classes, weights = arrays["class_index"][present], arrays["class_weight"][present]
    if np.any(classes < 0) or np.any(classes >= n_classes):
        return "a class weight names a class that does not exist"
    if not np.all(np.isfinite(weights)) or np.any(weights < 0):
        return "a class weight is not a number >= 0"
    if row["test"] == 0:
        return "a leaf has branches" if row["n_branches"] else ""
    if not 0 <= row["attribute"] < len(attribute_n_values):
        return "its attribute does not exist"
    n_values = attribute_n_values[row["attribute"]]
    if row["test"] == 1:
        fine = n_values == 0 and np.isfinite(row["threshold"]) and row["n_branches"] == 2
    elif row["test"] == 2:
        fine = n_values > 0 and row["n_branches"] == n_values
    elif row["test"] == 3:
        branch_of = arrays["value_branch"][row["first_value"] : row["first_value"] + n_values]
        fine = n_values > 0 and row["n_branches"] > 0 and len(branch_of) == n_values
        fine = fine and np.all(branch_of >= -1) and np.all(branch_of < row["n_branches"])
    else:
        fine = False
    return "" if fine else "its test does not fit its attribute or its branches"


def install():
    """Stand in for ``weaklearn._core`` where it is not built."""
    if "weaklearn._core" in sys.modules or find_spec("weaklearn._core") is not None:
        return
    module = ModuleType("weaklearn._core")
    module.Graph = Graph
    sys.modules["weaklearn._core"] = module
