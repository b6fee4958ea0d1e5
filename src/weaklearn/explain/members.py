"""The members of a committee, and what they predict for the rows that are explained."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Protocol

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from weaklearn.encoding import EncodedRows
    from weaklearn.explain.fired_rules import FiredRules
    from weaklearn.explain.taken_paths import TakenPaths
    from weaklearn.models.votes import MemberPredictions
    from weaklearn.schema import Label

Floats = NDArray[np.float64]


class Source(Protocol):
    """A part of a model with a reason for each prediction: a graph or a ruleset."""

    def reasons(
        self, rows: EncodedRows, n_threads: int = 1
    ) -> Sequence[TakenPaths] | Sequence[FiredRules]:
        """Return the reason for the prediction of each encoded row."""


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Members:
    """The members of a committee, and what they predict for the rows.

    Parameters
    ----------
    sources : sequence of Graph, Ruleset or None
        Per member, what has a reason for its predictions; None if nothing has.
    columns : sequence of arrays of int or None
        The features that each member reads; None for all.
    votes : array of float64
        The vote of each member.
    predictions : MemberPredictions
        What each member predicts for each row, per unit of its vote.
    """

    sources: Sequence[Source | None]
    columns: Sequence[NDArray[np.intp] | None]
    votes: Floats
    predictions: MemberPredictions

    def __len__(self) -> int:
        return len(self.votes)

    def given(self, row: int) -> Floats:
        """Return what each member gives to each class in a row, (n_members, n_classes)."""
        of_members = self.predictions
        if of_members.outputs is not None:
            return self.votes[:, None] * of_members.outputs[:, row]
        given = np.zeros((len(self), of_members.n_classes))
        strengths = 1.0 if of_members.strengths is None else of_members.strengths[:, row]
        given[np.arange(len(self)), of_members.classes[:, row]] = self.votes * strengths
        return given

    def take_rows(self, positions: NDArray[np.intp]) -> Members:
        """Return the same members with what they predict for some of the rows."""
        old = self.predictions
        taken = replace(
            old,
            classes=old.classes[:, positions],
            strengths=None if old.strengths is None else old.strengths[:, positions],
            outputs=None if old.outputs is None else old.outputs[:, positions],
        )
        return replace(self, predictions=taken)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class ExplainedMember:
    """The part of one member of a committee in a prediction.

    Parameters
    ----------
    index : int
        Its index in ``members_``.
    vote : float
        Its vote as a share of the votes of all members.
    label : label
        The class that it predicts.
    given : dict
        What it adds to the score of each class.
    reason : TakenPaths, FiredRules or None
        The paths of the row in the member, or the rules that fire; None if it has neither.
    """

    index: int
    vote: float
    label: Label
    given: Mapping[Label, float]
    reason: TakenPaths | FiredRules | None

    def __repr__(self) -> str:
        return f"<member {self.index}: {self.reason.text if self.reason else self.label}>"
