"""Classifiers whose model is a committee: members that vote."""

from __future__ import annotations

import warnings
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping
from copy import copy
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import _safe_indexing, get_tags
from sklearn.utils.validation import check_is_fitted, check_random_state

from weaklearn.boosting.progress import Callback
from weaklearn.encoding import Dataset, EncodedRows, check_sample_weight, match_columns
from weaklearn.estimators.c45 import C45Classifier
from weaklearn.estimators.committee_storing import committee_content, committee_from_content
from weaklearn.estimators.graph_classifier import GraphClassifier
from weaklearn.estimators.table_classifier import TableClassifier, sorted_labels
from weaklearn.estimators.weak_learners import (
    ForeignLearner,
    OwnLearner,
    check_estimator,
    numbers_of,
)
from weaklearn.models.count_votes import (
    add_votes,
    check_votes,
    margins,
    priority_of,
    shares,
    tally,
    winners,
)
from weaklearn.models.graph_committee import Committee
from weaklearn.models.member_predictions import Ballots
from weaklearn.models.saving import register_kind
from weaklearn.schema import Schema, encode_classes, infer_classes, infer_features
from weaklearn.tables.frames import as_columns


class CommitteeClassifier(TableClassifier):
    """Base of the classifiers whose model is a committee.

    A subclass makes its members in `_assemble`. The fitted classifier is the committee: it can be
    cut (``model[:10]``, ``model[[0, 3]]``), given other votes, saved and shown, and each part is a
    fitted classifier of the same kind.
    """

    estimator: Any
    vote: str
    verbose: int
    callback: Callback | None
    random_state: Any
    members_: list[Any]
    votes_: NDArray[np.float64]
    interrupted_: bool

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        register_kind(cls.__name__, cls._from_content)

    # -- fitting ------------------------------------------------------------------------------
    @abstractmethod
    def _assemble(
        self,
        learn: Any,
        classes: NDArray[np.int32],
        weights: NDArray[np.float64],
        n_threads: int,
    ) -> None:
        """Learn members and votes; rows of weight 0 are absent."""

    @property
    def _learns_from_samples(self) -> bool:
        """Whether members learn from samples of the rows, not from weighted rows."""
        return False

    def _threads_per_member(self, n_threads: int) -> int:
        return n_threads

    @property
    def _confident(self) -> bool:
        return self.vote == "confidence"

    def _member_estimator(self) -> Any:
        return C45Classifier() if self.estimator is None else self.estimator

    def check_parameters(self) -> None:
        """Raise an error for the first parameter outside its domain."""
        super().check_parameters()
        check_estimator(self._member_estimator())
        if self._confident and not isinstance(self._member_estimator(), GraphClassifier):
            raise ValueError(
                f"vote='confidence' asks members for the weights at their leaves, which "
                f"{type(self._member_estimator()).__name__} cannot tell: leave vote at its default."
            )

    def _given_kinds(self) -> tuple[Iterable[str | int], Iterable[str | int]]:
        estimator = self._member_estimator()
        of_members = (
            estimator._given_kinds() if isinstance(estimator, TableClassifier) else ((), ())
        )
        return self.nominal or of_members[0], self.continuous or of_members[1]

    def _needs_single_precision(self) -> bool:
        estimator = self._member_estimator()
        return isinstance(estimator, TableClassifier) and estimator._needs_single_precision()

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the committee to a table.

        Parameters
        ----------
        X : frame
            A pandas or polars DataFrame, a pyarrow Table, a NumPy array or a list of rows. Nominal
            columns and missing values go in as they are, if the members take them.
        y : Series, array or list
            The class of each row.
        sample_weight : array, optional
            A weight per row, taken as a count: 2 is the row twice, 0 the row left out.

        Returns
        -------
        self
            The fitted classifier. Interrupted (Ctrl-C), it keeps the members it has, says so and
            sets ``interrupted_``.
        """
        self.check_parameters()
        before = dict(self.__dict__)
        try:
            if isinstance(self._member_estimator(), TableClassifier):
                super().fit(X, y, sample_weight)
                for member in self.members_:
                    self._introduce(member)
            else:
                self._fit_foreign(X, y, sample_weight)
        except BaseException:  # Ctrl-C too: a failed fit leaves no half-fitted committee
            self.__dict__ = before
            raise
        return self

    def fit_dataset(
        self, dataset: Dataset, weights: NDArray[np.float64], n_threads: int = 1
    ) -> None:
        """Fit the committee to an encoded dataset; rows of weight 0 are absent."""
        estimator = self._member_estimator()
        if not isinstance(estimator, TableClassifier):
            raise TypeError(
                f"{type(estimator).__name__} does not learn from an encoded dataset: call fit."
            )
        class_weights = np.bincount(dataset.classes, weights, len(dataset.schema.classes))
        self._start(dataset.schema, class_weights.astype(np.float64))
        learner = OwnLearner(
            estimator,
            dataset,
            self._seed,
            self._threads_per_member(n_threads),
            self._confident,
        )
        self._assemble(learner, dataset.classes, weights, n_threads)

    def _describe_fit(self, dataset: Dataset, n_threads: int) -> None:
        self.margins_ = self._margins(dataset.rows, dataset.classes, n_threads)

    def _fit_foreign(self, X: Any, y: Any, sample_weight: Any) -> None:
        n_threads = self._n_threads()
        columns = as_columns(X)
        labels, codes = infer_classes(y, columns.n_rows)
        weights = check_sample_weight(sample_weight, columns.n_rows)
        if not weights.all():
            rows = np.flatnonzero(weights)
            X, columns = _safe_indexing(X, rows), columns.take_rows(rows)
            codes, weights = codes[rows], weights[rows]
        present = np.flatnonzero(np.bincount(codes, minlength=len(labels)))
        self.classes_ = sorted_labels([labels[k] for k in present], getattr(y, "dtype", None))
        schema = Schema(
            infer_features(columns, *self._given_kinds()), tuple(self.classes_.tolist())
        )
        given = np.array([labels[k] for k in codes], dtype=self.classes_.dtype)
        numbers = numbers_of(given, self.classes_)
        class_weights = np.bincount(numbers, weights, len(self.classes_))
        self._start(schema, class_weights.astype(np.float64))
        learner = ForeignLearner(
            self._member_estimator(), X, given, self.classes_, self._seed, self._learns_from_samples
        )
        self._assemble(learner, numbers, weights, n_threads)
        self._note_columns(columns)
        self.margins_ = self._margins(X, numbers, n_threads)

    def _start(self, schema: Schema, class_weights: NDArray[np.float64]) -> None:
        self._schema_ = schema
        self._priority = priority_of(class_weights)
        self._seed = int(check_random_state(self.random_state).randint(2**31 - 1))

    def _note_interruption(self, planned: int, what: str) -> None:
        if self.interrupted_:
            warnings.warn(
                f"interrupted after {len(self.members_)} of {planned} {what}: the committee holds "
                "those, and interrupted_ is True.",
                UserWarning,
                stacklevel=2,
            )

    def _introduce(self, member: Any) -> None:
        """Give a member, and its own members, what its own fit would have given it."""
        for name in ("classes_", "n_features_in_", "feature_names_in_"):
            if hasattr(self, name):
                setattr(member, name, getattr(self, name))
        if isinstance(member, CommitteeClassifier):
            for inner in member.members_:
                member._introduce(inner)

    # -- answering ----------------------------------------------------------------------------
    @property
    def _schema(self) -> Schema:
        return self._schema_

    def _committee(self) -> Committee | None:
        """Return the committee laid out for answering; None if some member is no graph."""
        graphs = [member.graph_ for member in self.members_ if isinstance(member, GraphClassifier)]
        if len(graphs) < len(self.members_):
            return None
        compiled: Committee | None = getattr(self, "_compiled", None)
        if (
            compiled is None
            or len(compiled.members) != len(graphs)
            or any(a is not b for a, b in zip(compiled.members, graphs, strict=True))
        ):
            compiled = self._compiled = Committee(graphs, self.votes_, False, self._priority)
        compiled.votes = np.ascontiguousarray(self.votes_, dtype=np.float64)
        compiled.confident = self._confident
        return compiled

    def __getstate__(self) -> dict[str, Any]:
        state: dict[str, Any] = super().__getstate__()
        return {name: value for name, value in state.items() if name != "_compiled"}

    def _encode(self, X: Any) -> Any:
        if isinstance(self._member_estimator(), TableClassifier):
            return super()._encode(X)
        check_is_fitted(self)
        match_columns(
            as_columns(X), self._schema, type(self).__name__, hasattr(self, "feature_names_in_")
        )
        return X

    def _answers(self, rows: Any, n_threads: int) -> tuple[NDArray[np.int32], NDArray[np.float64]]:
        committee = self._committee()
        if committee is not None:
            return committee.answers(rows, n_threads)
        answers = np.array([self._answer(member, rows, n_threads) for member in self.members_])
        return answers, np.broadcast_to(self.votes_[:, None], answers.shape)

    def _answer(self, member: Any, rows: Any, n_threads: int) -> NDArray[np.int32]:
        if isinstance(member, TableClassifier):
            return member.predict_class_indices(rows, n_threads)
        return numbers_of(member.predict(rows), self.classes_)

    def _tally(self, rows: Any, n_threads: int) -> NDArray[np.float64]:
        committee = self._committee()
        if committee is not None:
            return committee.tally(rows, n_threads)
        return tally(*self._answers(rows, n_threads), len(self._priority))

    def _margins(
        self, rows: Any, classes: NDArray[np.int32], n_threads: int
    ) -> NDArray[np.float64]:
        committee = self._committee()
        if committee is not None:
            return committee.margins(rows, classes, n_threads)
        return margins(self._tally(rows, n_threads), classes)

    def predict_class_indices(self, rows: EncodedRows, n_threads: int = 1) -> NDArray[np.int32]:
        """Answer with the number of each row's class in the schema."""
        committee = self._committee()
        if committee is not None:
            return committee.predict(rows, n_threads)
        return winners(self._tally(rows, n_threads), self._priority)

    def predict_class_shares(self, rows: EncodedRows, n_threads: int = 1) -> NDArray[np.float64]:
        """Answer with each class's share of the votes."""
        return shares(self._tally(rows, n_threads))

    def _stages(self, X: Any) -> Iterator[NDArray[np.float64]]:
        rows = self._encode(X)
        answers, votes = self._answers(rows, self._n_threads())
        scores = np.zeros((answers.shape[1], len(self._priority)))
        for of_member, of_votes in zip(answers, votes, strict=True):
            add_votes(scores, of_member, of_votes)
            yield scores

    def staged_predict(self, X: Any) -> Iterator[NDArray[Any]]:
        """Answer with the class of each row after the first member, the second, and so on.

        Parameters
        ----------
        X : frame
            As for `predict`.

        Yields
        ------
        array of labels
            What ``model[:1]``, ``model[:2]``, ... would answer.
        """
        check_is_fitted(self)
        labels = np.array(self._schema.classes, dtype=object)
        for scores in self._stages(X):
            yield labels[winners(scores, self._priority)].astype(self.classes_.dtype)

    def staged_predict_proba(self, X: Any) -> Iterator[NDArray[np.float64]]:
        """Answer with the shares of the votes after the first member, the second, and so on.

        Parameters
        ----------
        X : frame
            As for `predict`.

        Yields
        ------
        array of shape (n_rows, n_classes)
            In the order of ``classes_``.
        """
        check_is_fitted(self)
        order = self._class_order()
        for scores in self._stages(X):
            yield shares(scores)[:, order]

    def margins(self, X: Any, y: Any) -> NDArray[np.float64]:
        """Give the margin of each row.

        Parameters
        ----------
        X : frame
            As for `predict`.
        y : Series, array or list
            The class of each row.

        Returns
        -------
        array of float64
            The votes for the row's class minus the most for another, as a share of all votes: from
            -1, all for one wrong class, to 1, all for the right one.
        """
        rows = self._encode(X)
        numbers = encode_classes(y, self._schema.classes, as_columns(X).n_rows)
        return self._margins(rows, numbers, self._n_threads())

    def ballots(self, X: Any) -> Ballots:
        """Give what each member says of each row of a frame, before votes are counted."""
        rows = self._encode(X)
        of_one_vote = self.with_votes(np.ones(len(self.members_)))
        answers, strengths = of_one_vote._answers(rows, self._n_threads())
        return Ballots(answers, self._priority, strengths if self._confident else None)

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """Per column the mean over the members, by votes, of its importance to them."""
        check_is_fitted(self)
        votes = self.votes_ / self.votes_.sum()
        importances = np.array([member.feature_importances_ for member in self.members_])
        mean: NDArray[np.float64] = votes @ importances
        return mean

    # -- one object for all later work --------------------------------------------------------
    def __len__(self) -> int:
        check_is_fitted(self)
        return len(self.members_)

    def __bool__(self) -> bool:
        return True  # an unfitted one is no empty list

    def __getitem__(self, which: Any) -> Any:
        """Return a member by its number, or a committee of some members: ``model[:10]``.

        A slice, a list of numbers or a list of flags gives a fitted classifier of the same kind.
        """
        check_is_fitted(self)
        if isinstance(which, int | np.integer):
            return self.members_[which]
        chosen = np.arange(len(self.members_))[which]
        if chosen.size == 0:
            raise ValueError("no member is left: a committee needs at least one.")
        part = copy(self)
        part.__dict__.pop("_compiled", None)
        part.members_ = [self.members_[i] for i in chosen]
        part.votes_ = self.votes_[chosen]
        part._forget(chosen)
        return part

    def _forget(self, chosen: NDArray[np.intp]) -> None:
        """Drop, or cut, what was noted of the members that are left out."""
        self.__dict__.pop("margins_", None)
        self.__dict__.pop("pruning_", None)

    def with_votes(self, votes: Any) -> Self:
        """Return the same committee with other votes.

        Parameters
        ----------
        votes : array of float
            One per member, finite, none negative, not all zero.

        Returns
        -------
        classifier
            A fitted classifier of the same kind; this one keeps its votes.
        """
        check_is_fitted(self)
        given = check_votes(votes, len(self.members_))
        part: Self = self[:]
        part.votes_ = given
        part._forget_bounds()
        return part

    def _forget_bounds(self) -> None:
        """Drop what is proven of the committee's own votes only."""

    # -- saving -------------------------------------------------------------------------------
    def _content(self) -> dict[str, Any]:
        return {**committee_content(self), **self._record()}

    @abstractmethod
    def _record(self) -> dict[str, Any]:
        """Return what else was noted of the members, ready for JSON."""

    @abstractmethod
    def _restore(self, content: Mapping[str, Any]) -> None:
        """Take back what `_record` gave."""

    @classmethod
    def _from_content(cls, content: Mapping[str, Any]) -> Self:
        model = committee_from_content(cls, content)
        model._restore(content)
        return model

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        estimator = self._member_estimator()
        if not isinstance(estimator, TableClassifier):
            tags.input_tags = get_tags(estimator).input_tags
            tags.input_tags.sparse = False  # whatever the members take, we look at columns
        return tags
