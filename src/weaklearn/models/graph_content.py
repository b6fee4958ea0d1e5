"""Graphs in model files: compact columns since version 2, all arrays of a graph in version 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from weaklearn import _core
from weaklearn.models.file_content import number_array, schema_content, take, take_array
from weaklearn.models.graph import Graph
from weaklearn.models.graph_nodes import StoredGraphs
from weaklearn.models.saving import register_kind
from weaklearn.schema import Schema

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: Arrays of version 1 that a file has only if the graph has them.
_OPTIONAL_ARRAYS = ("missing_branch", "shrinkage")


def graph_content(graph: Graph) -> dict[str, Any]:
    """Return a graph with its schema for a file."""
    return {"schema": schema_content(graph.schema), "graph": graphs_content([graph])}


def graphs_content(graphs: Sequence[Graph]) -> dict[str, NDArray[Any]]:
    """Return graphs with the same schema, without it, for a file.

    The arrays are columns, such as the kinds of the nodes of all graphs, which
    ``core/graph/compact_graphs.hpp`` describes. Empty columns are left out.
    """
    arrays: dict[str, NDArray[Any]] = _core.compact_graphs([graph.core for graph in graphs])
    return {name: array for name, array in arrays.items() if len(array)}


def graph_from_content(content: Mapping[str, Any]) -> Graph:
    """Make a graph from the result of `graph_content`; ValueError if it is not a valid graph."""
    schema = Schema.from_dict(take(content, "schema", dict))
    graphs = graphs_from_content(schema, take(content, "graph", dict))
    if len(graphs) != 1:
        raise ValueError(f"it holds {len(graphs)} graphs; expected one")
    return graphs[0]


def graphs_from_content(schema: Schema, content: Mapping[str, Any] | list[Any]) -> list[Graph]:
    """Make graphs from the result of `graphs_content`; ValueError if they are not valid.

    A list of graphs and a graph with nodes are of version 1.
    """
    if isinstance(content, list):
        if not all(isinstance(nodes, dict) for nodes in content):
            raise ValueError("a member is not a graph or a ruleset")
        return [_graph_of_version_1(schema, nodes) for nodes in content]
    if "nodes" in content:
        return [_graph_of_version_1(schema, content)]
    stored = stored_graphs(schema, content)
    return [Graph.from_stored(stored, index) for index in range(len(stored))]


def stored_graphs(schema: Schema, content: Mapping[str, Any]) -> StoredGraphs:
    """Return the graphs that `graphs_content` returned; ValueError if they are not valid."""
    unknown = sorted(set(content) - set(_core.COMPACT_DTYPES))
    if unknown:
        raise ValueError(f"its graphs have the unknown column {unknown[0]!r}")
    take(content, "n_nodes", object)
    return StoredGraphs(
        schema, {name: take_array(content, name, _core.COMPACT_DTYPES[name]) for name in content}
    )


def _graph_of_version_1(schema: Schema, content: Mapping[str, Any]) -> Graph:
    arrays = {
        name: _array_of_version_1(content, name, dtype)
        for name, dtype in _core.GRAPH_DTYPES.items()
        if name not in _OPTIONAL_ARRAYS or name in content
    }
    return Graph.from_arrays(schema, arrays)


def _array_of_version_1(
    content: Mapping[str, Any], name: str, dtype: np.dtype[Any]
) -> NDArray[Any]:
    if dtype.names is None:
        return number_array(take(content, name, list), name, dtype)
    lists = take(content, name, dict)
    fields = {
        field: number_array(take(lists, field, list), field, dtype[field]) for field in dtype.names
    }
    lengths = {len(array) for array in fields.values()}
    if len(lengths) > 1:
        raise ValueError(f'the lists of its "{name}" differ in length: {sorted(lengths)}')
    records = np.empty(lengths.pop(), dtype=dtype)
    for field, array in fields.items():
        records[field] = array
    return records


register_kind("graph", graph_from_content)
