"""AdaBoost.M1 as a scikit-learn classifier."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, get_args

import numpy as np
from numpy.typing import NDArray

from weaklearn.boosting import adaboost_m1 as boosting
from weaklearn.boosting.adaboost_m1 import LearnedMember
from weaklearn.boosting.progress import Callback, progress_bar
from weaklearn.estimators.committee_classifier import CommitteeClassifier
from weaklearn.estimators.parameters import Choice, Flag, Number, Parameter
from weaklearn.estimators.storing import numbers_from
from weaklearn.models.count_votes import priority_of
from weaklearn.models.saving import take


class AdaBoostM1Classifier(CommitteeClassifier):
    """AdaBoost.M1 (Freund and Schapire) over C4.5, as Quinlan boosted it, or any classifier.

    Parameters
    ----------
    estimator : classifier, optional
        What members are learned with: `C45Classifier()` by default. A classifier of this package
        learns all rounds from one encoded dataset; any other must take ``sample_weight``, or be
        given samples by ``method="resample"``.
    n_rounds : int or "auto"
        Rounds. "auto" holds back a share of the rows and keeps the rounds that answer those best,
        up to 1,000; it stops when 20 rounds have brought no better one.
    vote : {"error", "confidence"}
        What a member's vote counts: log((1 - error) / error) of its error in its round, or, in
        Quinlan's variant, its confidence in the row at hand, a Laplace ratio at the leaf.
    method : {"reweight", "resample"}
        Whether a round learns from weighted rows, or from a sample of them drawn by weight.
    stop_at_zero_error : bool
        Whether to stop when the committee makes no training error (Quinlan found that this makes
        it worse).
    keep_class_weights : bool
        Whether each class keeps its total weight in every round (Quinlan's closing suggestion).
    validation_share : float
        The share of the rows held back where ``n_rounds`` is "auto".
    warm_start : bool
        Whether ``fit`` goes on from the members that are there, to ``n_rounds`` in all: on the same
        table it gives what fitting them at once would.
    verbose : int
        1 shows a bar: rounds, error, time left.
    callback : callable, optional
        Called with a `Progress` after each round; the fit stops where it answers True.
    nominal, continuous : list of names or positions, optional
        Columns whose kind is given rather than inferred from their type.
    n_jobs : int or None
        Threads to fit and answer with; the result does not depend on it.
    random_state : int, RandomState or None
        What samples are drawn with, and the seeds of members that leave things to chance.

    Attributes
    ----------
    members_ : list of classifiers
        The members, round by round, each fitted.
    votes_ : array of float64
        What each member's vote counts (with confidence, as a multiple of it). A member without
        error decides alone: its vote outweighs all others.
    errors_ : array of float64
        The weight of each member's errors in its round.
    training_bound_ : float
        Freund and Schapire's bound, the product of 2 sqrt(error (1 - error)): the training error of
        a committee that votes by error is at most this. With ``keep_class_weights`` the bound of
        each class, added up.
    margins_ : array of float64
        The margin of each training row of positive weight.
    stopped_ : str
        Why there are no more rounds: "rounds" (as many as asked), "perfect" (a member without
        error), "error" (of a half or more; that round is dropped, unless it is the first),
        "zero_error", "validation", "callback" or "interrupted".
    interrupted_ : bool
        Whether Ctrl-C ended the fit.
    validation_errors_ : array of float64
        The error on the rows held back, round by round; only where ``n_rounds`` is "auto".
    classes_, n_features_in_, feature_names_in_
        As usual.

    Examples
    --------
    >>> import weaklearn as wl
    >>> table = wl.datasets.load("titanic")
    >>> model = wl.AdaBoostM1Classifier(n_rounds=5).fit(table.X, table.y)
    >>> len(model), len(model[:2])
    (5, 2)
    """

    _parameters: ClassVar[Mapping[str, Parameter]] = {
        "n_rounds": Parameter(
            10,
            Number(low=1, whole=True, words=("auto",)),
            "rounds, or auto to choose by the error on rows that are held back",
        ),
        "vote": Parameter(
            "error",
            Choice(("error", "confidence")),
            "what a member votes with: its error, or its confidence in the row",
        ),
        "method": Parameter(
            "reweight",
            Choice(("reweight", "resample")),
            "whether a round learns from weighted rows or from a sample of them",
        ),
        "stop_at_zero_error": Parameter(
            False, Flag(), "whether to stop when the committee makes no training error"
        ),
        "keep_class_weights": Parameter(
            False, Flag(), "whether each class keeps its total weight in every round"
        ),
        "validation_share": Parameter(
            0.2,
            Number(low=0, above_low=True, high=0.9),
            "share of the rows held back where the rounds are auto",
        ),
    }

    def __init__(
        self,
        estimator: Any = None,
        n_rounds: int | str = 10,
        vote: str = "error",
        method: str = "reweight",
        stop_at_zero_error: bool = False,
        keep_class_weights: bool = False,
        *,
        validation_share: float = 0.2,
        warm_start: bool = False,
        verbose: int = 0,
        callback: Callback | None = None,
        nominal: Iterable[str | int] | None = None,
        continuous: Iterable[str | int] | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.n_rounds = n_rounds
        self.vote = vote
        self.method = method
        self.stop_at_zero_error = stop_at_zero_error
        self.keep_class_weights = keep_class_weights
        self.validation_share = validation_share
        self.warm_start = warm_start
        self.verbose = verbose
        self.callback = callback
        self.nominal = nominal
        self.continuous = continuous
        self.n_jobs = n_jobs
        self.random_state = random_state

    @property
    def _learns_from_samples(self) -> bool:
        return self.method == "resample"

    def _start(self, schema: Any, class_weights: NDArray[np.float64]) -> None:
        if not (self.warm_start and hasattr(self, "members_")):
            super()._start(schema, class_weights)
            return
        if self.n_rounds == "auto":
            raise ValueError("warm_start=True needs a number of rounds, not n_rounds='auto'.")
        if boosting.max_rounds(self.n_rounds) < len(self.members_):
            raise ValueError(
                f"n_rounds={self.n_rounds} with warm_start=True: there are {len(self.members_)} "
                "rounds already; ask for more, or cut the committee: model[:n]."
            )
        if schema != self._schema_:
            raise ValueError(
                "warm_start=True goes on with the same table, and this one has other columns, "
                "values or classes: use warm_start=False to fit anew."
            )
        self._priority = priority_of(class_weights)

    def _assemble(
        self,
        learn: Any,
        classes: NDArray[np.int32],
        weights: NDArray[np.float64],
        n_threads: int,
    ) -> None:
        earlier = self.members_ if self.warm_start and hasattr(self, "members_") else []

        def learn_or_recall(counts: NDArray[np.float64], number: int) -> LearnedMember[Any]:
            known = number < len(earlier)
            learned: LearnedMember[Any] = (
                learn.answer(earlier[number]) if known else learn(counts, number)
            )
            return learned

        held_back = None
        if self.n_rounds == "auto":
            held_back = _hold_back(classes, weights, self.validation_share, self._seed)
        with progress_bar(self.verbose, self.callback, "rounds") as callback:
            boosted = boosting.boost(
                learn_or_recall,
                classes,
                weights if held_back is None else weights - held_back,
                self._priority,
                self._seed,
                n_rounds=boosting.max_rounds(self.n_rounds),
                confident=self._confident,
                resample=self.method == "resample",
                stop_at_zero_error=self.stop_at_zero_error,
                keep_class_weights=self.keep_class_weights,
                held_back=held_back,
                callback=callback,
            )
        self.members_ = boosted.members
        self.votes_ = boosted.votes
        self.errors_ = boosted.errors
        self._bounds = boosted.bounds
        self.stopped_: str = boosted.stopped
        self.interrupted_ = boosted.stopped == "interrupted"
        self.__dict__.pop("validation_errors_", None)
        if held_back is not None:
            self.validation_errors_ = boosted.validation_errors
        self._note_interruption(boosting.max_rounds(self.n_rounds), "rounds")

    @property
    def advantages_(self) -> NDArray[np.float64]:
        """By how much each member's error is below a half."""
        return 0.5 - self.errors_

    @property
    def training_bound_(self) -> float:
        """What the training error is at most; not there for votes of which nothing is proven."""
        return float(self._bounds[-1])

    def _forget(self, chosen: NDArray[np.intp]) -> None:
        super()._forget(chosen)
        self.__dict__.pop("validation_errors_", None)
        is_start = np.array_equal(chosen, np.arange(len(chosen)))
        self.errors_ = self.errors_[chosen]
        # What is proven of the first rounds holds for no other choice of members.
        if is_start and hasattr(self, "_bounds"):
            self._bounds = self._bounds[chosen]
        else:
            self._forget_bounds()

    def _forget_bounds(self) -> None:
        self.__dict__.pop("_bounds", None)

    def _record(self) -> dict[str, Any]:
        return {
            "errors": self.errors_.tolist(),
            "bounds": self._bounds.tolist() if hasattr(self, "_bounds") else [],
            "stopped": self.stopped_,
            "seed": self._seed,
        }

    def _restore(self, content: Mapping[str, Any]) -> None:
        self.errors_ = numbers_from(content, "errors")
        self.stopped_ = take(content, "stopped", str)
        reasons = get_args(boosting.StopReason)
        if self.stopped_ not in reasons:
            raise ValueError(f'its "stopped" is {self.stopped_!r}; known are {", ".join(reasons)}')
        if len(self.errors_) != len(self.members_):
            raise ValueError('its "errors" are not one per member')
        bounds = numbers_from(content, "bounds")
        if len(bounds) not in (0, len(self.members_)):
            raise ValueError('its "bounds" are not one per member')
        if len(bounds):
            self._bounds = bounds
        self._seed = take(content, "seed", int)
        if not 0 <= self._seed < 2**31:
            raise ValueError(f'its "seed" is {self._seed}; expected 0 to 2^31 - 1')


def _hold_back(
    classes: NDArray[np.int32], weights: NDArray[np.float64], share: float, seed: int
) -> NDArray[np.float64]:
    """Give the weights of a stratified share of the rows, 0 for those to train on."""
    generator = np.random.default_rng([seed, 2**31])
    held_back = np.zeros(len(weights))
    for number in range(int(classes.max()) + 1):
        rows = generator.permutation(np.flatnonzero((classes == number) & (weights > 0)))
        taken = rows[: min(round(share * len(rows)), len(rows) - 1)]
        held_back[taken] = weights[taken]
    if not held_back.any():
        raise ValueError(
            f"n_rounds='auto' with validation_share={share} would hold back no row: there are too "
            "few. Say how many rounds, e.g. n_rounds=10."
        )
    return held_back
