"""The description of a model is complete: interpreted by hand, it predicts the same bits."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.ensemble import BaggingClassifier
from sklearn.exceptions import NotFittedError
from sklearn.tree import DecisionTreeClassifier

import weaklearn as wl
from contracts.classifiers import ALL, COMMITTEES
from contracts.oracle_table import frame_of, labels_of
from export.models import (
    FACTORIES,
    encoded,
    fitted,
    predictions,
    random_cells,
    rows_of,
    training_table,
)
from oracles import exported
from oracles.c45 import Table
from random_graphs import graphs
from strategies import tables
from weaklearn.encoding import EncodedRows
from weaklearn.export.describe_models import greatest_rounding_to
from weaklearn.models import Graph


@pytest.mark.parametrize("name", FACTORIES)
def test_the_description_predicts_the_same_bits(name: str) -> None:
    model = fitted(name)
    described = wl.export.describe(model)
    rows = encoded(model, rows_of(np.random.default_rng(1), 60))
    labels, probabilities = predictions(model, rows)
    cells = list(zip(*(array.tolist() for array in rows.arrays), strict=True))
    assert [exported.predict(described, row) for row in cells] == labels
    assert [exported.predict_proba(described, row) for row in cells] == probabilities


@given(graph=graphs(), seed=st.integers(0, 2**32))
def test_any_graph_is_described(graph: Graph, seed: int) -> None:
    chance = np.random.default_rng(seed)
    described = wl.export.describe(graph)
    rows = EncodedRows([random_cells(chance, i, 12) for i in described.inputs], 12)
    cells = list(zip(*(array.tolist() for array in rows.arrays), strict=True))
    classes = [described.labels.index(exported.predict(described, row)) for row in cells]
    assert classes == graph.predict_class_indices(rows).tolist()
    shares = [exported.predict_proba(described, row) for row in cells]
    # A branch of positive weight at a node without weight has no finite share.
    np.testing.assert_array_equal(shares, graph.predict_class_shares(rows))


@pytest.mark.parametrize("name", ["c45", "program-width", "oc1", "real-adaboost", *COMMITTEES])
@settings(max_examples=8)
@given(table=tables(weighted=False))
def test_models_of_small_tables_are_described(name: str, table: Table) -> None:
    X, y = frame_of(table), labels_of(table)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # such tables are suspicious
        model = {**ALL, **COMMITTEES}[name]().fit(X, y)
    described = wl.export.describe(model)
    rows = model._encode(X)
    cells = list(zip(*(array.tolist() for array in rows.arrays), strict=True))
    assert [exported.predict(described, row) for row in cells] == model.predict(X).tolist()
    probabilities = [exported.predict_proba(described, row) for row in cells]
    assert probabilities == model.predict_proba(X).tolist()


@given(st.floats(allow_nan=False), st.floats(allow_nan=False, width=32))
def test_moved_thresholds_compare_as_single_precision_does(value: float, bound: float) -> None:
    with np.errstate(over="ignore"):
        wanted = np.float32(value) <= np.float32(bound)
    assert (value <= greatest_rounding_to(np.array([bound]))[0]) == wanted
    edge = greatest_rounding_to(np.array([bound]))[0]
    with np.errstate(over="ignore"):
        assert np.float32(edge) <= np.float32(bound)
        above = np.nextafter(edge, np.inf)
        assert above == edge or np.float32(above) > np.float32(bound)


@pytest.mark.parametrize("name", ["adaboost", "bagged", "real-adaboost-costs", "boosted-forest"])
def test_sums_over_many_classes_have_an_order(name: str) -> None:
    """NumPy adds eight numbers or more in an order of its own, which exports do not have."""
    X, _ = training_table()
    chance = np.random.default_rng(8)
    y = (X["close"].fillna(16777219.0) - 16777216.0) + 10 * chance.integers(0, 2, len(X))
    model = clone(fitted(name))
    if getattr(model, "costs", None) is not None:
        model.set_params(costs=chance.integers(1, 9, (20, 20)) * (1.0 - np.eye(20)))
    model.fit(X, y.astype(int))
    described = wl.export.describe(model)
    assert described.n_classes > 16
    rows = encoded(model, rows_of(np.random.default_rng(7), 60))
    labels, probabilities = predictions(model, rows)
    cells = list(zip(*(array.tolist() for array in rows.arrays), strict=True))
    assert [exported.predict(described, row) for row in cells] == labels
    assert [exported.predict_proba(described, row) for row in cells] == probabilities


def test_g2_of_stumps_is_one_sum() -> None:
    X, y = training_table()
    is_no = (y == "no").to_numpy()
    model = wl.G2Classifier(graph=wl.SeparatorGraph(9)).fit(X, is_no)
    rows = rows_of(np.random.default_rng(5), 80)
    described = wl.export.describe(model)
    arrays = model.hypotheses_[0]._encode(rows).arrays
    cells = list(zip(*(array.tolist() for array in arrays), strict=True))
    assert [exported.predict(described, row) for row in cells] == model.predict(rows).tolist()
    probabilities = [exported.predict_proba(described, row) for row in cells]
    assert probabilities == model.predict_proba(rows).tolist()
    outputs = [exported.scores(described, row)[1] for row in cells]
    assert outputs == model.decision_function(rows).tolist()
    assert len(set(outputs)) > 10

    one = wl.G2Classifier().fit(X, is_no, sample_weight=is_no.astype(float))
    described = wl.export.describe(one)
    assert [exported.predict(described, row) for row in cells] == one.predict(rows).tolist()
    probabilities = [exported.predict_proba(described, row) for row in cells]
    assert probabilities == one.predict_proba(rows).tolist()

    tree = wl.TreeGraph(wl.StumpClassifier(), max_depth=1)
    for changed, reason in (
        ({"graph": tree}, "it has grown a TreeGraph"),
        ({"weak_learner": wl.RealAdaBoostClassifier(3)}, "a hypothesis is not a stump"),
        ({"weak_learner": wl.C45Classifier()}, "its hypotheses are C45Classifier models"),
        ({"costs": [[0, 2], [1, 0]]}, "it has costs"),
    ):
        with pytest.raises(TypeError, match=f"cannot be exported, because {reason}"):
            wl.export.describe(wl.G2Classifier(**changed).fit(X, is_no))


def test_models_that_cannot_be_described() -> None:
    X, y = training_table()
    numbers = X[["int", "close"]].fillna(0.0)
    of_sklearn = wl.BaggedClassifier(DecisionTreeClassifier(), n_members=2).fit(numbers, y)
    with pytest.raises(TypeError, match="members are DecisionTreeClassifier models that vote"):
        wl.export.describe(of_sklearn)
    with pytest.raises(TypeError, match="members are DecisionTreeClassifier models that vote"):
        wl.export.describe(wl.as_committee(BaggingClassifier(n_estimators=2).fit(numbers, y)))
    nested = wl.BaggedClassifier(wl.AdaBoostM1Classifier(n_rounds=2), n_members=2).fit(numbers, y)
    with pytest.raises(TypeError, match="a committee of committees cannot be exported"):
        wl.export.describe(nested)
    with pytest.raises(TypeError, match="got DecisionTreeClassifier, expected a fitted classifier"):
        wl.export.describe(DecisionTreeClassifier())
    with pytest.raises(NotFittedError):
        wl.export.describe(wl.C45Classifier())
    with pytest.raises(NotFittedError):
        wl.export.describe(wl.AdaBoostM1Classifier())
