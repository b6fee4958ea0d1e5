"""The explanation of the prediction for one row."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.explain.members import ExplainedMember
from weaklearn.explain.text import (
    FEATURES_SHOWN,
    MEMBERS_SHOWN,
    one_line,
    row_dict,
    shortened,
)
from weaklearn.show.node_text import printable, threshold_text

if TYPE_CHECKING:
    from weaklearn.explain.explanations import Explanations
    from weaklearn.explain.fired_rules import FiredRules
    from weaklearn.explain.taken_paths import TakenPaths
    from weaklearn.schema import Label


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Explanation:
    """The explanation of the prediction for one row.

    Parameters
    ----------
    parent : Explanations
        The explanations that it is one of.
    index : int
        Its index there.
    """

    parent: Explanations
    index: int

    @property
    def position(self) -> int:
        """The position of the row in the table that was explained."""
        return int(self.parent.positions[self.index])

    @property
    def label(self) -> Label:
        """The class that is predicted."""
        return self.parent.schema.classes[self.predicted]

    @property
    def predicted(self) -> int:
        """The index in the schema of the class that is predicted."""
        return int(self.parent.predicted[self.index])

    @property
    def probability(self) -> float:
        """The probability of the predicted class."""
        return float(self.parent.probabilities[self.index, self.predicted])

    @property
    def scores(self) -> dict[Label, float]:
        """The score of each class, in the unit of `Explanations.unit`."""
        return self._by_class(self.parent.scores[self.index])

    @property
    def base(self) -> dict[Label, float] | None:
        """The scores of a row of which nothing is known; None without contributions."""
        contributions = self.parent.contributions
        return None if contributions is None else self._by_class(contributions.base)

    @property
    def contributions(self) -> dict[str, float] | None:
        """What each feature contributes to the score of the predicted class, the largest first.

        None if the model has no contributions.
        """
        contributions = self.parent.contributions
        if contributions is None:
            return None
        values = contributions.values[self.index, :, self.predicted]
        order = np.argsort(-np.abs(values), kind="stable").tolist()
        return {self.parent.schema.features[j].name: float(values[j]) for j in order}

    @property
    def reason(self) -> TakenPaths | FiredRules | None:
        """The paths that the row takes (TakenPaths), or the rules that fire (FiredRules).

        None for a committee, whose `members` have reasons of their own, and for a sum of stumps.
        """
        return self.parent.reason_of(self.index)

    @property
    def members(self) -> list[ExplainedMember]:
        """The members of a committee, those that count most first; empty for a single model.

        A member counts by what it adds to the score of the predicted class minus what it adds to
        that of the next class.
        """
        return self.telling_members(None)

    def telling_members(self, n_members: int | None) -> list[ExplainedMember]:
        """Return the members that count most; None for all."""
        members = self.parent.members
        if members is None:
            return []
        given = members.given(self.index) / self.total_vote
        scores = self.parent.scores[self.index].copy()
        scores[self.predicted] = -np.inf
        rival = int(scores.argmax()) if len(scores) > 1 else self.predicted
        pulls = np.abs(given[:, self.predicted] - given[:, rival])
        order = np.argsort(-pulls, kind="stable")
        if self.parent.unit == "output":  # some hypotheses are not on the path of the row
            order = order[np.abs(given[order]).max(axis=1) > 0]
        shown = order[:n_members].tolist()
        alone = self._alone
        classes = self.parent.schema.classes
        return [
            ExplainedMember(
                m,
                float(members.votes[m] / self.total_vote),
                classes[int(members.predictions.classes[m, self.index])],
                self._by_class(given[m]),
                reasons[0] if (reasons := alone.reasons(m)) is not None else None,
            )
            for m in shown
        ]

    @property
    def total_vote(self) -> float:
        """What votes are divided by: their sum, or 1 if members add outputs."""
        members = self.parent.members
        return (
            1.0 if members is None or self.parent.unit == "output" else float(members.votes.sum())
        )

    @property
    def values(self) -> list[Any]:
        """The value of each feature in the row; None if it is missing or was never seen."""
        return [self._value(feature) for feature in range(len(self.parent.schema.features))]

    def _value(self, index: int) -> Any:
        assert self.parent.rows is not None, "the rows are encoded"
        feature = self.parent.schema.features[index]
        cell = self.parent.rows.arrays[index][self.index]
        if feature.kind == "nominal":
            return feature.values[cell] if cell >= 0 else None
        return None if np.isnan(cell) else float(cell)

    def value_text(self, index: int) -> str:
        """Return a feature with its value in the row, such as ``sex = male``."""
        feature, value = self.parent.schema.features[index], self._value(index)
        name = printable(feature.name)
        if value is None:
            return f"{name} missing"
        if feature.kind == "nominal":
            return f"{name} = {printable(value)}"
        return f"{name} = {threshold_text(value, feature) if np.isfinite(value) else value}"

    @property
    def text(self) -> str:
        """The reason in one line."""
        return one_line(self)

    def __repr__(self) -> str:
        return f"<Explanation of row {self.position}: {shortened(self.text)}>"

    def to_text(
        self,
        features: int | None = FEATURES_SHOWN,
        members: int | None = MEMBERS_SHOWN,
        width: int = 80,
    ) -> str:
        """Return the explanation in words; see `Explanations.to_text`."""
        return self._alone.to_text(None, features, members, width)

    def to_dict(self, members: int | None = MEMBERS_SHOWN) -> dict[str, Any]:
        """Return the explanation as plain data, ready for JSON.

        Parameters
        ----------
        members : int or None
            The most members of a committee, those that count most; None for all.

        Returns
        -------
        dict
            ``row``, ``prediction``, ``probability``, ``scores``; with contributions ``base`` and
            ``contributions``, a list with ``feature``, ``value`` and ``contribution`` to each
            class; ``paths``, or ``default`` and ``rules``; of a committee ``members``.
        """
        return row_dict(self, members)

    def _repr_html_(self) -> str:
        return self._alone._repr_html_()

    @property
    def _alone(self) -> Explanations:
        return self.parent[[self.index]]

    def _by_class(self, numbers: NDArray[np.float64]) -> dict[Label, float]:
        return dict(zip(self.parent.schema.classes, numbers.tolist(), strict=True))
