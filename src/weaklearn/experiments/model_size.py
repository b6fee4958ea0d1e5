"""Count the leaves or rules, the conditions and the members of a fitted model."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np

from weaklearn.models.graph import Graph


@dataclass(frozen=True, slots=True)
class ModelSize:
    """How large a fitted model is.

    Parameters
    ----------
    leaves : int
        Leaves of a tree or program, rules of a ruleset; of a committee, of all members.
    conditions : int
        Splits of a tree or program, conditions of all rules of a ruleset; of a committee, of all
        members.
    members : int or None
        Members of a committee; None for other models.
    """

    leaves: int
    conditions: int
    members: int | None = None


def model_size(model: Any) -> ModelSize | None:
    """Count the parts of a fitted model.

    Parameters
    ----------
    model : classifier
        A tree, program, ruleset or committee of weaklearn, or a tree or ensemble of trees of
        scikit-learn.

    Returns
    -------
    ModelSize or None
        None for any other model.

    Examples
    --------
    >>> import weaklearn as wl
    >>> table = wl.datasets.load("iris")
    >>> model_size(wl.C45Classifier().fit(table.X, table.y))
    ModelSize(leaves=5, conditions=4, members=None)
    """
    ruleset = getattr(model, "ruleset_", None)
    if ruleset is not None:
        return ModelSize(len(ruleset), ruleset.n_conditions)
    graph = getattr(model, "graph_", None)
    if isinstance(graph, Graph):
        return ModelSize(graph.n_leaves, graph.size - graph.n_leaves)
    tree = getattr(model, "tree_", None)
    if tree is not None and hasattr(tree, "node_count"):
        return ModelSize(int(tree.n_leaves), int(tree.node_count - tree.n_leaves))
    for name in ("members_", "estimators_"):
        if hasattr(model, name):
            return _sum(getattr(model, name))
    return None


def _sum(members: Iterable[Any]) -> ModelSize | None:
    sizes = [model_size(member) for member in np.asarray(members, dtype=object).ravel()]
    known = [size for size in sizes if size is not None]
    if not known or len(known) < len(sizes):
        return None
    return ModelSize(
        sum(size.leaves for size in known), sum(size.conditions for size in known), len(known)
    )
