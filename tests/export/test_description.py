"""The description of a model is complete: interpreted by hand, it predicts the same bits."""

from __future__ import annotations

import numpy as np
import pytest

import weaklearn as wl
from export.models import FACTORIES, encoded, fitted, predictions, rows_of
from oracles import exported


@pytest.mark.parametrize("name", FACTORIES)
def test_the_description_predicts_the_same_bits(name: str) -> None:
    model = fitted(name)
    described = wl.export.describe(model)
    rows = encoded(model, rows_of(np.random.default_rng(1), 60))
    labels, probabilities = predictions(model, rows)
    cells = list(zip(*(array.tolist() for array in rows.arrays), strict=True))
    assert [exported.predict(described, row) for row in cells] == labels
    assert [exported.predict_proba(described, row) for row in cells] == probabilities
