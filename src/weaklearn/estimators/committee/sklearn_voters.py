"""How members that are classifiers of scikit-learn vote on rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import _safe_indexing
from sklearn.utils.validation import _num_samples

from weaklearn.encoding import match_columns
from weaklearn.estimators.training_table import indexable
from weaklearn.models.voters import OneByOneVoters
from weaklearn.models.votes import VoteForm, add_votes
from weaklearn.schema import Label, Schema, encode_classes
from weaklearn.tables.frames import as_columns


@dataclass(eq=False, repr=False)
class SklearnVoters(OneByOneVoters):
    """Members that are classifiers of scikit-learn: they read the frame itself.

    Parameters
    ----------
    members : list of classifiers
        The members.
    priority : array of uint32
        All class indices in the order in which they win ties.
    classes : sequence of labels
        The label of each class index.
    columns : list of arrays of int or None
        The columns that each member reads; None for all.
    form : {"label", "shares"}
        What a member gives its vote to.
    """

    members: list[Any]
    priority: NDArray[np.uint32]
    classes: Sequence[Label]
    columns: list[NDArray[np.intp] | None]
    form: VoteForm = "label"

    def encode(self, X: Any, schema: Schema, model_name: str, fitted_with_names: bool) -> Any:
        """Check the columns of a frame and return the frame."""
        match_columns(as_columns(X), schema, model_name, fitted_with_names)
        return indexable(X)

    def predict_member(self, index: int, rows: Any, n_threads: int) -> NDArray[np.int32]:
        """Return the class index that the member of this index predicts for each row."""
        member = self.members[index]
        labels = member.predict(take_columns(rows, self.columns[index]))
        try:
            return encode_classes(labels, self.classes, _num_samples(rows))
        except (TypeError, ValueError) as error:
            raise ValueError(
                f"{type(member).__name__}.predict of member {index} returned something else than a "
                f"class of the training table for each row. Its result taken as y: {error}"
            ) from error

    def shares_of_member(self, index: int, rows: Any, n_threads: int) -> NDArray[np.float64]:
        """Return the member's probabilities, or 1 for the class that it predicts without them."""
        member, own_rows = self.members[index], take_columns(rows, self.columns[index])
        if hasattr(member, "predict_proba"):
            probabilities = member.predict_proba(own_rows)
            shares = np.zeros((len(probabilities), len(self.classes)))
            shares[:, encode_classes(member.classes_, self.classes)] = probabilities
            return shares
        predicted = self.predict_member(index, rows, n_threads)
        shares = np.zeros((len(predicted), len(self.classes)))
        add_votes(shares, predicted, 1.0)
        return shares


def take_columns(X: Any, columns: NDArray[np.intp] | None) -> Any:
    """Return the columns of a frame at these indices, in the type of the frame if it has one."""
    if columns is None:
        return X
    return _safe_indexing(X if hasattr(X, "shape") else np.asarray(X), columns, axis=1)
