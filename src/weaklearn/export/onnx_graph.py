"""Build ONNX graphs: a call adds an operator and returns the name of its output."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

#: The versions of the operators that are used: the main domain, and trees and labels.
OPSET, ML_OPSET = 18, 3

#: The name of a tensor, or a constant.
Tensor = str | int | float | NDArray[Any]


class OnnxGraph:
    """Operators and constants of a graph, or of the body of a loop in it.

    Parameters
    ----------
    prefix : str
        Starts the names of all tensors.
    outer : OnnxGraph, optional
        The graph around a body, which keeps the constants.
    """

    def __init__(self, prefix: str = "", outer: OnnxGraph | None = None) -> None:
        self.nodes: list[Any] = []
        self._main: OnnxGraph = self if outer is None else outer._main
        if outer is None:
            self.prefix = prefix
            self.initializers: list[Any] = []
            self._constants: dict[tuple[str, tuple[int, ...], bytes], str] = {}
            self._n_names = 0

    def name(self, kind: str) -> str:
        """Return a new name of a tensor."""
        main = self._main
        main._n_names += 1
        return f"{main.prefix}{kind}_{main._n_names}"

    def constant(self, value: Any) -> str:
        """Return the name of a constant; equal constants are stored once."""
        from onnx import numpy_helper

        array = np.asarray(value)
        is_text = array.dtype.kind in "UO"
        content = repr(array.tolist()).encode() if is_text else array.tobytes()
        key = (array.dtype.str, array.shape, content)
        constants = self._main._constants
        if key not in constants:
            constants[key] = self.name("c")
            self._main.initializers.append(numpy_helper.from_array(array, constants[key]))
        return constants[key]

    def table(self, numbers: NDArray[Any]) -> str:
        """Return whole numbers as int64; the file has them in as few bytes as they need."""
        least, most = int(numbers.min(initial=0)), int(numbers.max(initial=0))
        for dtype in (np.int8, np.int16, np.int32):
            if np.iinfo(dtype).min <= least and most <= np.iinfo(dtype).max:
                return self._main.cast(numbers.astype(dtype), np.int64)
        return self.constant(numbers.astype(np.int64))

    def outputs(self, op: str, inputs: Sequence[Tensor], n: int, **options: Any) -> list[str]:
        """Add an operator, and return the names of its outputs."""
        from onnx import helper

        names = [self.name(op) for _ in range(n)]
        given = [x if isinstance(x, str) else self.constant(x) for x in inputs]
        self.nodes.append(helper.make_node(op, given, names, name=names[0], **options))
        return names

    def __call__(self, op: str, *inputs: Tensor, **options: Any) -> str:
        """Add an operator with one output, and return its name.

        A factor or divisor close to 1 takes two steps, since onnxruntime drops a single number
        whose float32 is 1. The second step is exact.
        """
        if op in ("Mul", "Div") and any(_would_be_dropped(x) for x in inputs):
            halved: list[Any] = [*inputs]
            for i, x in enumerate(halved):
                halved[i] = x / 2.0 if _would_be_dropped(x) else x
            return self(op, self(op, *halved), np.array(2.0))
        return self.outputs(op, inputs, 1, **options)[0]

    def copy_to(self, x: str, name: str) -> None:
        """Add a node that copies a tensor to another name."""
        from onnx import helper

        self.nodes.append(helper.make_node("Identity", [x], [name], name=name))

    # -- operators with constants of a fixed form -------------------------------------------------
    def cast(self, x: Tensor, dtype: type[np.generic]) -> str:
        """Return a tensor with another type of numbers."""
        from onnx import helper

        return self("Cast", x, to=helper.np_dtype_to_tensor_dtype(np.dtype(dtype)))

    def take(self, x: Tensor, indices: Tensor, axis: int = 0) -> str:
        """Return the entries of a tensor at some indices."""
        return self("Gather", x, indices, axis=axis)

    def column(self, x: Tensor, index: int) -> str:
        """Return one column of a matrix as a matrix."""
        return self.take(x, np.array([index]), axis=1)

    def flat(self, x: Tensor) -> str:
        """Return all entries of a tensor as a vector."""
        return self("Reshape", x, np.array([-1]))

    def as_column(self, x: Tensor) -> str:
        """Return a vector as a matrix of one column."""
        return self("Unsqueeze", x, np.array([1]))

    def length(self, x: Tensor) -> str:
        """Return the number of rows of a tensor, as a scalar."""
        return self("Gather", self("Shape", x), np.array(0), axis=0)

    def filled(self, shape: Sequence[Tensor], value: NDArray[Any]) -> str:
        """Return a tensor of one value; the shape is a list of scalars."""
        from onnx import numpy_helper

        parts = [self("Reshape", x, np.array([1])) for x in shape]
        dimensions = self("Concat", *parts, axis=0)
        return self("ConstantOfShape", dimensions, value=numpy_helper.from_array(value.reshape(1)))

    def count_up(self, n: Tensor) -> str:
        """Return the whole numbers below n."""
        return self("Range", np.array(0), n, np.array(1))

    def sum_columns(self, x: Tensor) -> str:
        """Return the sum of each row as a column, added from left to right.

        The order of ReduceSum depends on the runtime; a cumulative sum has only one.
        """
        return self("Gather", self("CumSum", x, np.array(1)), np.array([-1]), axis=1)

    def add_at(self, shape: Sequence[Tensor], places: Tensor, x: Tensor, axis: int = 0) -> str:
        """Return zeros to which numbers were added at places along an axis, one by one."""
        zeros = self.filled(shape, np.array(0.0))
        return self("ScatterElements", zeros, places, x, axis=axis, reduction="add")

    def largest_in_order(
        self, numbers: Sequence[str], is_more: Callable[[OnnxGraph, str, str], str]
    ) -> str:
        """Return the index of the number that wins when each is compared with the best before it.

        Parameters
        ----------
        numbers : sequence of tensors
            Columns.
        is_more : function (graph, number, best so far) -> flags
            The comparison.
        """
        best = numbers[0]
        index = self("ConstantOfShape", self("Shape", numbers[0]), value=_whole(0))
        for k, number in enumerate(numbers[1:], start=1):
            better = is_more(self, number, best)
            index = self("Where", better, np.array(k), index)
            best = self("Where", better, number, best)
        return index

    def repeat(self, counts: Tensor) -> tuple[str, str]:
        """Return 0 as often as the first count says, then 1, ...; and the place in each count."""
        ends = self("CumSum", counts, np.array(0))
        total = self("ReduceSum", counts, keepdims=0)
        # The source of a place is the number of ends at or before it.
        size = self("Add", total, np.array(1))
        ones = self("ConstantOfShape", self("Shape", ends), value=_whole(1))
        zeros = self.filled([size], np.array(0))
        marks = self("ScatterElements", zeros, ends, ones, axis=0, reduction="add")
        ended = self("CumSum", marks, np.array(0))
        source = self("Slice", ended, np.array([0]), np.array([-1]))
        first = self.take(self("Sub", ends, counts), source)
        return source, self("Sub", self.count_up(total), first)

    def loop(
        self,
        n_rounds: Tensor,
        carried: Sequence[tuple[str, type[np.generic]]],
        round_: Callable[[OnnxGraph, str, list[str]], Sequence[str]],
    ) -> list[str]:
        """Repeat a body.

        Parameters
        ----------
        n_rounds : tensor
            How often.
        carried : sequence of (tensor, type)
            Tensors that the body changes, also in their length.
        round_ : function (graph, index of the round, tensors) -> tensors
            Adds the operators of the body.
        """
        from onnx import helper

        body = OnnxGraph(outer=self)
        index, flag = body.name("round"), body.name("go_on")
        inputs = [body.name("carried") for _ in carried]
        types = [helper.np_dtype_to_tensor_dtype(np.dtype(dtype)) for _, dtype in carried]
        results = [body("Identity", x) for x in round_(body, index, inputs)]
        stays = body("Identity", flag)
        info = helper.make_tensor_value_info
        graph = helper.make_graph(
            body.nodes,
            self.name("body"),
            [
                info(index, 7, []),
                info(flag, 9, []),
                *(info(x, t, None) for x, t in zip(inputs, types, strict=True)),
            ],
            [
                info(stays, 9, []),
                *(info(x, t, None) for x, t in zip(results, types, strict=True)),
            ],
        )
        given = [n_rounds, np.array(True), *(x for x, _ in carried)]
        return self.outputs("Loop", given, len(carried), body=graph)

    def choose(
        self,
        condition: str,
        results: Sequence[type[np.generic]],
        then: Callable[[OnnxGraph], Sequence[str]],
        otherwise: Callable[[OnnxGraph], Sequence[str]],
    ) -> list[str]:
        """Compute one of two bodies.

        Parameters
        ----------
        condition : str
            A flag.
        results : sequence of types
            The type of each result.
        then, otherwise : functions graph -> tensors
            Add the operators of the bodies.
        """
        from onnx import helper

        bodies = []
        for make in (then, otherwise):
            body = OnnxGraph(outer=self)
            names = [body("Identity", x) for x in make(body)]
            types = [helper.np_dtype_to_tensor_dtype(np.dtype(dtype)) for dtype in results]
            infos = [
                helper.make_tensor_value_info(x, t, None) for x, t in zip(names, types, strict=True)
            ]
            bodies.append(helper.make_graph(body.nodes, self.name("body"), [], infos))
        return self.outputs(
            "If", [condition], len(results), then_branch=bodies[0], else_branch=bodies[1]
        )


def drop_unused(nodes: list[Any], initializers: list[Any], outputs: Sequence[str]) -> None:
    """Remove operators and constants that no output needs, of which runtimes would warn."""
    used = set(outputs)
    kept = []
    for node in reversed(nodes):
        if used.intersection(node.output):
            used |= _read_by(node)
            kept.append(node)
    nodes[:] = reversed(kept)
    initializers[:] = [tensor for tensor in initializers if tensor.name in used]


def _read_by(node: Any) -> set[str]:
    """Return the tensors that an operator reads, in its bodies too."""
    names = set(node.input)
    for attribute in node.attribute:
        if attribute.HasField("g"):
            for inner in attribute.g.node:
                names |= _read_by(inner)
            names.update(output.name for output in attribute.g.output)
    return names


def _would_be_dropped(x: Tensor) -> bool:
    return isinstance(x, np.ndarray) and x.size == 1 and x != 1.0 and np.float32(x.item()) == 1.0


def _whole(number: int) -> Any:
    from onnx import numpy_helper

    return numpy_helper.from_array(np.array([number], np.int64))
