"""Counting and sorting find the same distinct values."""

import hypothesis.extra.numpy as npst
import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given

from weaklearn.tables.distinct import distinct

KINDS = [
    np.int8,
    np.uint8,
    np.int64,
    np.uint64,
    np.float64,
    np.bool_,
    "<U1",
    "<U3",
    ">U2",
    "<U7",
    "S2",
]


@pytest.mark.parametrize("kind", KINDS, ids=str)
@given(data=st.data())
def test_same_as_sorting(kind, data):
    elements = (
        st.integers(-2, 3) if np.dtype(kind) == np.int64 and data.draw(st.booleans()) else None
    )
    array = data.draw(npst.arrays(kind, st.integers(0, 30), elements=elements))
    values, codes = distinct(array)
    expected, inverse = np.unique(array, return_inverse=True)
    np.testing.assert_array_equal(values, expected)
    np.testing.assert_array_equal(codes, inverse)
    assert values.dtype == array.dtype
