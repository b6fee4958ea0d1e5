"""Separators: sums over features, positive for one class and negative for the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core
from weaklearn.models.file_content import number_array, take
from weaklearn.models.graph import Graph
from weaklearn.models.graph_content import graphs_content, graphs_from_content
from weaklearn.models.probabilities import logistic
from weaklearn.models.votes import row_sums
from weaklearn.schema import Schema

if TYPE_CHECKING:
    from weaklearn.encoding import EncodedRows


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Separator:
    """A sum that is positive for the rows of one class.

    Parameters
    ----------
    graph : Graph
        An oblique split with two leaves; a single leaf if no feature was of use.
    positive : int
        The index of the class that is separated from the others.
    mu : array of float64
        The normalised margin of each round.
    alphas : array of float64
        The coefficient of each round.
    """

    graph: Graph
    positive: int
    mu: NDArray[np.float64]
    alphas: NDArray[np.float64]

    def __repr__(self) -> str:
        return f"Separator(positive={self.positive}, {len(self.alphas)} rounds)"

    def outputs(self, rows: EncodedRows, n_threads: int = 1) -> NDArray[np.float64]:
        """Return H(x) of each row."""
        if self.graph.split_kind(0) == "oblique":
            return self.graph.forest.excess(rows.arrays, rows.n_rows, n_threads)
        return leaf_outputs(self.graph.predict_class_shares(rows))[:, self.positive]


def separated(present: Sequence[int]) -> list[int]:
    """Return which of the classes present get a separator: of two classes only the second."""
    return list(present) if len(present) > 2 else [present[-1]]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Separators:
    """One separator per class present; of two classes only one, for the second.

    Parameters
    ----------
    each : tuple of Separator
        In the order of the schema's classes.
    present : tuple of int
        The indices of the classes that occur, ascending.
    """

    each: tuple[Separator, ...]
    present: tuple[int, ...]

    def __repr__(self) -> str:
        return f"Separators({len(self.each)} separators for {len(self.present)} classes)"

    @property
    def schema(self) -> Schema:
        """The features and classes."""
        return self.each[0].graph.schema

    def class_outputs(self, rows: EncodedRows, n_threads: int = 1) -> NDArray[np.float64]:
        """Return per row and class the output H(x) for that class."""
        # The output for a class that does not occur is that of a leaf without weight of the class.
        nothing = np.eye(1, len(self.schema.classes), self.present[0])
        outputs = np.repeat(leaf_outputs(nothing), rows.n_rows, axis=0)
        for separator in self.each:
            outputs[:, separator.positive] = separator.outputs(rows, n_threads)
        if len(self.present) == 2:
            outputs[:, self.present[0]] = -outputs[:, self.present[1]]
        return outputs

    def predict_class_indices(self, rows: EncodedRows, n_threads: int = 1) -> NDArray[np.int32]:
        """Return the class index with the largest output for each row; ties go to the lowest."""
        largest: NDArray[np.intp] = self.class_outputs(rows, n_threads).argmax(axis=1)
        return largest.astype(np.int32)

    def predict_class_shares(self, rows: EncodedRows, n_threads: int = 1) -> NDArray[np.float64]:
        """Return a probability per class: outputs are half the logarithm of the odds."""
        shares = logistic(self.class_outputs(rows, n_threads))
        absent = np.setdiff1d(np.arange(shares.shape[1]), self.present)
        shares[:, absent] = 0.0
        return np.asarray(shares / row_sums(shares))

    def to_dict(self) -> dict[str, Any]:
        """Return the separators without their schema, for a file."""
        each = [
            {"mu": separator.mu.tolist(), "alphas": separator.alphas.tolist()}
            for separator in self.each
        ]
        graphs = graphs_content([separator.graph for separator in self.each])
        return {"present": list(self.present), "separators": each, "graphs": graphs}

    @classmethod
    def from_dict(cls, schema: Schema, content: Mapping[str, Any]) -> Separators:
        """Make separators from the result of `to_dict`; ValueError if they are not valid."""
        present, stored = take(content, "present", list), take(content, "separators", list)
        indices = set(range(len(schema.classes)))
        if not present or present != sorted(set(present) & indices):
            raise ValueError('its "present" is not an ascending list of class indices')
        positives = separated(present)
        if len(stored) != len(positives):
            raise ValueError(f"it has {len(stored)} separators for {len(present)} classes")
        if not all(isinstance(entry, dict) for entry in stored):
            raise ValueError("a separator is not a graph")
        graphs = graphs_from_content(
            schema,
            take(content, "graphs", dict)
            if "graphs" in content
            else [take(entry, "nodes", dict) for entry in stored],  # version 1
        )
        if len(graphs) != len(stored):
            raise ValueError(f"it has {len(stored)} separators and {len(graphs)} graphs")
        each = []
        for positive, entry, graph in zip(positives, stored, graphs, strict=True):
            if graph.depth > 1 or graph.split_kind(0) not in ("oblique", "leaf"):
                raise ValueError("a separator is a graph of more than one oblique split")
            mu, alphas = (
                number_array(take(entry, name, list), name, np.dtype(np.float64))
                for name in ("mu", "alphas")
            )
            if len(mu) != len(alphas):
                raise ValueError(f"a separator has {len(alphas)} alphas for {len(mu)} margins")
            each.append(Separator(graph, positive, mu, alphas))
        return cls(tuple(each), tuple(present))


def leaf_outputs(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the output of G2 for each class at leaves with these class weights, one per row.

    The output is half the logarithm of the odds of the class, bounded if it is the only class.
    """
    outputs = np.empty_like(weights)
    for k in range(weights.shape[1]):
        others = np.delete(weights, k, axis=1).sum(axis=1)
        outputs[:, k] = _core.g2_leaf_outputs(np.ascontiguousarray(weights[:, k]), others)
    return outputs
