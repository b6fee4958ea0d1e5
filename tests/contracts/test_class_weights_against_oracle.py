"""Class weights and costs against a plain Python version of their rules, on small random tables."""

from __future__ import annotations

import os
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import weaklearn as wl
from oracles import program, program_prune, topdown
from oracles.c45 import Options, Table, grow, predict_proba, prune
from oracles.program import Options as ProgramOptions
from strategies import longer_tables, options, tables_of_some_values

from .oracle_program import difference as difference_of_programs
from .oracle_program import fitted
from .oracle_table import (
    amounts,
    classifier_of,
    difference,
    factors_known_to,
    factors_of,
    four_amounts,
    frame_of,
    labels_of,
    moderate,
    of_present_rows,
    weighted,
)
from .test_program_against_oracle import of_two_classes
from .test_program_against_oracle import options as program_options
from .test_topdown_against_oracle import classifier_of as topdown_of
from .test_topdown_against_oracle import options as topdown_options

EXAMPLES = int(os.environ.get("WEAKLEARN_EXAMPLES", "120"))
patient = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
        HealthCheck.filter_too_much,
    ],
)
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")


def check(table: Table, options: Options, model: Any, given: dict[str, float]) -> Any:
    """Compare the tree with the oracle's; return the class shares that the oracle predicts."""
    table = of_present_rows(table)
    factors = factors_of(table, given)
    weights = weighted(table, factors)
    model.fit(frame_of(table), labels_of(table), table.weights)
    known = replace(options, factors=factors_known_to(table, given))
    if options.costs:
        known = replace(known, factors=tuple(factors))
    tree = grow(weights, known)
    if model.prune:
        tree = prune(tree, weights, known)
    text = difference(model.tree_.to_dict(), tree)
    assert text is None, text
    rows = [table.row(i) for i in range(len(table.y))]
    return np.array(predict_proba(tree, rows, weights))


@patient
@given(moderate, options(), st.booleans(), four_amounts)
def test_class_weights(table: Table, options: Options, pruned: bool, drawn: list[float]) -> None:
    given = dict(zip(table.classes, drawn, strict=False))
    model = classifier_of(options, prune=pruned, class_weight=given)
    wanted = check(table, options, model, given)
    occurring = [table.classes.index(label) for label in model.classes_]
    proba = model.predict_proba(frame_of(table))
    np.testing.assert_allclose(proba, wanted[:, occurring], rtol=0, atol=1e-9)


@patient
@given(tables_of_some_values(), options(), st.booleans(), four_amounts)
def test_class_weights_of_some_values(
    table: Table, options: Options, pruned: bool, drawn: list[float]
) -> None:
    given = dict(zip(table.classes, drawn, strict=False))
    known = replace(options, subset=True)
    check(table, known, classifier_of(known, prune=pruned, class_weight=given), given)


@settings(patient, max_examples=EXAMPLES // 6)
@given(st.data(), options(), st.booleans(), st.lists(amounts, min_size=3, max_size=3))
def test_class_weights_of_longer_tables(
    data: st.DataObject, options: Options, pruned: bool, drawn: list[float]
) -> None:
    table = data.draw(longer_tables(8 if options.subset else 300))
    given = dict(zip(table.classes, drawn, strict=True))
    check(table, options, classifier_of(options, prune=pruned, class_weight=given), given)


@patient
@given(moderate, options(), st.booleans(), st.lists(amounts, min_size=16, max_size=16))
def test_costs(table: Table, options: Options, pruned: bool, drawn: list[float]) -> None:
    present = {label for label, w in zip(table.y, table.weights, strict=True) if w > 0}
    assume(present == set(table.classes))
    n = len(table.classes)
    costs = np.array(drawn)[: n * n].reshape(n, n) * (1 - np.eye(n))
    given = {
        label: float(row.sum()) or 1.0 for label, row in zip(table.classes, costs, strict=True)
    }
    uniform = all(np.ptp(np.delete(row, k)) == 0 for k, row in enumerate(costs) if n > 1)
    known = replace(options, costs=() if uniform else tuple(map(tuple, costs.tolist())))
    model = classifier_of(options, prune=pruned, costs=costs)
    shares = check(table, known, model, given)

    factors = np.array([given[label] for label in table.classes])
    restored = shares / factors
    restored /= restored.sum(axis=1, keepdims=True)
    X = frame_of(table)
    np.testing.assert_allclose(model.predict_proba(X), restored, rtol=0, atol=1e-9)
    expected = restored @ costs
    chosen = expected[np.arange(len(X)), np.searchsorted(table.classes, model.predict(X))]
    np.testing.assert_allclose(chosen, expected.min(axis=1), rtol=1e-6, atol=1e-9)


@patient
@given(moderate, st.floats(0.1, 10), st.floats(0.1, 10), st.booleans())
def test_costs_of_two_classes_are_class_weights(
    table: Table, first: float, second: float, pruned: bool
) -> None:
    """Elkan (2001): growing by costs and by class weights is the same, and so is the choice."""
    assume(len(table.classes) == 2)
    a, b = table.classes
    X, y = frame_of(table), labels_of(table)
    by_costs = wl.C45Classifier(prune=pruned, costs={(a, b): first, (b, a): second})
    by_weight = wl.C45Classifier(prune=pruned, class_weight={a: first, b: second})
    by_costs.fit(X, y, table.weights)
    by_weight.fit(X, y, table.weights)
    text = difference(by_costs.tree_.to_dict(), by_weight.tree_.to_dict())
    assert text is None, text
    shares = by_weight.predict_proba(X)
    clear = np.ones(len(X), bool) if shares.shape[1] == 1 else abs(np.diff(shares)[:, 0]) > 1e-6
    assert np.array_equal(by_costs.predict(X)[clear], by_weight.predict(X)[clear])


@patient
@given(moderate, topdown_options(), st.sampled_from([None, 1, 3, 8]), st.booleans(), four_amounts)
def test_class_weights_of_topdown(
    table: Table, options: Options, n_rounds: int | None, pruned: bool, drawn: list[float]
) -> None:
    table = of_present_rows(table)
    given = dict(zip(table.classes, drawn, strict=False))
    model = topdown_of(options, n_rounds=n_rounds, prune=pruned, class_weight=given)
    model.fit(frame_of(table), labels_of(table), table.weights)
    known = replace(options, factors=factors_known_to(table, given))
    weights = weighted(table, factors_of(table, given))
    tree = topdown.grow(weights, known, n_rounds)
    if pruned:
        tree = prune(tree, weights, known)
    text = difference(model.tree_.to_dict(), tree)
    assert text is None, text


@patient
@given(moderate, program_options(), st.booleans(), four_amounts)
def test_class_weights_of_programs(
    table: Table, options: ProgramOptions, pruned: bool, drawn: list[float]
) -> None:
    table = of_present_rows(table)
    if options.merge == "grid":
        table = of_two_classes(table)
    given = dict(zip(table.classes, drawn, strict=False))
    model = fitted(table, options, prune=pruned, class_weight=given)
    known = replace(options, factors=factors_known_to(table, given))
    weights = weighted(table, factors_of(table, given))
    oracle = program.grow(weights, known)
    if pruned:
        oracle = program_prune.prune(oracle, weights, known)
    text = difference_of_programs(model, oracle)
    assert text is None, text


# -- stumps and oblique trees ----------------------------------------------------------------------
@patient
@given(
    st.integers(0, 10**6),
    st.lists(amounts, min_size=12, max_size=12),
    st.sampled_from(["stump", "oc1", "sadt"]),
)
def test_leaves_of_stumps_and_oblique_trees_predict_the_cheapest_class(
    seed: int, drawn: list[float], name: str
) -> None:
    """The label of a leaf, and the prediction, cost least by the counts of classes at the leaf."""
    chance = np.random.default_rng(seed)
    X = chance.integers(0, 5, (30, 2)).astype(float)
    y = chance.integers(0, 4, 30)
    costs = np.zeros((4, 4))
    costs[~np.eye(4, dtype=bool)] = drawn
    model = {
        "stump": wl.StumpClassifier(costs=costs),
        "oc1": wl.OC1Classifier(costs=costs, n_restarts=1, validation_share=0, random_state=0),
        "sadt": wl.SADTClassifier(costs=costs, patience=20, validation_share=0, random_state=0),
    }[name]
    assume(len(np.unique(y)) == 4)
    model.fit(X, y)
    leaf_of_row = model.apply(X)
    for leaf in np.unique(leaf_of_row):
        counts = np.bincount(y[leaf_of_row == leaf], minlength=4)
        expected = [sum(counts[k] * costs[k, j] for k in range(4)) for j in range(4)]
        cheapest = {j for j in range(4) if expected[j] <= min(expected) * (1 + 1e-9)}
        assert int(model.tree_.arrays["nodes"]["label"][leaf]) in cheapest
        predicted = model.predict(X[leaf_of_row == leaf])
        assert (predicted == min(cheapest)).all()
