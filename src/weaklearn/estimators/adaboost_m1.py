"""AdaBoost.M1 of Freund and Schapire, over C4.5 or any classifier."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, ClassVar, get_args

import numpy as np
from numpy.typing import NDArray

from weaklearn.boosting import adaboost_m1_loop as boosting
from weaklearn.boosting.adaboost_m1_loop import LearnedMember
from weaklearn.boosting.automatic_size import LocalHeldRows, Metric, RoundChoice
from weaklearn.boosting.distribution import Distribution
from weaklearn.boosting.progress import Callback, progress_bar
from weaklearn.estimators.committee.automatic_size import METRIC, AutomaticSize
from weaklearn.estimators.committee.member_learners import MemberLearner, Sampling
from weaklearn.estimators.parameters import Choice, Flag, Number, Parameter
from weaklearn.estimators.saving import take_seed
from weaklearn.estimators.training_table import TrainingTable
from weaklearn.models.file_content import number_array, take, take_class_weights, take_numbers
from weaklearn.models.probabilities import Calibration, usual_exponent
from weaklearn.models.votes import VoteForm


class AdaBoostM1Classifier(AutomaticSize):
    """AdaBoost.M1 (Freund and Schapire) over C4.5, as Quinlan boosted it, or any classifier.

    Parameters
    ----------
    estimator : classifier, optional
        The classifier that members are learned with: `C45Classifier()` by default. A classifier of
        this package learns all rounds from one encoded dataset. Any other must either take
        ``sample_weight`` or be used with ``method="resample"``.
    n_rounds : int or "auto"
        Rounds. "auto" chooses up to 1,000 by the loss (``metric``) on rows that are held back, or
        on the ``eval_set`` of `fit`: the most rounds whose loss is not clearly above the least. It
        stops after 50 rounds without a smaller loss.
    vote : {"error", "confidence", "shares"}
        A member votes with log((1 - error) / error) of its error in its round, or, in Quinlan's
        variant, with its confidence in the row: a Laplace ratio at the leaf. "shares" gives the
        vote by error to all classes, in proportion to the member's class shares. With
        ``C45Classifier(shrinkage=10)`` ten trees then make fewer errors; see
        docs/studies/ten_trials.md.
    method : {"reweight", "resample"}
        Whether a round learns from weighted rows, or from a sample of them drawn by weight.
    step : float
        How far a round moves the weight of the misclassified rows towards one half. 1 is the method
        as published. With 0.5, as C5.0 is said to do, ten trees make fewer errors on many
        tables; see docs/studies/ten_trials.md. The votes by error are then log(c), where c is the
        ratio by which a misclassified row gains on the others, and the bound holds for them.
    stop_at_zero_error : bool
        Whether to stop when the committee makes no training error (Quinlan found that this makes
        it worse).
    keep_class_weights : bool
        Whether each class keeps its total weight in every round (Quinlan's closing suggestion).
    restart : bool
        Whether a member without error, and one with an error of a half or more, restarts boosting
        from random weights (Webb 2000) instead of ending it; see docs/algorithms/adaboost_m1.md.
    metric : {"log_loss", "error"}
        The loss if ``n_rounds`` is "auto". Costs are not considered.
    validation_share : float
        The share of the rows held back if ``n_rounds`` is "auto" and there is no ``eval_set``.
    warm_start : bool
        Whether ``fit`` keeps the members of the last fit and adds rounds up to ``n_rounds``. On the
        same table, the result is the same as that of fitting all rounds at once.
    verbose : int
        1 shows a bar: rounds, error, remaining time.
    callback : callable, optional
        Called with a `Progress` after each round; the fit stops if it returns True. It is not saved
        with the classifier.
    class_weight : None, "balanced" or dict
        Weights of classes; see docs/guides/weights_and_costs.md.
    costs : None, matrix or dict
        Costs of errors, such as ``{(true, predicted): cost}``; see there too.
    nominal, continuous : list of names or positions, optional
        Columns whose kind is given rather than inferred from their type.
    ignore : list of names or positions, optional
        Columns to leave out.
    missing_values : list of texts and numbers, optional
        Cells that are missing: texts in place of ``wl.MISSING_TEXTS``, numbers in addition.
    n_jobs : int or None
        Threads to fit and predict with; the result does not depend on it.
    random_state : int, RandomState or None
        Seed for samples and for members that use random numbers.

    Attributes
    ----------
    members_ : list of classifiers
        The members, round by round, each fitted.
    votes_ : array of float64
        The vote of each member; with ``vote="confidence"`` it is multiplied by the confidence. A
        member without error decides alone: its vote outweighs all others. With ``restart`` it has
        the vote of an error of 1e-10.
    errors_ : array of float64
        The weight of each member's errors in its round.
    training_bound_ : float
        Freund and Schapire's bound: the training error of a committee that votes by error is at
        most this. It is the product of 2 sqrt(error (1 - error)) if `step` is 1. With
        ``keep_class_weights`` it is the bound of each class, added up. It is 1 after a restart.
    margins_ : array of float64
        The margin of each training row of positive weight. They are computed when first read. Until
        then, or until the classifier is pickled, the training rows are kept in memory.
    stopped_ : str
        Why there are no more rounds: "rounds" (as many as asked for), "perfect" (a member without
        error), "error" (a half or more, with ``restart`` 25 times in a row; such a round is
        dropped, unless it is the first),
        "zero_error", "validation", "callback" or "interrupted".
    interrupted_ : bool
        Whether Ctrl-C ended the fit.
    validation_losses_, validation_errors_ : array of float64
        The loss and the error on the rows held back, or on the ``eval_set``, after each round, if
        ``n_rounds`` is "auto".
    classes_, n_features_in_, feature_names_in_
        As usual.

    Notes
    -----
    `predict` counts votes, as published. Probabilities are a power of the shares of vote times
    class shares, mixed with a little of the base rates; see docs/guides/committees.md. The
    predicted class has the largest probability.

    Examples
    --------
    >>> import weaklearn as wl
    >>> table = wl.datasets.load("titanic")
    >>> model = wl.AdaBoostM1Classifier(n_rounds=5).fit(table.X, table.y)
    >>> len(model), len(model[:2])
    (5, 2)
    """

    _size_name = "n_rounds"
    _parameters: ClassVar[Mapping[str, Parameter]] = {
        "n_rounds": Parameter(
            10,
            Number(low=1, whole=True, words=("auto",)),
            "rounds, or auto to choose by rows that are held back",
        ),
        "vote": Parameter(
            "error",
            Choice(("error", "confidence", "shares")),
            "what a member votes with: its error, its confidence in the row, or its class shares",
        ),
        "method": Parameter(
            "reweight",
            Choice(("reweight", "resample")),
            "whether a round learns from weighted rows or from a sample of them",
        ),
        "step": Parameter(
            1.0,
            Number(low=0, above_low=True, high=1),
            "how far a round moves the weight of the errors towards one half; 1: AdaBoost.M1",
        ),
        "stop_at_zero_error": Parameter(
            False, Flag(), "whether to stop when the committee makes no training error"
        ),
        "keep_class_weights": Parameter(
            False, Flag(), "whether each class keeps its total weight in every round"
        ),
        "restart": Parameter(
            False,
            Flag(),
            "whether a member without error, or with a half or more, restarts boosting",
        ),
        "metric": METRIC,
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
        step: float = 1.0,
        stop_at_zero_error: bool = False,
        keep_class_weights: bool = False,
        restart: bool = False,
        *,
        metric: Metric = "log_loss",
        validation_share: float = 0.2,
        warm_start: bool = False,
        verbose: int = 0,
        callback: Callback | None = None,
        class_weight: Any = None,
        costs: Any = None,
        nominal: Iterable[str | int] | None = None,
        continuous: Iterable[str | int] | None = None,
        ignore: Iterable[str | int] | None = None,
        missing_values: Iterable[str | float] | None = None,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.n_rounds = n_rounds
        self.vote = vote
        self.method = method
        self.step = step
        self.stop_at_zero_error = stop_at_zero_error
        self.keep_class_weights = keep_class_weights
        self.restart = restart
        self.metric = metric
        self.validation_share = validation_share
        self.warm_start = warm_start
        self.verbose = verbose
        self.callback = callback
        self.class_weight = class_weight
        self.costs = costs
        self.nominal = nominal
        self.continuous = continuous
        self.ignore = ignore
        self.missing_values = missing_values
        self.n_jobs = n_jobs
        self.random_state = random_state

    @property
    def _learns_with_class_shares(self) -> bool:
        return self._is_automatic and self.metric == "log_loss"

    @property
    def _sampling(self) -> Sampling:
        return Sampling.BY_WEIGHT if self.method == "resample" else Sampling.NONE

    @property
    def _vote_form(self) -> VoteForm:
        return "shares" if self.vote == "shares" else super()._vote_form

    def _learn_members(self, learner: MemberLearner, n_threads: int) -> list[Any]:
        n_rounds = self._most_members
        self._check_not_continued()
        earlier = self._earlier_members(learner.schema, "n_rounds", n_rounds)

        def learn_or_recall(counts: NDArray[np.float64], index: int) -> LearnedMember[Any]:
            if index < len(earlier):
                return learner.recall(earlier[index], index)
            return learner.learn(counts, index)

        weights, choice = learner.weights, None
        if self._is_automatic:
            given = self._evaluation_rows(learner)
            if given is None:
                weights, held = learner.hold_back(self.validation_share)
            else:
                held = LocalHeldRows(given.classes, given.weights, learner.priority, given.predict)
            choice = RoundChoice(held, self.metric, learner.class_weights())
        with progress_bar(self.verbose, self.callback, "rounds") as callback:
            boosted = boosting.boost(
                learn_or_recall,
                Distribution(learner.boosted_rows(weights, self.keep_class_weights)),
                self._seed,
                n_rounds=n_rounds,
                step=float(self.step),
                confident=self._vote_form == "confidence",
                resample=self.method == "resample",
                restart=bool(self.restart),
                earlier_starts=self._starts.tolist() if earlier else (),
                training=learner.committee_errors(weights) if self.stop_at_zero_error else None,
                choice=choice,
                callback=callback,
            )
        self.votes_ = boosted.votes
        self._class_weights = learner.class_weights()
        self.errors_ = boosted.errors
        self._bounds = boosted.bounds
        self._starts: NDArray[np.int64] = boosted.starts
        self.stopped_: str = boosted.stopped
        self.interrupted_ = boosted.stopped == "interrupted"
        self._forget_validation()
        if choice is not None:
            self.validation_losses_ = np.array(choice.losses)
            self.validation_errors_ = np.array(choice.errors)
        self._warn_if_interrupted(len(boosted.members), n_rounds, "rounds")
        return boosted.members

    def _calibration(self, n_voted: int) -> Calibration:
        exponent = 1.0  # of one-leaf trees, whose class shares are probabilities already
        if self._has_learned(n_voted):
            exponent = usual_exponent(self.votes_[:n_voted])
        return Calibration(exponent, self._class_weights)

    def _weakness(self, table: TrainingTable) -> str:
        if len(self.members_) > 1 or self.n_rounds == 1:
            return ""
        if self.stopped_ == "error":
            return (
                f"boosting stopped in round 1, because the first member's error is "
                f"{100 * self.errors_[0]:.1f} % and AdaBoost.M1 needs less than 50 %. The "
                "committee is this one member. Use members that learn more, for example "
                "estimator=C45Classifier(), or use BaggedClassifier()."
            )
        if self.stopped_ in ("perfect", "zero_error"):
            return (
                "boosting stopped in round 1, because the first member makes no training error. "
                "The committee is this one member. Use simpler members, for example "
                "estimator=C45Classifier(max_depth=3), or use BaggedClassifier()."
            )
        return ""

    @property
    def estimator_errors_(self) -> NDArray[np.float64]:
        """The error of each member in its round: scikit-learn's name for ``errors_``."""
        return self.errors_

    @property
    def advantages_(self) -> NDArray[np.float64]:
        """The difference between a half and each member's error."""
        return 0.5 - self.errors_

    @property
    def training_bound_(self) -> float:
        """An upper bound on the training error; missing if the votes are not AdaBoost's own."""
        return float(self._bounds[-1])

    def _keep_notes_of(self, chosen: NDArray[np.intp], own_votes: bool) -> None:
        super()._keep_notes_of(chosen, own_votes)
        self._forget_validation()
        if len(chosen) != len(self.errors_):
            self.n_rounds = len(chosen)
        self.errors_ = self.errors_[chosen]
        self._starts = self._starts[chosen]
        # The bound is proven for the first rounds with their own votes, and for nothing else.
        bounds = self.__dict__.pop("_bounds", None)
        are_first = np.array_equal(chosen, np.arange(len(chosen)))
        if bounds is not None and are_first and own_votes:
            self._bounds = bounds[chosen]

    def _forget_validation(self) -> None:
        for name in ("validation_losses_", "validation_errors_"):
            self.__dict__.pop(name, None)

    def _notes_content(self) -> dict[str, Any]:
        return {
            "errors": self.errors_.tolist(),
            "bounds": self._bounds.tolist() if hasattr(self, "_bounds") else [],
            "starts": self._starts.tolist(),
            "stopped": self.stopped_,
            "class_weights": self._class_weights.tolist(),
            "seed": self._seed,
        }

    def _restore_notes(self, content: Mapping[str, Any]) -> None:
        self.errors_ = take_numbers(content, "errors")
        self.stopped_ = take(content, "stopped", str)
        reasons = get_args(boosting.StopReason)
        if self.stopped_ not in reasons:
            raise ValueError(f'its "stopped" is {self.stopped_!r}; known are {", ".join(reasons)}')
        if len(self.errors_) != len(self.members_):
            raise ValueError('its "errors" are not one per member')
        bounds = take_numbers(content, "bounds")
        if len(bounds) not in (0, len(self.members_)):
            raise ValueError('its "bounds" are not one per member')
        if len(bounds):
            self._bounds = bounds
        if content.get("version") == 1 and "starts" not in content:  # it knows no restarts
            content = {**content, "starts": [0] * len(self.members_)}
        self._starts = number_array(take(content, "starts", list), "starts", np.dtype(np.int64))
        if len(self._starts) != len(self.members_) or (self._starts < 0).any():
            raise ValueError('its "starts" are not one index per member')
        self._class_weights = take_class_weights(content, len(self._schema.classes))
        self._seed = take_seed(content)
