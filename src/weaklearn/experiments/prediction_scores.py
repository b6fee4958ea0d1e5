"""Scores of the predictions for rows that were held back: confusion, recall, log loss, AUC."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.stats import rankdata

from weaklearn.schema import Label

#: A probability of 0 for the true class would make the log loss infinite; scikit-learn's limit.
_LEAST_SHARE = float(np.finfo(np.float64).eps)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Predictions:
    """What was predicted for every row of a table while the row was held back.

    Parameters
    ----------
    labels : tuple of labels
        The classes.
    classes : array of int32
        The class index of each row.
    predicted : array of int32, shape (n_repeats, n_rows)
        The class index that was predicted for each row.
    shares : array of float64, shape (n_repeats, n_rows, n_classes)
        The predicted probability of each class.
    folds : array of int, shape (n_repeats, n_rows)
        The fold of each row. The rows of a fold were predicted by the same model.
    """

    labels: tuple[Label, ...]
    classes: NDArray[np.int32]
    predicted: NDArray[np.int32]
    shares: NDArray[np.float64]
    folds: NDArray[np.intp]

    @property
    def confusion(self) -> NDArray[np.float64]:
        """Rows of each class (first axis) by predicted class (second axis), mean over repeats."""
        n_classes = len(self.labels)
        pairs = self.classes * n_classes + self.predicted
        counts = np.bincount(pairs.ravel(), minlength=n_classes**2)
        return counts.reshape(n_classes, n_classes) / len(self.predicted)

    @property
    def recalls(self) -> NDArray[np.float64]:
        """The share of the rows of each class that is predicted right; NaN for an absent class."""
        confusion = self.confusion
        totals = confusion.sum(axis=1)
        recalls = np.full(len(totals), np.nan)
        np.divide(confusion.diagonal(), totals, out=recalls, where=totals > 0)
        return recalls

    @property
    def balanced_error(self) -> float:
        """One minus the mean recall of the classes that occur."""
        return float(1.0 - np.nanmean(self.recalls))

    def mean_cost(self, costs: NDArray[np.float64]) -> float:
        """Return the mean cost of a row, given the cost of each class (rows) by prediction."""
        return float((self.confusion * costs).sum() / len(self.classes))

    @property
    def log_loss(self) -> float:
        """The mean of -log of the probability that was predicted for the true class."""
        of_true_class = self.shares[:, np.arange(len(self.classes)), self.classes]
        return float(-np.log(np.maximum(of_true_class, _LEAST_SHARE)).mean())

    @property
    def auc(self) -> float:
        """The area under the ROC curve; NaN where only one class occurs.

        It is the share of pairs of rows, one of the class and one of another, in which the row of
        the class has the higher probability; ties count half. Only rows of the same fold are
        compared, because the probabilities of different models are not comparable. With more than
        two classes it is the mean over classes, weighted by the number of rows of the class.
        """
        counts = np.bincount(self.classes, minlength=len(self.labels))
        return area_under_curve(*self.pairs_won, counts)

    @property
    def pairs_won(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """For each class, how many of the pairs of `auc` are in the right order, and how many are.

        The counts of several folds can be added.
        """
        wins, n_pairs = np.zeros((2, len(self.labels)))
        for folds, shares in zip(self.folds, self.shares, strict=True):
            for fold in np.unique(folds):
                in_fold = folds == fold
                classes, fold_shares = self.classes[in_fold], shares[in_fold]
                for k in range(len(self.labels)):
                    positive = classes == k
                    n_positive = int(positive.sum())
                    ranks = rankdata(fold_shares[:, k])
                    wins[k] += ranks[positive].sum() - n_positive * (n_positive + 1) / 2
                    n_pairs[k] += n_positive * (len(positive) - n_positive)
        return wins, n_pairs

    def to_dict(self) -> dict[str, Any]:
        """Return the scores as plain data that can be written as JSON; None where undefined."""
        return {
            "balanced_error": self.balanced_error,
            "log_loss": self.log_loss,
            "auc": None if np.isnan(self.auc) else self.auc,
            "classes": list(self.labels),
            "confusion": self.confusion.tolist(),
            "recalls": [None if np.isnan(recall) else float(recall) for recall in self.recalls],
        }


def area_under_curve(
    wins: NDArray[np.float64], n_pairs: NDArray[np.float64], n_rows: NDArray[np.int64]
) -> float:
    """Return the mean over classes of the share of pairs won, weighted by the rows of the class.

    Parameters
    ----------
    wins, n_pairs : array of float64
        As `Predictions.pairs_won` returns them.
    n_rows : array of int
        The number of rows of each class.

    Returns
    -------
    float
        NaN if no class has a pair.

    Examples
    --------
    >>> area_under_curve(np.array([3.0, 0.0]), np.array([4.0, 0.0]), np.array([2, 0]))
    0.75
    """
    defined = n_pairs > 0
    if not defined.any():
        return float("nan")
    return float(np.average(wins[defined] / n_pairs[defined], weights=n_rows[defined]))
