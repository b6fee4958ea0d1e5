"""The oracle of C4.5rules against the steps that the original program wrote."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import weaklearn as wl
from oracles.c45 import Table
from oracles.rules import RuleOptions, learn, paths, prune
from oracles.rules_cost import branch_bits, column_bits, rule_bits
from oracles.rules_search import glibc_uniform
from shared import read_reference, read_source

OPTIONS = {
    "default": RuleOptions(release8=True),
    "-F 5": RuleOptions(fisher=0.05, release8=True),
    "-c 10": RuleOptions(confidence=0.1, release8=True),
    "-r 4": RuleOptions(redundancy=4, release8=True),
    "-a": RuleOptions(annealing=True, release8=True),
    "tree -s": RuleOptions(release8=True),
}
NAMES = ("glass", "iris", "labor", "vote")


def table_of(reference: dict[str, Any]) -> Table:
    source = read_source(reference)
    attributes = reference["attributes"]
    kinds = ["continuous" if a["type"] == "continuous" else "nominal" for a in attributes]
    columns = [
        [None if cell is None or cell != cell else cell for cell in source.X.iloc[:, i].tolist()]
        for i in range(len(attributes))
    ]
    return Table(
        columns=columns,
        kinds=kinds,
        values=[a.get("values") or [] for a in attributes],
        classes=reference["classes"],
        y=source.y.tolist(),
    )


def grown(reference: dict[str, Any], run: str) -> dict[str, Any]:
    source = read_source(reference)
    model = wl.C45Classifier(prune=False, arithmetic="release8", subset=run == "tree -s")
    return model.fit(source.X, source.y).tree_.to_dict()


def conditions_of(conditions: list[Any]) -> list[Any]:
    return [
        (
            condition["index"],
            condition["operator"],
            np.float32(condition["value"]) if condition["type"] == 2 else condition["value"],
        )
        for condition in conditions
    ]


def stored_conditions(conditions: list[Any]) -> list[Any]:
    return [
        (index, operator, np.float32(value) if operator in ("<=", ">") else value)
        for index, operator, value in conditions
    ]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("run", OPTIONS)
def test_every_step_equals_the_stored_one(name: str, run: str) -> None:
    reference = read_reference(name, "c45rules")
    if run not in reference["runs"]:
        pytest.skip(f"{name} has no nominal feature")
    stored = reference["runs"][run]
    steps = learn(grown(reference, run), table_of(reference), OPTIONS[run])

    rules = steps["rules"]
    assert len(rules) == len(stored["pruned_rules"])
    for rule, wanted in zip(rules, stored["pruned_rules"], strict=True):
        assert rule.label == wanted["class"]
        assert rule.error == np.float32(wanted["error"])
        assert conditions_of(rule.conditions) == stored_conditions(wanted["conditions"])
        assert len(rule.matched()) == wanted["matches"]
    selected = {entry["class"]: entry["selected"] for entry in stored["selection"]}
    assert {label: [i + 1 for i in own] for label, own in steps["selected"].items()} == selected
    assert [i + 1 for i in steps["order"]] == stored["order_before_removal"]
    assert [i + 1 for i in steps["final"]] == [r["number"] for r in stored["final"]["rules"]]
    assert steps["default_class"] == stored["final"]["default_class"]


@pytest.mark.parametrize("name", NAMES)
def test_costs_equal_the_stored_ones(name: str) -> None:
    reference = read_reference(name, "c45rules")
    stored = reference["runs"]["default"]
    table = table_of(reference)
    bits = branch_bits(table, np.float32)
    assert bits == [np.float32(b) for b in stored["branch_bits"]]
    assert column_bits(bits, np.float32) == np.float32(stored["attribute_test_bits"])
    for rule in stored["pruned_rules"]:
        conditions = [{"index": i, "operator": operator} for i, operator, _ in rule["conditions"]]
        assert rule_bits(conditions, table, bits, 1.0, np.float32) == np.float32(rule["bits"])


@pytest.mark.parametrize("name", NAMES)
def test_paths_end_as_the_stored_leaves_do(name: str) -> None:
    reference = read_reference(name, "c45rules")
    stored = reference["runs"]["default"]["leaves"]
    options, table = OPTIONS["default"], table_of(reference)
    found = paths(grown(reference, "default"), options)
    assert len(found) == len(stored)
    for (label, path), leaf in zip(found, stored, strict=True):
        assert label == leaf["class"]
        assert conditions_of(path) == stored_conditions(leaf["path"])
        rule = prune(label, path, table, options)
        assert (rule is not None) == (leaf["result"] in ("rule", "duplicate"))


def test_random_numbers_of_the_original() -> None:
    stream = glibc_uniform()
    first = [round(next(stream) * 2**31) for _ in range(20)]
    assert first[:4] == [1804289383, 846930886, 1681692777, 1714636915]
    assert first[-1] == 1303455736
