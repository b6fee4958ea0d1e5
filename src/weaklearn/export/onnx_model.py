"""A described model in ONNX: from the columns of a table to a label and probabilities."""

from __future__ import annotations

import numpy as np

from weaklearn.export import description as d
from weaklearn.export.onnx_graph import OnnxGraph, Tensor
from weaklearn.export.onnx_members import Members
from weaklearn.export.onnx_rows import OnnxRows


def add_model(graph: OnnxGraph, rows: OnnxRows, described: d.Description) -> tuple[str, str]:
    """Add a model, and return the index of the label and the probabilities of each row."""
    model, n_classes = described.model, described.n_classes
    if isinstance(model, d.DescribedCommittee):
        label, shares = _vote(graph, rows, model, n_classes)
    else:
        member = Members(graph, rows, (model,), n_classes)
        label, shares = member.label(0), member.shares(0)
    if described.costs is not None:
        label, shares = _count_costs(graph, described.costs, shares)
    in_order = np.array(described.class_of_label)
    if (in_order < 0).any():  # the label of a class without training weight
        nothing = graph.filled([rows.n_rows, np.array([1])], np.array(0.0))
        shares = graph("Concat", shares, nothing, axis=1)
        in_order = np.where(in_order < 0, n_classes, in_order)
    if not np.array_equal(in_order, np.arange(n_classes)):
        shares = graph.take(shares, in_order, axis=1)
    return graph.take(np.array(described.label_of_class), graph.flat(label)), shares


def _vote(
    graph: OnnxGraph, rows: OnnxRows, committee: d.DescribedCommittee, n_classes: int
) -> tuple[str, str]:
    """Return the class and the probabilities of a committee."""
    with_confidence = committee.form == "confidence"
    members = Members(graph, rows, committee.members, n_classes, with_confidence)
    if committee.form == "shares":
        votes = members.sum_shares(committee.votes)
    else:
        if with_confidence:
            strength = members.confidences()
        else:
            strength = graph.filled([rows.n_rows, np.array([1])], np.array(1.0))
        counted = graph("Mul", strength, committee.votes[None])
        size: list[Tensor] = [rows.n_rows, np.array([n_classes])]
        votes = graph.add_at(size, members.labels(), counted, axis=1)
    in_order = [graph.column(votes, k) for k in committee.priority]
    best = graph.largest_in_order(in_order, _has_more_votes)
    label = graph.take(np.array(committee.priority), best)
    if committee.shares_decide:
        votes = members.sum_shares(committee.votes)
    return label, _probabilities(graph, committee, votes, label, n_classes)


def _has_more_votes(graph: OnnxGraph, votes: str, best: str) -> str:
    return graph("Greater", votes, graph("Mul", best, np.array(1.0 + d.TIE)))


def _probabilities(
    graph: OnnxGraph, committee: d.DescribedCommittee, votes: str, label: str, n_classes: int
) -> str:
    """Return probabilities from votes; that of the label is the largest."""
    total = graph.sum_columns(votes)
    some = graph("Greater", total, np.array(0.0))
    divisor = graph("Where", some, total, np.array(1.0))
    result = graph("Where", some, graph("Div", votes, divisor), np.array(1.0 / n_classes))
    if committee.calibration is not None:
        result = _calibrate(graph, committee.calibration, result)

    is_label = graph("Equal", label, np.arange(n_classes)[None])
    largest = graph("ReduceMax", result, np.array([1]), keepdims=1)
    excess = graph("Sub", largest, graph("GatherElements", result, label, axis=1))
    lowered = graph("Div", result, graph("Add", excess, np.array(1.0)))
    raised = graph("ReduceMax", lowered, np.array([1]), keepdims=1)
    raised = graph("Mul", raised, np.array(1.0 + 2.0 * 2.0**-52))
    changed = graph("Where", is_label, raised, lowered)
    agrees = graph("Equal", graph("ArgMax", result, axis=1, keepdims=1), label)
    return graph("Where", agrees, result, changed)


def _calibrate(graph: OnnxGraph, calibration: d.DescribedCalibration, shares: str) -> str:
    root = graph("Sqrt", shares)
    power = graph("Add", graph("Mul", shares, np.array(0.0)), np.array(1.0))
    for digit in calibration.digits:
        power = graph("Sqrt", power)
        if digit:
            power = graph("Mul", power, root)
    for _ in range(calibration.whole):
        power = graph("Mul", power, shares)
    divided = graph("Div", power, graph.sum_columns(power))
    scaled = graph("Mul", divided, np.array(calibration.total))
    mixed = graph("Add", scaled, np.array(calibration.base_rates)[None])
    return graph("Div", mixed, np.array(calibration.total + 1.0))


def _count_costs(graph: OnnxGraph, costs: d.DescribedCosts, shares: str) -> tuple[str, str]:
    """Return the class of least expected cost, and the shares without the factors of classes."""
    known = (costs.factors > 0)[None]
    factors = np.where(known, costs.factors, 1.0)
    restored = graph("Where", known, graph("Div", shares, factors), np.array(0.0))
    total = graph.sum_columns(restored)
    some = graph("Greater", total, np.array(0.0))
    divided = graph("Div", restored, graph("Where", some, total, np.array(1.0)))
    result = graph("Where", some, divided, shares)
    expected = ""
    for k, of_class in enumerate(costs.matrix):
        cost = graph("Mul", graph.column(result, k), of_class[None])
        expected = graph("Add", expected, cost) if expected else cost
    expected = graph("Where", known, expected, np.array(np.inf))
    least = graph("ReduceMin", expected, np.array([1]), keepdims=1)
    bound = graph("Mul", least, np.array(1 + d.TIE))
    cheap = graph.cast(graph("LessOrEqual", expected, bound), np.int32)
    return graph("ArgMax", cheap, axis=1, keepdims=1), result
