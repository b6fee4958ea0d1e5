"""Describe any fitted model of this package."""

from __future__ import annotations

from typing import Any

from weaklearn.export.describe_models import describe_graph, describe_input, describe_rules
from weaklearn.export.description import Description
from weaklearn.models.graph import Graph
from weaklearn.models.ruleset import Ruleset


def describe(model: Any) -> Description:
    """Return a fitted model as plain tables, from which every export is written.

    Parameters
    ----------
    model : classifier, Graph or Ruleset
        A fitted model of this package.

    Returns
    -------
    Description
        Inputs, classes and tables; `weaklearn.export.description` explains them.

    Raises
    ------
    TypeError
        If the model cannot be described, because a part of it is not of this package.

    Examples
    --------
    >>> import weaklearn as wl
    >>> table = wl.datasets.load("iris")
    >>> wl.export.describe(wl.C45Classifier().fit(table.X, table.y))
    Description of C45Classifier: 4 inputs, 3 classes, 1 members
    """
    if hasattr(model, "_description"):
        described: Description = model._description()
        return described
    if not isinstance(model, Graph | Ruleset):
        raise TypeError(
            f"got {type(model).__name__}, expected a fitted classifier of this package, such as "
            "C45Classifier(), or its graph or ruleset."
        )
    schema = model.schema
    indices = tuple(range(len(schema.classes)))
    tables = describe_graph(model) if isinstance(model, Graph) else describe_rules(model)
    return Description(
        type(model).__name__,
        tuple(describe_input(feature) for feature in schema.features),
        schema.classes,
        indices,
        indices,
        tables,
    )
