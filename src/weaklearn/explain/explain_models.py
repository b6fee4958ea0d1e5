"""Explanations of graphs, rulesets and separators."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from weaklearn.explain.contributions import of_separators
from weaklearn.explain.explanations import Explanations

if TYPE_CHECKING:
    from weaklearn.encoding import EncodedRows
    from weaklearn.models.graph import Graph
    from weaklearn.models.ruleset import Ruleset
    from weaklearn.models.separators import Separators

#: The class index predicted for each row, and the probability of each class.
Predictions = tuple[NDArray[np.int32], NDArray[np.float64]]

SUM_OF_STUMPS = (
    "The model is a sum with one term per feature: the contributions are the whole explanation."
)


def explain_source(
    source: Graph | Ruleset,
    rows: EncodedRows,
    n_threads: int = 1,
    predictions: Predictions | None = None,
) -> Explanations:
    """Explain the predictions of a tree, a program or a ruleset.

    Parameters
    ----------
    source : Graph or Ruleset
        The fitted model.
    rows : EncodedRows
        The rows.
    n_threads : int
        Threads to predict with.
    predictions : pair of arrays, optional
        What a classifier predicts, if it looks at costs; by default what the model predicts.
    """
    shares = source.predict_class_shares(rows, n_threads)
    if predictions is None:
        predictions = source.predict_class_indices(rows, n_threads), shares
    contributions = source.contributions(rows, "shares", n_threads)
    positions = np.arange(rows.n_rows)
    return Explanations(
        *(source.schema, rows, *predictions, shares, "share", contributions),
        *(source, None, "", positions),
    )


def explain_separators(
    separators: Separators, rows: EncodedRows, n_threads: int, predictions: Predictions
) -> Explanations:
    """Explain the predictions of separators.

    Parameters
    ----------
    separators : Separators
        Those of a fitted RealAdaBoostClassifier.
    rows : EncodedRows
        The rows.
    n_threads : int
        Threads to predict with.
    predictions : pair of arrays
        What the classifier predicts.
    """
    outputs = separators.class_outputs(rows, n_threads)
    contributions = of_separators(separators, rows)
    positions = np.arange(rows.n_rows)
    return Explanations(
        *(separators.schema, rows, *predictions, outputs, "output", contributions),
        *(None, None, SUM_OF_STUMPS, positions),
    )
