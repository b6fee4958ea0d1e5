"""Advantage sequences: by how much each round of a fitted model beats guessing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.encoding import check_sample_weight
from weaklearn.models.graph import Graph
from weaklearn.models.graph_committee import Committee
from weaklearn.models.graph_splits import rounds, stored_flow
from weaklearn.schema import encode_classes
from weaklearn.tables.frames import as_columns
from weaklearn.theory.bounds import product_bound
from weaklearn.theory.fitted_graph import (
    check_both,
    criterion_of,
    find_graph,
    flow_in,
    weighted_rows,
)

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from weaklearn.encoding import EncodedRows


@dataclass(frozen=True, slots=True, eq=False)
class Advantages:
    """The rounds of a fitted model, one entry of each array per round.

    Parameters
    ----------
    round : array of int64
        1, 2, ...
    gamma : array of float64
        The advantage. NaN where there is nothing to tell apart: no rows, or those of one class.
    weight : array of float64
        The weight of the node that is split, as a share of all; 1 in a committee, whose rounds see
        all rows.
    gain : array of float64
        Of a split the fall of the index; of a round of boosting that of the bound. NaN in a
        committee that was not boosted.
    node : array of int64
        The number of the node that is split, or of the member.
    """

    round: NDArray[np.int64]
    gamma: NDArray[np.float64]
    weight: NDArray[np.float64]
    gain: NDArray[np.float64]
    node: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.round)

    def to_frame(self) -> pd.DataFrame:
        """Give the rounds as a pandas frame.

        Returns
        -------
        pandas DataFrame
            A row per round.
        """
        import pandas as pd

        names = ("round", "gamma", "weight", "gain", "node")
        return pd.DataFrame({name: getattr(self, name) for name in names})

    def plot(self, ax: Axes | None = None) -> Axes:
        """Draw the advantage by round; see `weaklearn.theory.plot_advantages`.

        Parameters
        ----------
        ax : matplotlib Axes, optional
            Where to draw; by default a new figure.

        Returns
        -------
        matplotlib Axes
            The axes drawn on.

        Examples
        --------
        >>> advantages(model).plot().figure.savefig("advantages.png")  # doctest: +SKIP
        """
        from weaklearn.theory.plot_sequences import plot_advantages

        return plot_advantages(self, ax=ax)


def advantages(
    model: Any, X: Any = None, y: Any = None, sample_weight: Any = None, *, criterion: Any = None
) -> Advantages:
    """Give the advantage of each round of a fitted model, on training or on new rows.

    A round of a graph is a split, in the order in which TopDown (Kearns and Mansour) makes them:
    the largest gain first. Its advantage is that over guessing on the balanced distribution of the
    node: with m classes present and P(j|k) the share of class k that takes branch j, (sum_j max_k
    P(j|k) - 1) / m; for two classes 1/4 sum_j |P(j|1) - P(j|2)|. A round of boosting is a member;
    its advantage is 1/2 minus its error on the distribution of its round. Other rows are weighted
    as the committee's rounds would weigh them. A member of any other committee is looked at with
    the rows as they are.

    Parameters
    ----------
    model : Graph or classifier
        A tree, a program or a committee, fitted.
    X : frame, optional
        Rows; by default those that the model was fitted to, by the weights that it holds. The order
        of a tree's splits remains that of training.
    y : Series, array or list, optional
        Their classes.
    sample_weight : array, optional
        Their weights.
    criterion : str, Impurity or callable, optional
        What gains, and so the order of splits, are measured by: by default the model's own
        criterion, or entropy.

    Returns
    -------
    Advantages
        One entry per round.

    Raises
    ------
    ValueError
        Without rows, for a model that does not hold what is needed: a program that shares nodes,
        or a bagged committee.

    Examples
    --------
    >>> import weaklearn as wl
    >>> table = wl.datasets.load("titanic")
    >>> tree = wl.C45Classifier(prune=False).fit(table.X, table.y)
    >>> wl.theory.advantages(tree).to_frame().round(3).head(2)
       round  gamma  weight   gain  node
    0      1   0.20   1.000  0.142     0
    1      2   0.29   0.214  0.047    10
    """
    graph = find_graph(model)
    check_both(X, y)
    if graph is None:
        errors = _member_errors(model, X, y, sample_weight)
        boosted = hasattr(model, "errors_")
        bounds = np.concatenate([[1.0], product_bound(errors)])
        gains = -np.diff(bounds) if boosted else np.full(len(errors), np.nan)
        ones = np.ones(len(errors))
        return _in_order(0.5 - errors, ones, gains, np.arange(len(errors)))
    impurity = criterion_of(model, criterion)
    flow = flow_in(graph, model, X, y, sample_weight)
    gains = flow.gains(impurity)
    is_tree = len(flow.owner) == graph.n_nodes - 1
    order = rounds(graph, stored_flow(graph).gains(impurity) if is_tree else gains)
    return _in_order(flow.advantages()[order], flow.weights[order], gains[order], order)


def _in_order(
    gamma: NDArray[np.float64],
    weight: NDArray[np.float64],
    gain: NDArray[np.float64],
    node: NDArray[np.intp],
) -> Advantages:
    number = np.arange(1, len(gamma) + 1, dtype=np.int64)
    return Advantages(number, gamma, weight, gain, node.astype(np.int64))


def _member_errors(model: Any, X: Any, y: Any, sample_weight: Any) -> NDArray[np.float64]:
    """Give the error of each member on the distribution of its round."""
    trained: NDArray[np.float64] | None = getattr(model, "errors_", None)
    if X is None:
        if trained is None:
            raise ValueError(
                f"this {type(model).__name__} holds no errors of its members: give the rows, X and "
                "y."
            )
        return trained
    wrong, classes, weights = _wrong_answers(model, X, y, sample_weight)
    weights = weights / weights.sum()
    if trained is None:
        return np.asarray(wrong @ weights)
    groups = classes if getattr(model, "keep_class_weights", False) else np.zeros_like(classes)
    kept = np.bincount(groups, weights)
    errors = np.full(len(wrong), np.nan)
    for t, (of_member, error) in enumerate(zip(wrong, trained, strict=True)):
        total = weights.sum()
        if total == 0.0:  # a member without error has left nothing to learn
            break
        errors[t] = weights[of_member].sum() / total
        # As boosting does: less weight for what is right, then each group as heavy as before.
        beta = error / (1.0 - error)
        weights = weights * np.where(of_member, 1.0, beta)
        sums = np.bincount(groups, weights, len(kept))
        weights *= np.divide(kept, sums, out=np.zeros_like(kept), where=sums > 0)[groups]
    return errors


def _wrong_answers(
    model: Any, X: Any, y: Any, sample_weight: Any
) -> tuple[NDArray[np.bool_], NDArray[np.int32], NDArray[np.float64]]:
    """Tell per member and row whether the answer is wrong; with the rows' classes and weights."""
    graphs = [getattr(member, "graph_", None) for member in model.members_]
    first = graphs[0]
    if isinstance(first, Graph) and all(isinstance(graph, Graph) for graph in graphs):
        rows, classes, weights = weighted_rows(model, first.schema, X, y, sample_weight)
        return _answers(graphs, rows) != classes, classes, weights
    labels = model.classes_.tolist()
    n_rows = as_columns(X).n_rows
    classes = encode_classes(y, labels, n_rows)
    answers = [encode_classes(member.predict(X), labels, n_rows) for member in model.members_]
    return np.array(answers) != classes, classes, check_sample_weight(sample_weight, n_rows)


def _answers(graphs: list[Any], rows: EncodedRows) -> NDArray[np.int32]:
    committee = Committee(graphs, np.ones(len(graphs)), False, np.zeros(0, np.uint32))
    return committee.answers(rows)[0]
