"""G2 of Henry, Nock and Nielsen (2007): one scheme for boosting separators, trees and programs.

A graph hands out its nodes one after the other, each with the instances whose path it lies on; a
hypothesis is learned on these, and their weights change. What a classifier answers is the sum of
coefficient times output of the hypotheses on an instance's path. The arithmetic is the core's
(``core/separators/g2_arithmetic.hpp``), where compiled separators and trees find it too.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn import _core

#: The largest normalised margin: a hypothesis without error would get an infinite coefficient.
LARGEST_MU: float = _core.G2_LARGEST_MU

#: Yields the rows of each node, and is sent the normalised margin of what was learned on them.
Nodes = Generator[NDArray[np.intp], float, None]
#: Learns from some rows with these weights; gives the hypothesis and its outputs on them.
Learn = Callable[[NDArray[np.intp], NDArray[np.float64]], tuple[Any, NDArray[np.float64]]]


@dataclass(frozen=True, slots=True, eq=False)
class Boosted:
    """What came of G2.

    Parameters
    ----------
    hypotheses : list
        One per node.
    mu : array of float64
        The normalised margin of each.
    alphas : array of float64
        The coefficient of each.
    bound : float
        Theorem 1's bound on the margin error at 0; at theta it is (1 + theta) / (1 - theta) times
        that.
    """

    hypotheses: list[Any]
    mu: NDArray[np.float64]
    alphas: NDArray[np.float64]
    bound: float


def boost(
    nodes: Nodes, learn: Learn, signs: NDArray[np.float64], weights: NDArray[np.float64]
) -> Boosted:
    """Run G2.

    Parameters
    ----------
    nodes : generator
        The graph's nodes.
    learn : callable
        The weak learner.
    signs : array of float64
        The class of each row, -1 or 1.
    weights : array of float64
        The weight of each row.

    Returns
    -------
    Boosted
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
    return Boosted(hypotheses, np.array(mus), np.array(alphas), float(np.abs(signed) @ shrunk))
