"""Models in the form that shap.TreeExplainer accepts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.explain.shap_explanation import score_of
from weaklearn.models.additive_score import AdditiveScore
from weaklearn.models.graph import Graph


def to_shap(model: Any) -> dict[str, Any]:
    """Return a model as the dictionary of tree arrays that ``shap.TreeExplainer`` accepts.

    Parameters
    ----------
    model : classifier or Graph
        As for `shap_values`. Every split must be a threshold of one number, and no node may be
        shared: shap has no other splits.

    Returns
    -------
    dict
        For ``shap.TreeExplainer(to_shap(model))``. It explains rows without missing values as
        `shap_values` does. Rows with missing values are for `shap_values` only, since shap sends
        them down one branch.

    Raises
    ------
    ValueError
        If the model has other splits or shared nodes.

    Examples
    --------
    >>> import weaklearn as wl
    >>> table = wl.datasets.load("iris")
    >>> model = wl.C45Classifier().fit(table.X, table.y)
    >>> trees = wl.explain.to_shap(model)["trees"]
    >>> trees[0]["features"].tolist()
    [3, -1, 3, 2, -1, 3, -1, -1, -1]
    """
    score = score_of(model)
    if not isinstance(score, AdditiveScore):
        raise ValueError(
            f"{type(model).__name__} has no trees, and shap represents trees. Use "
            "wl.explain.shap_values(model, X)."
        )
    order = score.class_order
    trees = []
    for graph, vote in zip(score.graphs, score.votes, strict=True):
        tree = _tree(graph)
        values = np.where(order >= 0, tree["values"][:, order], 0.0)
        trees.append({**tree, "values": vote * values})
    return {
        "trees": trees,
        "internal_dtype": np.float64,
        "input_dtype": np.float64,
        "tree_output": "probability",
    }


def _tree(graph: Graph) -> dict[str, NDArray[Any]]:
    other = [k for n in range(graph.n_nodes) if (k := graph.split_kind(n)) not in _REPRESENTED]
    if other or len(graph.arrays["children"]) + 1 != graph.n_nodes:
        article = "an" if other and other[0] == "oblique" else "a"
        obstacle = f"{article} {other[0]} split" if other else "shared nodes"
        raise ValueError(
            f"the model has {obstacle}, and shap represents trees whose splits are thresholds of "
            "one number. Use wl.explain.shap_values(model, X), which explains every kind of split."
        )
    is_split = graph.nodes["n_branches"] > 0
    first = graph.nodes["first_branch"][is_split]
    left, right = np.full((2, graph.n_nodes), -1, dtype=np.int32)
    left[is_split] = graph.arrays["children"][first]
    right[is_split] = graph.arrays["children"][first + 1]
    goes_left = graph.weight[left] >= graph.weight[right]
    if graph.has_missing_branches:
        goes_left = graph.arrays["missing_branch"] == 0
    is_single = np.array([f.precision == "single" for f in graph.schema.features], dtype=bool)
    thresholds = graph.threshold.copy()
    rounded = is_split & is_single[graph.feature]
    thresholds[rounded] = _greatest_rounding_to(thresholds[rounded])
    return {
        "children_left": left,
        "children_right": right,
        "children_default": np.where(goes_left, left, right),
        "features": np.where(is_split, graph.feature, -1),
        "thresholds": thresholds,
        "values": graph.predicted_shares(),
        "node_sample_weight": graph.weight,
    }


_REPRESENTED = ("leaf", "threshold")


def _greatest_rounding_to(bounds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the greatest doubles that are at most the bounds once rounded to single precision."""
    with np.errstate(over="ignore"):  # beyond the greatest float is infinity
        single = bounds.astype(np.float32)
        above = np.nextafter(single, np.float32(np.inf)).astype(np.float64)
        below = np.nextafter(single, np.float32(-np.inf)).astype(np.float64)
        own = single.astype(np.float64)
        halfway = own + np.where(np.isinf(above), own - below, above - own) / 2
        too_far = halfway.astype(np.float32) > single
    return np.where(too_far, np.nextafter(halfway, -np.inf), halfway)
