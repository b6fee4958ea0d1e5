"""The distinct values of an array in order, and which of them each element is.

What ``np.unique(..., return_inverse=True)`` gives, without sorting all elements where they can be
counted: whole numbers in a narrow range, and strings character by character.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def distinct(array: NDArray[Any]) -> tuple[NDArray[Any], NDArray[np.intp]]:
    """Give the distinct values, ascending, and per element the position of its value.

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
        codes, n_values = _dense(array)
    elif countable and array.dtype.kind == "U" and array.dtype.itemsize > 0:
        characters = np.ascontiguousarray(array).view(np.uint32).reshape(array.size, -1)
        codes, n_values = np.zeros(array.size, np.intp), 1
        for position in range(characters.shape[1]):
            character, n_characters = _dense(characters[:, position])
            if n_values == 1:
                codes, n_values = character, n_characters
            elif n_characters > 1:
                codes, n_values = _dense(codes * n_characters + character)
    else:
        return np.unique(array, return_inverse=True)
    occurrence = np.empty(n_values, np.intp)
    occurrence[codes] = np.arange(array.size)
    return array[occurrence], codes


def _dense(numbers: NDArray[Any]) -> tuple[NDArray[np.intp], int]:
    lowest, highest = int(numbers.min()), int(numbers.max())
    if highest - lowest > 4 * numbers.size + 1000:
        values, codes = np.unique(numbers, return_inverse=True)
        return codes, len(values)
    wide = numbers if numbers.dtype.kind == "u" else numbers.astype(np.int64)  # int8: 127 - -128
    offsets = (wide - wide.dtype.type(lowest)).astype(np.intp)
    occurs = np.zeros(highest - lowest + 1, np.bool_)
    occurs[offsets] = True
    ranks = np.cumsum(occurs) - 1
    return ranks[offsets], int(ranks[-1]) + 1
