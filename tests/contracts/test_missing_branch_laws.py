"""Laws of missing="branch", on small random tables."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from sklearn.base import clone

import weaklearn as wl
from oracles.c45 import Node, Options, Table
from oracles.criteria import IMPURITY
from strategies import longer_tables, options, tables

from .oracle_table import classifier_of, difference, frame_of, labels_of, of_present_rows
from .test_topdown_against_oracle import NAMES
from .test_topdown_against_oracle import classifier_of as topdown_of
from .test_topdown_against_oracle import options as topdown_options

quick = settings(
    max_examples=100,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
#: A value that stands for missing, declared after all others.
WRITTEN = "zz missing"


def fitted(model: Any, table: Table) -> Any:
    return model.fit(frame_of(table), labels_of(table), table.weights)


def without_missing(table: Table) -> Table:
    """Fill the gaps of each column with one of its values; a column without any becomes 0."""
    columns = []
    for column, values in zip(table.columns, table.values, strict=True):
        filling = next((cell for cell in column if cell is not None), values[0] if values else 0.0)
        columns.append([filling if cell is None else cell for cell in column])
    return replace(table, columns=columns, precision=[])


@quick
@given(tables(), options(), st.booleans())
def test_without_missing_values_it_is_the_tree_of_fraction(
    table: Table, options: Options, pruned: bool
) -> None:
    table = of_present_rows(without_missing(table))
    fraction, branch = (
        fitted(classifier_of(replace(options, missing=missing), prune=pruned), table).tree_
        for missing in ("fraction", "branch")
    )
    for name, array in fraction.arrays.items():
        if name != "missing_branch":
            assert np.array_equal(array, branch.arrays[name]), name
    assert not fraction.has_missing_branches
    assert branch.has_missing_branches == (branch.n_leaves > 1)


@quick
@given(tables(), topdown_options(), st.sampled_from([None, 1, 3]))
def test_topdown_without_missing_values(
    table: Table, options: Options, n_rounds: int | None
) -> None:
    table = of_present_rows(without_missing(table))
    fraction, branch = (
        fitted(topdown_of(replace(options, missing=missing), n_rounds=n_rounds), table).tree_
        for missing in ("fraction", "branch")
    )
    assert np.array_equal(fraction.nodes, branch.nodes)


def written(table: Table) -> Table:
    """Return a table of nominal columns in which missing is one more value where it occurs."""
    columns, values = [], []
    for cells, declared in zip(table.columns, table.values, strict=True):
        present = [c for c, w in zip(cells, table.weights, strict=True) if w > 0]
        columns.append([WRITTEN if cell is None else cell for cell in cells])
        values.append([*declared, WRITTEN] if None in present else declared)
    return replace(table, columns=columns, values=values)


def with_rows_only(tree: Node) -> Node:
    """Return the figures of a tree, without its branches without rows and what they are named."""
    node: Node = {key: tree[key] for key in ("class", "n", "e", "dist")}
    if "children" not in tree:
        return node
    children = [with_rows_only(child) for child in tree["children"] if child["n"] > 0]
    return {**node, "index": tree["index"], "children": children}


def nominal_only(table: Table) -> Table:
    kept = [a for a, kind in enumerate(table.kinds) if kind == "nominal"]
    assume(kept)
    return replace(
        table,
        columns=[table.columns[a] for a in kept],
        kinds=["nominal"] * len(kept),
        values=[table.values[a] for a in kept],
        names=[table.names[a] for a in kept],
        precision=["single"] * len(kept),
    )


# Rows that a raised branch gets in pruning may lack a value of which the branch has seen all: there
# the two differ, as documented.
@quick
@given(tables(), options())
def test_missing_is_one_more_nominal_value(table: Table, options: Options) -> None:
    table = nominal_only(table)
    branch = fitted(classifier_of(replace(options, missing="branch"), prune=False), table)
    other = fitted(classifier_of(replace(options, missing="fraction"), prune=False), written(table))
    trees = [with_rows_only(model.tree_.to_dict()) for model in (branch, other)]
    text = difference(*trees)
    assert text is None, text
    present = np.array(table.weights) > 0
    np.testing.assert_allclose(
        branch.predict_proba(frame_of(table))[present],
        other.predict_proba(frame_of(written(table)))[present],
        atol=1e-9,
    )


@quick
@given(tables(), topdown_options())
def test_missing_is_one_more_nominal_value_of_topdown(table: Table, options: Options) -> None:
    table = nominal_only(table)
    branch = fitted(topdown_of(replace(options, missing="branch")), table).tree_
    other = fitted(topdown_of(replace(options, missing="fraction")), written(table)).tree_
    text = difference(with_rows_only(branch.to_dict()), with_rows_only(other.to_dict()))
    assert text is None, text


programs = st.builds(
    wl.BranchingProgramClassifier,
    merge=st.sampled_from(["budget", "width", "none"]),
    max_width=st.sampled_from([1, 2, 3]),
    split_without_gain=st.booleans(),
    prune=st.booleans(),
    missing=st.just("branch"),
)


@quick
@given(tables(), programs)
def test_programs_without_missing_values(
    table: Table, model: wl.BranchingProgramClassifier
) -> None:
    table = of_present_rows(without_missing(table))
    branch = fitted(model, table).program_
    fraction = fitted(clone(model).set_params(missing="fraction"), table).program_
    for name, array in fraction.arrays.items():
        if name != "missing_branch":
            assert np.array_equal(array, branch.arrays[name]), name
    assert branch.has_missing_branches == (branch.n_nodes > 1)


@quick
@given(tables(), programs)
def test_missing_is_one_more_nominal_value_of_programs(
    table: Table, model: wl.BranchingProgramClassifier
) -> None:
    table = nominal_only(table)
    branch = fitted(model, table)
    other = fitted(clone(model).set_params(missing="fraction"), written(table))
    for name in ("children", "branch_weights", "class_index", "class_weight"):
        assert np.array_equal(branch.program_.arrays[name], other.program_.arrays[name]), name
    present = np.array(table.weights) > 0
    assert np.array_equal(
        branch.predict_proba(frame_of(table))[present],
        other.predict_proba(frame_of(written(table)))[present],
    )


@quick
@given(st.one_of(tables(), longer_tables(40)), programs)
def test_every_row_takes_one_path_through_a_program(
    table: Table, model: wl.BranchingProgramClassifier
) -> None:
    fitted(model, replace(table, weights=[1.0] * len(table.y)))
    path = model.decision_path(frame_of(table))
    assert set(path.data) == {1.0}
    assert np.array_equal(np.asarray(path.sum(axis=0)).ravel(), model.program_.weight)


@quick
@given(st.data(), st.sampled_from(["entropy", "gini", "km"]))
def test_a_threshold_is_the_better_one_with_missing_very_small_or_very_large(
    data: st.DataObject, criterion: str
) -> None:
    n_rows = data.draw(st.integers(2, 40))
    values = [float(x) for x in range(data.draw(st.integers(1, 8)))]
    cells = data.draw(
        st.lists(st.sampled_from([None, None, *values]), min_size=n_rows, max_size=n_rows)
    )
    classes = data.draw(st.lists(st.sampled_from("abc"), min_size=n_rows, max_size=n_rows))
    weights = data.draw(
        st.lists(st.sampled_from([1.0, 1.0, 2.0]), min_size=n_rows, max_size=n_rows)
    )
    min_objects = data.draw(st.sampled_from([1, 2, 3]))

    def impurity_of_leaves(filling: float, missing: str) -> float:
        frame = pd.DataFrame({"x": [filling if cell is None else cell for cell in cells]})
        model = wl.TopDownClassifier(
            criterion, missing=missing, min_objects=min_objects, max_depth=1
        )
        leaves = model.fit(frame, classes, weights).apply(frame)
        rows = list(zip(leaves, classes, weights, strict=True))
        total = 0.0
        for leaf in set(leaves):
            of_class = [
                sum(w for at, y, w in rows if (at, y) == (leaf, k)) for k in sorted(set(classes))
            ]
            total += sum(of_class) * IMPURITY[NAMES[criterion]](of_class)
        return total

    branch = impurity_of_leaves(np.nan, "branch")
    others = [impurity_of_leaves(filling, "fraction") for filling in (-1e6, 1e6)]
    assert branch == pytest.approx(min(others), abs=1e-9)


@quick
@given(st.one_of(tables(), longer_tables(8)), options(), st.booleans())
def test_every_row_takes_one_path_with_all_its_weight(
    table: Table, options: Options, pruned: bool
) -> None:
    table = replace(table, weights=[1.0] * len(table.y))
    model = fitted(classifier_of(replace(options, missing="branch"), prune=pruned), table)
    frame = frame_of(table)
    frame.loc[len(frame)] = [np.nan] * frame.shape[1]  # a row without any value
    path = model.decision_path(frame)
    assert set(path.data) == {1.0}
    leaves = model.apply(frame)
    assert (model.tree_.nodes["n_branches"][leaves] == 0).all()
    weights = model.tree_.weight
    assert np.array_equal(weights, np.floor(weights))
    reached = np.asarray(path[:-1].sum(axis=0)).ravel()
    assert np.array_equal(reached, weights)


@quick
@given(tables(), options())
def test_a_value_that_did_not_occur_counts_as_missing(table: Table, options: Options) -> None:
    model = fitted(classifier_of(replace(options, missing="branch")), table)
    frame = frame_of(table)
    missing, unseen = frame.copy(), frame.copy()
    for name, kind in zip(table.names, table.kinds, strict=True):
        if kind == "nominal":
            missing[name] = missing[name].where(pd.Series(False, index=missing.index))
            unseen[name] = "never seen"
    assert np.array_equal(model.predict_proba(missing), model.predict_proba(unseen))


@pytest.mark.parametrize(
    "make",
    [
        wl.C45Classifier,
        wl.TopDownClassifier,
        partial(wl.BranchingProgramClassifier, max_levels=8),
        partial(wl.BranchingProgramClassifier, merge="width", max_width=3, max_levels=4),
    ],
)
def test_threads_change_no_bit(make: Any) -> None:
    chance = np.random.default_rng(8)
    n_rows = 20_000
    frame = pd.DataFrame(chance.normal(size=(n_rows, 6)).round(3), columns=list("abcdef"))
    frame["g"] = chance.choice(["x", "y", "z"], n_rows)
    y = (frame["a"] + frame["b"] * (frame["g"] == "x") > chance.normal(size=n_rows)).to_numpy()
    # A value is missing more often in one class than in the other.
    frame = frame.mask(chance.random(frame.shape) < np.where(y, 0.3, 0.1)[:, None])
    models = [make(missing="branch", n_jobs=n).fit(frame, y) for n in (1, 2, 3)]
    trees = [getattr(model, model._graph_name) for model in models]
    assert trees[0].n_nodes > 10
    assert trees[0] == trees[1] == trees[2]
