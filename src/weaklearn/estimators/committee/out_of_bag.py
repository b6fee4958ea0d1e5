"""Out-of-bag votes: those of the members whose sample lacks a row."""

from __future__ import annotations

from collections.abc import Callable
from copy import copy
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from weaklearn.boosting.bagging import Judge, OutOfBagResult, OutOfBagSums
from weaklearn.boosting.forest_rows import ForestVotes
from weaklearn.estimators.committee.base import Committee
from weaklearn.estimators.committee.computed_when_read import ComputedWhenRead
from weaklearn.estimators.committee.member_learners import DatasetMemberLearner
from weaklearn.models.votes import winners
from weaklearn.user_warnings import warn_user

#: What judging votes does not need of a model, and what may be large or unable to travel.
_NOT_FOR_JUDGING = (
    "_draw",
    "_eval_set",
    "_later_oob_proba",
    "_oob",
    "_training_margins",
    "_voters",
)


class OutOfBagVotes(Committee):
    """Base of the committees whose members learn from samples, and so can be tested on the rest."""

    #: The share of rows that may lack out-of-bag votes without a warning: 10 samples leave 1 %.
    _most_lacking: ClassVar[float] = 0.05
    _oob: OutOfBagResult
    _oob_warned: bool
    _later_oob_proba: ComputedWhenRead

    def _note_out_of_bag(
        self,
        sums: OutOfBagSums | ForestVotes,
        priority: NDArray[np.uint32],
        probabilities: Callable[[Judge], NDArray[np.float64]] | None = None,
    ) -> None:
        """Keep the probabilities and the error of the out-of-bag votes.

        If `sums` do not know probabilities, `probabilities` computes them when they are read.
        """
        # The rows may be in other processes, and the judge is kept until oob_proba_ is read.
        model = copy(self)
        model.__dict__.update(callback=None)
        for name in _NOT_FOR_JUDGING:
            model.__dict__.pop(name, None)
        judge = partial(judge_votes, model, priority)
        self._oob = sums.judge(judge)
        self._oob_warned = False
        self.__dict__.pop("_later_oob_proba", None)
        if probabilities is not None:
            self._later_oob_proba = ComputedWhenRead(partial(probabilities, judge))

    def _forget_out_of_bag(self) -> None:
        self.__dict__.pop("_oob", None)
        self.__dict__.pop("_later_oob_proba", None)

    @property
    def oob_error_(self) -> float:
        """The out-of-bag error."""
        self._check_out_of_bag()
        return self._oob.error

    @property
    def oob_proba_(self) -> NDArray[np.float64]:
        """The out-of-bag probabilities, in the order of ``classes_``."""
        self._check_out_of_bag()
        if "_later_oob_proba" in self.__dict__:
            return self._in_class_order(self._later_oob_proba.get())
        if self._oob.probabilities is None:
            raise AttributeError(
                f"this {type(self).__name__} was fitted over the rows of a cluster, which stay on "
                "their workers, so it has oob_error_ but no oob_proba_."
            )
        return self._in_class_order(self._oob.probabilities)

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
        if "_oob" not in self.__dict__:
            raise AttributeError(
                f"this {type(self).__name__} has no out-of-bag votes: a committee has them after "
                "fit, but not a part of it, and not a loaded file."
            )
        n_rows, n_lacking = self._oob.n_rows, self._oob.n_lacking
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


def later_probabilities(
    learner: DatasetMemberLearner,
    members: list[Any],
    draw: Callable[[int], NDArray[Any]],
    n_threads: int,
    judge: Judge,
) -> NDArray[np.float64]:
    """Compute out-of-bag probabilities after the fit, which needed no more than votes.

    They take 8 bytes per row and class, as do the sums of class shares that they are made from.
    """
    learner = learner.with_class_shares(n_threads)
    sums = learner.out_of_bag_votes(len(members))
    for index, member in enumerate(members):
        absent = sums.absent(draw(index))
        sums.add(learner.recall(member, index, absent), absent)
    probabilities = sums.judge(judge).probabilities
    assert probabilities is not None  # because shares were added up
    return probabilities


def judge_votes(
    model: Any,
    priority: NDArray[np.uint32],
    votes: NDArray[np.float64],
    class_shares: NDArray[np.float64] | None,
    classes: NDArray[np.int32],
) -> tuple[NDArray[np.bool_], NDArray[np.bool_], NDArray[np.float64] | None]:
    """Predict rows by votes and sums of class shares, as a committee whose votes are known does.

    Returns which rows have votes, which of them are predicted wrongly, and probabilities. Without
    class shares it does not know probabilities, and the model must not need them to predict.
    """
    if model._vote_form == "shares":
        assert class_shares is not None
        votes = class_shares
    has_votes = np.asarray(votes.any(axis=1))
    predicted = winners(votes, priority)
    if class_shares is None:
        return has_votes, has_votes & (predicted != classes), None
    n_members = len(model.votes_)
    probabilities = model._restored(model._probabilities(class_shares, predicted, n_members))
    if model._cost_rule is not None:
        predicted = model._cost_rule.cheapest(probabilities)
    return has_votes, has_votes & (predicted != classes), probabilities
