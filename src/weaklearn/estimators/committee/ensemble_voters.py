"""How the members of ensembles vote that were not learned by a committee of this package.

Such a member votes for several classes at once, with its probabilities or its output.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import validate_data

from weaklearn.estimators.weak_hypotheses import outputs_of
from weaklearn.models.voters import Voters
from weaklearn.models.votes import MemberPredictions
from weaklearn.schema import Schema


class OutputVoters(Voters, Protocol):
    """Members with an output for each class, by which their vote is multiplied."""

    def outputs(self, rows: Any) -> Iterator[NDArray[np.float64]]:
        """Yield the output of each member for each row and class."""
        ...

    def member_predictions(self, rows: Any, n_threads: int) -> MemberPredictions:
        """Return the outputs of each member for each row, before votes are counted."""
        outputs = np.array(list(self.outputs(rows)))
        predictions = outputs.argmax(axis=2).astype(np.int32)
        return MemberPredictions(predictions, self.priority, outputs=outputs)

    def stages(
        self, rows: Any, votes: NDArray[np.float64], n_threads: int
    ) -> Iterator[NDArray[np.float64]]:
        """Yield the votes per row and class after each member, always in the same array."""
        scores: NDArray[np.float64] | None = None
        for vote, outputs in zip(votes, self.outputs(rows), strict=True):
            outputs *= vote
            scores = outputs if scores is None else np.add(scores, outputs, out=scores)
            yield scores

    def share_stages(
        self, rows: Any, votes: NDArray[np.float64], n_threads: int
    ) -> Iterator[NDArray[np.float64]]:
        """Yield the votes, which are in proportion to outputs already."""
        return self.stages(rows, votes, n_threads)


@dataclass(eq=False, repr=False)
class EnsembleVoters(OutputVoters):
    """The members of an ensemble of scikit-learn.

    Parameters
    ----------
    members : list of classifiers
        The members.
    priority : array of uint32
        All class indices in the order in which they win ties.
    ensemble : classifier
        The fitted ensemble.
    columns : list of arrays of int
        The columns that each member reads.
    boosted : bool
        Whether members vote for one class, as in AdaBoost, and not with their probabilities.
    """

    members: list[Any]
    priority: NDArray[np.uint32]
    ensemble: Any
    columns: list[NDArray[np.intp]]
    boosted: bool

    def take(self, chosen: NDArray[np.intp]) -> Self:
        """Return the voters at these indices."""
        return replace(
            self,
            members=[self.members[i] for i in chosen],
            columns=[self.columns[i] for i in chosen],
        )

    def columns_of(self, index: int) -> NDArray[np.intp]:
        """Return the columns that a member reads."""
        return self.columns[index]

    def encode(
        self, X: Any, schema: Schema, model_name: str, fitted_with_names: bool
    ) -> NDArray[Any]:
        """Return the rows in the array that the ensemble fits its members on."""
        array: NDArray[Any] = validate_data(
            self.ensemble, X, reset=False, dtype=None, ensure_all_finite=False
        )
        return array

    def outputs(self, rows: NDArray[Any]) -> Iterator[NDArray[np.float64]]:
        """Yield the probabilities of each member, or 1 for the class that it predicts."""
        for member, columns in zip(self.members, self.columns, strict=True):
            own_rows = rows[:, columns]
            outputs = np.zeros((len(rows), len(self.priority)))
            if self.boosted or not hasattr(member, "predict_proba"):
                labels = member.predict(own_rows)
                # AdaBoost fits members to labels, bagging to class indices.
                indices = (
                    np.searchsorted(self.ensemble.classes_, labels) if self.boosted else labels
                )
                outputs[np.arange(len(rows)), indices.astype(np.intp)] = 1.0
            else:
                known = member.classes_.astype(np.intp)  # a sample may lack a class
                outputs[:, known] = member.predict_proba(own_rows)
            yield outputs

    def member_predictions(self, rows: Any, n_threads: int) -> MemberPredictions:
        """Return the predictions or probabilities of each member, before votes are counted."""
        predictions = super().member_predictions(rows, n_threads)
        return replace(predictions, outputs=None) if self.boosted else predictions


@dataclass(eq=False, repr=False)
class HypothesisVoters(OutputVoters):
    """The hypotheses of a G2Classifier on a separator graph.

    Parameters
    ----------
    members : list
        The hypotheses.
    priority : array of uint32
        The two class indices in the order in which they win ties.
    scales : array of float64
        The factor of each hypothesis that makes its largest output 1.
    """

    members: list[Any]
    priority: NDArray[np.uint32]
    scales: NDArray[np.float64]

    def take(self, chosen: NDArray[np.intp]) -> Self:
        """Return the voters at these indices."""
        members = [self.members[i] for i in chosen]
        return replace(self, members=members, scales=self.scales[chosen])

    def encode(self, X: Any, schema: Schema, model_name: str, fitted_with_names: bool) -> Any:
        """Return the frame itself, which hypotheses read as it is."""
        return X

    def outputs(self, rows: Any) -> Iterator[NDArray[np.float64]]:
        """Yield the output of each hypothesis: for the second class if positive, else the first."""
        for member, scale in zip(self.members, self.scales, strict=True):
            output = scale * outputs_of(member, rows)
            outputs = np.zeros((len(output), len(self.priority)))
            outputs[:, 0] = np.maximum(-output, 0.0)
            outputs[:, -1] = np.maximum(output, 0.0)
            yield outputs
