"""The sample that a committee is pruned on: rows with their classes and all members' votes."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.encoding import check_sample_weight
from weaklearn.models.votes import MemberPredictions, margins, winners
from weaklearn.pruning.agreement import kappas_of
from weaklearn.pruning.check_arguments import check_committee
from weaklearn.schema import encode_classes, infer_classes
from weaklearn.tables.frames import as_columns


@dataclass(frozen=True, eq=False)
class Sample:
    """Rows of known classes, and what each member of a committee predicts for them.

    Parameters
    ----------
    predictions : MemberPredictions
        The members' predictions.
    votes : array of float64
        The members' votes.
    classes : array of int32
        The class index of each row.
    weights : array of float64
        The weight of each row.
    """

    predictions: MemberPredictions = field(repr=False)
    votes: NDArray[np.float64] = field(repr=False)
    classes: NDArray[np.int32] = field(repr=False)
    weights: NDArray[np.float64] = field(repr=False)

    @property
    def n_members(self) -> int:
        """Number of members."""
        return len(self.votes)

    @cached_property
    def kappas(self) -> NDArray[np.float64]:
        """The kappa of each pair of members on these rows."""
        return kappas_of(self.predictions.classes, self.predictions.n_classes, self.weights)

    def member_errors(self) -> NDArray[np.float64]:
        """Compute the share of the weight that each member alone gets wrong."""
        wrong = self.predictions.classes != self.classes
        errors: NDArray[np.float64] = wrong @ (self.weights / self.weights.sum())
        return errors

    def error(self, votes: NDArray[np.float64]) -> float:
        """Compute the share of the weight that the committee gets wrong with these votes."""
        scores = self.predictions.count_votes(votes)
        wrong = winners(scores, self.predictions.priority) != self.classes
        return float(self.weights[wrong].sum() / self.weights.sum())

    def margins(self, votes: NDArray[np.float64]) -> NDArray[np.float64]:
        """Compute the margin of each row of positive weight with these votes."""
        present = self.weights > 0
        return margins(self.predictions.count_votes(votes)[present], self.classes[present])


def sample_of(committee: Any, X: Any, y: Any, sample_weight: Any = None) -> Sample:
    """Predict rows with every member of a fitted committee.

    Parameters
    ----------
    committee : classifier
        A committee of this library, or one of scikit-learn's that `as_committee` has wrapped.
    X : frame
        Rows, as for ``predict``.
    y : Series, array or list
        Their classes.
    sample_weight : array, optional
        A weight per row.
    """
    check_committee(committee)
    if X is None or y is None:
        missing = "X" if X is None else "y"
        raise ValueError(f"{missing} is missing: pass the rows to prune on, X and y.")
    n_rows = as_columns(X).n_rows
    weights = check_sample_weight(sample_weight, n_rows)
    if not weights.all():  # rows of weight 0 may have a class that the committee has not learned
        from sklearn.utils import _safe_indexing  # takes long to import

        kept = np.flatnonzero(weights)
        infer_classes(y, n_rows)  # checks the classes of all rows
        X, y, weights = _safe_indexing(X, kept), _safe_indexing(y, kept), weights[kept]
    return Sample(
        committee.member_predictions(X),
        committee.votes_,
        encode_classes(y, committee._schema.classes, len(weights)),
        weights,
    )
