"""Fitted ensembles of scikit-learn's as committees of ours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType
from typing import Any, ClassVar, NoReturn, Self

import numpy as np
from numpy.typing import NDArray
from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted, has_fit_parameter, validate_data

from weaklearn.estimators.committee_classifier import CommitteeClassifier
from weaklearn.estimators.parameters import Parameter
from weaklearn.models.member_predictions import Ballots
from weaklearn.schema import Feature, Schema


def ensembles_of_sklearn() -> tuple[type, ...]:
    """Return the kinds of ensemble that can be wrapped; only then is their import waited for."""
    from sklearn.ensemble import (
        AdaBoostClassifier,
        BaggingClassifier,
        ExtraTreesClassifier,
        RandomForestClassifier,
    )

    return AdaBoostClassifier, BaggingClassifier, RandomForestClassifier, ExtraTreesClassifier


class EnsembleCommittee(CommitteeClassifier):
    """An ensemble of scikit-learn's as a committee.

    Parameters
    ----------
    estimator : classifier
        An AdaBoostClassifier, BaggingClassifier, RandomForestClassifier or ExtraTreesClassifier.
    n_jobs : int or None
        Not used: members answer one after the other.

    Attributes
    ----------
    members_ : list of classifiers
        The ensemble's estimators.
    votes_ : array of float64
        AdaBoost's weights; 1 where the ensemble takes the mean of its members' probabilities.
    classes_, n_features_in_, feature_names_in_
        As usual.

    Examples
    --------
    >>> import weaklearn as wl
    >>> from sklearn.ensemble import BaggingClassifier
    >>> table = wl.datasets.load("iris")
    >>> bagged = BaggingClassifier(random_state=0).fit(table.X, table.y)
    >>> len(wl.as_committee(bagged)[:3])
    3
    """

    _parameters: ClassVar[Mapping[str, Parameter]] = MappingProxyType({})
    vote = "own"
    nominal = None
    continuous = None

    def __init__(self, estimator: Any, n_jobs: int | None = None) -> None:
        self.estimator = estimator
        self.n_jobs = n_jobs

    @staticmethod
    def _wrappable() -> tuple[type, ...]:
        return ensembles_of_sklearn()

    def check_parameters(self) -> None:
        """Raise a TypeError if the estimator is no ensemble that can be wrapped."""
        kinds = self._wrappable()
        if not isinstance(self.estimator, kinds):
            known = ", ".join(kind.__name__ for kind in kinds)
            raise TypeError(f"estimator={self.estimator!r}: expected one of {known}.")

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the ensemble, and take its members.

        Parameters
        ----------
        X : array
            As the ensemble takes it.
        y : array
            The class of each row.
        sample_weight : array, optional
            A weight per row.

        Returns
        -------
        self
            The fitted committee.
        """
        self.check_parameters()
        if issparse(X):
            raise TypeError("got a sparse matrix, expected a dense array: X.toarray().")
        self._wrap(fitted(self.estimator, X, y, sample_weight))
        return self

    @classmethod
    def of(cls, ensemble: Any) -> Self:
        """Wrap a fitted ensemble."""
        check_is_fitted(ensemble)
        committee = cls(ensemble)
        committee._wrap(ensemble)
        return committee

    def _wrap(self, ensemble: Any) -> None:
        if getattr(ensemble, "n_outputs_", 1) != 1:
            raise ValueError(
                f"this {type(ensemble).__name__} has {ensemble.n_outputs_} outputs, and a "
                "committee votes on one class: fit one per output."
            )
        self._take_members(ensemble, ensemble.estimators_)
        # The columns that each member looks at; all of them but in some bagging.
        every = np.arange(ensemble.n_features_in_)
        self._columns = list(getattr(ensemble, "estimators_features_", [every] * len(self)))
        self._boosted = isinstance(ensemble, ensembles_of_sklearn()[0])
        self.votes_ = np.ones(len(self))
        if self._boosted:
            self.votes_ = np.array(ensemble.estimator_weights_[: len(self)], dtype=np.float64)

    def _take_members(self, ensemble: Any, members: Iterable[Any]) -> None:
        self._ensemble = ensemble
        self.members_ = list(members)
        self.classes_ = ensemble.classes_
        self.n_features_in_ = ensemble.n_features_in_
        if hasattr(ensemble, "feature_names_in_"):
            self.feature_names_in_ = ensemble.feature_names_in_
        names = getattr(ensemble, "feature_names_in_", range(ensemble.n_features_in_))
        features = tuple(Feature(str(name), "continuous") for name in names)
        self._schema_ = Schema(features, tuple(self.classes_.tolist()))
        self._priority = np.arange(len(self.classes_), dtype=np.uint32)
        self.interrupted_ = False

    def _forget(self, chosen: NDArray[np.intp]) -> None:
        super()._forget(chosen)
        self._columns = [self._columns[i] for i in chosen]

    # -- answering ----------------------------------------------------------------------------
    def _encode(self, X: Any) -> Any:
        check_is_fitted(self)
        # Members were fitted on the ensemble's array, whatever came in.
        return validate_data(self._ensemble, X, reset=False, dtype=None, ensure_all_finite=False)

    def _outputs(self, rows: NDArray[Any]) -> Iterator[NDArray[np.float64]]:
        """Give per member what it gives each class of each row, for a vote of 1."""
        for member, columns in zip(self.members_, self._columns, strict=True):
            seen = rows[:, columns]
            given = np.zeros((len(rows), len(self.classes_)))
            if self._boosted or not hasattr(member, "predict_proba"):
                labels = member.predict(seen)
                # Bagging shows its members numbers of classes, AdaBoost the classes.
                numbers = np.searchsorted(self.classes_, labels) if self._boosted else labels
                given[np.arange(len(rows)), numbers.astype(np.intp)] = 1.0
            else:
                known = member.classes_.astype(np.intp)  # a sample may lack a class
                given[:, known] = member.predict_proba(seen)
            yield given

    def _tally(self, rows: NDArray[Any], n_threads: int) -> NDArray[np.float64]:
        return list(self._add_up(rows))[-1]

    def _stages(self, X: Any) -> Iterator[NDArray[np.float64]]:
        return self._add_up(self._encode(X))

    def _add_up(self, rows: NDArray[Any]) -> Iterator[NDArray[np.float64]]:
        """Give the votes after each member, always in the same array."""
        scores: Any = 0.0
        for vote, given in zip(self.votes_, self._outputs(rows), strict=True):
            given *= vote
            scores = np.add(scores, given, out=given if isinstance(scores, float) else scores)
            yield scores

    def ballots(self, X: Any) -> Ballots:
        """Give what each member says of each row.

        Parameters
        ----------
        X : array
            As for `predict`.

        Returns
        -------
        Ballots
            Answers, and where members give probabilities, these.
        """
        outputs = np.array(list(self._outputs(self._encode(X))))
        answers = outputs.argmax(axis=2).astype(np.int32)
        return Ballots(answers, self._priority, outputs=None if self._boosted else outputs)

    # -- what a committee that learns by itself has, and this has not -------------------------
    def _assemble(self, *arguments: Any) -> NoReturn:
        raise TypeError("an ensemble of scikit-learn's learns its members itself: call fit.")

    def _given_kinds(self) -> tuple[Iterable[str | int], Iterable[str | int]]:
        return (), ()

    def _record(self) -> dict[str, Any]:
        return {}

    def _restore(self, content: Mapping[str, Any]) -> None:
        raise ValueError("an ensemble of scikit-learn's is not kept as JSON")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.estimator).input_tags
        tags.input_tags.sparse = False
        return tags


def fitted(estimator: Any, X: Any, y: Any, sample_weight: Any) -> Any:
    """Fit a copy of an estimator, with weights where there are any."""
    copy = clone(estimator)
    if sample_weight is None:
        return copy.fit(X, y)
    if not has_fit_parameter(copy, "sample_weight"):
        raise ValueError(f"{type(copy).__name__} takes no sample_weight: leave it out.")
    return copy.fit(X, y, sample_weight=sample_weight)
