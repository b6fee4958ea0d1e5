"""A committee that is fitted and then pruned."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import clone
from sklearn.utils import get_tags
from sklearn.utils.validation import check_is_fitted

from weaklearn.boosting.sampling import draw_seed
from weaklearn.estimators.adaboost_m1 import AdaBoostM1Classifier
from weaklearn.estimators.committee.base import Committee
from weaklearn.estimators.committee.wrapped_ensembles import (
    as_committee,
    fit_clone,
    sklearn_ensembles,
)
from weaklearn.estimators.default_parts import DefaultParts, pass_on_n_jobs
from weaklearn.estimators.failed_fits import restores_on_failure
from weaklearn.estimators.g2 import G2Classifier
from weaklearn.estimators.parameters import Choice, Number, Parameter, check_parameters
from weaklearn.estimators.probabilistic_classifier import ProbabilisticClassifier
from weaklearn.estimators.size_by_folds import curves_of_folds, smallest_good_size
from weaklearn.estimators.training_table import drop_rows_without_class
from weaklearn.models.additive_score import AdditiveScore
from weaklearn.pruning import METHODS
from weaklearn.pruning.check_arguments import size_of
from weaklearn.user_warnings import warn_user

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

    from weaklearn.explain.explanations import Explanations
    from weaklearn.export.description import Description


class PrunedClassifier(ProbabilisticClassifier, DefaultParts):
    """A committee that is pruned after it is fitted.

    Parameters
    ----------
    estimator : classifier, optional
        The committee: one of this package, or scikit-learn's AdaBoostClassifier, BaggingClassifier,
        RandomForestClassifier or ExtraTreesClassifier. ``AdaBoostM1Classifier(n_rounds=50)`` by
        default.
    method : str
        The method that chooses the members to keep: one of `weaklearn.pruning.METHODS`.
    size : int or "auto"
        The number of members to keep. If boosting stopped with fewer, all are kept, and a warning
        is issued. "auto" holds back each of `n_folds` folds in turn and takes the smallest size
        whose error is within one standard error of the best. It is ignored if there is a `rate`.
    rate : float, optional
        The share of the members to keep, rounded down, instead of `size`.
    n_folds : int
        The number of folds for ``size="auto"``.
    time_limit : float
        Seconds for each pruning if the method is "exact".
    class_weight, costs : optional
        Passed on to the committee; see docs/guides/weights_and_costs.md.
    n_jobs : int or None
        Passed on to the committee, if it leaves its own at None.
    random_state : int, RandomState or None
        Seed for folds and for the random choices of "margin_lp".

    Attributes
    ----------
    committee_ : classifier
        The pruned committee.
    size_ : int
        The number of its members.
    sizes_, validation_errors_ : array
        With ``size="auto"``, the sizes tried and the mean error of each over the folds.
    classes_ : array
        The classes that occur, sorted.
    n_features_in_ : int
        Number of columns.
    feature_names_in_ : array of str
        Their names, where they have any.

    Examples
    --------
    >>> import weaklearn as wl
    >>> table = wl.datasets.load("titanic")
    >>> committee = wl.AdaBoostM1Classifier(n_rounds=10)
    >>> model = wl.PrunedClassifier(committee, "kappa", size=3).fit(table.X, table.y)
    >>> len(model.committee_)
    3
    """

    _parameters: ClassVar[Mapping[str, Parameter]] = {
        "method": Parameter(
            "kappa_shift", Choice(tuple(METHODS)), "the method that chooses the members to keep"
        ),
        "size": Parameter(
            "auto", Number(low=1, whole=True, words=("auto",)), "the number of members to keep"
        ),
        "rate": Parameter(
            None,
            Number(low=0, above_low=True, high=1, optional=True),
            "the share of the members to keep",
        ),
        "n_folds": Parameter(5, Number(low=2, whole=True), "folds to choose the size with"),
        "time_limit": Parameter(
            10.0, Number(low=0, above_low=True), "seconds for the exact method"
        ),
    }

    def __init__(
        self,
        estimator: Any = None,
        method: str = "kappa_shift",
        size: int | str = "auto",
        rate: float | None = None,
        *,
        n_folds: int = 5,
        time_limit: float = 10.0,
        class_weight: Any = None,
        costs: Any = None,
        n_jobs: int | None = None,
        random_state: Any = None,
    ) -> None:
        self.estimator = estimator
        self.method = method
        self.size = size
        self.rate = rate
        self.n_folds = n_folds
        self.time_limit = time_limit
        self.class_weight = class_weight
        self.costs = costs
        self.n_jobs = n_jobs
        self.random_state = random_state

    @restores_on_failure
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """Fit the committee to a table and prune it on the same rows.

        Parameters
        ----------
        X : frame
            As the committee takes it.
        y : Series, array or list
            The class of each row.
        sample_weight : array, optional
            A weight per row.

        Returns
        -------
        self
            The fitted classifier.
        """
        self.check_parameters()
        seed = draw_seed(self.random_state)
        X, y, sample_weight = drop_rows_without_class(X, y, sample_weight)
        committee = self._fit_committee(X, y, sample_weight)
        if self.size == "auto" and self.rate is None:
            size = min(self._find_size(X, y, sample_weight, seed), len(committee))
        else:
            self.__dict__.pop("sizes_", None)
            self.__dict__.pop("validation_errors_", None)
            size = self._given_size(len(committee))
        self.committee_ = METHODS[self.method].prune(
            *(committee, X, y),
            size=size,
            seed=seed,
            time_limit=self.time_limit,
            sample_weight=sample_weight,
        )
        self.size_ = len(self.committee_)
        for name in ("classes_", "n_features_in_", "feature_names_in_"):
            self.__dict__.pop(name, None)
            if hasattr(committee, name):
                setattr(self, name, getattr(committee, name))
        return self

    def _default_parts(self) -> dict[str, Any]:
        return {"estimator": AdaBoostM1Classifier(n_rounds=50)}

    def _committee(self) -> Any:
        return self._part_or_default("estimator")

    def check_parameters(self) -> None:
        """Raise an error for the first parameter that is wrong."""
        given = {name: getattr(self, name) for name in self._parameters}
        check_parameters(self._parameters, given, type(self).__name__)
        if self.rate is not None and self.size != "auto":
            raise ValueError(
                f"{type(self).__name__}(size={self.size!r}, rate={self.rate!r}): set one of size "
                "and rate, not both."
            )
        kinds = sklearn_ensembles()
        if not isinstance(self._committee(), (Committee, G2Classifier, *kinds)):
            known = ", ".join(kind.__name__ for kind in kinds)
            raise TypeError(
                f"estimator={self.estimator!r} is not a committee; expected one of this package, "
                f"such as AdaBoostM1Classifier(), or scikit-learn's {known}."
            )

    def _given_size(self, n_members: int) -> int:
        """Return the size that `size` or `rate` asks for, at most that of the committee."""
        if self.rate is not None:
            return size_of(n_members, None, self.rate)
        size = int(self.size)
        if size > n_members:
            warn_user(
                f"{type(self).__name__}(size={self.size}): the committee has only {n_members} "
                "members, for example because boosting stopped early, and all of them are kept. "
                "Set a smaller size to prune it, or size='auto'."
            )
        return min(size, n_members)

    def _fit_committee(self, X: Any, y: Any, sample_weight: Any) -> Any:
        unfitted = clone(self._committee())
        pass_on_n_jobs(unfitted, self.n_jobs)
        for name in ("class_weight", "costs"):
            if (value := getattr(self, name)) is None:
                continue
            if name not in unfitted.get_params(deep=False):
                raise ValueError(
                    f"{type(unfitted).__name__} has no {name}: use a committee of this package."
                )
            unfitted.set_params(**{name: value})
        model = fit_clone(unfitted, X, y, sample_weight)
        return model if isinstance(model, Committee) else as_committee(model)

    def _find_size(self, X: Any, y: Any, sample_weight: Any, seed: int) -> int:
        """Return the smallest size whose error is within one standard error of the best."""
        curves = curves_of_folds(
            self._fit_committee,
            X,
            y,
            sample_weight,
            method=self.method,
            n_folds=int(self.n_folds),
            time_limit=float(self.time_limit),
            seed=seed,
        )
        size, self.sizes_, self.validation_errors_ = smallest_good_size(curves, self.method)
        return size

    # -- predicting -------------------------------------------------------------------------------
    def predict(self, X: Any) -> NDArray[Any]:
        """Predict the class of each row.

        Parameters
        ----------
        X : frame
            As for `fit`.

        Returns
        -------
        array of labels
            One per row.
        """
        check_is_fitted(self)
        labels: NDArray[Any] = self.committee_.predict(X)
        return labels

    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Predict the probability of each class: its share of the votes.

        Parameters
        ----------
        X : frame
            As for `fit`.

        Returns
        -------
        array of shape (n_rows, n_classes)
            In the order of ``classes_``.
        """
        check_is_fitted(self)
        shares: NDArray[np.float64] = self.committee_.predict_proba(X)
        return shares

    def decision_function(self, X: Any) -> NDArray[np.float64]:
        """Compute from the votes how clearly each row belongs to a class.

        Parameters
        ----------
        X : frame
            As for `fit`.

        Returns
        -------
        array of float64
            As for the committee: one number per row with two classes, otherwise one per class too.
        """
        check_is_fitted(self)
        values: NDArray[np.float64] = self.committee_.decision_function(X)
        return values

    def margins(self, X: Any, y: Any) -> NDArray[np.float64]:
        """Compute the margin of each row, from -1 to 1.

        Parameters
        ----------
        X : frame
            As for `fit`.
        y : Series, array or list
            The class of each row.

        Returns
        -------
        array of float64
            As for the committee: below 0 the prediction is wrong.
        """
        check_is_fitted(self)
        margins: NDArray[np.float64] = self.committee_.margins(X, y)
        return margins

    def _description(self) -> Description:
        check_is_fitted(self)
        described: Description = self.committee_._description()
        return replace(described, model_name=type(self).__name__)

    def additive_score(self) -> AdditiveScore:
        """Return the score of the pruned committee that SHAP values explain, if it has one."""
        check_is_fitted(self)
        score: AdditiveScore = self.committee_.additive_score()
        return score

    def explain(self, X: Any) -> Explanations:
        """Explain the prediction for each row by the votes of the pruned committee.

        Parameters
        ----------
        X : frame
            As for `fit`.

        Returns
        -------
        Explanations
            One per row; see docs/guides/explanations.md.
        """
        check_is_fitted(self)
        explanations: Explanations = self.committee_.explain(X)
        return explanations

    def apply(self, X: Any) -> NDArray[np.int32]:
        """Return the leaf that each row reaches in each member; see `Committee.apply`.

        Parameters
        ----------
        X : frame
            As for `fit`.

        Returns
        -------
        array of int32, (n_rows, n_members)
            Indices of nodes in the graphs of the members.
        """
        check_is_fitted(self)
        return np.asarray(self.committee_.apply(X))

    def decision_path(self, X: Any) -> tuple[csr_matrix, NDArray[np.int64]]:
        """Return the nodes that each row visits in the members; see `Committee.decision_path`.

        Parameters
        ----------
        X : frame
            As for `fit`.

        Returns
        -------
        sparse matrix of shape (n_rows, n_nodes)
            The share of the row at each node.
        array of int64
            Columns ``n_nodes_ptr[i]`` to ``n_nodes_ptr[i + 1]`` of the matrix belong to member i.
        """
        check_is_fitted(self)
        paths: tuple[csr_matrix, NDArray[np.int64]] = self.committee_.decision_path(X)
        return paths

    @property
    def feature_importances_(self) -> NDArray[np.float64]:
        """The importance of each column: that of the pruned committee."""
        check_is_fitted(self)
        importances: NDArray[np.float64] = self.committee_.feature_importances_
        return importances

    @property
    def estimator_(self) -> Any:
        """The committee that was fitted, as a parameter: not fitted, not pruned."""
        check_is_fitted(self)
        return self._committee()

    @property
    def estimators_(self) -> list[Any]:
        """The members of the pruned committee."""
        check_is_fitted(self)
        members: list[Any] = self.committee_.members_
        return members

    @property
    def estimator_weights_(self) -> NDArray[np.float64]:
        """The votes of the members of the pruned committee."""
        check_is_fitted(self)
        votes: NDArray[np.float64] = self.committee_.votes_
        return votes

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self._committee()).input_tags
        tags.input_tags.sparse = False
        return tags
