"""RulesClassifier against a plain Python version of its steps, on small random tables."""

from __future__ import annotations

import math
import os
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import weaklearn as wl
from oracles.c45 import Table
from oracles.c45_table import to_single
from oracles.rules import Rule, RuleOptions, learn
from strategies import longer_tables, tables

from .oracle_table import (
    amounts,
    factors_known_to,
    factors_of,
    four_amounts,
    frame_of,
    labels_of,
    moderate,
    of_present_rows,
    weighted,
)

EXAMPLES = int(os.environ.get("WEAKLEARN_EXAMPLES", "200"))
patient = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
pytestmark = [
    pytest.mark.filterwarnings("ignore:.* does not separate values:UserWarning"),
    pytest.mark.filterwarnings("ignore:.* learned nothing:UserWarning"),
    pytest.mark.filterwarnings("ignore:sample_weight sums to:UserWarning"),
    pytest.mark.filterwarnings("ignore:suspicious columns:UserWarning"),
]


def rule_options(release8: bool | None = None) -> st.SearchStrategy[RuleOptions]:
    return st.builds(
        RuleOptions,
        confidence=st.sampled_from([0.05, 0.1, 0.25, 0.25, 0.5, 1.0]),
        fisher=st.sampled_from([None, None, 0.05, 0.5]),
        redundancy=st.sampled_from([1.0, 1.0, 0.5, 4.0]),
        annealing=st.booleans(),
        release8=st.booleans() if release8 is None else st.just(release8),
    )


def check(
    table: Table, options: RuleOptions, given: dict[str, float] | None = None, **tree: Any
) -> wl.RulesClassifier:
    """Compare a ruleset with the oracle's; `given` are weights of classes."""
    table = of_present_rows(table)
    arithmetic = "release8" if options.release8 else "double"
    X, y = frame_of(table), labels_of(table)
    tree["class_weight"] = given
    grown = wl.C45Classifier(prune=False, arithmetic=arithmetic, **tree).fit(X, y, table.weights)
    model = wl.RulesClassifier(
        confidence=options.confidence,
        fisher=options.fisher,
        redundancy=options.redundancy,
        annealing=options.annealing,
        arithmetic=arithmetic,
        **tree,
    ).fit(X, y, table.weights)

    if given is not None and (factors := factors_known_to(table, given)):
        options = replace(options, factors=factors)
        table = weighted(table, factors_of(table, given))
    steps = learn(grown.tree_.to_dict(), table, options)
    rules = steps["rules"]
    got = model.ruleset_.to_dict()
    final = [rule.number - 1 for rule in model.ruleset_]
    if options.factors:
        assert without_ties(final, rules) == without_ties(steps["final"], rules)
    else:
        assert final == steps["final"]
    assert got["default_class"] == steps["default_class"]
    for rule, ours, i in zip(model.ruleset_, got["rules"], final, strict=True):
        assert ours["class"] == rules[i].label
        wanted = [[c["index"], c["operator"], c["value"]] for c in rules[i].conditions]
        assert comparable(ours["conditions"]) == comparable(wanted)
        if options.release8:
            assert np.float32(ours["error"]) == rules[i].error
        else:  # the dict gives numbers that float32 has in eight digits
            assert rule.error == pytest.approx(rules[i].error, rel=1e-9)
    uncovered = steps["uncovered"]
    assert model.ruleset_.core.default_weights == pytest.approx(uncovered, rel=1e-9, abs=1e-12)
    return model


def without_ties(order: list[int], rules: list[Rule]) -> list[list[int]]:
    """Return the rules in order; those of a class that err alike but for rounding are one entry.

    Factors of classes are rounded, so that the oracle's errors of two rules may differ in the last
    bit where those of the core are equal.
    """
    entries: list[list[int]] = []
    for i in order:
        before = rules[entries[-1][-1]] if entries else None
        if before and before.label == rules[i].label and math.isclose(before.error, rules[i].error):
            entries[-1].append(i)
        else:
            entries.append([i])
    return [sorted(entry) for entry in entries]


def comparable(conditions: list[Any]) -> list[Any]:
    """Return conditions with thresholds that may be given by fewer digits as float32."""
    return [
        (index, operator, to_single(value) if is_single(value) else value)
        for index, operator, value in conditions
    ]


def is_single(value: Any) -> bool:
    return isinstance(value, float) and abs(value) < 3e38


def in_single(table: Table) -> bool:
    cells = [cell for column in table.columns for cell in column]
    return all(cell is None or isinstance(cell, str) or abs(cell) < 3e38 for cell in cells)


def is_allowed(table: Table, options: RuleOptions) -> bool:
    """Return whether a table can be learned with these options."""
    if options.fisher is not None and any(w != int(w) or w > 1e6 for w in table.weights):
        return False
    if options.release8:
        return in_single(table) and all(w == 0 or 0.01 < w < 100 for w in table.weights)
    # The core sums weights as multiples of a unit, below which they count as 0.
    return all(w == 0 or w > 1e-6 for w in table.weights)


@patient
@given(
    table=tables(),
    options=rule_options(),
    subset=st.booleans(),
    min_objects=st.sampled_from([1, 1, 2]),
)
def test_rulesets_equal_the_oracles(
    table: Table, options: RuleOptions, subset: bool, min_objects: int
) -> None:
    assume(is_allowed(table, options))
    check(table, options, subset=subset, min_objects=min_objects)


@settings(patient, max_examples=EXAMPLES // 20)
@given(st.data(), rule_options(), st.booleans())
def test_classes_with_many_rules(data: st.DataObject, options: RuleOptions, subset: bool) -> None:
    table = data.draw(longer_tables(6))
    # Sums of eighths are exact. With weights such as 0.4, noise would decide between classes whose
    # rules match rows of equal weight, and the core rounds other digits than the oracle.
    unit = 1 if options.fisher else 8  # Fisher's test needs whole weights
    table = replace(table, weights=[math.ceil(unit * w) / unit for w in table.weights])
    check(table, options, subset=subset, min_objects=1)


@patient
@given(
    table=moderate,
    options=rule_options(release8=False),
    subset=st.booleans(),
    drawn=four_amounts,
)
def test_class_weights(
    table: Table, options: RuleOptions, subset: bool, drawn: list[float]
) -> None:
    given = dict(zip(table.classes, drawn, strict=False))
    check(table, replace(options, fisher=None), given, subset=subset, min_objects=1)


@settings(patient, max_examples=EXAMPLES // 10)
@given(
    st.data(),
    rule_options(release8=False),
    st.booleans(),
    st.lists(amounts, min_size=3, max_size=3),
)
def test_class_weights_of_longer_tables(
    data: st.DataObject, options: RuleOptions, subset: bool, drawn: list[float]
) -> None:
    table = data.draw(longer_tables(6))
    given = dict(zip(table.classes, drawn, strict=True))
    check(table, replace(options, fisher=None), given, subset=subset, min_objects=1)


# The comparisons would mean little if small tables gave no rules, or no class had many.
def test_the_tables_give_rules() -> None:
    sizes: list[int] = []

    @settings(patient, max_examples=200, database=None, derandomize=True)
    @given(tables())
    def collect(table: Table) -> None:
        model = wl.RulesClassifier(min_objects=1).fit(frame_of(table), labels_of(table))
        sizes.append(len(model.ruleset_))

    collect()
    # What hypothesis draws depends on its version and on the modules that are loaded.
    assert np.sum(np.array(sizes) > 0) > 20
    assert max(sizes) >= 3
