"""Separators: sums over features, positive for one class and negative for the others."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core
from weaklearn.models.graph import Graph
from weaklearn.models.saving import graph_from_nodes, nodes_content, take
from weaklearn.schema import Schema

if TYPE_CHECKING:
    from weaklearn.encoding import EncodedRows


@dataclass(frozen=True, slots=True, eq=False)
class Separator:
    """A sum that is above 0 on the side of one class.

    Parameters
    ----------
    graph : Graph
        An oblique test with a leaf on each side; a single leaf where no feature was of use.
    positive : int
        The number of the class that is separated from the others.
    mu : array of float64
        The normalised margin of each round.
    alphas : array of float64
        The coefficient of each round.
    """

    graph: Graph
    positive: int
    mu: NDArray[np.float64]
    alphas: NDArray[np.float64]

    def outputs(self, rows: EncodedRows, n_threads: int = 1) -> NDArray[np.float64]:
        """Return H(x) of each row."""
        if self.graph.test(0) == "oblique":
            return self.graph.core.excess(rows.arrays, rows.n_rows, n_threads)
        return leaf_outputs(self.graph.predict_proba(rows))[:, self.positive]


def separated(present: Sequence[int]) -> list[int]:
    """Return which of the classes that occur get a separator: of two classes the second alone."""
    return list(present) if len(present) > 2 else [present[-1]]


@dataclass(frozen=True, slots=True, eq=False)
class Separators:
    """One separator per class that occurs; of two classes one for the second.

    Parameters
    ----------
    each : tuple of Separator
        In the order of the schema's classes.
    present : tuple of int
        The numbers of the classes that occur, ascending.
    """

    each: tuple[Separator, ...]
    present: tuple[int, ...]

    @property
    def schema(self) -> Schema:
        """The features and classes."""
        return self.each[0].graph.schema

    def class_outputs(self, rows: EncodedRows, n_threads: int = 1) -> NDArray[np.float64]:
        """Return per row and class the output H(x) in favour of that class."""
        nothing = np.eye(1, len(self.schema.classes), self.present[0])  # weights without the class
        outputs = np.repeat(leaf_outputs(nothing), rows.n_rows, axis=0)
        for one in self.each:
            outputs[:, one.positive] = one.outputs(rows, n_threads)
        if len(self.present) == 2:
            outputs[:, self.present[0]] = -outputs[:, self.present[1]]
        return outputs

    def to_dict(self) -> dict[str, Any]:
        """Return the separators without their schema, ready for JSON."""
        each = [
            {
                "nodes": nodes_content(one.graph),
                "mu": one.mu.tolist(),
                "alphas": one.alphas.tolist(),
            }
            for one in self.each
        ]
        return {"present": list(self.present), "separators": each}

    @classmethod
    def from_dict(cls, schema: Schema, content: Mapping[str, Any]) -> Separators:
        """Make separators from what `to_dict` gave; ValueError if they do not hold together."""
        present, stored = take(content, "present", list), take(content, "separators", list)
        numbers = range(len(schema.classes))
        if not present or present != sorted(set(present) & set(numbers)):
            raise ValueError('its "present" does not list classes by their number')
        positives = separated(present)
        if len(stored) != len(positives):
            raise ValueError(f"it has {len(stored)} separators for {len(present)} classes")
        each = []
        for positive, one in zip(positives, stored, strict=True):
            if not isinstance(one, dict):
                raise ValueError("a separator is no graph")
            graph = graph_from_nodes(schema, take(one, "nodes", dict))
            if graph.depth > 1 or graph.test(0) not in ("oblique", "leaf"):
                raise ValueError("a separator is a graph of more than one oblique test")
            mu, alphas = _numbers(one, "mu"), _numbers(one, "alphas")
            if len(mu) != len(alphas):
                raise ValueError("a separator has coefficients without margins")
            each.append(Separator(graph, positive, mu, alphas))
        return cls(tuple(each), tuple(present))


def leaf_outputs(weights: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return what G2 answers for each class where these are the weights of all, per row.

    That is half the logarithm of its odds, cut off where a class is alone.
    """
    outputs = np.empty_like(weights)
    for k in range(weights.shape[1]):
        others = np.delete(weights, k, axis=1).sum(axis=1)
        outputs[:, k] = _core.g2_leaf_outputs(np.ascontiguousarray(weights[:, k]), others)
    return outputs


def _numbers(content: Mapping[str, Any], name: str) -> NDArray[np.float64]:
    values = take(content, name, list)
    if not all(type(value) in (int, float) for value in values):
        raise ValueError(f'its "{name}" is not a list of numbers')
    return np.array(values, dtype=np.float64)
