"""SHAP values: how much each feature of a row adds to the score of each class."""

from __future__ import annotations

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from weaklearn.encoding import EncodedRows
from weaklearn.explain.separator_score import SeparatorScore
from weaklearn.models.additive_score import AdditiveScore
from weaklearn.models.graph import Graph
from weaklearn.schema import Feature
from weaklearn.user_warnings import warn_user


@dataclass(frozen=True, eq=False, repr=False)
class ShapValues:
    """SHAP values with the attributes of a ``shap.Explanation``, for when shap is not installed.

    Parameters
    ----------
    values : array of float64, (n_rows, n_features, n_classes)
        What each feature adds to the score of each class.
    base_values : array of float64, (n_rows, n_classes)
        The score if no feature is known.
    data : array of float64, (n_rows, n_features)
        The rows: numbers, codes of nominal values, NaN where missing.
    display_data : array, (n_rows, n_features)
        The rows with nominal values in words.
    feature_names : list of str
        The features.
    output_names : list of str
        The classes.
    """

    values: NDArray[np.float64]
    base_values: NDArray[np.float64]
    data: NDArray[np.float64]
    display_data: NDArray[Any]
    feature_names: list[str]
    output_names: list[str]

    def __repr__(self) -> str:
        n_rows, n_features, n_classes = self.values.shape
        return f"ShapValues({n_rows} rows, {n_features} features, {n_classes} classes)"

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the values."""
        return self.values.shape


def shap_values(model: Any, X: Any) -> Any:
    """Compute exact SHAP values: how much each feature adds to the score of each class.

    A feature that a coalition lacks is treated as C4.5 treats a missing value: the row is
    distributed over the branches of a split by the weight of the training rows. These are the
    values of TreeSHAP with ``feature_perturbation="tree_path_dependent"``, for multiway, subset and
    oblique splits too.

    Parameters
    ----------
    model : classifier or Graph
        A fitted classifier whose model is a graph; a committee whose score is a mean of its
        members' class shares: `BaggedClassifier`, `BoostedForestClassifier`, and
        `AdaBoostM1Classifier` with ``vote="shares"``; or a `RealAdaBoostClassifier`.
    X : frame
        As for `predict`. A value that is missing stays missing, and its feature has the value 0.

    Returns
    -------
    shap.Explanation, or ShapValues if shap cannot be imported
        ``values`` has the shape (n_rows, n_features, n_classes), ``base_values`` (n_rows,
        n_classes), in the order of ``classes_``. Base value and values of a row sum to the score:
        the class shares of a graph, or the mean of the members' class shares weighted by votes,
        before calibration and before the factors of costs are taken out. For
        `RealAdaBoostClassifier` it is the output H(x) in favour of each class. ``data`` has the
        codes of nominal values, and ``display_data`` the values themselves.

    Examples
    --------
    >>> import weaklearn as wl
    >>> table = wl.datasets.load("titanic")
    >>> model = wl.C45Classifier().fit(table.X, table.y)
    >>> values = wl.explain.shap_values(model, table.X[:1])
    >>> values.feature_names
    ['class', 'sex', 'age']
    >>> values.values[0, :, 1].round(3).tolist()
    [0.375, -0.07, 0.372]
    >>> float((values.base_values[0, 1] + values.values[0, :, 1].sum()).round(3))
    1.0
    """
    score = score_of(model)
    rows = score.encode(X)
    values, base_values = score.shap_values(rows)
    features = score.schema.features
    parts: dict[str, Any] = {
        "values": values,
        "base_values": base_values,
        "data": np.column_stack([_numbers(array) for array in rows.arrays]),
        "display_data": _cells(rows, features),
        "feature_names": [feature.name for feature in features],
        "output_names": [str(label) for label in score.classes],
    }
    if find_spec("shap") is None:
        return ShapValues(**parts)
    try:
        from shap import Explanation  # takes long to import
    except ImportError as error:  # of a package that shap needs
        warn_user(
            f"shap is installed, but cannot be imported, so the result is a plain object: {error}"
        )
        return ShapValues(**parts)
    return Explanation(**parts)


def score_of(model: Any) -> AdditiveScore | SeparatorScore:
    """Return the score of a model that is a sum; raise a TypeError if it has none."""
    if isinstance(model, Graph):
        classes = model.schema.classes
        order = np.arange(len(classes))
        return AdditiveScore([model], np.ones(1), model.encode, order, classes)
    if not hasattr(model, "additive_score"):
        raise TypeError(
            f"got {type(model).__name__}, expected a fitted classifier of this package, or a graph "
            "such as its tree_. Use shap.Explainer for models of other packages."
        )
    score: AdditiveScore | SeparatorScore = model.additive_score()
    return score


def _numbers(array: NDArray[Any]) -> NDArray[np.float64]:
    """Return a column as numbers, NaN where a code is missing."""
    return np.where(array < 0, np.nan, array) if array.dtype == np.int32 else array


def _cells(rows: EncodedRows, features: tuple[Feature, ...]) -> NDArray[Any]:
    """Return the rows with nominal values themselves in place of their codes."""
    if not any(array.dtype == np.int32 for array in rows.arrays):
        return np.column_stack(rows.arrays)
    cells = np.empty((rows.n_rows, len(features)), dtype=object)
    for index, (array, feature) in enumerate(zip(rows.arrays, features, strict=True)):
        if array.dtype == np.int32:
            values = np.array([*feature.values, None], dtype=object)
            cells[:, index] = values[array]  # the code of a missing value is -1, which takes None
        else:
            cells[:, index] = array
    return cells
