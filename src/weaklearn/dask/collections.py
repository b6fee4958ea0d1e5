"""Dask collections: their partitions, and predictions for them."""

from __future__ import annotations

from typing import Any

import numpy as np


def partitions_of(X: Any, y: Any, sample_weight: Any) -> list[tuple[Any, Any, Any]]:
    """Return the partitions of the arguments of ``fit`` as delayed objects.

    Raises
    ------
    TypeError or ValueError
        If they are not collections, or have different numbers of partitions.
    """
    parts = _delayed(X, "X")
    classes = _delayed(y, "y")
    weights = [None] * len(parts) if sample_weight is None else _delayed(sample_weight, "weights")
    if not len(parts) == len(classes) == len(weights):
        raise ValueError(
            f"X has {len(parts)} partitions, y has {len(classes)} and sample_weight has "
            f"{len(weights)}; expected as many of each, with the same rows. Use y.repartition(...) "
            "or y.rechunk(...) with the divisions or chunks of X."
        )
    return list(zip(parts, classes, weights, strict=True))


def _delayed(collection: Any, name: str) -> list[Any]:
    if not hasattr(collection, "to_delayed"):
        raise TypeError(
            f"{name} is a {type(collection).__name__}; expected a Dask DataFrame, Series or Array. "
            "Use dask.dataframe.from_pandas(...), or fit the classifier of weaklearn itself."
        )
    if hasattr(collection, "rechunk") and collection.ndim == 2:
        collection = collection.rechunk({1: -1})
    delayed = collection.to_delayed()
    return list(np.ravel(delayed))


def map_partitions(model: Any, method: str, X: Any) -> Any:
    """Return a lazy collection of what a fitted model predicts for each partition of X.

    A DataFrame gives a Series of classes or a DataFrame of probabilities with the index of X, an
    Array gives an Array.
    """
    wide = method == "predict_proba"
    if hasattr(X, "rechunk"):
        X = X.rechunk({1: -1})
        chunks = (X.chunks[0], (len(model.classes_),)) if wide else (X.chunks[0],)
        return X.map_blocks(
            _predict_array,
            model=model,
            method=method,
            dtype=np.float64 if wide else model.classes_.dtype,
            chunks=chunks,
            drop_axis=None if wide else 1,
        )
    if not hasattr(X, "map_partitions"):
        raise TypeError(
            f"X is a {type(X).__name__}; expected a Dask DataFrame or Array. For other tables use "
            f"to_local().{method}(X)."
        )
    import pandas as pd

    if wide:
        meta: Any = pd.DataFrame({label: pd.Series(dtype=float) for label in model.classes_})
    else:
        meta = pd.Series(dtype=model.classes_.dtype, name="prediction")
    return X.map_partitions(_predict_frame, model=model, method=method, meta=meta)


def _predict_array(rows: Any, model: Any, method: str) -> Any:
    if len(rows) == 0:
        empty = (0, len(model.classes_)) if method == "predict_proba" else (0,)
        return np.zeros(empty, dtype=model.classes_.dtype if len(empty) == 1 else np.float64)
    return getattr(model, method)(rows)


def _predict_frame(rows: Any, model: Any, method: str) -> Any:
    import pandas as pd

    predicted = _predict_array(rows, model, method)
    if method == "predict_proba":
        return pd.DataFrame(predicted, index=rows.index, columns=list(model.classes_))
    return pd.Series(predicted, index=rows.index, name="prediction")
