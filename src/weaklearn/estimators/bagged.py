"""Bagging as a scikit-learn classifier."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from weaklearn.boosting import bagging
from weaklearn.boosting.progress import Callback, progress_bar
from weaklearn.estimators.committee_classifier import CommitteeClassifier
from weaklearn.estimators.parameters import Choice, Number, Parameter
from weaklearn.models.count_votes import shares, winners


class BaggedClassifier(CommitteeClassifier):
    """Bagging (Breiman) of C4.5, as Quinlan bagged it, or of any classifier.

    Each member is learned from a sample of as many rows as there are, drawn with replacement.

    Parameters
    ----------
    estimator : classifier, optional
        What members are learned with: `C45Classifier()` by default.
    n_members : int
        How many members.
    vote : {"equal", "confidence"}
        What a member's vote counts: the same as any other, or its confidence in the row at hand, a
        Laplace ratio at the leaf.
    verbose : int
        1 shows a bar: members, time left.
    callback : callable, optional
        Called with a `Progress` after each member; the fit stops where it answers True.
    nominal, continuous : list of names or positions, optional
        Columns whose kind is given rather than inferred from their type.
    n_jobs : int or None
        Members to learn at a time, and threads to answer with; the result does not depend on it.
    random_state : int, RandomState or None
        What samples are drawn with, and the seeds of members that leave things to chance.

    Attributes
    ----------
    members_ : list of classifiers
        The members, each fitted.
    votes_ : array of float64
        What each member's vote counts (with confidence, as a multiple of it): 1.
    oob_error_ : float
        The weight of the rows, among those that some member was not trained on, that such members
        outvote; NaN if there are none.
    oob_proba_ : array of shape (n_rows, n_classes)
        The shares of the votes of the members that were not trained on the row, in the order of
        ``classes_``; NaN where all were. Rows of weight 0 are left out.
    margins_ : array of float64
        The margin of each training row of positive weight.
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
        return 1  # threads learn a member each

    def _assemble(
        self,
        learn: Any,
        classes: NDArray[np.int32],
        weights: NDArray[np.float64],
        n_threads: int,
    ) -> None:
        n_classes = len(self._priority)
        with progress_bar(self.verbose, self.callback, "members") as callback:
            bagged = bagging.bag(
                learn, weights, n_classes, int(self.n_members), self._seed, n_threads, callback
            )
        self.members_ = bagged.members
        self.votes_ = np.ones(len(bagged.members))
        self.interrupted_ = bagged.stopped == "interrupted"
        scores = bagged.out_of_bag
        voted = np.asarray(scores.any(axis=1))
        wrong = voted & (winners(scores, self._priority) != classes)
        total = weights[voted].sum()
        self.oob_error_ = float(weights[wrong].sum() / total) if total > 0 else float("nan")
        self._oob_shares = np.where(voted[:, None], shares(scores), np.nan)
        self._note_interruption(int(self.n_members), "members")

    @property
    def oob_proba_(self) -> NDArray[np.float64]:
        """The out-of-bag shares of the votes, in the order of ``classes_``."""
        return self._oob_shares[:, self._class_order()]

    def _forget(self, chosen: NDArray[np.intp]) -> None:
        super()._forget(chosen)
        self.__dict__.pop("oob_error_", None)
        self.__dict__.pop("_oob_shares", None)

    def _record(self) -> dict[str, Any]:
        return {}

    def _restore(self, content: Mapping[str, Any]) -> None:
        pass
