"""Graphs made by hand predict, print and save as they were built."""

import math
import random
from itertools import product

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import weaklearn as wl
from weaklearn.schema import Feature


def exclusive_or(n_bits):
    """The smallest program: a test of the first bit, two of each other one."""
    names = [f"x{i + 1}" for i in range(n_bits)]
    builder = wl.GraphBuilder(dict.fromkeys(names, (0, 1)), ["even", "odd"], "parity")
    half = 2 ** (n_bits - 1)
    even, odd = builder.leaf({"even": half}), builder.leaf({"odd": half})
    for name in reversed(names[1:]):
        even, odd = (
            builder.values(name, {0: even, 1: odd}),
            builder.values(name, {0: odd, 1: even}),
        )
    return builder.build(builder.values(names[0], {0: even, 1: odd}))


@pytest.mark.parametrize("n_bits", [1, 2, 3, 8])
def test_exclusive_or_of_the_paper(tmp_path, n_bits):
    """Figure 1 of Elomaa and Kaariainen: 2n - 1 tests, where a tree needs 2^n - 1."""
    graph = exclusive_or(n_bits)
    assert graph.n_nodes - graph.n_leaves == 2 * n_bits - 1
    assert graph.n_leaves == 2
    assert graph.depth == n_bits
    rows = list(product([0, 1], repeat=n_bits))
    wanted = ["odd" if sum(row) % 2 else "even" for row in rows]
    frame = pd.DataFrame(rows, columns=graph.schema.names)
    assert graph.predict(frame).tolist() == wanted
    shares = graph.predict_proba(frame)
    assert shares.tolist() == [[1.0, 0.0] if label == "even" else [0.0, 1.0] for label in wanted]

    graph.save(tmp_path / "program.json")
    again = wl.load(tmp_path / "program.json")
    assert again == graph
    assert again.predict(frame).tolist() == wanted

    # The weight of a split is that of the rows that reach it, of 2^n in all.
    assert graph.weight[0] == 2**n_bits
    assert graph.branch_weights(0) == [2 ** (n_bits - 1)] * 2
    # Only the last bit gains information.
    assert graph.importances() == pytest.approx([0.0] * (n_bits - 1) + [1.0])
    nothing = pd.DataFrame([[math.nan] * n_bits], columns=graph.schema.names)
    assert graph.predict_proba(nothing).tolist() == [[0.5, 0.5]]


def test_exclusive_or_shows_shared_nodes_once():
    graph = exclusive_or(3)
    assert graph.to_text() == (
        "x1 = 0:\n"
        "|   x2 = 0:[S1]\n"
        "|   x2 = 1:[S2]\n"
        "x1 = 1:\n"
        "|   x2 = 0:[S2]\n"
        "|   x2 = 1:[S1]\n\n\n"
        "Subtree [S1]\n\n"
        "x3 = 0: even (4.0)\n"
        "x3 = 1: odd (4.0)\n\n\n"
        "Subtree [S2]\n\n"
        "x3 = 0: odd (4.0)\n"
        "x3 = 1: even (4.0)"
    )
    assert str(graph.to_dict()).count("'class'") == graph.n_nodes
    assert graph.to_dot().count("fillcolor") == graph.n_nodes
    assert len(graph.rules()) == 8
    assert str(graph.rules()[0]) == "if x1 = 0 and x2 = 0 and x3 = 0 then even (n=4.0, e=0.0)"


FEATURES = {"a": "continuous", "b": "continuous", "c": ["red", "blue", 7], "d": [False, True]}
CLASSES = ["no", "yes", 3]


def random_program(chance, n_splits):
    """Return a builder, and per node a function from a row to the class weights of its leaf."""
    builder = wl.GraphBuilder(FEATURES, CLASSES)
    weights_of = []
    for _ in range(3):
        label, other = chance.sample(CLASSES, 2)
        weights = {label: chance.choice([1, 2.5, 40]), other: chance.choice([0, 0.5])}
        builder.leaf(weights)
        weights_of.append(lambda row, weights=weights: weights)
    used = set()
    for _ in range(n_splits):
        name = chance.choice(list(FEATURES))
        place = list(FEATURES).index(name)
        ends = [chance.randrange(len(weights_of)) for _ in range(3)]
        if FEATURES[name] == "continuous":
            cut = chance.choice([0.1, -3.0, 2.5])
            builder.threshold(name, cut, *ends[:2])

            def weights_below(row, p=place, cut=cut, ends=ends):
                return weights_of[ends[0] if row[p] <= cut else ends[1]](row)

        elif chance.random() < 0.5:
            to = dict(zip(FEATURES[name], ends, strict=False))
            builder.values(name, to)

            def weights_below(row, p=place, to=to):
                return weights_of[to[row[p]]](row)

        else:
            values = list(FEATURES[name])
            chance.shuffle(values)
            builder.subsets(name, [(values[:1], ends[0]), (values[1:], ends[1])])

            def weights_below(row, p=place, first=values[0], ends=ends):
                return weights_of[ends[0] if row[p] == first else ends[1]](row)

        used.update(ends)
        weights_of.append(weights_below)
    return builder, weights_of


@given(st.integers(0, 2**32), st.integers(0, 12))
@settings(deadline=None)
def test_programs_predict_as_they_were_built(seed, n_splits):
    chance = random.Random(seed)
    builder, weights_of = random_program(chance, n_splits)
    # A chain of splits that leads to every node, so that the root reaches all of them.
    everywhere = len(weights_of) - 1
    for node in range(len(weights_of) - 1):
        everywhere = builder.threshold("a", 1000.0 + node, everywhere, node)
    graph = builder.build(everywhere)
    pools = [[-5.0, 0.1, 0.2, 3.0], [-3.0, 2.0, 9.0], FEATURES["c"], FEATURES["d"]]
    rows = [[chance.choice(pool) for pool in pools] for _ in range(10)]
    frame = pd.DataFrame({n: [row[i] for row in rows] for i, n in enumerate(FEATURES)})
    shares = graph.predict_proba(frame)
    for row, got in zip(rows, shares, strict=True):
        weights = weights_of[-1](row)
        total = sum(weights.values())
        np.testing.assert_allclose(got, [weights.get(k, 0) / total for k in CLASSES])


@given(st.integers(0, 2**32), st.integers(1, 12))
@settings(deadline=None)
def test_weights_of_branches_sum_to_the_weights_of_nodes(seed, n_splits):
    builder, weights_of = random_program(random.Random(seed), n_splits)
    root = len(weights_of) - 1
    for node in range(root):
        root = builder.threshold("a", float(node), root, node)
    graph = builder.build(root)
    arriving = np.zeros(graph.n_nodes)
    arriving[0] = graph.weight[0]
    for node in range(graph.n_nodes):
        assert arriving[node] == pytest.approx(graph.weight[node])
        assert sum(w for _, w in graph.class_weights(node)) == pytest.approx(graph.weight[node])
        for child, weight in zip(graph.children(node), graph.branch_weights(node), strict=True):
            arriving[child] += weight
    leaves = [node for node in range(graph.n_nodes) if graph.is_leaf(node)]
    assert graph.weight[leaves].sum() == pytest.approx(graph.weight[0])
    assert graph.errors[leaves].sum() == pytest.approx(graph.errors[0])


def test_a_tree_made_by_hand_equals_the_fitted_one():
    frame = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0, 5.0]})
    y = ["no", "no", "yes", "yes", "no"]
    fitted = wl.C45Classifier(prune=False).fit(frame, y).tree_
    builder = wl.GraphBuilder(fitted.schema.features, fitted.schema.classes)
    no = builder.leaf({"no": 2})
    yes = builder.leaf({"yes": 2, "no": 1})
    graph = builder.build(builder.threshold("x", 2.0, no, yes))
    assert graph == fitted
    assert not graph.has_branch_weights


def builder():
    return wl.GraphBuilder({"x": "continuous", "c": ["red", "blue"]}, ["no", "yes"])


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (lambda b: b.leaf("maybe"), "class 'maybe': the classes are 'no', 'yes'"),
        (lambda b: b.leaf(["no"]), r"class \['no'\]: the classes are"),
        (lambda b: b.leaf({"no": -1}), "the weight -1 of 'no': expected a number >= 0"),
        (lambda b: b.leaf({"no": math.inf}), "expected a number >= 0"),
        (lambda b: b.leaf({"no": 0}), "expected at least one above 0"),
        (lambda b: b.leaf({}), "expected at least one above 0"),
        (lambda b: b.threshold("z", 1, 0, 0), "no feature 'z'; there are 'x', 'c'"),
        (lambda b: b.threshold("c", 1, 0, 0), "'c' is not continuous: split on it with values"),
        (lambda b: b.threshold("x", math.nan, 0, 0), "'x' is nan; expected a finite number"),
        (lambda b: b.threshold("x", "1", 0, 0), "'x' is '1'; expected a finite number"),
        (lambda b: b.threshold("x", 1, 0, 1), "got 1 for a node; expected an index .* from 0 to 0"),
        (lambda b: b.threshold("x", 1, 0, -1), "got -1 for a node"),
        (lambda b: b.threshold("x", 1, 0, "leaf"), "got 'leaf' for a node"),
        (lambda b: b.values("x", {}), "'x' is not nominal: split on it with threshold"),
        (
            lambda b: b.values("c", {"red": 0}),
            "'c' has no branch for 'blue'; pass a node",
        ),
        (
            lambda b: b.values("c", {"red": 0, "blue": 0, "green": 0}),
            "'c' has no value 'green'; its values are 'red', 'blue'",
        ),
        (lambda b: b.subsets("c", [(["red"], 0), (["red"], 0)]), "'red' of 'c' is in two groups"),
        (lambda b: b.subsets("c", [(["green"], 0)]), "'c' has no value 'green'"),
        (lambda b: b.subsets("c", []), "'c' has a group without values"),
        (lambda b: b.subsets("c", [(["red"], 0), ([], 0)]), "'c' has a group without values"),
        (lambda b: b.build(3), "the root: got 3 for a node"),
        (lambda b: b.build(b.leaf("yes")), r"root 1 does not reach 1 of 2 nodes: 0 \(a leaf\)"),
    ],
)
def test_errors_say_what_to_do(wrong, message):
    hand = builder()
    hand.leaf("no")
    with pytest.raises(ValueError, match=message):
        wrong(hand)


@pytest.mark.parametrize(
    ("features", "classes", "message"),
    [
        ({"x": "numeric"}, ["a"], "'x' is 'numeric'; expected 'continuous' or a list"),
        ({}, ["a"], "expected at least one feature"),
        ({"x": "continuous"}, [], "expected at least one class"),
        ({"x": [1, 1]}, ["a"], "holds 1 more than once"),
        ([Feature("x", "continuous")] * 2, ["a"], "holds 'x' more than once"),
    ],
)
def test_schemas_are_checked(features, classes, message):
    with pytest.raises(ValueError, match=message):
        wl.GraphBuilder(features, classes)


def test_a_failed_call_adds_nothing():
    hand = builder()
    leaf = hand.leaf("no")
    with pytest.raises(ValueError, match="no branch"):
        hand.values("c", {"red": leaf})
    assert hand.build(leaf).n_nodes == 1


def test_labels_keep_their_types():
    hand = wl.GraphBuilder({"x": "continuous"}, [1, "one"])
    graph = hand.build(hand.threshold("x", 0.0, hand.leaf(1), hand.leaf("one")))
    assert graph.predict(pd.DataFrame({"x": [-1.0, 1.0]})).tolist() == [1, "one"]
    with pytest.raises(ValueError, match="Expected columns: 'x'"):
        graph.predict(pd.DataFrame({"y": [-1.0, 1.0]}))
