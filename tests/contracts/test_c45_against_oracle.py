"""C45Classifier against the plain Python transcription of the rules, on small random tables."""

from __future__ import annotations

import os
import warnings
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import HealthCheck, example, given, note, settings
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
    note(model.tree_.to_text())
    note(str(tree))
    parting = difference(model.tree_.to_dict(), tree)
    assert parting is None, parting

    # The oracle's answers are those of the model's own tree: noise in weights is judged above.
    rows = [table.row(i) for i in range(len(table.y))]
    rows.append([None] * len(table.columns))
    every = replace(table, columns=[[*column, None] for column in table.columns])
    wanted = np.array(predict_proba(model.tree_.to_dict(), rows, table))
    occurring = [table.classes.index(label) for label in model.classes_]
    np.testing.assert_allclose(
        model.predict_proba(frame_of(every)), wanted[:, occurring], rtol=0, atol=1e-9
    )


@patient
@given(tables(), options(), st.booleans())
def test_gives_the_oracles_tree_and_answers(table: Table, options: Options, pruned: bool) -> None:
    check(table, options, pruned)
