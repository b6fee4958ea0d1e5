"""Rulesets from trees, programs and committees of them."""

from __future__ import annotations

from typing import Any

from weaklearn import _core
from weaklearn.encoding import Dataset, check_sample_weight, encode_rows
from weaklearn.estimators.class_weights import RowWeights
from weaklearn.estimators.committee.base import Committee
from weaklearn.estimators.graph_classifier import GraphClassifier
from weaklearn.models.graph import Graph
from weaklearn.models.ruleset import Ruleset
from weaklearn.schema import encode_classes


def simplify(
    model: Any,
    X: Any,
    y: Any,
    sample_weight: Any = None,
    *,
    confidence: float = 0.25,
    fisher: float | None = None,
    redundancy: float = 1.0,
    annealing: bool = False,
    n_threads: int = 1,
) -> Ruleset:
    """Turn a fitted tree, program or committee into a ruleset, by the steps of C4.5rules.

    Every path of every member makes a rule. If there are several members, only the 1,000
    rules of lowest error of each class compete for selection.

    Parameters
    ----------
    model : Graph, classifier with a graph, or committee of such classifiers
        The fitted model. Its splits must not be oblique, and must not have learned where missing
        values go (``missing="branch"``).
    X : frame
        The rows to count on, usually the training rows.
    y : labels
        Their classes.
    sample_weight : array, optional
        A weight per row.
    confidence, fisher, redundancy, annealing : object
        As for `RulesClassifier`.
    n_threads : int
        Threads to use; the result does not depend on it.

    Returns
    -------
    Ruleset
        The ruleset.

    Examples
    --------
    >>> import weaklearn as wl
    >>> table = wl.datasets.load("iris")
    >>> boosted = wl.AdaBoostM1Classifier(n_rounds=5).fit(table.X, table.y)
    >>> ruleset = wl.rules.simplify(boosted, table.X, table.y)
    >>> len(ruleset) < 10
    True
    """
    graphs = graphs_of(model)
    schema = graphs[0].schema
    rows = encode_rows(X, schema, type(model).__name__, None)
    classes = encode_classes(y, schema.classes, rows.n_rows)
    weights = check_sample_weight(sample_weight, rows.n_rows)
    dataset = Dataset(rows, schema, classes, n_threads=n_threads)
    options = {
        "confidence": confidence,
        "fisher": fisher,
        "redundancy": redundancy,
        "annealing": annealing,
    }
    return simplify_graphs(graphs, dataset, RowWeights(weights), options, n_threads)


def simplify_graphs(
    graphs: list[Graph],
    dataset: Dataset,
    weights: RowWeights,
    options: dict[str, Any],
    n_threads: int,
) -> Ruleset:
    """Return the ruleset of some graphs for an encoded dataset."""
    if any(graph.has_missing_branches for graph in graphs):
        raise ValueError(
            "missing values meet no condition of a rule, and the splits of this model have learned "
            "where they go: fit the model with missing='fraction'."
        )
    cores = [graph.core for graph in graphs]
    core = _core.simplify_trees(
        dataset.core,
        weights.rows,
        cores,
        **options,
        classes=weights.for_core(),
        n_threads=n_threads,
    )
    return Ruleset(core, dataset.schema)


def graphs_of(model: Any) -> list[Graph]:
    """Return the graphs of a fitted model; TypeError if it has none."""
    if isinstance(model, Graph):
        return [model]
    if isinstance(model, GraphClassifier):
        return [model.graph_]
    graphs = model._voters.graphs() if isinstance(model, Committee) else None
    if graphs is None:
        raise TypeError(
            f"rules are made of trees, and {type(model).__name__} has none: pass a fitted tree or "
            "program of this package, or a committee of them."
        )
    return list(graphs)
