"""What every classifier has by scikit-learn's conventions, given its classes and probabilities."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from weaklearn.estimators.training_table import drop_rows_without_class
from weaklearn.explain.separator_score import SeparatorScore
from weaklearn.models.additive_score import AdditiveScore


class ProbabilisticClassifier(ClassifierMixin, BaseEstimator):
    """Base of all classifiers: they have classes and predict probabilities."""

    classes_: NDArray[Any]

    @property
    def n_classes_(self) -> int:
        """The number of classes that occur."""
        return len(self.classes_)

    @property
    def n_outputs_(self) -> int:
        """The number of targets: 1."""
        check_is_fitted(self)
        return 1

    def score(self, X: Any, y: Any, sample_weight: Any = None) -> float:
        """Return the share of rows that are predicted correctly.

        Parameters
        ----------
        X : frame
            As for `predict`.
        y : Series, array or list
            The class of each row. Rows without a class are left out with a warning, as in ``fit``.
        sample_weight : array, optional
            A weight per row.

        Returns
        -------
        float
            The accuracy.
        """
        X, y, sample_weight = drop_rows_without_class(X, y, sample_weight)
        return float(super().score(X, y, sample_weight))

    @abstractmethod
    def predict_proba(self, X: Any) -> NDArray[np.float64]:
        """Predict the probability of each class for each row."""

    def predict_log_proba(self, X: Any) -> NDArray[np.float64]:
        """Predict the logarithm of the probability of each class for each row.

        Parameters
        ----------
        X : frame
            As for `predict`.

        Returns
        -------
        array of shape (n_rows, n_classes)
            In the order of ``classes_``; minus infinity for a probability of 0.
        """
        with np.errstate(divide="ignore"):
            logarithms: NDArray[np.float64] = np.log(self.predict_proba(X))
        return logarithms

    def additive_score(self) -> AdditiveScore | SeparatorScore:
        """Return the score that `weaklearn.explain.shap_values` explains.

        It is a sum over trees, or over features.

        Raises
        ------
        TypeError
            If the classifier has no such score.
        """
        raise TypeError(
            f"{type(self).__name__} has no score that is a sum over trees or features, so it has "
            "no exact SHAP values here. Use a tree, BaggedClassifier or BoostedForestClassifier; "
            "or estimate them with shap.Explainer(model.predict_proba, X)."
        )
