"""Convert pipelines of scikit-learn to ONNX by skl2onnx."""

from __future__ import annotations

from typing import Any

import numpy as np

from weaklearn.export import description as d
from weaklearn.export.describe import describe
from weaklearn.export.onnx_file import encode_inputs, is_text, output_labels
from weaklearn.export.onnx_graph import ML_OPSET, OPSET, OnnxGraph, drop_unused
from weaklearn.export.onnx_model import add_model

#: The options of skl2onnx for the outputs of classifiers.
_OPTIONS = {
    "zipmap": [True, False, "columns"],
    "nocl": [True, False],
    "output_class_labels": [False, True],
}


def register_skl2onnx() -> None:
    """Register converters with skl2onnx for the classifiers of this package, also in pipelines.

    Examples
    --------
    >>> import numpy as np
    >>> import weaklearn as wl
    >>> from skl2onnx import to_onnx
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> wl.export.register_skl2onnx()
    >>> table = wl.datasets.load("iris")
    >>> X = table.X.to_numpy()
    >>> pipeline = make_pipeline(StandardScaler(), wl.C45Classifier()).fit(X, table.y)
    >>> [output.name for output in to_onnx(pipeline, X, options={"zipmap": False}).graph.output]
    ['label', 'probabilities']
    """
    try:
        from skl2onnx import update_registered_converter
    except ImportError as error:
        raise ImportError(
            "converting pipelines needs the package skl2onnx: pip install 'weaklearn[onnx]'"
        ) from error
    import weaklearn.estimators as estimators

    for name in estimators.__all__:
        kind = getattr(estimators, name)
        if isinstance(kind, type) and hasattr(kind, "predict_proba"):
            update_registered_converter(
                kind,
                f"Weaklearn{name}",
                _set_output_types,
                _convert,
                options=_OPTIONS,
            )


def _set_output_types(operator: Any) -> None:
    from skl2onnx.common.data_types import (
        DoubleTensorType,
        FloatTensorType,
        Int64TensorType,
        StringTensorType,
    )

    n_rows = operator.inputs[0].type.shape[0]
    labels = output_labels(operator.raw_operator.classes_.tolist())
    label_types = {"O": StringTensorType, "i": Int64TensorType, "f": DoubleTensorType}
    double = any(isinstance(x.type, DoubleTensorType) for x in operator.inputs)
    # Dictionaries of probabilities, which skl2onnx makes unless told otherwise, are float32.
    zipmap = operator.scope_inst.get_options(operator.raw_operator, {"zipmap": True})["zipmap"]
    double = double and zipmap is not True
    operator.outputs[0].type = label_types[labels.dtype.kind]([n_rows])
    probability_type = DoubleTensorType if double else FloatTensorType
    operator.outputs[1].type = probability_type([n_rows, len(labels)])


def _convert(scope: Any, operator: Any, container: Any) -> None:
    from skl2onnx.common.data_types import DoubleTensorType

    if container.target_opset_any_domain("") < OPSET:
        raise RuntimeError(
            f"got target_opset={container.target_opset_any_domain('')}, expected {OPSET} or more."
        )
    model = operator.raw_operator
    described = describe(model)
    graph = OnnxGraph(f"{scope.get_unique_variable_name('wl')}_")
    labels = output_labels(described.labels)
    is_double = isinstance(operator.outputs[1].type, DoubleTensorType)
    dtype = np.float64 if is_double else np.float32

    def predict(body: OnnxGraph) -> list[str]:
        columns = _columns(body, operator, described)
        rows = encode_inputs(body, described, columns)
        label, probabilities = add_model(body, rows, described)
        return [body.take(labels, label), body.cast(probabilities, dtype)]

    def nothing(body: OnnxGraph) -> list[str]:
        return [body.constant(labels[:0]), body.constant(np.zeros((0, len(labels)), dtype))]

    # skl2onnx sorts operators and does not see what the bodies of loops read. So everything is in
    # one body, whose condition depends on all inputs and always holds.
    sizes = [graph("Size", x.full_name) for x in operator.inputs]
    holds = graph("GreaterOrEqual", graph("Min", *sizes), np.array(0))
    results = graph.choose(holds, [labels.dtype.type, dtype], predict, nothing)
    outputs = [x.full_name for x in operator.outputs]
    for result, output in zip(results, outputs, strict=True):
        graph.copy_to(result, output)
    drop_unused(graph.nodes, graph.initializers, outputs)
    container.nodes.extend(graph.nodes)
    container.initializers.extend(graph.initializers)
    container.node_domain_version_pair_sets.update({("", OPSET), ("ai.onnx.ml", ML_OPSET)})


def _columns(graph: OnnxGraph, operator: Any, described: d.Description) -> list[str]:
    """Return the columns of all inputs of an operator, as float64 or strings."""
    from skl2onnx.common.data_types import StringTensorType

    columns: list[str] = []
    for x in operator.inputs:
        n_columns = x.type.shape[1]
        is_string = isinstance(x.type, StringTensorType)
        for i in range(n_columns):
            column = graph.column(x.full_name, i)
            columns.append(column if is_string else graph.cast(column, np.float64))
            position = len(columns) - 1
            if position < len(described.inputs):
                _check_type(described.inputs[position], is_string)
    if len(columns) != len(described.inputs):
        raise RuntimeError(
            f"the ONNX inputs of {described.model_name} have {len(columns)} columns, expected "
            f"{len(described.inputs)}."
        )
    return columns


def _check_type(x: d.Input, is_string: bool) -> None:
    needs_string = x.kind == "nominal" and is_text(x)
    if x.kind != "ignored" and is_string != needs_string:
        got, expected = ("strings", "numbers") if is_string else ("numbers", "strings")
        raise RuntimeError(
            f"column {x.name!r} has {got} in the ONNX graph, expected {expected} as in training."
        )
