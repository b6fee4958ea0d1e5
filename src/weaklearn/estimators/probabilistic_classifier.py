"""What every classifier has by scikit-learn's conventions, given its classes and probabilities."""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin


class ProbabilisticClassifier(ClassifierMixin, BaseEstimator):
    """Base of all classifiers: they have classes and predict probabilities."""

    classes_: NDArray[Any]

    @property
    def n_classes_(self) -> int:
        """The number of classes that occur."""
        return len(self.classes_)

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
