"""Check laws of the branching program oracle."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from itertools import combinations, product

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from strategies import tables

from .c45_prune import extra_errors
from .c45_table import (
    Node,
    Table,
    all_rows,
    at_most,
    class_counts,
    largest_class,
    partition,
    prepare,
)
from .c45_table import Options as C45Options
from .c45_value import gain_of
from .criteria import normalised_impurity
from .program import Options, Program, grow, merge_equal_nodes, predict_proba, prune
from .program_merge import Grid, by_budget
from .program_prune import cut_back, estimate
from .program_split import ANY, IMPROVING, best_split, grouping_split

patient = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
CRITERIA = ["km", "gini", "entropy"]
SLACK = 1e-9  # differences below this count as equal


@st.composite
def problems(draw: st.DrawFn, merge: str | None = None) -> tuple[Table, Options]:
    """Draw a small table and options that suit it."""
    table = draw(tables(max_rows=16, max_columns=3))
    ways = ["grid", "budget", "none"] if len(table.classes) <= 2 else ["budget", "none"]
    if merge is not None:
        assume(merge in ways)
    options = st.builds(
        Options,
        criterion=st.sampled_from(CRITERIA),
        merge=st.sampled_from([merge] if merge else ways),
        merge_share=st.sampled_from([0.0, 0.1, 0.5, 0.5, 1.0]),
        max_levels=st.sampled_from([None, None, None, 0, 1, 2, 4]),
        max_nodes=st.sampled_from([None, None, None, 0, 1, 3, 7]),
        split_without_gain=st.booleans(),
        min_objects=st.sampled_from([0.5, 1, 1, 1, 2]),
    )
    return table, draw(options)


def errors_as_leaf(node: Node) -> float:
    return sum(sorted(node["dist"].values())[:-1])


def is_pure(node: Node) -> bool:
    return at_most(errors_as_leaf(node), 0)


def parents_of(program: Program) -> Counter[int]:
    return Counter(c for node in program.nodes for c in node.get("children", []))


def exclusive_or(n_bits: int) -> Table:
    rows = list(product("01", repeat=n_bits))
    y = ["odd" if row.count("1") % 2 else "even" for row in rows]
    columns = [list(column) for column in zip(*rows, strict=True)]
    return Table(columns, ["nominal"] * n_bits, [["0", "1"]] * n_bits, ["even", "odd"], y)


@patient
@given(problems())
def test_flow_is_conserved(problem: tuple[Table, Options]) -> None:
    table, options = problem
    grown = grow(table, options)
    for program in (grown, prune(grown, table, options), merge_equal_nodes(grown, table)):
        arriving = [0.0] * len(program.nodes)
        arriving[0] = sum(table.weights)
        for position, node in enumerate(program.nodes):
            assert arriving[position] == pytest.approx(node["n"])
            if "children" in node:
                assert sum(node["flow"]) == pytest.approx(node["n"])
                for child, weight in zip(node["children"], node["flow"], strict=True):
                    assert child > position
                    arriving[child] += weight
        leaves = [node for node in program.nodes if "children" not in node]
        assert sum(leaf["e"] for leaf in leaves) == pytest.approx(program.nodes[0]["e"])
        assert sum(leaf["n"] for leaf in leaves) == pytest.approx(sum(table.weights))
        assert parents_of(program).keys() == set(range(1, len(program.nodes)))


@patient
@given(problems())
def test_merging_costs_no_more_than_allowed(problem: tuple[Table, Options]) -> None:
    table, options = problem
    allowed = {"grid": 0.5, "budget": options.merge_share, "none": 0.0}[options.merge]
    for level in grow(table, options).levels:
        assert level.forced == at_most(level.delta, 0)
        assert level.merged - level.after <= (0 if level.forced else allowed * level.delta) + SLACK
        assert level.merged >= level.after - SLACK  # the impurity is concave
        assert level.next_nodes <= level.children <= 2 * level.nodes
        if level.width is not None:
            assert level.next_nodes <= level.width


@patient
@given(problems(merge="none"))
def test_without_merging_the_program_is_a_tree(problem: tuple[Table, Options]) -> None:
    table, options = problem
    options = replace(options, max_levels=None, max_nodes=None, split_without_gain=False)
    program = grow(table, options)
    assert all(count == 1 for count in parents_of(program).values())
    assume(program.stopped == "no node left")
    table = prepare(table)
    stack = [(0, all_rows(table))]
    while stack:
        position, node_rows = stack.pop()
        node = program.nodes[position]
        test = None if is_pure(node) else best_split(table, options, node_rows, IMPROVING)
        assert (test is None) == ("children" not in node)
        if test is not None:
            assert {key: node[key] for key in test} == test
            branches, _ = partition(table, test, node_rows)
            stack.extend(zip(node["children"], branches, strict=True))


@patient
@given(problems())
def test_every_leaf_has_a_reason(problem: tuple[Table, Options]) -> None:
    table, options = problem
    program = grow(table, options)
    table = prepare(table)
    here: dict[int, list[tuple[int, float]]] = {0: all_rows(table)}
    for position, node in enumerate(program.nodes):
        node_rows = here[position]
        if "children" in node:
            for child, branch in zip(
                node["children"], partition(table, node, node_rows)[0], strict=True
            ):
                merged = Counter(dict(here.get(child, [])))
                merged.update(dict(branch))
                here[child] = sorted(merged.items())
        elif program.stopped == "no node left" and not is_pure(node):
            assert best_split(table, options, node_rows, IMPROVING) is None


@patient
@given(problems(), st.integers(0, 5))
def test_fewer_levels_are_the_first_levels(problem: tuple[Table, Options], n: int) -> None:
    table, options = problem
    whole = grow(table, replace(options, max_levels=None))
    part = grow(table, replace(options, max_levels=n))
    assert part.levels == whole.levels[:n]
    assert part.size == sum(level.nodes for level in part.levels)


@patient
@given(problems())
def test_limits_hold(problem: tuple[Table, Options]) -> None:
    table, options = problem
    program = grow(table, options)
    assert program.stopped
    assert options.max_levels is None or len(program.levels) <= options.max_levels
    assert options.max_nodes is None or program.size <= options.max_nodes
    if program.stopped == "max_nodes":
        assert options.max_nodes is not None
        more_levels = replace(options, max_nodes=None, max_levels=len(program.levels) + 1)
        larger = grow(table, more_levels)
        assert larger.size > options.max_nodes or larger.stopped == "no gain"


@patient
@given(problems())
def test_pure_nodes_are_leaves_with_one_parent(problem: tuple[Table, Options]) -> None:
    table, options = problem
    program = grow(table, options)
    for node in program.nodes:
        assert "children" not in node or not is_pure(node)
    for position, count in parents_of(program).items():
        assert count == 1 or not is_pure(program.nodes[position])


@patient
@given(problems())
def test_shares_sum_to_one(problem: tuple[Table, Options]) -> None:
    table, options = problem
    grown = grow(table, options)
    rows = [*map(table.row, range(len(table.y))), [None] * len(table.columns)]
    for program in (grown, prune(grown, table, options)):
        for shares in predict_proba(program.nodes, rows, table):
            assert sum(shares) == pytest.approx(1)
        counts = class_counts(table, all_rows(table))
        summed = [0.0] * len(counts)  # the shares of the training rows sum to the class weights
        for weight, shares in zip(
            table.weights, predict_proba(program.nodes, rows[:-1], table), strict=True
        ):
            summed = [w + weight * s for w, s in zip(summed, shares, strict=True)]
        if not any(None in column for column in table.columns):
            assert summed == pytest.approx(counts)


@pytest.mark.parametrize("criterion", CRITERIA)
@given(
    delta=st.floats(1e-6, 1.0),
    after=st.floats(1e-6, 1.0),
    shares=st.lists(st.floats(1e-12, 1 - 1e-12), min_size=2, max_size=12),
)
def test_cells_of_the_grid(criterion: str, delta: float, after: float, shares: list[float]) -> None:
    """Cells are intervals on one side of the middle, and G varies in them within its limits."""
    grid = Grid(delta, after, criterion)
    ratio = 1 + delta / (4 * after)
    for q in shares:
        above, position = grid.cell([1 - q, q])
        assert 0 <= position <= grid.inner
        assert above == (q > 0.5 + SLACK)
        g = normalised_impurity(criterion, [1 - q, q])
        if position == 0:
            assert g < delta / 4
        else:
            low = delta / 4 * ratio ** (position - 1)
            assert low * (1 - 1e-6) <= g <= low * ratio * (1 + 1e-6)
    ordered = [grid.cell([1 - q, q]) for q in sorted(shares)]
    signed = [2 * grid.inner + 1 - position if above else position for above, position in ordered]
    assert signed == sorted(signed)
    assert all(0 <= place < grid.width for place in signed)


def test_the_middle_belongs_below() -> None:
    grid = Grid(0.1, 0.8, "km")
    assert grid.cell([1, 1]) == (False, grid.inner)
    assert grid.cell([0.4999, 0.5001]) == (True, grid.inner)


@given(
    st.lists(st.tuples(st.integers(1, 9), st.integers(1, 9)), min_size=1, max_size=7),
    st.floats(0, 0.5),
    st.sampled_from(CRITERIA),
)
def test_budget_is_used_and_not_exceeded(
    counts: list[tuple[int, int]], budget: float, criterion: str
) -> None:
    total = sum(map(sum, counts))
    children = {c: [x / total for x in pair] for c, pair in enumerate(counts)}

    def rise(groups: list[list[int]]) -> float:
        cost = 0.0
        for group in groups:
            parts = [children[c] for c in group]
            whole = [sum(x) for x in zip(*parts, strict=True)]
            cost += sum(whole) * normalised_impurity(criterion, whole)
            cost -= sum(sum(p) * normalised_impurity(criterion, p) for p in parts)
        return cost

    groups = by_budget(children, budget, criterion)
    assert sorted(c for group in groups for c in group) == list(children)
    assert rise(groups) <= budget + SLACK
    for first, second in combinations(groups, 2):  # no other merge fits into the budget
        merged = [g for g in groups if g not in (first, second)] + [first + second]
        assert rise(merged) > budget - SLACK


@patient
@given(
    st.lists(st.tuples(st.integers(0, 3), st.integers(0, 3)), min_size=2, max_size=5),
    st.integers(0, 2),
    st.sampled_from(CRITERIA),
)
def test_the_best_grouping_of_two_classes(
    counts: list[tuple[int, int]], missing: int, criterion: str
) -> None:
    """Compare Breiman's theorem with all groupings."""
    values = [f"v{i}" for i in range(len(counts))]
    pairs = [(v, k) for v, by_class in zip(values, counts, strict=True) for k in (0, 1)]
    rows = [(v, "ab"[k]) for v, k in pairs for _ in range(counts[values.index(v)][k])]
    rows += [(None, "a")] * missing
    assume(rows)
    cells, y = zip(*rows, strict=True)
    table = Table([list(cells)], ["nominal"], [values], ["a", "b"], list(y))
    rules = C45Options(criterion.replace("entropy", "gain"), 1e-6, threshold_penalty=False)
    known = [sum(by_class) for by_class in zip(*counts, strict=True)]
    best = 0.0
    for n_inside in range(1, len(values)):
        for group in combinations(range(len(values)), n_inside):
            inside = [sum(counts[v][k] for v in group) for k in (0, 1)]
            outside = [known[k] - inside[k] for k in (0, 1)]
            best = max(best, gain_of([inside, outside], known, missing, 1e-6, rules))
    split = grouping_split(table, rules, all_rows(table), 0, ANY)
    assert max(split.gain, 0.0) == pytest.approx(best, abs=SLACK)
    occurring = [v for v, by_class in zip(values, counts, strict=True) if any(by_class)]
    assert (split.test is None) == (len(occurring) < 2)
    if split.test is not None:
        first, second = split.test["subsets"]
        assert sorted(first + second) == occurring
        assert first[0] == occurring[0]


@pytest.mark.parametrize("merge", ["grid", "budget", "none"])
@pytest.mark.parametrize("n_bits", [2, 3, 4, 5])
def test_exclusive_or(n_bits: int, merge: str) -> None:
    table = exclusive_or(n_bits)
    stuck = grow(table, Options(merge=merge))
    assert (stuck.size, stuck.stopped) == (0, "no node left")

    options = Options(merge=merge, split_without_gain=True)
    program = grow(table, options)
    assert [level.forced for level in program.levels] == [True] * (n_bits - 1) + [False]
    assert program.size == 2**n_bits - 1
    minimal = merge_equal_nodes(program, table)
    assert minimal.size == 2 * n_bits - 1  # Figure 1 of Elomaa and Kaariainen
    rows = [table.row(i) for i in range(len(table.y))]
    for shares, label in zip(predict_proba(minimal.nodes, rows, table), table.y, strict=True):
        assert table.classes[largest_class(shares)] == label


def test_a_level_may_repeat() -> None:
    """Spending the whole gain on merging brings the root back."""
    table = Table([[1.0, 1.0, 2.0, 2.0]], ["continuous"], [[]], ["a", "b"], ["a", "b", "a", "a"])
    mixed = Table(
        [[1.0] * 4 + [2.0] * 4],
        ["continuous"],
        [[]],
        ["a", "b"],
        ["a", "a", "a", "b"] + ["a", "b"] * 2,
    )
    program = grow(mixed, Options(merge="budget", merge_share=1.0))
    assert program.stopped == "repeated"
    assert program.size == 1
    assert grow(mixed, Options(merge="budget")).stopped == "no node left"
    assert grow(table, Options(merge="budget", merge_share=1.0)).stopped == "no node left"


def test_weights_of_a_row_add_up_where_branches_merge() -> None:
    table = Table(
        [[1.0, 1.0, 1.0, 1.0, 2.0, 2.0, 2.0, 2.0, None]],
        ["continuous"],
        [[]],
        ["a", "b"],
        ["a", "a", "a", "b", "a", "b", "a", "b", "b"],
    )
    program = grow(table, Options(merge="budget", merge_share=1.0))
    root, below = program.nodes
    assert root["children"] == [1, 1]
    assert root["flow"] == [4.5, 4.5]
    assert below["n"] == 9
    assert below["dist"] == {"a": 5.0, "b": 4.0}


def test_a_grid_needs_two_classes() -> None:
    table = Table([[1.0, 2.0, 3.0]], ["continuous"], [[]], ["a", "b", "c"], ["a", "b", "c"])
    with pytest.raises(ValueError, match="two classes"):
        grow(table, Options())
    assert grow(table, Options(merge="budget")).size == 2


@patient
@given(problems(merge="none"), st.sampled_from([0.05, 0.25, 0.8]))
def test_a_tree_is_pruned_branch_by_branch(
    problem: tuple[Table, Options], confidence: float
) -> None:
    table, options = problem
    options = replace(options, confidence=confidence)
    program = grow(table, options)

    def cut(position: int) -> tuple[float, int]:
        """Return the estimate of the pruned subtree and its number of inner nodes."""
        node = program.nodes[position]
        errors = errors_as_leaf(node)
        own = errors + extra_errors(node["n"], errors, confidence)
        if "children" not in node:
            return own, 0
        below = [cut(child) for child in node["children"]]
        kept = sum(e for e, _ in below)
        return (own, 0) if at_most(own, kept) else (kept, 1 + sum(size for _, size in below))

    smaller = cut_back(program, table, options)
    assert (estimate(smaller.nodes, table, options), smaller.size) == pytest.approx(cut(0))


@patient
@given(problems())
def test_pruning_does_not_raise_the_estimate(problem: tuple[Table, Options]) -> None:
    table, options = problem
    grown = grow(table, options)
    smaller = cut_back(grown, table, options)
    assert smaller.size <= grown.size
    assert at_most(estimate(smaller.nodes, table, options), estimate(grown.nodes, table, options))
    assert cut_back(smaller, table, options).nodes == smaller.nodes


@patient
@given(problems())
def test_merging_equal_nodes_keeps_predictions(problem: tuple[Table, Options]) -> None:
    table, options = problem
    columns = [[column[0] if c is None else c for c in column] for column in table.columns]
    table = replace(table, columns=columns)
    assume(not any(None in column for column in table.columns))
    grown = grow(table, options)
    merged_nodes = merge_equal_nodes(grown, table)
    assert merged_nodes.size <= grown.size
    rows = [table.row(i) for i in range(len(table.y))]
    for old, new in zip(
        predict_proba(grown.nodes, rows, table),
        predict_proba(merged_nodes.nodes, rows, table),
        strict=True,
    ):
        assert largest_class(old) == largest_class(new)
    tests = [node for node in merged_nodes.nodes if "children" in node]
    splits = [
        (n["index"], n.get("threshold"), str(n.get("subsets")), *n["children"]) for n in tests
    ]
    assert len(set(splits)) == len(tests)
    assert merge_equal_nodes(merged_nodes, table).size == merged_nodes.size
