"""Out-of-bag votes: those of the members whose sample lacks a row."""

from __future__ import annotations

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from weaklearn.estimators.committee.base import Committee
from weaklearn.estimators.committee.member_learners import MemberLearner
from weaklearn.models.votes import winners
from weaklearn.user_warnings import warn_user


class OutOfBagVotes(Committee):
    """Base of the committees whose members learn from samples, and so can be tested on the rest."""

    #: The share of rows that may lack out-of-bag votes without a warning: 10 samples leave 1 %.
    _most_lacking: ClassVar[float] = 0.05
    _oob_error: float
    _oob_shares: NDArray[np.float64]
    _oob_warned: bool

    def _note_out_of_bag(
        self,
        votes: NDArray[np.float64],
        class_shares: NDArray[np.float64],
        learner: MemberLearner,
    ) -> None:
        """Keep the probabilities and the error of the out-of-bag votes.

        `votes` and `class_shares` are sums per training row and class, as for `_probabilities`. A
        row without votes is all 0 in the first.
        """
        has_votes = np.asarray(votes.any(axis=1))
        predicted = winners(votes, learner.priority)
        n_members = len(self.votes_)
        probabilities = self._restored(self._probabilities(class_shares, predicted, n_members))
        if self._cost_rule is not None:
            predicted = self._cost_rule.cheapest(probabilities)
        wrong = has_votes & (predicted != learner.class_indices)
        total = learner.weights[has_votes].sum()
        self._oob_error = float(learner.weights[wrong].sum() / total) if total > 0 else float("nan")
        self._oob_warned = False
        self._oob_shares = np.where(has_votes[:, None], probabilities, np.nan)

    def _forget_out_of_bag(self) -> None:
        for name in ("_oob_error", "_oob_shares"):
            self.__dict__.pop(name, None)

    @property
    def oob_error_(self) -> float:
        """The out-of-bag error."""
        self._check_out_of_bag()
        return self._oob_error

    @property
    def oob_proba_(self) -> NDArray[np.float64]:
        """The out-of-bag probabilities, in the order of ``classes_``."""
        self._check_out_of_bag()
        return self._in_class_order(self._oob_shares)

    @property
    def oob_score_(self) -> float:
        """The out-of-bag accuracy: 1 minus ``oob_error_``."""
        return 1.0 - self.oob_error_

    @property
    def oob_decision_function_(self) -> NDArray[np.float64]:
        """The out-of-bag probabilities: scikit-learn's name for ``oob_proba_``."""
        return self.oob_proba_

    def _check_out_of_bag(self) -> None:
        """Raise an error if there are no out-of-bag votes; warn once if many rows lack them."""
        if "_oob_shares" not in self.__dict__:
            raise AttributeError(
                f"this {type(self).__name__} has no out-of-bag votes: a committee has them after "
                "fit, but not a part of it, and not a loaded file."
            )
        n_rows, n_lacking = len(self._oob_shares), int(np.isnan(self._oob_shares[:, 0]).sum())
        if n_lacking <= self._most_lacking * n_rows or self._oob_warned:
            return
        self._oob_warned = True
        warn_user(
            f"{n_lacking} of {n_rows} rows have no out-of-bag vote, because all "
            f"{len(self.members_)} members were trained on them. "
            f"{self._out_of_bag_remedy(n_lacking, n_rows)}"
        )

    def _out_of_bag_remedy(self, n_lacking: int, n_rows: int) -> str:
        """Return what a user can do if many rows lack out-of-bag votes."""
        return f"Use more members, for example n_members={10 * len(self.members_)}."
