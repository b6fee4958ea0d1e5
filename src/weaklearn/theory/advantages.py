"""Advantage sequences: by how much each round of a fitted model beats guessing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.encoding import check_sample_weight
from weaklearn.models.graph import Graph
from weaklearn.models.graph_committee import GraphCommittee
from weaklearn.models.graph_splits import rounds, stored_class_weights
from weaklearn.optional_packages import require_package
from weaklearn.schema import encode_classes
from weaklearn.tables.frames import as_columns
from weaklearn.theory.arguments import (
    check_both,
    class_weights_in,
    criterion_of,
    find_graph,
    weighted_rows,
)
from weaklearn.theory.bounds import product_bound

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes

    from weaklearn.encoding import EncodedRows


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Advantages:
    """The rounds of a fitted model. Each array has one entry per round.

    Parameters
    ----------
    round : array of int64
        1, 2, ...
    gamma : array of float64
        The advantage over guessing. NaN if there are no rows, or rows of one class only.
    weight : array of float64
        The weight of the node that is split, as a share of all weight. It is 1 in a committee,
        whose rounds see all rows.
    gain : array of float64
        The decrease of the weighted impurity by a split, or of the training bound by a round of
        boosting. NaN in a committee that was not boosted.
    node : array of int64
        The index of the node that is split, or of the member.
    """

    round: NDArray[np.int64]
    gamma: NDArray[np.float64]
    weight: NDArray[np.float64]
    gain: NDArray[np.float64]
    node: NDArray[np.int64]

    def __len__(self) -> int:
        return len(self.round)

    def __repr__(self) -> str:
        shown = ", ".join(f"{gamma:.3f}" for gamma in self.gamma[:5])
        more = ", ..." if len(self) > 5 else ""
        return f"Advantages({len(self)} rounds, gamma=[{shown}{more}])"

    def to_frame(self) -> pd.DataFrame:
        """Return the rounds as a pandas DataFrame.

        Returns
        -------
        pandas DataFrame
            A row per round.
        """
        require_package("pandas", "tables", "to_frame")
        import pandas as pd

        names = ("round", "gamma", "weight", "gain", "node")
        return pd.DataFrame({name: getattr(self, name) for name in names})

    def plot(self, ax: Axes | None = None) -> Axes:
        """Plot the advantage by round, as `weaklearn.theory.plot_advantages` does.

        Examples
        --------
        >>> advantages(model).plot().figure.savefig("advantages.png")  # doctest: +SKIP
        """
        from weaklearn.theory.plot_measurements import plot_advantages

        return plot_advantages(self, ax=ax)


def advantages(
    model: Any, X: Any = None, y: Any = None, sample_weight: Any = None, *, criterion: Any = None
) -> Advantages:
    """Compute the advantage of each round of a fitted model, on the training rows or on new rows.

    A round of a tree or program is a split. Splits are in the order in which TopDown (Kearns and
    Mansour) makes them: the largest gain first. The advantage of a split is measured on the
    balanced distribution of its node, where each of the m classes present has the same weight. With
    P(j|k), the share of class k that takes branch j, it is (sum_j max_k P(j|k) - 1) / m. For two
    classes this is ``1/4 sum_j |P(j|1) - P(j|2)|``.

    A round of boosting is a member. Its advantage is 1/2 minus its error on the distribution of its
    round. New rows are weighted as the rounds before would weight them. In any other committee
    every member sees the rows with their own weights.

    Parameters
    ----------
    model : Graph or classifier
        A fitted tree, program or committee.
    X : frame, optional
        Rows. The default is the training rows, by the class weights that the model stores. The
        splits of a tree stay in the order of their gains on the training rows.
    y : Series, array or list, optional
        Their classes.
    sample_weight : array, optional
        Their weights.
    criterion : str, Impurity or callable, optional
        The impurity that gains, and so the order of splits, are measured by. The default is the
        criterion of the model, or entropy.

    Returns
    -------
    Advantages
        One entry per round.

    Raises
    ------
    ValueError
        If no rows are given and the model does not store what is needed: a program with shared
        nodes, or a bagged committee.

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
    class_weights = class_weights_in(graph, model, X, y, sample_weight)
    gains = class_weights.gains(impurity)
    is_tree = len(class_weights.owner) == graph.n_nodes - 1
    order = rounds(graph, stored_class_weights(graph).gains(impurity) if is_tree else gains)
    return _in_order(
        class_weights.advantages()[order], class_weights.weights[order], gains[order], order
    )


def _in_order(
    gamma: NDArray[np.float64],
    weight: NDArray[np.float64],
    gain: NDArray[np.float64],
    node: NDArray[np.intp],
) -> Advantages:
    round_ = np.arange(1, len(gamma) + 1, dtype=np.int64)
    return Advantages(round_, gamma, weight, gain, node.astype(np.int64))


def _member_errors(model: Any, X: Any, y: Any, sample_weight: Any) -> NDArray[np.float64]:
    """Compute the error of each member on the distribution of its round."""
    training_errors: NDArray[np.float64] | None = getattr(model, "errors_", None)
    if X is None:
        if training_errors is None:
            raise ValueError(
                f"this {type(model).__name__} stores no errors of its members: pass the rows, X "
                "and y."
            )
        return training_errors
    wrong, classes, weights = _wrong_predictions(model, X, y, sample_weight)
    weights = weights / weights.sum()
    if training_errors is None:
        return np.asarray(wrong @ weights)
    groups = classes if getattr(model, "keep_class_weights", False) else np.zeros_like(classes)
    group_weights = np.bincount(groups, weights)
    errors = np.full(len(wrong), np.nan)
    for t, (is_wrong, error) in enumerate(zip(wrong, training_errors, strict=True)):
        total = weights.sum()
        if total == 0.0:  # after a member without error all weights are 0
            break
        errors[t] = weights[is_wrong].sum() / total
        # As in boosting, rows that are right lose weight, then each group regains its own weight.
        beta = error / (1.0 - error)
        weights = weights * np.where(is_wrong, 1.0, beta)
        sums = np.bincount(groups, weights, len(group_weights))
        factors = np.divide(group_weights, sums, out=np.zeros_like(group_weights), where=sums > 0)
        weights *= factors[groups]
    return errors


def _wrong_predictions(
    model: Any, X: Any, y: Any, sample_weight: Any
) -> tuple[NDArray[np.bool_], NDArray[np.int32], NDArray[np.float64]]:
    """Return which rows each member gets wrong, with the classes and weights of the rows."""
    graphs = [getattr(member, "graph_", None) for member in model.members_]
    first = graphs[0]
    if isinstance(first, Graph) and all(isinstance(graph, Graph) for graph in graphs):
        rows, classes, weights = weighted_rows(model, first.schema, X, y, sample_weight)
        return _predict_members(graphs, rows) != classes, classes, weights
    labels = model.classes_.tolist()
    n_rows = as_columns(X).n_rows
    classes = encode_classes(y, labels, n_rows)
    predicted = [encode_classes(member.predict(X), labels, n_rows) for member in model.members_]
    return np.array(predicted) != classes, classes, check_sample_weight(sample_weight, n_rows)


def _predict_members(graphs: list[Any], rows: EncodedRows) -> NDArray[np.int32]:
    committee = GraphCommittee(graphs, np.ones(len(graphs)), "label", np.zeros(0, np.uint32))
    return committee.predict_members(rows)[0]
