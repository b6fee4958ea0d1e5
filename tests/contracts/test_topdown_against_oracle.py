"""TopDownClassifier against plain Python, and the laws that its paper states."""

from __future__ import annotations

import os
from dataclasses import replace
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import weaklearn as wl
from oracles.c45 import Options, Table, prune
from oracles.criteria import IMPURITY
from oracles.topdown import grow
from strategies import longer_tables, tables, tables_missing_for_a_reason

from .oracle_table import difference, frame_of, labels_of, of_present_rows

EXAMPLES = int(os.environ.get("WEAKLEARN_EXAMPLES", "150"))
patient = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
pytestmark = pytest.mark.filterwarnings("ignore:.* does not separate values:UserWarning")

#: C4.5's names of the criteria.
NAMES = {"entropy": "gain", "gini": "gini", "km": "km", "error": "error"}


def options() -> st.SearchStrategy[Options]:
    return st.builds(
        Options,
        criterion=st.sampled_from(list(NAMES.values())),
        min_objects=st.sampled_from([0.5, 1, 1, 1, 2, 3]),
        confidence=st.sampled_from([0.05, 0.25, 0.5]),
        grouping=st.booleans(),
        threshold_penalty=st.just(False),
        collapse=st.just(False),
        missing=st.sampled_from(["fraction", "branch"]),
    )


def classifier_of(options: Options, **others: Any) -> wl.TopDownClassifier:
    criterion = next(name for name, of_c45 in NAMES.items() if of_c45 == options.criterion)
    return wl.TopDownClassifier(
        criterion=criterion,
        grouping=options.grouping,
        min_objects=options.min_objects,
        confidence=options.confidence,
        missing=options.missing,
        **others,
    )


def check(table: Table, options: Options, n_rounds: int | None, pruned: bool) -> None:
    table = of_present_rows(table)
    # Beside 1e12 a weight of 1 is below the tolerance, for example in the least weight of a
    # branch. Only the square root is so steep that a cut there is better than none.
    present = [w for w in table.weights if w > 0]
    assume(options.criterion != "km" or max(present) < 1e9 * min(present))
    model = classifier_of(options, n_rounds=n_rounds, prune=pruned)
    model.fit(frame_of(table), labels_of(table), table.weights)
    tree = grow(table, options, n_rounds)
    if pruned:
        tree = prune(tree, table, options)
    text = difference(model.tree_.to_dict(), tree)
    assert text is None, text


def rounds() -> st.SearchStrategy[int | None]:
    return st.sampled_from([None, 0, 1, 2, 3, 5, 8, 20])


@patient
@given(tables(), options(), rounds(), st.booleans())
def test_the_tree_equals_the_oracles(
    table: Table, options: Options, n_rounds: int | None, pruned: bool
) -> None:
    check(table, options, n_rounds, pruned)


@settings(patient, max_examples=2 * EXAMPLES)
@given(tables_missing_for_a_reason(), options(), rounds(), st.booleans())
def test_values_that_are_missing_for_a_reason(
    table: Table, options: Options, n_rounds: int | None, pruned: bool
) -> None:
    check(table, replace(options, missing="branch"), n_rounds, pruned)


@settings(patient, max_examples=EXAMPLES // 8)
@given(st.data(), options(), rounds(), st.booleans())
def test_longer_tables(
    data: st.DataObject, options: Options, n_rounds: int | None, pruned: bool
) -> None:
    check(data.draw(longer_tables(40)), options, n_rounds, pruned)


@patient
@given(tables(), options(), st.integers(0, 12))
def test_one_more_round_splits_one_leaf_and_changes_nothing_else(
    table: Table, options: Options, n_rounds: int
) -> None:
    frame, labels = frame_of(table), labels_of(table)
    before, after, whole = (
        _splits(
            classifier_of(options, n_rounds=n).fit(frame, labels, table.weights).tree_.to_dict()
        )
        for n in (n_rounds, n_rounds + 1, None)
    )
    assert before <= after <= whole
    assert len(before) == min(n_rounds, len(whole))
    assert len(after) == min(n_rounds + 1, len(whole))


def _splits(tree: dict[str, Any]) -> set[tuple[tuple[int, ...], str]]:
    """Return the split of each internal node by its path."""
    found: set[tuple[tuple[int, ...], str]] = set()
    stack: list[tuple[tuple[int, ...], dict[str, Any]]] = [((), tree)]
    while stack:
        path, node = stack.pop()
        children = node.get("children", [])
        if children:
            asks = [node.get(key) for key in ("index", "test", "threshold", "subsets", "missing")]
            found.add((path, repr(asks)))
        stack.extend(((*path, i), child) for i, child in enumerate(children))
    return found


@patient
@given(tables(), options())
def test_without_a_limit_it_is_the_unpruned_tree_of_c45(table: Table, options: Options) -> None:
    options = replace(options, grouping=False)
    if options.criterion == "error":
        options = replace(options, criterion="km")
    frame, labels = frame_of(table), labels_of(table)
    whole = classifier_of(options).fit(frame, labels, table.weights).tree_
    c45 = wl.C45Classifier(
        criterion=options.criterion,
        min_objects=options.min_objects,
        threshold_penalty=False,
        prune=False,
        missing=options.missing,
    )
    # C4.5 collapses nodes; the remaining nodes are the same.
    assert _splits(c45.fit(frame, labels, table.weights).tree_.to_dict()) <= _splits(
        whole.to_dict()
    )
    many = classifier_of(options, n_rounds=10**6).fit(frame, labels, table.weights).tree_
    assert many == whole


@patient
@given(st.data())
def test_no_grouping_of_two_classes_is_better(data: st.DataObject) -> None:
    n_rows = data.draw(st.integers(2, 40))
    values = [f"v{i}" for i in range(data.draw(st.integers(3, 6)))]
    cells = data.draw(st.lists(st.sampled_from(values), min_size=n_rows, max_size=n_rows))
    labels = data.draw(st.lists(st.sampled_from("ab"), min_size=n_rows, max_size=n_rows))
    criterion = data.draw(st.sampled_from(list(NAMES)))
    frame = pd.DataFrame({"x": pd.Categorical(cells, categories=values)})
    tree = wl.TopDownClassifier(criterion, n_rounds=1, grouping=True).fit(frame, labels).tree_

    def index(groups: list[set[str]]) -> float:
        counts = [
            [sum(c in group and y == k for c, y in zip(cells, labels, strict=True)) for k in "ab"]
            for group in groups
        ]
        return sum(sum(count) * IMPURITY[NAMES[criterion]](count) for count in counts)

    every = [
        index([set(group), set(values) - set(group)])
        for size in range(1, len(values))
        for group in combinations(values, size)
    ]
    if tree.n_leaves == 1:
        assert min(every) >= index([set(values)]) - 1e-6 * n_rows
    else:
        ours = [set(group) for group in tree.subsets(0)]
        assert index(ours) <= min(every) + 1e-6 * n_rows


@patient
@given(tables(), st.sampled_from(["entropy", "gini", "km"]), st.booleans())
def test_a_given_function_equals_the_named_one(
    table: Table, criterion: str, grouping: bool
) -> None:
    """They are equal up to the rounding of the table: the first splits are equally good."""
    y = ["c0" if label == "c0" else "c1" for label in table.y]
    table = replace(table, y=y, classes=["c0", "c1"])
    frame, labels = frame_of(table), labels_of(table)
    impurity = getattr(wl.theory, criterion)
    named, given = (
        wl.TopDownClassifier(c, n_rounds=1, grouping=grouping).fit(frame, labels, table.weights)
        for c in (criterion, lambda weights: impurity.of(weights))
    )
    gains = [wl.theory.advantages(m.tree_, criterion=criterion).gain for m in (named, given)]
    np.testing.assert_allclose(gains[0].sum(), gains[1].sum(), atol=1e-5)
