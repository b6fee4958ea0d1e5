"""Committees that learn their members: the base of AdaBoost.M1 and bagging."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from functools import partial
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import is_classifier
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from weaklearn.boosting.progress import Callback
from weaklearn.boosting.sampling import draw_seed
from weaklearn.encoding import Dataset
from weaklearn.estimators.c45 import C45Classifier
from weaklearn.estimators.class_weights import RowWeights
from weaklearn.estimators.committee.base import Committee
from weaklearn.estimators.committee.computed_when_read import ComputedWhenRead
from weaklearn.estimators.committee.member_learners import (
    DatasetMemberLearner,
    MemberLearner,
    Sampling,
)
from weaklearn.estimators.committee.saving import committee_content, committee_from_content
from weaklearn.estimators.committee.sklearn_member_learner import SklearnMemberLearner
from weaklearn.estimators.default_parts import DefaultParts
from weaklearn.estimators.failed_fits import restores_on_failure
from weaklearn.estimators.graph_classifier import GraphClassifier
from weaklearn.estimators.learned_nothing import likely_cause
from weaklearn.estimators.schema_classifier import SchemaClassifier
from weaklearn.estimators.table_classifier import TableClassifier
from weaklearn.estimators.training_table import TrainingTable
from weaklearn.models.additive_score import AdditiveScore
from weaklearn.models.saving import register_kind
from weaklearn.models.votes import VoteForm
from weaklearn.schema import ColumnOptions, Schema, infer_features
from weaklearn.user_warnings import warn_user


def any_has_learned(members: list[Any]) -> bool:
    """Return whether a member is more than a constant, as far as one can know."""
    return any(not isinstance(m, TableClassifier) or m._has_learned() for m in members)


def check_member_estimator(estimator: Any) -> None:
    """Raise a TypeError if members cannot be learned with this estimator."""
    for method in ("fit", "predict", "get_params"):
        if isinstance(estimator, type) or not callable(getattr(estimator, method, None)):
            is_class = isinstance(estimator, type)
            got = f"the class {estimator.__name__}" if is_class else f"{estimator!r}"
            raise TypeError(
                f"estimator is {got}, which has no {method} to call; expected a classifier such as "
                "C45Classifier() or scikit-learn's DecisionTreeClassifier()."
            )
    if not is_classifier(estimator):
        raise TypeError(
            f"estimator={estimator!r} is not a classifier; expected one such as C45Classifier()."
        )


class LearnedCommittee(DefaultParts, Committee, TableClassifier):
    """Base of the committees that learn their members, each from weights of its own.

    A subclass runs its loop in `_learn_members`, which returns the members and sets their votes.
    """

    estimator: Any
    verbose: int
    callback: Callback | None
    random_state: Any
    warm_start: bool

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        register_kind(cls.__name__, cls._from_content)

    @abstractmethod
    def _learn_members(self, learner: MemberLearner, n_threads: int) -> list[Any]:
        """Return the members; set ``votes_`` and ``interrupted_``."""

    def _notes_content(self) -> dict[str, Any]:
        """Return what the fit noted of the members, ready for JSON."""
        return {}

    def _restore_notes(self, content: Mapping[str, Any]) -> None:
        """Restore what `_notes_content` stored."""

    @property
    def _sampling(self) -> Sampling:
        """Whether members learn from samples of the rows, and how these are drawn."""
        return Sampling.NONE

    def _threads_per_member(self, n_threads: int) -> int:
        return n_threads

    @property
    def _vote_form(self) -> VoteForm:
        """What a member gives its vote to."""
        return "confidence" if self.vote == "confidence" else "label"

    @property
    def _needs_class_shares(self) -> bool:
        return self._vote_form != "shares"

    @property
    def _learns_with_class_shares(self) -> bool:
        """Whether the loop needs the class shares of each member for the training rows."""
        return self._vote_form == "shares"

    @property
    def _has_additive_score(self) -> bool:
        """Whether the score of a class is the sum of the members' class shares times votes."""
        return self._vote_form == "shares"

    def additive_score(self) -> AdditiveScore:
        """Return the mean of the members' class shares, which SHAP values explain.

        The mean is weighted by votes. It is taken before calibration, and before the factors of
        costs are taken out.

        Raises
        ------
        TypeError
            If members vote for the class that they predict, or are not graphs.
        """
        check_is_fitted(self)
        if not self._has_additive_score:
            raise TypeError(
                f"{type(self).__name__}(vote={self.vote!r}) counts votes for predicted classes, "
                "which are not sums over the leaves of its trees, so it has no exact SHAP values. "
                'Fit it with vote="shares".'
            )
        if not all(isinstance(member, GraphClassifier) for member in self.members_):
            raise TypeError(
                "SHAP values need members that are graphs, such as those of C45Classifier(); this "
                f"{type(self).__name__} has members of {type(self.members_[0]).__name__}."
            )
        graphs = []
        for index, member in enumerate(self.members_):
            columns = self._voters.columns_of(index)
            graph = member.graph_
            graphs.append(graph if columns is None else graph.with_features(self._schema, columns))
        return AdditiveScore(
            graphs,
            self.votes_ / self.votes_.sum(),
            self._encode,
            self._class_order(),
            self.classes_.tolist(),
            self._n_threads(),
        )

    def _default_parts(self) -> dict[str, Any]:
        return {"estimator": C45Classifier()}

    def _member_estimator(self) -> Any:
        return self._part_or_default("estimator")

    @property
    def estimator_(self) -> Any:
        """The classifier that the members were learned with."""
        check_is_fitted(self)
        return self._member_estimator()

    @property
    def _has_own_members(self) -> bool:
        """Whether members are classifiers of this package, which learn from a shared dataset."""
        return isinstance(self._member_estimator(), TableClassifier)

    def check_parameters(self) -> None:
        """Raise an error for the first wrong parameter of the committee or its members."""
        super().check_parameters()
        estimator = self._member_estimator()
        check_member_estimator(estimator)
        if self._has_own_members:
            estimator.check_parameters()
            if estimator.costs is not None:
                raise ValueError(
                    "the estimator has costs, and a committee predicts for its members: set them "
                    f"on the committee, {type(self).__name__}(costs=...)."
                )
        elif self.ignore or self.missing_values is not None:
            raise ValueError(
                "ignore=[...] and missing_values=[...] are for members of this package, but "
                f"{type(estimator).__name__} reads the table itself: leave out columns with "
                "X.drop(columns=[...]), and replace missing values with X.replace([...], None)."
            )
        if self._vote_form == "confidence" and not isinstance(estimator, GraphClassifier):
            raise ValueError(
                f"vote='confidence' needs the class weights at the leaves of members, which "
                f"{type(estimator).__name__} does not have: leave vote at its default."
            )

    def column_options(self) -> ColumnOptions:
        """Return what the user declares about the columns, for the committee or its members."""
        options = super().column_options()
        if self._has_own_members:
            return options.or_those_of(self._member_estimator().column_options())
        return options

    def _needs_single_precision(self) -> bool:
        return self._has_own_members and self._member_estimator()._needs_single_precision()

    def _bins(self) -> int | None:
        bins: int | None = self._member_estimator()._bins() if self._has_own_members else None
        return bins

    def _separates_close_values(self) -> bool:
        return not self._has_own_members or self._member_estimator()._separates_close_values()

    def _missing_is_value(self) -> bool:
        return self._has_own_members and self._member_estimator()._missing_is_value()

    # -- fitting ----------------------------------------------------------------------------------
    @restores_on_failure
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
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

        Returns
        -------
        self
            The fitted classifier. If the fit is interrupted (Ctrl-C), it keeps the members learned
            so far, warns and sets ``interrupted_``.
        """
        super().fit(X, y, sample_weight)
        if self._has_own_members:
            self._pass_on_columns()
        return self

    def _fit_core(self, dataset: Dataset, weights: RowWeights, n_threads: int) -> None:
        self._fit_members(self._dataset_learner(dataset, weights, n_threads), n_threads)

    def _fit_table(self, table: TrainingTable, n_threads: int) -> None:
        learner: MemberLearner
        dataset = None
        if self._has_own_members:
            dataset = self._encode_table(table, n_threads)
            weights = self._weigh_classes(
                dataset.schema.classes, dataset.classes, RowWeights(table.weights)
            )
            learner = self._dataset_learner(dataset, weights, n_threads)
        else:
            table.warn_of_columns()
            weights = self._weigh_classes(
                table.sorted_classes.tolist(),
                table.indices_in_sorted_classes(),
                RowWeights(table.weights),
            )
            learner = SklearnMemberLearner(
                self._member_estimator(),
                table,
                weights,
                infer_features(table.columns, self.column_options()),
                self._fit_seed(),
                self._vote_form,
                self._learns_with_class_shares,
                self._sampling is not Sampling.NONE,
                self._columns_per_member,
            )
        self._fit_members(learner, n_threads)
        self._warn_if_weak(table, dataset)
        self._training_margins = ComputedWhenRead(
            partial(
                self._voters.margins, learner.rows, learner.class_indices, self.votes_, n_threads
            )
        )

    def _dataset_learner(
        self, dataset: Dataset, weights: RowWeights, n_threads: int
    ) -> DatasetMemberLearner:
        estimator = self._member_estimator()
        if not self._has_own_members:
            raise TypeError(
                f"{type(estimator).__name__} does not learn from an encoded dataset: call fit."
            )
        return DatasetMemberLearner(
            estimator,
            dataset,
            weights,
            self._fit_seed(),
            self._threads_per_member(n_threads),
            self._vote_form,
            self._learns_with_class_shares,
            self._sampling,
            self._columns_per_member,
        )

    @property
    def _columns_per_member(self) -> float:
        """The share of the columns that each member reads, or their number."""
        return 1.0

    # -- continuing an earlier fit ----------------------------------------------------------------
    @property
    def _is_continued(self) -> bool:
        """Whether the next fit keeps the members of the last one."""
        return self.warm_start and hasattr(self, "members_")

    def _fit_seed(self) -> int:
        """Return the seed of this fit: a new one, unless it continues the last fit."""
        if not self._is_continued:
            self._seed = draw_seed(self.random_state)
        return self._seed

    def _earlier_members(self, schema: Schema, parameter: str, planned: int) -> list[Any]:
        """Return the members of the last fit that this one keeps.

        `parameter` is the name of the parameter that plans the number of members.
        """
        if not self._is_continued:
            return []
        if planned < len(self.members_):
            raise ValueError(
                f"{parameter}={planned} with warm_start=True: there are {len(self.members_)} "
                "already; ask for more, or cut the committee: model[:n]."
            )
        if planned == len(self.members_):
            warn_user(
                f"{parameter}={planned} with warm_start=True: there are {planned} already, so none "
                f"is added; set {parameter} to a larger number."
            )
        if schema != self._schema_:
            raise ValueError(
                "warm_start=True continues with the same table, and this one has other columns, "
                "values or classes: use warm_start=False to fit anew."
            )
        return self.members_

    def _fit_members(self, learner: MemberLearner, n_threads: int) -> None:
        members = self._learn_members(learner, n_threads)
        self._schema_ = learner.schema
        self._voters = learner.voters(members)
        self.__dict__.pop("_training_margins", None)

    def _has_learned(self, n_members: int | None = None) -> bool:
        return any_has_learned(self.members_[:n_members])

    def _warn_if_weak(self, table: TrainingTable, dataset: Dataset | None) -> None:
        """Warn if the committee always predicts one class, or consists of its first member."""
        name = type(self).__name__
        if dataset is not None and not self._has_learned():
            cause = likely_cause(self.members_[0], dataset, table.weights, 1)
            n_members = len(self.members_)
            which = "its only member predicts" if n_members == 1 else "each of its members predicts"
            warn_user(f"{name} learned nothing: {which} one class only. Likely cause: {cause}")
        elif weakness := self._weakness(table):
            warn_user(f"{name}: {weakness}")

    def _weakness(self, table: TrainingTable) -> str:
        """Return why the committee is hardly better than a constant, or "" if it is better."""
        return ""

    def _warn_if_interrupted(self, n_members: int, planned: int, unit: str) -> None:
        if self.interrupted_:
            warn_user(
                f"interrupted after {n_members} of {planned} {unit}: the committee keeps these, "
                "and interrupted_ is True."
            )

    def _take_columns_from(
        self, fitted: SchemaClassifier, columns: NDArray[np.intp] | None = None
    ) -> None:
        super()._take_columns_from(fitted, columns)
        self._pass_on_columns()

    def _pass_on_columns(self) -> None:
        for index, member in enumerate(self.members_):
            member._take_columns_from(self, self._voters.columns_of(index))

    # -- saving -----------------------------------------------------------------------------------
    def _content(self) -> dict[str, Any]:
        return {**committee_content(self), **self._notes_content()}

    @classmethod
    def _from_content(cls, content: Mapping[str, Any]) -> Self:
        model = committee_from_content(cls, content)
        model._restore_notes(content)
        return model

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        if not self._has_own_members:
            tags.input_tags = get_tags(self._member_estimator()).input_tags
            tags.input_tags.sparse = False  # columns are read one by one
        return tags
