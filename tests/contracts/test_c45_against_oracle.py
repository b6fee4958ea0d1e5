"""C45Classifier against the plain Python transcription of the rules, on small random tables."""

from __future__ import annotations

import os
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from oracles.c45 import Options, Table, grow, predict_proba, prune
from oracles.c45_table import precision_of
from strategies import options, tables

from .oracle_table import classifier_of, difference, frame_of, labels_of

# More examples on demand: WEAKLEARN_EXAMPLES=5000 pytest tests/contracts
EXAMPLES = int(os.environ.get("WEAKLEARN_EXAMPLES", "200"))
patient = settings(
    max_examples=EXAMPLES,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
pytestmark = pytest.mark.filterwarnings("ignore:column .* varies by less than:UserWarning")


def of_present_rows(table: Table) -> Table:
    """Rows of weight zero are absent, so they have no say in a column's precision either."""
    precision = [
        precision_of([cell for cell, w in zip(column, table.weights, strict=True) if w > 0])
        for column in table.columns
    ]
    return replace(table, precision=precision)


def check(table: Table, options: Options, pruned: bool) -> None:
    table = of_present_rows(table)
    frame = frame_of(table)
    model = classifier_of(options, prune=pruned).fit(frame, labels_of(table), table.weights)
    tree = grow(table, options)
    if pruned:
        tree = prune(tree, table, options)
    parting = difference(model.tree_.to_dict(), tree)
    assert parting is None, parting

    rows = [table.row(i) for i in range(len(table.y))]
    rows.append([None] * len(table.columns))
    every = replace(table, columns=[[*column, None] for column in table.columns])
    wanted = np.array(predict_proba(tree, rows, table))
    occurring = [table.classes.index(label) for label in model.classes_]
    np.testing.assert_allclose(
        model.predict_proba(frame_of(every)), wanted[:, occurring], rtol=0, atol=1e-9
    )


@patient
@given(tables(), options(), st.booleans())
def test_gives_the_oracles_tree_and_answers(table: Table, options: Options, pruned: bool) -> None:
    check(table, options, pruned)


# A column of more than 255 distinct numbers is kept in sorted order all the way down, one of fewer
# is counted node by node: small tables never see the former.
@st.composite
def longer_tables(draw: st.DrawFn, most_values: int) -> Table:
    chance = np.random.default_rng(draw(st.integers(0, 2**32)))
    n_rows = draw(st.sampled_from([280, 340, 420]))
    decimals = draw(st.sampled_from([9, 3, 2]))
    few = chance.integers(0, 5, n_rows).astype(float)
    first, second = chance.normal(size=(2, n_rows)).round(decimals)
    names = [f"v{i}" for i in range(300)]
    many = [names[i] for i in chance.integers(0, most_values, n_rows)]
    score = first + second * (few > 2) + chance.normal(scale=0.3, size=n_rows)
    classes = ["c0", "c1", "c2"]
    y = [classes[k] for k in np.digitize(score, [-0.5, 0.7])]
    columns: list[list[object]] = [first.tolist(), few.tolist(), second.tolist(), list(many)]
    for column in columns:
        if draw(st.booleans()):
            for i in np.flatnonzero(chance.random(n_rows) < 0.1):
                column[i] = None
    weights = draw(
        st.sampled_from(
            [
                [],
                chance.integers(0, 4, n_rows).astype(float).tolist(),
                chance.choice([0.25, 0.4, 1.0, 1.3], n_rows).tolist(),
            ]
        )
    )
    kinds = ["continuous"] * 3 + ["nominal"]
    return Table(columns, kinds, [[], [], [], names], classes, y, weights)


@settings(patient, max_examples=EXAMPLES // 8)
@given(st.data(), options(), st.booleans())
def test_longer_tables(data: st.DataObject, options: Options, pruned: bool) -> None:
    # The oracle tries the pairs of values again and again: a few of them are enough.
    check(data.draw(longer_tables(8 if options.subset else 300)), options, pruned)


@pytest.mark.parametrize("criterion", ["gain_ratio", "gini"])
def test_more_numbers_than_sixteen_bits_can_count(criterion: str) -> None:
    chance = np.random.default_rng(5)
    n_rows = 70_000
    x = chance.permutation(n_rows) * 0.37
    y = ["c0" if v else "c1" for v in (x > 9_000) ^ (chance.random(n_rows) < 0.2)]
    table = Table([x.tolist()], ["continuous"], [[]], ["c0", "c1"], y)
    assert table.precision == ["single"]
    check(table, Options(criterion=criterion, max_depth=1), pruned=False)
