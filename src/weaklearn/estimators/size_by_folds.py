"""How many members of a committee to keep, judged by folds that are held back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.utils import _safe_indexing, indexable

from weaklearn.boosting.sampling import deal_folds
from weaklearn.encoding import check_sample_weight, counts_of_rows
from weaklearn.pruning import curve
from weaklearn.pruning.size_curves import Curve
from weaklearn.user_warnings import muted_warnings

#: The most sizes that are tried. They are spaced geometrically.
_MOST_SIZES = 30


def curves_of_folds(
    fit_committee: Callable[[Any, Any, Any], Any],
    X: Any,
    y: Any,
    sample_weight: Any,
    *,
    method: str,
    n_folds: int,
    time_limit: float,
    seed: int,
) -> list[Curve]:
    """Hold back each fold in turn; return its error for committees of different sizes.

    Parameters
    ----------
    fit_committee : callable
        Takes rows, classes and weights and returns a fitted committee.
    X, y : frame and labels
        The training rows.
    sample_weight : array or None
        Their weights.
    method : str
        The method of pruning.
    n_folds : int
        The most folds; there are fewer if no class has as many rows.
    time_limit : float
        Seconds for each pruning if the method is "exact".
    seed : int
        The seed of folds and of pruning.
    """
    X, y = indexable(X, y)
    if sample_weight is not None:
        weights = check_sample_weight(sample_weight, len(y))
        present = np.flatnonzero(weights)
        X, y = _safe_indexing(X, present), _safe_indexing(y, present)
        sample_weight = counts_of_rows(weights[present])
    labels = np.asarray(y, dtype=object).ravel()
    names = labels.astype(str)
    class_indices, counts = np.unique(names, return_inverse=True, return_counts=True)[1:]
    n_folds = min(n_folds, int(counts.max()))
    if n_folds < 2:
        raise ValueError(
            f"PrunedClassifier(size='auto'): no class has two of the {len(labels)} samples, so "
            "none can be held back. Set the number of members, for example size=10."
        )
    curves = []
    fold_of = deal_folds(class_indices.astype(np.int32), n_folds, np.random.default_rng(seed))
    for fold in range(n_folds):
        training, held_back = np.flatnonzero(fold_of != fold), np.flatnonzero(fold_of == fold)
        fold_weights = None if sample_weight is None else sample_weight[training]
        training_rows = _safe_indexing(X, training), _safe_indexing(y, training)
        with muted_warnings():
            committee = fit_committee(*training_rows, fold_weights)
        # Rows of a class without training rows are wrong at any size, so they do not matter.
        known = held_back[np.isin(names[held_back], names[training])]
        sizes = np.unique(np.geomspace(1, len(committee), _MOST_SIZES).round().astype(int))
        curves.append(
            curve(
                committee,
                *training_rows,
                X_test=_safe_indexing(X, known),
                y_test=_safe_indexing(y, known),
                sizes=sizes.tolist(),
                methods=[method],
                time_limit=time_limit,
                sample_weight=fold_weights,
                random_state=seed,
            )
        )
    return curves


def smallest_good_size(
    curves: list[Curve], method: str
) -> tuple[int, NDArray[np.int64], NDArray[np.float64]]:
    """Return the smallest size whose error is within one standard error of the best.

    Parameters
    ----------
    curves : list of Curve
        One per fold.
    method : str
        The method of pruning.

    Returns
    -------
    size : int
        The size.
    sizes, errors : array
        The sizes tried and the mean error of each over the folds.
    """
    largest = min(fold.n_members for fold in curves)
    sizes = np.unique([s for fold in curves for s in fold.sizes if s <= largest])
    of_folds = np.array([np.interp(sizes, fold.sizes, fold.errors[method]) for fold in curves])
    errors = of_folds.mean(axis=0)
    best = int(errors.argmin())
    deviation = of_folds[:, best].std(ddof=1) / np.sqrt(len(curves))
    within = errors <= errors[best] + deviation
    return int(sizes[within.argmax()]), sizes, errors
