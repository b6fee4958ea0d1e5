"""Graphs in files of version 1, which hold all arrays of a graph."""

from __future__ import annotations

from typing import Any

from weaklearn.models import Graph
from weaklearn.models.file_content import schema_content


def version_1_document(graph: Graph) -> dict[str, Any]:
    """Return what a file of version 1 holds for a graph."""
    arrays = {
        name: array.tolist()
        if array.dtype.names is None
        else {field: array[field].tolist() for field in array.dtype.names}
        for name, array in graph.arrays.items()
        if len(array) or name not in ("missing_branch", "shrinkage")
    }
    start = {"format": "weaklearn", "version": 1, "kind": "graph"}
    return {**start, "schema": schema_content(graph.schema), "graph": arrays}
