"""Fitted ensembles of scikit-learn and G2 as committees."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from scipy.sparse import issparse
from sklearn.base import clone
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted, has_fit_parameter

from weaklearn.estimators.committee.base import Committee
from weaklearn.estimators.committee.ensemble_voters import EnsembleVoters, HypothesisVoters
from weaklearn.estimators.decision_graphs import SeparatorGraph
from weaklearn.estimators.g2 import G2Classifier
from weaklearn.estimators.real_adaboost import RealAdaBoostClassifier
from weaklearn.schema import Feature, Schema


def sklearn_ensembles() -> tuple[type, ...]:
    """Return the ensembles of scikit-learn that can be wrapped."""
    from sklearn.ensemble import (  # takes long to import
        AdaBoostClassifier,
        BaggingClassifier,
        ExtraTreesClassifier,
        RandomForestClassifier,
    )

    return AdaBoostClassifier, BaggingClassifier, RandomForestClassifier, ExtraTreesClassifier


def as_committee(ensemble: Any) -> EnsembleCommittee:
    """Return a fitted ensemble as a committee, which can be cut and pruned.

    Parameters
    ----------
    ensemble : classifier
        A fitted AdaBoostClassifier, BaggingClassifier, RandomForestClassifier or
        ExtraTreesClassifier of scikit-learn, or a G2Classifier on a SeparatorGraph.

    Returns
    -------
    EnsembleCommittee
        It predicts as the ensemble does. Ties go to the class that is first in ``classes_``.

    Examples
    --------
    >>> import weaklearn as wl
    >>> from sklearn.ensemble import RandomForestClassifier
    >>> table = wl.datasets.load("iris")
    >>> forest = RandomForestClassifier(30, random_state=0).fit(table.X, table.y)
    >>> small = wl.pruning.kappa(wl.as_committee(forest), table.X, table.y, size=5)
    >>> len(small), float((small.predict(table.X) == table.y).mean()) > 0.9
    (5, True)
    """
    if isinstance(ensemble, RealAdaBoostClassifier):
        raise TypeError(
            "got a RealAdaBoostClassifier, which adds its stumps up and keeps none of them: fit it "
            "as a G2Classifier, wl.as_committee(model.as_g2().fit(X, y))."
        )
    kinds = sklearn_ensembles()
    if not isinstance(ensemble, (*kinds, G2Classifier)):
        known = ", ".join(kind.__name__ for kind in kinds)
        raise TypeError(
            f"got {type(ensemble).__name__}, expected a fitted {known} of scikit-learn, or a "
            "G2Classifier. A committee of this package is used as it is."
        )
    check_is_fitted(ensemble)
    committee = EnsembleCommittee(ensemble)
    committee._wrap(ensemble)
    return committee


class EnsembleCommittee(Committee):
    """An ensemble of scikit-learn, or of G2, as a committee.

    Parameters
    ----------
    estimator : classifier
        An AdaBoostClassifier, BaggingClassifier, RandomForestClassifier or ExtraTreesClassifier of
        scikit-learn, or a G2Classifier on a SeparatorGraph.
    n_jobs : int or None
        Not used: members predict one after the other.

    Attributes
    ----------
    members_ : list of classifiers
        The members of the ensemble: estimators, or the hypotheses of G2.
    votes_ : array of float64
        The weights of AdaBoost; 1 if the ensemble takes the mean of its members' probabilities. For
        G2, the most that each hypothesis adds to H(x): the artanh of its normalised margin.
    classes_ : array
        The classes that occur, sorted.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : array of str
        Their names, where they have any.

    Examples
    --------
    >>> import weaklearn as wl
    >>> from sklearn.ensemble import BaggingClassifier
    >>> table = wl.datasets.load("iris")
    >>> bagged = BaggingClassifier(random_state=0).fit(table.X, table.y)
    >>> len(wl.as_committee(bagged)[:3])
    3
    >>> table = wl.datasets.load("titanic")
    >>> model = wl.RealAdaBoostClassifier(10).as_g2().fit(table.X, table.y)
    >>> small = wl.pruning.margin_lp(wl.as_committee(model), table.X, table.y, size=3)
    >>> len(small), round(small.score(table.X, table.y), 3)
    (3, 0.776)
    """

    vote = "own"

    def __init__(self, estimator: Any, n_jobs: int | None = None) -> None:
        self.estimator = estimator
        self.n_jobs = n_jobs

    def check_parameters(self) -> None:
        """Raise a TypeError if the estimator is not an ensemble that can be wrapped."""
        kinds = (*sklearn_ensembles(), G2Classifier)
        if not isinstance(self.estimator, kinds):
            known = ", ".join(kind.__name__ for kind in kinds)
            raise TypeError(f"estimator={self.estimator!r}: expected one of {known}.")

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the ensemble and take its members.

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
        self._wrap(fit_clone(self.estimator, X, y, sample_weight))
        return self

    def _wrap(self, ensemble: Any) -> None:
        """Take the members, votes, classes and columns of a fitted ensemble."""
        if isinstance(ensemble, G2Classifier):
            self._wrap_g2(ensemble)
        else:
            self._wrap_sklearn(ensemble)
        self.classes_ = ensemble.classes_
        self.n_features_in_ = ensemble.n_features_in_
        if hasattr(ensemble, "feature_names_in_"):
            self.feature_names_in_ = ensemble.feature_names_in_
        names = getattr(ensemble, "feature_names_in_", range(ensemble.n_features_in_))
        features = tuple(Feature(str(name), "continuous") for name in names)
        self._cost_rule = getattr(ensemble, "_cost_rule", None)
        learned = getattr(ensemble, "learned_classes_", self.classes_)
        self._schema_ = Schema(features, tuple(learned.tolist()))
        self.interrupted_ = False

    def _wrap_sklearn(self, ensemble: Any) -> None:
        if getattr(ensemble, "n_outputs_", 1) != 1:
            raise ValueError(
                f"this {type(ensemble).__name__} has {ensemble.n_outputs_} outputs, and a "
                "committee votes on one class: fit one per output."
            )
        members = list(ensemble.estimators_)
        all_columns = np.arange(ensemble.n_features_in_)
        columns = getattr(ensemble, "estimators_features_", [all_columns] * len(members))
        boosted = isinstance(ensemble, sklearn_ensembles()[0])
        priority = np.arange(len(ensemble.classes_), dtype=np.uint32)
        self._voters = EnsembleVoters(members, priority, ensemble, list(columns), boosted)
        self.votes_ = np.ones(len(members))
        if boosted:
            self.votes_ = np.array(ensemble.estimator_weights_[: len(members)], dtype=np.float64)

    def _wrap_g2(self, model: G2Classifier) -> None:
        if not isinstance(model.graph_, SeparatorGraph):
            raise TypeError(
                f"this G2Classifier has grown a {type(model.graph_).__name__}: only on a "
                "SeparatorGraph does every row visit every hypothesis, as members of a committee "
                "need."
            )
        # alpha h is artanh(mu) times h / max |h|, and the latter is at most 1, as a plain vote.
        self.votes_ = np.arctanh(np.abs(model.mu_))
        scales = model.alphas_ / np.where(self.votes_ > 0, self.votes_, 1.0)
        priority = np.arange(len(model.learned_classes_), dtype=np.uint32)
        self._voters = HypothesisVoters(list(model.hypotheses_), priority, scales)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.estimator).input_tags
        tags.input_tags.sparse = False
        return tags


def fit_clone(estimator: Any, X: Any, y: Any, sample_weight: Any) -> Any:
    """Fit a clone of an estimator, with sample weights if there are any."""
    model = clone(estimator)
    if sample_weight is None:
        return model.fit(X, y)
    if not has_fit_parameter(model, "sample_weight"):
        raise ValueError(f"{type(model).__name__} takes no sample_weight: leave it out.")
    return model.fit(X, y, sample_weight=sample_weight)
