"""skl2onnx converts pipelines with classifiers of this package."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

import weaklearn as wl

skl2onnx = pytest.importorskip("skl2onnx", reason="converting pipelines needs skl2onnx")
onnxruntime = pytest.importorskip("onnxruntime", reason="running ONNX needs onnxruntime")
types = pytest.importorskip("skl2onnx.common.data_types")


@pytest.fixture(autouse=True)
def _registered() -> None:
    wl.export.register_skl2onnx()


def run(converted: Any, inputs: dict[str, np.ndarray]) -> list[Any]:
    session = onnxruntime.InferenceSession(
        converted.SerializeToString(), providers=["CPUExecutionProvider"]
    )
    outputs: list[Any] = session.run(None, inputs)
    return outputs


@pytest.mark.parametrize(
    "model",
    [
        wl.C45Classifier(),
        wl.BranchingProgramClassifier(max_levels=4),
        wl.AdaBoostM1Classifier(n_rounds=5),
        wl.RulesClassifier(),
        wl.OC1Classifier(random_state=0),
    ],
    ids=lambda model: type(model).__name__,
)
def test_a_pipeline(model: Any) -> None:
    table = wl.datasets.load("iris")
    X = table.X.to_numpy(np.float64)
    pipeline = make_pipeline(StandardScaler(), model).fit(X, table.y)
    X = X.copy()
    X[::3, 2] = np.nan
    label, probabilities = run(
        skl2onnx.to_onnx(pipeline, X[:1], options={"zipmap": False}), {"X": X}
    )
    assert label.tolist() == pipeline.predict(X).tolist()
    np.testing.assert_array_equal(probabilities, pipeline.predict_proba(X))


def test_dictionaries_of_probabilities_are_float32() -> None:
    X = np.arange(20.0)[:, None]
    model = wl.BaggedClassifier(n_members=3, random_state=0).fit(X, np.arange(20) // 5)
    label, maps = run(skl2onnx.to_onnx(model, X), {"X": X})
    assert label.tolist() == model.predict(X).tolist()
    got = [[of_row[k] for k in range(4)] for of_row in maps]
    np.testing.assert_allclose(got, model.predict_proba(X), rtol=0, atol=1e-6)


def test_a_column_transformer() -> None:
    chance = np.random.default_rng(0)
    size, colour = chance.normal(size=90), chance.choice(["red", "green", "blue"], 90)
    frame = pd.DataFrame({"size": size, "colour": colour.astype(object)})
    y = np.where((frame["size"] > 0) & (frame["colour"] != "red"), "yes", "no")
    transformer = ColumnTransformer(
        [
            ("numbers", StandardScaler(), ["size"]),
            ("texts", OneHotEncoder(sparse_output=False, handle_unknown="ignore"), ["colour"]),
        ]
    )
    pipeline = make_pipeline(transformer, wl.C45Classifier()).fit(frame, y)
    converted = skl2onnx.to_onnx(
        pipeline,
        initial_types=[
            ("size", types.DoubleTensorType([None, 1])),
            ("colour", types.StringTensorType([None, 1])),
        ],
        options={"zipmap": False},
    )
    frame.loc[5, "colour"] = "violet"
    inputs = {"size": frame[["size"]].to_numpy(), "colour": frame[["colour"]].to_numpy(object)}
    label, probabilities = run(converted, inputs)
    assert label.tolist() == pipeline.predict(frame).tolist()
    np.testing.assert_array_equal(probabilities, pipeline.predict_proba(frame))


def test_strings_are_nominal() -> None:
    frame = pd.DataFrame({"a": ["x", "y"] * 10, "b": ["u", "u", "v", "v"] * 5}, dtype=object)
    y = (frame["a"] == "x") & (frame["b"] == "u")
    model = wl.C45Classifier(min_objects=1).fit(frame, y)
    converted = skl2onnx.to_onnx(
        model,
        initial_types=[("X", types.StringTensorType([None, 2]))],
        options={"zipmap": False},
    )
    frame.loc[3, "b"] = ""
    label, probabilities = run(converted, {"X": frame.to_numpy(object)})
    assert label.tolist() == model.predict(frame).astype(int).tolist()
    np.testing.assert_array_equal(probabilities, model.predict_proba(frame).astype(np.float32))


def test_a_wrong_type_or_opset_is_an_error() -> None:
    X = np.arange(20.0)[:, None]
    model = wl.C45Classifier().fit(X, np.arange(20) // 5)
    strings = [("X", types.StringTensorType([None, 1]))]
    with pytest.raises(RuntimeError, match="has strings in the ONNX graph, expected numbers"):
        skl2onnx.to_onnx(model, initial_types=strings)
    with pytest.raises(RuntimeError, match="got target_opset=15, expected 18 or more"):
        skl2onnx.to_onnx(model, X, target_opset=15)
    wide = [("X", types.DoubleTensorType([None, 2]))]
    with pytest.raises(RuntimeError, match="have 2 columns, expected 1"):
        skl2onnx.to_onnx(model, initial_types=wide)
