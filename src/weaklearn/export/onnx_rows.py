"""The rows of a table in an ONNX graph: encoded columns, and sums over them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from weaklearn.export import description as d
from weaklearn.export.onnx_graph import OnnxGraph


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class OnnxRows:
    """The columns of a table as tensors.

    Parameters
    ----------
    n_rows : str
        A scalar.
    matrix : str
        A row per row of the table and a column per feature, as float64: numbers, NaN if missing;
        codes of nominal values, the number of values if missing.
    codes : dict
        Per nominal feature the codes as whole numbers.
    n_values : tuple of int
        Per feature the number of its values; 0 for numbers.
    """

    n_rows: str
    matrix: str
    codes: dict[int, str]
    n_values: tuple[int, ...]

    def looked_up(self, graph: OnnxGraph, feature: int, table: np.ndarray) -> str:
        """Return for each row the row of a table that belongs to its nominal value.

        The last row of the table is for missing values.
        """
        return graph.take(table, self.codes[feature])


def sums_of_terms(
    graph: OnnxGraph, rows: OnnxRows, terms: d.Terms, first: d.Ints, n_terms: d.Ints
) -> str:
    """Return the sums of ranges of terms, one column for each range."""
    added, place = _added(graph, rows, terms)
    result = ""
    for position in range(int(n_terms.max(initial=1))):
        has_term = position < n_terms
        columns = place[np.where(has_term, first + position, -1)]
        at_position = graph.take(added, columns, axis=1)
        result = graph("Add", result, at_position) if result else at_position
    return result


def _added(graph: OnnxGraph, rows: OnnxRows, terms: d.Terms) -> tuple[str, np.ndarray]:
    """Return what each term adds to the rows, and the column of each term.

    The last column is 0, for sums of fewer terms than others.
    """
    parts, columns = [graph.filled([rows.n_rows, np.array([1])], np.array(0.0))], [-1]
    scores = np.concatenate([terms.numbers, terms.missing])
    missing_score = len(terms.numbers) + np.arange(len(terms.missing))
    for form in (d.LINEAR, d.SINGLE, d.STEPS):
        chosen = np.flatnonzero(terms.form == form)
        if not len(chosen):
            continue
        values = graph.take(rows.matrix, terms.feature[chosen].astype(np.int64), axis=1)
        is_missing = graph("IsNaN", values)
        if form == d.STEPS:
            place = _first_scores(graph, terms, chosen, values)
            place = graph("Where", is_missing, missing_score[None, chosen], place)
            parts.append(graph.take(scores, place))
        else:
            if form == d.SINGLE:
                values = graph.cast(graph.cast(values, np.float32), np.float64)
            products = graph("Mul", terms.numbers[terms.first[chosen]][None], values)
            parts.append(graph("Where", is_missing, terms.missing[None, chosen], products))
        columns += chosen.tolist()
    for term in np.flatnonzero(terms.form == d.SCORES).tolist():
        feature, start = int(terms.feature[term]), int(terms.first[term])
        table = [*terms.numbers[start : start + rows.n_values[feature]], terms.missing[term]]
        parts.append(rows.looked_up(graph, feature, np.array(table)[:, None]))
        columns.append(term)
    place_of = np.zeros(len(terms.form) + 1, np.int64)
    place_of[columns] = np.arange(len(columns))
    return graph("Concat", *parts, axis=1), place_of


def _first_scores(graph: OnnxGraph, terms: d.Terms, chosen: np.ndarray, values: str) -> str:
    """Return where the score of the interval of each value is."""
    n_cuts, first = terms.n_cuts[chosen], terms.first[chosen].astype(np.int64)
    cuts = np.full((1, len(chosen), int(n_cuts.max(initial=0))), np.inf)  # none is below a value
    for i, (start, n) in enumerate(zip(first, n_cuts, strict=True)):
        cuts[0, i, :n] = terms.numbers[start : start + n]
    below = graph("Less", cuts, graph("Unsqueeze", values, np.array([2])))
    n_below = graph("ReduceSum", graph.cast(below, np.int64), np.array([2]), keepdims=0)
    return graph("Add", (first + n_cuts)[None], n_below)


def all_true(graph: OnnxGraph, flags: str, members: Sequence[Sequence[int]]) -> str:
    """Return for sets of columns of flags whether all are set, one column for each set."""
    n_flags = max((len(columns) for columns in members), default=0)
    result = ""
    for position in range(n_flags):
        # A set with fewer columns than others repeats its last one; the empty set has none.
        columns = [of_set[min(position, len(of_set) - 1)] for of_set in members]
        taken = graph.take(flags, np.array(columns, np.int64), axis=1)
        result = graph("And", result, taken) if result else taken
    return result
