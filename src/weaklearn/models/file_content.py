"""The content of model files: values for JSON and arrays, checked when they are read."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from weaklearn.schema import Label, Schema

_T = TypeVar("_T")


def plain(content: Any) -> Any:
    """Return content with its arrays as lists, ready for JSON.

    An array of whole numbers is a list of ints, whatever its type, which makes text shorter.
    """
    if isinstance(content, Mapping):
        return {name: plain(value) for name, value in content.items()}
    if isinstance(content, list):
        return [plain(value) for value in content]
    if not isinstance(content, np.ndarray):
        return content
    if content.dtype.kind == "f" and (np.abs(content) < 2**53).all():
        whole = content.astype(np.int64)
        # A minus before zero is lost in a whole number.
        if ((whole == content) & (np.signbit(content) == (whole < 0))).all():
            return whole.tolist()
    return content.tolist()


def take(content: Mapping[str, Any], name: str, expected: type[_T]) -> _T:
    """Return an entry of a file's content; ValueError if it is missing or of another type."""
    if name not in content:
        raise ValueError(f'its "{name}" is missing')
    value = content[name]
    # In Python a bool is an int; in JSON true is not an integer.
    if not isinstance(value, expected) or (isinstance(value, bool) and expected is not bool):
        raise ValueError(f'its "{name}" is {_shown(value)}; expected {expected.__name__}')
    return value


def _shown(value: object) -> str:
    is_large = isinstance(value, dict | list | np.ndarray)
    text = f"a {type(value).__name__}" if is_large else repr(value)
    return text if len(text) <= 60 else text[:60] + "…"


def take_array(content: Mapping[str, Any], name: str, dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return an array of a file's content, or a list of numbers as an array.

    Raises
    ------
    ValueError
        If it is missing, not a list of numbers, or if one of them does not fit into the dtype.
    """
    if isinstance(content.get(name), np.ndarray):
        return _converted(content[name], name, dtype)
    return number_array(take(content, name, list), name, dtype)


def _converted(array: NDArray[Any], name: str, dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return an array of a binary file in another type, without a copy if it has this type."""
    if dtype.kind != "f":
        if array.dtype.kind == "f":
            raise ValueError(f'its "{name}" is not a list of whole numbers')
        if len(array) and not np.can_cast(array.dtype, dtype):
            _require_inside(name, int(array.min()), int(array.max()), dtype)
    return array.astype(dtype, copy=False)


def number_array(values: list[Any], name: str, dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return a list of JSON numbers as an array; ValueError if one does not fit into the dtype."""
    kinds = set(map(type, values))
    if dtype.kind == "f":
        if not kinds <= {int, float}:
            raise ValueError(f'its "{name}" is not a list of numbers')
        return np.array(values, dtype=dtype)
    if not kinds <= {int}:
        raise ValueError(f'its "{name}" is not a list of whole numbers')
    if values:
        _require_inside(name, min(values), max(values), dtype)
    return np.array(values, dtype=dtype)


def _require_inside(name: str, least: int, most: int, dtype: np.dtype[Any]) -> None:
    limits = np.iinfo(dtype)
    if least < limits.min or most > limits.max:
        raise ValueError(f'its "{name}" holds a number outside {limits.min} to {limits.max}')


def take_numbers(content: Mapping[str, Any], name: str) -> NDArray[np.float64]:
    """Return a list of numbers of a file as an array."""
    return take_array(content, name, np.dtype(np.float64))


def take_class_weights(content: Mapping[str, Any], n_classes: int) -> NDArray[np.float64]:
    """Return the training weight of each class from a file."""
    weights = take_numbers(content, "class_weights")
    if len(weights) != n_classes or not np.isfinite(weights).all() or (weights < 0).any():
        raise ValueError('its "class_weights" are not a number >= 0 for each class')
    if not weights.any():
        raise ValueError('its "class_weights" are all zero')
    return weights


def schema_content(schema: Schema) -> dict[str, Any]:
    """Return a schema, ready for JSON."""
    for feature in schema.features:
        _check_labels(feature.values, f"the feature {feature.name!r}")
    _check_labels(schema.classes, "the class")
    return schema.to_dict()


def _check_labels(labels: tuple[Label, ...], of: str) -> None:
    for label in labels:
        if not isinstance(label, str | int | float | bool):
            raise TypeError(
                f"{of} has the value {label!r} of type {type(label).__name__}; only str, int, "
                "float and bool can be saved: convert that column before fitting (.astype(str))"
            )
        if isinstance(label, float) and not math.isfinite(label):
            raise ValueError(f"{of} has the value {label!r}, which JSON cannot hold")
