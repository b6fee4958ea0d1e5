import re
from pathlib import Path

import pytest
from hypothesis import given

from random_graphs import chain, doubling_program, graphs
from reference_nodes import graph_of, leaf, reference_trees
from weaklearn.schema import Feature, Schema

GOLDEN = Path(__file__).resolve().parents[1] / "golden"


def split_node(schema, index, children, **more):
    feature = schema.features[index]
    common = {"attr": feature.name, "index": index, "class": schema.classes[0]}
    figures = {"n": sum(c["n"] for c in children), "e": 0.0, "dist": {}}
    return {**common, **figures, "test": "value", "children": children, **more}


def golf():
    schema = Schema(
        (
            Feature("outlook", "nominal", ("sunny", "overcast", "rain")),
            Feature("temperature", "continuous"),
            Feature("humidity", "continuous"),
            Feature("windy", "nominal", ("true", "false")),
        ),
        ("Play", "Don't Play"),
    )
    sunny = [leaf("Play", 2), leaf("Don't Play", 3)]
    rain = [leaf("Don't Play", 2), leaf("Play", 3)]
    return graph_of(
        split_node(
            schema,
            0,
            [
                split_node(schema, 2, sunny, test="<=", threshold=75),
                leaf("Play", 4),
                split_node(schema, 3, rain),
            ],
        ),
        schema,
    )


def animals(subsets):
    names = [f"animal-number-{k:02}" for k in range(12)]
    schema = Schema((Feature("animal", "nominal", tuple(names)),), ("tame", "wild"))
    children = [leaf("tame", 3, 0.25), leaf("wild", 0.04)][: len(subsets)]
    subsets = [[names[k] for k in subset] for subset in subsets]
    return graph_of(split_node(schema, 0, children, test="subset", subsets=subsets), schema)


def test_the_golf_tree_of_the_c45_book():
    assert golf().to_text() + "\n" == (GOLDEN / "golf.txt").read_text()


def test_values_of_a_subset_wrap():
    graph = animals([range(11), [11]])
    assert graph.to_text() + "\n" == (GOLDEN / "animals.txt").read_text()


@pytest.mark.parametrize(("length", "wraps"), [(57, False), (58, True)])
def test_a_value_wraps_if_11_more_columns_exceed_the_width(length, wraps):
    values = ("x" * length, "seven")
    schema = Schema((Feature("a", "nominal", values),), ("no",))
    root = split_node(schema, 0, [leaf("no", 1)], test="subset", subsets=[list(values)])
    gap = "\n      " if wraps else ""
    assert graph_of(root, schema).to_text() == f"a in {{{values[0]},{gap}seven}}: no (1.0)"


def test_a_branch_without_values_is_not_printed():
    assert animals([[0], []]).to_text() == "animal = animal-number-00: tame (3.0/0.2)"


def test_a_single_leaf():
    schema = Schema((Feature("x", "continuous"),), ("good",))
    assert graph_of(leaf("good", 57, 1.25), schema).to_text() == "good (57.0/1.2)"


@pytest.mark.parametrize(("length", "is_separate"), [(57, False), (58, True)])
def test_a_subtree_is_printed_below_if_it_exceeds_80_columns(length, is_separate):
    # A level has 4 columns, the comparison 4, a number 4, the colon 1, class "yes" 3 and 6.
    name = "x" * (length + 1)
    schema = Schema((Feature(name, "continuous"),), ("no", "yes"))
    inner = split_node(schema, 0, [leaf("no", 1), leaf("yes", 1)], test="<=", threshold=1)
    root = split_node(schema, 0, [inner, leaf("yes", 1)], test="<=", threshold=2)
    text = graph_of(root, schema).to_text()
    assert ("Subtree [S1]" in text) == is_separate
    assert (f"{name} <= 2 :[S1]" in text) == is_separate


@pytest.mark.parametrize(
    ("precision", "threshold", "printed"),
    [
        ("single", 0.1, "0.1"),
        ("single", 1234567.0, "1.23457e+06"),
        ("double", 1234567.25, "1234567.25"),
    ],
)
def test_thresholds(precision, threshold, printed):
    schema = Schema((Feature("x", "continuous", precision=precision),), ("no",))
    root = split_node(schema, 0, [leaf("no", 1), leaf("no", 1)], test="<=", threshold=threshold)
    assert graph_of(root, schema).to_text().startswith(f"x <= {printed} : no")


def read_back(text):
    """Return the paths of a tree, read from its text alone."""
    subtrees = {"": []}
    name = ""
    for line in re.sub(r",\n[| ]+", ",", text).split("\n"):
        if line.startswith("Subtree ["):
            name = line.removeprefix("Subtree ")
            subtrees[name] = []
        elif line:
            subtrees[name].append(line)
    paths = set()

    def read(subtree, before):
        conditions = list(before)
        for line in subtrees[subtree]:
            depth = len(before)
            while line.startswith("|   "):
                line = line[4:]
                depth += 1
            condition, _, end = line.rpartition(":")
            conditions = [*conditions[:depth], condition]
            if end.startswith("["):
                read(end, conditions)
            elif end:
                paths.add((*conditions, end))

    read("", [])
    return paths


def expected_paths(graph):
    paths = set()

    def go(node, conditions):
        if graph.is_leaf(node):
            errors = f"/{graph.errors[node]:.1f}" if graph.errors[node] > 0 else ""
            paths.add((*conditions, f" {graph.label_of(node)} ({graph.weight[node]:.1f}{errors})"))
            return
        name, threshold = graph.feature_of(node).name, f"{graph.threshold[node]:g}"
        if graph.split_kind(node) == "threshold":
            branches = [f"{name} <= {threshold} ", f"{name} > {threshold} "]
        else:
            branches = [
                f"{name} = {v[0]}" if len(v) == 1 else f"{name} in {{{','.join(v)}}}"
                for v in graph.branch_values(node)
            ]
        for child, branch in zip(graph.children(node), branches, strict=True):
            go(child, [*conditions, branch])

    go(0, [])
    return paths


@pytest.mark.parametrize(("name", "runs"), reference_trees())
def test_every_path_of_the_reference_trees_can_be_read_back(name, runs):
    for graph, _ in runs():
        assert graph.n_nodes == 1 or read_back(graph.to_text()) == expected_paths(graph)


def test_leaves_come_first():
    lines = golf().to_text().split("\n")
    assert [line for line in lines if line[0] != "|"] == [
        "outlook = overcast: Play (4.0)",
        "outlook = sunny:",
        "outlook = rain:",
    ]


@given(graphs())
def test_every_subtree_is_named_and_printed(graph):
    text = graph.to_text()
    n_subtrees = text.count("\nSubtree [S")
    for number in range(1, n_subtrees + 1):
        assert f":[S{number}]" in text
    assert f"[S{n_subtrees + 1}]" not in text


def test_shared_nodes_are_printed_once():
    text = doubling_program(60).to_text()
    # There are 1 + 59 * 2 splits. The root and its two children have at most one parent.
    assert text.count("x <= ") == 119
    assert text.count("Subtree") == 116


def test_a_deep_graph():
    assert chain(10_000).to_text().count(": yes (1.0)") == 10_000


@given(graphs())
def test_all_levels_are_the_whole_text(graph):
    assert graph.to_text(max_depth=graph.depth) == graph.to_text()


def test_cut_splits_are_printed_with_the_number_of_leaves_below():
    assert golf().to_text(max_depth=1).splitlines() == [
        "outlook = sunny: Play (5.0) ... 2 leaves",
        "outlook = overcast: Play (4.0)",
        "outlook = rain: Play (5.0) ... 2 leaves",
    ]
    assert golf().to_text(max_depth=0) == "Play (14.0) ... 5 leaves"


def test_a_negative_number_of_levels_is_an_error():
    with pytest.raises(ValueError, match="max_depth=-1: expected a whole number >= 0"):
        golf().to_text(max_depth=-1)
