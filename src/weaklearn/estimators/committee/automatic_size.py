"""Committees that choose their size by rows that their members do not learn from."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from weaklearn.boosting.adaboost_m1_loop import LearnedMember
from weaklearn.boosting.automatic_size import MOST_MEMBERS, Metric
from weaklearn.encoding import check_sample_weight
from weaklearn.estimators.committee.learned import LearnedCommittee
from weaklearn.estimators.committee.member_learners import MemberLearner
from weaklearn.estimators.parameters import Choice, Parameter
from weaklearn.schema import encode_classes
from weaklearn.tables.frames import as_columns

METRIC = Parameter(
    "log_loss",
    Choice(("log_loss", "error")),
    "what decides the size if it is auto: the log loss of probabilities, or the error",
)


class EvaluationRows:
    """The rows of an ``eval_set`` as the members of a committee read them."""

    def __init__(self, eval_set: Any, learner: MemberLearner, model_name: str) -> None:
        is_sequence = isinstance(eval_set, tuple | list)
        if not is_sequence or len(eval_set) not in (2, 3):
            raise ValueError(
                "eval_set must be (X, y) or (X, y, sample_weight), got "
                f"{f'{len(eval_set)} parts' if is_sequence else type(eval_set).__name__}."
            )
        X, y, *weights = eval_set
        columns = as_columns(X)
        has_names = columns.names is not None
        self._learner = learner
        self._rows = learner.voters([]).encode(X, learner.schema, model_name, has_names)
        self.classes = encode_classes(y, learner.schema.classes, columns.n_rows)
        self.weights = check_sample_weight(weights[0] if weights else None, columns.n_rows)

    def predict(self, learned: LearnedMember[Any], index: int) -> LearnedMember[Any]:
        """Return what the member of this index predicts for the rows."""
        voters = self._learner.voters([learned.member], index)
        predictions = voters.member_predictions(self._rows, self._learner.n_threads)
        return LearnedMember(
            learned.member,
            predictions.classes[0],
            None if predictions.strengths is None else predictions.strengths[0],
            voters.shares(self._rows, np.ones(1), self._learner.n_threads),
            self._learner.form == "shares",
        )

    def count_votes(
        self, members: list[Any], first: int, votes: NDArray[np.float64], by_shares: bool
    ) -> NDArray[np.float64]:
        """Return the votes of some members for the rows; `first` is the index of the first."""
        voters = self._learner.voters(members, first)
        count = voters.shares if by_shares else voters.scores
        return count(self._rows, votes, self._learner.n_threads)


class AutomaticSize(LearnedCommittee):
    """Base of the committees whose number of members can be "auto"."""

    metric: Metric
    #: The name of the parameter that is the number of members.
    _size_name: ClassVar[str]

    @property
    def _is_automatic(self) -> bool:
        return bool(getattr(self, self._size_name) == "auto")

    @property
    def _most_members(self) -> int:
        return MOST_MEMBERS if self._is_automatic else int(getattr(self, self._size_name))

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None, eval_set: Any = None) -> Self:
        """Fit the committee to a table.

        Parameters
        ----------
        X : frame
            A pandas or polars DataFrame, a pyarrow Table, a NumPy array or a list of rows. Nominal
            columns and missing values need no preparation, if the members can handle them. Also a
            table that is larger than memory, as for a single tree with ``max_bins``.
        y : Series, array or list
            The class of each row. Not needed for a scan that has a target.
        sample_weight : array or number, optional
            A weight per row, as for a single tree.
        eval_set : tuple, optional
            Other rows, (X, y) or (X, y, sample_weight), that decide on the number of members if it
            is "auto".

        Returns
        -------
        self
            The fitted classifier. If the fit is interrupted (Ctrl-C), it keeps the members learned
            so far, warns and sets ``interrupted_``.
        """
        if eval_set is not None and not self._is_automatic:
            given = getattr(self, self._size_name)
            raise ValueError(
                f"eval_set chooses the number of members, and {self._size_name}={given} sets it: "
                f"use {self._size_name}='auto', or leave eval_set out."
            )
        self._eval_set = eval_set
        try:
            return super().fit(X, y, sample_weight)
        finally:
            self.__dict__.pop("_eval_set", None)

    def _evaluation_rows(self, learner: MemberLearner) -> EvaluationRows | None:
        """Return the rows of the ``eval_set``, if there is one."""
        eval_set = self.__dict__.get("_eval_set")
        return None if eval_set is None else EvaluationRows(eval_set, learner, type(self).__name__)

    def _check_not_continued(self) -> None:
        """Raise a ValueError if the size is automatic and an earlier fit is continued."""
        if self._is_automatic and self._is_continued:
            unit = self._size_name.removeprefix("n_")
            raise ValueError(
                f"warm_start=True needs a number of {unit}, not {self._size_name}='auto'."
            )
