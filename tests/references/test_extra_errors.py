"""The pessimistic extra errors against the original's own routine."""

from __future__ import annotations

import csv

import numpy as np
import pytest

from shared import REFERENCE, needs_reference
from weaklearn import _core

pytestmark = needs_reference


def stored_cases() -> list[tuple[float, float, float, float]]:
    """Confidence in percent, n, e and the extra errors."""
    with (REFERENCE / "adderrs.csv").open() as file:
        return [
            (float(row["CF_percent"]), float(row["N"]), float(row["e"]), float(row["extra_errors"]))
            for row in csv.DictReader(file)
        ]


def test_double_is_close_to_the_original() -> None:
    cases = stored_cases()
    assert len(cases) > 4000
    for percent, n, e, stored in cases:
        ours = _core.extra_errors(percent / 100, n, e)
        assert ours == pytest.approx(stored, rel=1e-5, abs=1e-5), (percent, n, e)


def test_release8_is_the_original_to_the_last_bit() -> None:
    for percent, n, e, stored in stored_cases():
        ours = _core.extra_errors_release8(percent, n, e)
        assert np.float32(ours) == np.float32(stored), (percent, n, e)
