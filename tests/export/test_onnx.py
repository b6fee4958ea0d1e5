"""Models in ONNX predict the same classes, and the same probabilities to the last bit."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import weaklearn as wl
from export.models import FACTORIES, encoded, fitted, predictions, rows_of
from export.random_rows import random_rows
from random_graphs import chain, doubling_program, graphs
from weaklearn.encoding import EncodedRows
from weaklearn.export.description import Description

onnx = pytest.importorskip("onnx", reason="exporting to ONNX needs onnx")
onnxruntime = pytest.importorskip("onnxruntime", reason="running ONNX needs onnxruntime")


def feeds(described: Description, rows: EncodedRows) -> dict[str, np.ndarray]:
    """Return encoded rows as the inputs of an exported model."""
    inputs = {}
    for x, array in zip(described.inputs, rows.arrays, strict=True):
        if x.kind == "ignored":
            continue
        column = np.asarray(array)
        if x.kind == "nominal" and any(isinstance(value, str) for value in x.values):
            column = np.array([*map(str, x.values), "not a value"], object)[column]
        elif x.kind == "nominal":
            column = np.array([*x.values, np.nan], np.float64)[column]
        inputs[x.name] = column[:, None]
    return inputs


def run(exported: Any, inputs: dict[str, np.ndarray]) -> tuple[list[Any], np.ndarray]:
    """Return labels and probabilities; a warning of the runtime is an error here."""
    onnx.checker.check_model(exported)
    session = onnxruntime.InferenceSession(
        exported.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    label, probabilities = session.run(None, inputs)
    return label.tolist(), probabilities


@pytest.mark.parametrize("name", FACTORIES)
def test_every_kind_of_model(name: str) -> None:
    model = fitted(name)
    rows = encoded(model, rows_of(np.random.default_rng(7), 100))
    labels, probabilities = predictions(model, rows)
    label, got = run(wl.export.onnx(model), feeds(wl.export.describe(model), rows))
    assert label == labels
    np.testing.assert_array_equal(got, probabilities, strict=True)


def as_float32(described: Description, rows: EncodedRows) -> EncodedRows:
    """Return rows whose numbers are float32, as float64; dates and codes as they are."""
    with np.errstate(over="ignore"):
        arrays = [
            np.asarray(array).astype(np.float32).astype(np.float64) if x.kind == "number" else array
            for x, array in zip(described.inputs, rows.arrays, strict=True)
        ]
    return EncodedRows(arrays, rows.n_rows)


def narrow_feeds(described: Description, rows: EncodedRows) -> dict[str, np.ndarray]:
    """Return encoded rows as the inputs of a model that is exported with float32=True."""
    kinds = {x.name: x.kind for x in described.inputs}
    return {
        name: array.astype(np.float32) if kinds[name] == "number" else array
        for name, array in feeds(described, rows).items()
    }


@pytest.mark.parametrize("name", FACTORIES)
def test_every_kind_of_model_in_float32(name: str) -> None:
    model = fitted(name)
    described = wl.export.describe(model)
    rows = as_float32(described, encoded(model, rows_of(np.random.default_rng(8), 100)))
    labels, probabilities = predictions(model, rows)
    label, got = run(wl.export.onnx(model, float32=True), narrow_feeds(described, rows))
    assert label == labels
    np.testing.assert_array_equal(got, np.array(probabilities, np.float32), strict=True)
    np.testing.assert_allclose(got, probabilities, rtol=0, atol=1e-6)


@given(graph=graphs(), seed=st.integers(0, 2**32))
@settings(max_examples=20, deadline=None)
def test_random_trees_and_programs_in_float32(graph: Any, seed: int) -> None:
    described = wl.export.describe(graph)
    assume(np.isfinite(described.model.branch_share).all())
    rows = as_float32(described, random_rows(seed))
    label, got = run(wl.export.onnx(graph, float32=True), narrow_feeds(described, rows))
    assert label == [str(graph.schema.classes[k]) for k in graph.predict_class_indices(rows)]
    np.testing.assert_array_equal(got, graph.predict_class_shares(rows).astype(np.float32))


@given(graph=graphs(), seed=st.integers(0, 2**32))
@settings(max_examples=40, deadline=None)
def test_random_trees_and_programs(graph: Any, seed: int) -> None:
    described = wl.export.describe(graph)
    # A split without weight and with branches that have some does not occur in fitted models.
    assume(np.isfinite(described.model.branch_share).all())
    rows = random_rows(seed)
    label, probabilities = run(wl.export.onnx(graph), feeds(described, rows))
    expected = [str(graph.schema.classes[k]) for k in graph.predict_class_indices(rows)]
    assert label == expected
    np.testing.assert_array_equal(probabilities, graph.predict_class_shares(rows))


@pytest.mark.parametrize("graph", [chain(200), doubling_program(12)], ids=["chain", "program"])
def test_deep_graphs(graph: Any) -> None:
    x = np.array([np.nan, -np.inf, np.inf, 0.0, 3.5, 77.0])
    label, probabilities = run(wl.export.onnx(graph), {"x": x[:, None]})
    rows = EncodedRows([x], len(x))
    assert label == [graph.schema.classes[k] for k in graph.predict_class_indices(rows)]
    np.testing.assert_array_equal(probabilities, graph.predict_class_shares(rows))


@pytest.mark.parametrize("n_rows", [0, 1])
@pytest.mark.parametrize("name", ["c45", "program", "adaboost", "rules", "real-adaboost"])
def test_no_row_and_one_row(name: str, n_rows: int) -> None:
    model = fitted(name)
    rows = encoded(model, rows_of(np.random.default_rng(3), 5)).take_rows(np.arange(n_rows))
    label, probabilities = run(wl.export.onnx(model), feeds(wl.export.describe(model), rows))
    assert len(label) == n_rows
    assert probabilities.shape == (n_rows, 4)


@pytest.mark.parametrize("labels", [(1, 2), (False, True), (1.0, 3.0), ("a", "b")])
def test_types_of_labels(labels: tuple[Any, Any]) -> None:
    X, y = [[1.0], [2.0], [3.0], [4.0]], np.repeat(labels, 2)
    model = wl.C45Classifier().fit(pd.DataFrame(X, columns=["x"]), y)
    label, _ = run(wl.export.onnx(model), {"x": np.array([[1.0], [4.0]])})
    assert label == list(labels)


def test_a_nominal_column_of_numbers_is_a_number() -> None:
    frame = pd.DataFrame({"code": [1, 1, 2, 2, 3, 3] * 3})
    model = wl.C45Classifier(nominal=["code"]).fit(frame, ["a", "a", "b", "b", "a", "a"] * 3)
    codes = np.array([[2.0], [3.0], [np.nan], [9.0], [-0.0]])
    label, probabilities = run(wl.export.onnx(model), {"code": codes})
    assert label[:2] == ["b", "a"]
    expected = model.predict_proba(pd.DataFrame({"code": [None, 9, 0]}))
    np.testing.assert_array_equal(probabilities[2:], expected)


def test_names_of_columns_may_be_anything() -> None:
    names = ["label", "probabilities", "wl_c_1", "ü '\"; --", "label_"]
    chance = np.random.default_rng(0)
    frame = pd.DataFrame(chance.normal(size=(60, 5)), columns=names)
    model = wl.C45Classifier(min_objects=1).fit(frame, frame.sum(axis=1) > 0)
    exported = wl.export.onnx(model)
    assert [output.name for output in exported.graph.output] == ["label__", "probabilities_"]
    label, _ = run(exported, {name: frame[[name]].to_numpy() for name in names})
    assert label == model.predict(frame).astype(int).tolist()


def test_an_empty_name_is_an_error() -> None:
    model = wl.C45Classifier().fit(pd.DataFrame({"": [1.0, 2.0, 3.0, 4.0]}), [0, 0, 1, 1])
    with pytest.raises(ValueError, match="a column has an empty name"):
        wl.export.onnx(model)


def test_a_factor_close_to_one_is_not_dropped() -> None:
    # onnxruntime drops a factor whose float32 is 1.
    frame, y = pd.DataFrame({"x": np.arange(8.0)}), ["a", "b"] * 4
    committee = wl.BaggedClassifier(n_members=2, random_state=0, vote="shares").fit(frame, y)
    committee = committee.with_votes([1.0 + 1e-12, 3.0])
    _, probabilities = run(wl.export.onnx(committee), {"x": frame.to_numpy()})
    np.testing.assert_array_equal(probabilities, committee.predict_proba(frame))


def test_the_file_is_what_is_returned(tmp_path: Any) -> None:
    path = tmp_path / "model.onnx"
    exported = wl.export.onnx(fitted("stump"), path)
    assert path.read_bytes() == exported.SerializeToString()


def test_a_model_of_another_package_is_an_error() -> None:
    with pytest.raises(TypeError, match="expected a fitted classifier of this package"):
        wl.export.onnx(3)


def test_more_features_than_bits_of_a_word() -> None:
    chance = np.random.default_rng(0)
    names = [f"x{i}" for i in range(140)]
    X = pd.DataFrame(chance.normal(size=(400, 140)), columns=names)
    y = (X.to_numpy() @ chance.normal(size=140) > 0).astype(int)
    model = wl.BaggedClassifier(
        wl.C45Classifier(min_objects=1, prune=False, max_features=5),
        n_members=12,
        random_state=0,
    ).fit(X, y)
    X = X.mask(chance.random(X.shape) < 0.02)
    label, probabilities = run(wl.export.onnx(model), {n: X[[n]].to_numpy() for n in names})
    assert label == model.predict(X).tolist()
    np.testing.assert_array_equal(probabilities, model.predict_proba(X))


def test_more_branches_than_a_byte_counts() -> None:
    codes = [f"v{i}" for i in range(300)]
    frame = pd.DataFrame({"code": pd.Series(codes * 2, dtype=object)})
    y = np.arange(600) % 300 % 7
    model = wl.C45Classifier(min_objects=1, nominal=["code"], prune=False).fit(frame, y)
    assert model.get_n_leaves() == 300
    label, probabilities = run(wl.export.onnx(model), {"code": np.array([["v299"], ["v7"], [""]])})
    expected = pd.DataFrame({"code": ["v299", "v7", None]})
    assert label == model.predict(expected).tolist()
    np.testing.assert_array_equal(probabilities, model.predict_proba(expected))


def test_absent_packages_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    model = fitted("stump")
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(
        ImportError, match=r"needs the package onnx: pip install 'weaklearn\[onnx\]'"
    ):
        wl.export.onnx(model)
    monkeypatch.setitem(sys.modules, "skl2onnx", None)
    with pytest.raises(ImportError, match="needs the package skl2onnx: pip install"):
        wl.export.register_skl2onnx()
