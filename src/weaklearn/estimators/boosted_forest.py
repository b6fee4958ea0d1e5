"""The boosted forest: runs of boosting over random trees."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import replace
from typing import Any, ClassVar, TypeGuard

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import has_fit_parameter

from weaklearn.boosting import boosted_forest_loop as loop
from weaklearn.boosting.automatic_size import LossOfVotes, Metric, SizeChoice
from weaklearn.boosting.forest_rows import ForestVotes, RunRows
from weaklearn.boosting.progress import Callback, progress_bar
from weaklearn.estimators.c45 import C45Classifier
from weaklearn.estimators.committee.automatic_size import METRIC
from weaklearn.estimators.committee.forest_kinds import ForestKind, choose_for_noise, is_noisy
from weaklearn.estimators.committee.forest_notes import ForestNotes
from weaklearn.estimators.committee.learned import any_has_learned
from weaklearn.estimators.committee.member_learners import DatasetMemberLearner, MemberLearner
from weaklearn.estimators.graph_classifier import GraphClassifier
from weaklearn.estimators.parameters import Number, Parameter
from weaklearn.estimators.random_features import MAX_FEATURES
from weaklearn.estimators.training_table import TrainingTable
from weaklearn.models.probabilities import (
    MOST_ROWS,
    Calibration,
    fit_exponent,
    usual_exponent,
)
from weaklearn.models.votes import VoteForm, shares

#: Distinguishes the seeds of samples from those of members.
_OF_SAMPLES = 3


class BoostedForestClassifier(ForestNotes):
    """Boosting in short runs beside random trees: low error and calibrated probabilities.

    Half of the members are boosted in short runs, each from a bootstrap sample of its own, as in
    MultiBoost (Webb 2000): between boosting and a random forest. The other half are extremely
    random trees (Geurts, Ernst and Wehenkel 2006). Members vote with their class shares. On a noisy
    table no member is boosted: a forest of pruned trees, or larger branches for all members.

    Parameters
    ----------
    estimator : classifier, optional
        The classifier that members are learned with. By default a `C45Classifier` that groups
        nominal values, learns where missing values go, and has no penalty for thresholds. A
        classifier of another package must take ``sample_weight``.
    n_members : int or "auto"
        Number of members. "auto" adds runs, up to 1,000 members, until the loss (``metric``) on
        out-of-bag rows, or on the ``eval_set`` of `fit`, no longer becomes smaller.
    run_length : int or "auto"
        Boosted members of a run. A run starts from a bootstrap sample. Each of its members is
        learned with more weight on the rows that the members before it got wrong. "auto" is 10, or
        1 if C4.5 trees show that the table is noisy.
    max_features : None, "sqrt", "log2", float or int
        How many features are evaluated at each node of a member, if its estimator has this
        parameter and leaves it at None. None for all.
    random_trees : int or None
        Random trees beside each boosted member: unpruned trees with random splits, learned from all
        rows. None for 1 beside C4.5 trees (on some noisy tables 0), and for 0 beside other members.
    metric : {"log_loss", "error"}
        The loss if ``n_members`` is "auto". Costs are not considered.
    warm_start : bool
        Whether ``fit`` keeps the members of the last fit and adds some up to ``n_members``. On the
        same table, the result is the same as that of fitting all members at once.
    verbose : int
        1 shows a bar: members, error, remaining time.
    callback : callable, optional
        Called with a `Progress` after each member; the fit stops if it returns True. With several
        threads it is called for all members of a run at once. It is not saved with the classifier.
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
        Runs to learn at a time, and threads to predict with; the result does not depend on it.
    random_state : int, RandomState or None
        Seed for samples and for members that use random numbers.

    Attributes
    ----------
    members_ : list of classifiers
        The members, run by run, each fitted. Within a run each boosted member is followed by its
        random trees.
    votes_ : array of float64
        The vote of each boosted member: log((1 - error) / error), at most log(1000). A random tree
        has the vote of the boosted member before it.
    run_length_, random_trees_ : int
        The numbers that were chosen.
    min_objects_ : float or None
        The least rows of a branch that was chosen for a noisy table. None for that of the
        estimator, and whole random trees.
    errors_ : array of float64
        The error of each member under the weights that it was learned with.
    oob_error_ : float
        The out-of-bag error: each row is predicted by the members whose sample lacks it. NaN if no
        sample lacks a row. A warning is issued if more than one row in five has no such member.
    oob_proba_ : array of shape (n_rows, n_classes)
        The probabilities by the members whose sample lacks the row, in the order of ``classes_``;
        NaN for rows that are in every sample. Rows of weight 0 are left out.
    validation_losses_ : array of float64
        The loss after each run, if ``n_members`` is "auto".
    margins_ : array of float64
        The margin of each training row of positive weight. They are computed when first read. Until
        then, or until the classifier is pickled, the training rows are kept in memory.
    interrupted_ : bool
        Whether Ctrl-C ended the fit.
    classes_, n_features_in_, feature_names_in_
        As usual.

    Notes
    -----
    docs/algorithms/boosted_forest.md has the formulas and sources.

    Examples
    --------
    >>> import weaklearn as wl
    >>> table = wl.datasets.load("titanic")
    >>> model = wl.BoostedForestClassifier(n_members=20, random_state=0).fit(table.X, table.y)
    >>> 0.18 < model.oob_error_ < 0.26
    True
    """

    vote = "shares"
    _most_lacking = 0.2  # a run has one sample or few, and five samples leave 10 %
    _size_name = "n_members"

    _parameters: ClassVar[Mapping[str, Parameter]] = {
        "n_members": Parameter(
            100,
            Number(low=1, whole=True, words=("auto",)),
            "members, or auto to choose by out-of-bag rows",
        ),
        "run_length": Parameter(
            "auto",
            Number(low=1, whole=True, words=("auto",)),
            "members of a run, which starts from a bootstrap sample; auto: 10, or 1 if noisy",
        ),
        "max_features": replace(MAX_FEATURES, default="sqrt"),
        "random_trees": Parameter(
            None,
            Number(low=0, whole=True, optional=True),
            "random trees beside each boosted one; None: 1 beside C4.5 trees, 0 beside others",
        ),
        "metric": METRIC,
    }

    def __init__(
        self,
        estimator: Any = None,
        n_members: int | str = 100,
        run_length: int | str = "auto",
        max_features: str | float | None = "sqrt",
        random_trees: int | None = None,
        *,
        metric: Metric = "log_loss",
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
        self.n_members = n_members
        self.run_length = run_length
        self.max_features = max_features
        self.random_trees = random_trees
        self.metric = metric
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
    def _vote_form(self) -> VoteForm:
        return "shares"

    def _default_parts(self) -> dict[str, Any]:
        member = C45Classifier(subset=True, threshold_penalty=False, missing="branch")
        return {"estimator": member}

    def _member_estimator(self) -> Any:
        estimator = super()._member_estimator()
        if self.max_features is None or getattr(estimator, "max_features", 0) is not None:
            return estimator
        estimator = copy(estimator)
        estimator.max_features = self.max_features
        return estimator

    @property
    def _random_per_boosted(self) -> int:
        if self.random_trees is None:
            return int(isinstance(self._member_estimator(), C45Classifier))
        return int(self.random_trees)

    @property
    def _usual_run_length(self) -> int:
        return 10 if self.run_length == "auto" else int(self.run_length)

    def check_parameters(self) -> None:
        """Raise an error for the first wrong parameter of the forest or its members."""
        super().check_parameters()
        estimator = self._member_estimator()
        if self._random_per_boosted and not isinstance(estimator, GraphClassifier):
            raise ValueError(
                f"random_trees={self.random_trees} needs an estimator whose models are trees, and "
                f"{type(estimator).__name__} is none: leave random_trees at None."
            )
        if not self._has_own_members and not has_fit_parameter(estimator, "sample_weight"):
            raise ValueError(
                f"{type(estimator).__name__} takes no sample_weight, so it cannot learn from "
                "weighted rows: use another estimator, or BaggedClassifier, which draws rows."
            )

    def _threads_per_member(self, n_threads: int) -> int:
        # The boosted members of a run are learned one after the other, and so are the random ones.
        n_random = self._random_per_boosted
        n_runs = -(-self._most_members // (self._usual_run_length * (1 + n_random)))
        return max(1, n_threads // (n_runs * (1 + (n_random > 0))))

    # -- fitting ----------------------------------------------------------------------------------
    def _learn_members(self, learner: MemberLearner, n_threads: int) -> list[Any]:
        n_members, out_of_bag = self._most_members, learner.forest_votes()
        self._check_not_continued()
        kind = ForestKind(self._usual_run_length, self._random_per_boosted)
        earlier = self._earlier_members(learner.schema, "n_members", n_members)
        if earlier:
            kind = self._kind_to_go_on_with(kind)
        draw_sample = learner.drawing_of_runs()

        def draw(run: int, sample: int) -> RunRows:
            return draw_sample(run, sample, _OF_SAMPLES)

        def task_of(kind: ForestKind) -> loop.ForestTask[Any]:
            learn, learn_random = kind.learners(learner, self.max_features)
            return loop.ForestTask(
                learn,
                learn_random,
                draw,
                learner.all_rows(),
                n_members,
                loop.RunRules(kind.run_length, kind.random_trees),
                loop.EarlierMembers(
                    earlier, self._samples.tolist() if earlier else [], learner.recall
                ),
            )

        with (
            progress_bar(self.verbose, self.callback, "members") as callback,
            learner.one_thread_each(),
        ):
            if not earlier and self._looks_for_noise(learner) and is_noisy(learner):
                kind = choose_for_noise(task_of, learner, self.random_trees, n_threads)
            task = task_of(kind)
            choice = self._choice_of_runs(learner) if self._is_automatic else None
            forest = loop.grow_forest(task, out_of_bag, n_threads, callback, choice)
        self.__dict__.pop("validation_losses_", None)
        if choice is not None:
            self.validation_losses_ = np.array(choice.losses)
        self.votes_ = forest.votes
        self.errors_ = forest.errors
        self._samples = forest.samples
        self._is_random = np.array([task.is_random(i) for i in range(len(forest.members))])
        self.run_length_, self.random_trees_, self.min_objects_ = kind
        self.interrupted_ = forest.stopped == "interrupted"
        self._class_weights = learner.class_weights()
        self._exponent = self._fit_exponent(forest.members, out_of_bag)
        self._note_out_of_bag(out_of_bag, learner.priority)
        self._warn_if_interrupted(len(forest.members), n_members, "members")
        return forest.members

    def _choice_of_runs(self, learner: MemberLearner) -> SizeChoice[Any]:
        """Return what decides on the number of runs: the ``eval_set``, or out-of-bag rows."""
        loss = LossOfVotes(self.metric, learner.priority, learner.class_weights())
        return SizeChoice(loss, self._evaluation_rows(learner))

    def _fit_exponent(self, members: list[Any], out_of_bag: ForestVotes) -> float:
        """Return the exponent of probabilities with the least out-of-bag log loss."""
        if not any_has_learned(members):
            return 1.0  # the class shares of one-leaf trees are probabilities already
        votes, classes, weights = out_of_bag.some_rows(MOST_ROWS)
        usual = usual_exponent(self.votes_)
        return fit_exponent(shares(votes), classes, weights, self._class_weights, usual)

    def _calibration(self, n_voted: int) -> Calibration:
        return Calibration(self._exponent, self._class_weights)

    def _looks_for_noise(self, learner: MemberLearner) -> TypeGuard[DatasetMemberLearner]:
        is_tree = isinstance(self._member_estimator(), C45Classifier)
        return self.run_length == "auto" and is_tree and isinstance(learner, DatasetMemberLearner)

    def _kind_to_go_on_with(self, kind: ForestKind) -> ForestKind:
        """Return the kind of the last fit, whose members this one keeps."""
        if "_samples" not in self.__dict__:
            raise ValueError(
                "warm_start=True continues a whole forest or its first members, and this is "
                "another part of one: use warm_start=False to fit anew."
            )
        last = ForestKind(self.run_length_, self.random_trees_, self.min_objects_)
        if self.run_length == "auto":
            kind = (
                last if self.random_trees is None else last._replace(random_trees=kind.random_trees)
            )
        if kind != last:
            raise ValueError(
                f"run_length={self.run_length} and random_trees={self.random_trees} with "
                "warm_start=True: the forest has others; leave them, or use warm_start=False."
            )
        return kind

    def _weakness(self, table: TrainingTable) -> str:
        class_shares = np.bincount(table.class_indices, table.weights) / table.weights.sum()
        majority_error = 1.0 - float(class_shares.max())
        if not self._oob.error > majority_error > 0.0:
            return ""
        return (
            f"the out-of-bag error is {100 * self._oob.error:.1f} %, and predicting the most "
            f"frequent class for every row gives {100 * majority_error:.1f} %. Check the columns."
        )

    @property
    def estimator_errors_(self) -> NDArray[np.float64]:
        """The error of each member: scikit-learn's name for ``errors_``."""
        return self.errors_
