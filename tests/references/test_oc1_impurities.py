"""Compare the impurities of splits with those that OC1, version 3, computed."""

from __future__ import annotations

import csv
import math

import numpy as np
import pytest

from shared import EMBEDDED
from weaklearn import _core

#: Our names of the impurities and the column of the table for each.
COLUMNS = {
    "max_minority": "max_minority",
    "sum_minority": "sum_minority",
    "variance": "variance",
    "gain": "info_gain",
    "gini": "gini",
    "twoing": "twoing",
}
FLOAT32_EPS = float(np.finfo(np.float32).eps)


def counts(text: str) -> np.ndarray:
    return np.array([float(word) for word in text.split()])


def entropy(weights: np.ndarray) -> float:
    shares = weights[weights > 0] / weights.sum()
    return float(-(shares * np.log2(shares)).sum())


def rounding_error(name: str, stored: float, totals: np.ndarray) -> float:
    """Return how far the stored result may be from the exact one.

    The program adds at most one term per class and side and a few more, in single precision. Each
    term may be wrong by half a unit in the last place of the largest intermediate number.
    """
    n_terms = 2 * len(totals) + 4
    if name == "gain":
        # The gain is a difference of entropies.
        return n_terms * FLOAT32_EPS * max(entropy(totals), 1.0)
    if name == "twoing":
        # Twoing squares a sum of differences of shares, which may be as small as the value.
        return n_terms * FLOAT32_EPS * max(1.0, math.sqrt(stored)) * stored
    return n_terms * FLOAT32_EPS * max(stored, 1.0)


@pytest.mark.parametrize("name", COLUMNS)
def test_impurities_equal_those_of_the_program(name: str) -> None:
    with (EMBEDDED / "oc1" / "impurity.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 396
    for row in rows:
        left, right = counts(row["left_counts"]), counts(row["right_counts"])
        ours = _core.two_sided_impurity(name, left, right)
        stored = float(row[COLUMNS[name]])
        if name == "gain" and ours != 0 and stored != 0:
            # The program stores 1 / gain. Where the gain is zero, its rounding error may have
            # either sign.
            ours, stored = 1 / ours, 1 / stored
        if math.isinf(stored) or stored == 0:
            assert ours == stored, row
        else:
            assert abs(ours - stored) <= rounding_error(name, stored, left + right), row


def test_an_unknown_impurity_or_unequal_sides_are_refused() -> None:
    with pytest.raises(ValueError, match="unknown criterion 'gian'"):
        _core.two_sided_impurity("gian", np.ones(2), np.ones(2))
    with pytest.raises(ValueError, match="the sides differ in their number of classes"):
        _core.two_sided_impurity("gini", np.ones(2), np.ones(3))
