import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import weaklearn as wl
from random_graphs import SCHEMA, chain, doubling_program, graphs
from reference_nodes import graph_of, leaf, reference_trees
from weaklearn.schema import Feature, Schema
from weaklearn.show import Interval, Rule, RuleList, ValueSet


def follow(graph, row):
    """Return the leaf that a row without missing values reaches, or None if there is no branch."""
    node = 0
    while not graph.is_leaf(node):
        value = row[graph.feature[node]]
        if graph.split_kind(node) == "threshold":
            branch = 0 if value <= graph.threshold[node] else 1
        else:
            sets = enumerate(graph.branch_values(node))
            branch = next((b for b, values in sets if value in values), None)
        if branch is None:
            return None
        node = graph.children(node)[branch]
    return node


def holds(condition, value):
    if isinstance(condition, ValueSet):
        return value in condition.values
    above = condition.above is None or value > condition.above
    return above and (condition.up_to is None or value <= condition.up_to)


def fits(graph, rule, row):
    position = {feature: k for k, feature in enumerate(graph.schema.features)}
    return all(holds(c, row[position[c.feature]]) for c in rule.conditions)


rows = st.tuples(
    *(
        st.floats(-1e6, 1e6) if a.kind == "continuous" else st.sampled_from(a.values)
        for a in SCHEMA.features
    )
)


@given(graphs(max_splits=8, oblique=False), st.lists(rows, min_size=1, max_size=20))
def test_a_row_fits_only_the_rule_of_its_path(graph, some_rows):
    rules = graph.rules()
    for row in some_rows:
        reached = follow(graph, row)
        fitting = [rule for rule in rules if fits(graph, rule, row)]
        if reached is None:
            assert fitting == []
        else:
            assert [(r.label, r.weight, r.errors) for r in fitting] == [
                (graph.label_of(reached), graph.weight[reached], graph.errors[reached])
            ]


@given(graphs(max_splits=8, oblique=False))
def test_a_rule_has_one_condition_per_feature_that_some_value_meets(graph):
    for rule in graph.rules():
        features = [condition.feature for condition in rule.conditions]
        assert len(set(features)) == len(features)
        for condition in rule.conditions:
            if isinstance(condition, ValueSet):
                assert condition.values
            elif None not in (condition.above, condition.up_to):
                assert condition.above < condition.up_to


# Whole numbers are exact in single precision.
whole_rows = st.tuples(
    *(
        st.integers(-99, 99).map(float) if a.kind == "continuous" else st.sampled_from(a.values)
        for a in SCHEMA.features
    )
)


@given(
    graphs(max_splits=8, oblique=False),
    st.lists(st.tuples(whole_rows, st.sampled_from(SCHEMA.classes)), min_size=1, max_size=20),
)
@settings(deadline=None)
def test_rows_are_counted_on_their_path(graph, labelled):
    labelled = [(row, label) for row, label in labelled if follow(graph, row) is not None]
    assume(labelled)
    some_rows, y = zip(*labelled, strict=True)
    columns = zip(graph.schema.names, zip(*some_rows, strict=True), strict=True)
    counted = graph.rules(pd.DataFrame({name: list(cells) for name, cells in columns}), list(y))
    for rule in counted:
        labels = [label for row, label in labelled if fits(graph, rule, row)]
        assert rule.weight == len(labels) > 0
        assert rule.errors == sum(label != rule.label for label in labels)
    assert sum(rule.weight for rule in counted) == len(y)
    kept = {rule.conditions for rule in counted}
    every = [rule.conditions for rule in graph.rules()]
    assert [rule.conditions for rule in counted] == [
        conditions for conditions in every if conditions in kept
    ]


bits = st.lists(st.tuples(*[st.sampled_from(["0", "1", None])] * 3), min_size=1, max_size=20)


@given(bits, st.integers(1, 9), st.integers(1, 9))
@settings(deadline=None)
def test_rows_with_missing_values_are_counted_in_parts(some_rows, n_even, n_odd):
    """If leaves are pure, the weights on the paths to a class sum to its predicted share."""
    builder = wl.GraphBuilder(dict.fromkeys("abc", ("0", "1")), ["even", "odd"])
    even, odd = builder.leaf({"even": n_even}), builder.leaf({"odd": n_odd})
    for name in "cb":
        even, odd = (
            builder.values(name, {"0": even, "1": odd}),
            builder.values(name, {"0": odd, "1": even}),
        )
    graph = builder.build(builder.values("a", {"0": even, "1": odd}))
    frame = pd.DataFrame(some_rows, columns=list("abc"))
    counted = graph.rules(frame, ["even"] * len(frame))
    shares = graph.predict_proba(frame).sum(axis=0)
    for label, share in zip(["even", "odd"], shares, strict=True):
        assert sum(r.weight for r in counted if r.label == label) == pytest.approx(share)
    assert sum(rule.errors for rule in counted) == pytest.approx(shares[1])


def test_rows_are_counted_in_a_graph_with_too_many_paths_for_rules():
    frame = pd.DataFrame({"x": [0.5, 7.5, 7.25, 100.0]})
    counted = doubling_program(60).rules(frame, ["yes"] * 4)
    assert [rule.weight for rule in counted] == [1.0, 2.0, 1.0]


def test_rows_need_classes_of_the_graph():
    frame = pd.DataFrame({"x": [0.5, 7.5]})
    with pytest.raises(ValueError, match="pass both X and y, or neither"):
        chain(2).rules(frame)
    with pytest.raises(ValueError, match=r"y holds 'maybe', .* expected one of 'no', 'yes'"):
        chain(2).rules(frame, ["no", "maybe"])


@pytest.mark.parametrize(("name", "runs"), reference_trees())
def test_a_tree_has_at_most_one_rule_per_leaf(name, runs):
    for graph, _ in runs():
        rules = graph.rules()
        if all(graph.split_kind(node) != "subset" for node, _ in graph.walk()):
            assert len(rules) == graph.n_leaves
        assert 1 <= len(rules) <= graph.n_leaves


def test_rules_as_text():
    a, b = Feature("a", "continuous"), Feature("b", "nominal", ("x", "y", "z"))
    rule = Rule((Interval(a, None, 3.0), ValueSet(b, ("x", "y"))), "C", 12.0, 1.4)
    assert str(rule) == "if a <= 3 and b in {x, y} then C (n=12.0, e=1.4)"
    rule = Rule((Interval(a, 0.5, 3.0), ValueSet(b, ("z",))), 7, 1.0, 0.0)
    assert str(rule) == "if 0.5 < a <= 3 and b = z then 7 (n=1.0, e=0.0)"
    assert str(Interval(a, 2.5)) == "a > 2.5"


def test_a_single_leaf():
    schema = Schema((Feature("x", "continuous"),), ("good",))
    assert [*map(str, graph_of(leaf("good", 3), schema).rules())] == [
        "if true then good (n=3.0, e=0.0)"
    ]


def test_a_deep_graph():
    rules = chain(10_000).rules()
    assert len(rules) == 10_001
    assert max(len(rule.conditions) for rule in rules) == 1


def test_too_many_paths_are_an_error():
    with pytest.raises(ValueError, match=r"1,048,576 paths, and rules\(\) writes at most 100,000"):
        doubling_program(20).rules()
    with pytest.raises(ValueError, match="more than 10\\^15 paths"):
        doubling_program(3_000).rules()


def test_a_list_of_rules_is_a_list_with_a_short_repr():
    rules = chain(10_000).rules()
    assert isinstance(rules, list)
    assert rules == list(rules)
    lines = repr(rules).splitlines()
    assert str(rules) == repr(rules)
    assert lines[0] == "10,001 rules:"
    assert lines[1] == str(rules[0])
    assert lines[-1] == "... and 9,991 more"
    assert len(lines) == 12
    assert isinstance(rules[:3], RuleList)
    assert repr(rules[:1]) == f"1 rule:\n{rules[0]}"
    assert repr(rules[0]) == f"<Rule: {rules[0]}>"
    assert rules.to_text().splitlines() == [str(rule) for rule in rules]


def test_reprs_of_long_conditions_are_cut():
    values = tuple(f"value {k}" for k in range(1_000))
    condition = ValueSet(Feature("b", "nominal", values), values)
    assert repr(condition).startswith("<ValueSet: b in {value 0, value 1, ")
    assert len(repr(condition)) < 120
    assert len(repr(Rule((condition,), "C", 1.0, 0.0))) < 120
    assert len(repr(RuleList([Rule((condition,), "C", 1.0, 0.0)]))) < 120
