"""Export models to ONNX."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from weaklearn.export import description as d
from weaklearn.export.describe import describe
from weaklearn.export.onnx_graph import ML_OPSET, OPSET, OnnxGraph, drop_unused
from weaklearn.export.onnx_model import add_model
from weaklearn.export.onnx_rows import OnnxRows
from weaklearn.files import write_atomically
from weaklearn.tables.column import Label

if TYPE_CHECKING:
    from onnx import ModelProto

#: The version of the file format that belongs to the operators.
_IR_VERSION = 8


def onnx(
    model: Any, path: str | PathLike[str] | None = None, *, float32: bool = False
) -> ModelProto:
    """Export a fitted model to ONNX.

    The graph has standard operators only and computes in float64. It predicts the same class as the
    model for every row, and probabilities that are equal to the last bit, also where values are
    missing.

    Parameters
    ----------
    model : classifier, Graph or Ruleset
        A fitted model of this package.
    path : path, optional
        A file to write, completely or not at all.
    float32 : bool
        Whether columns of numbers and the probabilities are float32, as many services pass them.
        Values are widened to float64 before they are compared. So a row is predicted as the model
        predicts its float32 values, and only the probabilities are rounded. Dates and nominal
        columns of numbers stay float64: float32 does not have the seconds of a date.

    Returns
    -------
    onnx.ModelProto
        The graph has an input for each column that the model may read, with its name and the shape
        (n_rows, 1): strings for nominal columns, float64 for numbers, NaN if missing, and seconds
        since 1970-01-01 UTC for dates. A string that is not a value of the column is missing, for
        example the empty string. A nominal column whose values are numbers is float64. The outputs
        are ``label`` and ``probabilities``, in the order of ``classes_``.

    Examples
    --------
    >>> import onnxruntime
    >>> import weaklearn as wl
    >>> table = wl.datasets.load("iris")
    >>> exported = wl.export.onnx(wl.C45Classifier().fit(table.X, table.y))
    >>> session = onnxruntime.InferenceSession(exported.SerializeToString())
    >>> inputs = {name: table.X[[name]].to_numpy() for name in table.X}
    >>> label, probabilities = session.run(None, inputs)
    >>> label[:2]
    array(['setosa', 'setosa'], dtype=object)
    """
    helper = _onnx_helper()
    described = describe(model)
    graph = OnnxGraph(_prefix(described))
    inputs = [x for x in described.inputs if x.kind != "ignored"]
    if not inputs:
        raise ValueError("the model ignores all columns, so an ONNX graph would have no input.")
    if any(not x.name for x in inputs):
        raise ValueError("a column has an empty name, which ONNX does not allow: rename it.")
    narrow = np.dtype(np.float32 if float32 else np.float64)
    columns = [_as_float64(graph, x, narrow) for x in described.inputs]
    rows = encode_inputs(graph, described, columns)
    label, probabilities = add_model(graph, rows, described)
    names = [_free_name(name, described) for name in ("label", "probabilities")]
    labels = output_labels(described.labels)
    graph.copy_to(graph.take(labels, label), names[0])
    if float32:
        probabilities = graph.cast(probabilities, np.float32)
    graph.copy_to(probabilities, names[1])
    drop_unused(graph.nodes, graph.initializers, names)
    info, tensor_type = helper.make_tensor_value_info, helper.np_dtype_to_tensor_dtype
    exported: ModelProto = helper.make_model(
        helper.make_graph(
            graph.nodes,
            described.model_name,
            [info(x.name, tensor_type(_input_type(x, narrow)), [None, 1]) for x in inputs],
            [
                info(names[0], tensor_type(labels.dtype), [None]),
                info(names[1], tensor_type(narrow), [None, len(labels)]),
            ],
            graph.initializers,
        ),
        producer_name="weaklearn",
        opset_imports=[
            helper.make_opsetid("", OPSET),
            helper.make_opsetid("ai.onnx.ml", ML_OPSET),
        ],
        ir_version=_IR_VERSION,
    )
    if path is not None:
        write_atomically(Path(path), exported.SerializeToString())
    return exported


def encode_inputs(graph: OnnxGraph, described: d.Description, columns: Sequence[str]) -> OnnxRows:
    """Encode columns of shape (n_rows, 1), which are strings or float64 as for `onnx`.

    Parameters
    ----------
    graph : OnnxGraph
        Where operators are added.
    described : Description
        The model.
    columns : sequence of str
        The tensor of each input; an ignored one may be empty.
    """
    n_rows = graph.length(next(column for column in columns if column))
    parts, codes = [], {}
    for feature, (x, column) in enumerate(zip(described.inputs, columns, strict=True)):
        if x.kind == "ignored":
            parts.append(graph.filled([n_rows, np.array([1])], np.array(np.nan)))
        elif x.kind != "nominal":
            parts.append(column)
        else:
            code = _codes(graph, x, column)
            codes[feature] = graph.flat(code)
            parts.append(graph.cast(code, np.float64))
    matrix = graph("Concat", *parts, axis=1)
    return OnnxRows(n_rows, matrix, codes, tuple(len(x.values) for x in described.inputs))


def _codes(graph: OnnxGraph, x: d.Input, column: str) -> str:
    """Return the code of each value of a nominal column; the number of values if missing."""
    n_values = len(x.values)
    if not is_text(x):
        is_value = graph("Equal", column, np.array([x.values], np.float64))
        place = graph("Mul", graph.cast(is_value, np.int64), np.arange(-n_values, 0)[None])
        lowest = graph("ReduceMin", place, np.array([1]), keepdims=1)
        return graph("Add", lowest, np.array(n_values))
    keys = [str(value) for value in x.values]
    return graph(
        "LabelEncoder",
        column,
        domain="ai.onnx.ml",
        keys_strings=keys,
        values_int64s=list(range(n_values)),
        default_int64=n_values,
    )


def is_text(x: d.Input) -> bool:
    """Return whether a nominal column is read as strings: some value is not a number."""
    return any(isinstance(value, str) for value in x.values)


def output_labels(labels: Sequence[Label]) -> np.ndarray:
    """Return labels as an array whose type ONNX has: strings, int64 or float64."""
    if any(isinstance(label, str) for label in labels):
        return np.array([str(label) for label in labels], object)
    if all(isinstance(label, int) for label in labels):
        return np.array(labels, np.int64)
    return np.array(labels, np.float64)


def _input_type(x: d.Input, of_numbers: np.dtype) -> np.dtype:
    if x.kind == "number":
        return of_numbers
    return np.dtype(object if x.kind == "nominal" and is_text(x) else np.float64)


def _as_float64(graph: OnnxGraph, x: d.Input, of_numbers: np.dtype) -> str:
    """Return the tensor of an input with numbers as float64; an empty name if it is ignored."""
    if x.kind == "ignored":
        return ""
    if _input_type(x, of_numbers) == np.float32:
        return graph.cast(x.name, np.float64)
    return x.name


def _prefix(described: d.Description) -> str:
    """Return a start of names that no column has."""
    prefix = "wl_"
    while any(x.name.startswith(prefix) for x in described.inputs):
        prefix += "_"
    return prefix


def _free_name(name: str, described: d.Description) -> str:
    while any(x.name == name for x in described.inputs):
        name += "_"
    return name


def _onnx_helper() -> Any:
    try:
        from onnx import helper
    except ImportError as error:
        raise ImportError(
            "exporting to ONNX needs the package onnx: pip install 'weaklearn[onnx]'"
        ) from error
    return helper
