"""Bagging of Breiman, over C4.5 or any classifier."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from weaklearn.boosting import bagging
from weaklearn.boosting.progress import Callback, progress_bar
from weaklearn.estimators.committee.learned import LearnedCommittee
from weaklearn.estimators.committee.member_learners import MemberLearner
from weaklearn.estimators.parameters import Choice, Number, Parameter
from weaklearn.estimators.training_table import TrainingTable
from weaklearn.models.votes import shares, winners


class BaggedClassifier(LearnedCommittee):
    """Bagging (Breiman) of C4.5, as Quinlan bagged it, or of any classifier.

    Each member is learned from a sample of as many rows as there are, drawn with replacement.

    Parameters
    ----------
    estimator : classifier, optional
        The classifier that members are learned with: `C45Classifier()` by default.
    n_members : int
        Number of members.
    vote : {"equal", "confidence"}
        Every member has the same vote, or votes with its confidence in the row: a Laplace ratio at
        the leaf.
    verbose : int
        1 shows a bar: members, remaining time.
    callback : callable, optional
        Called with a `Progress` after each member; the fit stops if it returns True. It is not
        saved with the classifier.
    nominal, continuous : list of names or positions, optional
        Columns whose kind is given rather than inferred from their type.
    n_jobs : int or None
        Members to learn at a time, and threads to predict with; the result does not depend on it.
    random_state : int, RandomState or None
        Seed for samples and for members that use random numbers.

    Attributes
    ----------
    members_ : list of classifiers
        The members, each fitted.
    votes_ : array of float64
        The vote of each member, 1; with ``vote="confidence"`` it is multiplied by the confidence.
    oob_error_ : float
        The out-of-bag error: each row is predicted by the members that were not trained on it. NaN
        if every member was trained on every row.
    oob_proba_ : array of shape (n_rows, n_classes)
        The shares of the votes of the members that were not trained on the row, in the order of
        ``classes_``; NaN for rows that all members were trained on. Rows of weight 0 are left out.
    margins_ : array of float64
        The margin of each training row of positive weight. They are computed when first read. Until
        then, or until the classifier is pickled, the training rows are kept in memory.
    interrupted_ : bool
        Whether Ctrl-C ended the fit.
    classes_, n_features_in_, feature_names_in_
        As usual.

    Examples
    --------
    >>> import weaklearn as wl
    >>> table = wl.datasets.load("titanic")
    >>> model = wl.BaggedClassifier(n_members=20, random_state=0).fit(table.X, table.y)
    >>> 0.18 < model.oob_error_ < 0.26
    True
    """

    _parameters: ClassVar[Mapping[str, Parameter]] = {
        "n_members": Parameter(10, Number(low=1, whole=True), "members, one per bootstrap sample"),
        "vote": Parameter(
            "equal",
            Choice(("equal", "confidence")),
            "what a member votes with: the same as any other, or its confidence in the row",
        ),
    }

    def __init__(
        self,
        estimator: Any = None,
        n_members: int = 10,
        vote: str = "equal",
        *,
        verbose: int = 0,
        callback: Callback | None = None,
        nominal: Iterable[str | int] | None = None,
        continuous: Iterable[str | int] | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.n_members = n_members
        self.vote = vote
        self.verbose = verbose
        self.callback = callback
        self.nominal = nominal
        self.continuous = continuous
        self.n_jobs = n_jobs
        self.random_state = random_state

    @property
    def _learns_from_samples(self) -> bool:
        return True

    def _threads_per_member(self, n_threads: int) -> int:
        return 1  # each thread learns a member

    def _learn_members(self, learner: MemberLearner, n_threads: int) -> list[Any]:
        n_members, priority = int(self.n_members), learner.priority
        with progress_bar(self.verbose, self.callback, "members") as callback:
            bagged = bagging.bag(
                learner.learn,
                learner.weights,
                len(priority),
                n_members,
                self._seed,
                n_threads,
                callback,
            )
        self.votes_ = np.ones(len(bagged.members))
        self.interrupted_ = bagged.stopped == "interrupted"
        scores = bagged.out_of_bag
        has_votes = np.asarray(scores.any(axis=1))
        wrong = has_votes & (winners(scores, priority) != learner.class_indices)
        total = learner.weights[has_votes].sum()
        self.oob_error_ = float(learner.weights[wrong].sum() / total) if total > 0 else float("nan")
        self._oob_shares = np.where(has_votes[:, None], shares(scores), np.nan)
        self._warn_if_interrupted(len(bagged.members), n_members, "members")
        return bagged.members

    def _weakness(self, table: TrainingTable) -> str:
        shares = np.bincount(table.class_indices, table.weights) / table.weights.sum()
        majority_error = 1.0 - float(shares.max())
        if not self.oob_error_ > majority_error > 0.0:
            return ""
        return (
            f"the out-of-bag error is {100 * self.oob_error_:.1f} %, and predicting the most "
            f"frequent class for every row gives {100 * majority_error:.1f} %. Check the columns, "
            "or use more members: n_members=100."
        )

    @property
    def oob_proba_(self) -> NDArray[np.float64]:
        """The out-of-bag shares of the votes, in the order of ``classes_``."""
        return self._in_class_order(self._oob_shares)

    @property
    def oob_score_(self) -> float:
        """The out-of-bag accuracy: 1 minus ``oob_error_``."""
        return 1.0 - self.oob_error_

    @property
    def oob_decision_function_(self) -> NDArray[np.float64]:
        """The out-of-bag shares of the votes: scikit-learn's name for ``oob_proba_``."""
        return self.oob_proba_

    def _keep_notes_of(self, chosen: NDArray[np.intp], own_votes: bool) -> None:
        super()._keep_notes_of(chosen, own_votes)
        self.__dict__.pop("oob_error_", None)
        self.__dict__.pop("_oob_shares", None)
