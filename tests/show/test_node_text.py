import json

import pytest
from hypothesis import given

from random_graphs import SCHEMA, chain, doubling_program, graphs
from reference_nodes import graph_of, reference_trees
from weaklearn.show.node_text import fill_colour, shared_nodes


@pytest.mark.parametrize(("name", "runs"), reference_trees())
def test_to_dict_is_the_form_of_the_reference(name, runs):
    for graph, nodes in runs():
        assert graph.to_dict() == nodes


@given(graphs())
def test_to_dict_says_all_there_is(graph):
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
def test_numbers_are_plain(graph):
    stack = [graph.to_dict()]
    while stack:
        node = stack.pop()
        if "ref" in node:
            continue
        assert type(node["n"]) is type(node["e"]) is float
        assert all(type(weight) is float for weight in node["dist"].values())
        if "children" in node:
            asked = node.get("terms", [node])
            assert all(type(one["index"]) is int for one in asked)
            assert type(node.get("threshold", 0.0)) is float
            stack.extend(node["children"])


def test_great_depth():
    node, depth = chain(10_000).to_dict(), 0
    while "children" in node:
        node, depth = node["children"][0], depth + 1
    assert depth == 10_000


def test_many_paths():
    assert shared_nodes(doubling_program(60))
    doubling_program(60).to_dict()


@given(graphs())
def test_colours_are_colours(graph):
    for node, _ in graph.walk():
        colour = fill_colour(graph, node)
        assert len(colour) == 7
        assert 0 <= int(colour[1:], 16) <= 0xFFFFFF
