"""Bagging of Breiman, over C4.5 or any classifier."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray
from sklearn.utils.validation import check_is_fitted

from weaklearn.boosting import bagging
from weaklearn.boosting.adaboost_m1_loop import LearnedMember
from weaklearn.boosting.automatic_size import LossOfVotes, Metric, SizeChoice
from weaklearn.boosting.progress import Callback, progress_bar
from weaklearn.estimators.class_weights import count_classes
from weaklearn.estimators.committee.automatic_size import METRIC, AutomaticSize
from weaklearn.estimators.committee.member_learners import (
    DatasetMemberLearner,
    MemberLearner,
    Sampling,
)
from weaklearn.estimators.committee.out_of_bag import OutOfBagVotes, later_probabilities
from weaklearn.estimators.graph_classifier import GraphClassifier
from weaklearn.estimators.parameters import Choice, Flag, Number, Parameter, ShareOrCount
from weaklearn.estimators.saving import take_seed
from weaklearn.estimators.training_table import TrainingTable
from weaklearn.models.file_content import number_array, take
from weaklearn.models.votes import VoteForm


class BaggedClassifier(OutOfBagVotes, AutomaticSize):
    """Bagging (Breiman) of C4.5, as Quinlan bagged it, or of any classifier.

    Each member is learned from a sample of the rows: by default as many as there are, drawn with
    replacement.

    Parameters
    ----------
    estimator : classifier, optional
        The classifier that members are learned with: `C45Classifier()` by default.
    n_members : int or "auto"
        Number of members. "auto" adds members, 20 at a time and up to 1,000, until the loss
        (``metric``) on out-of-bag rows, or on the ``eval_set`` of `fit`, no longer becomes smaller.
    vote : {"equal", "confidence", "shares"}
        Every member has the same vote, votes with its confidence in the row, which is a Laplace
        ratio at the leaf, or votes for all classes with its class shares.
    max_samples : float or int
        The size of a sample: a share of all rows (float), or a number of rows (int).
    max_features : float or int
        The columns of each member, drawn without replacement: a share of all columns (float), or a
        number of columns (int).
    bootstrap : bool
        Whether rows are drawn with replacement. Without it, a drawn row keeps its weight.
    metric : {"log_loss", "error"}
        The loss if ``n_members`` is "auto". Costs are not considered.
    warm_start : bool
        Whether ``fit`` keeps the members of the last fit and adds some up to ``n_members``. On the
        same table, the result is the same as that of fitting all members at once.
    verbose : int
        1 shows a bar: members, remaining time.
    callback : callable, optional
        Called with a `Progress` after each member; the fit stops if it returns True. It is not
        saved with the classifier.
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
        Members to learn at a time, and threads to predict with; the result does not depend on it.
        Libraries that a member calls, such as BLAS, use one thread per member.
    random_state : int, RandomState or None
        Seed for samples and for members that use random numbers.

    Attributes
    ----------
    members_ : list of classifiers
        The members, each fitted.
    votes_ : array of float64
        The vote of each member, 1. It is multiplied by the confidence or the class shares, if
        ``vote`` says so.
    estimators_features_ : list of arrays of int
        The columns of each member.
    estimators_samples_ : list of arrays of int
        The rows that each member was trained on, a row as often as it was drawn. They are drawn
        again when read. A loaded file does not have them.
    oob_error_ : float
        The out-of-bag error: each row is predicted by the members that were not trained on it. NaN
        if every member was trained on every row. A warning is issued if more than one row in twenty
        has no such member.
    oob_proba_ : array of shape (n_rows, n_classes)
        The probabilities by the members that were not trained on the row, in the order of
        ``classes_``; NaN for rows that all members were trained on. Rows of weight 0 are left out.
        If the members are trees, votes are equal and there are no costs, they are computed when
        first read, and until then the codes of the training rows are kept, as for ``margins_``.
        With ``n_members="auto"`` and the log loss they are known after the fit.
    validation_losses_ : array of float64
        The loss after each 20 members, if ``n_members`` is "auto".
    margins_ : array of float64
        The margin of each training row of positive weight. They are computed when first read. Until
        then, or until the classifier is pickled, the training rows are kept in memory.
    interrupted_ : bool
        Whether Ctrl-C ended the fit.
    classes_, n_features_in_, feature_names_in_
        As usual.

    Notes
    -----
    Bagging was published with one vote per member, and `predict` follows it unless ``vote`` says
    otherwise. Probabilities are the mean of the members' class shares. In the few rows where this
    mean is larger for a class that is not predicted, it is changed just enough for the predicted
    class to have the largest probability. With ``vote="shares"`` no row needs this.

    Examples
    --------
    >>> import weaklearn as wl
    >>> table = wl.datasets.load("titanic")
    >>> model = wl.BaggedClassifier(n_members=20, random_state=0).fit(table.X, table.y)
    >>> 0.18 < model.oob_error_ < 0.26
    True
    """

    _size_name = "n_members"

    _parameters: ClassVar[Mapping[str, Parameter]] = {
        "n_members": Parameter(
            10,
            Number(low=1, whole=True, words=("auto",)),
            "members, one per bootstrap sample, or auto to choose by out-of-bag rows",
        ),
        "vote": Parameter(
            "equal",
            Choice(("equal", "confidence", "shares")),
            "what a member votes with: one vote, its confidence in the row, or its class shares",
        ),
        "max_samples": Parameter(
            1.0, ShareOrCount(), "size of a sample: a share such as 0.5, or a number of rows"
        ),
        "max_features": Parameter(
            1.0, ShareOrCount(), "columns of each member: a share such as 0.5, or a number"
        ),
        "bootstrap": Parameter(True, Flag(), "whether rows are drawn with replacement"),
        "metric": METRIC,
    }

    def __init__(
        self,
        estimator: Any = None,
        n_members: int | str = 10,
        vote: str = "equal",
        max_samples: float = 1.0,
        max_features: float = 1.0,
        bootstrap: bool = True,
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
        self.vote = vote
        self.max_samples = max_samples
        self.max_features = max_features
        self.bootstrap = bootstrap
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
    def _sampling(self) -> Sampling:
        return Sampling.BY_COUNT

    @property
    def _vote_form(self) -> VoteForm:
        return "shares" if self.vote == "shares" else super()._vote_form

    @property
    def _has_additive_score(self) -> bool:
        return True  # probabilities are the mean of the members' class shares, whatever the vote

    @property
    def _columns_per_member(self) -> float:
        return self.max_features

    @property
    def _learns_with_class_shares(self) -> bool:
        return not self._finds_probabilities_later

    @property
    def _finds_probabilities_later(self) -> bool:
        """Whether the fit needs out-of-bag votes only, and graphs can vote again at any time."""
        is_graph = isinstance(self._member_estimator(), GraphClassifier)
        needs_votes_only = self._vote_form == "label" and self.costs is None
        return is_graph and needs_votes_only and not self._compares_log_losses

    @property
    def _compares_log_losses(self) -> bool:
        has_own_rows = self.__dict__.get("_eval_set") is not None
        return self._is_automatic and self.metric == "log_loss" and not has_own_rows

    def _threads_per_member(self, n_threads: int) -> int:
        return 1  # each thread learns a member

    def _learn_members(self, learner: MemberLearner, n_threads: int) -> list[Any]:
        n_members = self._most_members
        self._check_not_continued()
        earlier = self._earlier_members(learner.schema, "n_members", n_members)
        draw = learner.drawing(learner.weights, self.max_samples, bool(self.bootstrap))

        def learn_or_recall(
            counts: NDArray[Any], index: int, rows: NDArray[np.uint32]
        ) -> LearnedMember[Any]:
            if index < len(earlier):
                return learner.recall(earlier[index], index, rows)
            return learner.learn(counts, index, rows)

        out_of_bag = learner.out_of_bag_votes(n_members)
        choice = self._choice_of_size(learner) if self._is_automatic else None
        with (
            progress_bar(self.verbose, self.callback, "members") as callback,
            learner.one_thread_each(),
        ):
            bagged = bagging.bag(
                learn_or_recall,
                draw,
                out_of_bag,
                n_members,
                n_threads,
                callback,
                choice,
            )
        self.__dict__.pop("validation_losses_", None)
        if choice is not None:
            self.validation_losses_ = np.array(choice.losses)
        self.votes_ = np.ones(len(bagged.members))
        self._columns = [learner.columns_of(index) for index in range(len(bagged.members))]
        self._draw, self._draws = draw, np.arange(len(bagged.members))
        self._kept_rows: NDArray[np.intp] | None = None
        self.interrupted_ = bagged.stopped == "interrupted"
        later = None
        # Rows in other processes have no probabilities.
        rows_are_here = isinstance(out_of_bag, bagging.LocalOutOfBagSums)
        if rows_are_here and not learner.with_shares:
            assert isinstance(learner, DatasetMemberLearner)  # of members of this package
            later = partial(later_probabilities, learner, bagged.members, draw, n_threads)
        self._note_out_of_bag(out_of_bag, learner.priority, later)
        self._warn_if_interrupted(len(bagged.members), n_members, "members")
        return bagged.members

    def _choice_of_size(self, learner: MemberLearner) -> SizeChoice[Any]:
        """Return what decides on the number of members: the ``eval_set``, or out-of-bag rows."""
        rows = self._evaluation_rows(learner)
        takes_all_rows = not self.bootstrap and isinstance(self.max_samples, float)
        if rows is None and takes_all_rows and self.max_samples == 1.0:
            raise ValueError(
                "n_members='auto' needs rows that samples lack, and bootstrap=False with "
                "max_samples=1.0 takes all of them. Use bootstrap=True, max_samples=0.5, or "
                "fit(X, y, eval_set=(X2, y2))."
            )
        loss = LossOfVotes(self.metric, learner.priority, learner.class_weights())
        # Mean class shares are probabilities; nothing is gained by a power of them.
        return SizeChoice(loss, rows, lambda votes: 1.0)

    def _fit_table(self, table: TrainingTable, n_threads: int) -> None:
        super()._fit_table(table, n_threads)
        self._kept_rows = table.kept

    def _weakness(self, table: TrainingTable) -> str:
        _, of_classes = count_classes(table.class_indices, table.weights, len(table.classes))
        shares = of_classes / of_classes.sum()
        majority_error = 1.0 - float(shares.max())
        if not self._oob.error > majority_error > 0.0:
            return ""
        return (
            f"the out-of-bag error is {100 * self._oob.error:.1f} %, and predicting the most "
            f"frequent class for every row gives {100 * majority_error:.1f} %. Check the columns, "
            "or use more members: n_members=100."
        )

    @property
    def estimators_features_(self) -> list[NDArray[np.intp]]:
        """The columns of each member."""
        check_is_fitted(self)
        every = np.arange(self.n_features_in_)
        return [every if columns is None else columns for columns in self._columns]

    @property
    def estimators_samples_(self) -> list[NDArray[np.intp]]:
        """The rows that each member was trained on, a row as often as it was drawn."""
        check_is_fitted(self)
        if not hasattr(self, "_draw"):
            raise AttributeError(
                f"this {type(self).__name__} does not know its training rows: a committee knows "
                "them after fit, but not a loaded file."
            )
        samples = []
        for draw in self._draws.tolist():
            drawn = self._draw(draw)
            rows = np.flatnonzero(drawn)
            if self.bootstrap:
                rows = np.repeat(rows, drawn[rows].astype(np.intp))
            samples.append(rows if self._kept_rows is None else self._kept_rows[rows])
        return samples

    def _out_of_bag_remedy(self, n_lacking: int, n_rows: int) -> str:
        if n_lacking == n_rows and not self.bootstrap:
            return "Use bootstrap=True, or a smaller max_samples, for example 0.5."
        return super()._out_of_bag_remedy(n_lacking, n_rows)

    def _keep_notes_of(self, chosen: NDArray[np.intp], own_votes: bool) -> None:
        super()._keep_notes_of(chosen, own_votes)
        if len(chosen) != len(self._columns):
            self.n_members = len(chosen)
        self.__dict__.pop("validation_losses_", None)
        self._columns = [self._columns[index] for index in chosen]
        if hasattr(self, "_draws"):
            self._draws = self._draws[chosen]
        self._forget_out_of_bag()

    def _notes_content(self) -> dict[str, Any]:
        columns = [None if columns is None else columns.tolist() for columns in self._columns]
        return {"columns": columns, "seed": self._seed}

    def _restore_notes(self, content: Mapping[str, Any]) -> None:
        columns = take(content, "columns", list)
        if len(columns) != len(self.members_):
            raise ValueError('its "columns" are not one list per member')
        self._columns = [_columns_from(indices, len(self._schema.features)) for indices in columns]
        self._seed = take_seed(content)


def _columns_from(indices: Any, n_features: int) -> NDArray[np.intp] | None:
    """Return the columns of a member from a file; None for all."""
    if indices is None:
        return None
    if not isinstance(indices, list):
        raise ValueError('its "columns" are not lists')
    columns = number_array(indices, "columns", np.dtype(np.intp))
    if not len(columns) or columns.min() < 0 or columns.max() >= n_features:
        raise ValueError('its "columns" are not columns of its schema')
    return columns
