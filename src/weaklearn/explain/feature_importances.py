"""Importances of features by one call: gain, permutation, or SHAP values."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils.validation import check_is_fitted

from weaklearn.encoding import EncodedRows
from weaklearn.explain.shap_explanation import score_of

if TYPE_CHECKING:
    import pandas as pd

Kind = Literal["gain", "permutation", "shap"]
_KINDS = ("gain", "permutation", "shap")


def importances(
    model: Any,
    X: Any = None,
    y: Any = None,
    kind: Kind = "gain",
    *,
    scoring: Any = None,
    n_repeats: int = 5,
    sample_weight: Any = None,
    random_state: Any = None,
) -> pd.DataFrame:
    """Compute how important each feature is to a fitted classifier.

    Parameters
    ----------
    model : classifier
        A fitted classifier of this package.
    X : frame, optional
        Rows, for "permutation" and "shap".
    y : Series, array or list, optional
        Their classes, for "permutation".
    kind : {"gain", "permutation", "shap"}
        "gain": ``feature_importances_``, the share of each feature in what the splits gain in
        training; it needs no rows. "permutation": how much the score of the rows drops if the
        values of the feature are shuffled, by scikit-learn's ``permutation_importance``. "shap":
        how much of the score the feature moves between classes, on average over the rows: half the
        sum of its absolute SHAP values over the classes.
    scoring : str or callable, optional
        For "permutation": a score of scikit-learn; the accuracy by default.
    n_repeats : int
        For "permutation": how often each feature is shuffled.
    sample_weight : array, optional
        For "permutation": a weight per row.
    random_state : int, RandomState or None
        For "permutation": the seed.

    Returns
    -------
    DataFrame
        With the columns ``feature`` and ``importance``, largest first; ties in the order of the
        features. "permutation" adds ``deviation``, the standard deviation over the repetitions.

    Examples
    --------
    >>> import weaklearn as wl
    >>> table = wl.datasets.load("titanic")
    >>> model = wl.C45Classifier().fit(table.X, table.y)
    >>> wl.explain.importances(model)["feature"].tolist()
    ['sex', 'class', 'age']
    >>> by_score = wl.explain.importances(
    ...     model, table.X, table.y, kind="permutation", random_state=0
    ... )
    >>> by_score["feature"][0]
    'sex'
    """
    if kind not in _KINDS:
        raise ValueError(f"kind={kind!r}: expected one of {', '.join(map(repr, _KINDS))}.")
    check_is_fitted(model)
    if kind != "gain" and X is None:
        raise ValueError(f'kind="{kind}" needs rows: importances(model, X, y, kind="{kind}").')
    if kind == "permutation" and y is None:
        raise ValueError('kind="permutation" needs the classes of the rows: pass y as well.')
    if kind == "gain":
        return _sorted_frame(_names(model), {"importance": model.feature_importances_})
    if kind == "shap":
        score = score_of(model)
        values, _ = score.shap_values(score.encode(X))
        moved = np.abs(values).sum(axis=2).mean(axis=0) / 2.0
        return _sorted_frame(_names(model), {"importance": moved})

    from sklearn.inspection import permutation_importance  # takes long to import

    estimator, table = _encoded_once(model, X)
    result = permutation_importance(
        estimator,
        table,
        y,
        scoring=scoring,
        n_repeats=n_repeats,
        random_state=random_state,
        sample_weight=sample_weight,
    )
    columns = {"importance": result.importances_mean, "deviation": result.importances_std}
    return _sorted_frame(_names(model), columns)


def _names(model: Any) -> Sequence[str]:
    """Return the names of the features, or names made of their positions."""
    if hasattr(model, "feature_names_in_"):
        names: list[str] = model.feature_names_in_.tolist()
        return names
    return [str(index) for index in range(model.n_features_in_)]


def _sorted_frame(names: Sequence[str], columns: dict[str, NDArray[np.float64]]) -> pd.DataFrame:
    import pandas as pd  # takes long to import

    frame = pd.DataFrame({"feature": list(names), **columns})
    return frame.sort_values("importance", ascending=False, kind="stable", ignore_index=True)


class _EncodedModel(ClassifierMixin, BaseEstimator):
    """A fitted classifier that reads its encoded rows as one array of numbers and codes."""

    def __init__(self, model: Any, is_nominal: Sequence[bool]) -> None:
        self.model = model
        self.is_nominal = is_nominal
        self.classes_ = model.classes_

    def fit(self, X: Any, y: Any) -> None:
        """Raise a TypeError: scikit-learn needs the method, but never calls it here."""
        raise TypeError("the model is fitted already")

    def predict(self, X: NDArray[np.float64]) -> NDArray[Any]:
        """Predict the class of each encoded row."""
        indices = self.model.predict_class_indices(self._rows(X), self.model._n_threads())
        labels: NDArray[Any] = self.classes_[self.model._positions_in_classes(indices)]
        return labels

    def predict_proba(self, X: NDArray[np.float64]) -> NDArray[np.float64]:
        """Predict the probability of each class for each encoded row."""
        shares = self.model.predict_class_shares(self._rows(X), self.model._n_threads())
        in_order: NDArray[np.float64] = self.model._in_class_order(shares)
        return in_order

    def _rows(self, X: NDArray[np.float64]) -> EncodedRows:
        arrays = [
            column.astype(np.int32) if nominal else column
            for column, nominal in zip(X.T, self.is_nominal, strict=True)
        ]
        return EncodedRows(arrays, len(X))


def _encoded_once(model: Any, X: Any) -> tuple[Any, Any]:
    """Return a model and rows for it that it need not encode again.

    These are the model and the rows as they are if the model does not encode rows: G2, and
    committees whose members are classifiers of scikit-learn.
    """
    model = getattr(model, "committee_", model)  # of a PrunedClassifier
    rows = model._encode(X) if hasattr(model, "_encode") else None
    if not isinstance(rows, EncodedRows):
        return model, X
    is_nominal = [array.dtype == np.int32 for array in rows.arrays]
    return _EncodedModel(model, is_nominal), np.column_stack(rows.arrays)
