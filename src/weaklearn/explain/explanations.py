"""Explanations of the predictions for some rows: one type for every kind of model."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal, overload

import numpy as np
from numpy.typing import NDArray

from weaklearn.explain.explanation import Explanation
from weaklearn.explain.members import Members, Source
from weaklearn.explain.text import (
    FEATURES_SHOWN,
    MEMBERS_SHOWN,
    ROWS_SHOWN,
    row_dict,
    shortened,
    to_text,
)

if TYPE_CHECKING:
    import pandas as pd

    from weaklearn.encoding import EncodedRows
    from weaklearn.explain.contributions import Contributions
    from weaklearn.explain.fired_rules import FiredRules
    from weaklearn.explain.taken_paths import TakenPaths
    from weaklearn.schema import Schema

Floats = NDArray[np.float64]
#: How many rows follow the paths of a model at a time.
_ROWS_PER_BLOCK = 512


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Explanations(Sequence["Explanation"]):
    """Explanations of the predictions for some rows, a sequence of `Explanation`.

    Parameters
    ----------
    schema : Schema
        The features and classes of the model.
    rows : EncodedRows or None
        The rows; None if members read the frame itself.
    predicted : array of int32
        The class index predicted for each row.
    probabilities : array of float64, (n_rows, n_classes)
        The probability of each class of the schema.
    scores : array of float64, (n_rows, n_classes)
        What the prediction follows from; `unit` says what it is.
    unit : {"share", "vote", "output"}
        "share": the class shares of a tree, program or ruleset. "vote": the votes of a committee,
        divided by the sum of the votes of all members. "output": H(x) in favour of each class.
    contributions : Contributions or None
        What each feature contributes to the scores; None if it is not known.
    source : Graph, Ruleset or None
        What has a reason for each prediction, if the model is not a committee.
    members : Members or None
        The members of a committee.
    note : str
        Why something is not there; empty if all is.
    positions : array of int
        The position of each row in the table that was explained.
    """

    schema: Schema
    rows: EncodedRows | None
    predicted: NDArray[np.int32]
    probabilities: Floats
    scores: Floats
    unit: Literal["share", "vote", "output"]
    contributions: Contributions | None
    source: Source | None
    members: Members | None
    note: str
    positions: NDArray[np.intp]
    #: The reasons of blocks of rows, when they have been asked for.
    _blocks: dict[int, Any] = field(default_factory=dict, init=False)

    def __len__(self) -> int:
        return len(self.predicted)

    @overload
    def __getitem__(self, index: int) -> Explanation: ...
    @overload
    def __getitem__(self, index: slice | Sequence[int]) -> Explanations: ...
    def __getitem__(self, index: Any) -> Any:
        """Return the explanation of one row, or those of a slice or list of rows."""
        if isinstance(index, int | np.integer):
            return Explanation(self, range(len(self))[int(index)])
        chosen = np.arange(len(self))[index]
        return replace(
            self,
            rows=None if self.rows is None else self.rows.take_rows(chosen),
            predicted=self.predicted[chosen],
            probabilities=self.probabilities[chosen],
            scores=self.scores[chosen],
            contributions=None
            if self.contributions is None
            else self.contributions.take_rows(chosen),
            members=None if self.members is None else self.members.take_rows(chosen),
            positions=self.positions[chosen],
        )

    def __iter__(self) -> Iterator[Explanation]:
        return (Explanation(self, index) for index in range(len(self)))

    def __repr__(self) -> str:
        heading = f"Explanations of {len(self):,} row{'s' * (len(self) != 1)}"
        lines = [f"  row {e.position}: {shortened(e.text)}" for e in self[:5]]
        more = [f"  ... and {len(self) - 5:,} more; see to_text()"] if len(self) > 5 else []
        return "\n".join([heading, *lines, *more])

    def reason_of(self, index: int) -> TakenPaths | FiredRules | None:
        """Return the reason of the model for one row; None without reasons."""
        block, place = divmod(index, _ROWS_PER_BLOCK)
        if block not in self._blocks:
            first = block * _ROWS_PER_BLOCK
            self._blocks[block] = self[first : first + _ROWS_PER_BLOCK].reasons()
        reasons = self._blocks[block]
        reason: TakenPaths | FiredRules | None = None if reasons is None else reasons[place]
        return reason

    def reasons(
        self, member: int | None = None
    ) -> Sequence[TakenPaths] | Sequence[FiredRules] | None:
        """Return the reasons of the model, or of a member, for all rows; None without reasons."""
        source = self.source
        rows = self.rows
        if member is not None:
            assert self.members is not None, "only committees have members"
            source, columns = self.members.sources[member], self.members.columns[member]
            if rows is not None and columns is not None:
                rows = rows.take_columns(columns)
        return None if source is None or rows is None else source.reasons(rows)

    def to_frame(self, of: str = "paths", members: int | None = None) -> pd.DataFrame:
        """Return the explanations as a table.

        Parameters
        ----------
        of : {"paths", "contributions", "votes"}
            What the table lists.

            "paths": a line for each path that a row takes, or each rule that fires. ``row``,
            ``prediction``; of a committee ``member``, ``vote`` and ``member_prediction``. Then, of
            trees and programs, ``share`` (of the row on this path), ``class``, ``conditions``,
            ``leaf``, ``weight`` (of the training rows at the leaf) and ``weight_of_class``; of
            rulesets ``rule``, ``decides``, ``class``, ``conditions`` and ``certainty``. A model
            without paths or rules has one line per row or member.

            "contributions": a line for each row and feature. ``row``, ``prediction``, ``feature``,
            ``value`` (None if missing) and ``contribution``, which is to the score of the predicted
            class. ``contributions.values`` has those to the other classes.

            "votes": a line for each row and class. ``row``, ``prediction``, ``class``,
            ``probability``, ``score``; of a committee ``members``, the number of members that
            predict the class.
        members : int, optional
            The most members of a committee to list for each row in "paths", those that count most;
            by default all.

        Returns
        -------
        DataFrame
            ``row`` is the position of the row in the table that was explained, from 0.

        Examples
        --------
        >>> import weaklearn as wl
        >>> table = wl.datasets.load("titanic")
        >>> model = wl.C45Classifier(max_depth=1).fit(table.X, table.y)
        >>> model.explain(table.X[:2]).to_frame()[["row", "prediction", "conditions"]]
           row prediction  conditions
        0    0         no  sex = male
        1    1         no  sex = male
        """
        from weaklearn.explain.frames import FRAMES

        if of not in FRAMES:
            known = ", ".join(map(repr, FRAMES))
            raise ValueError(f"to_frame({of!r}): expected one of {known}")
        return FRAMES[of](self, members)

    def to_text(
        self,
        rows: int | None = ROWS_SHOWN,
        features: int | None = FEATURES_SHOWN,
        members: int | None = MEMBERS_SHOWN,
        width: int = 80,
    ) -> str:
        """Return the explanations in words.

        Parameters
        ----------
        rows : int or None
            The most rows to show; None for all.
        features : int or None
            The most features to show for a row, those that contribute most; None for all.
        members : int or None
            The most members of a committee to show for a row, those that count most; None for all.
        width : int
            The longest line.

        Examples
        --------
        >>> import weaklearn as wl
        >>> table = wl.datasets.load("titanic")
        >>> model = wl.C45Classifier(max_depth=1).fit(table.X, table.y)
        >>> print(model.explain(table.X[:1]).to_text())
        row 0: no, probability 78.8%
          because sex = male
            leaf with 1731 training rows: 1364 no, 367 yes
          share of no: 67.7% if nothing is known, 78.8% for this row
            +11.1%  sex = male
        """
        return to_text(self, rows, features, members, width)

    def to_dict(self, members: int | None = MEMBERS_SHOWN) -> dict[str, Any]:
        """Return the explanations as plain data, ready for JSON.

        Parameters
        ----------
        members : int or None
            The most members of a committee for a row, those that count most; None for all.

        Returns
        -------
        dict
            ``rows``, a list with the dict of each row (see `Explanation.to_dict`), ``unit`` of the
            scores, and ``note``.
        """
        rows = [row_dict(explanation, members) for explanation in self]
        return {"unit": self.unit, "note": self.note, "rows": rows}

    def _repr_html_(self) -> str:
        from weaklearn.explain.html import to_html

        return to_html(self)
