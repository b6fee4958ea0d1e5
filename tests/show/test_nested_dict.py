import json

import pytest
from hypothesis import given

from random_graphs import SCHEMA, chain, doubling_program, graphs
from reference_nodes import graph_of, reference_trees
from weaklearn.show.node_text import fill_colour, shared_nodes


@pytest.mark.parametrize(("name", "runs"), reference_trees())
def test_to_dict_equals_the_reference_trees(name, runs):
    for graph, nodes in runs():
        assert graph.to_dict() == nodes


@given(graphs())
def test_a_graph_can_be_rebuilt_from_its_dict(graph):
    again = graph_of(graph.to_dict(), SCHEMA)
    assert again.to_dict() == graph.to_dict()
    assert again.n_nodes == graph.n_nodes


@given(graphs())
def test_shared_nodes_are_written_once(graph):
    text = json.dumps(graph.to_dict())
    shared = shared_nodes(graph)
    assert text.count('"class"') == graph.n_nodes
    assert text.count('"id"') == len(shared)
    n_branches = sum(len(graph.children(node)) for node, _ in graph.walk())
    assert text.count('"ref"') == n_branches - (graph.n_nodes - 1)


@given(graphs(shared=False))
def test_trees_have_no_references(graph):
    text = json.dumps(graph.to_dict())
    assert '"id"' not in text
    assert '"ref"' not in text


@given(graphs())
def test_numbers_are_python_numbers(graph):
    stack = [graph.to_dict()]
    while stack:
        node = stack.pop()
        if "ref" in node:
            continue
        assert type(node["n"]) is type(node["e"]) is float
        assert all(type(weight) is float for weight in node["dist"].values())
        if "children" in node:
            splits = node.get("terms", [node])
            assert all(type(split["index"]) is int for split in splits)
            assert type(node.get("threshold", 0.0)) is float
            stack.extend(node["children"])


def test_a_deep_graph():
    node, depth = chain(10_000).to_dict(), 0
    while "children" in node:
        node, depth = node["children"][0], depth + 1
    assert depth == 10_000


def test_a_graph_with_many_paths():
    assert shared_nodes(doubling_program(60))
    doubling_program(60).to_dict()


@given(graphs())
def test_fill_colours_are_hex_colours(graph):
    for node, _ in graph.walk():
        colour = fill_colour(graph, node)
        assert len(colour) == 7
        assert 0 <= int(colour[1:], 16) <= 0xFFFFFF
