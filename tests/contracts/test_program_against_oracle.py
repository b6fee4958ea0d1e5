"""BranchingProgramClassifier against plain Python."""

from __future__ import annotations

import os
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oracles.c45 import Table
from oracles.program import Options, grow, predict_proba, prune
from strategies import longer_tables, tables

from .oracle_program import difference, difference_of_levels, fitted
from .oracle_table import frame_of, of_present_rows

EXAMPLES = int(os.environ.get("WEAKLEARN_EXAMPLES", "150"))
patient = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
pytestmark = pytest.mark.filterwarnings("ignore:.* does not separate values:UserWarning")


def options() -> st.SearchStrategy[Options]:
    return st.builds(
        Options,
        criterion=st.sampled_from(["km", "km", "gini", "entropy"]),
        merge=st.sampled_from(["grid", "budget", "width", "none"]),
        max_width=st.sampled_from([1, 2, 3]),
        merge_share=st.sampled_from([0.0, 0.1, 0.5, 0.5, 1.0]),
        max_levels=st.sampled_from([None, None, None, 0, 1, 2, 4]),
        max_nodes=st.sampled_from([None, None, None, 0, 1, 3, 9]),
        split_without_gain=st.booleans(),
        min_objects=st.sampled_from([0.5, 1, 1, 1, 2]),
        confidence=st.sampled_from([0.05, 0.25, 0.5]),
        missing=st.sampled_from(["fraction", "branch"]),
    )


def similar_weights(table: Table) -> bool:
    """Return whether no weight is so small that it is lost in a sum of the others.

    A threshold's upper side is what is left of the whole: beside 1, a weight below 1e-16 becomes
    rounding, of which a square root makes 1e-8.
    """
    positive = [weight for weight in table.weights if weight > 0]
    return max(positive) < 1e11 * min(positive)


def of_two_classes(table: Table) -> Table:
    y = ["c0" if label == "c0" else "c1" for label in table.y]
    return replace(table, y=y, classes=["c0", "c1"])


def check(table: Table, options: Options) -> None:
    table = of_present_rows(table)
    if options.merge == "grid":
        table = of_two_classes(table)
    model, program = fitted(table, options), grow(table, options)
    text = difference(model, program) or difference_of_levels(model, program)
    assert text is None, text


@patient
@given(tables().filter(similar_weights), options())
def test_the_program_equals_the_oracles(table: Table, options: Options) -> None:
    check(table, options)


@patient
@given(tables().filter(similar_weights), options())
def test_two_classes(table: Table, options: Options) -> None:
    check(of_two_classes(table), options)


@settings(patient, max_examples=EXAMPLES // 10)
@given(st.data(), options())
def test_longer_tables(data: st.DataObject, options: Options) -> None:
    check(data.draw(longer_tables(40)), options)


def check_pruned(table: Table, options: Options) -> None:
    table = of_present_rows(table)
    if options.merge == "grid":
        table = of_two_classes(table)
    text = difference(
        fitted(table, options, prune=True), prune(grow(table, options), table, options)
    )
    assert text is None, text


@patient
@given(tables().filter(similar_weights), options())
def test_prunes_as_the_oracle_does(table: Table, options: Options) -> None:
    check_pruned(table, options)


@patient
@given(tables().filter(similar_weights), options())
def test_prunes_whole_rows_as_the_oracle_does(table: Table, options: Options) -> None:
    """Without missing values, pruning takes a quicker path."""
    columns = [
        [next(iter(values), 0.0) if cell is None else cell for cell in column]
        for column, values in zip(table.columns, table.values, strict=True)
    ]
    check_pruned(replace(table, columns=columns, precision=[]), options)


@settings(patient, max_examples=EXAMPLES // 2)
@given(tables().filter(similar_weights), options())
def test_predicts_as_the_oracle_does(table: Table, options: Options) -> None:
    table = of_two_classes(of_present_rows(table))
    model, program = fitted(table, options), grow(table, options)
    rows = [table.row(i) for i in range(len(table.y))]
    expected = predict_proba(program.nodes, rows, table)
    shares = model.program_.predict_class_shares(model._encode(frame_of(table)))
    for ours, theirs in zip(shares.tolist(), expected, strict=True):
        assert ours == pytest.approx(theirs, abs=1e-6)
