"""Distinct and repeated values.

`distinct` returns the values of an array in ascending order and the position of each element's
value. The result is that of ``np.unique(..., return_inverse=True)``. It takes linear time if the
elements can be counted instead of sorted: integers in a narrow range, and strings one character
position after the other.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

Value = TypeVar("Value", bound=Hashable)


def first_repeated(values: Iterable[Value]) -> Value | None:
    """Return the first value that occurred before, or None if the values are distinct.

    Examples
    --------
    >>> first_repeated(["a", "b", "a"]), first_repeated(["a", "b"])
    ('a', None)
    """
    seen: set[Value] = set()
    for value in values:
        if value in seen:
            return value
        seen.add(value)
    return None


def distinct(array: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Return the distinct values, ascending, and per element the position of its value.

    Parameters
    ----------
    array : one-dimensional array

    Returns
    -------
    values : array
    codes : array of int

    Examples
    --------
    >>> import numpy as np
    >>> distinct(np.array(["no", "yes", "no"]))
    (array(['no', 'yes'], dtype='<U3'), array([0, 1, 0]))
    """
    countable = array.size > 0 and array.dtype.isnative and array.ndim == 1
    if countable and array.dtype.kind in "iu":
        codes, n_values = _rank(array)
        values = np.empty(n_values, array.dtype)
        values[codes] = array
        return values, codes
    if countable and array.dtype.kind == "U" and array.dtype.itemsize > 0:
        characters = np.ascontiguousarray(array).view(np.uint32).reshape(array.size, -1)
        codes, n_values = np.zeros(array.size, np.intp), 1
        for position in range(characters.shape[1]):
            character, n_characters = _rank(characters[:, position])
            if n_values == 1:
                codes, n_values = character, n_characters
            elif n_characters > 1:
                codes, n_values = _rank(codes * n_characters + character)
        occurrence = np.empty(n_values, np.intp)
        occurrence[codes] = np.arange(array.size)
        return array[occurrence], codes
    return np.unique(array, return_inverse=True)


def _rank(integers: NDArray[Any]) -> tuple[NDArray[np.intp], int]:
    """Return each element's rank among the distinct values, and the number of these."""
    lowest, highest = int(integers.min()), int(integers.max())
    if highest - lowest > 4 * integers.size + 1000:
        values, ranks = np.unique(integers, return_inverse=True)
        return ranks, len(values)
    # The difference of two int8 may not fit into int8, for example 127 - -128.
    wide = integers if integers.dtype.kind == "u" else integers.astype(np.int64, copy=False)
    offsets = (wide - wide.dtype.type(lowest)).astype(np.intp, copy=False)
    occurs = np.zeros(highest - lowest + 1, np.bool_)
    occurs[offsets] = True
    if occurs.all():
        return offsets, len(occurs)
    ranks = np.cumsum(occurs) - 1
    return ranks[offsets], int(ranks[-1]) + 1
