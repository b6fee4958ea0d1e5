"""Trees that have learned where missing values go: every output says it."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, given, settings

import weaklearn as wl
from contracts.oracle_table import classifier_of, frame_of, labels_of
from strategies import options, tables
from weaklearn.show import Interval, Missing, ValueSet

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def fit(cells, classes, **parameters):
    parameters = {"min_objects": 1, "prune": False, "missing": "branch", **parameters}
    return wl.C45Classifier(**parameters).fit(pd.DataFrame({"x": cells}), classes).tree_


def threshold_tree():
    return fit([1.0, 2.0, 3.0, 4.0, np.nan, np.nan], list("aabbaa"))


def known_tree():
    return fit([2.0, 2.0, 3.0, np.nan, np.nan, np.nan], list("aaabbb"))


def multiway_tree():
    return fit(["r", "r", "g", "g", None, None], list("aabbcc"))


def subset_tree():
    cells = ["r", "r", "g", "g", "y", "y", None, None]
    return fit(cells, list("aabbaabb"), subset=True)


TREES = {
    "threshold": (threshold_tree, ["x <= 2 or missing", "x > 2"], 0),
    "known": (known_tree, ["x known", "x missing"], 1),
    "multiway": (multiway_tree, ["x = g", "x = r", "x missing"], 2),
    "subset": (subset_tree, ["x in {g} or missing", "x in {r, y}"], 0),
}
every_tree = pytest.mark.parametrize(
    ("make", "conditions", "missing"), TREES.values(), ids=TREES.keys()
)


def conditions_in_text(graph):
    heads = [line.split(":")[0].strip() for line in graph.to_text().splitlines()]
    return {head.replace(",", ", ") for head in heads}


@every_tree
def test_text_rules_and_dict(make, conditions, missing):
    graph = make()
    # A group of one value is written as a value.
    conditions = [condition.replace("in {g}", "= g") for condition in conditions]
    assert conditions_in_text(graph) == set(conditions)
    assert {str(rule.conditions[0]) for rule in graph.rules()} == set(conditions)
    assert graph.to_dict()["missing"] == graph.missing_branch(0) == missing
    assert graph.missing_branch(1) == -1
    html, dot = graph._repr_html_(), graph.to_dot()
    for condition in conditions:
        branch = condition.removeprefix("x ")
        assert f'[label="{branch}"]' in dot
        assert branch.replace("<", "&lt;").replace(">", "&gt;") in html


def test_the_split_of_known_from_missing_in_a_dict():
    tree = known_tree().to_dict()
    assert (tree["test"], tree["missing"], "threshold" in tree) == ("known", 1, False)
    assert [child["class"] for child in tree["children"]] == ["a", "b"]


def test_a_value_beyond_all_of_the_training_set_is_known():
    graph = known_tree()
    beyond = pd.DataFrame({"x": [1e30, -1e300, 1e300, np.nan]})
    assert graph.predict(beyond).tolist() == ["a", "a", "a", "b"]


def test_a_tree_of_fractions_says_nothing():
    graph = fit([1.0, 2.0, 3.0, 4.0, np.nan, np.nan], list("aabbaa"), missing="fraction")
    assert "missing" not in graph.to_text() + graph.to_dot() + str(graph.rules())
    assert "missing" not in graph.to_dict()
    assert graph.missing_branch(0) == -1
    assert not graph.has_missing_branches


def test_rules_count_rows_on_their_paths():
    graph = multiway_tree()
    rows = pd.DataFrame({"x": [None, "r", None, "g"]})
    counted = {str(r.conditions[0]): (r.weight, r.errors) for r in graph.rules(rows, list("acca"))}
    assert counted == {"x missing": (2.0, 1.0), "x = r": (1.0, 1.0), "x = g": (1.0, 1.0)}


def holds(condition, cell):
    if isinstance(condition, Missing):
        return cell is None
    if cell is None:
        return condition.or_missing
    if isinstance(condition, ValueSet):
        return cell in condition.values
    assert isinstance(condition, Interval)
    above = condition.above is None or cell > condition.above
    return above and (condition.up_to is None or cell <= condition.up_to)


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(tables(), options())
def test_one_rule_holds_for_each_row_and_has_the_class_of_its_leaf(table, options):
    model = classifier_of(options).set_params(missing="branch", subset=False)
    graph = model.fit(frame_of(table), labels_of(table), table.weights).tree_
    names = {name: a for a, name in enumerate(table.names)}
    single = [precision == "single" for precision in (f.precision for f in graph.schema.features)]
    rules = graph.rules()
    leaves = graph.apply(graph.encode(frame_of(table))).tolist()
    for i, leaf in enumerate(leaves):
        row = [
            float(np.float32(cell)) if isinstance(cell, float) and single[a] else cell
            for a, cell in enumerate(table.row(i))
        ]
        holding = [
            rule
            for rule in rules
            if all(holds(c, row[names[c.feature.name]]) for c in rule.conditions)
        ]
        assert [rule.label for rule in holding] == [graph.label_of(leaf)]
