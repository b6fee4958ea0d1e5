"""G2 of Henry, Nock and Nielsen (2007): one scheme for boosting separators, trees and programs.

A decision graph yields its nodes one after the other, each with the rows that visit it. A
hypothesis is learned from these rows, and their weights change. The output for a row is the sum of
coefficient times output over the hypotheses on its path. The arithmetic is in the core
(``core/separators/g2_arithmetic.hpp``), which compiled separators and trees use too.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core

#: The largest normalised margin. Without it, a hypothesis without error would get an infinite
#: coefficient.
LARGEST_MU: float = _core.G2_LARGEST_MU

#: Yields the rows of each node, and is sent the normalised margin of the hypothesis learned there.
Nodes = Generator[NDArray[np.intp], float, None]
#: Learns from some rows and their weights; returns the hypothesis and its outputs for these rows.
Learn = Callable[[NDArray[np.intp], NDArray[np.float64]], tuple[Any, NDArray[np.float64]]]


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class BoostedHypotheses:
    """The result of G2.

    Parameters
    ----------
    hypotheses : list
        One per node.
    mu : array of float64
        The normalised margin of each.
    alphas : array of float64
        The coefficient of each.
    bound : float
        Theorem 1's bound on the margin error at 0. The bound at theta is this times
        (1 + theta) / (1 - theta).
    """

    hypotheses: list[Any]
    mu: NDArray[np.float64]
    alphas: NDArray[np.float64]
    bound: float


def boost(
    nodes: Nodes, learn: Learn, signs: NDArray[np.float64], weights: NDArray[np.float64]
) -> BoostedHypotheses:
    """Run G2.

    Parameters
    ----------
    nodes : generator
        The nodes of the decision graph.
    learn : callable
        The weak learner.
    signs : array of float64
        The class of each row, -1 or 1.
    weights : array of float64
        The weight of each row.

    Returns
    -------
    BoostedHypotheses
        A hypothesis, a normalised margin and a coefficient per node.
    """
    signed = signs * weights / weights.sum()
    shrunk = np.ones(len(signed))
    hypotheses, mus, alphas = [], [], []
    rows = next(nodes, None)
    while rows is not None:
        hypothesis, outputs = learn(rows, np.abs(signed[rows]))
        mu, alpha, signed[rows] = _core.g2_step(
            signed[rows], np.ascontiguousarray(outputs, dtype=np.float64)
        )
        shrunk[rows] *= np.sqrt(1.0 - mu * mu)
        hypotheses.append(hypothesis)
        mus.append(mu)
        alphas.append(alpha)
        try:
            rows = nodes.send(mu)
        except StopIteration:
            rows = None
    bound = float(np.abs(signed) @ shrunk)
    return BoostedHypotheses(hypotheses, np.array(mus), np.array(alphas), bound)
