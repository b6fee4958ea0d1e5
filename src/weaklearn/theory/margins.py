"""Margins: by how much the right class wins."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.models.voting import margins as margins_of
from weaklearn.theory.fitted import check_both, find_graph, weighted_rows


def margins(model: Any, X: Any = None, y: Any = None) -> NDArray[np.float64]:
    """Give the margin of each row: the votes for its class minus the most for another.

    A committee's votes are shares of all votes, a graph's are the shares of the classes at the
    leaf. (Schapire, Freund, Bartlett and Lee 1998, for committees.)

    Parameters
    ----------
    model : Graph or classifier
        Fitted.
    X : frame, optional
        Rows; may be left out for a committee, which remembers the margins of its training rows.
    y : Series, array or list, optional
        Their classes.

    Returns
    -------
    array of float64
        From -1, all for one wrong class, to 1, all for the right one.

    Examples
    --------
    >>> import weaklearn as wl
    >>> X, y = [[1.0], [2.0], [3.0], [4.0]], ["no", "yes", "yes", "yes"]
    >>> wl.theory.margins(wl.StumpClassifier().fit(X, y), X, y).tolist()
    [1.0, 1.0, 1.0, 1.0]
    """
    check_both(X, y)
    graph = find_graph(model)
    if X is None:
        if not hasattr(model, "margins_"):
            raise ValueError(
                f"this {type(model).__name__} remembers no margins: give the rows, X and y."
            )
        return np.asarray(model.margins_)
    if graph is not None:
        rows, classes, _ = weighted_rows(model, graph.schema, X, y, None)
        return margins_of(graph.predict_proba(rows), classes)
    return np.asarray(model.margins(X, y))
