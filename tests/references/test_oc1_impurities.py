"""The impurities of divisions against those that OC1, version 3, computed."""

from __future__ import annotations

import csv
import math

import numpy as np
import pytest

from shared import SHARED
from weaklearn import _core

TABLE = SHARED / "reference" / "oc1" / "impurity.csv"
#: Our names, and those of the table.
NAMES = {
    "max_minority": "max_minority",
    "sum_minority": "sum_minority",
    "variance": "variance",
    "gain": "info_gain",
    "gini": "gini",
    "twoing": "twoing",
}
needs_table = pytest.mark.skipif(
    not TABLE.is_file(), reason="the impurities of OC1 (../shared/reference/oc1) are absent"
)
SINGLE = float(np.finfo(np.float32).eps)


def counts(text: str) -> np.ndarray:
    return np.array([float(word) for word in text.split()])


def entropy(weights: np.ndarray) -> float:
    shares = weights[weights > 0] / weights.sum()
    return float(-(shares * np.log2(shares)).sum())


def noise_of(name: str, theirs: float, whole: np.ndarray) -> float:
    """What single precision, in which the program counts, leaves uncertain of a result.

    Each of its terms, at most one per class and side and a few more, may be wrong by half a unit
    in the last place of the largest number on the way.
    """
    steps = 2 * len(whole) + 4
    if name == "gain":
        # A difference of entropies, inverted here.
        return steps * SINGLE * max(entropy(whole), 1.0)
    if name == "twoing":
        # A sum of differences of shares, which may be as small as the value, squared.
        return steps * SINGLE * max(1.0, math.sqrt(theirs)) * theirs
    return steps * SINGLE * max(theirs, 1.0)


@needs_table
@pytest.mark.parametrize("name", NAMES)
def test_the_impurities_are_those_of_the_program(name: str) -> None:
    with TABLE.open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 396
    for row in rows:
        left, right = counts(row["left_counts"]), counts(row["right_counts"])
        ours = _core.division_impurity(name, left, right)
        theirs = float(row[NAMES[name]])
        whole = left + right
        if name == "gain" and ours != 0 and theirs != 0:
            # Where nothing is gained the program's noise may pass for a gain, of either sign.
            ours, theirs = 1 / ours, 1 / theirs
        if math.isinf(theirs) or theirs == 0:
            assert ours == theirs, row
        else:
            assert abs(ours - theirs) <= noise_of(name, theirs, whole), row


def test_a_measure_must_be_known_and_sides_alike() -> None:
    with pytest.raises(ValueError, match="unknown criterion 'gian'"):
        _core.division_impurity("gian", np.ones(2), np.ones(2))
    with pytest.raises(ValueError, match="the sides differ in their number of classes"):
        _core.division_impurity("gini", np.ones(2), np.ones(3))
