"""Laws of merge="width", which searches splits and groups together, in finished programs."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import weaklearn as wl
from oracles.c45_table import Table, all_rows, prepare
from oracles.program_split import IMPROVING, best_split
from oracles.program_table import Options, merge_rows
from oracles.program_width import Level, Split, assign_groups
from strategies import longer_tables, tables

from .oracle_program import fitted, nodes_of
from .oracle_table import of_present_rows
from .test_program_against_oracle import of_two_classes, similar_weights

quick = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
pytestmark = pytest.mark.filterwarnings("ignore:.* does not separate values:UserWarning")


def options() -> st.SearchStrategy[Options]:
    return st.builds(
        Options,
        criterion=st.sampled_from(["km", "gini", "entropy"]),
        merge=st.just("width"),
        max_width=st.sampled_from([1, 2, 3]),
        min_objects=st.sampled_from([1, 1, 2]),
        missing=st.sampled_from(["fraction", "branch"]),
    )


def levels_of(
    model: wl.BranchingProgramClassifier, table: Table, rules: Options
) -> Iterator[Level]:
    """Return the levels of a finished program, with the rows that reach them."""
    nodes = nodes_of(model.program_)
    here = {0: all_rows(table)}
    while split := [(n, rows, nodes[n]) for n, rows in here.items() if "children" in nodes[n]]:
        level = Level(table, rules, split)
        ends = [child for number, _, _ in split for child in nodes[number]["children"]]
        families = [rows for family in level.families for rows in family]
        mixed = [c for c in range(len(ends)) if level.is_mixed(c)]
        numbers = list(dict.fromkeys(ends[c] for c in mixed))
        for c in mixed:
            level.group_of[c] = numbers.index(ends[c])
        level.n_groups = max(1, len(numbers))
        yield level
        here = {
            child: merge_rows([families[c] for c, end in enumerate(ends) if end == child])
            for child in dict.fromkeys(ends)
        }


def own_tests(table: Table, rules: Options, split: Split) -> Split:
    """Return the same nodes, each with its own best split."""
    tests = [(n, rows, best_split(table, rules, rows, IMPROVING)) for n, rows, _ in split]
    return [(number, rows, test) for number, rows, test in tests if test is not None]


def check(table: Table, rules: Options) -> None:
    table = prepare(of_present_rows(table))
    model = fitted(table, rules)
    for number, level in enumerate(levels_of(model, table, rules)):
        before = assign_groups(table, rules, own_tests(table, rules, level.split))
        assert len(before.split) == len(level.split)
        assert level.weighted_impurity() == pytest.approx(model.levels_.merged[number], abs=1e-9)
        assert level.weighted_impurity() <= before.weighted_impurity() + 1e-9
        n_mixed = sum(map(before.is_mixed, range(len(before.group_of))))
        if n_mixed > rules.max_width:
            # No single change of a split or of the group of a child lowers the impurity.
            level.n_groups = rules.max_width
            for node in range(len(level.split)):
                assert level.better_split(node) is None
            for child in range(len(level.group_of)):
                assert not level.reassign(child)


@quick
@given(tables().filter(similar_weights), options())
def test_no_single_change_lowers_the_impurity(table: Table, rules: Options) -> None:
    check(table, rules)


@settings(quick, max_examples=15)
@given(st.data(), options())
def test_no_single_change_in_longer_tables(data: st.DataObject, rules: Options) -> None:
    check(data.draw(longer_tables(40)), rules)


@settings(quick, max_examples=15)
@given(st.data(), options())
def test_no_single_change_with_two_classes(data: st.DataObject, rules: Options) -> None:
    check(of_two_classes(data.draw(longer_tables(40))), rules)


def test_threads_change_nothing() -> None:
    table = wl.datasets.make_waveform(5000, random_state=1)
    one, two = (
        wl.BranchingProgramClassifier(merge="width", max_width=3, max_levels=4, n_jobs=n).fit(
            table.X, table.y
        )
        for n in (1, 2)
    )
    assert one.program_ == two.program_
